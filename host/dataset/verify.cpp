#include "grundy/dataset/verify.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "grundy/dataset/prefix_check.hpp"
#include "grundy/dataset/theory_checks.hpp"
#include "grundy/engine/memory.hpp"
#include "grundy/engine/run_in_threads.hpp"
#include "grundy/engine/summary.hpp"
#include "grundy/engine/tile_schedule.hpp"
#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

/// How a file is verified: in which pieces, by how many threads.
struct Plan {
  Plan(const DatasetInfo& info, const VerifyOptions& options)
      : threads(worker_threads(options.threads)), side(options.tile_side) {
    if (options.tile_side % TheoryChecks::kTileStep != 0)
      throw std::invalid_argument("a tile side that is no multiple of 64");
    // Chunks of this program are 512 x 512, so that a tile is one of them. Of larger ones a tile
    // reads parts, each time anew.
    constexpr std::uint64_t kSide = 512;
    const std::uint64_t longest = std::max(info.extent.rows, info.extent.cols);
    const std::uint64_t wanted =
        std::min(longest, std::max({kSide, info.block.rows, info.block.cols}));
    constexpr std::uint64_t kStep = TheoryChecks::kTileStep;
    if (side == 0) side = (wanted + kStep - 1) / kStep * kStep;
    // More threads than rows of tiles find nothing to do.
    threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, (longest + side - 1) / side));
  }

  unsigned threads;
  std::uint64_t side;
};

/// How often each value occurs. Values that no table of this size has are not counted apart: those
/// of a damaged file must not fill memory.
class BoundedHistogram {
 public:
  explicit BoundedHistogram(std::uint64_t values) : counts_(values) {}

  void add(const std::uint32_t* values, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      if (values[i] < counts_.size()) {
        ++counts_[values[i]];
      } else {
        ++larger_;
      }
    }
  }
  void add(const BoundedHistogram& other) {
    for (std::size_t value = 0; value < counts_.size(); ++value)
      counts_[value] += other.counts_[value];
    larger_ += other.larger_;
  }

  [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }
  [[nodiscard]] std::uint64_t larger() const { return larger_; }

 private:
  std::vector<std::uint64_t> counts_;
  std::uint64_t larger_ = 0;
};

/// A rectangle of the table with the values of all its positions.
struct Piece {
  Region region;
  Region stored;  // what of it is in the file
  bool is_read = false;
  std::vector<std::uint32_t> values;  // row-major

  [[nodiscard]] std::uint32_t* at(std::uint64_t x, std::uint64_t y) {
    return values.data() + (x - region.x0) * region.extent.cols + (y - region.y0);
  }
};

/// What one thread works with.
struct Workspace {
  Workspace(const Plan& plan, std::uint64_t values) : histogram(values) {
    const std::uint64_t cells = plan.side * plan.side;
    piece.values.resize(cells);
    image.values.resize(cells);
    other.resize(cells);
  }

  Piece piece;
  Piece image;                       // below the diagonal of a symmetric table
  std::vector<std::uint32_t> other;  // rows of a window, or transposed cells
  BoundedHistogram histogram;
};

std::uint64_t possible_values(const Extent& extent) { return extent.rows + extent.cols - 1; }

/// One pass over the file, a tile at a time. In a symmetric table a tile comes with its mirror
/// image, and the whole table is read; in half storage and in other tables, without.
class Verifier {
 public:
  Verifier(const DatasetReader& reader, const Plan& plan,
           const std::function<void(std::uint64_t)>& progress, std::stop_token stop)
      : reader_(reader),
        info_(reader.info()),
        plan_(plan),
        progress_(progress),
        stop_(std::move(stop)),
        prefix_check_(info_.rule, info_.extent),
        theory_checks_(info_.rule, info_.extent, info_.region),
        histogram_(possible_values(info_.extent)) {}

  Verification run() {
    check_tiles();
    if (unreadable_) {
      add("checksums", CheckStatus::kFailed, first_unreadable());
      std::vector<const char*> others{"mex", "symmetry"};
      others.insert(others.end(), TheoryChecks::names().begin(), TheoryChecks::names().end());
      others.insert(others.end(), {"digest", "histogram", "counts"});
      for (const char* name : others)
        add(name, CheckStatus::kSkipped, "not every cell can be read");
    } else if (!result_.interrupted) {
      report();
    }
    return std::move(result_);
  }

