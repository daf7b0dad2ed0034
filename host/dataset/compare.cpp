#include "grundy/dataset/compare.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"
#include "grundy/game/limits.hpp"
#include "grundy/game/parse.hpp"

namespace grundy {
namespace {

/// Of cells that come in order.
void add(FoundCells& found, std::size_t most, const ComparedCell& cell) {
  ++found.count;
  if (found.first.size() < most) found.first.push_back(cell);
}

/// Of cells in any order.
void merge(FoundCells& all, std::size_t most, const FoundCells& found) {
  const auto before = [](const ComparedCell& a, const ComparedCell& b) {
    return a.position < b.position;
  };
  all.count += found.count;
  const bool full = all.first.size() == most;
  if (found.first.empty() || (full && !before(found.first.front(), all.first.back()))) return;
  std::vector<ComparedCell> both(all.first.size() + found.first.size());
  std::merge(all.first.begin(), all.first.end(), found.first.begin(), found.first.end(),
             both.begin(), before);
  both.resize(std::min(both.size(), most));
  all.first = std::move(both);
}

std::uint32_t distance(const ComparedCell& cell) {
  return cell.a < cell.b ? cell.b - cell.a : cell.a - cell.b;
}

void take_farther(std::optional<ComparedCell>& farthest, const ComparedCell& cell) {
  if (farthest && distance(*farthest) > distance(cell)) return;
  if (farthest && distance(*farthest) == distance(cell) && farthest->position < cell.position)
    return;
  farthest = cell;
}

/// Neighbouring positions of a row.
struct Run {
  Position first;
  std::uint64_t count = 0;
  const std::uint32_t* a = nullptr;
  const std::uint32_t* b = nullptr;
};

/// Calls visit(run) for the rows of a block, without the positions to leave out.
template <typename Visit>
void for_each_run(const Region& block, const std::optional<Region>& except, const std::uint32_t* a,
                  const std::uint32_t* b, Visit visit) {
  const Region hole = except ? intersection(block, *except) : Region{};
  for (std::uint64_t x = block.x0; x < block.x1(); ++x) {
    const auto run = [&](std::uint64_t y0, std::uint64_t y1) {
      const std::uint64_t place = (x - block.x0) * block.extent.cols + y0 - block.y0;
      if (y0 < y1) visit(Run{{x, y0}, y1 - y0, a + place, b + place});
    };
    if (!hole.empty() && x >= hole.x0 && x < hole.x1()) {
      run(block.y0, hole.y0);
      run(hole.y1(), block.y1());
    } else {
      run(block.y0, block.y1());
    }
  }
}

/// Collects a Result for each block with collect(result, run), and merges them with join(result),
/// one at a time. False when a stop was requested.
template <typename Result, typename Collect, typename Join>
bool compare_blocks(const CellSource& a, const CellSource& b, const CompareOptions& options,
                    Collect collect, Join join) {
  std::mutex mutex;
  return for_each_block(
      a, options.part, {},
      [&](const Region& block, const std::uint32_t* a_values) {
        std::vector<std::uint32_t> b_values(block.extent.cells());
        b.read(block, b_values.data());
        Result result;
        for_each_run(block, options.except, a_values, b_values.data(),
                     [&](const Run& run) { collect(result, run); });
        if (options.progress) options.progress(block.extent.cells());
        const std::scoped_lock lock(mutex);
        join(result);
      },
      options.read);
}

void require_positions(const CompareOptions& options) {
  if (options.part.empty() || (options.except && options.except->contains(options.part)))
    throw UsageError("no position is left to compare");
}

/// Reads relations from front to back.
class RelationParser {
 public:
  explicit RelationParser(std::string_view text) : all_(text), left_(text) {}

