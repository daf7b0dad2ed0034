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
  // Rows first. A column is in use from the tile in which row 0 meets it until row 31 has met it, a
  // diagonal twice as long; columns and diagonals are numbered by where they meet row 0.
  static constexpr std::uint32_t kColumns = 2 * kBandRows;
  static constexpr std::uint32_t kDiagonals = 4 * kBandRows;

  static GRUNDY_HD std::uint32_t column_slot(std::int32_t e) {
    return kBandRows + static_cast<std::uint32_t>(e) % kColumns;
  }
  /// In a step the threads are on every other diagonal; these lie side by side.
  static GRUNDY_HD std::uint32_t diagonal_slot(std::int32_t e) {
    const auto number = static_cast<std::uint32_t>(e);
    return kBandRows + kColumns + number % 2 * (kDiagonals / 2) + number / 2 % (kDiagonals / 2);
  }

  StagedLines<kBandRows + kColumns + kDiagonals, Window> lines;
  std::uint32_t values[kBandRows][Width + 1];  // of the tile, by row and step
  std::uint32_t first;                         // the summary word with which the windows start
};

/// The phases, in this order: find_lines(t); then, once the tiles that it needs are finished,
/// stage(t), step(t, 0) .. step(t, Width-1), store(t); each for all threads t < kBandRows. On the
/// device every thread has a copy of the tile.
///
/// Columns and diagonals are staged when they enter the tile at its row 0. A fresh tile stages all
/// that it meets; any other relies on the tile left of it having run before in the same memory.
template <std::uint32_t Width, std::uint32_t Window>
class SlantedTile {
 public:
  using Memory = BandMemory<Width, Window>;

  /// Tile number `tile` of that band of job.grid, whose tiles are `Width` wide. `first_here`: none
  /// of the band has run in this memory. All phases of the tile before must have ended.
  GRUNDY_HD SlantedTile(const TableJob& job, Memory& memory, std::int64_t band, std::int64_t tile,
                        bool first_here)
      : job_(job),
        memory_(memory),
        x0_(static_cast<Coordinate>(band * kBandRows)),
        y0_(static_cast<Coordinate>(tile * Width)),
        rows_(static_cast<Coordinate>(job.grid.extent.rows) - x0_),
        cols_(static_cast<Coordinate>(job.grid.extent.cols)),
        start_time_((tile + band * job.grid.lag()) * Width),
        first_here_(first_here),
        fresh_(first_here) {
    if (rows_ > kLastRow + 1) rows_ = kLastRow + 1;
    const Coordinate end = y0_ + static_cast<Coordinate>(Width);
    may_be_terminal_ =
        job.terminals.may_meet(static_cast<std::uint64_t>(x0_),
                               static_cast<std::uint64_t>(y0_ < kLastRow ? 0 : y0_ - kLastRow));
    interior_ = rows_ == kLastRow + 1 && end <= cols_ && !may_be_terminal_ &&
                y0_ - kLastRow > (job.grid.upper_half ? x0_ + kLastRow : -1);
    if (!first_here) {
      // Searches move on: now and then the windows follow, those of all lines together.
      const Coordinate last_column = (y0_ < cols_ ? y0_ : cols_) - 1;
      first_ = memory.first;
      fresh_ = window_start(memory.lines.hint[Memory::column_slot(last_column)]) != first_;
    }
    // Lines that do not meet this band belong to others.
    const Coordinate first_column = job.grid.upper_half ? x0_ : 0;
    const Coordinate lowest_diagonal = x0_ - static_cast<Coordinate>(job.lines.main_diagonal);
    const Coordinate first_diagonal =
        job.grid.upper_half ? x0_ : (lowest_diagonal < -kLastRow ? -kLastRow : lowest_diagonal);
    last_ = end < cols_ ? end : cols_;
    column_ = fresh_ ? y0_ - kLastRow : y0_;
    if (column_ < first_column) column_ = first_column;
    diagonal_ = fresh_ ? y0_ - 2 * kLastRow : y0_;
    if (diagonal_ < first_diagonal) diagonal_ = first_diagonal;
  }

