// Two profiles side by side: their differences, and the values that a side lacks.
#include "app/pictures/difference_scene.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/analysis/diagnosis.h"

namespace lanescope {
namespace {

struct Example {
  LaunchProfile profile;
  TextProfile says;

  Example(std::uint64_t waits, double dram) {
    ProfileCounts counts;
    counts.samples = 100;
    counts.executed = 100 * waits;
    counts.stalls = {{"long_sb", waits}, {"selected", 100 - waits}};
    profile.lines = {{2, counts}};
    profile.kernel.grid = {10, 1, 1};
    profile.kernel.block = {32, 1, 1};
    profile.kernel.metrics = {{"dram__throughput.avg.pct_of_peak_sustained_elapsed", std::nullopt},
                              {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", dram},
                              {"gpu__time_duration.sum", 2000.0 * static_cast<double>(waits)}};
    says = {"Some GPU", "9.0", &profile, diagnose(profile, "a\nb();\n")};
  }
};

const CounterDifference& rowIn(const std::vector<DifferenceGroup>& groups, const std::string& name) {
  static const CounterDifference none;
  for (const DifferenceGroup& group : groups) {
    const auto found = std::ranges::find(group.rows, name, &CounterDifference::name);
    if (found != group.rows.end()) return *found;
  }
  ADD_FAILURE() << "no row " << name;
  return none;
}

TEST(ProfileDifference, HasTimesUnitsAndWhatWarpsWaitFor) {
  const Example left(80, 40);
  const Example right(20, 90);
  const auto groups = profileDifferences({&left.says, nullptr}, {&right.says, nullptr});
  const CounterDifference& time = rowIn(groups, "time");
  EXPECT_EQ(time.left, "160.0 µs");
  EXPECT_EQ(time.difference, "−120.0 µs");
  EXPECT_EQ(time.ratio, "0.25×");
  EXPECT_EQ(time.better, Better::Right);
  EXPECT_EQ(rowIn(groups, "instructions per warp").left, "800.0");
  EXPECT_EQ(rowIn(groups, "DRAM, of its peak").difference, "+50 pts");
  EXPECT_EQ(rowIn(groups, "DRAM, of its peak").better, Better::Neither)
      << "a busy unit is neither good nor bad";
  EXPECT_EQ(rowIn(groups, std::string(stallGroupWords(StallGroup::Global))).left, "80%");
  EXPECT_EQ(rowIn(groups, std::string(stallGroupWords(StallGroup::Barrier))).difference, "=");
  EXPECT_EQ(rowIn(groups, "L2, of its peak").left, "–");
  EXPECT_EQ(rowIn(groups, "floor").right, "–");
  EXPECT_EQ(costliestLines({&left.says, nullptr}, 3), std::vector<std::string>{"line 2, 100%: b();"});
}

TEST(ProfileDifference, ASideWithoutAProfileHasNothing) {
  const Example left(80, 40);
  FloorReport floors;
  floors.floors.launchUs = 2;
  const auto groups = profileDifferences({&left.says, &floors}, {});
  EXPECT_EQ(rowIn(groups, "time").right, "–");
  EXPECT_EQ(rowIn(groups, "time").difference, "");
  EXPECT_EQ(rowIn(groups, "floor").left, "2.0 µs");
  EXPECT_TRUE(groups[1].rows.empty());
  EXPECT_TRUE(costliestLines({}, 3).empty());
}

}  // namespace
}  // namespace lanescope
