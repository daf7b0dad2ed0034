#include "grundy/dataset/prefix_check.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace grundy {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

// Rows and columns of cells that are checked together: the words in use of so many columns and
// diagonals fit a first-level cache, those of so many rows a second-level one.
constexpr std::uint64_t kStripRows = 128;
constexpr std::uint64_t kStripCols = 32;

/// Words from one line to the next: an odd number of cache lines, so that neighbouring lines do not
/// compete for the same places of a cache.
std::uint64_t words_of_line(std::uint64_t value_words) {
  const std::uint64_t words = value_words + value_words / 64 + 1;
  return ((words + 7) / 8 | 1) * 8;
}

/// The largest coordinate sums x+y on the lines of a kind: from `first` on, up or down by one.
struct Widths {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// The largest sum on diagonal b - a = d of the cells a < rows, b < cols.
std::uint64_t diagonal_width(const Extent& cells, std::int64_t d) {
  const auto rows = static_cast<std::int64_t>(cells.rows);
  const auto cols = static_cast<std::int64_t>(cells.cols);
  const std::int64_t last_a = std::min(rows - 1, cols - 1 - d);
  return static_cast<std::uint64_t>(2 * last_a + d);
}

/// Words of lines whose largest sums are first, first + 1, ..., first + count - 1.
std::uint64_t words_of_lines(const Widths& widths) {
  std::uint64_t total = 0;
  std::uint64_t width = widths.first;
  const std::uint64_t end = width + widths.count;
  while (width < end) {
    const std::uint64_t value_words = PrefixLine::value_words(width);
    const std::uint64_t same_until = std::min(end, value_words * 64 - 1);
    total =
        saturating_sum({total, saturating_bytes(same_until - width, words_of_line(value_words))});
    width = same_until;
  }
  return total;
}

/// Words of all lines; the same sums as the constructor of PrefixCheck goes through one by one.
std::uint64_t words_of_table(bool half, const Extent& cells) {
  const auto [rows, cols] = cells;
  const std::uint64_t shorter = std::min(rows, cols);
  const std::uint64_t longer = std::max(rows, cols);
  // Of the diagonals that begin on a side as long as the difference of the sides: sums rise from
  // 2 * shorter - 2; of the others they fall to longer - 1 or to shorter - 1.
  const Widths rising{2 * shorter - 2, longer - shorter + 1};
  const Widths falling{longer - 1, shorter - 1};
  const std::uint64_t long_side = saturating_sum({words_of_lines(rising), words_of_lines(falling)});
  if (half)  // rows <= cols
    return saturating_sum(
        {words_of_lines({cols - 1, rows}), words_of_lines({2 * rows - 1, cols - rows}), long_side});
  return saturating_sum({words_of_lines({cols - 1, rows}), words_of_lines({rows - 1, cols}),
                         long_side, words_of_lines({shorter - 1, shorter - 1})});
}

std::uint64_t line_count(bool half, const Extent& cells) {
  return half ? 2 * cells.cols : 2 * (cells.rows + cells.cols) - 1;
}

Extent cells_to_check(bool half, const Extent& table) {
  if (!half) return table;
  return {std::min(table.rows, table.cols), std::max(table.rows, table.cols)};
}

/// Whether every value below that in word `value / 64` is on one of the lines, and `value` is not.
bool is_least_of_word(std::uint64_t used, std::uint64_t value) {
  const std::uint64_t bit = std::uint64_t{1} << value % 64;
  return (~used & (bit | (bit - 1))) == bit;
}

}  // namespace

void PrefixLine::close_word(std::uint64_t index) {
  full[index / 64] |= std::uint64_t{1} << index % 64;
  while (~values[first_open] == 0) ++first_open;
}

/// A cell with the lines through it.
struct PrefixCheck::Cell {
  std::uint64_t a;
  std::uint64_t b;
  PrefixLine& row;
  PrefixLine& column;
  PrefixLine& diagonal;

