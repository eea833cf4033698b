// Launch forms: from a kernel's signature, to a launch, and what is said of wrong entries.
#include "app/launch/launch_form.h"

#include <gtest/gtest.h>

#include "app/launch/kernel_file.h"
#include "app/launch/strategy_launch.h"
#include "app/workbench/tests/kernels_of_text.h"
#include "sim/language/check/checker.h"
#include "sim/machine/run/launch.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using testing::findKernels;

TEST(KernelSignatureTest, NamesEveryParameter) {
  const auto kernels = findKernels(
      "template <typename T, unsigned int D, bool B>\n"
      "__global__ void k(const T* in, unsigned long* count, float4* v, double x, uint8_t c, bool on) {\n"
      "  extern __shared__ float s[]; s[0] = 0;\n}\n");
  ASSERT_EQ(kernels.size(), 1U);
  const KernelSignature& k = kernels.front();
  EXPECT_EQ(k.name, "k");
  EXPECT_EQ(k.templateParameters, (std::vector<std::string>{"T", "D", "B"}));
  EXPECT_EQ(k.templateDefaults, "float, 64, true");
  EXPECT_TRUE(k.hasDynamicShared);
  std::vector<std::string> suggestions;
  for (const KernelParameter& parameter : k.parameters) suggestions.push_back(parameter.suggestion(8));
  EXPECT_EQ(suggestions,
            (std::vector<std::string>{"f32:hash:8", "u64:zero:8", "f32x4:zero:8", "f64=1", "u8=1", "u8=1"}));
  EXPECT_EQ(k.parameters[0].type, "const T*");
}

TEST(KernelSignatureTest, APointerToRowsIsABufferThatHoldsThem) {
  const auto kernels = findKernels(
      "#define N 16\nconstexpr int M = 4;\n"
      "template <int T> __global__ void add(const float A[N][N], float (*B)[2 * M + 1], int C[][2][T],\n"
      "                                     const float (&D)[M], int E[][1048576]) {\n"
      "  int i = threadIdx.x, j = threadIdx.y;\n"
      "  B[i][j] = A[i][j] + C[i][1][j] + D[0];\n}\n");
  ASSERT_EQ(kernels.size(), 1U);
  std::string shown;
  for (const KernelParameter& parameter : kernels[0].parameters)
    shown += parameter.declaration() + ": " + parameter.suggestion(64, 8) + "\n";
  EXPECT_EQ(shown,
            "const float (*A)[16]: f32:hash:128\n"
            "float (*B)[9]: f32:zero:72\n"
            "int (*C)[2][T]: i32:zero:128\n"
            "const float (&D)[M]: f32:hash:64\n"
            "int (*E)[1048576]: i32:zero:1048576\n");
}

TEST(LaunchFormTest, AMatrixInRowsIsGivenAllThatItsThreadsTouch) {
  const std::string text =
      "#define N 16\n"
      "__global__ void add(float A[N][N], float (*B)[N], float C[][N], float D[N]) {\n"
      "  int i = threadIdx.x, j = threadIdx.y;\n"
      "  C[i][j] = A[i][j] + B[i][j] + D[j];\n}\n";
  const auto kernels = findKernels(text);
  ASSERT_EQ(kernels.size(), 1U);
  const LaunchForm form = formFor(kernels.front());
  EXPECT_EQ(form.grid, "1") << "it tells no blocks apart";
  EXPECT_EQ(form.arguments[0], "f32:zero:128") << "8 rows";
  const auto launch =
      bindLaunch(form, std::make_shared<SourceText>("test.cu", text), machinePresets().front());
  ASSERT_TRUE(launch) << launch.error().sentence();
  const auto simulation = simulate(*launch);
  ASSERT_TRUE(simulation) << simulation.error().sentence();
}

TEST(KernelSignatureTest, DynamicSharedMemoryOfOneKernelIsNoOthers) {
  const auto kernels = findKernels(
      "__device__ float own(float x) { extern __shared__ float s[]; return s[0] + x; }\n"
      "__global__ void k(float* out) { out[threadIdx.x] = 1; }\n");
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_TRUE(kernels[0].hasDynamicShared) << "a function that it may call declares some";
  const auto two = findKernels(
      "__global__ void a(float* out) { out[threadIdx.x] = 1; }\n"
      "__global__ void b(float* out) { extern __shared__ float s[]; s[0] = 1; out[0] = s[0]; }\n");
  ASSERT_EQ(two.size(), 2U);
  EXPECT_FALSE(two[0].hasDynamicShared);
  EXPECT_TRUE(two[1].hasDynamicShared);
}

