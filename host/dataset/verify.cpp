#include "grundy/dataset/verify.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "grundy/dataset/prefix_check.hpp"
#include "grundy/dataset/theory_checks.hpp"
#include "grundy/engine/memory.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/engine/summary.hpp"
#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

/// One pass over the file, a strip of rows at a time.
class Verifier {
 public:
  Verifier(const DatasetReader& reader, const std::function<void(std::uint64_t)>& progress,
           std::stop_token stop)
      : reader_(reader),
        info_(reader.info()),
        progress_(progress),
        stop_(std::move(stop)),
        prefix_check_(info_.rule, info_.extent),
        theory_checks_(info_.rule, info_.extent),
        strip_(info_.block.rows * info_.extent.cols),
        mirror_(info_.block.rows * info_.block.rows) {}

  Verification run() {
    try {
      for (std::uint64_t x0 = 0; x0 < info_.extent.rows; x0 += info_.block.rows) {
        if (stop_.stop_requested()) {
          result_.interrupted = true;
          return std::move(result_);
        }
        check_strip(x0, std::min(info_.block.rows, info_.extent.rows - x0));
      }
    } catch (const IoError& error) {
      add("checksums", CheckStatus::kFailed, error.what());
      std::vector<const char*> others{"mex", "symmetry"};
      others.insert(others.end(), TheoryChecks::names().begin(), TheoryChecks::names().end());
      others.insert(others.end(), {"digest", "histogram", "counts"});
      for (const char* name : others)
        add(name, CheckStatus::kSkipped, "not every cell can be read");
      return std::move(result_);
    }
    report();
    return std::move(result_);
  }

 private:
  void check_strip(std::uint64_t x0, std::uint64_t rows) {
    const std::uint64_t cols = info_.extent.cols;
    read_strip(x0, rows);
    const TileView view{x0,
                        0,
                        static_cast<std::uint32_t>(rows),
                        static_cast<std::uint32_t>(cols),
                        strip_.data(),
                        static_cast<std::ptrdiff_t>(cols),
                        1};
    summary_.consume({view, {}});
    histogram_.consume({view, {}});
    for (std::uint64_t i = 0; i < rows; ++i) {
      const std::span<const std::uint32_t> row(strip_.data() + i * cols, cols);
      if (!mex_failure_) mex_failure_ = prefix_check_.check_row(x0 + i, row);
      theory_checks_.check_row(x0 + i, row);
      progress_(cols);
    }
    if (info_.rule.symmetric() && !symmetry_failure_) check_mirror(x0, rows);
  }

  void read_strip(std::uint64_t x0, std::uint64_t rows) {
    const std::uint64_t cols = info_.extent.cols;
    try {
      reader_.read({x0, 0, {rows, cols}}, strip_.data());
    } catch (const IoError&) {
      // Once more by blocks, for an error that names the first one that cannot be read.
      for (std::uint64_t y0 = 0; y0 < cols; y0 += info_.block.cols)
        reader_.read({x0, y0, {rows, std::min(info_.block.cols, cols - y0)}}, strip_.data());
      throw;
    }
  }

  /// Compares the cells of the strip above the main diagonal with their mirror images.
  void check_mirror(std::uint64_t x0, std::uint64_t rows) {
    const auto [table_rows, table_cols] = info_.extent;
    if (x0 >= table_cols) return;  // the strip lies below the last column's mirror image
    const std::uint64_t width = std::min(rows, table_cols - x0);
    const std::uint64_t end = std::min(table_rows, table_cols);
    for (std::uint64_t y0 = x0; y0 < end; y0 += info_.block.rows) {
      const Extent block{std::min(info_.block.rows, end - y0), width};
      reader_.read({y0, x0, block}, mirror_.data());
      for (std::uint64_t i = 0; i < width; ++i) {
        for (std::uint64_t j = 0; j < block.rows; ++j) {
          const Position cell{x0 + i, y0 + j};
          const std::uint32_t value = strip_[i * table_cols + cell.y];
          const std::uint32_t mirrored = mirror_[j * width + i];
          // Blocks do not come in order of (x,y), so the first failure is the least.
          if (value != mirrored && (!symmetry_failure_ || cell < symmetry_failure_->cell))
            symmetry_failure_ = {cell, fmt::format("{} is stored, but {} at ({},{})", value,
                                                   mirrored, cell.y, cell.x)};
        }
      }
    }
  }

  void report() {
    add("checksums", CheckStatus::kPassed, fmt::format("{} bytes read", info_.stored_bytes));
    report_cell("mex", mex_failure_, fmt::format("{} cells", info_.extent.cells()));
    if (info_.rule.symmetric()) {
      report_cell("symmetry", symmetry_failure_, "G(x,y) = G(y,x)");
    } else {
      add("symmetry", CheckStatus::kSkipped, "the rule is not symmetric");
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

  void report_histogram() {
    const std::vector<std::uint64_t> counted = histogram_.counts();
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
    if (stored == counted) {
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
  const std::function<void(std::uint64_t)>& progress_;
  std::stop_token stop_;
  PrefixCheck prefix_check_;
  TheoryChecks theory_checks_;
  std::vector<std::uint32_t> strip_;   // some rows, all columns
  std::vector<std::uint32_t> mirror_;  // where part of the strip is mirrored
  SummarySink summary_;
  HistogramSink histogram_;
  std::optional<PrefixCheck::Failure> mex_failure_;
  std::optional<PrefixCheck::Failure> symmetry_failure_;
  Verification result_;
};

}  // namespace

bool Verification::passed() const {
  return !interrupted && std::none_of(checks.begin(), checks.end(), [](const Check& check) {
    return check.status == CheckStatus::kFailed;
  });
}

std::uint64_t verification_bytes(const DatasetInfo& info) {
  return PrefixCheck::bytes_needed(info.extent) + TheoryChecks::bytes_needed(info.extent) +
         4 * info.block.rows * (info.extent.cols + info.block.rows);
}

Verification verify_table(const DatasetReader& reader,
                          const std::function<void(std::uint64_t cells)>& progress,
                          std::stop_token stop) {
  const DatasetInfo& info = reader.info();
  if (!info.complete)
    return {{{"complete", CheckStatus::kFailed,
              "the file is not finished: an interrupted run has left it, or one is writing it"}}};
  require_memory(
      fmt::format("verifying a table of {} x {} positions", info.extent.rows, info.extent.cols),
      verification_bytes(info));
  Verification result = Verifier(reader, progress, std::move(stop)).run();
  result.checks.insert(result.checks.begin(), {"complete", CheckStatus::kPassed, "finished"});
  return result;
}

}  // namespace grundy