  [[nodiscard]] std::uint64_t used(std::uint64_t word) const {
    return row.values[word] | column.values[word] | diagonal.values[word];
  }
  [[nodiscard]] std::uint64_t full(std::uint64_t word) const {
    return row.full[word] | column.full[word] | diagonal.full[word];
  }
  /// All words before this one are full on one of the lines.
  [[nodiscard]] std::uint64_t first_open() const {
    return std::max({row.first_open, column.first_open, diagonal.first_open});
  }

  /// Whether `value`, at most a + b, is the least that is on none of the lines. The words are known
  /// at once, with no search that the next read would have to wait for.
  [[nodiscard]] bool has_least(std::uint64_t value) const {
    const std::uint64_t word = value / 64;
    if (!is_least_of_word(used(word), value)) return false;
    const std::uint64_t from = first_open();
    return from >= word || covers(from, word);
  }

  /// Whether every value of the words begin, ..., end - 1, at least one, is on one of the lines.
  [[nodiscard]] bool covers(std::uint64_t begin, std::uint64_t end) const {
    const std::uint64_t last = (end - 1) / 64;
    std::uint64_t wanted = kAll << begin % 64;
    for (std::uint64_t i = begin / 64; i <= last; ++i) {
      if (i == last) wanted &= kAll >> (63 - (end - 1) % 64);
      for (std::uint64_t open = wanted & ~full(i); open != 0; open &= open - 1)
        if (~used(64 * i + static_cast<std::uint64_t>(std::countr_zero(open))) != 0) return false;
      wanted = kAll;
    }
    return true;
  }

  /// The least value on none of the lines. It is at most a + b: all values on them belong to
  /// positions whose sums are smaller, and larger values than the sum are never entered.
  [[nodiscard]] std::uint64_t least() const {
    const std::uint64_t from = first_open();
    std::uint64_t wanted = kAll << from % 64;
    for (std::uint64_t i = from / 64;; ++i) {
      for (std::uint64_t open = wanted & ~full(i); open != 0; open &= open - 1) {
        const std::uint64_t word = 64 * i + static_cast<std::uint64_t>(std::countr_zero(open));
        if (const std::uint64_t free = ~used(word); free != 0)
          return 64 * word + static_cast<std::uint64_t>(std::countr_zero(free));
      }
      wanted = kAll;
    }
  }

  void enter(std::uint64_t value) const {
    if (value > a + b) return;  // wrong, and on no line is there room for it
    row.insert(value);
    column.insert(value);
    diagonal.insert(value);
  }
};

PrefixCheck::PrefixCheck(const Rule& rule, const Extent& extent)
    : rule_(rule),
      table_(extent),
      half_(rule.symmetric()),
      cells_(cells_to_check(half_, extent)),
      words_(map_zeroed_words(words_of_table(half_, cells_))),
      main_diagonal_(half_ ? 0 : extent.rows - 1),
      row_read_to_(cells_.rows),
      column_read_to_(cells_.cols) {
  const auto [rows, cols] = cells_;
  std::uint64_t* next = words_.get();
  const auto add = [&next](std::vector<PrefixLine>& lines, std::uint64_t largest) {
    const std::uint64_t value_words = PrefixLine::value_words(largest);
    lines.push_back({next + PrefixLine::full_words(largest), next, 0});
    next += words_of_line(value_words);
  };
  const std::uint64_t row_lines = half_ ? cols : rows;
  rows_.reserve(row_lines);
  for (std::uint64_t k = 0; k < row_lines; ++k) add(rows_, k + (k < rows ? cols : rows) - 1);
  if (half_)
    for (std::uint64_t a = 0; a < rows; ++a) row_read_to_[a] = a;
  if (!half_) {
    columns_.reserve(cols);
    for (std::uint64_t k = 0; k < cols; ++k) add(columns_, rows - 1 + k);
  }
  diagonals_.reserve(main_diagonal_ + cols);
  for (std::uint64_t i = 0; i < main_diagonal_ + cols; ++i)
    add(diagonals_, diagonal_width(cells_, static_cast<std::int64_t>(i) -
                                               static_cast<std::int64_t>(main_diagonal_)));
  if (next != words_.get() + words_of_table(half_, cells_))
    throw std::logic_error("the lines of a check do not fill its memory");
}

