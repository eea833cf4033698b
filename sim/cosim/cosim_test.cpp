// Random kernels of the tables, under the sanitizers every fourth and else all of them, generated anew from
// its seed and simulated, against the GPU's hash.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "sim/cosim/generator.h"
#include "sim/machine/run/launch.h"

namespace lanescope::cosim {
namespace {

struct Line {
  std::uint64_t seed = 0;
  std::string hash;
};

std::vector<Line> table(const std::string& name) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/sim/cosim/" + name);
  std::vector<Line> lines;
  for (std::string text; std::getline(file, text);) {
    if (text.empty() || text.front() == '#') continue;
    std::istringstream words(text);
    Line line;
    words >> line.seed >> line.hash;
    lines.push_back(line);
  }
  return lines;
}

TEST(Generator, AKernelIsTheSameWheneverItIsGenerated) {
  EXPECT_EQ(generate(7).text, generate(7).text);
  EXPECT_NE(generate(7).text, generate(8).text);
}

class Cosim : public testing::TestWithParam<const char*> {};

TEST_P(Cosim, KernelsLeaveWhatTheyLeftOnTheGpu) {
  const std::vector<Line> lines = table(GetParam());
  EXPECT_GE(lines.size(), 1500u);
  std::size_t different = 0;
  for (std::size_t i = 0; i < lines.size(); i += LANESCOPE_COSIM_STRIDE) {
    const Line& line = lines[i];
    const auto simulation = simulate(makeLaunch(generate(line.seed)));
    ASSERT_TRUE(simulation.ok()) << line.seed << ": " << simulation.error().sentence();
    if (fmt::format("{:016x}", simulation->outputs[0].fnv1a) == line.hash) continue;
    if (++different <= 5) ADD_FAILURE() << "kernel " << line.seed << " differs";
  }
  EXPECT_EQ(different, 0u);
}

INSTANTIATE_TEST_SUITE_P(Tables, Cosim, testing::Values("h200-results.txt", "h100-results.txt"));

}  // namespace
}  // namespace lanescope::cosim