  /// Needs nothing that other bands compute.
  GRUNDY_HD void find_lines(std::uint32_t t) {
    const TableLines& lines = job_.lines;
    for (Coordinate e = column_ + lane(t); e < last_; e += kBandRows)
      memory_.lines.values[Memory::column_slot(e)] = lines.columns[e];
    for (Coordinate e = diagonal_ + lane(t); e < last_; e += kBandRows)
      memory_.lines.values[Memory::diagonal_slot(e)] =
          lines.diagonals[e - x0_ + static_cast<Coordinate>(lines.main_diagonal)];
    if (!first_here_ || lane(t) >= rows_) return;
    LineWord* const values = lines.rows[x0_ + lane(t)];
    memory_.lines.values[t] = values;
    memory_.lines.hint[t] = lane(t) < started_rows()
                                ? static_cast<std::uint32_t>(hint_of<kStagedLineStride>(values))
                                : 0;
  }

  GRUNDY_HD void stage(std::uint32_t t) {
    if (fresh_) {
      const Coordinate e = last_ - 1;  // if any: where the search in that column would start
      first_ = window_start(column_ < last_ ? hint_in_line(Memory::column_slot(e)) : 0);
      if (t == 0) memory_.first = first_;
      stage_windows(t, 0, started_rows(),
                    [](Coordinate row) { return static_cast<std::uint32_t>(row); });
    }
    stage_windows(t, column_, last_, [](Coordinate e) { return Memory::column_slot(e); });
    stage_windows(t, diagonal_, last_, [](Coordinate e) { return Memory::diagonal_slot(e); });
    for (Coordinate e = column_ + lane(t); e < last_; e += kBandRows)
      memory_.lines.hint[Memory::column_slot(e)] = hint_in_line(Memory::column_slot(e));
  }

