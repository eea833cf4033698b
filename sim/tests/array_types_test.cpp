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

TEST(ArrayTypes, ParametersMayBeArraysOfArrays) {
  const std::string functions = R"(
__device__ int at(int t[2][3]) { return t[1][2]; }
__device__ int through(int (*t)[3], int n) { return t[n][1] + (int)(sizeof(*t) / sizeof(int)); }
template <int N, int M> __device__ int sum(const int (&t)[N][M]) {
  int s = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) s += t[i][j];
  return 10 * s + N;
}
template <typename T, size_t N> __device__ void fill(T (&t)[N], T value) { for (size_t i = 0; i < N; ++i) t[i] = value; })";
  EXPECT_EQ(
      leftByArrays(functions,
                   "int m[2][3] = {1, 2, 3, 4, 5, 6};\nint v[3];\nout[0] = at(m);\nout[1] = through(m, 1);\n"
                   "out[2] = sum(m);\nfill(v, 7);\nout[3] = v[0] + v[2];\nfill(m[0], 9);\nout[4] = m[0][2] + "
                   "m[1][0];"),
      (Ints{6, 8, 212, 14, 13, 0, 0, 0}));
}

TEST(ArrayTypes, PointersAndReferencesToRows) {
  EXPECT_EQ(leftByArrays("typedef int Row[4];\nusing Pair = int[2];",
                         "__shared__ Row s[2];\nint (*rows)[4] = s;\nrows[1][3] = 5;\n"
                         "int (*flat)[2] = reinterpret_cast<int (*)[2]>(out);\nflat[1][1] = s[1][3];\n"
                         "Pair p = {1, 2};\nint (&r)[2] = p;\nr[1] = 8;\nout[0] = p[1];\n"
                         "const int (*c)[2] = (const int (*)[2])out;\nout[1] = c[1][1] + sizeof(Row);"),
            (Ints{8, 21, 0, 5, 0, 0, 0, 0}));
  EXPECT_EQ(leftByArrays("__global__ void rows(int (*m)[4]) { m[1][2] = 3; }", "out[0] = 1;")[0], 1);
  EXPECT_SAYS(testing::fault("", "int (*p)[] = 0;"));
  EXPECT_SAYS(testing::fault("", "int (*p)[4] = out;"));
}

TEST(ArrayTypes, LoopsGoOverAnArray) {
  EXPECT_EQ(
      leftByArrays("struct Box { int values[3]; };",
                   "int v[4] = {1, 2, 3, 4};\nfor (int& x : v) x *= 2;\nint s = 0;\n"
                   "for (int x : v) { if (x == 6) continue; s += x; }\nout[0] = s;\n"
                   "int m[2][2] = {1, 2, 3, 4};\nfor (auto& row : m) for (const auto& x : row) out[1] += x;\n"
                   "Box b = {5, 6, 7};\nfor (auto x : b.values) { out[2] += x; if (x == 6) break; }\n"
                   "__shared__ int t[2];\nfor (auto& x : t) x = 4;\nout[3] = t[0] + t[1];\n"
                   "int n = 0;\nfor (int i = n ? 1 : 2; i < 3; ++i) out[4] = i;"),
      (Ints{14, 10, 11, 8, 2, 0, 0, 0}));
  EXPECT_SAYS(testing::fault("", "for (int x : out) x = 1;"));
  EXPECT_SAYS(testing::fault("", "extern __shared__ int s[];\nfor (int x : s) out[0] = x;"));
  EXPECT_SAYS(testing::fault("", "for (int x : {}) out[0] = x;"));
}

