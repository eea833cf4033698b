#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/analysis/bench_data.h"
#include "kernels/protocol/protocol.h"

namespace lanescope {

/// The strategies to time, with a run for each size.
struct BenchPlan {
  std::vector<std::string> strategies{};  ///< ids; empty for all
  std::vector<std::uint64_t> sizes{std::uint64_t{1} << 24U};
  BenchSetting setting{};
  std::uint64_t blocks = 0;  ///< as in BenchRequest
  std::uint32_t maxSamples = 40;
};

/// The plan's request to the worker for one of its sizes: without the strategies that cannot be timed at it,
/// if others are left.
BenchRequest makeRequest(const BenchPlan& plan, std::uint64_t n);

/// The requests for all of its sizes, except those for which no strategy is left. The error says why no size
/// has one, or names the plan's fault, such as a number of blocks that one of the strategies cannot take.
Result<std::vector<BenchRequest>> makeRequests(const BenchPlan& plan);

/// The strategies that a plan leaves out of some sizes, a sentence for each reason; empty if there are none.
/// Strategies are named by their ids, in quotation marks.
std::string leftOutText(const BenchPlan& plan);

}  // namespace lanescope
