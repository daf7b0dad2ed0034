// Damages small table files in every way it can think of, and has each opened, described and
// verified. What may come of it: a refusal with a reason, a failed check, or a pass of a file whose
// every value is what the definition says. What may not: a crash, a hang, any other pass.
//
//   fuzz_table_files [--files N] [--seed S] [--from I] [--limit SECONDS] [--keep FOLDER]
//
// File number I of seed S is the same on every run with the same HDF5. Work is done in a child
// process, which is replaced when it dies or takes longer than the limit for one file; such files
// are kept in FOLDER. Exit status 0 if there was nothing to keep.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <hdf5.h>

#include "grundy/dataset/hdf5.hpp"
#include "grundy/dataset/level_file.hpp"
#include "grundy/dataset/probe.hpp"
#include "grundy/dataset/reader.hpp"
#include "grundy/dataset/verify.hpp"
#include "grundy/dataset/writer.hpp"

#include "dataset/raw_table_file.hpp"
#include "dataset/table_files.hpp"
#include "support/definition.hpp"
#include "support/random_case.hpp"

namespace grundy {
namespace {

using support::content_of;
using support::RandomCase;
using support::TemporaryFolder;
using support::Values;
using support::write_content;

// ---- what is damaged

/// A right file, or one of another kind.
struct Seed {
  std::string name;
  std::string content;
  Rule rule = Rule::classic();
  Values table;  // none in a file of another kind
  support::RawStorage storage;
  std::vector<std::size_t> places;                          // that hold anything
  std::vector<std::pair<std::size_t, std::size_t>> chunks;  // where they begin, how long they are
};

std::vector<std::size_t> places_in_use(const std::string& content) {
  std::vector<std::size_t> places;
  std::size_t zeros = 0;
  for (std::size_t i = 0; i < content.size(); ++i) {
    zeros = content[i] == '\0' ? zeros + 1 : 0;
    if (zeros < 16) places.push_back(i);
  }
  return places;
}

std::vector<std::pair<std::size_t, std::size_t>> chunks_of(const std::string& path) {
  std::vector<std::pair<std::size_t, std::size_t>> chunks;
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const hdf5::Handle table(H5Dopen2(file.id(), "/grundy", H5P_DEFAULT), H5Dclose);
  if (table.id() < 0) return chunks;
  const hdf5::Handle space(H5Dget_space(table.id()), H5Sclose);
  hsize_t count = 0;
  H5Dget_num_chunks(table.id(), space.id(), &count);
  for (hsize_t i = 0; i < count; ++i) {
    hsize_t place[2] = {};
    unsigned filters = 0;
    haddr_t offset = 0;
    hsize_t size = 0;
    if (H5Dget_chunk_info(table.id(), space.id(), i, place, &filters, &offset, &size) >= 0)
      chunks.emplace_back(offset, size);
  }
  return chunks;
}

/// Rewrites a file as h5repack and most programs would: in the oldest format, whose metadata has no
/// checksums.
void to_oldest_format(const std::string& path) {
  const std::string old = path + ".old";
  hdf5::Handle from(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  hdf5::Handle to(H5Fcreate(old.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  for (const char* name : {"/grundy", "/histogram"})
    hdf5::check(H5Ocopy(from.id(), name, to.id(), name, H5P_DEFAULT, H5P_DEFAULT), name);
  if (!from.close() || !to.close()) throw IoError(old);
  std::filesystem::rename(old, path);
}

std::vector<Seed> make_seeds(const TemporaryFolder& folder) {
  hdf5::initialize();
  const std::string path = folder.file("seed.h5");
  std::vector<Seed> seeds;
  const auto add = [&](const std::string& name, const Rule& rule, const Values& table,
                       const support::RawStorage& storage) {
    Seed seed{name, content_of(path), rule, table, storage, {}, chunks_of(path)};
    seed.places = places_in_use(seed.content);
    seeds.push_back(std::move(seed));
    std::filesystem::remove(path);
  };
  const auto by_writer = [&](const char* rule_name, const Extent& extent, int level) {
    const Rule rule = Rule::parse(rule_name);
    const Values table = support::right_values(rule, extent);
    support::write_table(path, rule, table, {Codec{level}, true});
    add(fmt::format("{} written by the product, deflate {}", rule_name, level), rule, table, {});
  };
  const auto raw = [&](const char* rule_name, const Extent& extent, support::RawStorage storage,
                       bool oldest = false) {
    const Rule rule = Rule::parse(rule_name);
    const Values table = support::right_values(rule, extent);
    if (storage.region.extent.rows == 0) storage.region.extent = extent;
    support::write_raw_table(path, rule, table, storage);
    if (oldest) to_oldest_format(path);
    add(fmt::format("{} {}{}{}", rule_name, storage.half ? "half" : "full",
                    storage.checksums ? "" : ", no checksums", oldest ? ", oldest format" : ""),
        rule, table, storage);
  };
  by_writer("classic", {12, 9}, 4);
  by_writer("extended", {40, 40}, 0);
  by_writer("cells:0,1;5,2;7,7", {20, 30}, 1);
  support::RawStorage window;
  window.region = {17, 5, {23, 35}};
  raw("extended", {40, 40}, window);
  support::RawStorage half;
  half.half = true;
  raw("triangle:3", {33, 50}, half);
  support::RawStorage plain;
  plain.checksums = false;
  plain.deflate = 0;
  raw("classic", {40, 30}, plain);
  raw("extended", {40, 30}, {}, true);
  raw("classic", {20, 20}, plain, true);
  {  // an unfinished one
    const Values table = support::right_values(Rule::classic(), {40, 30});
    support::write_raw_table(path, Rule::classic(), table, {});
    support::change_file(path, [](hid_t set, hid_t file) {
      hdf5::write_attribute(set, "complete", std::uint64_t{0});
      for (const char* name : {"digest", "max_value", "zeros", "ones"}) H5Adelete(set, name);
      H5Ldelete(file, "/histogram", H5P_DEFAULT);
    });
    add("partial", Rule::classic(), {}, {});
  }
  {  // a file of another kind
    LevelFile levels(path, Rule::extended(), {20, 0, 3, true});
    levels.append({{3, 6, 0}, {6, 3, 0}});
    levels.publish();
    add("levels", Rule::extended(), {}, {});
  }
  return seeds;
}

// ---- damage

/// Bob Jenkins' lookup3, by which HDF5 seals metadata. Rewritten from its description in the HDF5
/// file format: damage that is sealed again is what an attacker, not a disk, would make.
std::uint32_t seal_of(const std::string& bytes, std::size_t begin, std::size_t length) {
  const auto rotate = [](std::uint32_t v, unsigned k) { return v << k | v >> (32 - k); };
  std::uint32_t a = 0xdeadbeefU + static_cast<std::uint32_t>(length);
  std::uint32_t b = a;
  std::uint32_t c = a;
  std::size_t at = begin;
  const auto word = [&](std::size_t from, std::size_t left) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(4, left); ++i)
      value |= std::uint32_t{static_cast<unsigned char>(bytes[from + i])} << (8 * i);
    return value;
  };
  while (length > 12) {
    a += word(at, 4);
    b += word(at + 4, 4);
    c += word(at + 8, 4);
    a = (a - c) ^ rotate(c, 4), c += b;
    b = (b - a) ^ rotate(a, 6), a += c;
    c = (c - b) ^ rotate(b, 8), b += a;
    a = (a - c) ^ rotate(c, 16), c += b;
    b = (b - a) ^ rotate(a, 19), a += c;
    c = (c - b) ^ rotate(b, 4), b += a;
    at += 12;
    length -= 12;
  }
  if (length == 0) return c;
  a += word(at, length);
  if (length > 4) b += word(at + 4, length - 4);
  if (length > 8) c += word(at + 8, length - 8);
  c = (c ^ b) - rotate(b, 14);
  a = (a ^ c) - rotate(c, 11);
  b = (b ^ a) - rotate(a, 25);
  c = (c ^ b) - rotate(b, 16);
  a = (a ^ c) - rotate(c, 4);
  b = (b ^ a) - rotate(a, 14);
  c = (c ^ b) - rotate(b, 24);
  return c;
}

/// Where a piece of metadata begins, and its length without the seal that follows it.
using Sealed = std::pair<std::size_t, std::size_t>;

std::vector<Sealed> sealed_pieces(const std::string& content) {
  std::vector<Sealed> pieces;
  const auto add = [&](std::size_t begin, std::size_t length) {
    if (begin + length + 4 > content.size()) return;
    std::uint32_t stored = 0;
    std::memcpy(&stored, content.data() + begin + length, 4);
    if (stored == seal_of(content, begin, length)) pieces.emplace_back(begin, length);
  };
  add(0, 44);  // the superblock
  for (std::size_t i = 0; i + 16 < content.size(); ++i) {
    const std::string_view sign(content.data() + i, 4);
    if (sign == "OHDR") {
      const auto flags = static_cast<unsigned char>(content[i + 5]);
      std::size_t at = i + 6 + ((flags & 0x20U) != 0 ? 16 : 0) + ((flags & 0x10U) != 0 ? 4 : 0);
      std::size_t size = 0;
      const std::size_t width = std::size_t{1} << (flags & 3U);
      if (at + width > content.size()) continue;
      std::memcpy(&size, content.data() + at, width);
      if (size < content.size()) add(i, at + width - i + size);
    } else if (sign == "OCHK" || sign == "FADB" || sign == "FHDB" || sign == "BTLF" ||
               sign == "FRHP" || sign == "FAHD" || sign == "BTHD") {
      // Their lengths depend on what they belong to; the seal tells.
      for (std::size_t length = 8; length < 4096 && i + length + 4 <= content.size(); ++length) {
        std::uint32_t stored = 0;
        std::memcpy(&stored, content.data() + i + length, 4);
        if (stored == 0 || stored != seal_of(content, i, length)) continue;
        pieces.emplace_back(i, length);
        break;
      }
    }
  }
  return pieces;
}

void damage_byte(RandomCase& random, char& byte) {
  const auto change = random.coin() ? 1U << random.below(8) : random.between(1, 255);
  byte = static_cast<char>(static_cast<unsigned char>(byte) ^ change);
}

std::size_t some_place(RandomCase& random, const Seed& seed) {
  return seed.places[random.below(seed.places.size())];
}

using Damage = std::function<void(RandomCase&, const std::vector<Seed>&, const Seed&,
                                  const std::string& path)>;

void flip(RandomCase& random, const std::vector<Seed>& /*seeds*/, const Seed& seed,
          const std::string& path) {
  std::string content = seed.content;
  for (std::uint64_t i = random.between(1, 4); i > 0; --i)
    damage_byte(random, content[some_place(random, seed)]);
  write_content(path, content);
}

void overwrite(RandomCase& random, const std::vector<Seed>& /*seeds*/, const Seed& seed,
               const std::string& path) {
  std::string content = seed.content;
  const std::size_t begin = some_place(random, seed);
  const std::size_t end = std::min<std::size_t>(content.size(), begin + random.between(2, 400));
  const std::uint64_t kind = random.below(3);
  for (std::size_t i = begin; i < end; ++i)
    content[i] = kind == 0 ? '\0' : kind == 1 ? '\xff' : static_cast<char>(random.below(256));
  write_content(path, content);
}

void resize(RandomCase& random, const std::vector<Seed>& /*seeds*/, const Seed& seed,
            const std::string& path) {
  std::string content = seed.content;
  if (random.coin()) {
    content.resize(random.below(content.size()));
  } else {
    for (std::uint64_t i = random.between(1, 3000); i > 0; --i)
      content += static_cast<char>(random.below(256));
  }
  if (!content.empty() && random.coin()) damage_byte(random, content[random.below(content.size())]);
  write_content(path, content);
}

void splice(RandomCase& random, const std::vector<Seed>& seeds, const Seed& seed,
            const std::string& path) {
  const std::string& other = seeds[random.below(seeds.size())].content;
  std::string content = seed.content;
  switch (random.below(3)) {
    case 0: {  // the beginning of one, the end of the other
      const std::size_t cut = some_place(random, seed);
      content = content.substr(0, cut) + other.substr(std::min(cut, other.size()));
      break;
    }
    case 1: {  // a piece of the other in the same place
      const std::size_t begin = some_place(random, seed);
      const std::size_t end =
          std::min({content.size(), other.size(), begin + random.between(1, 1500)});
      for (std::size_t i = begin; i < end; ++i) content[i] = other[i];
      break;
    }
    default: {  // a piece of it in another place
      const std::size_t from = some_place(random, seed);
      const std::size_t to = some_place(random, seed);
      const std::size_t length =
          std::min({content.size() - from, content.size() - to, random.between(1, 600)});
      content.replace(to, length, std::string(content, from, length));
    }
  }
  write_content(path, content);
}

void change_chunk(RandomCase& random, const std::vector<Seed>& seeds, const Seed& seed,
                  const std::string& path) {
  if (seed.chunks.empty()) return flip(random, seeds, seed, path);
  std::string content = seed.content;
  const auto [begin, length] = seed.chunks[random.below(seed.chunks.size())];
  if (random.below(4) == 0) {  // another chunk in its place
    const auto [other, other_length] = seed.chunks[random.below(seed.chunks.size())];
    content.replace(begin, std::min(length, other_length),
                    seed.content.substr(other, std::min(length, other_length)));
  } else {
    for (std::uint64_t i = random.between(1, 3); i > 0; --i)
      damage_byte(random, content[begin + random.below(length)]);
  }
  write_content(path, content);
}

void seal_again(RandomCase& random, const std::vector<Seed>& seeds, const Seed& seed,
                const std::string& path) {
  std::string content = seed.content;
  const std::vector<Sealed> pieces = sealed_pieces(content);
  if (pieces.empty()) return flip(random, seeds, seed, path);
  const auto [begin, length] = pieces[random.below(pieces.size())];
  for (std::uint64_t i = random.between(1, 3); i > 0; --i)
    damage_byte(random, content[begin + 4 + random.below(length - 4)]);
  const std::uint32_t seal = seal_of(content, begin, length);
  std::memcpy(content.data() + begin + length, &seal, 4);
  write_content(path, content);
}

/// Opens a copy of the seed for writing; false for files of another kind.
template <typename Change>
bool change_by_hdf5(const Seed& seed, const std::string& path, Change change) {
  write_content(path, seed.content);
  if (seed.name == "levels") return false;
  support::change_file(path, [&](hid_t table, hid_t file) { change(table, file); });
  return true;
}

void change_cells(RandomCase& random, const std::vector<Seed>& seeds, const Seed& seed,
                  const std::string& path) {
  if (seed.table.values.empty()) return flip(random, seeds, seed, path);
  const Extent stored =
      seed.storage.region.extent.rows != 0 ? seed.storage.region.extent : seed.table.extent;
  change_by_hdf5(seed, path, [&](hid_t table, hid_t) {
    for (std::uint64_t i = random.between(1, 3); i > 0; --i) {
      const hsize_t start[2] = {random.below(stored.rows), random.below(stored.cols)};
      const hsize_t count[2] = {std::min<hsize_t>(random.between(1, 2), stored.rows - start[0]),
                                std::min<hsize_t>(random.between(1, 2), stored.cols - start[1])};
      const hdf5::Handle file(H5Dget_space(table), H5Sclose);
      const hdf5::Handle memory(H5Screate_simple(2, count, nullptr), H5Sclose);
      H5Sselect_hyperslab(file.id(), H5S_SELECT_SET, start, nullptr, count, nullptr);
      std::array<std::uint32_t, 4> values{};
      for (std::uint32_t& value : values)
        value = static_cast<std::uint32_t>(random.below(8) == 0 ? 65535 : random.below(80));
      hdf5::check(
          H5Dwrite(table, H5T_NATIVE_UINT32, memory.id(), file.id(), H5P_DEFAULT, values.data()),
          "cells");
    }
  });
}

void change_attributes(RandomCase& random, const std::vector<Seed>& seeds, const Seed& seed,
                       const std::string& path) {
  static const std::vector<std::string> numbers{"format_version", "first_x", "first_y", "complete",
                                                "max_value",      "zeros",   "ones"};
  static const std::vector<std::string> texts{
      "format", "rule",     "terminal_cells",   "play",   "storage", "axis_order",
      "digest", "software", "software_version", "engine", "created", "compression"};
  static const std::vector<std::string> values{"",
                                               "classic",
                                               "extended",
                                               "triangle:3",
                                               "triangle:1048576",
                                               "full",
                                               "half",
                                               "normal",
                                               "misere",
                                               "cells:0,1",
                                               "cells:0,0",
                                               "none",
                                               "deflate",
                                               "grundy",
                                               "cells:0,1;5,2;7,7",
                                               "0123456789abcdef",
                                               "grundy table"};
  const bool done = change_by_hdf5(seed, path, [&](hid_t table, hid_t) {
    for (std::uint64_t i = random.between(1, 2); i > 0; --i) {
      const bool is_number = random.coin();
      const std::string& name =
          is_number ? numbers[random.below(numbers.size())] : texts[random.below(texts.size())];
      const std::uint64_t kind = random.below(8);
      if (kind == 0) {
        if (H5Aexists(table, name.c_str()) > 0) H5Adelete(table, name.c_str());
      } else if (is_number != (kind == 1)) {
        const std::uint64_t number =
            random.below(4) == 0 ? random.generator()() >> random.below(64) : random.below(60);
        // Not so far that verifying takes minutes, unless it is so far that no memory suffices.
        const bool too_long = number > 400 && number < 1'000'000;
        hdf5::write_attribute(table, name.c_str(), too_long ? number % 400 : number);
      } else {
        hdf5::write_attribute(table, name.c_str(), values[random.below(values.size())]);
      }
    }
  });
  if (!done) flip(random, seeds, seed, path);
}

/// A file in which all is consistent, but some values are wrong, or it is a table of another rule.
void write_wrong_table(RandomCase& random, const std::vector<Seed>& seeds, const Seed& seed,
                       const std::string& path) {
  if (seed.table.values.empty()) return flip(random, seeds, seed, path);
  Values table = seed.table;
  Region region = seed.storage.region;
  if (region.extent.rows == 0) region.extent = table.extent;
  for (std::uint64_t i = random.below(4); i > 0; --i) {
    const Position p{random.between(region.x0, region.x1() - 1),
                     random.between(region.y0, region.y1() - 1)};
    const auto value = static_cast<std::uint32_t>(random.below(table.extent.rows + 20));
    table.at(p.x, p.y) = value;
    if ((seed.storage.half || random.coin()) && table.extent.contains({p.y, p.x}))
      table.at(p.y, p.x) = value;
  }
  const Rule rule = random.below(3) == 0 ? Rule::triangle(random.below(5)) : seed.rule;
  support::write_raw_table(path, rule, table, seed.storage);
}

const std::vector<std::pair<const char*, Damage>>& damages() {
  static const std::vector<std::pair<const char*, Damage>> all{
      {"bits flipped", flip},
      {"ranges overwritten", overwrite},
      {"truncated or extended", resize},
      {"spliced", splice},
      {"chunks changed", change_chunk},
      {"metadata changed under right checksums", seal_again},
      {"cells rewritten", change_cells},
      {"attributes changed", change_attributes},
      {"wrong but consistent", write_wrong_table}};
  return all;
}

// ---- what comes of it

enum Outcome { kRefused, kRefusedByProbe, kFailedCheck, kPassed, kWrongPass, kOutcomes };

/// Why a file that has passed should not have; nothing when every value, read by plain HDF5 calls,
/// is what the definition says, and what the file says of itself is so.
std::optional<std::string> wrong_pass(const std::string& path, const DatasetInfo& info) {
  using Key = std::pair<std::string, std::pair<std::uint64_t, std::uint64_t>>;
  static std::map<Key, Values> tables;
  const auto [entry, is_new] =
      tables.try_emplace(Key{info.rule.name(), {info.extent.rows, info.extent.cols}});
  if (is_new) entry->second = support::right_values(info.rule, info.extent);
  const Values& right = entry->second;

  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const hdf5::Handle table(H5Dopen2(file.id(), "/grundy", H5P_DEFAULT), H5Dclose);
  const hdf5::Handle space(H5Dget_space(table.id()), H5Sclose);
  hsize_t dims[2] = {};
  if (H5Sget_simple_extent_dims(space.id(), dims, nullptr) != 2) return "it has no two dimensions";
  const auto number = [&](const char* name) {
    return info.format_version >= 2 ? hdf5::read_integer_attribute(table.id(), name) : 0;
  };
  const Region region{number("first_x"), number("first_y"), {dims[0], dims[1]}};
  if (region.x1() != right.extent.rows || region.y1() != right.extent.cols)
    return "another region was verified";
  const bool half =
      info.format_version >= 2 && hdf5::read_string_attribute(table.id(), "storage") == "half";
  std::vector<std::uint32_t> values(region.extent.cells());
  hdf5::check(H5Dread(table.id(), H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              "values");
  std::size_t i = 0;
  for (std::uint64_t x = region.x0; x < region.x1(); ++x)
    for (std::uint64_t y = region.y0; y < region.y1(); ++y, ++i)
      if (values[i] != right.at(x, y) && !(half && y < x))
        return fmt::format("({},{}) is {}, not {}", x, y, values[i], right.at(x, y));
  if (hdf5::read_string_attribute(table.id(), "digest") !=
      fmt::format("{:016x}", support::digest_of(right, region)))
    return "the digest is wrong";
  return std::nullopt;
}

/// What `grundy info` shows, and then what `grundy verify` checks.
/// Where the program makes a probe in a process of its own, this does the same in the child, which
/// is one already.
Outcome try_file(const std::string& path, unsigned threads, std::string& reason) {
  try {
    try {
      touch_metadata(path);
    } catch (const std::exception&) {  // said again below, as by the program
    }
    const DatasetReader reader(path);
    const DatasetInfo& info = reader.info();
    reason = fmt::format("{} {} x {} {} {} {} {} {}", info.rule.name(), info.extent.rows,
                         info.extent.cols, info.software, info.engine, info.created,
                         info.compression, info.digest);
    const Verification result = verify_table(reader, [](std::uint64_t) {}, {}, {threads, 64});
    if (!result.passed()) {
      for (const Check& check : result.checks)
        if (check.status == CheckStatus::kFailed && check.detail.empty()) {
          reason = "a failed check without a reason";
          return kWrongPass;
        }
      return kFailedCheck;
    }
    const auto wrong = wrong_pass(path, info);
    if (!wrong) return kPassed;
    reason = *wrong;
    return kWrongPass;
  } catch (const IoError& error) {
    reason = error.what();
  } catch (const DeviceError& error) {  // a damaged extent may ask for any memory
    reason = error.what();
  }
  if (!reason.empty()) return kRefused;
  reason = "refused without a reason";
  return kWrongPass;
}

// ---- running

struct Settings {
  std::uint64_t files = 5000;
  std::uint64_t seed = 1;
  std::uint64_t from = 0;
  std::uint64_t limit = 60;  // seconds for a file
  std::string keep;
};

/// What the child tells the one who watches it; in memory that both have.
struct Progress {
  std::uint64_t next = 0;  // the file at work
  std::uint64_t outcomes[16][kOutcomes] = {};
};

std::size_t damage_of(std::uint64_t number) { return number % damages().size(); }

void make_file(const Settings& settings, std::uint64_t number, const std::vector<Seed>& seeds,
               const std::string& path) {
  RandomCase random(settings.seed * 1'000'003 + number);
  random.generator().discard(8);
  const Seed& seed = seeds[random.below(seeds.size())];
  std::filesystem::remove(path);
  damages()[damage_of(number)].second(random, seeds, seed, path);
}

void keep_file(const Settings& settings, std::uint64_t number, const std::string& path,
               const std::string& why) {
  fmt::print(stderr, "file {}, {}: {}\n", number, damages()[damage_of(number)].first, why);
  if (settings.keep.empty()) return;
  std::filesystem::create_directories(settings.keep);
  std::filesystem::copy_file(path, fmt::format("{}/{}.h5", settings.keep, number),
                             std::filesystem::copy_options::overwrite_existing);
}

[[noreturn]] void work(const Settings& settings, const std::vector<Seed>& seeds,
                       const std::string& path, Progress& progress) {
  for (; progress.next < settings.from + settings.files; ++progress.next) {
    const std::uint64_t number = progress.next;
    make_file(settings, number, seeds, path);
    std::string reason;
    const Outcome outcome = try_file(path, number % 16 == 0 ? 2 : 1, reason);
    if (outcome == kWrongPass) keep_file(settings, number, path, reason);
    ++progress.outcomes[damage_of(number)][outcome];
  }
  std::fflush(stderr);
  std::_Exit(0);
}

/// Waits for the child; why it ended, or nothing when it is done.
std::optional<std::string> watch(const Settings& settings, pid_t child, const Progress& progress) {
  using Clock = std::chrono::steady_clock;
  const auto* next = static_cast<const volatile std::uint64_t*>(&progress.next);
  std::uint64_t seen = *next;
  auto since = Clock::now();
  for (;;) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) {
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
      if (WIFSIGNALED(status)) return fmt::format("CRASH by signal {}", WTERMSIG(status));
      return fmt::format("CRASH with status {}", WEXITSTATUS(status));
    }
    if (*next != seen) {
      seen = *next;
      since = Clock::now();
    } else if (Clock::now() - since > std::chrono::seconds(settings.limit)) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return fmt::format("HANG: more than {} s", settings.limit);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

bool probe_dies(const std::string& path) {
  try {
    probe_table_file(path);
  } catch (const IoError&) {
    return true;
  }
  return false;
}

int run(const Settings& settings) {
  const TemporaryFolder folder;
  const std::string path = folder.file("mutated.h5");
  const std::vector<Seed> seeds = make_seeds(folder);
  for (const Seed& seed : seeds) {  // the seeds themselves, so that no damage is the default
    write_content(path, seed.content);
    std::string reason;
    const Outcome outcome = try_file(path, 1, reason);
    const Outcome expected = seed.name == "levels"    ? kRefused
                             : seed.name == "partial" ? kFailedCheck
                                                      : kPassed;
    if (outcome == expected) continue;
    fmt::print(stderr, "seed {}: {}\n", seed.name, reason);
    return 1;
  }
  void* shared =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 3;
  auto& progress = *new (shared) Progress;
  progress.next = settings.from;
  std::uint64_t crashes = 0;
  std::optional<std::uint64_t> tried_again;
  const auto start = std::chrono::steady_clock::now();
  while (progress.next < settings.from + settings.files) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) return 3;
    if (child == 0) work(settings, seeds, path, progress);
    const auto why = watch(settings, child, progress);
    if (!why) continue;
    if (probe_dies(path)) {  // so the program refuses it, before it can come to harm
      ++progress.outcomes[damage_of(progress.next)][kRefusedByProbe];
    } else if (tried_again != progress.next) {
      // In a new process, as the program would: a file before it may have harmed this one.
      tried_again = progress.next;
      continue;
    } else {
      keep_file(settings, progress.next, path, *why);
      ++crashes;
    }
    ++progress.next;
  }
  std::array<std::uint64_t, kOutcomes> sums{};
  fmt::print("{:<40} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "", "refused", "by probe", "failed",
             "passed", "WRONG");
  for (std::size_t d = 0; d < damages().size(); ++d) {
    const std::uint64_t* counts = progress.outcomes[d];
    fmt::print("{:<40} {:>8} {:>8} {:>8} {:>8} {:>8}\n", damages()[d].first, counts[0], counts[1],
               counts[2], counts[3], counts[4]);
    for (std::size_t i = 0; i < kOutcomes; ++i) sums[i] += counts[i];
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  fmt::print(
      "{} files of seed {} from {} on: {} refused, {} of them because a probe died, {} failed a "
      "check, {} passed and are right, {} passed WRONGLY, {} crashes and hangs, {:.0f} s\n",
      settings.files, settings.seed, settings.from, sums[kRefused] + sums[kRefusedByProbe],
      sums[kRefusedByProbe], sums[kFailedCheck], sums[kPassed], sums[kWrongPass], crashes,
      elapsed.count());
  // A run that never got as far as a pass or a failed check has shown nothing.
  const bool meant =
      settings.files < 1000 || (sums[kRefused] > 0 && sums[kFailedCheck] > 0 && sums[kPassed] > 0);
  if (!meant) fmt::print(stderr, "not every outcome has come up\n");
  return sums[kWrongPass] == 0 && crashes == 0 && meant ? 0 : 1;
}

int main_with(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const auto number = [&] { return std::strtoull(argv[i + 1], nullptr, 10); };
    if (name == "--files") {
      settings.files = number();
    } else if (name == "--seed") {
      settings.seed = number();
    } else if (name == "--from") {
      settings.from = number();
    } else if (name == "--limit") {
      settings.limit = number();
    } else if (name == "--keep") {
      settings.keep = argv[i + 1];
    } else {
      fmt::print(stderr, "unknown option {}\n", name);
      return 2;
    }
  }
  return run(settings);
}

}  // namespace
}  // namespace grundy

/// Damaged sizes may ask for any memory, and HDF5 copes with not getting it. It does not get much
/// here, since the sanitizer, unlike others, touches all that it gives. What HDF5 leaks on the way
/// out of a damaged file is its own.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1:max_allocation_size_mb=1024:abort_on_error=1:detect_leaks=0";
}

int main(int argc, char** argv) {
  try {
    return grundy::main_with(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
