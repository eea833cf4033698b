// Pointers and references to arrays, loops over them, overloads by const, and what constant expressions know.
#include <gtest/gtest.h>
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "sim/language/check/checker.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/tests/small_kernels.h"

namespace lanescope {
namespace {

/// What one thread of a kernel `k(int* out)` leaves in 8 ints; `before` is the file scope.
std::vector<int> leftByArrays(const std::string& before, const std::string& body) {
  Launch launch =
      testing::launchText(before + "\n__global__ void k(int* out) {\n" + body + "\n}\n", 1, {"i32:zero:8"});
  launch.kernel = "k";
  const auto run = simulate(launch, 1);
  EXPECT_TRUE(run.ok()) << body << "\n" << (run.ok() ? "" : run.error().sentence());
  return run.ok() ? testing::elements<int>(*run, 0) : std::vector<int>(8);
}

using testing::Ints;

TEST(ArrayTypes, PointersToRows) {
  EXPECT_EQ(leftByArrays("__global__ void rows(int (*m)[4]) { m[1][2] = 3; }", "out[0] = 1;")[0], 1);
  EXPECT_SAYS(testing::fault("", "int (*p)[] = 0;"));
  EXPECT_SAYS(testing::fault("", "int (*p)[4] = out;"));
}

TEST(ArrayTypes, LoopsGoOverAnArray) {
  EXPECT_SAYS(testing::fault("", "for (int x : out) x = 1;"));
  EXPECT_SAYS(testing::fault("", "extern __shared__ int s[];\nfor (int x : s) out[0] = x;"));
  EXPECT_SAYS(testing::fault("", "for (int x : {}) out[0] = x;"));
}

TEST(ArrayTypes, LoopsGoOverAnObject) {
  EXPECT_SAYS(testing::fault("", "struct Empty { int n; }; Empty none{1}; for (int x : none) out[0] = x;"));
}

TEST(ConstantExpressions, KnowTemplatesOfTheLibrary) {
  EXPECT_SAYS(testing::fault("", "out[0] = std::numeric_limits<float4>::max();"));
}

TEST(CoalescedGroups, Reduce) {
  const auto run = simulate(testing::launchText(R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* out) {
  if (threadIdx.x % 3 == 1) {
    auto g = cg::coalesced_threads();
    int sum = cg::reduce(g, (int)threadIdx.x, cg::plus<int>());
    int most = cg::reduce(g, (int)threadIdx.x, cg::greater<int>());
    out[threadIdx.x] = sum + 1000 * most;
  }
  auto tile = cg::tiled_partition<8, cg::thread_block>(cg::this_thread_block());
  if (threadIdx.x == 0) out[0] = tile.size();
})",
                                                32, {"i32:zero:32"}),
                            1);
  ASSERT_TRUE(run.ok()) << run.error().sentence();
  const auto out = testing::elements<int>(*run, 0);
  EXPECT_EQ(out[1], 1 + 4 + 7 + 10 + 13 + 16 + 19 + 22 + 25 + 28 + 31 + 31000);
  EXPECT_EQ(out[31], out[1]);
  EXPECT_EQ(out[2], 0);
  EXPECT_EQ(out[0], 8);
}

/// What a block of 64 threads leaves, each in its own place.
template <class T>
std::vector<T> scanned(const std::string& statements, const std::string& argument) {
  const auto simulation =
      simulate(testing::launchText("namespace cg = cooperative_groups;\n__global__ void k(" +
                                       std::string(sizeof(T) == 8 ? "double" : "int") +
                                       "* out) {\n  int i = threadIdx.x;\n  auto warp = "
                                       "cg::tiled_partition<32>(cg::this_thread_block());\n"
                                       "  auto tile = cg::tiled_partition<8>(warp);\n" +
                                       statements + "\n}\n",
                                   64, {argument}));
  EXPECT_TRUE(simulation.ok()) << (simulation.ok() ? "" : simulation.error().message);
  return simulation.ok() ? testing::elements<T>(*simulation, 0) : std::vector<T>(64);
}

