// Every kind of hazard: a kernel that has it, with what the report says, and its mended twin, clean.
#include "sim/trace/hazards.h"

#include "sim/tests/hazard_reports.h"

namespace lanescope {
namespace {

using testing::body;
using testing::expectClean;
using testing::expectHazard;
using testing::kError;
using testing::kWarning;

TEST(Hazards, ReadAfterWriteAcrossWarps) {
  const std::string write = "__shared__ float s[64];\ns[threadIdx.x] = 1.0f;\n";
  const std::string read = "out[threadIdx.x] = s[63 - threadIdx.x];";
  const Hazard hazard = expectHazard(body(write + "\n" + read), HazardKind::ReadAfterWrite, kError);
  EXPECT_EQ(hazard.array, "s");
  EXPECT_EQ(hazard.place, "s[31]");
  EXPECT_TRUE(hazard.isShared);
  EXPECT_EQ(hazard.scope, HazardScope::Block);
  EXPECT_EQ(hazard.count, 32u);
  ASSERT_TRUE(hazard.earlier.has_value());
  EXPECT_EQ(hazard.earlier->line, 3u);
  EXPECT_EQ(hazard.earlier->thread.x, 31u);
  EXPECT_EQ(hazard.earlier->verb, "writes");
  EXPECT_EQ(hazard.access.warp, 1u);
  EXPECT_EQ(hazard.access.lane, 0u);
  expectClean(body(write + "__syncthreads();\n" + read));
}

TEST(Hazards, WriteAfterReadAcrossWarps) {
  const std::string fill = "__shared__ float s[64];\ns[threadIdx.x] = 1.0f; __syncthreads();\n";
  const std::string read = "float x = s[63 - threadIdx.x];\n";
  const std::string write = "s[threadIdx.x] = x;";
  expectHazard(body(fill + read + write), HazardKind::WriteAfterRead, kError);
  expectClean(body(fill + read + "__syncthreads();" + write));
}

TEST(Hazards, WriteAfterWriteAcrossWarps) {
  const std::string start = "__shared__ float s[32];\n";
  expectHazard(body(start + "s[threadIdx.x % 32] = (float)threadIdx.x;"), HazardKind::WriteAfterWrite,
               kError);
  expectClean(body(start + "if (threadIdx.x < 32) s[threadIdx.x] = (float)threadIdx.x;"));
}

TEST(Hazards, TwoWritesOfOneValueAreAWarning) {
  expectHazard(body("__shared__ int found[1];\nfound[0] = 1;"), HazardKind::WriteAfterWrite, kWarning);
  expectHazard(body("out[threadIdx.x % 32] = 2.0f;"), HazardKind::WriteAfterWrite, kWarning);
}

// Lane 0 overwrites what lane 1 left with what thread 32 leaves too: the 5 may be there in the end all the
// same.
TEST(Hazards, AnotherValueCountsThoughItWasOverwrittenInBetween) {
  const std::string first = "if (threadIdx.x == 1) out[1] = 5.0f;\n";
  const std::string then = "if (threadIdx.x % 32 == 0) out[1] = 2.0f;";
  expectHazard(body(first + then), HazardKind::WriteAfterWrite, kError);
  // Ordered before lane 0's, the 5 never stays.
  expectHazard(body(first + "__syncwarp();\n" + then), HazardKind::WriteAfterWrite, kWarning);
}

TEST(Hazards, TwoLanesOfOneInstructionWriteOneWord) {
  const Hazard hazard = expectHazard(body("out[threadIdx.x / 2] = (float)threadIdx.x;", 32),
                                     HazardKind::WriteAfterWrite, kError);
  EXPECT_EQ(hazard.scope, HazardScope::Warp);
  EXPECT_FALSE(hazard.isShared);
  EXPECT_EQ(hazard.count, 16u);
}

TEST(Hazards, LanesOfAWarpNeedSyncwarp) {
  const std::string write = "__shared__ float s[32];\ns[threadIdx.x] = 1.0f;\n";
  const std::string read = "out[threadIdx.x] = s[31 - threadIdx.x];";
  const Hazard hazard = expectHazard(body(write + read, 32), HazardKind::ReadAfterWrite, kWarning);
  EXPECT_EQ(hazard.scope, HazardScope::Warp);
  expectClean(body(write + "__syncwarp();\n" + read, 32));
  expectClean(body(write + "__syncthreads();\n" + read, 32));
  // A shuffle exchanges registers; it orders no memory.
  expectHazard(
      body(write + "float x = __shfl_down_sync(0xffffffff, 1.0f, 1); out[threadIdx.x + 32] = x;" + read, 32),
      HazardKind::ReadAfterWrite, kWarning);
}

TEST(Hazards, SyncwarpOrdersTheLanesOfItsMaskOnly) {
  const std::string write = "__shared__ float s[32];\ns[threadIdx.x] = 1.0f;\n";
  const std::string half = "__syncwarp(threadIdx.x < 16 ? 0xffffu : 0xffff0000u);\n";
  expectClean(body(write + half + "out[threadIdx.x] = s[threadIdx.x ^ 15];", 32));
  expectHazard(body(write + half + "out[threadIdx.x] = s[31 - threadIdx.x];", 32), HazardKind::ReadAfterWrite,
               kWarning);
  // What lane 0 learned from lanes 1 to 15 it hands on to the others.
  const std::string chain =
      "if (threadIdx.x < 16) { __syncwarp(0xffffu); }\n"
      "if (threadIdx.x == 0 || threadIdx.x > 15) { __syncwarp(0xffff0001u); }\n";
  expectClean(body(write + chain + "if (threadIdx.x > 15) out[threadIdx.x] = s[31 - threadIdx.x];", 32));
}

TEST(Hazards, OneThreadAloneIsNone) {
  expectClean(
      body("__shared__ float s[64]; s[threadIdx.x] = 1.0f; s[threadIdx.x] += 2.0f;\n"
           "out[threadIdx.x] = s[threadIdx.x]; out[threadIdx.x] += 1.0f;"));
}

TEST(Hazards, GlobalMemoryOfABlock) {
  const std::string write = "out[threadIdx.x] = 1.0f;\n";
  const std::string read = "float x = out[63 - threadIdx.x]; out[64 + threadIdx.x] = x;";
  const Hazard hazard = expectHazard(body(write + read), HazardKind::ReadAfterWrite, kError);
  EXPECT_FALSE(hazard.isShared);
  expectClean(body(write + "__syncthreads();" + read));
}

TEST(Hazards, BlocksHaveNoOrder) {
  const Hazard writes = expectHazard(body("if (threadIdx.x == 0) out[0] = (float)blockIdx.x;", 32, 2),
                                     HazardKind::WriteAfterWrite, kError);
  EXPECT_EQ(writes.scope, HazardScope::Grid);
  expectHazard(
      body("out[blockIdx.x] = 1.0f; __syncthreads(); float x = out[blockIdx.x ^ 1]; out[2 + blockIdx.x] = x;",
           1, 2),
      HazardKind::ReadAfterWrite, kError);
  expectHazard(body("float x = out[blockIdx.x + 1]; out[blockIdx.x] = x;", 1, 3), HazardKind::WriteAfterRead,
               kError);
  expectClean(body("if (threadIdx.x == 0) out[blockIdx.x] = (float)blockIdx.x;", 32, 2));
  // Shared memory is each block's own.
  expectClean(body(
      "__shared__ float s[32]; s[threadIdx.x] = 1.0f; out[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x];",
      32, 4));
}

TEST(Hazards, AtomicsRaceWithPlainAccessesOnly) {
  const std::string zero = "__shared__ int n[1];\nif (threadIdx.x == 0) n[0] = 0;\n";
  const std::string add = "atomicAdd(n, 1);\n";
  const std::string read = "out[threadIdx.x] = (float)n[0];";
  expectClean(body(zero + "__syncthreads();" + add + "__syncthreads();" + read));
  expectHazard(body(zero + add + "__syncthreads();" + read), HazardKind::WriteAfterWrite, kError);
  expectHazard(body(zero + "__syncthreads();" + add + read), HazardKind::WriteAfterRead, kError);
  expectHazard(body("__shared__ int n;\natomicAdd(&n, 1); __syncthreads(); out[threadIdx.x] = (float)n;"),
               HazardKind::UninitializedShared, kError);
  expectClean(body("atomicAdd(out, 1.0f);", 64, 4));
  expectHazard(
      body("if (threadIdx.x == 0) atomicAdd(out, 1.0f);\nif (threadIdx.x == 0) out[1 + blockIdx.x] = out[0];",
           32, 2),
      HazardKind::WriteAfterRead, kError);
}

/// The last block to finish sums up what all left: the guide's example of a memory fence.
std::string lastBlock(const std::string& fence, const std::string& ticket) {
  return "__shared__ bool isLast;\nif (threadIdx.x == 0) {\nout[blockIdx.x] = 1.0f;\n" + fence +
         "\nisLast = " + ticket +
         " == gridDim.x - 1;\n}\n__syncthreads();\nif (isLast) {\nfloat x = out[threadIdx.x % gridDim.x];\n"
         "out[64 + threadIdx.x] = x; }";
}

Launch twoBuffers(const std::string& code) {
  Launch launch = testing::launchText("__global__ void k(float* out, unsigned* count) {\n" + code + "\n}\n",
                                      64, {"f32:zero:128", "u32:zero:1"});
  launch.grid.x = 8;
  return launch;
}

TEST(Hazards, AFenceAndAnAtomicHandOverBetweenBlocks) {
  expectClean(twoBuffers(lastBlock("__threadfence();", "atomicAdd(count, 1u)")));
  expectHazard(twoBuffers(lastBlock("", "atomicAdd(count, 1u)")), HazardKind::ReadAfterWrite, kError);
  expectHazard(twoBuffers(lastBlock("__threadfence_block();", "atomicAdd(count, 1u)")),
               HazardKind::ReadAfterWrite, kError);
  // Who does not look at the atomic's result has not waited for anyone.
  expectHazard(
      twoBuffers("if (threadIdx.x == 0) {\nout[blockIdx.x] = 1.0f; __threadfence(); atomicAdd(count, 1u);\n"
                 "out[64 + blockIdx.x] = out[0]; }"),
      HazardKind::ReadAfterWrite, kError);
}

TEST(Hazards, TilesOfAWarp) {
  Launch launch = testing::launchText(
      "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
      "__global__ void k(float* out) {\n__shared__ float s[64];\n"
      "auto tile = cg::tiled_partition<16>(cg::this_thread_block());\ns[threadIdx.x] = 1.0f;\n"
      "tile.sync();\nout[threadIdx.x] = s[threadIdx.x ^ 15] + tile.shfl_xor(1.0f, 1);\n}\n",
      64, {"f32:zero:64"});
  expectClean(launch);
  std::string text(launch.source->text());
  launch.source = testing::makeSource(text.replace(text.find("^ 15"), 4, "^ 16"));
  expectHazard(launch, HazardKind::ReadAfterWrite, kWarning);
}

TEST(Hazards, VectorsAreAsManyBytesAsTheyHave) {
  const std::string store = "float4* v = (float4*)out;\n";
  expectClean(body(store + "v[threadIdx.x % 32] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);", 32));
  expectHazard(body(store + "v[threadIdx.x / 2] = make_float4(1.0f, 2.0f, 3.0f, (float)threadIdx.x);", 32),
               HazardKind::WriteAfterWrite, kError);
  expectHazard(body(store + "v[threadIdx.x / 2] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);", 32),
               HazardKind::WriteAfterWrite, kWarning);
  expectHazard(body(store + "if (threadIdx.x < 32) v[threadIdx.x] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);\n"
                            "float x = out[threadIdx.x + 1]; if (x > 9.0f) out[0] = x;"),
               HazardKind::ReadAfterWrite, kError);
}

TEST(Hazards, ThreadsHaveLocalMemoryOfTheirOwn) {
  expectClean(
      body("float own[4]; for (int i = 0; i < 4; ++i) own[i] = (float)threadIdx.x;\n"
           "out[threadIdx.x] = own[threadIdx.x % 4];"));
  expectHazard(body("float own[4]; int i = threadIdx.x; own[i] = 1.0f; out[threadIdx.x] = own[0];"),
               HazardKind::OutOfBounds, kError);
  expectHazard(body("assert(threadIdx.x < 7);"), HazardKind::FailedAssertion, kError);
}

TEST(Hazards, AReadThatAnAtomicCasChecksIsOnlyAGuess) {
  const std::string loop =
      "unsigned* p = (unsigned*)out; unsigned old = *p, assumed;\n"
      "do { assumed = old;\n  old = atomicCAS(p, assumed, __float_as_uint(__uint_as_float(assumed) + "
      "1.0f));\n"
      "} while (assumed != old);\n";
  expectClean(body(loop));
  expectClean(body(loop, 64, 3));
  expectClean(
      body("__shared__ unsigned s; if (threadIdx.x == 0) s = 0; __syncthreads();\n"
           "unsigned old = s, assumed; do { assumed = old; old = atomicCAS(&s, assumed, assumed + 1); }\n"
           "while (assumed != old);\n"));
  // The same read, used: nothing checks it.
  expectHazard(body(loop + "out[64 + threadIdx.x] = *out;"), HazardKind::ReadAfterWrite, kWarning);
  // What some threads read leaves them nothing to change: a maximum of floats.
  const std::string maximum =
      "int* p = (int*)out; float own = 63 - threadIdx.x; int old = *p;\n"
      "while (own > __int_as_float(old)) {\n  int assumed = old;\n"
      "  old = atomicCAS(p, assumed, __float_as_int(own)); if (old == assumed) break;\n}\n";
  expectClean(body(maximum, 64, 3));
  // A second read of the word, which no thread checks.
  expectHazard(body(maximum + "if (threadIdx.x > 40) out[threadIdx.x] = *out;"), HazardKind::ReadAfterWrite,
               kError);
  expectHazard(body("unsigned* p = (unsigned*)out; if (threadIdx.x < 32) atomicCAS(p, 0u, 1u);\n"
                    "else out[threadIdx.x] = *p;"),
               HazardKind::ReadAfterWrite, kError);
}

TEST(Hazards, NarrowAccessesDoNotTouchTheirNeighbours) {
  Launch launch = testing::launchText(
      "__global__ void k(unsigned char* out) {\n  out[threadIdx.x] = (unsigned char)threadIdx.x;\n}\n", 64,
      {"u8:zero:64"});
  expectClean(launch);
  // A word that was written before is known byte by byte afterwards.
  expectHazard(body("unsigned char* b = (unsigned char*)out; out[threadIdx.x] = 1.0f; b[threadIdx.x] = 3;"),
               HazardKind::WriteAfterWrite, kError);
}

TEST(Hazards, ADoubleIsOneReportNotTwo) {
  Launch launch = testing::launchText(
      "__global__ void k(double* out) {\n  out[threadIdx.x % 32] = (double)threadIdx.x;\n}\n", 64,
      {"f64:zero:64"});
  EXPECT_EQ(expectHazard(launch, HazardKind::WriteAfterWrite, kError).count, 32u);
}

TEST(Hazards, PlacesInArraysOfMoreDimensions) {
  expectHazard(body("__shared__ float tile[8][9];\ntile[threadIdx.x / 8][threadIdx.x % 8] = 1.0f;\n"
                    "out[threadIdx.x] = tile[threadIdx.x % 8][threadIdx.x / 8];"),
               HazardKind::ReadAfterWrite, kError);
}

TEST(Hazards, SharedMemoryThatNothingWrote) {
  const std::string read = "__shared__ float s[65];\n s[threadIdx.x] = 1.0f; __syncthreads();\n";
  const Hazard hazard = expectHazard(body(read + "out[threadIdx.x] = s[threadIdx.x + 1];"),
                                     HazardKind::UninitializedShared, kError);
  EXPECT_EQ(hazard.count, 1u);
  expectClean(body(read + "out[threadIdx.x] = s[63 - threadIdx.x];"));
  // The next block starts anew.
  expectHazard(
      body("__shared__ float s[1]; if (blockIdx.x == 0) s[0] = 1.0f;\nout[blockIdx.x] = s[0];", 1, 2),
      HazardKind::UninitializedShared, kError);
}

TEST(Hazards, FaultsAreHazardsToo) {
  expectHazard(body("out[threadIdx.x + 65] = 1.0f;"), HazardKind::OutOfBounds, kError);
  expectHazard(body("float x = out[-1]; out[0] = x;", 1), HazardKind::OutOfBounds, kError);
  expectHazard(body("__shared__ float s[8]; s[threadIdx.x] = 1.0f;", 16), HazardKind::OutOfBounds, kError);
  expectHazard(body("double* d = (double*)(out + 1); d[0] = 1.0;", 1), HazardKind::Misaligned, kError);
  expectHazard(body("float* p = (float*)0ull; p[0] = 1.0f;", 1), HazardKind::NullPointer, kError);
  expectHazard(body("float* p = (float*)0x123456789abcdef0ull; p[0] = 1.0f;", 1), HazardKind::DanglingPointer,
               kError);
  Launch endless = body("out[0] = 1.0f;\nwhile (true) {}", 1);
  endless.limits.warpInstructions = 100000;
  expectHazard(endless, HazardKind::EndlessLoop, kError);
}

/// The first lane of each warp adds to a sum while it holds a lock.
std::string lockedSum(const std::string& lock, const std::string& fence) {
  return "__shared__ int locks[2];\n__shared__ float sum;\n"
         "if (threadIdx.x < 2) { locks[threadIdx.x] = 0; sum = 0.0f; }\n__syncthreads();\n"
         "if (threadIdx.x % 32 == 0) {\nwhile (atomicCAS(&" +
         lock + ", 0, 1) != 0) {}\nsum += 1.0f;\n" + fence + "\natomicExch(&" + lock +
         ", 0);\n}\n__syncthreads();\nif (threadIdx.x == 0) out[0] = sum;";
}

TEST(Hazards, ALockOrdersWhatItsHoldersDo) {
  const auto isOfSum = [](const Hazard& hazard) { return hazard.message.find("sum") != std::string::npos; };
  const auto isRaced = [&](const std::string& text) {
    const HazardReport report = testing::look(body(text));
    return std::ranges::any_of(report.hazards, [&](const Hazard& hazard) {
      return isOfSum(hazard) && hazard.scope == HazardScope::Block;
    });
  };
  const auto hasRace = [&](const std::string& lock, const std::string& fence) {
    return isRaced(lockedSum(lock, fence));
  };
  const auto exchanged = [](std::string text) {  // while (atomicExch(&lock, 1) != 0) {}
    text.replace(text.find("atomicCAS"), 9, "atomicExch");
    return text.erase(text.find(", 0, 1)"), 3);
  };
  EXPECT_FALSE(hasRace("locks[0]", "__threadfence();"));
  EXPECT_FALSE(isRaced(exchanged(lockedSum("locks[0]", "__threadfence();"))));
  EXPECT_TRUE(isRaced(exchanged(lockedSum("locks[0]", ""))));
  EXPECT_TRUE(hasRace("locks[0]", ""));
  EXPECT_TRUE(hasRace("locks[threadIdx.x / 32]", "__threadfence();"));
  // Thread 32 held the lock only before thread 0 did.
  const auto adds = [](const std::string& thread) {
    return "if (threadIdx.x == " + thread +
           ") {\nwhile (atomicCAS(&locks[0], 0, 1) != 0) {}\nsum += 1.0f;\n__threadfence();\n"
           "atomicExch(&locks[0], 0);\n}\n";
  };
  const std::string both =
      "__shared__ int locks[1];\n__shared__ float sum;\nif (threadIdx.x == 0) { locks[0] = 0; sum = 0.0f; }\n"
      "__syncthreads();\n" +
      adds("32") + "__syncthreads();\n" + adds("0");
  EXPECT_FALSE(isRaced(both + adds("32")));
  EXPECT_TRUE(isRaced(both + "if (threadIdx.x == 32) out[0] = sum;"));
}

TEST(Hazards, AdviseTheFenceThatALockLacks) {
  const auto areAdvised = [](const Launch& launch) {
    const HazardReport report = testing::look(launch);
    EXPECT_FALSE(report.hazards.empty());
    return std::ranges::all_of(report.hazards, [](const Hazard& hazard) {
      return hazard.fix.find("call __threadfence() before the atomicExch()") != std::string::npos;
    });
  };
  // Blocks that take turns at a lock in global memory.
  const auto ofBlocks = [](const std::string& lock) {
    Launch launch = testing::launchText(
        "__device__ unsigned locks[4];\n__global__ void k(float* out) {\nif (threadIdx.x == 0) {\n"
        "while (atomicCAS(&" +
            lock + ", 0u, 1u) != 0u) {}\nout[0] = out[0] + 1.0f;\natomicExch(&" + lock + ", 0u);\n}\n}\n",
        64, {"f32:hash:128"});
    launch.grid.x = 4;
    return launch;
  };
  EXPECT_TRUE(areAdvised(ofBlocks("locks[0]")));
  EXPECT_FALSE(areAdvised(ofBlocks("locks[blockIdx.x]")));  // each has its own
}

}  // namespace
}  // namespace lanescope