TEST(LaunchFormTest, WhatIsSuggestedRuns) {
  const std::string text =
      "__global__ void scale(const float* in, float* out, float by, int n) {\n"
      "  extern __shared__ float s[];\n"
      "  s[threadIdx.x] = in[threadIdx.x];\n"
      "  if (threadIdx.x < n) out[threadIdx.x] = by * s[threadIdx.x];\n}\n";
  const auto kernels = findKernels(text);
  ASSERT_EQ(kernels.size(), 1U);
  const LaunchForm form = formFor(kernels.front());
  EXPECT_FALSE(checkForm(form, &kernels.front()).any());
  const auto launch =
      bindLaunch(form, std::make_shared<SourceText>("test.cu", text), machinePresets().front());
  ASSERT_TRUE(launch) << launch.error().sentence();
  const auto simulation = simulate(*launch);
  ASSERT_TRUE(simulation) << simulation.error().sentence();
}

constexpr const char* kStructs =
    "typedef struct { int width; int height; float* elements; } Matrix;\n"
    "struct Particle { float3 place; float mass; int kind[2]; };\n"
    "__global__ void k(Matrix m, Particle* p, float2 shift, const int4* q) {\n"
    "  m.elements[threadIdx.x] = p[threadIdx.x].place.x + shift.y + q[threadIdx.x].z;\n}\n";

TEST(LaunchFormTest, SuggestsStructsThatRun) {
  const auto kernels = findKernels(kStructs);
  ASSERT_EQ(kernels.size(), 1U);
  const LaunchForm form = formFor(kernels.front());
  EXPECT_EQ(form.arguments,
            (std::vector<std::string>{
                "struct:{width=i32:64,height=i32:64,elements=f32:zero:64}",
                "struct:{place=struct:{x=f32:hash,y=f32:hash,z=f32:hash},mass=f32:hash,kind=i32:hash}:64",
                "struct:{x=f32:1,y=f32:1}", "i32:hash:256"}));
  EXPECT_FALSE(checkForm(form, &kernels.front()).any());
  const auto launch =
      bindLaunch(form, std::make_shared<SourceText>("test.cu", kStructs), machinePresets().front());
  ASSERT_TRUE(launch) << launch.error().sentence();
  const auto simulation = simulate(*launch);
  ASSERT_TRUE(simulation) << simulation.error().sentence();
  EXPECT_EQ(makeForm(*launch).arguments, form.arguments);
}

TEST(LaunchFormTest, FieldsOfAStructAreFilledOneByOne) {
  const std::string spec = "struct:{width=i32:64,{f32=1,f32=2},elements=f32:zero:64}:8";
  EXPECT_EQ(splitFields(spec), (std::vector<std::string>{"i32:64", "{f32=1,f32=2}", "f32:zero:64"}));
  EXPECT_EQ(withField(spec, 0, "i32:8"), "struct:{width=i32:8,{f32=1,f32=2},elements=f32:zero:64}:8");
  EXPECT_EQ(withField(spec, 2, ""), "struct:{width=i32:64,{f32=1,f32=2},elements=}:8");
  EXPECT_TRUE(splitFields("f32:zero:64").empty());
  EXPECT_TRUE(splitFields("struct:{a=i32:1").empty());
  EXPECT_EQ(withField("f32=1", 0, "f32=2"), "f32=1");
}

TEST(LaunchFormTest, SaysWhatAStructIsGivenFor) {
  const auto kernels = findKernels(kStructs);
  LaunchForm form = formFor(kernels.front());
  form.arguments[0] = "i32=4";
  form.arguments[3] = "struct:{x=f32:1}";
  const FormFaults faults = checkForm(form, &kernels.front());
  EXPECT_SAYS(faults.arguments[0]);
  EXPECT_SAYS(faults.arguments[3]);
}

constexpr const char* kTiledProduct =
    "#define TILE 16\n"
    "__global__ void product(const float* a, const float* b, float* c, int n) {\n"
    "  __shared__ float As[TILE][TILE];\n"
    "  __shared__ float Bs[TILE][TILE + 1];\n"
    "  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;\n"
    "  float sum = 0;\n"
    "  for (int t = 0; t < n / TILE; ++t) {\n"
    "    As[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];\n"
    "    Bs[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + column];\n"
    "    __syncthreads();\n"
    "    for (int k = 0; k < TILE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];\n"
    "    __syncthreads();\n"
    "  }\n"
    "  c[row * n + column] = sum;\n"
    "}\n";

