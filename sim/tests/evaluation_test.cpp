// Where the hardware defines what C++ does not, and operators over lanes.
#include <gtest/gtest.h>

#include <limits>

#include "sim/tests/launches.h"

namespace lanescope {
namespace {

/// What `out[i] = …` bodies write; `i` is the thread, of 8. `before` comes before the kernel.
template <class T>
std::vector<T> outputs(const std::string& type, const std::string& spec, const std::string& body,
                       const std::string& before = "") {
  const auto simulation = simulate(testing::launchText(
      before + "__global__ void k(" + type + "* out) {\n int i = threadIdx.x;\n" + body + "\n}\n", 8,
      {spec + ":zero:8"}));
  EXPECT_TRUE(simulation.ok()) << (simulation.ok() ? "" : simulation.error().sentence());
  return simulation.ok() ? testing::elements<T>(*simulation, 0) : std::vector<T>(8);
}

std::vector<std::int32_t> ofEightThreads(const std::string& body, const std::string& before = "") {
  return outputs<std::int32_t>("int", "i32", body, before);
}

template <class T, class F>
void expectEach(const std::vector<T>& values, F expected) {
  ASSERT_EQ(values.size(), 8u);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], expected(i)) << "thread " << i;
}

TEST(Conversions, PastTheRangeTheySaturateWhetherConstantOrNot) {
  constexpr int kMost = std::numeric_limits<int>::max();
  constexpr int kLeast = std::numeric_limits<int>::min();
  expectEach(ofEightThreads("out[i] = (int)3e9f;"), [](int) { return kMost; });
  expectEach(ofEightThreads("out[i] = (int)-3e9;"), [](int) { return kLeast; });
  expectEach(ofEightThreads("out[i] = (int)(unsigned)-5.0f;"), [](int) { return 0; });
  expectEach(ofEightThreads("float f = -5.0f - i; out[i] = (int)(unsigned)f;"), [](int) { return 0; });
  expectEach(ofEightThreads("out[i] = (int)(unsigned)-0.5f;"), [](int) { return 0; });
  expectEach(ofEightThreads("out[i] = (int)((unsigned)4294967040.0f >> 8);"), [](int) { return 0xffffff; });
  expectEach(ofEightThreads("out[i] = (int)((long long)1e30 >> 32);"), [](int) { return kMost; });
  expectEach(ofEightThreads("float past = 2147483648.0f; out[i] = (int)past;"), [](int) { return kMost; });
}

TEST(Declarations, SharedMayStandBehindVolatile) {
  expectEach(ofEightThreads("volatile __shared__ int s[8]; s[i] = i; __syncwarp(); out[i] = s[7 - i];"),
             [](int i) { return 7 - i; });
}

TEST(Declarations, AStructMayPointToItsKind) {
  const std::string node = "struct Node { int key; struct Node* next; };\n";
  expectEach(
      ofEightThreads("__shared__ Node n[8]; n[i].key = i; n[i].next = i < 7 ? &n[i + 1] : nullptr;\n"
                     "__syncwarp(); int sum = 0; for (const Node* p = &n[i]; p; p = p->next) sum += p->key;\n"
                     "out[i] = sum;",
                     node),
      [](int i) { return 28 - i * (i - 1) / 2; });
}

TEST(Wrapping, IntegersWrapWhetherConstantOrNot) {
  expectEach(ofEightThreads("int most = 2147483647; out[i] = most + i;"),
             [](int i) { return static_cast<int>(2147483647u + static_cast<unsigned>(i)); });
  expectEach(ofEightThreads("out[i] = 2147483647 + 1;"), [](int) { return std::numeric_limits<int>::min(); });
  expectEach(ofEightThreads("out[i] = (int)((-0x8000000000000000ull) >> 60);"), [](int) { return 8; });
  expectEach(ofEightThreads("unsigned u = 0u - 1u; out[i] = (int)(u % 10u);"), [](int) { return 5; });
  expectEach(ofEightThreads("out[i] = (i - 1u) > 100u;"), [](int i) { return i == 0 ? 1 : 0; });
}

TEST(Shifts, PastTheWidthEveryBitIsOut) {
  for (const char* count : {"32", "33", "(32 + i)"}) {
    const std::string n = count;
    expectEach(ofEightThreads("out[i] = 1 << " + n + ";"), [](int) { return 0; });
    expectEach(ofEightThreads("out[i] = (int)(0x80000000u >> " + n + ");"), [](int) { return 0; });
    expectEach(ofEightThreads("out[i] = (-8) >> " + n + ";"), [](int) { return -1; });
  }
  expectEach(ofEightThreads("out[i] = (int)(1ull << (64 + i)) + (int)((-1ll) >> (64 + i));"),
             [](int) { return -1; });
  expectEach(ofEightThreads("out[i] = (int)((1ll << (32 + i)) >> 32);"), [](int i) { return 1 << i; });
}

TEST(Wide, LongLongAndDoubleGoThroughEveryOperator) {
  const auto wide = outputs<double>(
      "double", "f64",
      "double d = i * 0.1; long long n = (long long)i << 33; out[i] = d * d - d / 3.0 + n % 7 - n / 5;");
  expectEach(wide, [](int i) {
    const double d = i * 0.1;
    const long long n = static_cast<long long>(i) << 33;
    const double square = d * d;
    const double third = d / 3.0;
    return square - third + static_cast<double>(n % 7) - static_cast<double>(n / 5);
  });
  expectEach(
      outputs<double>("double", "f64", "double d = i; d += 1; d *= 2; d /= 4; d -= 0.25; out[i] = -d;"),
      [](int i) { return -((i + 1.0) * 2 / 4 - 0.25); });
  expectEach(
      ofEightThreads("double a = i, b = 3; out[i] = (a < b) + (a <= b) * 2 + (a == b) * 4 + (a != b) * 8 + "
                     "(a > b) * 16 + (a >= b) * 32 + (int)fmin(a, b) * 64;"),
      [](int i) {
        return (i < 3) + (i <= 3) * 2 + (i == 3) * 4 + (i != 3) * 8 + (i > 3) * 16 + (i >= 3) * 32 +
               std::min(i, 3) * 64;
      });
}

TEST(Functions, CallsWithinCallsKeepTheirOwnVariables) {
  const std::string before =
      "__device__ int twice(int x) { int y = x; y += x; return y; }\n"
      "__device__ int both(int a, int b) { if (a > b) return twice(a) - b; return twice(b) - a; }\n";
  expectEach(ofEightThreads("out[i] = both(twice(i), twice(3)) + twice(twice(twice(1)));", before),
             [](int i) { return std::max(2 * i, 6) * 2 - std::min(2 * i, 6) + 8; });
  expectEach(ofEightThreads("out[i] = i % 2 ? twice(i) : i > 3 ? twice(100) : both(i, 1);", before),
             [](int i) {
               if (i % 2 != 0) return 2 * i;
               if (i > 3) return 200;
               return std::max(i, 1) * 2 - std::min(i, 1);
             });
}

}  // namespace
}  // namespace lanescope
