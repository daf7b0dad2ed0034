#include "grundy/dataset/selection.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

/// 1 + 2 + ... + n; n is below 2^32.
std::uint64_t triangular(std::uint64_t n) { return n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n; }

/// The smallest n with 1 + 2 + ... + n >= cells, at most `most`, with which it is.
std::uint64_t lines_of_triangle(std::uint64_t cells, std::uint64_t most) {
  std::uint64_t below = 0;  // too few
  while (below + 1 < most) {
    const std::uint64_t middle = below + (most - below) / 2;
    (triangular(middle) >= cells ? most : below) = middle;
  }
  return most;
}

std::string text_of(const Region& region) {
  return fmt::format("{} <= x < {}, {} <= y < {}", region.x0, region.x1(), region.y0, region.y1());
}

/// The sides of the largest triangle at (0,0).
std::uint64_t triangle_side(const char* what, const Region& within) {
  if (within.x0 != 0 || within.y0 != 0)
    throw UsageError(fmt::format("{} are read from (0,0) on, which is not among the positions {}",
                                 what, text_of(within)));
  return std::min(within.extent.rows, within.extent.cols);
}

/// Reads the values of a selection and hands them on.
class PieceReader {
 public:
  PieceReader(const CellSource& source, const Selection& selection,
              const std::function<void(const Piece&)>& visit, const ReadOptions& options,
              std::uint64_t values_at_once)
      : source_(source),
        selection_(selection),
        box_(selection.box()),
        visit_(visit),
        options_(options),
        room_(std::max<std::uint64_t>(values_at_once, 1)),
        left_(selection.cells()) {}

  bool read() {
    switch (selection_.order()) {
      case Selection::Order::kRegion:
      case Selection::Order::kRow:
      case Selection::Order::kTriangle:
        return read_rows();
      case Selection::Order::kColumn:
        return read_column();
      case Selection::Order::kDiagonal:
        return read_diagonal();
      case Selection::Order::kAntidiagonals:
        return read_antidiagonals();
    }
    return true;
  }

 private:
  /// The end of a band of rows from x on that has room for rows of `cols` values: where blocks end,
  /// if it can be.
  [[nodiscard]] std::uint64_t band_end(std::uint64_t x, std::uint64_t cols) const {
    const std::uint64_t rows = std::max<std::uint64_t>(room_ / cols, 1);
    if (rows >= box_.x1() - x) return box_.x1();
    const std::uint64_t end = x + rows;
    const std::uint64_t aligned = end - (end - source_.region.x0) % source_.block.rows;
    return aligned > x ? aligned : end;
  }

  bool read_rows() {
    for (std::uint64_t x = box_.x0; x < box_.x1() && left_ > 0;) {
      const std::uint64_t next_x = band_end(x, box_.extent.cols);
      const std::uint64_t y_end = row_end(next_x - 1);
      // Only a single row can be too long to come in one piece.
      const std::uint64_t step = next_x - x > 1 ? box_.extent.cols : room_;
      for (std::uint64_t y = box_.y0; y < y_end; y += step) {
        const Region band{x, y, {next_x - x, std::min(step, y_end - y)}};
        if (!read_band(band)) return false;
        for (std::uint64_t i = 0; i < band.extent.rows; ++i) {
          const std::uint64_t end = std::min(band.y1(), row_end(x + i));
          hand_on({{x + i, y},
                   0,
                   1,
                   {values_.data() + i * band.extent.cols, end - y},
                   y == box_.y0,
                   end == row_end(x + i)});
        }
      }
      x = next_x;
    }
    return true;
  }

  /// Where row x of the selection ends.
  [[nodiscard]] std::uint64_t row_end(std::uint64_t x) const {
    return selection_.order() == Selection::Order::kTriangle ? x + 1 : box_.y1();
  }

  bool read_column() {
    for (std::uint64_t x = box_.x0; x < box_.x1();) {
      const std::uint64_t next_x = band_end(x, 1);
      if (!read_band({x, box_.y0, {next_x - x, 1}})) return false;
      hand_on({{x, box_.y0}, 1, 0, values_, x == box_.x0, next_x == box_.x1()});
      x = next_x;
    }
    return true;
  }