TEST(LaunchFormTest, ATiledProductGetsItsTileAndMatricesThatFit) {
  std::string text = kTiledProduct;
  const std::string head = "#define TILE 16\n";
  for (const std::string& constant :
       {head, std::string("constexpr int TILE = 16;\n"), std::string("template <int TILE>\n")}) {
    text = constant + std::string(kTiledProduct).substr(head.size());
    const auto kernels = findKernels(text);
    ASSERT_EQ(kernels.size(), 1U);
    const LaunchForm form = formFor(kernels.front());
    const bool isTemplate = constant.starts_with("template");
    EXPECT_EQ(form.block, isTemplate ? "8,8" : "16,16");
    EXPECT_EQ(form.grid, "2,2");
    EXPECT_EQ(form.arguments.back(), isTemplate ? "i32=16" : "i32=32");
    EXPECT_EQ(form.arguments.front(), isTemplate ? "f32:hash:256" : "f32:hash:1024");
    const auto launch =
        bindLaunch(form, std::make_shared<SourceText>("test.cu", text), machinePresets().front());
    ASSERT_TRUE(launch) << launch.error().sentence();
    const auto simulation = simulate(*launch);
    ASSERT_TRUE(simulation) << simulation.error().sentence();
  }
}

TEST(LaunchFormTest, ANumberAloneIsAScalarAndExtentsMayHaveAnX) {
  const auto kernels = findKernels("__global__ void k(float* out, int n, float by, bool on) {}\n");
  LaunchForm form = formFor(kernels.front());
  form.arguments = {"f32:zero:64", "8", "2.5", "true"};
  form.block = "8x8";
  form.grid = "2X1x3";
  EXPECT_FALSE(checkForm(form, &kernels.front()).arguments[3].empty()) << "a bool is written as a number";
  form.arguments[3] = "1";
  EXPECT_FALSE(checkForm(form, &kernels.front()).any());
  const LaunchForm whole = completed(form, kernels);
  EXPECT_EQ(whole.arguments, (std::vector<std::string>{"f32:zero:64", "i32=8", "f32=2.5", "u8=1"}));
  const auto launch = bindLaunch(whole, nullptr, machinePresets().front());
  ASSERT_TRUE(launch) << launch.error().sentence();
  EXPECT_EQ(launch->block, (Dim3{8, 8, 1}));
  EXPECT_EQ(launch->grid, (Dim3{2, 1, 3}));
  form.arguments[0] = "8";
  EXPECT_FALSE(checkForm(form, &kernels.front()).arguments[0].empty()) << "a buffer is not a number";
}

TEST(LaunchFormTest, SaysWhatTheLaunchBoundsAllow) {
  const auto kernels = findKernels(
      "constexpr int kMost = 64;\n__global__ void __launch_bounds__(2 * kMost, 4) k(float* out) {}\n"
      "template <int N> __global__ void __launch_bounds__(N) of(float* out) {}\n");
  LaunchForm form = formFor(kernels[0]);
  form.block = "128";
  EXPECT_FALSE(checkForm(form, &kernels[0]).any());
  form.block = "16,16";
  EXPECT_SAYS(checkForm(form, &kernels[0]).block);
  form = formFor(kernels[1]);
  form.block = "512";
  EXPECT_FALSE(checkForm(form, &kernels[1]).any()) << "its arguments decide";
}

TEST(LaunchFormTest, SuggestsABlockWithinTheLaunchBounds) {
  const auto kernels = findKernels(
      "__global__ void __launch_bounds__(24) line(float* a) { a[blockIdx.x * 24 + threadIdx.x] = 1; }\n"
      "__global__ void __launch_bounds__(100) tile(float* a) { a[threadIdx.y * 8 + threadIdx.x] = 1; }\n"
      "__global__ void __launch_bounds__(32) cube(float* a) { a[threadIdx.z + threadIdx.y] = 1; }\n");
  ASSERT_EQ(kernels.size(), 3U);
  const LaunchForm line = formFor(kernels[0]);
  EXPECT_EQ(line.block, "24");
  EXPECT_EQ(line.grid, "3") << "64 elements";
  EXPECT_EQ(formFor(kernels[1]).grid, "1") << "it tells no blocks apart";
  for (const KernelSignature& kernel : kernels)
    EXPECT_EQ(checkForm(formFor(kernel), &kernel).block, "") << kernel.name;
}

TEST(LaunchFormTest, ALaunchAndItsFormAreTheSame) {
  for (const Strategy& strategy : strategies()) {
    const auto launch =
        makeLaunch(strategy, 128, strategy.family == Family::Transpose ? 1 : 2, machinePresets().front());
    ASSERT_TRUE(launch);
    const LaunchForm form = makeForm(*launch);
    const auto again = bindLaunch(form, launch->source, launch->machine);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->grid, launch->grid);
    EXPECT_EQ(again->block, launch->block);
    EXPECT_EQ(again->dynamicSharedBytes, launch->dynamicSharedBytes);
    EXPECT_EQ(again->kernel, launch->kernel);
    EXPECT_EQ(makeForm(*again), form);
  }
  Launch launch{.kernel = "k<128, true>", .grid = {2, 3, 1}, .block = {4, 1, 2}};
  for (const char* spec : {"i32=-7", "f64=0.5", "u8:iota:3", "u64=18446744073709551615"})
    launch.arguments.push_back(parseArgument(spec).value());
  const LaunchForm form = makeForm(launch);
  EXPECT_EQ(form.kernel, "k");
  EXPECT_EQ(form.templateArguments, "128, true");
  EXPECT_EQ(form.kernelName(), "k<128, true>");
  EXPECT_EQ(form.grid, "2,3");
  EXPECT_EQ(form.block, "4,1,2");
  EXPECT_EQ(form.arguments,
            (std::vector<std::string>{"i32=-7", "f64=0.5", "u8:iota:3", "u64=18446744073709551615"}));
}

