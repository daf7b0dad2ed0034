// One slanted tile (slant.hpp) as a list of phases for 32 threads with a barrier after each. A
// kernel runs them on the device; tests run them on the host, the threads of a phase in any order.
#pragma once

#include <cstdint>

#include "grundy/kernels/annotate.hpp"
#include "grundy/kernels/line_set.hpp"
#include "grundy/kernels/slant.hpp"
#include "grundy/kernels/staged_lines.hpp"
#include "grundy/kernels/strip.hpp"
#include "grundy/kernels/terminal_view.hpp"
#include "grundy/kernels/tile.hpp"

namespace grundy {

/// All that a kernel has to know of a table.
struct TableJob {
  SlantedGrid grid;
  TableLines lines;
  TerminalView terminals;
};

/// What the threads of a band share while they work on tiles `Width` wide; `Window` as in
/// StagedLines.
template <std::uint32_t Width, std::uint32_t Window>
struct BandMemory {
  StagedLines<kBandRows, Window> rows;
  // A column is in use from the tile in which row 0 meets it until row 31 has met it.
  StagedLines<2 * kBandRows, Window> columns;
  StagedLines<4 * kBandRows, Window> diagonals;
  std::uint32_t values[kBandRows][Width + 1];  // of the tile, by row and step
};

/// The phases, in this order: find_lines(t); then, once the tiles that it needs are finished,
/// stage(t), step(t, 0) .. step(t, width-1), store(t); each for all threads t < kBandRows.
///
/// Columns and diagonals are staged when they enter the tile at its row 0; a `fresh` tile stages
/// all that it meets, any other relies on the tile left of it having run before in the same memory.
template <std::uint32_t Width, std::uint32_t Window>
class SlantedTile {
 public:
  /// The tile of that number in that band of job.grid, whose tiles are `Width` wide.
  GRUNDY_HD SlantedTile(const TableJob& job, BandMemory<Width, Window>& memory, std::int64_t band,
                        std::int64_t tile, bool fresh)
      : job_(job),
        memory_(memory),
        x0_(static_cast<Coordinate>(band * kBandRows)),
        y0_(static_cast<Coordinate>(tile * Width)),
        rows_(static_cast<Coordinate>(job.grid.extent.rows) - x0_),
        cols_(static_cast<Coordinate>(job.grid.extent.cols)),
        start_time_((tile + band * job.grid.lag()) * Width),
        may_be_terminal_(job.terminals.may_meet(
            static_cast<std::uint64_t>(x0_),
            static_cast<std::uint64_t>(y0_ < kLastRow ? 0 : y0_ - kLastRow))),
        fresh_(fresh) {
    if (rows_ > kLastRow + 1) rows_ = kLastRow + 1;
    const Coordinate next = y0_ + static_cast<Coordinate>(Width);
    const Coordinate end = next < cols_ ? next : cols_;
    // The lines of this band are numbered by the column in which they meet its row 0. Lines that do
    // not meet this band belong to others.
    const Coordinate first_column = job.grid.upper_half ? x0_ : 0;
    const Coordinate lowest_diagonal = x0_ - static_cast<Coordinate>(job.lines.main_diagonal);
    const Coordinate first_diagonal =
        job.grid.upper_half ? x0_ : (lowest_diagonal < -kLastRow ? -kLastRow : lowest_diagonal);
    entering_columns_ = Entering(fresh ? y0_ - kLastRow : y0_, end, first_column);
    entering_diagonals_ = Entering(fresh ? y0_ - 2 * kLastRow : y0_, end, first_diagonal);
  }