 private:
  void check_tiles() {
    const TileGrid grid{prefix_check_.cells(), plan_.side, prefix_check_.half()};
    // In which order the tiles come, and who waits for whom. It is the engine's, but nothing here
    // believes it: PrefixCheck refuses a tile before its time.
    TileSchedule schedule(grid, plan_.threads);
    const auto work = [&] {
      Workspace space(plan_, possible_values(info_.extent));
      for (TileSchedule::Unit unit{}; schedule.take(unit);) {
        for (std::uint64_t j = unit.first; j < unit.last; ++j) {
          if (stop_.stop_requested()) schedule.abandon();
          if (!schedule.wait_for_inputs(unit.band, j)) return;
          if (!check_tile(unit.band, j, space)) schedule.abandon();
          schedule.finish(unit.band);
        }
      }
      const std::scoped_lock lock(mutex_);
      histogram_.add(space.histogram);
    };
    run_in_threads(plan_.threads, work, [&] { schedule.abandon(); });
    result_.interrupted = !unreadable_ && schedule.abandoned();
  }

  /// False when part of it cannot be read.
  bool check_tile(std::uint64_t band, std::uint64_t column, Workspace& space) {
    try {
      load(band, column, space);
    } catch (const IoError& error) {
      const std::scoped_lock lock(mutex_);
      if (!unreadable_) unreadable_ = error.what();
      return false;
    }
    check_mex(band, column, space);
    finish(space.piece, space);
    finish(space.image, space);
    const std::scoped_lock lock(mutex_);
    progress_(space.piece.region.extent.cells() + space.image.region.extent.cells());
    return true;
  }

  /// Reads tile (band, column) of the half, or of the whole, and its mirror image.
  void load(std::uint64_t band, std::uint64_t column, Workspace& space) {
    const std::uint64_t side = plan_.side;
    const Region table{0, 0, info_.extent};
    const Region tile{band * side, column * side, {side, side}};
    space.piece.region = intersection(tile, table);
    space.image.region = {};
    if (prefix_check_.half() && band != column)
      space.image.region = intersection(tile.transposed(), table);
    space.piece.is_read = read(space.piece, space.other);
    if (info_.half) {
      // Stored by what its mirror image is: filled in like positions that are not stored, but
      // counted.
      space.image.stored = space.image.region;
      space.image.is_read = false;
    } else {
      space.image.is_read = read(space.image, space.other);
    }
  }

  /// Reads what of a piece is in the file; false when nothing is. The values of its other positions
  /// are left to be filled in.
  bool read(Piece& piece, std::vector<std::uint32_t>& buffer) const {
    piece.stored = intersection(piece.region, info_.region);
    if (piece.stored.empty()) return false;
    if (piece.stored == piece.region) {
      reader_.read(piece.region, piece.values.data());
      return true;
    }
    reader_.read(piece.stored, buffer.data());
    const std::uint64_t cols = piece.stored.extent.cols;
    for (std::uint64_t i = 0; i < piece.stored.extent.rows; ++i)
      std::copy_n(buffer.data() + i * cols, cols, piece.at(piece.stored.x0 + i, piece.stored.y0));
    return true;
  }

  void check_mex(std::uint64_t band, std::uint64_t column, Workspace& space) {
    const bool half = prefix_check_.half();
    const Region cells =
        intersection({band * plan_.side, column * plan_.side, {plan_.side, plan_.side}},
                     {0, 0, prefix_check_.cells()});
    // A tile on the main diagonal holds its own mirror image.
    Piece& image = band == column ? space.piece : space.image;
    const std::uint64_t direct_end = std::min(cells.y1(), info_.extent.cols);
    if (cells.y0 < direct_end) {
      PrefixPart part;
      part.a0 = cells.x0;
      part.b0 = cells.y0;
      part.extent = {cells.extent.rows, direct_end - cells.y0};
      part.values = space.piece.values.data();
      part.stride = space.piece.region.extent.cols;
      part.stored = space.piece.stored;
      if (half && image.is_read) {
        part.images = image.values.data();
        part.image_stride = image.region.extent.cols;
        part.image_stored = image.stored.transposed();
      }
      prefix_check_.check(part);
      if (half) fill_images({cells.x0, cells.y0, part.extent}, space.piece, image);
    }
    if (half && direct_end < cells.y1())
      check_below({cells.x0,
                   std::max(cells.y0, direct_end),
                   {cells.extent.rows, cells.y1() - std::max(cells.y0, direct_end)}},
                  image, space.other);
  }

