// Classes, templates and functions in device code: what a GPU left of the same text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>

#include "sim/base/json.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/tests/recorded_launches.h"

namespace lanescope {
namespace {

constexpr std::array kFiles{"classes.cu", "functions.cu", "lifetimes.cu", "templates.cu"};

Launch launchOfClasses(const std::string& kernel) {
  std::string text;
  for (const char* const name : kFiles) text += testing::dataText(name);
  Launch launch = testing::launchText(text, 32, {"i32:zero:256"});
  launch.kernel = kernel;
  return launch;
}

class Classes : public ::testing::TestWithParam<const char*> {};

// What run_classes.cu printed on an NVIDIA H200.
TEST_P(Classes, LeaveWhatTheyLeftOnTheGpu) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/sim/tests/data/h200-classes.jsonl");
  ASSERT_TRUE(file.is_open());
  for (std::string line; std::getline(file, line);) {
    const Json run = parseJson(line);
    if (run["kernel"] != std::string(GetParam())) continue;
    const auto simulation = simulate(launchOfClasses(GetParam()));
    ASSERT_TRUE(simulation.ok()) << simulation.error().message;
    const auto values = testing::elements<int>(*simulation, 0);
    for (std::size_t i = 0; i < 8; ++i)
      EXPECT_EQ(values[run["thread"].get<std::size_t>() * 8 + i], run["values"][i]) << i;
    EXPECT_EQ(fmt::format("{:016x}", simulation->outputs[0].fnv1a), run["fnv1a"].get<std::string>());
    return;
  }
  FAIL() << "not recorded";
}

INSTANTIATE_TEST_SUITE_P(Kernels, Classes,
                         ::testing::Values("vectors", "stacks", "functors", "objects", "layouts", "matrices",
                                           "bindings", "destructors", "gotos", "slices", "references",
                                           "variable_templates", "template_templates", "second_bases",
                                           "union_bits", "recursions", "function_tables", "pack_kernels",
                                           "lambdas", "forwarding", "heap_lists", "parts_of_objects"),
                         [](const auto& row) { return std::string(row.param); });

}  // namespace
}  // namespace lanescope
