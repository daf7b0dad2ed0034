// Where the content of a file comes from, for files of all kinds.
#pragma once

#include <cstdint>

#include "grundy/game/rule.hpp"

namespace grundy {

/// Writes the attributes rule, terminal_cells, software, software_version, created, and
/// complete = 0 of an HDF5 object, given by its identifier (hid_t; the installed headers do without
/// HDF5's). Throws IoError.
void write_origin(std::int64_t object, const Rule& rule);

}  // namespace grundy
