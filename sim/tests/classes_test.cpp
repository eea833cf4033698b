// Classes in device code: what the simulator leaves is what the host's compiler makes of the same text.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <utility>

#include "sim/tests/launches.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#define __host__
#define __device__
#define __global__ inline
#define __align__(bytes) alignas(bytes)
namespace lanescope::native {

struct Index {
  unsigned x;
};
inline Index threadIdx{0};
inline int bitsOf(float x) { return std::bit_cast<int>(x); }

#include "sim/tests/data/classes.cu"
#include "sim/tests/data/lifetimes.cu"
#include "sim/tests/data/templates.cu"

}  // namespace lanescope::native
#undef __host__
#undef __device__
#undef __global__
#undef __align__
#pragma GCC diagnostic pop

namespace lanescope {
namespace {

using Kernel = void (*)(int*);

class Classes : public ::testing::TestWithParam<std::pair<const char*, Kernel>> {};

TEST_P(Classes, LeaveWhatTheHostsCompilerMakesOfThem) {
  std::ostringstream text;
  text << "__device__ int bitsOf(float x) { return __float_as_int(x); }\n";
  for (const char* const name : {"classes.cu", "lifetimes.cu", "templates.cu"}) {
    const std::ifstream file(std::string(LANESCOPE_SOURCE_DIR "/sim/tests/data/") + name);
    text << file.rdbuf();
  }
  Launch launch = testing::launchText(text.str(), 32, {"i32:zero:256"});
  launch.kernel = GetParam().first;
  const auto simulation = simulate(launch);
  ASSERT_TRUE(simulation.ok()) << simulation.error().message;
  std::array<int, 256> expected{};
  for (unsigned i = 0; i < 32; ++i) {
    native::threadIdx.x = i;
    GetParam().second(expected.data());
  }
  const auto values = testing::elements<int>(*simulation, 0);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(values[i], expected[i]) << "thread " << i / 8 << ", value " << i % 8;
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Classes,
    ::testing::Values(
        std::pair("vectors", Kernel(native::vectors)), std::pair("stacks", Kernel(native::stacks)),
        std::pair("functors", Kernel(native::functors)), std::pair("objects", Kernel(native::objects)),
        std::pair("layouts", Kernel(native::layouts)), std::pair("matrices", Kernel(native::matrices)),
        std::pair("bindings", Kernel(native::bindings)),
        std::pair("destructors", Kernel(native::destructors)), std::pair("gotos", Kernel(native::gotos)),
        std::pair("slices", Kernel(native::slices)), std::pair("references", Kernel(native::references)),
        std::pair("variable_templates", Kernel(native::variable_templates)),
        std::pair("template_templates", Kernel(native::template_templates)),
        std::pair("second_bases", Kernel(native::second_bases)),
        std::pair("union_bits", Kernel(native::union_bits))),
    [](const auto& row) { return std::string(row.param.first); });

TEST(Objects, ThatEndWithoutANameAreRefused) {
  const auto simulation = simulate(testing::launchText(
      "struct Timer { __device__ Timer(int) {} __device__ ~Timer() { ++*n; } int* n; int t() { return 1; }\n"
      "  __device__ int time() const { return 2; } };\n"
      "__global__ void k(int* out) { out[0] = Timer(3).time(); }",
      1, {"i32:zero:1"}));
  ASSERT_FALSE(simulation.ok());
  EXPECT_NE(simulation.error().message.find(
                "a Timer without a name is not simulated, since its destructor does something"),
            std::string::npos)
      << simulation.error().message;
}

}  // namespace
}  // namespace lanescope
