// Classes in device code: what the simulator leaves is what the host's compiler makes of the same text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>
#include <utility>

#include "sim/base/json.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/tests/recorded_launches.h"

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
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }

#include "sim/tests/data/classes.cu"
#include "sim/tests/data/functions.cu"
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

constexpr std::array kFiles{"classes.cu", "functions.cu", "lifetimes.cu", "templates.cu"};

Launch launchOfClasses(const std::string& kernel) {
  std::string text;
  for (const char* const name : kFiles) text += testing::dataText(name);
  Launch launch = testing::launchText(text, 32, {"i32:zero:256"});
  launch.kernel = kernel;
  return launch;
}

class Classes : public ::testing::TestWithParam<std::pair<const char*, Kernel>> {};

TEST_P(Classes, LeaveWhatTheHostsCompilerMakesOfThem) {
  const auto simulation = simulate(launchOfClasses(GetParam().first));
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

// What run_classes.cu printed on an NVIDIA H200.
TEST_P(Classes, LeaveWhatTheyLeftOnTheGpu) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/sim/tests/data/h200-classes.jsonl");
  ASSERT_TRUE(file.is_open());
  for (std::string line; std::getline(file, line);) {
    const Json run = parseJson(line);
    if (run["kernel"] != GetParam().first) continue;
    const auto simulation = simulate(launchOfClasses(GetParam().first));
    ASSERT_TRUE(simulation.ok()) << simulation.error().message;
    const auto values = testing::elements<int>(*simulation, 0);
    for (std::size_t i = 0; i < 8; ++i)
      EXPECT_EQ(values[run["thread"].get<std::size_t>() * 8 + i], run["values"][i]) << i;
    EXPECT_EQ(fmt::format("{:016x}", simulation->outputs[0].fnv1a), run["fnv1a"].get<std::string>());
    return;
  }
  FAIL() << "not recorded";
}

#define KERNEL(name) std::pair(#name, Kernel(native::name))
INSTANTIATE_TEST_SUITE_P(Kernels, Classes,
                         ::testing::Values(KERNEL(vectors), KERNEL(stacks), KERNEL(functors), KERNEL(objects),
                                           KERNEL(layouts), KERNEL(matrices), KERNEL(bindings),
                                           KERNEL(destructors), KERNEL(gotos), KERNEL(slices),
                                           KERNEL(references), KERNEL(variable_templates),
                                           KERNEL(template_templates), KERNEL(second_bases),
                                           KERNEL(union_bits), KERNEL(recursions), KERNEL(function_tables),
                                           KERNEL(pack_kernels), KERNEL(lambdas), KERNEL(forwarding),
                                           KERNEL(heap_lists), KERNEL(parts_of_objects)),
                         [](const auto& row) { return std::string(row.param.first); });

}  // namespace
}  // namespace lanescope
