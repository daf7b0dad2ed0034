// Checks a table file without trusting what wrote it.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "grundy/dataset/reader.hpp"

namespace grundy {

enum class CheckStatus { kPassed, kFailed, kSkipped };

struct Check {
  std::string name;
  CheckStatus status;
  std::string detail;  // what was checked, the first failure, or why it was skipped
};

struct Verification {
  std::vector<Check> checks;
  bool interrupted = false;

  /// Whether nothing failed and everything was looked at.
  [[nodiscard]] bool passed() const;
};

struct VerifyOptions {
  unsigned threads = 0;         // 0: as many as the machine has
  std::uint64_t tile_side = 0;  // a multiple of 64; 0: to suit the chunks of the file
};

/// Bytes of memory that verify_table takes for this file.
std::uint64_t verification_bytes(const DatasetInfo& info, const VerifyOptions& options = {});

/// The checks, in this order:
///   complete     the file was finished
///   checksums    every chunk can be read and its checksum fits
///   mex          every cell has the value that the definition demands, given the cells before it
///   symmetry     G(x,y) = G(y,x), for a symmetric rule
///   closed form, ones, misere, lemma 8, lemma 12, small sets
///                what the theory says of the table: see TheoryChecks
///   digest, histogram, counts    what the file says of itself is what its cells say
/// The first failing cell is named. Of a window into a table the values before it that are not
/// stored are computed by the check itself; of half storage the stored half is checked, and the
/// other is its mirror image. The file is read a tile at a time, and never held as a whole.
///
/// Calls progress(cells) for cells done, one call at a time. Throws DeviceError when the memory
/// does not suffice, and std::invalid_argument for a tile side that is no multiple of 64.
Verification verify_table(const DatasetReader& reader,
                          const std::function<void(std::uint64_t cells)>& progress,
                          std::stop_token stop, const VerifyOptions& options = {});

}  // namespace grundy