template <class T, class Operation>
std::vector<T> makeScans(int group, bool isInclusive, Operation combine) {
  std::vector<T> expected(64);
  for (int i = 0; i < 64; ++i) {
    const int begin = i - i % group;
    const int end = isInclusive ? i + 1 : i;
    if (begin == end) continue;  // a first exclusive value is T()
    T sum = static_cast<T>(begin * 37 % 11);
    for (int j = begin + 1; j < end; ++j) sum = combine(sum, static_cast<T>(j * 37 % 11));
    expected[static_cast<std::size_t>(i)] = sum;
  }
  return expected;
}

TEST(Scans, OfTilesCombineTheLanesInTheirOrder) {
  const auto plus = [](auto a, auto b) { return a + b; };
  EXPECT_EQ(scanned<int>("out[i] = cg::inclusive_scan(warp, i * 37 % 11);", "i32:zero:64"),
            makeScans<int>(32, true, plus));
  EXPECT_EQ(scanned<int>("out[i] = cg::exclusive_scan(tile, i * 37 % 11, cg::plus<int>());", "i32:zero:64"),
            makeScans<int>(8, false, plus));
  EXPECT_EQ(
      scanned<double>("out[i] = cg::exclusive_scan(warp, i * 37 % 11, cg::plus<double>());", "f64:zero:64"),
      makeScans<double>(32, false, plus));
  EXPECT_EQ(scanned<int>("out[i] = cg::inclusive_scan(tile, i * 37 % 11, cg::less<int>());", "i32:zero:64"),
            makeScans<int>(8, true, [](int a, int b) { return std::min(a, b); }));
  EXPECT_EQ(
      scanned<int>("out[i] = cg::inclusive_scan(warp, i * 37 % 11, cg::greater<int>());", "i32:zero:64"),
      makeScans<int>(32, true, [](int a, int b) { return std::max(a, b); }));
  EXPECT_EQ(
      scanned<int>("out[i] = cg::inclusive_scan(warp, i * 37 % 11, cg::bit_xor<int>());", "i32:zero:64"),
      makeScans<int>(32, true, [](int a, int b) { return a ^ b; }));
  EXPECT_EQ(scanned<int>("out[i] = cg::exclusive_scan(tile, i * 37 % 11, cg::bit_or<int>());", "i32:zero:64"),
            makeScans<int>(8, false, [](int a, int b) { return a | b; }));
  EXPECT_EQ(
      scanned<int>("out[i] = cg::inclusive_scan(tile, i * 37 % 11, cg::bit_and<int>());", "i32:zero:64"),
      makeScans<int>(8, true, [](int a, int b) { return a & b; }));
}

TEST(Scans, OfCoalescedLanesGoByTheirRanks) {
  const auto scan = scanned<int>(
      "if (i % 3 == 0) { auto g = cg::coalesced_threads(); out[i] = 1 + cg::exclusive_scan(g, 2); }",
      "i32:zero:64");
  for (int i = 0; i < 64; ++i) {
    const int rank = i / 3 - (i < 32 ? 0 : 11);  // of the warp's lanes, 11 of the first warp
    EXPECT_EQ(scan[static_cast<std::size_t>(i)], i % 3 == 0 ? 1 + 2 * rank : 0) << i;
  }
}

TEST(Scans, AreRefusedForWhatTheyDoNotTake) {
  for (const char* const wrong :
       {"out[0] = cg::inclusive_scan(cg::this_thread_block(), i);",
        "out[0] = cg::inclusive_scan(warp, i, [](int a, int b) { return a; });",
        "out[0] = cg::inclusive_scan(warp);", "float2 f; f = cg::inclusive_scan(warp, f);"}) {
    const auto simulation = simulate(testing::launchText(
        "namespace cg = cooperative_groups;\n__global__ void k(int* out) {\n  int i = threadIdx.x;\n"
        "  auto warp = cg::tiled_partition<32>(cg::this_thread_block());\n" +
            std::string(wrong) + "\n}\n",
        32, {"i32:zero:32"}));
    ASSERT_FALSE(simulation.ok()) << wrong;
    EXPECT_SAYS(simulation.error().message);
  }
}

}  // namespace
}  // namespace lanescope