TEST(ArrayTypes, LoopsGoOverAnObject) {
  constexpr const char* kRanges = R"(
struct Steps {
  struct Iterator {
    int at, step;
    __device__ int operator*() const { return at; }
    __device__ Iterator& operator++() { at += step; return *this; }
    __device__ bool operator!=(const Iterator& other) const { return at < other.at; }
  };
  int first, last, step;
  __device__ Steps(int first, int last, int step) : first(first), last(last), step(step) {}
  __device__ Iterator begin() const { return {first, step}; }
  __device__ Iterator end() const { return {last, step}; }
};
template <class T> struct Span {
  T* data; int count;
  __device__ T* begin() const { return data; }
  __device__ T* end() const { return data + count; }
};
)";
  EXPECT_EQ(leftByArrays(kRanges,
                         "int n = 0; for (int i : Steps(1, 10, 3)) { if (i == 4) continue; out[n++] = i; }"
                         "for (auto i : Steps(3, 1, 1)) out[7] = i;"),
            (std::vector<int>{1, 7, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(leftByArrays(kRanges,
                         "Span<int> all{out, 6}; int n = 0; for (int& x : all) x = ++n;"
                         "const Steps s(0, 2, 1); for (auto i : s) for (int& x : all) x += i;"
                         "for (const int x : Span<int>{out, 3}) { if (x > 3) break; out[7] += x; }"),
            (std::vector<int>{2, 3, 4, 5, 6, 7, 0, 5}));
  EXPECT_SAYS(testing::fault("", "struct Empty { int n; }; Empty none{1}; for (int x : none) out[0] = x;"));
}

TEST(ArrayTypes, OverloadsDifferByConst) {
  EXPECT_EQ(
      leftByArrays(
          "__device__ int f(int& x) { return 1; }\n__device__ int f(const int& x) { return 2; }\n"
          "__device__ float& at(float4& v, int i) { return reinterpret_cast<float*>(&v)[i]; }\n"
          "__device__ float at(const float4& v, int i) { return reinterpret_cast<const float*>(&v)[i]; }",
          "int v = 3;\nconst int c = 4;\nconst int* p = out;\nout[0] = f(v);\nout[1] = f(c);\nout[2] = "
          "f(5);\n"
          "out[3] = f(out[0]);\nout[4] = f(p[0]);\n"
          "float4 w = make_float4(1, 2, 3, 4);\nat(w, 1) = 7;\nout[5] = (int)at(w, 1);"),
      (Ints{1, 2, 2, 1, 2, 7, 0, 0}));
}

TEST(ConstantExpressions, KnowConstexprFunctionsAndSizes) {
  EXPECT_EQ(
      leftByArrays(
          "constexpr int square(int x) { return x * x; }\n"
          "constexpr int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }\n"
          "__host__ __device__ constexpr unsigned roundUp(unsigned a, unsigned b) { return (a + b - 1) / b "
          "* b; }",
          "__shared__ int s[square(3)];\nstatic_assert(sizeof(s) == 36, \"nine\");\n"
          "static_assert(factorial(5) == 120);\nconstexpr int k = factorial(4);\nint v[roundUp(5, 4)];\n"
          "for (int& x : v) x = 1;\nout[0] = k;\nout[1] = sizeof(v) / sizeof(v[0]);\nint n = out[0];\n"
          "out[2] = square(n);\nout[3] = alignof(float4) + alignof(double);\n"
          "alignas(alignof(float4)) char bytes[16];\nbytes[0] = 1;\nout[4] = bytes[0];"),
      (Ints{24, 8, 576, 24, 1, 0, 0, 0}));
}

TEST(ConstantExpressions, KnowTemplatesOfTheLibrary) {
  EXPECT_EQ(leftByArrays(
                "template <typename T> __device__ int kind() {\n"
                "  if constexpr (std::is_same<T, float>::value) return 1;\n"
                "  else if constexpr (std::is_integral_v<T>) return 2;\n  else return 3;\n}\n"
                "template <typename T, typename U> __device__ auto add(T a, U b) -> decltype(a + b) { "
                "return a + b; }",
                "out[0] = std::numeric_limits<int>::max();\nout[1] = std::numeric_limits<short>::lowest();\n"
                "out[2] = std::numeric_limits<unsigned char>::max();\n"
                "out[3] = std::numeric_limits<float>::infinity() > std::numeric_limits<float>::max();\n"
                "out[4] = kind<float>() * 100 + kind<char>() * 10 + kind<double>();\n"
                "out[5] = std::min<int>(4, 7u) + std::max<long long>(1, 2);\n"
                "decltype(out[0] * 2.0) d = 2.5;\nout[6] = (int)(d * 2) + (int)add(1, 2.5);\n"
                "int a = 1, b = 2;\nstd::swap(a, b);\nout[7] = 10 * a + b;"),
            (Ints{2147483647, -32768, 255, 1, 123, 6, 8, 21}));
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