  GRUNDY_HD void step(std::uint32_t t, std::uint32_t s) {
    const Coordinate x = x0_ + lane(t);
    const Coordinate y = y0_ + lane(s) - lane(t);
    const std::uint32_t column = Memory::column_slot(y);
    std::uint32_t& value = memory_.values[t][s];
    if (!interior_) {
      value = 0;
      if (lane(t) >= rows_ || y < (job_.grid.upper_half ? x : 0) || y >= cols_) return;
      if (job_.grid.upper_half && y == x) start_row(t, column);
    }
    StagedCell cell(memory_.lines, t, column, Memory::diagonal_slot(y - lane(t)), first_);
    if (!interior_ && may_be_terminal_ &&
        job_.terminals.contains(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y))) {
      enter_terminal_cell(cell);
    } else {
      value = solve_cell(cell, cell.search_start());
    }
  }

  GRUNDY_HD void store(std::uint32_t t, const ValueStrip& strip) const {
    constexpr std::uint32_t kTogether = Width < 4 ? 1 : 4;  // written in one piece
    constexpr std::uint32_t kPieces = Width / kTogether;    // of a row
    std::uint32_t* const start = strip.values +
                                 static_cast<std::uint64_t>(x0_ - strip.x0) * strip.stride +
                                 (start_time_ - strip.t0);
    for (std::uint32_t i = t; i < static_cast<std::uint32_t>(rows_) * kPieces; i += kBandRows) {
      const std::uint32_t row = i / kPieces;
      const std::uint32_t first = i % kPieces * kTogether;
      write<kTogether>(start + row * strip.stride + first, memory_.values[row] + first);
    }
  }

 private:
  using Coordinate = std::int32_t;  // some are negative
  static constexpr Coordinate kLastRow = kBandRows - 1;

  template <std::uint32_t Count>
  static GRUNDY_HD void write(std::uint32_t* to, const std::uint32_t* from) {
#ifdef __CUDA_ARCH__
    static_assert(Count == 4);
    *reinterpret_cast<uint4*>(to) = make_uint4(from[0], from[1], from[2], from[3]);
#else
    for (std::uint32_t i = 0; i < Count; ++i) to[i] = from[i];
#endif
  }

  static GRUNDY_HD Coordinate lane(std::uint32_t t) { return static_cast<Coordinate>(t); }

  [[nodiscard]] GRUNDY_HD std::uint32_t summary_words() const {
    return static_cast<std::uint32_t>(job_.lines.summary_words);
  }
  /// How many rows of the band have their lines for themselves, the upper ones. Before it starts, a
  /// row of an upper half is a column of the rows above.
  [[nodiscard]] GRUNDY_HD Coordinate started_rows() const {
    const Coordinate rows = (y0_ - x0_ + 1) / 2;  // those with y0 - t > x0 + t
    return job_.grid.upper_half && rows < rows_ ? rows : rows_;
  }
  [[nodiscard]] GRUNDY_HD std::uint32_t hint_in_line(std::uint32_t slot) const {
    return static_cast<std::uint32_t>(hint_of<kStagedLineStride>(memory_.lines.values[slot]));
  }

  /// Where the windows should start: one before the one in which searches start now. The hints
  /// of the rows of a band differ little, and so do those of neighbouring columns.
  [[nodiscard]] GRUNDY_HD std::uint32_t window_start(std::uint32_t column_hint) const {
    const std::uint32_t row_hint = started_rows() > 0 ? memory_.lines.hint[0] : 0;
    const std::uint32_t hint = row_hint < column_hint ? column_hint : row_hint;
    return hint == 0 ? 0 : hint - 1;
  }

  /// Stages the windows of lines first <= e < last; a thread for each word, so that the words of a
  /// line are read together.
  template <typename Slot>
  GRUNDY_HD void stage_windows(std::uint32_t t, Coordinate first, Coordinate last, Slot slot_of) {
    for (Coordinate i = lane(t); i < (last - first) * lane(Window); i += kBandRows) {
      const std::uint32_t slot = slot_of(first + i / lane(Window));
      const std::uint32_t at = static_cast<std::uint32_t>(i) % Window;
      const std::uint32_t word = first_ + at;
      memory_.lines.window[at][slot] =
          word < summary_words() ? summary_word<kStagedLineStride>(memory_.lines.values[slot], word)
                                 : 0;
    }
  }

  /// Row t was column y = x of the rows above until now.
  GRUNDY_HD void start_row(std::uint32_t t, std::uint32_t column) {
    for (std::uint32_t at = 0; at < Window; ++at)
      memory_.lines.window[at][t] = memory_.lines.window[at][column];
    memory_.lines.hint[t] = memory_.lines.hint[column];
  }

  const TableJob& job_;
  Memory& memory_;
  Coordinate x0_;  // row 0 of the band
  Coordinate y0_;  // the column of row 0 in step 0
  Coordinate rows_;
  Coordinate cols_;
  Coordinate column_;    // columns column_ <= e < last_ are to be staged, by where they meet row 0
  Coordinate diagonal_;  // and diagonals diagonal_ <= e < last_
  Coordinate last_;
  std::int64_t start_time_;
  std::uint32_t first_ = 0;  // the summary word with which the windows start
  bool may_be_terminal_;
  bool interior_;    // all threads have a cell in all steps, none of them terminal or on x = y
  bool first_here_;  // of its band in this memory
  bool fresh_;
};

/// All phases of a tile `Width` wide. `run(phase)` calls phase(tile, t) for every thread t, with
/// the tile or that thread's copy of it, and none of the next phase before all have returned;
/// `inputs_ready()` waits for the tiles that this one needs.
template <std::uint32_t Width, typename Run, typename InputsReady>
GRUNDY_HD GRUNDY_ALWAYS_INLINE void run_tile(const ValueStrip& strip, Run run,
                                             InputsReady inputs_ready) {
  run([](auto& tile, std::uint32_t t) { tile.find_lines(t); });
  inputs_ready();
  run([](auto& tile, std::uint32_t t) { tile.stage(t); });
  for (std::uint32_t s = 0; s < Width; ++s)
    run([s](auto& tile, std::uint32_t t) { tile.step(t, s); });
  run([&strip](auto& tile, std::uint32_t t) { tile.store(t, strip); });
}

}  // namespace grundy