  /// Needs nothing that other bands compute.
  GRUNDY_HD void find_lines(std::uint32_t t) {
    const TableLines& lines = job_.lines;
    for (Coordinate e = entering_columns_.first + lane(t); e < entering_columns_.last;
         e += kBandRows)
      memory_.columns.line[column_slot(e)] = lines.columns[e];
    for (Coordinate e = entering_diagonals_.first + lane(t); e < entering_diagonals_.last;
         e += kBandRows)
      memory_.diagonals.line[diagonal_slot(e)] =
          lines.diagonals[e - x0_ + static_cast<Coordinate>(lines.main_diagonal)];
    if (!fresh_ || lane(t) >= rows_) return;
    LineWord* const row = lines.rows[x0_ + lane(t)];
    memory_.rows.line[t] = row;
    memory_.rows.first[t] = kNowhere;
    // Before it starts, a row of an upper half is a column that others work on.
    memory_.rows.hint[t] = started(lane(t)) ? static_cast<std::uint32_t>(row[summary_words()]) : 0;
  }

  GRUNDY_HD void stage(std::uint32_t t) {
    const std::uint32_t first = window_start();
    stage_entering(memory_.columns, entering_columns_, first, t, column_slot);
    for (Coordinate e = entering_columns_.first + lane(t); e < entering_columns_.last;
         e += kBandRows)
      memory_.columns.hint[column_slot(e)] =
          static_cast<std::uint32_t>(memory_.columns.line[column_slot(e)][summary_words()]);
    stage_entering(memory_.diagonals, entering_diagonals_, first, t, diagonal_slot);
    // Rows stay, their windows move.
    if (lane(t) >= rows_ || !started(lane(t)) || memory_.rows.first[t] == first) return;
    for (std::uint32_t at = 0; at < Window; ++at) stage_word(memory_.rows, t, first, at);
  }

  GRUNDY_HD void step(std::uint32_t t, std::uint32_t s) {
    const Coordinate x = x0_ + lane(t);
    const Coordinate y = y0_ + lane(s) - lane(t);
    std::uint32_t& value = memory_.values[t][s];
    value = 0;
    if (lane(t) >= rows_ || y < (job_.grid.upper_half ? x : 0) || y >= cols_) return;
    if (job_.grid.upper_half && y == x) start_row(t, column_slot(y));
    StagedCell cell(StagedLine(memory_.rows, t), StagedLine(memory_.columns, column_slot(y)),
                    StagedLine(memory_.diagonals, diagonal_slot(y - lane(t))), summary_words());
    if (may_be_terminal_ &&
        job_.terminals.contains(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y))) {
      enter_terminal_cell(cell);
    } else {
      value = solve_cell(cell, cell.search_start());
    }
  }

  GRUNDY_HD void store(std::uint32_t t, const ValueStrip& strip) const {
    std::uint32_t* const values = strip.values +
                                  static_cast<std::uint64_t>(x0_ - strip.x0) * strip.stride +
                                  (start_time_ - strip.t0);
    for (std::uint32_t i = t; i < static_cast<std::uint32_t>(rows_) * Width; i += kBandRows)
      values[i / Width * strip.stride + i % Width] = memory_.values[i / Width][i % Width];
  }

 private:
  using Coordinate = std::int32_t;  // some are negative
  static constexpr Coordinate kLastRow = kBandRows - 1;
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  /// Lines by the column in which they meet row 0: first <= e < last, none below `lowest`.
  struct Entering {
    GRUNDY_HD Entering() {}
    GRUNDY_HD Entering(Coordinate from, Coordinate end, Coordinate lowest)
        : first(from < lowest ? lowest : from), last(end) {}
    Coordinate first = 0;
    Coordinate last = 0;
  };

  static GRUNDY_HD Coordinate lane(std::uint32_t t) { return static_cast<Coordinate>(t); }
  static GRUNDY_HD std::uint32_t column_slot(Coordinate e) {
    return static_cast<std::uint32_t>(e) % (2 * kBandRows);
  }
  /// In a step the threads are on every other diagonal; these lie side by side.
  static GRUNDY_HD std::uint32_t diagonal_slot(Coordinate e) {
    const auto entered = static_cast<std::uint32_t>(e);
    return entered % 2 * (2 * kBandRows) + entered / 2 % (2 * kBandRows);
  }

