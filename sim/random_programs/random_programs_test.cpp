// Random programs: what the simulator leaves in `out` is what the system's compiler makes of the same text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/random_programs/compare.h"

namespace lanescope::random_programs {
namespace {

const std::string kCommand = LANESCOPE_CXX_COMPILER " -std=c++20 -w -O0";
const std::string kFeatures = LANESCOPE_SOURCE_DIR "/sim/random_programs/features";

TEST(RandomProgram, IsTheSameWheneverItIsGenerated) {
  const std::vector<Feature> features = readFeatures(kFeatures);
  EXPECT_GT(features.size(), 40u);
  EXPECT_EQ(randomProgram(7, features).text, randomProgram(7, features).text);
  EXPECT_NE(randomProgram(7, features).text, randomProgram(8, features).text);
}

TEST(RandomProgram, ADifferenceWouldBeSeen) {
  // The simulator is C++17, as nvcc is by default.
  const Program wrong{1, "__global__ void k(int* out) {\n  out[3] = __cplusplus > 201703;\n}\n", {}};
  const std::vector<Comparison> rows = compare(kCommand, {wrong});
  EXPECT_EQ(rows[0].verdict, Verdict::Different) << rows[0].says;
  const Program invalid{2, "__global__ void k(int* out) {\n  out[0] = nothing;\n}\n", {}};
  EXPECT_EQ(compare(kCommand, {invalid})[0].verdict, Verdict::Invalid);
}

class SweepOfRandomPrograms : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(SweepOfRandomPrograms, AreEqualOrRefused) {
  constexpr std::uint64_t kPrograms = 100;
  const std::vector<Feature> features = readFeatures(kFeatures);
  std::vector<Program> programs;
  for (std::uint64_t i = 0; i < kPrograms; ++i)
    programs.push_back(randomProgram(GetParam() * kPrograms + i, features));
  const std::vector<Comparison> rows = compare(kCommand, programs);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_NE(rows[i].verdict, Verdict::Different) << programs[i].seed << ": " << rows[i].says;
    EXPECT_NE(rows[i].verdict, Verdict::Invalid) << programs[i].seed << ": " << rows[i].says;
    refused += rows[i].verdict == Verdict::Refused ? 1 : 0;
  }
  EXPECT_LE(refused, 2 * kPrograms / 5);  // what is refused shows nothing
}

INSTANTIATE_TEST_SUITE_P(Sweep, SweepOfRandomPrograms, ::testing::Range<std::uint64_t>(0, 12));

}  // namespace
}  // namespace lanescope::random_programs
