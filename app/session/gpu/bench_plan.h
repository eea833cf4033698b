#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/gpu/bench_data.h"
#include "kernels/worker/protocol.h"

namespace lanescope {

/// What to time: a run for each size.
struct BenchPlan {
  std::vector<std::string> strategies{};  ///< ids; empty for all
  std::vector<std::uint64_t> sizes{std::uint64_t{1} << 24U};
  BenchSetting setting{};
  std::uint64_t blocks = 0;  ///< as in BenchRequest
  std::uint32_t maxSamples = 40;
};

/// What a plan asks of the worker for one of its sizes: without the strategies that cannot be timed at it,
/// where others are left.
BenchRequest requestOf(const BenchPlan& plan, std::uint64_t n);

/// What it asks for all of its sizes but those for which nobody is left. The error says why nobody is left of
/// any, or what is wrong with the plan, as a number of blocks that one of them cannot be given.
Result<std::vector<BenchRequest>> requestsOf(const BenchPlan& plan);

/// Whom a plan leaves out of which sizes, a sentence for each reason; empty where nobody. Strategies are
/// named by their ids, in quotation marks.
std::string leftOutText(const BenchPlan& plan);

}  // namespace lanescope
