// Accesses that nothing orders and that do no harm are no hazard; their likes that do harm are.
#include <gtest/gtest.h>

#include "sim/tests/hazard_reports.h"

namespace lanescope {
namespace {

using testing::expectClean;
using testing::expectHazard;
using testing::kError;
using testing::kWarning;
using testing::launchText;

Launch ofTwo(const std::string& text, std::uint32_t block, std::uint32_t grid,
             const std::vector<std::string>& arguments) {
  Launch launch = launchText(text, block, arguments);
  launch.grid.x = grid;
  return launch;
}

/// Thread 0 of one warp, or block, writes and sets a flag; that of another waits for it and reads.
std::string handshake(const std::string& flag, const std::string& fence, bool isOfBlocks) {
  const std::string writes = isOfBlocks ? "blockIdx.x == 0" : "threadIdx.x < 32";
  return "__global__ void k(" + flag + " flag, int* data, int* out) {\n  if (threadIdx.x % 32) return;\n" +
         "  if (" + writes + ") {\n    data[0] = 42;\n    " + fence +
         "\n    flag[0] = 1;\n  } else {\n    while (flag[0] == 0);\n    out[0] = data[0];\n  }\n}\n";
}

TEST(BenignRaces, AVolatileFlagBehindAFence) {
  const std::vector<std::string> arguments = {"i32:zero:1", "i32:zero:1", "i32:zero:1"};
  for (const bool isOfBlocks : {false, true}) {
    const auto launch = [&](const std::string& flag, const std::string& fence) {
      return ofTwo(handshake(flag, fence, isOfBlocks), isOfBlocks ? 32 : 64, isOfBlocks ? 2 : 1, arguments);
    };
    expectClean(launch("volatile int*", "__threadfence();"));
    expectHazard(launch("volatile int*", ""), HazardKind::ReadAfterWrite, kError);
    // A compiler may read a plain flag once.
    expectHazard(launch("int*", "__threadfence();"), HazardKind::ReadAfterWrite, kError);
  }
}

TEST(BenignRaces, AVolatileFlagInSharedMemoryAndOneAtFileScope) {
  expectClean(launchText(R"(__global__ void k(int* out) {
  __shared__ volatile int flags[2];
  __shared__ int d[32];
  if (threadIdx.x < 2) flags[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    d[threadIdx.x] = threadIdx.x;
    __syncwarp();
    if (threadIdx.x == 0) {
      __threadfence_block();
      flags[1] = 1;
    }
  } else {
    if (threadIdx.x == 32) while (!flags[1]) {}
    __syncwarp();
    out[threadIdx.x] = d[threadIdx.x - 32];
  }
})",
                         64, {"i32:zero:64"}));
  expectClean(ofTwo(R"(__device__ volatile int ready;
__global__ void k(int* data, int* out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    ready = 1;
  } else {
    while (ready == 0);
    out[0] = data[0];
  }
})",
                    32, 2, {"i32:zero:1", "i32:zero:1"}));
}

TEST(BenignRaces, AFlagThatPassesOnAnotherNeedsAFenceToo) {
  const auto chain = [](const std::string& fence) {
    return ofTwo(
        "__global__ void k(volatile int* flags, int* data, int* out) {\n  if (threadIdx.x % 32) return;\n"
        "  if (threadIdx.x == 0) {\n    data[0] = 42;\n    __threadfence();\n    flags[0] = 1;\n"
        "  } else if (threadIdx.x == 32) {\n    while (flags[0] == 0);\n    " +
            fence +
            "\n    flags[1] = 1;\n  } else {\n    while (flags[1] == 0);\n    out[0] = data[0];\n  }\n}\n",
        96, 1, {"i32:zero:2", "i32:zero:1", "i32:zero:1"});
  };
  expectClean(chain("__threadfence();"));
  expectHazard(chain(""), HazardKind::ReadAfterWrite, kError);
}

TEST(BenignRaces, ALockWithTickets) {
  for (const bool isOfBlocks : {false, true}) {
    expectClean(ofTwo(R"(__global__ void k(unsigned* next, volatile unsigned* serving, int* counter) {
  if (threadIdx.x % 32) return;
  unsigned ticket = atomicAdd(next, 1u);
  while (*serving != ticket);
  *counter += 1;
  __threadfence();
  *serving = ticket + 1;
})",
                      isOfBlocks ? 32 : 128, isOfBlocks ? 4 : 1, {"u32:zero:1", "u32:zero:1", "i32:zero:1"}));
  }
}

