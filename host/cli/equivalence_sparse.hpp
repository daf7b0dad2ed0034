// grundy equivalence --limit: by level sets, far beyond any table.
#pragma once

#include <cstdint>

#include "grundy/game/rule.hpp"

#include "options.hpp"

namespace grundy::cli {

/// Compares all positions with x, y < limit and reports; returns the exit status.
int sparse_equivalence(const Rule& rule, std::uint64_t limit, const ReportFlags& report);

}  // namespace grundy::cli