  [[nodiscard]] GRUNDY_HD std::uint32_t summary_words() const {
    return static_cast<std::uint32_t>(job_.lines.summary_words);
  }
  /// Whether row t of the band has cells before this tile, or no others work on its line anyway.
  [[nodiscard]] GRUNDY_HD bool started(Coordinate t) const {
    return !job_.grid.upper_half || y0_ - t > x0_ + t;
  }

  /// The summary word before the one in which searches start now: the hints of a band differ
  /// little.
  [[nodiscard]] GRUNDY_HD std::uint32_t window_start() const {
    std::uint32_t hint = started(0) ? memory_.rows.hint[0] : 0;
    std::uint32_t column_hint = 0;
    if (!fresh_) {
      column_hint = memory_.columns.hint[column_slot((y0_ < cols_ ? y0_ : cols_) - 1)];
    } else if (entering_columns_.first < entering_columns_.last) {
      const Coordinate e = entering_columns_.last - 1;
      column_hint =
          static_cast<std::uint32_t>(memory_.columns.line[column_slot(e)][summary_words()]);
    }
    if (hint < column_hint) hint = column_hint;
    return hint < 8 ? 0 : hint / 8 - 1;
  }

  /// Summary word `first` + `at` of a line to its place.
  template <typename Lines>
  GRUNDY_HD void stage_word(Lines& lines, std::uint32_t slot, std::uint32_t first,
                            std::uint32_t at) {
    const std::uint32_t word = first + at;
    lines.window[at][slot] = word < summary_words() ? lines.line[slot][word] : 0;
    if (at == Window - 1) lines.first[slot] = first;
  }

  /// A thread for each word, so that the words of a line are read together.
  template <typename Lines, typename Slot>
  GRUNDY_HD void stage_entering(Lines& lines, const Entering& entering, std::uint32_t first,
                                std::uint32_t t, Slot slot) {
    const auto words = static_cast<std::uint32_t>(
                           (entering.last < entering.first ? 0 : entering.last - entering.first)) *
                       Window;
    for (std::uint32_t i = t; i < words; i += kBandRows)
      stage_word(lines, slot(entering.first + lane(i / Window)), first, i % Window);
  }

  /// Row t was column y = x of the rows above until now.
  GRUNDY_HD void start_row(std::uint32_t t, std::uint32_t column) {
    for (std::uint32_t at = 0; at < Window; ++at)
      memory_.rows.window[at][t] = memory_.columns.window[at][column];
    memory_.rows.first[t] = memory_.columns.first[column];
    memory_.rows.hint[t] = memory_.columns.hint[column];
  }

  const TableJob& job_;
  BandMemory<Width, Window>& memory_;
  Coordinate x0_;  // row 0 of the band
  Coordinate y0_;  // the column of row 0 in step 0
  Coordinate rows_;
  Coordinate cols_;
  std::int64_t start_time_;
  Entering entering_columns_;
  Entering entering_diagonals_;
  bool may_be_terminal_;
  bool fresh_;
};

/// All phases of a tile. `run(phase)` calls phase(t) for every thread, and none of the next phase
/// before all have returned; `inputs_ready()` waits for the tiles that this one needs.
template <std::uint32_t Width, std::uint32_t Window, typename Run, typename InputsReady>
GRUNDY_HD GRUNDY_ALWAYS_INLINE void run_tile(SlantedTile<Width, Window>& tile,
                                             const ValueStrip& strip, Run run,
                                             InputsReady inputs_ready) {
  run([&](std::uint32_t t) { tile.find_lines(t); });
  inputs_ready();
  run([&](std::uint32_t t) { tile.stage(t); });
  for (std::uint32_t s = 0; s < Width; ++s) run([&](std::uint32_t t) { tile.step(t, s); });
  run([&](std::uint32_t t) { tile.store(t, strip); });
}

}  // namespace grundy
