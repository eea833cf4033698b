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

TEST(Hazards, AMaskThatLacksItsCaller) {
  const auto shuffle = [](const std::string& mask) {
    return body("out[threadIdx.x] = __shfl_xor_sync(" + mask + ", out[threadIdx.x], 8);", 32);
  };
  expectHazard(shuffle("0x0000ffff"), HazardKind::MissingLanes, kError);
  expectHazard(body("__syncwarp(1u << (threadIdx.x ^ 1));", 32), HazardKind::MissingLanes, kError);
  expectHazard(body("if (threadIdx.x < 8) out[threadIdx.x] = __any_sync(0xff00, 1);", 32),
               HazardKind::MissingLanes, kError);
  expectClean(shuffle("0xffffffff"));
  expectClean(shuffle("threadIdx.x < 16 ? 0x0000ffff : 0xffff0000"));
}

TEST(Hazards, AMaskOfAnotherGroup) {
  expectHazard(
      body("out[threadIdx.x] = __shfl_sync(threadIdx.x < 16 ? 0xffffffff : 0xffff0000, 1.0f, 0, 16);", 32),
      HazardKind::MissingLanes, kError);
}

TEST(Hazards, ABarrierThatSomeHaveLeft) {
  const std::string loop = "for (int i = 0; i < 4; ++i) {\nif (threadIdx.x < i) LEAVE;\n__syncthreads();\n}";
  const auto with = [&](const std::string& leave) {
    std::string text = loop;
    return body(text.replace(text.find("LEAVE"), 5, leave));
  };
  expectHazard(with("break"), HazardKind::MissedBarrier, kError);
  expectHazard(with("continue"), HazardKind::MissedBarrier, kError);
  expectHazard(body("for (int i = threadIdx.x; i < 40; i += 64) {\n__syncthreads();\n}"),
               HazardKind::MissedBarrier, kError);
  expectClean(with("return"));  // threads that have ended are not waited for
  expectClean(
      body("bool isDone = false;\nfor (int i = 0; i < 4; ++i) {\nif (threadIdx.x < i) isDone = true;\n"
           "__syncthreads();\nif (!isDone) out[threadIdx.x] += i;\n}"));
}

TEST(Hazards, AtomicsOfABlockAcrossBlocks) {
  expectHazard(body("atomicAdd_block(&out[0], 1.0f);", 64, 2), HazardKind::WriteAfterWrite, kError);
  expectHazard(
      body("if (blockIdx.x == 0) atomicAdd_block(&out[0], 1.0f); else atomicAdd(&out[0], 1.0f);", 64, 2),
      HazardKind::WriteAfterWrite, kError);
  expectClean(body("atomicAdd_block(&out[blockIdx.x], 1.0f);", 64, 2));
  expectClean(body("atomicAdd(&out[0], 1.0f);", 64, 2));
  expectClean(body("atomicAdd_system(&out[0], 1.0f);", 64, 2));
  expectClean(
      body("__shared__ float s; if (threadIdx.x == 0) s = 0; __syncthreads();\natomicAdd_block(&s, 1.0f);",
           64, 2));
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