TEST(BenignRaces, AVolatileWordThatIsAddedUpNeedsABarrier) {
  expectHazard(launchText(R"(__global__ void k(float* out) {
  __shared__ volatile float s[128];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2)
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  if (threadIdx.x == 0) out[0] = s[0];
})",
                          128, {"f32:zero:1"}),
               HazardKind::WriteAfterRead, kError);
}

constexpr const char* kRelax = R"(__global__ void k(int* dist, int* changed, int* other) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  int u = (v * 5 + 3) % 128;
  int d = dist[v];
  if (d + 1 < dist[u]) {
    OPERATION;
    *changed = 1;
  }
})";

std::string with(std::string text, const std::string& operation) {
  text.replace(text.find("OPERATION"), 9, operation);
  return text;
}

TEST(BenignRaces, ARelaxationWithAMinimum) {
  const std::vector<std::string> arguments = {"i32:hash:128", "i32:zero:1", "i32:zero:128"};
  const auto report = testing::look(ofTwo(with(kRelax, "atomicMin(&dist[u], d + 1)"), 64, 2, arguments));
  for (const Hazard& hazard : report.hazards) {
    EXPECT_EQ(hazard.array, "changed") << hazard.message;
    EXPECT_EQ(hazard.severity, kWarning) << hazard.message;
  }
  // A plain minimum loses updates; a sum, and a minimum elsewhere, do not check again.
  expectHazard(ofTwo(with(kRelax, "dist[u] = d + 1"), 64, 2, arguments), HazardKind::ReadAfterWrite, kError);
  expectHazard(ofTwo(with(kRelax, "atomicAdd(&dist[u], d - 100)"), 64, 2, arguments),
               HazardKind::ReadAfterWrite, kError);
  expectHazard(ofTwo(with(kRelax, "atomicMin(&dist[u], d + 1); other[u] = d"), 64, 2, arguments),
               HazardKind::ReadAfterWrite, kError);
}

TEST(BenignRaces, WhoHasTheMaximumIsNoRelaxation) {
  expectHazard(ofTwo(R"(__global__ void k(int* a, int* best, int* who) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax(best, a[i]);
  if (*best == a[i]) who[0] = i;
})",
                     64, 2, {"i32:hash:128", "i32:zero:1", "i32:zero:1"}),
               HazardKind::WriteAfterRead, kError);
}

/// Vertices of level 0, and others of none yet, which several of the former lead to.
Launch levels(const std::string& operation, const std::string& leaves = "level[v] != depth") {
  std::string text = "__device__ int level[128] = {";
  for (int v = 0; v < 128; ++v) text += v % 3 == 0 ? "0, " : "-1, ";
  text += R"(};
__global__ void k(int depth, int* changed, int* parent) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (LEAVES) return;
  for (int e = 1; e < 5; ++e) {
    int u = (v * e + 17 * e) % 128;
    if (level[u] == -1) {
      OPERATION
    }
  }
})";
  text.replace(text.find("LEAVES"), 6, leaves);
  return ofTwo(with(text, operation), 64, 2, {"i32=0", "i32:zero:1", "i32:zero:128"});
}

TEST(BenignRaces, ABreadthFirstSearchThatStoresOneLevel) {
  const auto arrays = [](const Launch& launch) {
    std::string errors;
    for (const Hazard& hazard : testing::look(launch).hazards) {
      if (hazard.severity == kError || hazard.kind != HazardKind::WriteAfterWrite)
        errors += hazard.array + ": " + hazard.message + "\n";
    }
    return errors;
  };
  EXPECT_EQ(arrays(levels("level[u] = depth + 1; *changed = 1;")), "");
  EXPECT_EQ(arrays(levels("if (atomicCAS(&level[u], -1, depth + 1) == -1) *changed = 1;")), "");
  // Whose child it is, how many there are, and a vertex of the level that is stored depend on the order.
  EXPECT_NE(arrays(levels("level[u] = depth + 1; parent[u] = v;")), "");
  EXPECT_NE(arrays(levels("level[u] = depth + 1; atomicAdd(changed, 1);")), "");
  EXPECT_NE(arrays(levels("level[u] = depth + 1;", "level[v] == -1")), "");
  EXPECT_NE(arrays(levels("level[u] = v;")).find("level["), std::string::npos);
  EXPECT_EQ(arrays(levels("level[u] = v;")).find("level[0]"), std::string::npos);
}

