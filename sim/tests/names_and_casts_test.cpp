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

TEST(Names, TheLineIsThatOfTheUse) {
  EXPECT_EQ(left<int>("#define HERE(at) out[at] = __LINE__\n"
                      "__global__ void k(int* out) {\n"
                      "  HERE(0);\n"
                      "  HERE(1);\n"
                      "}\n",
                      "i32:zero:2"),
            (std::vector{3, 4}));
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

TEST(Statements, MayBeginWithADeclaration) {
  EXPECT_EQ(
      left<int>("__global__ void k(int* out) {\n"
                "  int t = threadIdx.x, made = 0;\n"
                "  for (int i = 0; i < 3; ++i) {\n"
                "    switch (int t = i; t) { case 1: continue; }\n"
                "    made += 1000 * i;\n"
                "  }\n"
                "  switch (int twice = 2 * t; twice) { case 0: made += 1; break; default: made += twice; }\n"
                "  switch (int same = t) { case 1: made += 10 * same; }\n"
                "  switch (made += 100; t) { case 0: made += 200; }\n"
                "  out[t] = made;\n"
                "}\n",
                "i32:zero:2"),
      (std::vector{2301, 2112}));
}

TEST(Bindings, EachPartHasAName) {
  const auto simulation =
      simulate(testing::launchText("struct P { int a, b; };\n__global__ void k(int* out) {\n  P p = {1, 2};\n"
                                   "  auto [x, y, z] = p;\n  out[0] = x;\n}\n",
                                   1, {"i32:zero:1"}));
  ASSERT_FALSE(simulation.ok());
  EXPECT_SAYS(simulation.error().message);
}

constexpr const char* kMode = "enum class Mode : int { kSum = 3, kMax = 8 };\n";

struct UsingEnum {
  const char* name;
  std::string text;
};

void PrintTo(const UsingEnum& use, std::ostream* out) { *out << use.name; }

class NamesOfAnEnum : public ::testing::TestWithParam<UsingEnum> {};

TEST_P(NamesOfAnEnum, NeedNoScopeBehindUsingEnum) {
  EXPECT_EQ(left<int>(kMode + GetParam().text, "i32:zero:2"), (std::vector{3, 8}));
}

INSTANTIATE_TEST_SUITE_P(
    Places, NamesOfAnEnum,
    ::testing::Values(UsingEnum{"file",
                                "using enum Mode;\n"
                                "__global__ void k(int* out) { out[0] = (int)kSum; out[1] = (int)kMax; }"},
                      UsingEnum{"function",
                                "__global__ void k(int* out) {\n"
                                "  using enum Mode;\n"
                                "  constexpr Mode mode = kMax;\n"
                                "  out[0] = static_cast<int>(kSum); out[1] = mode == kMax ? 8 : 0;\n}"},
                      UsingEnum{"switchLabels",
                                "__device__ int numberOf(Mode mode) {\n"
                                "  switch (mode) {\n"
                                "    using enum Mode;\n"
                                "    case kSum: return 3;\n"
                                "    case kMax: return 8;\n  }\n  return 0;\n}\n"
                                "__global__ void k(int* out) {\n"
                                "  out[0] = numberOf(Mode::kSum); out[1] = numberOf(Mode::kMax);\n}"},
                      UsingEnum{
                          "templateArgument",
                          "template <Mode M> __device__ int numberOf() { return M == Mode::kSum ? 3 : 8; }\n"
                          "__global__ void k(int* out) {\n"
                          "  using enum Mode;\n"
                          "  out[0] = numberOf<kSum>(); out[1] = numberOf<kMax>();\n}"},
                      UsingEnum{"withoutClass",
                                "enum Plain { kLow = 3, kHigh = 8 };\nusing enum Plain;\n"
                                "__global__ void k(int* out) { out[0] = kLow; out[1] = kHigh; }"},
                      UsingEnum{"namespace",
                                "namespace n { enum class In { kA = 3, kB = 8 }; }\n"
                                "__global__ void k(int* out) {\n"
                                "  using enum n::In;\n  out[0] = (int)kA; out[1] = (int)kB;\n}"}),
    [](const auto& each) { return each.param.name; });

TEST(UsingEnumOfAClass, IsRefusedWithTheWayOut) {
  const auto simulation =
      simulate(testing::launchText("struct S { enum class In { kA }; };\n"
                                   "__global__ void k(int* out) { using enum S::In; out[0] = (int)kA; }",
                                   2, {"i32:zero:2"}));
  ASSERT_FALSE(simulation.ok());
  EXPECT_SAYS(simulation.error().message);
}

TEST(VariablesOfAType, AreDeclaredWithItInDeviceMemory) {
  EXPECT_EQ(
      left<int>("__constant__ struct Options { int width; float scale[2]; } options = {3, {1, 4}}, other;\n"
                "static __device__ struct { int count; } state = {5};\n"
                "__device__ union Word { int i; float f; } word;\n"
                "__global__ void k(int* out) {\n"
                "  Options copy = options;\n"
                "  word.f = 1.0f;\n"
                "  out[0] = copy.width + other.width + (word.i == 0x3f800000 ? 0 : 100);\n"
                "  out[1] = state.count + (int)options.scale[1] - 1;\n}",
                "i32:zero:2"),
      (std::vector{3, 8}));
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

TEST(Aliases, MayStandBeforeTheirStructAndBeUsedInIt) {
  EXPECT_EQ(left<int>("typedef struct Node_s Node;\nstruct Node_s { int value; Node* next; };\n"
                      "__device__ Node* head;\n"
                      "__global__ void k(int* out) {\n  Node last = {5, nullptr}, first = {3, &last};\n"
                      "  out[0] = first.next->value; out[1] = first.value + (head == nullptr);\n}",
                      "i32:zero:2"),
            (std::vector{5, 4}));
}

TEST(Templates, AreDeducedFromABaseOfTheArgument) {
  EXPECT_EQ(
      left<int>("template <typename Own> struct Shape {\n"
                "  __device__ int area() const { return static_cast<const Own*>(this)->areaOf(); }\n};\n"
                "struct Square : Shape<Square> {\n  int side;\n"
                "  __device__ explicit Square(int s) : side(s) {}\n"
                "  __device__ int areaOf() const { return side * side; }\n};\n"
                "template <typename Own> __device__ int twice(const Shape<Own>& s) { return 2 * s.area(); }\n"
                "template <typename Own> __device__ int thrice(Shape<Own>* s) { return 3 * s->area(); }\n"
                "__global__ void k(int* out) {\n  Square s(4); out[0] = twice(s); out[1] = thrice(&s);\n}",
                "i32:zero:2"),
      (std::vector{32, 48}));
}

// A reference is to what an assignment or ++x has on its left.
TEST(Names, WhatIsAssignedCanBeReferredTo) {
  EXPECT_EQ(left<int>(R"(
struct Vec {
  int x, y;
  __device__ Vec operator*(int f) const { return {x * f, y * f}; }
  __device__ Vec& twice() { return *this = *this * 2; }
  __device__ int& grow(int by) { return x += by; }
  __device__ int& up() { return ++y; }
};
__global__ void k(int* out) {
  if (threadIdx.x > 0) return;
  Vec v{3, 4};
  Vec& w = v.twice();
  w.x += 1;
  v.grow(10) *= 2;
  v.up() += 5;
  int a = 1, b = 2;
  int& r = a = b;
  r = 7;
  int& s = (b += 4);
  ++s;
  int& q = out[4] = 20;
  q += a;
  out[0] = v.x;
  out[1] = w.y;
  out[2] = a;
  out[3] = b;
})",
                      "i32:zero:5"),
            (std::vector{34, 14, 7, 7, 27}));
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

TEST(Names, ADeducedClassIsThatOfItsDeclarationAlone) {
  EXPECT_EQ(testing::left("template <typename T> struct Box { T v; __device__ Box(T x) : v(x) {} };",
                          "Box b((int)(10 * Box(2.5f).v)); Box<int> c = Box(3); out[t] = b.v + c.v;", 1),
            std::vector{28});
}

TEST(Names, AClassIsDeducedFromDefaultsAndConstructorTemplates) {
  EXPECT_EQ(testing::left("template <typename T = int, int N = 4> struct Row { T v[N]; };"
                          "template <typename T> struct Sum { T v; template <typename U> __device__ "
                          "Sum(T x, U y) : v(x + (T)y) {} };",
                          "Row r; r.v[3] = 1; Row s{}; auto* p = new Sum(3, 2.75f); Sum q(0.5f, 2); "
                          "out[t] = sizeof(r) + s.v[0] + r.v[3] + 100 * p->v + 1000 * q.v; delete p;",
                          1),
            std::vector{16 + 1 + 500 + 2500});
}

TEST(Names, ALoopOverARangeBindsThePartsOfItsElements) {
  EXPECT_EQ(testing::left("struct Pair { int x, y; };", R"(
Pair pairs[3] = {{1, 2}, {3, 4}, {5, 6}};
int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
int s = 0;
for (auto [x, y] : pairs) { s += x * y; x = 100; }
for (const auto& [x, y] : pairs) s += x;
for (auto& [x, y] : pairs) {
  x += 1;
  if (y == 4) continue;
  y = 0;
}
for (auto [a, b, c] : rows) { s += a * b - c; a = 9; }
for (auto& [a, b, c] : rows) a = b + c;
out[t] = s + 1000 * pairs[1].x + 10000 * pairs[1].y + 100000 * pairs[2].y + 1000000 * rows[1][0];)",
                          1),
            std::vector{66 + 4000 + 40000 + 11000000});
}

TEST(Names, OffsetsOfFieldsAreConstants) {
  EXPECT_EQ(
      testing::left("struct Record { char tag; struct { short x; float y[4]; } at; double weight; };",
                    "static_assert(offsetof(Record, at) == 4, \"\"); out[t] = offsetof(Record, at.y[2]) + "
                    "100 * __builtin_offsetof(struct Record, weight);",
                    1),
      std::vector{2416});
}

}  // namespace
}  // namespace lanescope
