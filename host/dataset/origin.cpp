#include "grundy/dataset/origin.hpp"

#include <chrono>
#include <cstdint>
#include <string>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "grundy/dataset/hdf5.hpp"
#include "grundy/version.hpp"

namespace grundy {
namespace {

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

/// Cells of a large triangle are not listed: the attribute would outgrow the table.
std::string terminal_cells_text(const Rule& rule) {
  if (rule.terminal_count() > Rule::kMaxCells) return "those of the rule";
  std::string text;
  for (const Position& cell : rule.terminal_cells())
    text += fmt::format("{}{},{}", text.empty() ? "" : ";", cell.x, cell.y);
  return text;
}

}  // namespace

void write_origin(std::int64_t object, const Rule& rule) {
  hdf5::write_attribute(object, "rule", rule.name());
  hdf5::write_attribute(object, "terminal_cells", terminal_cells_text(rule));
  hdf5::write_attribute(object, "software", "grundy");
  hdf5::write_attribute(object, "software_version", kVersion);
  hdf5::write_attribute(object, "created", utc_now());
  hdf5::write_attribute(object, "complete", std::uint64_t{0});
}

}  // namespace grundy
