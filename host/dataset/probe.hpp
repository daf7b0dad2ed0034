// Opens a file of doubtful origin where that can do no harm.
#pragma once

#include <cstdint>
#include <string>

namespace grundy {

/// Opens a table file in a process of its own, reads all that lies around the chunks and looks up
/// each of them (of more than kProbedChunks, none): the HDF5 library trusts metadata whose
/// checksums are right, and old files have none, so that a file made to do so can bring it down.
/// Throws IoError when it does, or takes more than a minute of processor time; says nothing of
/// files that DatasetReader refuses by itself. Forks, so no other thread may be in the HDF5
/// library.
void probe_table_file(const std::string& path);

inline constexpr std::uint64_t kProbedChunks = std::uint64_t{1} << 20U;

/// What the other process does; may end it. Throws what DatasetReader does.
void touch_metadata(const std::string& path);

}  // namespace grundy