  bool read_diagonal() {
    constexpr std::uint64_t kStep = 512;
    std::vector<std::uint32_t> square;
    for (std::uint64_t k = 0; k < box_.extent.rows;) {
      const std::uint64_t x = box_.x0 + k;
      const std::uint64_t side =
          std::min(kStep - (x - source_.region.x0) % kStep, box_.extent.rows - k);
      if (options_.stop.stop_requested()) return false;
      square.resize(side * side);
      source_.read({x, box_.y0 + k, {side, side}}, square.data());
      make_room(side);
      for (std::uint64_t i = 0; i < side; ++i) values_[i] = square[i * (side + 1)];
      hand_on({{x, box_.y0 + k}, 1, 1, values_, k == 0, k + side == box_.extent.rows});
      k += side;
    }
    return true;
  }

  bool read_antidiagonals() {
    for (std::uint64_t s = 0; s < box_.extent.rows;) {
      std::uint64_t next_s = s + 1;
      while (next_s < box_.extent.rows && triangular(next_s + 1) - triangular(s) <= room_) ++next_s;
      if (!read_group(s, next_s)) return false;
      for (; s < next_s; ++s)
        hand_on({{0, s}, 1, -1, {values_.data() + triangular(s) - first_of_group_, s + 1}});
    }
    return true;
  }

  /// Anti-diagonals s_begin <= x+y < s_end, one after the other.
  bool read_group(std::uint64_t s_begin, std::uint64_t s_end) {
    first_of_group_ = triangular(s_begin);
    make_room(triangular(s_end) - first_of_group_);
    return for_each_block(
        source_, {0, 0, {s_end, s_end}},
        [=](const Region& block) {
          return block.x0 + block.y0 < s_end && block.x1() + block.y1() - 2 >= s_begin;
        },
        [&](const Region& block, const std::uint32_t* values) {
          for (std::uint64_t x = block.x0; x < block.x1(); ++x, values += block.extent.cols) {
            const std::uint64_t y_end = std::min(block.y1(), s_end - std::min(x, s_end));
            std::uint64_t y = std::max(block.y0, s_begin - std::min(x, s_begin));
            std::uint64_t place = triangular(x + y) + x - first_of_group_;
            for (; y < y_end; place += x + y + 1, ++y) values_[place] = values[y - block.y0];
          }
        },
        options_);
  }

  bool read_band(const Region& band) {
    make_room(band.extent.cells());
    return for_each_block(
        source_, band, {},
        [&](const Region& block, const std::uint32_t* values) {
          for (std::uint64_t i = 0; i < block.extent.rows; ++i)
            std::copy_n(
                values + i * block.extent.cols, block.extent.cols,
                values_.data() + (block.x0 - band.x0 + i) * band.extent.cols + block.y0 - band.y0);
        },
        options_);
  }

  /// The old values are given up before there are new ones.
  void make_room(std::uint64_t cells) {
    if (cells > values_.capacity()) std::vector<std::uint32_t>().swap(values_);
    values_.resize(cells);
  }

  void hand_on(Piece piece) {
    if (left_ == 0) return;
    if (piece.values.size() >= left_) {
      piece.values = piece.values.first(left_);
      piece.ends_line = true;
    }
    left_ -= piece.values.size();
    visit_(piece);
  }

  const CellSource& source_;
  const Selection& selection_;
  const Region box_;
  const std::function<void(const Piece&)>& visit_;
  const ReadOptions& options_;
  const std::uint64_t room_;
  std::uint64_t left_;
  std::vector<std::uint32_t> values_;
  std::uint64_t first_of_group_ = 0;
};

}  // namespace

Selection Selection::region(const Region& within) {
  return {Order::kRegion, within, within.extent.cells()};
}

Selection Selection::row(std::uint64_t x, const Region& within) {
  if (x < within.x0 || x >= within.x1())
    throw UsageError(fmt::format("row {} is not among the positions {}", x, text_of(within)));
  return {Order::kRow, {x, within.y0, {1, within.extent.cols}}, within.extent.cols};
}

Selection Selection::column(std::uint64_t y, const Region& within) {
  if (y < within.y0 || y >= within.y1())
    throw UsageError(fmt::format("column {} is not among the positions {}", y, text_of(within)));
  return {Order::kColumn, {within.x0, y, {within.extent.rows, 1}}, within.extent.rows};
}

