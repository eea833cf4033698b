// The timeline's steps as wide as what they cost.

#include <map>

#include <gtest/gtest.h>

#include "app/pictures/tests/scene_checks.h"
#include "app/pictures/timeline_scene.h"

namespace lanescope {
namespace {

TEST(StepWidths, ALinesShareIsDividedAmongItsSteps) {
  const auto trace = makeTrace("baseline", 16, "tiny");
  const std::vector<double> reach = computeReach(*trace, {{0, 50}, {11, 60}, {12, 20}, {7, 20}, {999, 5}});
  ASSERT_EQ(reach.size(), trace->steps.size() + 1);
  EXPECT_NEAR(reach.back(), 1, 1e-9);
  std::map<std::uint32_t, double> lines;
  for (std::uint32_t i = 0; i < trace->steps.size(); ++i)
    lines[trace->steps[i].line] += reach[i + 1] - reach[i];
  EXPECT_NEAR(lines[11], 0.6, 1e-9);
  EXPECT_NEAR(lines[12], 0.2, 1e-9);
  EXPECT_NEAR(lines[10], 0, 1e-9);
  EXPECT_TRUE(computeReach(*trace, {{999, 1}}).empty());
  EXPECT_TRUE(computeReach(*trace, {}).empty());
}

TEST(StepWidths, TheTimelineIsDrawnByThem) {
  const auto trace = makeTrace("baseline", 16, "tiny");
  const std::vector<double> reach = computeReach(*trace, {{11, 60}, {12, 20}, {7, 20}});
  SceneContext context{1000, 80};
  context.timelineReach = reach;
  const float from = computeTimelineX(*trace, context, 0);
  const float room =
      computeTimelineX(*trace, context, static_cast<std::uint32_t>(trace->steps.size())) - from;
  float of11 = 0;
  for (std::uint32_t i = 0; i < trace->steps.size(); ++i) {
    const float x = computeTimelineX(*trace, context, i + 1);
    if (trace->steps[i].line == 11) of11 += x - computeTimelineX(*trace, context, i);
    const bool isWide =
        reach[i + 1] - reach[i] > 0.005 && (i + 2 == reach.size() || reach[i + 2] > reach[i + 1]);
    if (isWide) {
      EXPECT_EQ(timelineStepAt(*trace, context, x), i + 1) << "the end of a step is that step";
    }
  }
  EXPECT_NEAR(of11 / room, 0.6, 0.02);
}

TEST(StepWidths, NamesAreFoundAgain) {
  for (std::size_t i = 0; i < kStepWidths; ++i)
    EXPECT_EQ(findStepWidth(stepWidthName(static_cast<StepWidth>(i))), static_cast<StepWidth>(i));
  EXPECT_EQ(findStepWidth(""), StepWidth::Equal);
}

}  // namespace
}  // namespace lanescope
