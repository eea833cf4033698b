// Barriers and masks: threads that do not come, lanes that are not there, and what they hand over.
#include <gtest/gtest.h>

#include "sim/tests/hazard_reports.h"

namespace lanescope {
namespace {

using testing::body;
using testing::expectClean;
using testing::expectHazard;
using testing::kError;
using testing::kWarning;

TEST(Hazards, BarriersThatVoteOrderToo) {
  const std::string write = "__shared__ float s[64];\ns[threadIdx.x] = 1.0f;\n";
  expectClean(body(write + "int n = __syncthreads_count(threadIdx.x < 3);\n"
                           "out[threadIdx.x] = s[63 - threadIdx.x] + (float)n;"));
}

TEST(Hazards, VotesOrderNoMemoryAndCheckTheirMask) {
  const std::string write = "__shared__ float s[32];\ns[threadIdx.x] = 1.0f;\n";
  expectHazard(
      body(write + "unsigned b = __ballot_sync(0xffffffff, 1);\nout[threadIdx.x] = s[31 - threadIdx.x] + b;",
           32),
      HazardKind::ReadAfterWrite, kWarning);
  expectHazard(body("if (threadIdx.x < 4)\nout[threadIdx.x] = (float)__any_sync(0xff, 1);", 32),
               HazardKind::MissingLanes, kError);
  expectClean(body("if (threadIdx.x < 4) out[threadIdx.x] = (float)__popc(__activemask());", 32));
}

TEST(Hazards, ABarrierThatNotAllThreadsReach) {
  expectHazard(body("if (threadIdx.x < 3) __syncthreads();"), HazardKind::MissedBarrier, kError);
  expectHazard(body("if (threadIdx.x < 32) {\n__syncthreads(); }"), HazardKind::MissedBarrier, kWarning);
  expectHazard(body("if (threadIdx.x < 32) {\n__syncthreads(); } else {\n__syncthreads(); }"),
               HazardKind::MissedBarrier, kWarning);
  const HazardReport both = testing::look(
      body("if (threadIdx.x < 32) {\n__syncthreads(); }\nif (threadIdx.x < 3) __syncthreads();"));
  EXPECT_EQ(both.hazards.size(), 2u) << "the fault at the second is another one";
  expectClean(body("if (blockIdx.x == 0) __syncthreads();", 64, 2));
  expectClean(body("if (threadIdx.x >= 32) return; __syncthreads();"));  // gone threads are not waited for
}

TEST(Hazards, AMaskThatNamesLanesThatAreNotThere) {
  const Hazard hazard = expectHazard(
      body("float x = 1.0f;\nif (threadIdx.x < 8) x = __shfl_down_sync(0xffffffff, x, 1);\nout[threadIdx.x] "
           "= x;",
           32),
      HazardKind::MissingLanes, kError);
  EXPECT_EQ(hazard.access.line, 3u);
  expectClean(body(
      "float x = 1.0f;\nif (threadIdx.x < 8) x = __shfl_xor_sync(0xff, x, 1);\nout[threadIdx.x] = x;", 32));
  expectHazard(body("if (threadIdx.x < 16) __syncwarp();", 32), HazardKind::MissingLanes, kError);
  expectHazard(body("__syncwarp(0xfffe);", 16), HazardKind::MissingLanes, kError);
  // A block smaller than a warp may name the whole warp: what does not exist is not waited for.
  expectClean(body("float x = __shfl_xor_sync(0xffffffff, 1.0f, 1); __syncwarp(); out[threadIdx.x] = x;", 8));
}

TEST(Hazards, AShuffleFromALaneThatIsNotThere) {
  const std::string sum =
      "float x = out[threadIdx.x];\nfor (int o = 16; o > 0; o /= 2) x += __shfl_down_sync(0xffffffff, x, "
      "o);\n";
  const Hazard hazard =
      expectHazard(body(sum + "if (threadIdx.x == 0) out[0] = x;", 16), HazardKind::UndefinedLane, kError);
  EXPECT_EQ(hazard.count, 1u);
  // In a full warp, and with as many lanes as there are, lane 0 has a sum; other lanes' values are unused.
  expectClean(body(sum + "if (threadIdx.x == 0) out[0] = x;", 64));
  const std::string eight =
      "float x = out[threadIdx.x];\nfor (int o = 4; o > 0; o /= 2) x += __shfl_down_sync(0xffffffff, x, "
      "o);\n";
  expectClean(body(eight + "if (threadIdx.x == 0) out[0] = x;", 8));
  expectHazard(body(eight + "if (threadIdx.x == 1) out[0] = x;", 8), HazardKind::UndefinedLane, kError);
  // A value that is thrown away is none.
  expectClean(
      body("float x = out[threadIdx.x]; float y = __shfl_down_sync(0xffffffff, x, 4);\n"
           "out[threadIdx.x] = threadIdx.x + 4 < blockDim.x ? x + y : x;\n"
           "if (threadIdx.x + 4 < blockDim.x) x += y; out[threadIdx.x + 64] = x;",
           8));
  expectHazard(body("float x = __shfl_xor_sync(0xffffffff, 1.0f, 8);\nif (x > 2.0f) out[0] = 1.0f;", 8),
               HazardKind::UndefinedLane, kError);
  // A choice by it uses it, even if both choices are defined.
  expectHazard(body("float x = __shfl_xor_sync(0xffffffff, 1.0f, 8);\nout[threadIdx.x] = x > 2.0f ? 1.0f : "
                    "3.0f;",
                    8),
               HazardKind::UndefinedLane, kError);
}

}  // namespace
}  // namespace lanescope