std::uint64_t PrefixCheck::bytes_needed(const Rule& rule, const Extent& extent) {
  const bool half = rule.symmetric();
  const Extent cells = cells_to_check(half, extent);
  return saturating_sum({saturating_bytes(words_of_table(half, cells), sizeof(std::uint64_t)),
                         saturating_bytes(line_count(half, cells), sizeof(PrefixLine)),
                         saturating_bytes(cells.rows + cells.cols, sizeof(std::uint64_t))});
}

PrefixCheck::Cell PrefixCheck::cell(std::uint64_t a, std::uint64_t b) {
  return {a, b, rows_[a], half_ ? rows_[b] : columns_[b], diagonals_[b + main_diagonal_ - a]};
}

void PrefixCheck::check(const PrefixPart& part) {
  require_turn(part);
  const Region all{part.a0, part.b0, part.extent};
  const bool plain =
      part.stored.contains(all) && !rule_.view().may_meet(all.x0, all.y0) && images_agree(part);
  for (std::uint64_t a = all.x0; a < all.x1(); a += kStripRows) {
    for (std::uint64_t b = all.y0; b < all.y1(); b += kStripCols) {
      const Region strip{
          a, b, {std::min(kStripRows, all.x1() - a), std::min(kStripCols, all.y1() - b)}};
      if (plain) {
        check_stored(part, strip);
      } else {
        check_each(part, strip);
      }
    }
  }
  advance(part);
}

/// A row has been read up to the part, a column down to it. That covers the diagonals: the cell
/// before (a,b) on its diagonal lies left of (a-1,b) in a row that is read from left to right. And
/// what a half takes for the beginning of row a are the cells of column a.
void PrefixCheck::require_turn(const PrefixPart& part) const {
  const std::uint64_t b1 = part.b0 + part.extent.cols;
  bool ready = true;
  for (std::uint64_t a = part.a0; a < part.a0 + part.extent.rows; ++a)
    if (const std::uint64_t first = half_ ? std::max(a, part.b0) : part.b0; first < b1)
      ready = ready && row_read_to_[a] == first;
  for (std::uint64_t b = part.b0; b < b1; ++b)
    if (!half_ || part.a0 <= b) ready = ready && column_read_to_[b] == part.a0;
  if (!ready) throw std::logic_error("cells are checked before others that they depend on");
}

void PrefixCheck::advance(const PrefixPart& part) {
  const std::uint64_t a1 = part.a0 + part.extent.rows;
  const std::uint64_t b1 = part.b0 + part.extent.cols;
  for (std::uint64_t a = part.a0; a < a1; ++a)
    if (!half_ || a < b1) row_read_to_[a] = b1;
  for (std::uint64_t b = part.b0; b < b1; ++b)
    if (!half_ || part.a0 <= b) column_read_to_[b] = half_ ? std::min(a1, b + 1) : a1;
}

bool PrefixCheck::images_agree(const PrefixPart& part) const {
  if (part.images == nullptr) return true;
  const std::uint64_t a_end = std::min(part.a0 + part.extent.rows, part.image_stored.x1());
  const std::uint64_t b_end = std::min(part.b0 + part.extent.cols, part.image_stored.y1());
  // In small squares: one of the two is read across its rows.
  constexpr std::uint64_t kSquare = 16;
  for (std::uint64_t i = std::max(part.a0, part.image_stored.x0); i < a_end; i += kSquare) {
    for (std::uint64_t j = std::max(part.b0, part.image_stored.y0); j < b_end; j += kSquare) {
      std::uint32_t differences = 0;
      for (std::uint64_t a = i; a < std::min(a_end, i + kSquare); ++a)
        for (std::uint64_t b = j; b < std::min(b_end, j + kSquare); ++b)
          differences |= part.values[(a - part.a0) * part.stride + (b - part.b0)] ^
                         part.images[(b - part.b0) * part.image_stride + (a - part.a0)];
      if (differences != 0) return false;
    }
  }
  return true;
}

