// Names and casts that many texts write: ::f, __LINE__, casts to references, types of the runtime's structs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/tests/launches.h"

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

TEST(Bindings, EachPartHasAName) {
  const auto simulation =
      simulate(testing::launchText("struct P { int a, b; };\n__global__ void k(int* out) {\n  P p = {1, 2};\n"
                                   "  auto [x, y, z] = p;\n  out[0] = x;\n}\n",
                                   1, {"i32:zero:1"}));
  ASSERT_FALSE(simulation.ok());
  EXPECT_NE(simulation.error().message.find("P has 2 parts, and 3 names are bound"), std::string::npos)
      << simulation.error().message;
}

}  // namespace
}  // namespace lanescope
