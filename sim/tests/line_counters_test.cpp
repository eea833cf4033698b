// Counters by source line: they add up to the launch's, and each line has what is its own.
#include <gtest/gtest.h>

#include <set>

#include "sim/memory/counters.h"
#include "sim/tests/launches.h"

namespace lanescope {
namespace {

Counters findLine(const Simulation& simulation, std::uint32_t line) {
  for (const LineCounters& entry : simulation.lines) {
    if (entry.line == line) return entry.counters;
  }
  return {};
}

TEST(LineCounters, AddUpToTheLaunch) {
  for (const Strategy& strategy : strategies()) {
    SCOPED_TRACE(strategy.id);
    const bool hasOwnGrid = strategy.family == Family::Transpose;
    const auto launch = makeLaunch(strategy, 1u << 15, hasOwnGrid ? 1 : 32, machinePresets()[0]);
    ASSERT_TRUE(launch.ok());
    const auto simulation = simulate(*launch, 2);
    ASSERT_TRUE(simulation.ok());
    Counters sum;
    for (std::size_t l = 0; l < simulation->lines.size(); ++l) {
      sum += simulation->lines[l].counters;
      if (l > 0) {
        EXPECT_LT(simulation->lines[l - 1].line, simulation->lines[l].line);
      }
    }
    EXPECT_GE(simulation->lines.size(), 3u);
    EXPECT_EQ(sum, simulation->counters);
    EXPECT_GT(sum.instructions, 0u);
  }
}

// 64 threads: two warps.
constexpr const char* kKernel = R"(__global__ void kernel(const float* in, float* out, int* count) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x * 8];
  __syncthreads();
  if (threadIdx.x % 32 < 8)
    out[threadIdx.x] = s[(threadIdx.x * 32) % 64];
  float x = s[threadIdx.x];
  x += __shfl_down_sync(0xffffffff, x, 1);
  atomicAdd(count, 1);
  out[threadIdx.x] = x;
}
)";

TEST(LineCounters, EachLineHasItsOwn) {
  const auto simulation =
      simulate(testing::launchText(kKernel, 64, {"f32:hash:512", "f32:zero:64", "i32:zero:1"}));
  ASSERT_TRUE(simulation.ok()) << simulation.error().sentence();
  const Counters load = findLine(*simulation, 3);
  EXPECT_EQ(load.globalLoadRequests, 2u);
  EXPECT_EQ(load.globalLoadSectors, 64u);  // a sector a thread
  EXPECT_EQ(load.sharedStoreWavefronts, 2u);
  EXPECT_EQ(load.sharedLoadWavefronts, 0u);
  EXPECT_EQ(findLine(*simulation, 4).barriers, 2u);
  const Counters test = findLine(*simulation, 5);
  EXPECT_EQ(test.branches, 2u);
  EXPECT_EQ(test.divergentBranches, 2u);
  const Counters conflict = findLine(*simulation, 6);
  EXPECT_EQ(conflict.sharedLoadWavefronts, 4u);  // words 0 and 32, both of bank 0, in each warp
  EXPECT_EQ(conflict.bankConflicts(), 2u);
  EXPECT_EQ(conflict.globalStoreSectors, 2u);
  EXPECT_EQ(conflict.activeLanes, 4u * 8);
  EXPECT_EQ(conflict.lanes, 4u * 32);
  EXPECT_EQ(findLine(*simulation, 8).shuffles, 2u);
  const Counters atomic = findLine(*simulation, 9);
  EXPECT_EQ(atomic.atomics, 2u);
  EXPECT_EQ(atomic.globalReductionSectors, 64u);  // one per lane
  EXPECT_EQ(atomic.globalStoreSectors, 0u);
  EXPECT_EQ(findLine(*simulation, 2), Counters{});
}

TEST(Counters, HaveOneNameEachAndSayWhatTheyMean) {
  std::set<std::string_view> names;
  std::set<std::string_view> plain;
  for (const CounterInfo& counter : kCounters) {
    EXPECT_TRUE(plain.insert(counter.plain).second) << counter.plain;
    const std::string_view name = counter.nsight.empty() ? counter.name : counter.nsight;
    EXPECT_TRUE(name.empty() || names.insert(name).second) << name;
    EXPECT_EQ(counter.nsight.empty(), counter.fewer.empty()) << counter.plain;
    EXPECT_EQ(counter.nsight.empty(), counter.more.empty()) << counter.plain;
    if ((counter.screens & (kPanel | kComparison | kTable)) != 0) {
      EXPECT_FALSE(counter.meaning.empty()) << counter.plain;
    }
  }
}

TEST(Counters, OfNoInstructionHaveNoShare) {
  const CounterInfo& efficiency = kCounters.back();
  EXPECT_EQ(efficiency.text(Counters{}, "none yet"), "none yet");
  Counters some;
  some.lanes = 64;
  some.activeLanes = 16;
  EXPECT_EQ(efficiency.text(some, "none yet"), "25%");
  some.lanes = 0;
  count(some, {.kind = StepKind::Exit, .active = 1});
  EXPECT_EQ(some.activeLanes, 16U);
}

}  // namespace
}  // namespace lanescope
