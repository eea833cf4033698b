// Parameter packs: of types and values, in functions, classes and kernels; expansions and folds.
#include <gtest/gtest.h>

#include <string>

#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/tests/small_kernels.h"

namespace lanescope {
namespace {

using testing::fault;
using testing::Ints;

constexpr const char* kSums = R"(
template <typename T> __device__ T sum(T a) { return a; }
template <typename T, typename... Rest> __device__ T sum(T a, Rest... rest) { return a + sum(rest...); }
)";

TEST(Packs, OfKernels) {
  Launch launch = testing::launchText(
      "template <typename... A> __global__ void k(int* out, A... a) { out[threadIdx.x] = (a + ... + 0); }", 2,
      {"i32:zero:2", "i32=3", "f32=4.5"});
  launch.kernel = "k<int, float>";
  const auto run = simulate(launch);
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_EQ(testing::elements<int>(*run, 0), (Ints{7, 7}));
}

TEST(Packs, SayWhatIsWrong) {
  EXPECT_SAYS(fault(kSums, "out[t] = sum();"));
  EXPECT_SAYS(fault("template <class... A> __device__ int f(A... a) { return a; }", "out[t] = f(1, 2);"));
  EXPECT_SAYS(fault("template <class... A> __device__ int f(A... a) { return g(t...); }\nint t;",
                    "out[t] = f(1, 2);"));
  EXPECT_SAYS(fault("template <class... A> __device__ int f(A... a) { return (a + ...); }", "out[t] = f();"));
  EXPECT_SAYS(
      fault("template <class... A> __device__ int f(A... a) { return sizeof...(t); }", "out[t] = f(1);"));
  EXPECT_EQ(fault("template <class... A> __device__ int f(A... a) { return (a = ... = 1); }", ""), "");
}

TEST(TemplatesOfVariables, SayWhatIsWrong) {
  EXPECT_SAYS(fault("template <typename T> __device__ T held = T();", "out[0] = held<int>;"));
  EXPECT_EQ(fault("template <typename T> constexpr T two[2] = {1, 2};", "out[0] = two<int>[0];"),
            "two<int> is not a number, which is not simulated");
  EXPECT_SAYS(fault("template <int N> constexpr int loop = loop<N + 1>;", "out[0] = loop<0>;"));
  EXPECT_SAYS(fault("template <typename T> constexpr int bits = 8 * sizeof(T);", "out[0] = bits<3>;"));
}

TEST(TemplatesAsParameters, SayWhatIsWrong) {
  const std::string fold =
      "template <template <typename> class Op> __device__ int f() { return Op<int>::k; }\n";
  EXPECT_SAYS(fault(fold, "out[0] = f<int>();"));
  EXPECT_SAYS(fault(fold + "struct Plain { static constexpr int k = 1; };", "out[0] = f<Plain>();"));
  EXPECT_EQ(fault(fold + "template <typename T> struct None {};", "out[0] = f<None>();"),
            "None<int> has no static member 'k'");
}

TEST(Packs, AreBounded) {
  std::string many = "1";
  for (int i = 0; i < 300; ++i) many += ", 1";
  EXPECT_SAYS(fault("template <class... A> __device__ int f(A... a) { return (a + ...); }",
                    "out[t] = f(" + many + ");"));
  EXPECT_SAYS(fault("template <int N, int... R> __device__ int f() { return f<N + 1, N, R...>(); }",
                    "out[t] = f<0>();"));
  EXPECT_EQ(fault("template <int... N> struct S { S<0, N...>* p; typename S<0, N...>::T x; };",
                  "S<> s; out[t] = sizeof(s);")
                .empty(),
            false);
}

TEST(Concepts, ConstrainKernelsAndGivenArguments) {
  const ParsedText kernel(
      testing::makeSource("#include <concepts>\ntemplate <std::integral T> requires (sizeof(T) == 4)\n"
                          "__global__ void k(T* x) { *x = 1; }"));
  EXPECT_TRUE(checkKernel(kernel, "k<int>").ok());
  EXPECT_NE(fault("#include <concepts>\ntemplate <std::integral T, int N> requires (N > 1)\n"
                  "__device__ T times(T x) { return x * N; }",
                  "out[t] = times<bool*, 3>(nullptr) == nullptr;"),
            "");
}

TEST(TypeParameters, OfConstTypesMakeConstTargets) {
  EXPECT_NE(
      fault("template <typename T> struct View { T* data; __device__ T& at(int i) { return data[i]; } };\n",
            "int own[4]; View<const int> view{own}; view.at(0) = 3;"),
      "");
}

}  // namespace
}  // namespace lanescope
