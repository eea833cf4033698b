// Blocks that are no whole warps, grids on several host threads, shuffles within groups.
#include <gtest/gtest.h>

#include "sim/machine/run/warp_state.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"

namespace lanescope {
namespace {

Simulation simulated(const Launch& launch, unsigned threads = 0) {
  auto simulation = simulate(launch, threads);
  EXPECT_TRUE(simulation.ok()) << (simulation.ok() ? "" : simulation.error().sentence());
  return simulation.ok() ? std::move(*simulation) : Simulation{};
}

const std::string kCopy =
    "__global__ void k(const float* in, float* out) {\n"
    "  __shared__ float s[1024];\n"
    "  s[threadIdx.x] = in[threadIdx.x];\n  __syncthreads();\n"
    "  out[threadIdx.x] = s[threadIdx.x];\n}\n";

class PartialWarps : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(PartialWarps, CountWhatTheirThreadsDo) {
  const std::uint32_t threads = GetParam();
  const std::uint32_t warps = (threads + 31) / 32;
  const std::string count = std::to_string(threads);
  const Simulation simulation =
      simulated(testing::launchText(kCopy, threads, {"f32:hash:" + count, "f32:zero:" + count}));
  const Counters& c = simulation.counters;
  EXPECT_EQ(c.barriers, warps);
  EXPECT_EQ(c.globalLoadRequests, warps);
  EXPECT_EQ(c.globalLoadSectors, (threads + 7) / 8);
  EXPECT_EQ(c.globalStoreSectors, (threads + 7) / 8);
  EXPECT_EQ(c.sharedLoadWavefronts, warps);
  EXPECT_EQ(c.sharedStoreWavefronts, warps);
  EXPECT_EQ(c.bankConflicts(), 0u);
  EXPECT_EQ(c.activeLanes * warps * 32, c.lanes * threads);  // every step has every thread
  EXPECT_EQ(simulation.buffers.at(0), simulation.buffers.at(1));
}

INSTANTIATE_TEST_SUITE_P(Sizes, PartialWarps,
                         ::testing::Values(1, 2, 31, 32, 33, 63, 64, 65, 100, 1000, 1024));

TEST(Blocks, OfSeveralDimensionsCountThreadsXFirst) {
  Launch launch = testing::launchText(
      "__global__ void k(int* out) {\n"
      "  int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\n"
      "  out[t] = __shfl_sync(0xffffffff, t, 0);\n}\n",
      1, {"i32:zero:60"});
  launch.block = {5, 4, 3};
  const auto values = testing::elements<std::int32_t>(simulated(launch), 0);
  for (std::size_t t = 0; t < 60; ++t) EXPECT_EQ(values[t], t < 32 ? 0 : 32) << t;
}

TEST(Blocks, OfTheTinyMachineHaveWarpsOfTwo) {
  Launch launch = testing::launchText(
      "__global__ void k(int* out) { out[threadIdx.x] = warpSize * 100 + "
      "__shfl_xor_sync(0xffffffff, (int)threadIdx.x, 1); }\n",
      5, {"i32:zero:5"});
  launch.machine = *findMachine("tiny");
  EXPECT_EQ(testing::elements<std::int32_t>(simulated(launch), 0),
            (std::vector<std::int32_t>{201, 200, 203, 202, 204}));
}

TEST(Grids, GiveTheSameOnOneThreadAndOnTwo) {
  Launch launch = testing::launchText(
      "__global__ void k(const float* in, float* out) {\n"
      "  __shared__ float s[100];\n"
      "  unsigned b = blockIdx.y * gridDim.x + blockIdx.x;\n"
      "  s[threadIdx.x * 3 % 100] = in[b * 100 + threadIdx.x] * b;\n  __syncthreads();\n"
      "  float sum = 0;\n"
      "  for (unsigned k = 0; k <= b % 7; ++k) sum += s[(threadIdx.x + k) % 100];\n"
      "  out[b * 100 + threadIdx.x] = sum;\n}\n",
      100, {"f32:hash:20000", "f32:zero:20000"});
  launch.grid = {20, 10, 1};
  const Simulation one = simulated(launch, 1);
  for (const unsigned threads : {2u, 3u, 0u}) {
    const Simulation several = simulated(launch, threads);
    EXPECT_EQ(several.counters, one.counters) << threads;
    EXPECT_EQ(several.buffers, one.buffers) << threads;
  }
}

TEST(Grids, TellTheSameFaultOnEveryNumberOfThreads) {
  Launch launch = testing::launchText(
      "__global__ void k(float* out) { if (blockIdx.x == 307) out[1000] = 1.0f; }\n", 4, {"f32:zero:4"});
  launch.grid.x = 400;
  for (const unsigned threads : {1u, 2u, 2u, 2u}) {
    const auto simulation = simulate(launch, threads);
    ASSERT_FALSE(simulation.ok());
    EXPECT_SAYS(simulation.error().message);
  }
}

/// The lane that CUDA's guide says each of 32 lanes reads, by group of `width`.
int shuffled(const std::string& kind, int lane, int operand, int width) {
  const int first = lane / width * width;
  if (kind == "__shfl_sync") return first + operand % width;
  if (kind == "__shfl_up_sync") return lane - operand >= first ? lane - operand : lane;
  if (kind == "__shfl_down_sync") return lane + operand < first + width ? lane + operand : lane;
  const int other = lane ^ operand;  // earlier groups may be read, later ones not
  return other < first + width ? other : lane;
}

TEST(Shuffles, StayWithinTheirGroups) {
  for (const std::string kind : {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"}) {
    for (const int width : {1, 2, 4, 8, 16, 32}) {
      for (const int operand : {0, 1, 3, 7, 16, 31}) {
        const std::string call = kind + "(0xffffffff, (int)threadIdx.x, " + std::to_string(operand) + ", " +
                                 std::to_string(width) + ")";
        const auto values = testing::elements<std::int32_t>(
            simulated(testing::launchText(
                "__global__ void k(int* out) { out[threadIdx.x] = " + call + "; }\n", 64, {"i32:zero:64"})),
            0);
        for (int t = 0; t < 64; ++t)
          ASSERT_EQ(values[static_cast<std::size_t>(t)], t / 32 * 32 + shuffled(kind, t % 32, operand, width))
              << call << " in thread " << t;
      }
    }
  }
}

TEST(Shuffles, CarryEveryTypeAndCountOncePerWarp) {
  const Simulation simulation = simulated(testing::launchText(
      "__global__ void k(double* out) {\n"
      "  double d = threadIdx.x * 0.5; long long n = (long long)threadIdx.x << 40; float f = threadIdx.x;\n"
      "  d = __shfl_xor_sync(0xffffffff, d, 1);\n  n = __shfl_xor_sync(0xffffffff, n, 2);\n"
      "  f = __shfl_xor_sync(0xffffffff, f, 4);\n  out[threadIdx.x] = d + (double)(n >> 40) + f;\n}\n",
      64, {"f64:zero:64"}));
  EXPECT_EQ(simulation.counters.shuffles, 6u);
  const auto values = testing::elements<double>(simulation, 0);
  for (unsigned t = 0; t < 64; ++t) EXPECT_EQ(values[t], (t ^ 1u) * 0.5 + (t ^ 2u) + (t ^ 4u));
}

TEST(Divergence, IsCountedWhereLanesOfOneWarpGoBothWays) {
  const auto counters = [](const std::string& condition) {
    return simulated(testing::launchText(
                         "__global__ void k(int* out) { if (" + condition + ") out[threadIdx.x] = 1; }\n", 64,
                         {"i32:zero:64"}))
        .counters;
  };
  EXPECT_EQ(counters("threadIdx.x % 2 == 0").divergentBranches, 2u);
  EXPECT_EQ(counters("threadIdx.x < 32").divergentBranches, 0u);
  EXPECT_EQ(counters("threadIdx.x < 40").divergentBranches, 1u);
  EXPECT_EQ(counters("threadIdx.x < 40").globalStoreRequests, 2u);
  EXPECT_EQ(counters("threadIdx.x < 32").globalStoreRequests, 1u);
}

TEST(Barriers, WarpsThatReturnedAreNotWaitedFor) {
  const Simulation simulation = simulated(testing::launchText(
      "__global__ void k(int* out) {\n  __shared__ int s[32];\n  if (threadIdx.x >= 32) return;\n"
      "  s[threadIdx.x] = threadIdx.x;\n  __syncthreads();\n  out[threadIdx.x] = s[31 - threadIdx.x];\n}\n",
      96, {"i32:zero:32"}));
  EXPECT_EQ(simulation.counters.barriers, 1u);
  EXPECT_EQ(testing::elements<std::int32_t>(simulation, 0).front(), 31);
}

TEST(Fills, AreTheNumbersTheyName) {
  const auto filled = [](const std::string& fill) {
    return testing::elements<float>(
        simulated(testing::launchText(kCopy, 5, {"f32:" + fill + ":5", "f32:zero:5"})), 1);
  };
  EXPECT_EQ(filled("zero"), (std::vector<float>{0, 0, 0, 0, 0}));
  EXPECT_EQ(filled("ones"), (std::vector<float>{1, 1, 1, 1, 1}));
  EXPECT_EQ(filled("iota"), (std::vector<float>{0, 1, 2, 3, 4}));
  EXPECT_EQ(filled("hash"), (std::vector<float>{0, 3, 70, 74, 41}));
  EXPECT_EQ(filled("hash1"), (std::vector<float>{1, 4, 71, 75, 42}));
  const auto unknown = parseArgument("f32:twos:4");
  ASSERT_FALSE(unknown);
  EXPECT_SAYS(unknown.error().sentence());
}

TEST(PrintedLines, CountWhatIsLost) {
  PrintedLines none(0);
  none.add({});
  EXPECT_TRUE(none.lines().empty());
  EXPECT_EQ(none.lost(), 1U);
  PrintedLines one(1);
  one.add({.thread = 1, .text = ""});
  one.add({.thread = 2, .text = ""});
  one.take(none);
  ASSERT_EQ(one.lines().size(), 1U);
  EXPECT_EQ(one.lines()[0].thread, 2U);
  EXPECT_EQ(one.lost(), 2U);
}

}  // namespace
}  // namespace lanescope
