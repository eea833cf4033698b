// Where C++17 fixes an order or a conversion, and where the hardware defines what C++ does not.
#include <gtest/gtest.h>

#include <array>
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

TEST(Order, TheRightSideOfAnAssignmentComesFirst) {
  expectEach(ofEightThreads("int j = i; out[j++] = j;"), [](int i) { return i; });
  expectEach(ofEightThreads("int j = i; out[j++] += j; out[i] += j;"), [](int i) { return 2 * i + 1; });
  expectEach(ofEightThreads("int j = i; int* p = out - 1; p[j] = j++ * 10;"), [](int i) { return i * 10; });
  expectEach(ofEightThreads("int x = i; x += x++; out[i] = x;"), [](int i) { return 2 * i + 1; });
  expectEach(ofEightThreads("int x = i; x = x++ + 1; out[i] = x;"), [](int i) { return i + 1; });
}

TEST(Order, AssignmentsGoFromRightToLeftAndCommasFromLeftToRight) {
  expectEach(ofEightThreads("int a, b, c; a = b = c = i + 1; out[i] = a + b * 10 + c * 100;"),
             [](int i) { return 111 * (i + 1); });
  expectEach(ofEightThreads("int a = i; out[i] = (a++, a *= 2, a + 1);"),
             [](int i) { return 2 * (i + 1) + 1; });
}

TEST(Conversions, ANegativeNarrowIntegerBecomesAnUnsignedOne) {
  expectEach(ofEightThreads("char c = (char)(i - 10); unsigned short u = c; out[i] = u;"),
             [](int i) { return 65536 + i - 10; });
  expectEach(ofEightThreads("char c = (char)(i - 10); unsigned char u = c; out[i] = u / 2;"),
             [](int i) { return (256 + i - 10) / 2; });
  expectEach(ofEightThreads("short s = (short)(i - 3); unsigned u = s; out[i] = (int)(u >> 16);"),
             [](int i) { return i < 3 ? 65535 : 0; });
  expectEach(ofEightThreads("char c = (char)(i - 3); unsigned long long u = c; out[i] = (int)(u >> 56);"),
             [](int i) { return i < 3 ? 255 : 0; });
  expectEach(ofEightThreads("unsigned char u = (unsigned char)(200 + i); char c = u; out[i] = c;"),
             [](int i) { return 200 + i - 256; });
  expectEach(ofEightThreads("bool b = i; out[i] = b + b;"), [](int i) { return i == 0 ? 0 : 2; });
  expectEach(ofEightThreads("bool b = i * 0.25f; out[i] = b;"), [](int i) { return i == 0 ? 0 : 1; });
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

TEST(Declarations, ListsMayLeaveOutTheBracesOfRows) {
  expectEach(ofEightThreads("int m[2][2] = {1, 2, 3, 4}; out[i] = m[i & 1][i >> 1 & 1];"),
             [](int i) { return 1 + 2 * (i & 1) + (i >> 1 & 1); });
  expectEach(ofEightThreads("int m[][2] = {5, 6, 7}; out[i] = m[1][i & 1] + (int)sizeof(m);"),
             [](int i) { return (i & 1 ? 0 : 7) + 16; });
  expectEach(ofEightThreads("M m = {1, 2, 3, 4}; out[i] = m.rows[i & 1][1] + m.last;",
                            "struct M { int rows[2][2]; int last; };\n"),
             [](int i) { return i & 1 ? 4 : 2; });
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

TEST(Templates, MayUnrollThemselves) {
  const std::string sum =
      "template <int K> __device__ int sum(int x) {\n"
      " if constexpr (K == 0) { return x; } else { return sum<K - 1>(x + K); }\n}\n";
  expectEach(ofEightThreads("out[i] = sum<6>(i);", sum), [](int i) { return i + 21; });
}

TEST(Templates, DefaultsMayNameTheParametersBefore) {
  const std::string power =
      "template <int K, bool Odd = (K % 2 == 1), typename T = int> __device__ T f(T x) { return x * K + Odd; "
      "}\n";
  expectEach(ofEightThreads("out[i] = f<3>(i) + f<4>(i);", power), [](int i) { return 7 * i + 1; });
}

TEST(Assertions, MayCarryTheirReason) {
  expectEach(ofEightThreads(
                 "assert(i < 8 && \"eight threads\"); static_assert(sizeof(int) == 4, \"int\"); out[i] = i;"),
             [](int i) { return i; });
}

TEST(Characters, MayBeEscaped) {
  expectEach(ofEightThreads(
                 "char c[8] = {'\\x41', '\\101', '\\n', '\\0', '\\'', '\\a', '\\xff', 'z'}; out[i] = c[i];"),
             [](int i) { return std::array{65, 65, 10, 0, 39, 7, -1, 122}[static_cast<std::size_t>(i)]; });
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

TEST(Updates, EveryCompoundAssignmentWorksOnMemoryAndOnVariables) {
  const std::string steps =
      "+= 100; T -= 3; T *= 5; T /= 2; T %= 77; T <<= 3; T >>= 1; T &= 0xfc; T |= 2; T ^= 0x55;";
  for (const std::string target : {"x", "out[i]", "*p"}) {
    std::string body = "int x = i; int* p = out + i; out[i] = i; " + target + " " + steps;
    for (std::size_t at; (at = body.find('T')) != std::string::npos;) body.replace(at, 1, target);
    if (target == "x") body += " out[i] = x;";
    expectEach(ofEightThreads(body), [](int i) {
      int x = i;
      x += 100, x -= 3, x *= 5, x /= 2, x %= 77, x <<= 3, x >>= 1, x &= 0xfc, x |= 2, x ^= 0x55;
      return x;
    });
  }
  expectEach(
      ofEightThreads("out[i] = i; int a = out[i]++; int b = ++out[i]; int c = out[i]--; int d = --out[i];\n"
                     "out[i] = a + b * 10 + c * 100 + d * 1000;"),
      [](int i) { return i + (i + 2) * 10 + (i + 2) * 100 + i * 1000; });
  expectEach(ofEightThreads("float f = i; f++; --f; f += 0.5f; out[i] = (int)(f++ * 2);"),
             [](int i) { return 2 * i + 1; });
}

TEST(Functions, TakeTypesAndNumbersAsTemplateArguments) {
  const std::string before =
      "template <typename T, int N> __device__ T power(T x) {\n"
      "  T result = 1;\n  for (int k = 0; k < N; ++k) result *= x;\n  return result;\n}\n"
      "template <bool kTwice> __device__ void add(int* p, int v) { *p += v; if (kTwice) *p += v; }\n"
      "constexpr int kBase = 2;\n";
  expectEach(ofEightThreads("out[i] = power<int, 3>(i) + (int)power<float, kBase>(i * 0.5f);", before),
             [](int i) { return i * i * i + static_cast<int>(0.25f * static_cast<float>(i * i)); });
  expectEach(ofEightThreads("add<true>(out + i, i); add<false>(&out[i], 1);", before),
             [](int i) { return 2 * i + 1; });
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

TEST(Macros, AreReplacedAndTheirCommentsAreNot) {
  expectEach(ofEightThreads("out[i] = N + M;",
                            "#define N 4 /* four\n and more */ + 1 // and one\n#define M \\\n  2\n"),
             [](int) { return 7; });
  expectEach(ofEightThreads("out[i] = N;", "#define N 4\r\n#undef N\r\n#define N 5\r\n"),
             [](int) { return 5; });
  expectEach(ofEightThreads("int x{}, y{3}, z(4); out[i] = x + y * z;"), [](int) { return 12; });
}

}  // namespace
}  // namespace lanescope
