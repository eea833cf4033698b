// Names and casts that many texts write: ::f, __LINE__, casts to references, types of the runtime's structs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/language/check/checker.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/tests/small_kernels.h"

namespace lanescope {
namespace {

template <class T>
std::vector<T> left(const std::string& text, const std::string& argument) {
  const auto simulation = simulate(testing::launchText(text, 2, {argument}));
  EXPECT_TRUE(simulation.ok()) << (simulation.ok() ? "" : simulation.error().message);
  return simulation.ok() ? testing::elements<T>(*simulation, 0) : std::vector<T>{};
}

TEST(Names, ColonsAloneNameWhatIsAtFileScope) {
  EXPECT_EQ(left<int>("__device__ int twice(int x) { return 2 * x; }\n"
                      "__global__ void k(int* out) {\n"
                      "  out[threadIdx.x] = ::twice(3) + (::max(1, 2) - 1);\n"
                      "  if (threadIdx.x == 0) return;\n"
                      "  out[1] = threadIdx.x ? ::twice(8) : -::twice(1);\n"
                      "}\n",
                      "i32:zero:2"),
            (std::vector{7, 16}));
}

TEST(Names, OverloadsOfCudasFunctionsLeaveThoseInPlace) {
  const std::string text =
      "__device__ float3 make_float3(float s) { return make_float3(s, s + 1, s); }\n"
      "__device__ float3 fminf(float3 a, float3 b) {\n"
      "  return make_float3(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z));\n"
      "}\n"
      "__device__ int2 max(int2 a, int2 b) { return make_int2(max(a.x, b.x), max(a.y, b.y)); }\n"
      "__device__ float max(float a, float b) { return a > b ? 100 : 200; }\n"
      "__device__ float atomicMax(float* at, float value) {\n"
      "  return __int_as_float(atomicMax((int*)at, __float_as_int(value)));\n"
      "}\n"
      "__device__ int abs(int2 v) { return abs(v.x) + abs(v.y); }\n"
      "__global__ void k(int* out) {\n"
      "  __shared__ float most;\n"
      "  most = 0; __syncthreads(); atomicMax(&most, 2.5f + threadIdx.x); __syncthreads();\n"
      "  float3 least = fminf(make_float3(7.0f), make_float3(3.0f, 9.0f, 5.0f));\n"
      "  int2 pair = max(make_int2(1, 8), make_int2(4, 2));\n"
      "  int each[2] = {int(least.x + least.y * 10 + least.z * 100), pair.x + pair.y * 10};\n"
      "  out[threadIdx.x] = each[threadIdx.x] * 1000 + max(3, 4) + int(max(3.0f, 4.0f)) +\n"
      "      abs(make_int2(-3, 2)) + (most == 3.5f ? 400 : 0);\n"
      "}\n";
  // 3, 8, 5; then the maximum of ints, which is CUDA's, and of floats, which is the text's.
  EXPECT_EQ(left<int>(text, "i32:zero:2"), (std::vector{583'609, 84'609}));
}

TEST(Names, AnOverloadThatDoesNotFitIsNamed) {
  const ParsedText text(
      testing::makeSource("__device__ int abs(int2 v) { return v.x; }\n"
                          "__global__ void k(int* out) { out[0] = abs(out); }\n"));
  const auto checked = checkKernel(text, "");
  ASSERT_FALSE(checked.ok());
  ASSERT_EQ(checked.error().diagnostics.size(), 1u);
  EXPECT_SAYS(checked.error().diagnostics[0].message);
}

TEST(Names, ExtentsAndIndicesBecomeEachOther) {
  EXPECT_EQ(
      left<int>("__device__ dim3 sum(dim3 a, dim3 b) { return dim3(a.x + b.x, a.y + b.y, a.z + b.z); }\n"
                "__device__ int first(uint3 v) { return v.x * 100; }\n"
                "__global__ void k(int* out) {\n"
                "  dim3 where = threadIdx; uint3 size = blockDim; dim3 same(threadIdx);\n"
                "  dim3 both = sum(blockDim, threadIdx);\n"
                "  out[threadIdx.x] = both.x + 10 * where.x + first(blockDim) + size.y * 1000 + same.x;\n"
                "}\n",
                "i32:zero:2"),
      (std::vector{1202, 1214}));
}

TEST(Casts, ToAReferenceReadTheSameBytes) {
  EXPECT_EQ(left<float>("#define FLOAT4(x) (reinterpret_cast<float4&>(x))\n"
                        "__global__ void k(float* out) {\n"
                        "  float t[4] = {1, 2, 3, 4};\n"
                        "  FLOAT4(t[0]).y += threadIdx.x;\n"
                        "  FLOAT4(out[4 * threadIdx.x]) = FLOAT4(t[0]);\n"
                        "  (int&)out[4 * threadIdx.x] = 0x40A00000;\n"
                        "}\n",
                        "f32:zero:8"),
            (std::vector<float>{5, 2, 3, 4, 5, 3, 3, 4}));
}

TEST(Names, StructsOfTheRuntimeHaveItsLayout) {
  EXPECT_EQ(left<int>("__global__ void k(int* out) {\n"
                      "  cudaPitchedPtr p = {out, 4, 1, 2};\n"
                      "  cudaExtent e = {1, 2, 3};\n"
                      "  int* row = (int*)((char*)p.ptr + threadIdx.x * p.pitch);\n"
                      "  *row = (int)(sizeof(p) + sizeof(cudaPos) + e.depth + threadIdx.x);\n"
                      "}\n",
                      "i32:zero:2"),
            (std::vector{59, 60}));
}

TEST(Bindings, EachPartHasAName) {
  const auto simulation =
      simulate(testing::launchText("struct P { int a, b; };\n__global__ void k(int* out) {\n  P p = {1, 2};\n"
                                   "  auto [x, y, z] = p;\n  out[0] = x;\n}\n",
                                   1, {"i32:zero:1"}));
  ASSERT_FALSE(simulation.ok());
  EXPECT_SAYS(simulation.error().message);
}

TEST(VariablesOfAType, AreSharedByTheBlock) {
  EXPECT_EQ(left<int>("__global__ void k(int* out) {\n"
                      "  __shared__ union { int i[2]; float f[2]; } u;\n"
                      "  __shared__ struct Pair { int a, b; } pairs[2];\n"
                      "  u.i[threadIdx.x] = 3 + 5 * threadIdx.x;\n"
                      "  pairs[threadIdx.x].a = threadIdx.x;\n"
                      "  __syncthreads();\n"
                      "  out[threadIdx.x ^ 1] = u.i[threadIdx.x ^ 1] * (pairs[1].a - pairs[0].a);\n}",
                      "i32:zero:2"),
            (std::vector{3, 8}));
}

TEST(VariablesOfAType, ATypeAloneDeclaresNone) {
  EXPECT_EQ(left<int>("__device__ struct Pair { int a, b; };\n"
                      "__global__ void k(int* out) {\n"
                      "  __shared__ struct Cell { int x; };\n"
                      "  Pair p = {3, 8};\n  Cell c = {p.a};\n  out[0] = c.x; out[1] = p.b;\n}",
                      "i32:zero:2"),
            (std::vector{3, 8}));
}

// What would be read otherwise than C++ has it is refused.
TEST(Names, DeductionsAndBindingsThatAreNotSimulatedAreRefused) {
  const auto isRefused = [](const std::string& before, const std::string& body) {
    return !testing::fault(before, body).empty();
  };
  const std::string box = "template <typename T> struct Box { T v; __device__ Box(T x) : v(x) {} };";
  EXPECT_FALSE(isRefused(box, "Box b(3); out[0] = b.v;"));
  EXPECT_TRUE(isRefused(box + " Box(char) -> Box<int>;", "Box b(3); out[0] = b.v;"));
  EXPECT_TRUE(isRefused("", "for (int i = 0; int r = 4 - i; i += r) out[i] = r;"));
  EXPECT_TRUE(isRefused("", "while (int m) out[0] = m;"));
  EXPECT_TRUE(isRefused(box, "Box a(3), b(2.5f); out[0] = a.v;"));
  const std::string whole = "struct Whole { int v; __device__ explicit Whole(int x) : v(x) {} };";
  EXPECT_FALSE(isRefused(whole, "Whole w(3), u{4}, v = Whole(5); out[0] = w.v;"));
  EXPECT_TRUE(isRefused(whole, "Whole w = 3; out[0] = w.v;"));
  EXPECT_TRUE(isRefused(whole, "Whole w = {3}; out[0] = w.v;"));
  EXPECT_TRUE(isRefused(whole, "int a[2] = {1, 2}; for (Whole w : a) out[0] = w.v;"));
  EXPECT_TRUE(
      isRefused("struct Pair { int x, y; };", "Pair a[1] = {{1, 2}}; for (Pair [x, y] : a) out[0] = x;"));
  EXPECT_TRUE(isRefused("struct Same { int v; __device__ bool operator==(const Same&) const = default; };",
                        "Same a{1}, b{1}; out[0] = a == b;"));
}

}  // namespace
}  // namespace lanescope