/// All cells of a strip are stored, none is terminal, and no image differs.
void PrefixCheck::check_stored(const PrefixPart& part, const Region& strip) {
  for (std::uint64_t a = strip.x0; a < strip.x1(); ++a) {
    const std::uint32_t* values = part.values + (a - part.a0) * part.stride - part.b0;
    for (std::uint64_t b = half_ ? std::max(a, strip.y0) : strip.y0; b < strip.y1(); ++b) {
      const Cell c = cell(a, b);
      const std::uint32_t value = values[b];
      if (value > a + b || !c.has_least(value)) report(c, part.transposed, value);
      c.enter(value);
    }
  }
}

void PrefixCheck::check_each(const PrefixPart& part, const Region& strip) {
  for (std::uint64_t a = strip.x0; a < strip.x1(); ++a) {
    std::uint32_t* values = part.values + (a - part.a0) * part.stride - part.b0;
    for (std::uint64_t b = half_ ? std::max(a, strip.y0) : strip.y0; b < strip.y1(); ++b) {
      const Cell c = cell(a, b);
      const bool is_stored = part.stored.contains(Position{a, b});
      const std::uint64_t right = is_terminal(a, b, part.transposed) ? 0 : c.least();
      if (!is_stored) {
        values[b] = static_cast<std::uint32_t>(right);
      } else if (values[b] != right) {
        report(c, part.transposed, values[b]);
      }
      check_image(part, c, values[b], is_stored);
      c.enter(values[b]);
    }
  }
}

void PrefixCheck::check_image(const PrefixPart& part, const Cell& cell, std::uint32_t value,
                              bool is_stored) {
  if (part.images == nullptr || cell.a == cell.b ||
      !part.image_stored.contains(Position{cell.a, cell.b}))
    return;
  const std::uint32_t image =
      part.images[(cell.b - part.b0) * part.image_stride + (cell.a - part.a0)];
  if (image == value) return;
  report(cell, true, image);
  if (!is_stored) return;
  const std::scoped_lock lock(mutex_);
  if (!asymmetry_ || Position{cell.a, cell.b} < asymmetry_->cell)
    asymmetry_ = {{cell.a, cell.b},
                  fmt::format("{} is stored, but {} at ({},{})", value, image, cell.b, cell.a)};
}

bool PrefixCheck::is_terminal(std::uint64_t a, std::uint64_t b, bool transposed) const {
  return rule_.is_terminal(transposed ? Position{b, a} : Position{a, b});
}

void PrefixCheck::report(const Cell& cell, bool transposed, std::uint32_t value) {
  const Position position = transposed ? Position{cell.b, cell.a} : Position{cell.a, cell.b};
  const std::scoped_lock lock(mutex_);
  if (failure_ && failure_->cell < position) return;
  const auto reason = [&]() -> std::string {
    if (rule_.is_terminal(position)) return fmt::format("terminal, so 0, but {} is stored", value);
    if (value > cell.a + cell.b)
      return fmt::format("{} is stored, more than x+y = {}", value, cell.a + cell.b);
    for (const auto& [line, name] : {std::pair{transposed ? &cell.column : &cell.row, "row"},
                                     std::pair{transposed ? &cell.row : &cell.column, "column"},
                                     std::pair{&cell.diagonal, "diagonal"}})
      if (line->contains(value))
        return fmt::format("{} is stored, but an option on its {} has that value too", value, name);
    return fmt::format("{} is stored, but no option has the smaller value {}", value, cell.least());
  };
  failure_ = {position, reason()};
}

}  // namespace grundy
