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
