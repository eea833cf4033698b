// Pointers to functions: in variables, parameters, structs and tables, and what is refused.
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
using Step = void (*)(int*);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int less(int a, int b);
__device__ int less(int a, int b) { return a < b; }
__device__ float half(float x) { return x / 2; }
__device__ void increment(int* x) { ++*x; }
__device__ void clear(int* x) { *x = 0; }
__device__ Operation operations[] = {add, multiply, &less};
__device__ Operation chosen(int which) { return which == 0 ? add : multiply; }
template <class F> __device__ int twice(F f, int x) { return f(f(x, x), x); }
__device__ int ofTable(Operation table[], int which, int x) { return table[which](x, 3); }
__device__ int ofRaw(int (*table[2])(int, int), int which, int x) { return table[which](x, 3); }
struct Rule { int from; int (*apply)(int, int); };
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

TEST(FunctionPointers, AreValuesAsOthers) {
  EXPECT_EQ(leftByPointers("Rule rule{2, add}; if (t > 3) rule.apply = multiply; Rule* p = &rule;"
                           "out[t] = p->apply(t, rule.from);"),
            (Ints{2, 3, 4, 5, 8, 10, 12, 14}));
  EXPECT_EQ(leftByPointers("int (*table[2])(int, int) = {less, add}; int (*f)(int, int) = table[t / 4];"
                           "out[t] = f(t, 2) * 10 + (f == add) + (f != nullptr ? 2 : 0);"),
            (Ints{12, 12, 2, 2, 63, 73, 83, 93}));
  EXPECT_EQ(leftByPointers("Step step = t < 4 ? increment : clear; out[t] = t; step(&out[t]);"),
            (Ints{1, 2, 3, 4, 0, 0, 0, 0}));
  EXPECT_EQ(
      leftByPointers("__shared__ Operation shared[2]; if (t < 2) shared[t] = operations[t]; __syncthreads();"
                     "Operation next = shared[(t + 1) % 2]; out[t] = next(5, t) + sizeof(next);"),
      (Ints{8, 14, 18, 16, 28, 18, 38, 20}));
}

TEST(FunctionPointers, MayBeMadeInLambdasAndClassesAlone) {
  EXPECT_EQ(leftByPointers("auto f = [](int i) { Operation g = add; return g(i, 5); }; out[t] = f(t);"),
            (Ints{5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(leftByPointers("auto f = [g = (Operation)multiply](int i) { return g(i, 2); }; out[t] = f(t);"),
            (Ints{0, 2, 4, 6, 8, 10, 12, 14}));
  EXPECT_EQ(
      leftByPointers(
          "struct Own { Operation rule = multiply;\n"
          "  __device__ int operator()(int i) const { Operation g = add; return rule(g(i, 1), 3); } };\n"
          "out[t] = Own{}(t);"),
      (Ints{3, 6, 9, 12, 15, 18, 21, 24}));
}

TEST(FunctionPointers, AreTypesOfTemplates) {
  EXPECT_EQ(leftByPointers("Operation f = multiply; out[t] = twice<int (*)(int, int)>(f, 1 + t % 2);"),
            (Ints{1, 8, 1, 8, 1, 8, 1, 8}));
  const ParsedText text(
      testing::makeSource("template <typename F> __global__ void k(F f, int* out) { *out = f(3); }"));
  EXPECT_TRUE(checkKernel(text, "k<int (*)(int)>").ok());
}

TEST(FunctionPointers, LeadToInstancesOfTemplates) {
  const std::string file =
      "template <class T> using Op = T (*)(T, T);\n"
      "template <class T> __device__ T plus(T a, T b) { return a + b; }\n"
      "template <class T, int kTimes = 1> __device__ T times(T a, T b) { return kTimes * a * b; }\n"
      "__device__ int minus(int a, int b) { return a - b; }\n"
      "__device__ Op<int> table[] = {plus<int>, times<int, -2>, minus, &times<int>};\n"
      "__device__ Op<float> ofFloats = plus<float>;\n"
      "template <class T> __device__ T applied(Op<T> f, T a, T b) { return f(a, b); }\n"
      "template <class T> __global__ void k(T* out) {\n  int t = threadIdx.x;\n"
      "  Op<T> f = times<T>;\n"
      "  for (int round = 0; round < 2; ++round) {\n    out[t] += f(t, 3);\n    f = plus<T>;\n  }\n"
      "  out[t] += 100 * table[t % 4](t, 2) + 10000 * (int)applied(ofFloats, 2.5f, (float)t);\n}\n";
  Launch launch = testing::launchText(file, 8, {"i32:zero:8"});
  launch.kernel = "k<int>";
  const auto run = simulate(launch);
  ASSERT_TRUE(run.ok()) << run.error().sentence();
  Ints expected;
  for (int t = 0; t < 8; ++t) {
    const int ofTable[] = {t + 2, -4 * t, t - 2, 2 * t};
    expected.push_back(3 * t + t + 3 + 100 * ofTable[t % 4] + 10000 * (2 + t));
  }
  EXPECT_EQ(testing::elements<int>(*run, 0), expected);
}

TEST(FunctionPointers, InArraysThatAreParameters) {
  EXPECT_EQ(leftByPointers("Operation own[2] = {multiply, add}; int (*raw[2])(int, int) = {add, less};\n"
                           "out[t] = ofTable(own, t % 2, t) * 100 + ofRaw(raw, t % 2, t);"),
            (Ints{3, 401, 605, 600, 1207, 800, 1809, 1000}));
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

TEST(FunctionPointers, AreTemplateArguments) {
  const std::string file =
      "__device__ int twice(int a) { return 2 * a; }\nnamespace ops { __device__ int next(int a) { return a "
      "+ 1; } }\n"
      "template <class T> __device__ T square(T a) { return a * a; }\nusing Function = int (*)(int);\n"
      "template <int (*F)(int)> __device__ int of(int a) { return F(a); }\n"
      "template <class T, T (*F)(T)> struct Mapped { __device__ T operator()(T a) const { return F(a); } };\n"
      "template <Function F, Function G> __device__ int both(int a) { return F(G(a)); }\n"
      "template <auto N> __device__ int added(int a) { return a + N; }\n"
      "template <int (*F)(int)> __global__ void map(int* out) {\n  const int t = threadIdx.x;\n"
      "  out[t] = F(t) + 10 * of<twice>(t) + 100 * Mapped<int, square<int>>()(t);\n"
      "  out[t] += 1000 * both<twice, ops::next>(t) + 10000 * added<3>(t);\n}\n";
  Launch launch = testing::launchText(file, 4, {"i32:zero:4"});
  launch.kernel = "map<ops::next>";
  const auto run = simulate(launch);
  ASSERT_TRUE(run.ok()) << run.error().sentence();
  EXPECT_EQ(testing::elements<int>(*run, 0), (Ints{32001, 44122, 56443, 68964}));
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
