// Pointers to functions: that differ per lane, in shared memory, of kernels, and what is refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/tests/golden_text.h"
#include "sim/tests/small_kernels.h"

namespace lanescope {
namespace {

using testing::Ints;

constexpr const char* kFunctions = R"(
typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int less(int a, int b);
__device__ int less(int a, int b) { return a < b; }
__device__ Operation operations[] = {add, multiply, &less};
__device__ Operation chosen(int which) { return which == 0 ? add : multiply; }
template <class F> __device__ int twice(F f, int x) { return f(f(x, x), x); }
)";

Ints leftByPointers(const std::string& body) { return testing::left(kFunctions, body, 8); }

TEST(FunctionPointers, CallWhatTheyLeadToPerLane) {
  EXPECT_EQ(leftByPointers("Operation f = t % 2 == 0 ? add : multiply; out[t] = f(t, 3);"),
            (Ints{3, 3, 5, 9, 7, 15, 9, 21}));
  EXPECT_EQ(leftByPointers("out[t] = operations[t % 3](t, 4) + (*operations[1])(2, t);"),
            (Ints{4, 6, 5, 13, 24, 10, 22, 42}));
  EXPECT_EQ(leftByPointers("out[t] = chosen(t & 1)(t, t);"), (Ints{0, 1, 4, 9, 8, 25, 12, 49}));
  EXPECT_EQ(leftByPointers("out[t] = twice(&multiply, t);"), (Ints{0, 1, 8, 27, 64, 125, 216, 343}));
}

TEST(FunctionPointers, AreSharedByTheBlock) {
  EXPECT_EQ(
      leftByPointers("__shared__ Operation shared[2]; if (t < 2) shared[t] = operations[t]; __syncthreads();"
                     "Operation next = shared[(t + 1) % 2]; out[t] = next(5, t) + sizeof(next);"),
      (Ints{8, 14, 18, 16, 28, 18, 38, 20}));
}

TEST(FunctionPointers, AreTypesOfKernels) {
  const ParsedText text(
      testing::makeSource("template <typename F> __global__ void k(F f, int* out) { *out = f(3); }"));
  EXPECT_TRUE(checkKernel(text, "k<int (*)(int)>").ok());
}

TEST(FunctionPointers, MayLeadBackToTheirCaller) {
  Launch launch = testing::launchText(
      "__device__ int call(int (*f)(int), int n);\n__device__ int down(int n) { return call(down, n - 1) + "
      "1; }\n"
      "__device__ int call(int (*f)(int), int n) { return n > 0 ? f(n) : 0; }\n"
      "__global__ void k(int* out) { out[threadIdx.x] = call(down, threadIdx.x); }\n",
      4, {"i32:zero:4"});
  const auto run = simulate(launch);
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_EQ(testing::elements<int>(*run, 0), (Ints{0, 1, 2, 3}));
}

TEST(FunctionPointers, ThatLeadNowhereEndTheLaunch) {
  const auto run = simulate(testing::launchText(
      kFunctions + std::string("__global__ void k(int* out) {\n  Operation f = nullptr;\n"
                               "  if (threadIdx.x < 3) f = add;\n  out[threadIdx.x] = f(1, 2);\n}\n"),
      4, {"i32:zero:4"}));
  ASSERT_FALSE(run.ok());
  EXPECT_SAYS(run.error().message);
}

TEST(FunctionPointers, SayWhatIsNotSimulated) {
  const std::string file =
      "__device__ int plain(int a) { return a; }\n__device__ int reference(int& a) { return a; }\n"
      "template <class T> __device__ T any(T a) { return a; }\n";
  EXPECT_SAYS(testing::fault(file, "int (*f)(int) = plain; out[0] = f(1, 2);"));
  EXPECT_SAYS(testing::fault(file, "float (*f)(int) = plain;"));
  EXPECT_SAYS(testing::fault(file, "auto f = reference;"));
  EXPECT_SAYS(testing::fault(file, "auto f = any;"));
  EXPECT_SAYS(testing::fault(file, "auto f = any<Unknown>;"));
  EXPECT_SAYS(testing::fault(file, "int (*f)(int&);"));
}

TEST(FunctionPointers, AreArgumentsOfKernels) {
  Launch launch = testing::launchText(
      "namespace ops { __device__ int next(int a) { return a + 1; } }\n"
      "template <int (*F)(int)> __global__ void map(int* out) { out[threadIdx.x] = F(threadIdx.x); }\n",
      4, {"i32:zero:4"});
  launch.kernel = "map<ops::next>";
  const auto run = simulate(launch);
  ASSERT_TRUE(run.ok()) << run.error().sentence();
  EXPECT_EQ(testing::elements<int>(*run, 0), (Ints{1, 2, 3, 4}));
}

TEST(FunctionPointers, HaveTheSameBytesInEveryKernel) {
  const ParsedText text(testing::makeSource(kFunctions + std::string("__global__ void k(int* out) {}\n")));
  const std::vector<typed::GlobalSymbol> tables = addressTables(text);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].name, "operations");
  ASSERT_EQ(tables[0].bytes.size(), 24u);
  EXPECT_NE(tables[0].bytes[0], tables[0].bytes[8]);
  EXPECT_NE(tables[0].bytes[8], tables[0].bytes[16]);
}

}  // namespace
}  // namespace lanescope
