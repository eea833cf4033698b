// What a pointer may reach: the object that it was formed from, for as long as that lives.
#include <gtest/gtest.h>

#include "sim/tests/golden_text.h"
#include "sim/tests/hazard_reports.h"

namespace lanescope {
namespace {

using testing::body;
using testing::expectClean;
using testing::expectHazard;
using testing::kError;

constexpr HazardKind kBounds = HazardKind::OutOfBounds;
constexpr HazardKind kDangling = HazardKind::DanglingPointer;

const std::string kTwo = "__shared__ float a[32]; __shared__ float b[32];\n";

TEST(Bounds, AnIndexThatRunsIntoTheNextSharedArray) {
  const Hazard hazard =
      expectHazard(body(kTwo + "b[threadIdx.x] = 0.0f;\na[threadIdx.x + 32] = 1.0f;", 32), kBounds, kError);
  EXPECT_EQ(hazard.array, "a");
  EXPECT_EQ(hazard.place, "a[32]");
  EXPECT_EQ(hazard.access.line, 4u);
  EXPECT_EQ(hazard.access.verb, "writes");
  EXPECT_TRUE(hazard.isShared);
  expectClean(body(kTwo + "b[threadIdx.x] = 0.0f;\na[threadIdx.x] = 1.0f;", 32));
}

TEST(Bounds, AnIndexBelowASharedArray) {
  expectHazard(body(kTwo + "int i = (int)threadIdx.x - 3;\nb[i] = 1.0f;", 32), kBounds, kError);
  // Below all of shared memory, from the first array and from another.
  expectHazard(body(kTwo + "int i = -1; a[i] = b[0];", 1), kBounds, kError);
  expectHazard(body(kTwo + "int i = -40; b[i] = 1.0f;", 1), kBounds, kError);
}

TEST(Bounds, OneLaneOfAWarpIsEnough) {
  expectHazard(body(kTwo + "a[threadIdx.x] = 1.0f; b[threadIdx.x] = 1.0f; __syncthreads();\n"
                           "out[threadIdx.x] = a[threadIdx.x == 7 ? 45 : threadIdx.x];",
                    32),
               kBounds, kError);
  // Lanes that go to different arrays by one instruction are each within their own.
  expectClean(body(kTwo + "float* p = threadIdx.x % 2 ? a : b;\np[threadIdx.x] = 1.0f;", 32));
}

TEST(Bounds, APointerIsBoundToTheArrayItCameFrom) {
  expectHazard(body(kTwo + "b[0] = 0.0f; float* p = a;\np += 8;\nout[0] = p[24];", 1), kBounds, kError);
  expectHazard(body(kTwo + "b[0] = 0.0f; float4* p = reinterpret_cast<float4*>(a) + 7;\np[1] = *p;", 1),
               kBounds, kError);
  const std::string last = "__device__ float last(const float* x, int n) { return x[n]; }\n";
  Launch launch = body(
      kTwo + "a[threadIdx.x] = b[threadIdx.x] = 1.0f; __syncwarp(); out[threadIdx.x] = last(a, 31);", 32);
  launch.source = testing::makeSource(last + std::string(launch.source->text()));
  expectClean(launch);
  // One past the end may be named and compared; only following it is wrong.
  expectClean(body(kTwo + "float* end = a + 32;\nfor (float* p = a; p != end; ++p) *p = 1.0f;\n"
                          "for (float* p = b + 31; p >= b; --p) *p = 1.0f;\nout[0] = (float)(end - a);",
                   1));
}

TEST(Bounds, RowsOfAnArrayAreOneObject) {
  const std::string tile =
      "__shared__ float tile[4][8]; __shared__ float next[8];\nnext[threadIdx.x] = 0.0f;\n";
  expectClean(body(tile + "for (int i = threadIdx.x; i < 32; i += 8) (&tile[0][0])[i] = 1.0f;\n"
                          "tile[0][threadIdx.x + 8] = 2.0f;",
                   8));
  expectHazard(body(tile + "tile[4][threadIdx.x] = 1.0f;", 8), kBounds, kError);
}

TEST(Bounds, AStructIsOneObject) {
  const auto threads = [](std::uint32_t block) {
    Launch launch = body(
        "__shared__ Pair p; __shared__ int after;\nif (threadIdx.x == 0) after = 1;\n"
        "p.x[threadIdx.x] = 1;",
        block);
    launch.source =
        testing::makeSource("struct Pair { int x[4]; int y[4]; };\n" + std::string(launch.source->text()));
    return launch;
  };
  expectClean(threads(8));
  expectHazard(threads(16), kBounds, kError);
}

TEST(Bounds, AScalarIsAnObjectToo) {
  expectHazard(body("__shared__ int x; __shared__ int y;\ny = 1; int* p = &x;\np[1] = 2;", 1), kBounds,
               kError);
}

TEST(Bounds, DynamicSharedMemoryIsOneObjectOfAllItsNames) {
  const std::string carve =
      "extern __shared__ float s[]; __shared__ float own[32];\nown[threadIdx.x] = 0.0f;\n"
      "float* first = s; float* second = s + 32;\n";
  Launch carved = body(carve +
                           "first[threadIdx.x] = 1.0f; second[threadIdx.x] = 2.0f;\n"
                           "int* third = (int*)(second + 32); third[threadIdx.x] = 3;",
                       32);
  carved.dynamicSharedBytes = 3 * 32 * 4;
  expectClean(carved);
  Launch aliased = body(
      "extern __shared__ float s[]; extern __shared__ int t[];\nif (threadIdx.x == 0) s[0] = 1.0f;\n"
      "__syncthreads();\nif ((float*)t == s) out[threadIdx.x] = t[0];",
      64);
  aliased.dynamicSharedBytes = 4;
  expectClean(aliased);
  Launch beyond = body(carve + "s[threadIdx.x + 1] = 1.0f;", 32);
  beyond.dynamicSharedBytes = 32 * 4;
  expectHazard(beyond, kBounds, kError);
  Launch below = body(carve + "int i = -1; s[i] = 1.0f;", 1);
  below.dynamicSharedBytes = 32 * 4;
  expectHazard(below, kBounds, kError);
  Launch from = body(carve + "own[threadIdx.x + 32] = 1.0f;", 32);
  from.dynamicSharedBytes = 32 * 4;
  expectHazard(from, kBounds, kError);
}

TEST(Bounds, AtomicsAreBoundToo) {
  expectHazard(
      body("__shared__ int a[4]; __shared__ int b[4];\nb[0] = 0; atomicAdd(&a[threadIdx.x + 4], 1);", 1),
      kBounds, kError);
}

TEST(Bounds, SimulateStopsThereToo) {
  // The runs that only count take other ways through memory: neighbours at once, and one lane alone.
  for (const char* store :
       {"a[threadIdx.x + 1] = 1.0f;", "if (threadIdx.x == 31) a[32] = 1.0f;", "a[threadIdx.x * 2] = 1.0f;"}) {
    const auto simulation = simulate(body(kTwo + "b[threadIdx.x] = 0.0f;\n" + store, 32));
    ASSERT_FALSE(simulation.ok()) << store;
    EXPECT_SAYS(simulation.error().message);
    EXPECT_TRUE(simulation.error().isOfRun);
  }
}

TEST(Bounds, LocalArrays) {
  expectHazard(body("int x[4]; int y[4];\ny[0] = 1; x[threadIdx.x] = 1; out[0] = x[0] + y[0];", 8), kBounds,
               kError);
  expectHazard(body("int x[4]; int i = -1;\nx[i] = 1; out[0] = x[0];", 1), kBounds, kError);
}

// --- lifetimes ---

const std::string kHandOver = "__shared__ int* p; int mine = (int)threadIdx.x;\n";

TEST(Lifetimes, ALocalVariableBelongsToItsThread) {
  const Hazard hazard = expectHazard(
      body(kHandOver + "if (threadIdx.x == 5) p = &mine;\n__syncthreads();\nout[threadIdx.x] = *p;"),
      kDangling, kError);
  EXPECT_EQ(hazard.access.line, 5u);
  EXPECT_EQ(hazard.place, "mine");
  EXPECT_TRUE(hazard.isLocal);
  expectClean(body(kHandOver + "if (threadIdx.x == 5) p = &mine;\n__syncthreads();\n"
                               "if (threadIdx.x == 5) out[0] = *p;"));
  expectHazard(body("int x[4]; x[0] = 1; int* q = x;\n"
                    "q = (int*)__shfl_sync(0xffffffff, (unsigned long long)q, 3);\nq[1] = 2;\nout[0] = x[1];",
                    32),
               kDangling, kError);
}

TEST(Lifetimes, AVariableEndsWithItsBlock) {
  expectHazard(body("int* p = nullptr;\n{ int x = 1; p = &x; }\nout[0] = *p;", 1), kDangling, kError);
  expectClean(body("int* p = nullptr; int x = 1;\n{ p = &x; }\nout[0] = *p;", 1));
  // Begun again, by a loop that comes back and by the next block of the grid.
  expectClean(body("for (int i = 0; i < 3; ++i) { int x = i; int* p = &x; *p += 1; out[i] = x; }", 1, 1));
  Launch grid =
      body("{ int x = 1; int* p = &x; *p += 1; if (blockIdx.x == threadIdx.x) out[threadIdx.x] = x; }", 4, 3);
  expectClean(grid);
  EXPECT_TRUE(simulate(grid).ok());
}

TEST(Lifetimes, OfLanesThatLeaveEarly) {
  const std::string start = "int* p = nullptr;\nfor (int i = 0; i < 4; ++i) {\nint x = i; p = &x;\n";
  for (const char* leave :
       {"if (threadIdx.x == 1) break;", "if (threadIdx.x == 1) continue;", "if (threadIdx.x != 1) break;"}) {
    SCOPED_TRACE(leave);
    expectHazard(body(start + leave + "\nx += 1;\n}\nif (threadIdx.x == 1) out[0] = *p;", 2), kDangling,
                 kError);
  }
  expectClean(body(start + "if (threadIdx.x == 1) break;\nx += *p;\nout[threadIdx.x] = *p;\n}", 2));
}

TEST(Lifetimes, OfACaseThatBreaks) {
  const std::string start = "int* p = nullptr;\nswitch (threadIdx.x) {\ncase 0: { int x = 1; p = &x;\n";
  expectHazard(
      body(start + "if (*p == 1) break; }\ndefault: break;\n}\nif (threadIdx.x == 0) out[0] = *p;", 2),
      kDangling, kError);
  // From within an if, and followed by the code of another case in the next iteration.
  expectHazard(
      body("int* p = nullptr;\nswitch (threadIdx.x & 1) {\ncase 1: if (out[0] != 2) { int y = 1; p = &y; "
           "break; }\nbreak;\n}\nif (p) out[threadIdx.x] = *p;",
           2),
      kDangling, kError);
  expectHazard(body("int* p = nullptr;\nint sum = 0;\nfor (int i = 0; i < 2; ++i) {\nswitch (i) {\ncase 0: { "
                    "int x = 1; p = &x; break; }\ndefault: sum += *p;\n}\n}\nout[threadIdx.x] = sum;",
                    2),
               kDangling, kError);
  expectClean(body(
      "for (int i = 0; i < 3; ++i) {\nswitch (i & 1) {\ncase 0: { int x = i; int* p = &x; *p += 1; "
      "out[threadIdx.x] = x; break; }\ndefault: { int y = 2; int* q = &y; out[threadIdx.x] = *q; }\n}\n}",
      2));
}

TEST(Lifetimes, AFunctionsVariablesEndWhenItReturns) {
  const auto with = [](const std::string& function, const std::string& code) {
    Launch launch = body(code, 2);
    launch.source = testing::makeSource(function + "\n" + std::string(launch.source->text()));
    return launch;
  };
  expectHazard(with("__device__ int* keep(int v) { int x = v; if (v > 0) return &x; x = 2; return &x; }",
                    "int* p = keep(threadIdx.x);\nout[0] = *p;"),
               kDangling, kError);
  expectHazard(with("__device__ int* keep(int v) { return &v; }", "int* p = keep(3);\nout[0] = *p;"),
               kDangling, kError);
  expectHazard(with("__device__ int* same(int* a) { int** q = &a; return *q; }",
                    "int* p = nullptr;\n{ int x = 1; p = same(&x); }\nout[0] = *p;"),
               kDangling, kError);
  // A function that hands on what it was given by reference, by way of another.
  expectHazard(with("__device__ void note(int& r, int** where) { *where = &r; }\n"
                    "__device__ void noteToo(int& r, int** where) { note(r, where); }",
                    "int* p = nullptr;\n{ int x = 1; noteToo(x, &p); }\nout[0] = *p;"),
               kDangling, kError);
  expectClean(with(
      "__device__ int& larger(int& a, int& b) { return a > b ? a : b; }\n"
      "__device__ void swap(int& a, int& b) { int t = a; a = b; b = t; }\n"
      "__device__ void sort(int* x, int n) { for (int i = 0; i + 1 < n; ++i) for (int j = 0; j + 1 < n; "
      "++j) if (x[j] > x[j + 1]) swap(x[j], x[j + 1]); }",
      "for (int i = 0; i < 2; ++i) {\nint x[4] = {4, 3, 2, 1}; int u = i, v = 2;\nsort(x, 4); swap(u, v);\n"
      "out[threadIdx.x] = x[0] + u + v; }"));
}

}  // namespace
}  // namespace lanescope
