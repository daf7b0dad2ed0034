// grundy devices: the GPUs, and what the largest table on each is.
#include "grundy/engine/devices.hpp"

#include <memory>

#include <fmt/format.h>

#include "grundy/engine/device_plan.hpp"

#include "options.hpp"

namespace grundy::cli {
namespace {

struct DevicesOptions {
  RuleOption rule{"classic"};
  bool json = false;
};

int devices(const DevicesOptions& options) {
  const Rule rule = options.rule.rule();
  const int count = device_count();
  std::vector<Device> found;
  found.reserve(static_cast<std::size_t>(count));
  for (int number = 0; number < count; ++number) found.push_back(describe_device(number));
  if (options.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Device& device : found) {
      nlohmann::ordered_json entry{
          {"device", device.number},
          {"name", device.name},
          {"compute_capability",
           fmt::format("{}.{}", device.capability_major, device.capability_minor)},
          {"multiprocessors", device.multiprocessors},
          {"memory_bytes", device.memory_bytes},
          {"free_bytes", device.free_bytes},
          {"usable", device.problem.empty()}};
      if (device.problem.empty())
        entry["largest_table"] = largest_square(rule, device.free_bytes, {});
      else
        entry["problem"] = device.problem;
      list.push_back(std::move(entry));
    }
    print_json({{"cuda", built_with_cuda()}, {"rule", rule.name()}, {"devices", list}});
    return kDone;
  }
  if (!built_with_cuda()) fmt::print("this program was built without the cuda engine\n");
  if (built_with_cuda() && found.empty()) fmt::print("no GPU found\n");
  for (const Device& device : found) {
    fmt::print("{}  {}, compute capability {}.{}, {} multiprocessors\n", device.number, device.name,
               device.capability_major, device.capability_minor, device.multiprocessors);
    fmt::print("   {} bytes of memory, {} free\n", device.memory_bytes, device.free_bytes);
    if (device.problem.empty()) {
      const std::uint64_t side = largest_square(rule, device.free_bytes, {});
      fmt::print("   largest {} table: {} x {}\n", rule.name(), side, side);
    } else {
      fmt::print("   cannot be used: {}\n", device.problem);
    }
  }
  return kDone;
}

}  // namespace

void add_devices(CLI::App& app, Action& action) {
  CLI::App* command =
      add_command(app, "devices", "List the GPUs and the largest table that fits on each",
                  "grundy devices\n  grundy devices --rule extended --json");
  const auto options = std::make_shared<DevicesOptions>();
  options->rule.add_to(*command);
  command->add_flag("--json", options->json,
                    "Print one JSON object on standard output, and nothing else");
  command->callback([options, &action] { action = [options] { return devices(*options); }; });
}

}  // namespace grundy::cli
