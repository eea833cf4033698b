// Random programs: what the simulator leaves in `out` is what the system's compiler makes of the same text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "sim/random_programs/compare.h"
#include "sim/random_programs/features.h"

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

TEST(RandomProgram, WritesEachWordOnce) {
  const std::vector<Feature> features = readFeatures(kFeatures);
  std::size_t most = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    const std::string text = randomProgram(seed, features).text;
    std::set<std::string> words;
    for (std::size_t at = text.find("out["); at != std::string::npos; at = text.find("out[", at + 1)) {
      const std::string word = text.substr(at, text.find(']', at) + 1 - at);
      if (text.compare(at + word.size(), 3, " = ") != 0) continue;
      EXPECT_TRUE(words.insert(word).second) << seed << ": " << word << " is written twice";
      EXPECT_LT(std::stoul(word.substr(4)), kWords) << seed;
    }
    most = std::max(most, words.size());
  }
  EXPECT_GT(most, kWords / 2);
}

TEST(RandomProgram, ADifferenceWouldBeSeen) {
  // The simulator is C++17, as nvcc is by default.
  const Program wrong{1, "__global__ void k(int* out) {\n  out[3] = __cplusplus > 201703;\n}\n", {}};
  const std::vector<Comparison> rows = compare({kCommand}, {wrong});
  EXPECT_EQ(rows[0].verdict, Verdict::Different) << rows[0].says;
  const Program invalid{2, "__global__ void k(int* out) {\n  out[0] = nothing;\n}\n", {}};
  EXPECT_EQ(compare({kCommand}, {invalid})[0].verdict, Verdict::Refused);
  EXPECT_EQ(compare({kCommand}, {invalid}, true)[0].verdict, Verdict::Invalid);
}

TEST(RandomProgram, ACompilerThatFailsIsQuoted) {
  const Program valid{1, "__global__ void k(int* out) {\n  out[0] = 1;\n}\n", {}};
  const std::string says = compare({"no-such-compiler"}, {valid})[0].says;
  EXPECT_NE(says.find("the compiler fails: "), std::string::npos) << says;
  EXPECT_NE(says.find("no-such-compiler"), std::string::npos) << says;
  // A compiler that works only once: what it said of the first text stays.
  const Program invalid{2, "__global__ void k(int* out) {\n  out[0] = nothing;\n}\n", {}};
  const auto rows = compare({"test ! -e once && touch once && " + kCommand}, {valid, invalid}, true);
  EXPECT_EQ(rows[0].says, "the compiler fails: ");
  EXPECT_NE(rows[1].says.find("nothing"), std::string::npos) << rows[1].says;
}

TEST(RandomProgram, CompilersMustAgree) {
  const Program program{
      1,
      "__global__ void k(int* out) {\n#ifdef KIND\n  out[0] = KIND;\n#else\n  out[0] = 1;\n#endif\n}\n",
      {}};
  EXPECT_EQ(compare({kCommand, kCommand + " -DKIND=1"}, {program})[0].verdict, Verdict::Equal);
  const auto row = compare({kCommand, kCommand + " -DKIND=2"}, {program})[0];
  EXPECT_EQ(row.verdict, Verdict::Invalid);
  EXPECT_EQ(row.says, "the compilers differ");
  EXPECT_NE(compare({kCommand, kCommand + " -DKIND=none"}, {program})[0].says.find("none"),
            std::string::npos);
}

class SweepOfRandomPrograms : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(SweepOfRandomPrograms, AreEqualOrRefused) {
  constexpr std::uint64_t kPrograms = 100;
  const std::vector<Feature> features = readFeatures(kFeatures);
  std::vector<Program> programs;
  for (std::uint64_t i = 0; i < kPrograms; ++i)
    programs.push_back(randomProgram(GetParam() * kPrograms + i, features));
  const std::vector<Comparison> rows = compare({kCommand}, programs);
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