// Thread 32 finds the value before the barrier or the 7: only for the 7 it matters which. That the value
// before was one of two no longer matters then.
TEST(BenignRaces, ARaceBeforeABarrierIsOverAfterIt) {
  const auto isRead = [](const std::string& value) {
    const HazardReport report = testing::look(ofTwo(
        "__global__ void k(int* out) {\n  __shared__ int s;\n  s = threadIdx.x / 32;\n  __syncthreads();\n"
        "  if (threadIdx.x == 0) s = 7;\n  if (threadIdx.x == 32) {\n    if (s == " +
            value + ") out[0] = 1;\n  }\n}\n",
        64, 1, {"i32:zero:1"}));
    EXPECT_FALSE(report.hazards.empty());
    return std::ranges::any_of(
        report.hazards, [](const Hazard& hazard) { return hazard.kind == HazardKind::ReadAfterWrite; });
  };
  EXPECT_FALSE(isRead("2"));
  EXPECT_TRUE(isRead("7"));
}

// Each byte compared alone would differ from the word before and after.
TEST(BenignRaces, AWordIsComparedAsAWholeIfAByteWasStored) {
  expectHazard(ofTwo(R"(__global__ void k(unsigned* a, int* out) {
  if (threadIdx.x == 0) {
    ((unsigned char*)a)[64] = 1;
    a[0] = 0x01010101u;
  }
  __syncthreads();
  if (threadIdx.x == 0) a[0] = 0x02020202u;
  if (threadIdx.x == 32) {
    if (a[0] == 0x02020202u) out[0] = 1;
  }
})",
                     64, 1, {"u32:zero:64", "i32:zero:1"}),
               HazardKind::ReadAfterWrite, kError);
}

TEST(BenignRaces, AnAtomicThatTakesItsWordOneWayMayComeAgain) {
  const auto launch = [](const std::string& test, const std::string& atomic) {
    return ofTwo(
        "__global__ void k(int* flags) {\n"
        "  int u = (blockIdx.x * blockDim.x + threadIdx.x) * 7 % 32;\n"
        "  int d = flags[u];\n  if (" +
            test + ") " + atomic + ";\n}\n",
        64, 2, {"i32:hash:32"});
  };
  expectClean(launch("d & 4", "atomicAnd(&flags[u], ~4)"));
  expectClean(launch("!(d & 4)", "atomicOr(&flags[u], 4)"));
  expectClean(launch("d > 4", "atomicMin(&flags[u], 4)"));
  expectClean(launch("d < 4", "atomicMax(&flags[u], 4)"));
  for (const char* atomic :
       {"atomicXor(&flags[u], 4)", "atomicSub(&flags[u], 4)", "atomicExch(&flags[u], 0)"})
    expectHazard(launch("d & 4", atomic), HazardKind::ReadAfterWrite, kError);
}

// A thread that finds another's store of the same value leaves what it would have left; of 16 bytes only a
// part is known to be the same.
TEST(BenignRaces, AStoreOfSixteenBytesIsNotKnownToBeOneValue) {
  const auto launch = [](const std::string& vector, const std::string& values) {
    return ofTwo(
        "__global__ void k(int* a) {\n"
        "  int v = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  int* at = a + v % 32 * 4;\n"
        "  if (*at == 0) *(" +
            vector + "*)at = make_" + vector + values + ";\n}\n",
        64, 2, {"i32:zero:128"});
  };
  expectClean(launch("int2", "(5, 6)"));
  expectHazard(launch("int2", "(5, v)"), HazardKind::ReadAfterWrite, kError);
  expectHazard(launch("int4", "(5, 6, 7, v)"), HazardKind::ReadAfterWrite, kError);
}

TEST(BenignRaces, AStoreThatItsOwnWordDoesNotDecideIsNone) {
  expectHazard(ofTwo(R"(__global__ void k(int* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (a[i] > 0) a[(i + 64) % 128] = 0;
})",
                     64, 2, {"i32:ones:128"}),
               HazardKind::ReadAfterWrite, kError);
}

}  // namespace
}  // namespace lanescope
