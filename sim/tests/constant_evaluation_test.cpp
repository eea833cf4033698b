// What is a constant because constexpr functions and constructors are run by the checker.
#include <gtest/gtest.h>

#include <string>

#include "sim/machine/compile/compiled_kernel.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/small_kernels.h"

namespace lanescope {
namespace {

using testing::fault;
using testing::Ints;
using testing::left;

const std::string kLog = "constexpr int log2Of(int n) { int r = 0; while (n >>= 1) ++r; return r; }\n";

TEST(ConstantEvaluation, RunsLoopsAndVariablesOfFunctions) {
  EXPECT_EQ(
      left(kLog +
               "template <int S> __device__ int up(int x) { return x << S; }\nenum { kTen = log2Of(1030) };",
           "__shared__ int s[log2Of(16)]; s[t] = t; int own[log2Of(8)] = {1, 2, 3};\n"
           "static_assert(log2Of(64) == 6, \"\"); constexpr int five = log2Of(40);\n"
           "out[t] = up<log2Of(4)>(s[t]) + kTen * 100 + five * 1000 + own[t % 3] * 10000 + sizeof(s) * "
           "100000;"),
      (Ints{1616000, 1626004, 1636008, 1616012}));
  EXPECT_EQ(left("template <int N> constexpr bool isPrime() {\n"
                 "  for (int d = 2; d * d <= N; ++d) { if (N % d == 0) return false; }\n  return N > 1;\n}",
                 "if constexpr (isPrime<91>()) out[t] = missing; else out[t] = isPrime<97>();"),
            (Ints{1, 1, 1, 1}));
  EXPECT_EQ(
      left("constexpr int kind(char c) {\n  switch (c) { case 'a': return 1; case 'b': case 'c': break; "
           "default: return 3; }\n  return 2;\n}",
           "constexpr int kinds[4] = {kind('a'), kind('b'), kind('c'), kind('d')};\n"
           "static_assert(kind('c') == 2 && kind('z') == 3, \"\"); out[t] = kinds[t];"),
      (Ints{1, 2, 2, 3}));
  EXPECT_EQ(left("constexpr unsigned fibonacci(unsigned n) { if (n < 2) return n; "
                 "return fibonacci(n - 1) + fibonacci(n - 2); }",
                 "int a[fibonacci(7)]; for (int i = 0; i < 13; ++i) a[i] = i; out[t] = a[12] + t;"),
            (Ints{12, 13, 14, 15}));
}

TEST(ConstantEvaluation, CountsBits) {
  EXPECT_EQ(
      left("constexpr int nextPower(unsigned n) { return n <= 1 ? n : 1 << (32 - __builtin_clz(n - 1)); }\n"
           "template <int N> __device__ int value() { return N; }",
           "__shared__ int s[nextPower(3)]; s[t] = value<nextPower(33)>(); "
           "out[t] = s[t] * 1000 + __builtin_popcount(t + 12) * 100 + __builtin_ffsll(t + 12ull);"),
      (Ints{64203, 64301, 64302, 64401}));
}

TEST(ConstantEvaluation, FoldsCallsWithNumbersAsACompilerDoes) {
  const std::string functions =
      kLog +
      "constexpr int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }\n"
      "template <class T> constexpr T larger(T a, T b) { return a > b ? a : b; }\n"
      "template <int N> constexpr int sum() { int s = 0; for (int i = 0; i < N; ++i) s += i; return s; }\n"
      "constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n";
  const auto compiled = [&](const std::string& value) {
    const auto kernel = compileKernel(
        ParsedText(testing::makeSource(testing::lookUpKernel(functions, "out[t] = " + value + ";"))), "k");
    return kernel.ok() ? (*kernel)->code : Bytecode{};
  };
  const Bytecode known = compiled("120 + 6 + 4 + 499500");
  const Bytecode folded = compiled("fact(5) + log2Of(64) + larger(3, 4) + sum<1000>()");
  EXPECT_EQ(folded.code.size(), known.code.size());
  EXPECT_FALSE(folded.makesCalls);
  EXPECT_TRUE(compiled("fact(t)").makesCalls);
  // What would take more steps than a constant may is left to the run.
  EXPECT_TRUE(compiled("fib(30) + fib(31)").makesCalls);
}

TEST(ConstantEvaluation, MakesObjectsAtFileScope) {
  const std::string color =
      "struct Color {\n  unsigned char r, g, b;\n  constexpr Color() : r(9), g(0), b(0) {}\n"
      "  constexpr Color(int r, int g, int b) : r(b), g(g), b(r) {}\n"
      "  constexpr int sum() const { return r + g + b; }\n};\n";
  EXPECT_EQ(left(color + "constexpr Color kInk(1, 2, 3);\n"
                         "__constant__ Color palette[4] = {Color(1, 2, 3), {4, 5, 6}, kInk};",
                 "out[t] = palette[t].r * 100 + palette[t].b * 10 + kInk.sum();"),
            (Ints{316, 646, 316, 906}));
  EXPECT_EQ(
      left(color + "__device__ Color one(7, 8, 9), two{1, 1, 1};\nconstexpr auto three = Color{2, 2, 2};",
           "out[t] = one.r * 100 + two.g * 10 + three.b;"),
      (Ints{912, 912, 912, 912}));
  EXPECT_EQ(left("struct Tile { int rows, columns; };\nconstexpr Tile kTile{8, 4};\n"
                 "template <int N> __device__ int half() { return N / 2; }",
                 "__shared__ int s[kTile.columns]; s[t] = half<kTile.rows>(); out[t] = s[t];"),
            (Ints{4, 4, 4, 4}));
}

TEST(ConstantEvaluation, MakesTables) {
  const std::string table =
      "struct Table { unsigned at[256]; };\n"
      "constexpr Table checksums() {\n  Table result{};\n  for (unsigned i = 0; i < 256; ++i) {\n"
      "    unsigned c = i;\n    for (int bit = 0; bit < 8; ++bit) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> "
      "1;\n"
      "    result.at[i] = c;\n  }\n  return result;\n}\n__constant__ Table crc = checksums();\n";
  EXPECT_EQ(left(table, "out[t] = crc.at[t * 85] >> 8;"), (Ints{0x0, 0x1b01a5, 0x36034a, 0x2d02ef}));
  EXPECT_EQ(left("struct Squares { int at[4]; constexpr Squares() : at() {\n"
                 "  int* p = at; for (int i = 0; i < 4; i++) *p++ = i * i; } };\n__device__ Squares s;",
                 "out[t] = s.at[t];"),
            (Ints{0, 1, 4, 9}));
  EXPECT_EQ(left("constexpr float half(float x) { float y = x; y *= 0.5f; return y; }\n"
                 "__constant__ float f[2] = {half(3), half(5) - 1};",
                 "out[t] = int(f[t % 2] * 100);"),
            (Ints{150, 150, 150, 150}));
}

TEST(ConstantEvaluation, LeavesMembersAsTheirClassSays) {
  const std::string pair = "struct Pair { int x = 3, y = 7; };\nstruct Both { Pair p; int* a = nullptr; };\n";
  EXPECT_EQ(
      left(pair + "__device__ Pair one = {1};\n__device__ Both two[2] = {{{5}}};\n__constant__ Pair none[3];",
           "int all[4] = {one.x * 10 + one.y, two[0].p.x * 10 + two[0].p.y, two[1].p.y, none[2].x};\n"
           "out[t] = all[t];"),
      (Ints{17, 57, 7, 3}));
}

TEST(ConstantEvaluation, IsNoRun) {
  const std::string wanted = "an array's extent must be a positive constant";
  EXPECT_EQ(fault("__device__ int four() { return 4; }", "int a[four()]; out[t] = a[0];"), wanted);
  EXPECT_EQ(fault(kLog, "int a[log2Of(t)]; out[t] = a[0];"), wanted);
  EXPECT_EQ(
      fault("constexpr int forever() { while (true) {} return 1; }", "int a[forever()]; out[t] = a[0];"),
      wanted);
  EXPECT_EQ(fault("constexpr int deep(int n) { return n == 0 ? 1 : deep(n + 1) + 1; }",
                  "int a[deep(1)]; out[t] = a[0];"),
            wanted);
  EXPECT_EQ(
      fault("constexpr int past() { int a[2] = {1, 2}; return a[2]; }", "int a[past()]; out[t] = a[0];"),
      wanted);
}

TEST(ConstantEvaluation, OfADeclarationTakesItsDefaultArguments) {
  EXPECT_EQ(left("__device__ int scaled(int x, int by = 3);\n__device__ int scaled(int x, int by) { return x "
                 "* by; }",
                 "out[t] = scaled(t) + scaled(1, 2);"),
            (Ints{2, 5, 8, 11}));
}

TEST(PackedStructs, AreSimulatedWhereThereIsNothingToPack) {
  const std::string head =
      "#pragma pack(push, 1)\nstruct Head { short kind; int bytes; };\nstruct Color { char r, g, b; };\n"
      "#pragma pack(pop)\nstruct Free { char c; int i; };\n"
      "struct __attribute__((packed)) Tail { int i; char c; };\n";
  EXPECT_EQ(
      left(head, "Color c = {1, 2, 3}; Free f = {4, t}; out[t] = c.b * 10 + f.i + (int)sizeof(Free) * 100;"),
      (Ints{830, 831, 832, 833}));
  EXPECT_SAYS(fault(head, "Head h; out[t] = h.bytes;"));
  EXPECT_SAYS(fault(head, "Tail h; out[t] = h.i;"));
}

}  // namespace
}  // namespace lanescope