  /// Cells (a,b) that stand for positions (b,a), b beyond the last column: those of `piece`.
  void check_below(const Region& cells, Piece& piece, std::vector<std::uint32_t>& values) {
    const auto [rows, cols] = cells.extent;
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j < cols; ++j)
        values[i * cols + j] = *piece.at(cells.y0 + j, cells.x0 + i);
    PrefixPart part;
    part.a0 = cells.x0;
    part.b0 = cells.y0;
    part.extent = cells.extent;
    part.values = values.data();
    part.stride = cols;
    part.stored = piece.stored.transposed();
    part.transposed = true;
    prefix_check_.check(part);
    if (piece.stored.contains(piece.region)) return;
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j < cols; ++j)
        *piece.at(cells.y0 + j, cells.x0 + i) = values[i * cols + j];
  }

  /// Gives the positions below the diagonal that are not stored the values of their mirror images
  /// among `cells`.
  void fill_images(const Region& cells, Piece& piece, Piece& image) const {
    if (image.is_read && image.stored == image.region) return;
    constexpr std::uint64_t kSquare = 16;  // one of the two is walked across its rows
    const std::uint64_t a1 = cells.x1();
    const std::uint64_t b1 = std::min(cells.y1(), info_.extent.rows);
    for (std::uint64_t i = cells.x0; i < a1; i += kSquare)
      for (std::uint64_t j = cells.y0; j < b1; j += kSquare)
        for (std::uint64_t b = j; b < std::min(b1, j + kSquare); ++b)
          for (std::uint64_t a = i; a < std::min({a1, i + kSquare, b}); ++a)
            if (!image.is_read || !image.stored.contains(Position{b, a}))
              *image.at(b, a) = *piece.at(a, b);
  }

  /// The checks that take a piece as it is.
  void finish(Piece& piece, Workspace& space) {
    if (piece.region.empty()) return;
    theory_checks_.check_tile(piece.region, piece.values.data());
    if (piece.stored.empty()) return;
    const auto [rows, cols] = piece.stored.extent;
    const std::uint32_t* values = piece.at(piece.stored.x0, piece.stored.y0);
    const std::uint64_t stride = piece.region.extent.cols;
    summary_.consume(
        {{piece.stored.x0, piece.stored.y0, static_cast<std::uint32_t>(rows),
          static_cast<std::uint32_t>(cols), values, static_cast<std::ptrdiff_t>(stride), 1},
         {}});
    for (std::uint64_t i = 0; i < rows; ++i) space.histogram.add(values + i * stride, cols);
  }

  /// What the first chunk that cannot be read has against it: threads find another one first.
  [[nodiscard]] std::string first_unreadable() const {
    const Extent& block = info_.block;
    std::vector<std::uint32_t> values(block.cells());
    for (std::uint64_t x = info_.region.x0; x < info_.region.x1(); x += block.rows) {
      for (std::uint64_t y = info_.region.y0; y < info_.region.y1(); y += block.cols) {
        if (stop_.stop_requested()) return *unreadable_;
        const Region cells = intersection({x, y, block}, info_.region);
        if (info_.half && cells.y1() <= cells.x0) continue;
        try {
          reader_.read(cells, values.data());
        } catch (const IoError& error) {
          return error.what();
        }
      }
    }
    return *unreadable_;
  }

  void report() {
    add("checksums", CheckStatus::kPassed, fmt::format("{} bytes read", info_.stored_bytes));
    report_cell("mex", prefix_check_.failure(), mex_passed());
    const Region& region = info_.region;
    if (!info_.rule.symmetric()) {
      add("symmetry", CheckStatus::kSkipped, "the rule is not symmetric");
    } else if (info_.half) {
      add("symmetry", CheckStatus::kSkipped, "half storage: each value stands for both positions");
    } else if (intersection(region, region.transposed()).empty()) {
      add("symmetry", CheckStatus::kSkipped, "no position and its mirror image are both stored");
    } else {
      report_cell("symmetry", prefix_check_.symmetry_failure(), "G(x,y) = G(y,x)");
    }
    for (TheoryChecks::Result& result : theory_checks_.results()) {
      if (result.skipped) {
        add(result.name, CheckStatus::kSkipped, *std::move(result.skipped));
      } else if (result.failure) {
        add(result.name, CheckStatus::kFailed, *std::move(result.failure));
      } else {
        add(result.name, CheckStatus::kPassed, std::move(result.passed));
      }
    }
    const Summary summary = summary_.result();
    const std::string digest = fmt::format("{:016x}", summary.digest);
    compare("digest", info_.digest, digest);
    report_histogram();
    const auto counts = [](std::uint64_t max, std::uint64_t zeros, std::uint64_t ones) {
      return fmt::format("largest value {}, {} zeros, {} ones", max, zeros, ones);
    };
    compare("counts", counts(info_.max_value, info_.zeros, info_.ones),
            counts(summary.max_value, summary.zeros, summary.ones));
  }

  [[nodiscard]] std::string mex_passed() const {
    const std::uint64_t stored = info_.region.extent.cells();
    if (info_.half)
      return fmt::format("{} cells, those below the diagonal as mirror images", stored);
    if (const std::uint64_t all = info_.extent.cells(); stored != all)
      return fmt::format("{} cells of a window; {} before it computed for that", stored,
                         all - stored);
    return fmt::format("{} cells", stored);
  }

  void report_histogram() {
    std::vector<std::uint64_t> counted = histogram_.counts();
    while (!counted.empty() && counted.back() == 0) counted.pop_back();
    std::vector<std::uint64_t> stored;
    try {
      stored = reader_.read_histogram();
    } catch (const IoError& error) {
      add("histogram", CheckStatus::kFailed, error.what());
      return;
    }
    const std::size_t shorter = std::min(stored.size(), counted.size());
    const auto differ = static_cast<std::size_t>(
        std::mismatch(stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(shorter),
                      counted.begin())
            .first -
        stored.begin());
    if (histogram_.larger() != 0) {
      add("histogram", CheckStatus::kFailed,
          fmt::format("{} cells have values that no table of this size has", histogram_.larger()));
    } else if (stored == counted) {
      add("histogram", CheckStatus::kPassed, fmt::format("{} values", counted.size()));
    } else if (differ < shorter) {
      add("histogram", CheckStatus::kFailed,
          fmt::format("value {}: {} stored, {} counted", differ, stored[differ], counted[differ]));
    } else {
      add("histogram", CheckStatus::kFailed,
          fmt::format("{} values stored, {} counted", stored.size(), counted.size()));
    }
  }

  void add(std::string name, CheckStatus status, std::string detail) {
    result_.checks.push_back({std::move(name), status, std::move(detail)});
  }

  void report_cell(const char* name, const std::optional<PrefixCheck::Failure>& failure,
                   std::string passed) {
    if (!failure) return add(name, CheckStatus::kPassed, std::move(passed));
    add(name, CheckStatus::kFailed,
        fmt::format("cell ({},{}): {}", failure->cell.x, failure->cell.y, failure->reason));
  }

  void compare(const char* name, const std::string& stored, const std::string& counted) {
    if (stored == counted) return add(name, CheckStatus::kPassed, counted);
    add(name, CheckStatus::kFailed, fmt::format("stored: {}; by the cells: {}", stored, counted));
  }

  const DatasetReader& reader_;
  const DatasetInfo& info_;
  const Plan& plan_;
  const std::function<void(std::uint64_t)>& progress_;
  std::stop_token stop_;
  PrefixCheck prefix_check_;
  TheoryChecks theory_checks_;
  SummarySink summary_;
  std::mutex mutex_;  // of the histogram, the error, and calls of progress_
  BoundedHistogram histogram_;
  std::optional<std::string> unreadable_;
  Verification result_;
};

}  // namespace

