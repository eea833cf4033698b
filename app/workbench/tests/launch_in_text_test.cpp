// What a text's own launches say: the form to begin with, and the arguments of templates.
#include "app/launch/launch_form.h"

#include <gtest/gtest.h>

#include "app/launch/kernel_cache.h"
#include "app/workbench/tests/kernels_of_text.h"

namespace lanescope {
namespace {

using testing::findKernels;

/// The form of a program's first kernel.
LaunchForm formIn(const std::string& text) {
  KernelCache kernels;
  const auto found = kernels.findKernels(std::make_shared<SourceText>("p.cu", text));
  return found.empty() ? LaunchForm() : formFor(found.front(), text);
}

TEST(LaunchInText, GivesTheFormWhatFollowsFromIt) {
  const LaunchForm form = formIn(R"(#define THREADS 128 // of a block
const int n = 1 << 10;
__global__ void add(const float* a, float* b, int n, float by) { b[threadIdx.x] = a[threadIdx.x] + by; }
int main() { add<<<(n + THREADS - 1) / THREADS, THREADS, THREADS * 4>>>(a, b, n, 2.5f); })");
  EXPECT_EQ(form.grid, "8");
  EXPECT_EQ(form.block, "128");
  EXPECT_EQ(form.dynamicShared, "512");
  EXPECT_EQ(form.arguments,
            (std::vector<std::string>{"f32:hash:1024", "f32:zero:1024", "i32=1024", "f32=1"}));
}

TEST(LaunchInText, ReadsExtentsOfSeveralDimensions) {
  const std::string kernel =
      "template <int T> __global__ void k(float* b, int w) { b[threadIdx.y * w + threadIdx.x] = 1; }\n";
  const LaunchForm named =
      formIn(kernel + "void f() { dim3 block(16, 8); dim3 grid{2, 3}; k<16> <<<grid, block>>>(b, 32); }");
  EXPECT_EQ(named.grid, "2,3");
  EXPECT_EQ(named.block, "16,8");
  EXPECT_EQ(named.arguments[1], "i32=32");
  const LaunchForm inPlace = formIn(kernel + "void f() { k<16><<<dim3(4, 4), dim3(8, 8, 2)>>>(b, 32); }");
  EXPECT_EQ(inPlace.grid, "4,4");
  EXPECT_EQ(inPlace.block, "8,8,2");
}

TEST(LaunchInText, GuessesWhereNothingFollows) {
  const std::string kernel = "__global__ void k(float* b, int n) { b[threadIdx.x] = n; }\n";
  const LaunchForm plain = formIn(kernel);
  for (const std::string launch :
       {"", "void f(int m) { k<<<m, 64>>>(b, m); }", "void f() { k<<<1 << 20, 256>>>(b, 1 << 28); }",
        "void f() { k<<<1, 2048>>>(b, 4); }", "void f() { k<<<n, n; }",
        "int n = n; void f() { k<<<n, n>>>(b, n); }", "void f() { k<<<1, >>>(b, 4); }",
        "void f() { k<<<1, 4 / 0>>>(b, 4); }", "// k<<<"}) {
    EXPECT_EQ(formIn(kernel + launch), plain) << launch;
  }
}

std::string describeInstance(const std::string& text) {
  const auto kernels = findKernels(text);
  return kernels.size() == 1 ? kernels.front().templateDefaults : "not one kernel";
}

const std::string kOperators =
    "struct Node { int key; };\n"
    "struct Sum { template <class T> __host__ __device__ T operator()(T a, T b) const { return a + b; } };\n"
    "template <typename T> struct Axpb { T a, b; __device__ T operator()(T x) const { return a * x + b; } "
    "};\n"
    "namespace ops { struct Min { __device__ int operator()(int a, int b) const { return b < a ? b : a; } }; "
    "}\n"
    "constexpr int kBlock = 128;\n";

struct WrittenInstance {
  const char* name;
  std::string kernel;
  std::string host;
  std::string arguments;
};

void PrintTo(const WrittenInstance& written, std::ostream* out) { *out << written.name; }

class TemplateInstance : public ::testing::TestWithParam<WrittenInstance> {};

TEST_P(TemplateInstance, FollowsFromTheText) {
  EXPECT_EQ(describeInstance(kOperators + GetParam().kernel + "\n" + GetParam().host), GetParam().arguments);
}

const std::string kReduce =
    "template <int B, class T, class Op> __global__ void k(T* x) { x[0] = Op()(x[0], x[B]); }";
const std::string kMap =
    "template <class T, class F> __global__ void k(const T* in, T* out, F f) { out[0] = f(in[0]); }";
const std::string kApply = "template <class F> __global__ void k(int* x, F f) { x[0] = f(x[0], x[1]); }";

INSTANTIATE_TEST_SUITE_P(
    Launches, TemplateInstance,
    ::testing::Values(
        WrittenInstance{"named", kReduce, "void f(double* x) { k<kBlock, double, Sum><<<1, 32>>>(x); }",
                        "kBlock, double, Sum"},
        WrittenInstance{"macro", kReduce,
                        "#define LAUNCH(n, ...) k<n, __VA_ARGS__><<<1, n>>>(x)\n"
                        "void f(int* x) { LAUNCH(256, int, ops::Min); }",
                        "256, int, Min"},
        WrittenInstance{"openType", kReduce,
                        "template <class T> void f(T* x) { k<512, T, Sum><<<1, 32>>>(x); }",
                        "512, float, Sum"},
        WrittenInstance{"deduced", kMap,
                        "void f() { double *a, *b; k<<<dim3(2), 32>>>(a, b, Axpb<double>{2.0, 1.0}); }",
                        "double, Axpb<double>"},
        WrittenInstance{"variable", kApply, "void f(int* x) { ops::Min m; k<<<1, 32>>>(x, m); }", "Min"},
        WrittenInstance{"autoVariable", kApply, "void f(int* x) { auto m = Sum{}; k<<<1, 32>>>(x, m); }",
                        "Sum"},
        WrittenInstance{"ownName", kApply, "void f(int* x) { auto m = m; k<<<1, 32>>>(x, m); }", "Sum"},
        WrittenInstance{"throughATemplate", kApply,
                        "template <class F> void f(int* x, F g) { k<<<1, 32>>>(x, g); }", "Sum"},
        WrittenInstance{
            "defaults",
            "template <class T, class Op = Sum> __global__ void k(T* x) { x[0] = Op()(x[0], x[1]); }",
            "void f(int* x) { k<int><<<1, 32>>>(x); }", "int"},
        WrittenInstance{"specialized", "template <class T> __global__ void k(T* x) { x[0] = x[0] % 2; }",
                        "void f(short* x) { auto* g = k<short>; }", "short"}),
    [](const auto& each) { return each.param.name; });

INSTANTIATE_TEST_SUITE_P(
    NoLaunch, TemplateInstance,
    ::testing::Values(
        WrittenInstance{"callable", kReduce, "", "64, float, Sum"},
        WrittenInstance{"callableTemplate", kMap, "", "float, Axpb<float>"},
        WrittenInstance{"wholeNumber", "template <class T> __global__ void k(T* x) { x[0] = x[0] % 2; }", "",
                        "int"},
        WrittenInstance{"data", "template <class N> __global__ void k(N* x) { x[0].key = 1; }", "", "Node"},
        WrittenInstance{"nothingFits", "template <class N> __global__ void k(N* x) { x[0].other = 1; }", "",
                        "float"},
        WrittenInstance{"wrongLaunch", kApply, "void f(int* x) { k<Node><<<1, 32>>>(x, Node{}); }", "Sum"}),
    [](const auto& each) { return each.param.name; });

TEST(KernelSignatureTest, GivesAPackTheParametersOfALaunch) {
  const auto kernels = findKernels(
      "template <typename T, typename... A> __global__ void k(T* out, A... a) { *out = sizeof...(a); }\n"
      "void f() { float* x; int* y; k<<<1, 1>>>(x, y, 2, 1.5f); }\n");
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels.front().templateDefaults, "float, int*, int, float");
  const std::vector<KernelParameter>& parameters = kernels.front().parameters;
  ASSERT_EQ(parameters.size(), 4U);
  EXPECT_TRUE(parameters[1].isPointer);
  EXPECT_EQ(parameters[1].element, "i32");
  EXPECT_EQ(parameters[3].element, "f32");
  EXPECT_FALSE(parameters[3].isPointer);
}

TEST(TemplateInstances, AFunctorIsAStructOfTheForm) {
  const std::string text = kOperators + kApply + "\nvoid f(int* x) { k<<<1, 32>>>(x, ops::Min{}); }\n";
  const auto kernels = findKernels(text);
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_TRUE(kernels.front().parameters[1].isStruct);
  EXPECT_EQ(kernels.front().parameters[1].type, "F");
  const LaunchForm form = formFor(kernels.front(), text);
  const auto launch =
      bindLaunch(form, std::make_shared<SourceText>("test.cu", text), machinePresets().front());
  ASSERT_TRUE(launch) << launch.error().sentence();
  const auto simulation = simulate(*launch);
  EXPECT_TRUE(simulation) << simulation.error().sentence();
}

// Extents of tiles that divide one another.
TEST(TemplateInstances, TilesAreWhatTheyUsuallyAre) {
  const ParsedText text(std::make_shared<const SourceText>("k.cu", R"(
const int kWarp = 32;
template <const int BM, const int BN, const int BK, const int WM, const int WN, const int WNITER, const int TM,
          const int TN, const int NUM_THREADS>
__global__ void __launch_bounds__(NUM_THREADS) product(float* a, float* c) {
  constexpr int kRows = (WM * WN) / (kWarp * TM * TN * WNITER);
  constexpr int kHeight = WM / kRows;
  __shared__ float tile[BM * BK];
  tile[threadIdx.x] = a[threadIdx.x];
  float sums[kRows * TM * WNITER * TN] = {0.0f};
  c[threadIdx.x] = sums[0] + kHeight + tile[threadIdx.x] + BN;
})"));
  const std::vector<KernelSignature> kernels = findKernels(text);
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].templateDefaults, "128, 128, 8, 64, 64, 4, 8, 4, 128");
  EXPECT_TRUE(checkKernel(text, "product<" + kernels[0].templateDefaults + ">"));
}

TEST(TemplateInstances, ALambdaOfTheHostIsKnown) {
  const std::string direct =
      "void f(int* x) { k<<<1, 32>>>(x, [=] __device__(int a, int b) { return a; }); }\n";
  const std::string variable =
      "void f(int* x) { auto g = [] __device__(int a, int b) { return a; }; k<<<1, 32>>>(x, g); }\n";
  EXPECT_TRUE(findKernels(kOperators + kApply + "\n" + direct).front().takesHostLambda);
  EXPECT_TRUE(findKernels(kOperators + kApply + "\n" + variable).front().takesHostLambda);
  EXPECT_FALSE(
      findKernels(kOperators + kApply + "\n" + direct + "void g(int* x) { k<<<1, 32>>>(x, Sum{}); }\n")
          .front()
          .takesHostLambda);
}

TEST(TemplateInstances, AnAbsurdTextIsNotSearchedToItsEnd) {
  std::string text = kApply + "\nvoid f(int* x) { int a";
  for (int i = 0; i < 20000; ++i) text += ",g";
  for (int i = 0; i < 200; ++i) text += "; k<<<1, 32>>>(x, ((((g";
  EXPECT_EQ(describeInstance(text), "float");
}

}  // namespace
}  // namespace lanescope
