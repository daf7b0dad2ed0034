// A table's summary and histogram by sinks, from the tiles that an engine hands out.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/engine/engine.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/engine/summary.hpp"

namespace grundy::support {

struct SinkSums {
  Summary summary;
  std::vector<std::uint64_t> histogram;
};

inline SinkSums sink_sums(std::string_view engine, const Rule& rule, const Extent& extent) {
  SummarySink summary;
  HistogramSink histogram;
  TileFanout both({&summary, &histogram});
  EXPECT_TRUE(make_engine(engine, {})->compute(rule, extent, both, {}));
  return {summary.result(), histogram.counts()};
}

}  // namespace grundy::support
