// Threads that wait for what other threads write: the ones that only wait yield to the others.
#include <gtest/gtest.h>

#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

Launch makeLaunch(const std::string& text, std::uint32_t blocks, std::uint32_t threads,
                  const std::string& spec) {
  Launch launch = testing::launchText(text, threads, {spec});
  launch.grid = {blocks, 1, 1};
  return launch;
}

constexpr const char* kBackwards = R"(__global__ void k(volatile int* out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) printf("%d begins\n", b);
  if (threadIdx.x == 0 && b + 1 < gridDim.x) while (out[b + 1] == 0) {}
  __syncthreads();
  if (threadIdx.x == 0) printf("%d goes on\n", b);
  if (threadIdx.x == 32) out[b] = b + 1 < gridDim.x ? out[b + 1] + 1 : 1;
})";

TEST(Waiting, AWarpGivesWayToTheOneItWaitsFor) {
  const auto simulation = simulate(makeLaunch(R"(__global__ void k(int* out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    while (flag == 0) {}
    out[threadIdx.x] = flag;
  } else if (threadIdx.x == 40) flag = 7;
})",
                                              1, 64, "i32:zero:32"));
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  EXPECT_EQ(testing::elements<std::int32_t>(*simulation, 0), std::vector<std::int32_t>(32, 7));
}

TEST(Waiting, BlocksWaitForLaterOnes) {
  for (const unsigned threads : {1u, 3u}) {
    const auto simulation = simulate(makeLaunch(kBackwards, 50, 64, "i32:zero:50"), threads);
    ASSERT_TRUE(simulation.ok()) << simulation.error().message;
    const auto values = testing::elements<std::int32_t>(*simulation, 0);
    for (int b = 0; b < 50; ++b) EXPECT_EQ(values[static_cast<std::size_t>(b)], 50 - b);
    EXPECT_EQ(simulation->printed.size(), 100u);
  }
}

TEST(Waiting, WhatABlockPrintsBehindItsWaitComesBehindWhatItWaitedFor) {
  const auto simulation = simulate(makeLaunch(kBackwards, 3, 64, "i32:zero:3"), 1);
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  std::string text;
  for (const PrintedText& printed : simulation->printed) text += printed.text;
  EXPECT_EQ(text, "0 begins\n1 begins\n2 begins\n2 goes on\n1 goes on\n0 goes on\n");
}

TEST(Waiting, AnObservedBlockWaitsForTheOthers) {
  const auto run = runLaunch(makeLaunch(kBackwards, 20, 64, "i32:zero:20"), RunOptions{});
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_FALSE(run->fault.has_value());
  EXPECT_EQ(testing::elements<std::int32_t>(run->simulation, 0)[0], 20);
  EXPECT_EQ(run->simulation.countedBlocks, 20u);
}

TEST(Waiting, AWaitWithoutEndStillMeetsItsLimit) {
  Launch launch =
      makeLaunch("__global__ void k(volatile int* out) { while (out[0] == 0) {} }", 2, 32, "i32:zero:1");
  launch.limits.blockInstructions = 1u << 20;
  const auto simulation = simulate(launch);
  ASSERT_FALSE(simulation.ok());
  EXPECT_SAYS(simulation.error().message);
}

constexpr const char* kLock = R"(__device__ int lock;
__global__ void k(int* out, int* sums) {
  while (atomicCAS(&lock, 0, 1) != 0) {}
  out[0] = out[0] + 1;
  __threadfence();
  atomicExch(&lock, 0);
  int sum = threadIdx.x;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  sums[threadIdx.x + blockDim.x * blockIdx.x] = sum;
})";

/// As it is compiled: `while (true) if (…) break;`, and in a function of its own.
std::string lockIn(const std::string& loop, const std::string& function = "") {
  std::string text = function + kLock;
  const std::string plain = "while (atomicCAS(&lock, 0, 1) != 0) {}";
  text.replace(text.find(plain), plain.size(), loop);
  return text;
}

TEST(Waiting, LanesOfAWarpThatHoldALockGoOnWithoutThoseThatWaitForIt) {
  const std::vector<std::string> texts = {
      kLock, lockIn("while (true) if (atomicCAS(&lock, 0, 1) == 0) break;"),
      lockIn("do { } while (atomicExch(&lock, 1));"),
      "__device__ int lock;\n__device__ void take(int* l) { while (1) { if (atomicCAS(l, 0, 1) == 0) return; "
      "} }\n" +
          lockIn("take(&lock);").substr(std::string("__device__ int lock;").size())};
  for (const std::string& text : texts) {
    Launch launch = testing::launchText(text, 64, {"i32:zero:1", "i32:zero:128"});
    launch.grid = {2, 1, 1};
    const auto check = [&](const Simulation& made) {
      EXPECT_EQ(testing::elements<std::int32_t>(made, 0)[0], 128) << text;
      const auto sums = testing::elements<std::int32_t>(made, 1);
      for (std::size_t t = 0; t < 128; ++t) EXPECT_EQ(sums[t], t % 64 < 32 ? 496 : 1520) << t;
    };
    const auto simulation = simulate(launch);
    ASSERT_TRUE(simulation.ok()) << simulation.error().message;
    check(*simulation);
    const auto run = runLaunch(launch, RunOptions{});
    ASSERT_TRUE(run.ok()) << run.error().message;
    ASSERT_FALSE(run->fault.has_value());
    check(run->simulation);
  }
}

TEST(Waiting, TheOtherSideOfAnIfGoesOn) {
  const auto simulation = simulate(makeLaunch(R"(__global__ void k(volatile int* out) {
  if (threadIdx.x % 2 == 0) {
    while (out[threadIdx.x + 1] == 0) {}
    out[threadIdx.x] = 2;
  } else {
    out[threadIdx.x] = 1;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[64] = __popc(__ballot_sync(1, out[63]));
})",
                                              1, 64, "i32:zero:65"));
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  const auto values = testing::elements<std::int32_t>(*simulation, 0);
  for (std::size_t t = 0; t < 64; ++t) EXPECT_EQ(values[t], 2 - static_cast<int>(t % 2)) << t;
  EXPECT_EQ(values[64], 1);
}

TEST(Waiting, LanesThatWaitedForOthersVoteWithThem) {
  const auto simulation = simulate(makeLaunch(R"(__global__ void k(int* out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 1) {
    while (flag == 0) {}
  } else {
    flag = 1;
  }
  int all = __syncthreads_count(threadIdx.x < 5);
  out[threadIdx.x] = all;
})",
                                              1, 32, "i32:zero:32"));
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  EXPECT_EQ(testing::elements<std::int32_t>(*simulation, 0), std::vector<std::int32_t>(32, 5));
}

}  // namespace
}  // namespace lanescope