Selection Selection::diagonal(std::int64_t difference, const Region& within) {
  const auto signed_of = [](std::uint64_t coordinate) {
    return static_cast<std::int64_t>(coordinate);  // below 2^33
  };
  constexpr std::int64_t kFar = std::int64_t{1} << 34;  // misses every table
  const std::int64_t shift = std::clamp(difference, -kFar, kFar);
  const std::int64_t begin = std::max(signed_of(within.x0), signed_of(within.y0) - shift);
  const std::int64_t end = std::min(signed_of(within.x1()), signed_of(within.y1()) - shift);
  if (begin >= end)
    throw UsageError(fmt::format("the diagonal y - x = {} is not among the positions {}",
                                 difference, text_of(within)));
  const auto cells = static_cast<std::uint64_t>(end - begin);
  return {Order::kDiagonal,
          {static_cast<std::uint64_t>(begin),
           static_cast<std::uint64_t>(begin + shift),
           {cells, cells}},
          cells};
}

Selection Selection::antidiagonals(const Region& within) {
  const std::uint64_t side = triangle_side("anti-diagonals", within);
  return {Order::kAntidiagonals, {0, 0, {side, side}}, triangular(side)};
}

Selection Selection::triangle(const Region& within) {
  const std::uint64_t side = triangle_side("rows of the triangle", within);
  return {Order::kTriangle, {0, 0, {side, side}}, triangular(side)};
}

void Selection::limit(std::uint64_t cells) {
  if (cells == 0) throw UsageError("0 terms are none; at least 1");
  if (cells > cells_)
    throw UsageError(fmt::format(
        "{} terms are wanted, but only {} can be read: {}", cells, cells_,
        order_ == Order::kAntidiagonals
            ? fmt::format("the anti-diagonals x+y < {}, others are not wholly there",
                          box_.extent.rows)
        : order_ == Order::kTriangle
            ? fmt::format("the rows x < {}, others are not wholly there", box_.extent.rows)
            : "the positions " + text_of(box_)));
  cells_ = cells;
  switch (order_) {
    case Order::kRegion:
      box_.extent.rows = (cells + box_.extent.cols - 1) / box_.extent.cols;
      break;
    case Order::kRow:
      box_.extent.cols = cells;
      break;
    case Order::kColumn:
      box_.extent.rows = cells;
      break;
    case Order::kDiagonal:
      box_.extent = {cells, cells};
      break;
    case Order::kAntidiagonals:
    case Order::kTriangle: {
      const std::uint64_t side = lines_of_triangle(cells, box_.extent.rows);
      box_.extent = {side, side};
      break;
    }
  }
}

std::uint64_t Selection::first_number() const {
  switch (order_) {
    case Order::kRow:
      return box_.y0;
    case Order::kColumn:
      return box_.x0;
    case Order::kDiagonal:
      return std::min(box_.x0, box_.y0);
    default:
      return 0;
  }
}

std::string Selection::term() const {
  const auto shifted = [](std::uint64_t by) {
    return by == 0 ? std::string("n") : fmt::format("n+{}", by);
  };
  const std::uint64_t smaller = std::min(box_.x0, box_.y0);
  switch (order_) {
    case Order::kRow:
      return fmt::format("G({},n)", box_.x0);
    case Order::kColumn:
      return fmt::format("G(n,{})", box_.y0);
    case Order::kDiagonal:
      return fmt::format("G({},{})", shifted(box_.x0 - smaller), shifted(box_.y0 - smaller));
    case Order::kAntidiagonals:
      return "G(x,y) for (x,y) = (0,0), (0,1), (1,0), (0,2), ...";
    case Order::kTriangle:
      return "G(x,y) for (x,y) = (0,0), (1,0), (1,1), (2,0), ...";
    case Order::kRegion:
      break;
  }
  return "G(x,y)";
}

bool read_pieces(const CellSource& source, const Selection& selection,
                 const std::function<void(const Piece&)>& visit, const ReadOptions& options,
                 std::uint64_t values_at_once) {
  return PieceReader(source, selection, visit, options, values_at_once).read();
}

}  // namespace grundy
