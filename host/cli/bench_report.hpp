// What grundy bench reports: derived figures, JSON and tables.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "grundy/report/benchmark.hpp"
#include "grundy/report/figure.hpp"
#include "grundy/report/machine.hpp"

namespace grundy::cli {

/// Everything that a report is made of.
struct BenchReport {
  MachineFacts machine;
  BenchmarkPlan plan;
  BenchmarkResult result;
  double copy_bandwidth = 0;  // bytes a second, read and written, by all cores
  double load_latency = 0;    // seconds, of the second-level cache
};

/// Figures that follow from a measurement.
struct Derived {
  double seconds = 0;  // the median
  double low = 0;
  double high = 0;
  double cells_per_second = 0;
  std::optional<double> bytes_per_cell;  // of the peak memory, less what was in use before
  double file_bytes_per_cell = 0;
  // How much of its time the machine would need for the least traffic to and from memory that the
  // work takes, and for its critical path; nothing where that was not measured.
  std::optional<double> copy_share;
  std::optional<double> path_share;
  std::map<std::string, double> speedups;  // over each other contestant as far as the same stage
};

Derived derive(const BenchReport& report, const Measurement& measurement);

/// The exponent with which time grows with the side of the table.
struct Growth {
  std::string rule;
  std::string contestant;
  Stage stage = Stage::kCompute;
  std::vector<double> sizes;
  double exponent = 0;
};

/// Of each contestant and stage with at least two sizes.
std::vector<Growth> growths(const BenchmarkResult& result);

nlohmann::ordered_json to_json(const BenchReport& report);
void print_text(const BenchReport& report);

/// Time and rate of computing against the side of the table.
Figure to_figure(const BenchReport& report);

}  // namespace grundy::cli
