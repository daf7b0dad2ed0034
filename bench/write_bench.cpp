// How fast tables are written, without computing them: the writer with each codec against a plain
// sequential write of the same bytes, in turns, everything made durable.
// usage: grundy_write_bench FOLDER [MIB] [ROUNDS] [CODEC...]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "grundy/dataset/writer.hpp"
#include "grundy/engine/engine.hpp"
#include "grundy/report/statistics.hpp"

namespace {

using namespace grundy;

constexpr std::uint64_t kSide = 4096;  // of the table whose values are written again and again
constexpr std::uint64_t kTile = 128;

class Keep final : public TileSink {
 public:
  Keep() : values(kSide * kSide) {}
  void consume(const FinishedTile& tile) override {
    for_each_view(tile, [this](const TileView& view) {
      for (std::uint32_t i = 0; i < view.rows; ++i)
        for (std::uint32_t j = 0; j < view.cols; ++j)
          values[(view.x0 + i) * kSide + view.y0 + j] = view.at(i, j);
    });
  }
  std::vector<std::uint32_t> values;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A table of `cols` columns, from copies of the small one, by all threads in the engine's order:
/// 512 rows at a time, tile by tile.
double write_table(const std::string& path, std::uint64_t cols, const Keep& table,
                   const Codec& codec) {
  const Extent extent{kSide, cols};
  const auto start = std::chrono::steady_clock::now();
  // The counts need only be consistent, not right.
  Summary summary;
  summary.cells = extent.cells();
  DatasetOptions options;
  options.codec = codec;
  options.overwrite = true;
  DatasetWriter writer(path, Rule::classic(), extent, "bench", options);
  std::atomic<std::uint64_t> next{0};
  const std::uint64_t columns = cols / kTile;
  {
    std::vector<std::jthread> pool;
    for (unsigned t = 0; t < std::thread::hardware_concurrency(); ++t)
      pool.emplace_back([&] {
        for (std::uint64_t k = next++; k < columns * kSide / kTile; k = next++) {
          const std::uint64_t group = k / (columns * 4);
          const std::uint64_t x = (group * 4 + k % 4) * kTile;
          const std::uint64_t y = k / 4 % columns * kTile;
          writer.consume({{x, y, kTile, kTile, table.values.data() + x * kSide + y % kSide,
                           static_cast<std::ptrdiff_t>(kSide), 1},
                          {}});
        }
      });
  }
  writer.publish(summary, {extent.cells()});
  return seconds_since(start);
}

double write_plainly(const std::string& path, std::uint64_t bytes, const Keep& table) {
  const auto start = std::chrono::steady_clock::now();
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd < 0) throw std::runtime_error("cannot write " + path);
  const std::uint64_t block = std::uint64_t{1} << 20U;
  for (std::uint64_t at = 0; at < bytes; at += block) {
    const char* from =
        reinterpret_cast<const char*>(table.values.data()) + at % (kSide * kSide * 4);
    if (::write(fd, from, block) != static_cast<ssize_t>(block))
      throw std::runtime_error("cannot write " + path);
  }
  if (::fsync(fd) != 0 || ::close(fd) != 0) throw std::runtime_error("cannot write " + path);
  return seconds_since(start);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) {
    fmt::print(stderr, "usage: grundy_write_bench FOLDER [MIB] [ROUNDS] [CODEC...]\n");
    return 2;
  }
  const std::string folder = argv[1];
  const std::uint64_t mib = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1024;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 5;
  Keep table;
  if (!make_engine("cpu", {})->compute(Rule::classic(), {kSide, kSide}, table, {})) return 1;
  const std::uint64_t cols = std::max<std::uint64_t>(1, (mib << 20U) / (kSide * 2 * kSide)) * kSide;
  const std::uint64_t value_bytes = kSide + cols - 2 <= 65534 ? 2 : 4;
  const std::uint64_t bytes = kSide * cols * value_bytes;
  std::vector<std::string> codecs{"none", "zstd:1", "zstd:3", "deflate:1", "deflate:4"};
  if (argc > 4) codecs.assign(argv + 4, argv + argc);
  std::map<std::string, std::vector<double>> rates;
  std::map<std::string, double> ratios;
  for (int round = 0; round < rounds; ++round) {
    const auto add = [&](const std::string& name, double seconds, const std::string& path) {
      rates[name].push_back(static_cast<double>(bytes) / seconds / 1e6);
      ratios[name] =
          static_cast<double>(bytes) / static_cast<double>(std::filesystem::file_size(path));
      std::filesystem::remove(path);
    };
    const std::string plain = folder + "/plain.bin";
    add("plain sequential", write_plainly(plain, bytes, table), plain);
    for (const std::string& codec : codecs) {
      const std::string path = folder + "/bench.h5";
      add(codec, write_table(path, cols, table, Codec::parse(codec)), path);
    }
  }
  fmt::print("{} x {} values of {} bytes, {} MB, {} rounds, medians, durable\n", kSide, cols,
             value_bytes, bytes / 1'000'000, rounds);
  const double reference = spread_of(rates["plain sequential"]).median;
  for (const auto& [name, of_rounds] : rates)
    fmt::print("{:<18} {:>7.0f} MB/s  {:>5.2f} of plain  ratio {:.2f}\n", name,
               spread_of(of_rounds).median, spread_of(of_rounds).median / reference, ratios[name]);
} catch (const std::exception& error) {
  fmt::print(stderr, "grundy_write_bench: {}\n", error.what());
  return 3;
}