  Relation parse() {
    Relation relation;
    relation.conclusion = side();
    const std::string_view word = next_word();
    relation.both_ways = word == "iff";
    if (!relation.both_ways && word != "where") refuse();
    relation.condition = side();
    skip_blanks();
    if (!left_.empty()) refuse();
    if (relation.conclusion.table == relation.condition.table)
      throw UsageError(fmt::format("--relation: '{}' speaks of table {} only", excerpt(all_),
                                   relation.condition.table));
    return relation;
  }

 private:
  [[noreturn]] void refuse() const {
    throw UsageError(fmt::format(
        "--relation: '{}' is no relation; one is 'A=1 where B=0' or 'A=1 iff B=0', with other "
        "values or with A and B exchanged",
        excerpt(all_)));
  }

  Relation::Side side() {
    Relation::Side side;
    const std::string_view name = next_word();
    if (name != "A" && name != "B") refuse();
    side.table = name.front();
    skip_blanks();
    if (left_.empty() || left_.front() != '=') refuse();
    left_.remove_prefix(1);
    const std::string_view value = next_word();
    if (value.empty() || value.find_first_not_of("0123456789") != std::string_view::npos) refuse();
    side.value = static_cast<std::uint32_t>(parse_count("--relation", value, kValueLimit - 1));
    return side;
  }

  void skip_blanks() { left_.remove_prefix(std::min(left_.find_first_not_of(' '), left_.size())); }

  /// Up to the next blank or '='.
  std::string_view next_word() {
    skip_blanks();
    const std::string_view word = left_.substr(0, left_.find_first_of(" ="));
    left_.remove_prefix(word.size());
    return word;
  }

  std::string_view all_;
  std::string_view left_;
};

}  // namespace

std::string Relation::Side::text() const { return fmt::format("{}={}", table, value); }

Relation Relation::parse(std::string_view text) { return RelationParser(text).parse(); }

std::string Relation::text() const {
  return fmt::format("{} {} {}", conclusion.text(), both_ways ? "iff" : "where", condition.text());
}

std::optional<Comparison> compare_cells(const CellSource& a, const CellSource& b,
                                        const CompareOptions& options) {
  require_positions(options);
  Comparison all;
  const auto collect = [&](Comparison& result, const Run& run) {
    result.positions += run.count;
    for (std::uint64_t k = 0; k < run.count; ++k) {
      if (run.a[k] == run.b[k]) continue;
      const ComparedCell cell{{run.first.x, run.first.y + k}, run.a[k], run.b[k]};
      add(result.different, options.listed, cell);
      take_farther(result.farthest, cell);
    }
  };
  const auto join = [&](const Comparison& result) {
    all.positions += result.positions;
    merge(all.different, options.listed, result.different);
    if (result.farthest) take_farther(all.farthest, *result.farthest);
  };
  if (!compare_blocks<Comparison>(a, b, options, collect, join)) return std::nullopt;
  return all;
}

std::optional<RelationCheck> check_relation(const CellSource& a, const CellSource& b,
                                            const Relation& relation,
                                            const CompareOptions& options) {
  require_positions(options);
  RelationCheck all;
  const auto collect = [&](RelationCheck& result, const Run& run) {
    result.positions += run.count;
    for (std::uint64_t k = 0; k < run.count; ++k) {
      const bool conclusion = relation.conclusion.holds(run.a[k], run.b[k]);
      const bool condition = relation.condition.holds(run.a[k], run.b[k]);
      result.conclusion += conclusion ? 1 : 0;
      result.condition += condition ? 1 : 0;
      if (conclusion != condition)
        add(condition ? result.missing : result.surplus, options.listed,
            {{run.first.x, run.first.y + k}, run.a[k], run.b[k]});
    }
  };
  const auto join = [&](const RelationCheck& result) {
    all.positions += result.positions;
    all.conclusion += result.conclusion;
    all.condition += result.condition;
    merge(all.missing, options.listed, result.missing);
    merge(all.surplus, options.listed, result.surplus);
  };
  if (!compare_blocks<RelationCheck>(a, b, options, collect, join)) return std::nullopt;
  return all;
}

}  // namespace grundy
