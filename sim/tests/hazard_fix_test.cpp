// The fix of a hazard, applied to the letter: the kernel that it makes is free of hazards.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/tests/golden_text.h"
#include "sim/tests/hazard_reports.h"

namespace lanescope {
namespace {

using testing::body;
using testing::expectClean;
using testing::listAll;
using testing::look;

struct Applied {
  const char* name;
  std::uint32_t block;
  std::uint32_t grid;
  const char* before;  ///< bodies of kernels, from line 2 on
  const char* fix;     ///< of the first hazard
  const char* after;
};

void PrintTo(const Applied& applied, std::ostream* out) { *out << applied.name; }

class HazardFixApplied : public ::testing::TestWithParam<Applied> {};

TEST_P(HazardFixApplied, LeavesNoHazard) {
  const Applied& applied = GetParam();
  const HazardReport report = look(body(applied.before, applied.block, applied.grid));
  ASSERT_FALSE(report.hazards.empty());
  EXPECT_EQ(report.hazards[0].fix, applied.fix) << listAll(report);
  expectClean(body(applied.after, applied.block, applied.grid));
}

/// A scan with its update split around a barrier.
constexpr const char* kScan =
    "__shared__ float s[64]; int t = threadIdx.x;\n"
    "s[t] = out[t]; __syncthreads();\n"
    "for (int k = 1; k < 64; k *= 2) {\n"
    "  float v;\n"
    "  if (t >= k) v = s[t - k];\n"
    "  __syncthreads();\n"
    "  if (t >= k) s[t] += v;\n"
    "  __syncthreads();\n"
    "}\n";

const std::vector<Applied> kApplied = {
    {"UpdateInAnIf", 64, 1,
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "s[t] = out[t]; __syncthreads();\n"
     "for (int k = 1; k < 64; k *= 2) {\n"
     "  if (t >= k)\n"
     "    s[t] += s[t - k];\n"
     "  __syncthreads();\n"
     "}\n",
     "Split line 6 and the if on line 5: declare a variable before the if, read into it in the if, then "
     "__syncthreads() outside the if, then write in a second if; all threads of the block must reach it.",
     kScan},
    {"UpdateInAnIfOfALoopWithoutBarriers", 64, 1,
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "s[t] = out[t]; __syncthreads();\n"
     "for (int k = 1; k < 64; k *= 2) {\n"
     "  if (t >= k) s[t] += s[t - k];\n"
     "}\n",
     "Split the if on line 5: declare a variable before the if, read into it in the if, then __syncthreads() "
     "outside the if, then write in a second if; all threads of the block must reach it. Put another at the "
     "end of the body of the loop on line 4, so that each iteration waits for the previous one.",
     kScan},
    {"StencilInAnIf", 64, 1,
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "s[t] = out[t]; __syncthreads();\n"
     "if (t > 0 && t < 63) {\n"
     "  float v = s[t - 1] + s[t + 1];\n"
     "  s[t] = v / 2;\n"
     "}\n",
     "Split the if on line 4 in two between line 5 and line 6, with __syncthreads() between the two, and "
     "declare before them what both use: all threads of the block must reach it.",
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "s[t] = out[t]; __syncthreads();\n"
     "float v;\n"
     "if (t > 0 && t < 63) {\n  v = s[t - 1] + s[t + 1];\n}\n"
     "__syncthreads();\n"
     "if (t > 0 && t < 63) {\n  s[t] = v / 2;\n}\n"},
    {"IfWithinAnIf", 64, 1,
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "s[t] = out[t]; __syncthreads();\n"
     "if (t > 0) {\n"
     "  if (t < 63)\n"
     "    s[t] = s[t - 1] + s[t + 1];\n"
     "}\n",
     "Split line 6 and the if on line 4 and the if on line 5: declare a variable before the if, read into it "
     "in the if, then __syncthreads() outside the if, then write in a second if; all threads of the block "
     "must reach it.",
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "s[t] = out[t]; __syncthreads();\n"
     "float v;\n"
     "if (t > 0) {\n  if (t < 63) v = s[t - 1] + s[t + 1];\n}\n"
     "__syncthreads();\n"
     "if (t > 0) {\n  if (t < 63) s[t] = v;\n}\n"},
    {"BothBranches", 64, 1,
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "if (t < 32) {\n"
     "  s[t] = out[t];\n"
     "} else {\n"
     "  out[t] = s[63 - t];\n"
     "}\n",
     "Make two ifs of the if on line 3 and its else, with __syncthreads() between them: all threads of the "
     "block must reach it.",
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "if (t < 32) {\n  s[t] = out[t];\n}\n"
     "__syncthreads();\n"
     "if (!(t < 32)) {\n  out[t] = s[63 - t];\n}\n"},
    {"LoopInAnIf", 64, 1,
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "s[t] = out[t]; __syncthreads();\n"
     "if (t < 40) {\n"
     "  for (int k = 0; k < 3; k++) {\n"
     "    float v = s[39 - t];\n"
     "    __syncwarp(__activemask());\n"
     "    s[t] = v;\n"
     "  }\n"
     "}\n",
     "Move the if on line 4 into the loop on line 5, around what the body does, and put __syncthreads() "
     "between line 6 and line 8, outside the if: all threads of the block must reach it. Put another at the "
     "end of the body of the loop on line 5, so that each iteration waits for the previous one.",
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "s[t] = out[t]; __syncthreads();\n"
     "for (int k = 0; k < 3; k++) {\n"
     "  float v;\n"
     "  if (t < 40) v = s[39 - t];\n"
     "  __syncthreads();\n"
     "  if (t < 40) s[t] = v;\n"
     "  __syncthreads();\n"
     "}\n"},
    {"OneThreadWritesForAll", 64, 1,
     "__shared__ float m; int t = threadIdx.x;\n"
     "if (t == 0) {\n"
     "  m = out[0];\n"
     "}\n"
     "out[t + 1] = m;\n",
     "Put __syncthreads() between the end of the if on line 3 and line 6.",
     "__shared__ float m; int t = threadIdx.x;\n"
     "if (t == 0) {\n  m = out[0];\n}\n"
     "__syncthreads();\n"
     "out[t + 1] = m;\n"},
    {"BarrierOfALoopComesTooLate", 64, 1,
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "s[t] = out[t];\n"
     "for (int k = 32; k > 0; k /= 2) {\n"
     "  if (t < k) s[t] += s[t + k];\n"
     "  __syncthreads();\n"
     "}\n",
     "Put __syncthreads() between line 3 and the loop on line 4.",
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "s[t] = out[t];\n"
     "__syncthreads();\n"
     "for (int k = 32; k > 0; k /= 2) {\n"
     "  if (t < k) s[t] += s[t + k];\n"
     "  __syncthreads();\n"
     "}\n"},
    {"NextIterationOverwrites", 64, 1,
     "__shared__ float s[64]; int t = threadIdx.x; float sum = 0;\n"
     "for (int i = 0; i < 4; i++) {\n"
     "  s[t] = out[t] + i;\n"
     "  __syncthreads();\n"
     "  for (int j = 0; j < 8; j++) sum += s[(t + 9 * j) & 63];\n"
     "}\n"
     "out[t] = sum;\n",
     "Put __syncthreads() at the end of the body of the loop on line 3, so that each iteration waits for the "
     "previous one.",
     "__shared__ float s[64]; int t = threadIdx.x; float sum = 0;\n"
     "for (int i = 0; i < 4; i++) {\n"
     "  s[t] = out[t] + i;\n"
     "  __syncthreads();\n"
     "  for (int j = 0; j < 8; j++) sum += s[(t + 9 * j) & 63];\n"
     "  __syncthreads();\n"
     "}\n"
     "out[t] = sum;\n"},
    {"LoopOfUnequalLength", 64, 1,
     "for (int i = threadIdx.x; i < 127; i += blockDim.x)\n"
     "  out[i] = out[i] + out[i + 1];\n",
     "Write to a second array in the loop on line 2, and copy it back behind the loop, after "
     "__syncthreads(): the threads do not all run the loop equally often, so that no barrier can be in it.",
     "__shared__ float b[128];\n"
     "for (int i = threadIdx.x; i < 127; i += blockDim.x)\n"
     "  b[i] = out[i] + out[i + 1];\n"
     "__syncthreads();\n"
     "for (int i = threadIdx.x; i < 127; i += blockDim.x) out[i] = b[i];\n"},
    {"IfThatAllThreadsRunAlike", 64, 1,
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "if (gridDim.x < 3) {\n"
     "  s[t] = out[t];\n"
     "  out[t] = s[63 - t];\n"
     "}\n",
     "Put __syncthreads() between line 4 and line 5.",
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "if (gridDim.x < 3) {\n"
     "  s[t] = out[t];\n"
     "  __syncthreads();\n"
     "  out[t] = s[63 - t];\n"
     "}\n"},
    {"LanesOfAWarpInAnIf", 64, 1,
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "s[t] = out[t]; __syncthreads();\n"
     "if (t < 32) {\n"
     "  s[t] += s[t + 32];\n"
     "  if (t < 16)\n"
     "    s[t] += s[t + 16];\n"
     "}\n",
     "Put __syncwarp() between line 5 and the if on line 6.",
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "s[t] = out[t]; __syncthreads();\n"
     "if (t < 32) {\n"
     "  s[t] += s[t + 32];\n"
     "  __syncwarp();\n"
     "  if (t < 16)\n"
     "    s[t] += s[t + 16];\n"
     "}\n"},
    {"HistogramBeforeItsZeros", 64, 1,
     "__shared__ int h[16]; int t = threadIdx.x;\n"
     "if (t < 16) h[t] = 0;\n"
     "atomicAdd(&h[t & 15], 1);\n",
     "Put __syncthreads() between the end of the if on line 3 and line 4.",
     "__shared__ int h[16]; int t = threadIdx.x;\n"
     "if (t < 16) h[t] = 0;\n"
     "__syncthreads();\n"
     "atomicAdd(&h[t & 15], 1);\n"},
    {"AfterAnEarlyReturn", 64, 1,
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "if (t >= 50) return;\n"
     "s[t] = out[t];\n"
     "float v = s[49 - t];\n"
     "out[t] = v;\n",
     "Put __syncthreads() between line 4 and line 5.",
     "__shared__ float s[64]; int t = threadIdx.x;\n"
     "if (t >= 50) return;\n"
     "s[t] = out[t];\n"
     "__syncthreads();\n"
     "float v = s[49 - t];\n"
     "out[t] = v;\n"},
    {"ShiftAcrossBlocks", 32, 2,
     "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "out[i] = out[i + 1];\n",
     "Write to a second array, or read in one launch and write in another.",
     "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "out[i + 64] = i < 63 ? out[i + 1] : 0.0f;\n"},
};

INSTANTIATE_TEST_SUITE_P(Kernels, HazardFixApplied, ::testing::ValuesIn(kApplied),
                         [](const auto& tested) { return std::string(tested.param.name); });

// A barrier in an if that some threads run is what the advice must not lead to.
TEST(HazardFix, ABarrierWithinTheIfIsAFault) {
  const HazardReport report =
      look(body("__shared__ float s[64]; int t = threadIdx.x;\n"
                "s[t] = out[t]; __syncthreads();\n"
                "if (t > 0 && t < 63) {\n  float v = s[t - 1];\n  __syncthreads();\n  s[t] = v;\n}\n"));
  ASSERT_FALSE(report.hazards.empty());
  EXPECT_EQ(report.hazards[0].kind, HazardKind::MissedBarrier) << listAll(report);
}

// What is called twice has its accesses on the lines of one text.
TEST(HazardFix, BetweenTwoCallsOfAFunction) {
  const auto kernel = [](const std::string& between) {
    return testing::launchText(
        "__device__ float reversed(float* s, float v) {\n"
        "  s[threadIdx.x] = v;\n"
        "  __syncthreads();\n"
        "  return s[63 - threadIdx.x];\n"
        "}\n"
        "__global__ void k(float* out) {\n"
        "  __shared__ float s[64];\n"
        "  float a = reversed(s, out[threadIdx.x]);\n" +
            between +
            "  float b = reversed(s, a + 1);\n"
            "  out[threadIdx.x] = b;\n"
            "}\n",
        64, {"f32:hash:128"});
  };
  const HazardReport report = look(kernel(""));
  ASSERT_FALSE(report.hazards.empty());
  EXPECT_SAYS(report.hazards[0].fix);
  expectClean(kernel("  __syncthreads();\n"));
}

/// Two arrays of 64 elements in dynamic shared memory; the second begins at `begin`.
Launch twoArrays(const std::string& second, const std::string& begin, const std::string& barrier = "") {
  Launch launch =
      testing::body("extern __shared__ int raw[];\nint* index = raw;\n" + second + "* value = (" + second +
                    "*)(raw + " + begin + ");\nint t = threadIdx.x;\nvalue[t] = out[t];\n" + barrier +
                    "index[t] = t;\n__syncthreads();\nout[t] = value[index[63 - t]];");
  launch.dynamicSharedBytes = 512;
  return launch;
}

// A barrier would silence the report, and leave the result wrong.
TEST(HazardFix, ArraysThatOverlapNeedRoomAndNoBarrier) {
  for (const char* const second : {"float", "int"}) {
    const HazardReport report = testing::look(twoArrays(second, "8"));
    ASSERT_FALSE(report.hazards.empty()) << second;
    for (const Hazard& hazard : report.hazards) {
      EXPECT_NE(hazard.fix.find("overlap"), std::string::npos) << hazard.message << hazard.fix;
      EXPECT_EQ(hazard.fix.find("Put __sync"), std::string::npos) << hazard.fix;
    }
    EXPECT_SAYS(report.hazards[0].fix);
    testing::expectClean(twoArrays(second, "64"));
  }
}

// Memory that is used again, for numbers of another kind, does need one.
TEST(HazardFix, AnArrayUsedAgainNeedsABarrier) {
  const auto again = [](const std::string& barrier) {
    Launch launch = testing::body(
        "extern __shared__ float s[];\nint* counts = (int*)s;\nint t = threadIdx.x;\n"
        "s[t] = out[t];\n__syncthreads();\nfloat v = s[63 - t];\n" +
        barrier + "counts[t] = t;\n__syncthreads();\nout[t] = v + counts[63 - t];");
    launch.dynamicSharedBytes = 256;
    return launch;
  };
  const HazardReport report = testing::look(again(""));
  EXPECT_EQ(report.hazards.size(), 2u);  // the two orders of one race
  for (const Hazard& hazard : report.hazards)
    EXPECT_EQ(hazard.fix, "Put __syncthreads() between line 7 and line 8.") << hazard.message;
  testing::expectClean(again("__syncthreads();\n"));
}

// A barrier in a critical section would let threads wait for each other forever.
TEST(HazardFix, ALockGivenBackByAStoreNeedsAnAtomic) {
  const auto locked = [](const std::string& unlock) {
    return testing::launchText(
        "__device__ int lock;\n__global__ void k(int* out) {\nif (threadIdx.x % 32 == 0) {\n"
        "while (atomicCAS(&lock, 0, 1) != 0) {}\nout[0] = out[0] + 1;\n" +
            unlock + "\n}\n}\n",
        64, {"i32:zero:4"});
  };
  const HazardReport report = testing::look(locked("lock = 0;"));
  ASSERT_FALSE(report.hazards.empty());
  for (const Hazard& hazard : report.hazards) {
    EXPECT_NE(hazard.fix.find("atomicExch"), std::string::npos) << hazard.message << hazard.fix;
    EXPECT_EQ(hazard.fix.find("Put __sync"), std::string::npos) << hazard.fix;
  }
  EXPECT_SAYS(report.hazards[0].fix);
  testing::expectClean(locked("__threadfence(); atomicExch(&lock, 0);"));
}

}  // namespace
}  // namespace lanescope