struct Wrong {
  const char* name;
  void (*spoil)(LaunchForm&);
  std::string FormFaults::*entry;
  const char* says;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

class WrongEntry : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongEntry, IsToldInOneSentenceBesideIt) {
  const auto kernels = findKernels("__global__ void k(const float* in, int n) { }\n");
  LaunchForm form = formFor(kernels.front());
  GetParam().spoil(form);
  const FormFaults faults = checkForm(form, findSignature(kernels, form.kernel));
  const std::string said = GetParam().entry == nullptr ? faults.arguments.front() : faults.*GetParam().entry;
  EXPECT_NE(said.find(GetParam().says), std::string::npos) << said;
  EXPECT_EQ(said.find('\n'), std::string::npos);
  EXPECT_TRUE(faults.any());
}

INSTANTIATE_TEST_SUITE_P(
    Entries, WrongEntry,
    ::testing::Values(
        Wrong{"kernel", [](LaunchForm& f) { f.kernel = "other"; }, &FormFaults::kernel, "no kernel named"},
        Wrong{"noTemplate", [](LaunchForm& f) { f.templateArguments = "3"; }, &FormFaults::kernel,
              "not a template"},
        Wrong{"gridWord", [](LaunchForm& f) { f.grid = "many"; }, &FormFaults::grid, "not an extent"},
        Wrong{"gridEmpty", [](LaunchForm& f) { f.grid = ""; }, &FormFaults::grid, "not an extent"},
        Wrong{"gridZero", [](LaunchForm& f) { f.grid = "4,0"; }, &FormFaults::grid, "at least 1"},
        Wrong{"blockLarge", [](LaunchForm& f) { f.block = "33,32"; }, &FormFaults::block, "1,024"},
        Wrong{"blockDeep", [](LaunchForm& f) { f.block = "1,1,65"; }, &FormFaults::block, "64 deep"},
        Wrong{"blockOver", [](LaunchForm& f) { f.block = "99999999999"; }, &FormFaults::block,
              "not an extent"},
        Wrong{"sharedWord", [](LaunchForm& f) { f.dynamicShared = "-4"; }, &FormFaults::dynamicShared,
              "whole number"},
        Wrong{"sharedLarge", [](LaunchForm& f) { f.dynamicShared = "232449"; }, &FormFaults::dynamicShared,
              "at most"},
        Wrong{"spec", [](LaunchForm& f) { f.arguments[0] = "f32:often:3"; }, nullptr, "the fill 'often'"},
        Wrong{"specEmpty", [](LaunchForm& f) { f.arguments[0] = ""; }, nullptr, "not an argument"},
        Wrong{"scalar", [](LaunchForm& f) { f.arguments[0] = "f32=1"; }, nullptr, "is a buffer"},
        Wrong{"type", [](LaunchForm& f) { f.arguments[0] = "i32:hash:4"; }, nullptr, "const float*"}),
    [](const ::testing::TestParamInfo<Wrong>& tested) { return tested.param.name; });

TEST(LaunchFormTest, FillsTakeAnothersPlace) {
  EXPECT_EQ(withFill("f32:hash:64", "zero"), "f32:zero:64");
  EXPECT_EQ(withFill("u32=7", "zero"), "u32=7");
  EXPECT_EQ(withFill("", "zero"), "");
}

TEST(PathCompletion, OffersFoldersAndKernelFiles) {
  const DesktopHost host;
  const std::string folder = std::string(LANESCOPE_SOURCE_DIR) + "/kernels/";
  const auto inKernels = completePath(host, folder + "str", 10);
  ASSERT_EQ(inKernels.size(), 1U);
  EXPECT_EQ(inKernels.front(), folder + "strategies/");
  const auto files = completePath(host, folder + "strategies/no_", 10);
  for (const std::string& file : files) EXPECT_TRUE(file.ends_with(".cu")) << file;
  ASSERT_GE(files.size(), 2U);
  EXPECT_EQ(commonStart(files), folder + "strategies/no_");
  EXPECT_EQ(completePath(host, folder + "strategies/", 3).size(), 3U);
  EXPECT_TRUE(completePath(host, "/nonexistent/folder/x", 10).empty());
  EXPECT_EQ(commonStart({}), "");
}

}  // namespace
}  // namespace lanescope
