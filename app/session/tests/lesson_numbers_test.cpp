// What the transposes' lessons say of wavefronts, held against the simulator's counters.
#include <charconv>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "app/session/strategy_launch.h"
#include "sim/machine/simulate.h"

namespace lanescope {
namespace {

std::uint64_t numberIn(std::string text) {
  std::erase(text, ',');
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// `**Wavefronts, N = 1,024**: 96, 64 ideal`.
struct Claim {
  std::uint64_t n = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t ideal = 0;
};

std::vector<Claim> claimsOf(const Strategy& strategy) {
  static const std::regex form(R"(\*\*Wavefronts, N = ([\d,]+)\*\*: ([\d,]+), ([\d,]+) ideal)");
  const std::string lesson(strategy.lesson);
  std::vector<Claim> claims;
  for (std::sregex_iterator at(lesson.begin(), lesson.end(), form), end; at != end; ++at)
    claims.push_back({numberIn((*at)[1]), numberIn((*at)[2]), numberIn((*at)[3])});
  return claims;
}

class TiledTranspose : public testing::TestWithParam<const char*> {};

TEST_P(TiledTranspose, ItsLessonTellsTheWavefrontsOfBothSizes) {
  const Strategy& strategy = *findStrategy(GetParam());
  std::set<std::uint64_t> told;
  for (const Claim& claim : claimsOf(strategy)) {
    const auto launch = launchOf(strategy, claim.n, 1, machinePresets().front());
    ASSERT_TRUE(launch.ok()) << launch.error().sentence();
    const auto simulation = simulate(*launch);
    ASSERT_TRUE(simulation.ok()) << simulation.error().sentence();
    const Counters& counters = simulation->counters;
    EXPECT_EQ(claim.wavefronts, counters.sharedWavefronts()) << "N = " << claim.n;
    EXPECT_EQ(claim.ideal, counters.sharedWavefronts() - counters.bankConflicts()) << "N = " << claim.n;
    told.insert(claim.n);
  }
  EXPECT_TRUE(told.contains(64)) << "the size that a class sees";
  EXPECT_TRUE(told.contains(1024)) << "the size that the padding is for";
}

INSTANTIATE_TEST_SUITE_P(Lessons, TiledTranspose,
                         testing::Values("transpose-shared", "transpose-padded", "transpose-padded-two",
                                         "transpose-unrolled"));

}  // namespace
}  // namespace lanescope