bool Verification::passed() const {
  return !interrupted && std::none_of(checks.begin(), checks.end(), [](const Check& check) {
    return check.status == CheckStatus::kFailed;
  });
}

std::uint64_t verification_bytes(const DatasetInfo& info, const VerifyOptions& options) {
  const Plan plan(info, options);
  // Tiles and a histogram for each thread, and a chunk, packed and unpacked.
  const std::uint64_t chunk = saturating_bytes(saturating_bytes(info.chunk.rows, info.chunk.cols),
                                               2 * std::uint64_t{info.value_bytes});
  const std::uint64_t histogram =
      saturating_bytes(possible_values(info.extent), sizeof(std::uint64_t));
  const std::uint64_t thread = saturating_sum(
      {saturating_bytes(plan.side * plan.side, 3 * sizeof(std::uint32_t)), histogram, chunk});
  return saturating_sum({PrefixCheck::bytes_needed(info.rule, info.extent),
                         TheoryChecks::bytes_needed(info.extent), histogram,
                         saturating_bytes(plan.threads, thread)});
}

Verification verify_table(const DatasetReader& reader,
                          const std::function<void(std::uint64_t cells)>& progress,
                          std::stop_token stop, const VerifyOptions& options) {
  const DatasetInfo& info = reader.info();
  if (!info.complete)
    return {{{"complete", CheckStatus::kFailed,
              "the file is not finished: an interrupted run has left it, or one is writing it"}}};
  require_memory(
      fmt::format("verifying a table of {} x {} positions", info.extent.rows, info.extent.cols),
      verification_bytes(info, options));
  const Plan plan(info, options);
  Verification result = Verifier(reader, plan, progress, std::move(stop)).run();
  result.checks.insert(result.checks.begin(), {"complete", CheckStatus::kPassed, "finished"});
  return result;
}

}  // namespace grundy
