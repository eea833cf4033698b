// The ladder's heading explains its colours if there is room; rows out of view can be moved to.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/pictures/array_scene.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/tests/scene_checks.h"
#include "app/pictures/warp_scene.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {
bool shows(const Scene& scene, std::string_view text) {
  return std::ranges::any_of(scene.items, [&](const DrawItem& item) { return item.text == text; });
}

TEST(LadderHeading, NamesTheStatesThatAreThere) {
  const auto trace = makeTrace("baseline", 64, "nvidia");
  Replay replay(trace);
  SceneContext context = makeContext(1600, 1000, 0.33F);
  replay.seek(trace->phases[1].firstStep + 1);
  const Scene before = arrayScene(makeMoment(replay), context, kMeasure);
  for (const char* text : {"works", "masked off", "to read", "to write", "earlier"})
    EXPECT_TRUE(shows(before, text)) << text;
  for (const char* text : {"read", "written"}) EXPECT_FALSE(shows(before, text)) << text << ": nothing yet";
  replay.seek(trace->phases[1].endStep);
  const Scene after = arrayScene(makeMoment(replay), context, kMeasure);
  for (const char* text : {"read", "written"}) EXPECT_TRUE(shows(after, text)) << text;
  for (const char* text : {"to read", "to write"})
    EXPECT_FALSE(shows(after, text)) << text << ": all is done";
  // In a prediction it does not show the phase's later effects.
  replay.seek(trace->phases[1].firstStep + 1);
  context.hidesFuture = true;
  const Scene covered = arrayScene(makeMoment(replay), context, kMeasure);
  for (const char* text : {"to read", "to write"}) EXPECT_FALSE(shows(covered, text)) << text;
}

TEST(LadderHeading, LeavesTheLegendOutWhereItHasNoRoom) {
  const auto trace = makeTrace("shuffle", 256, "nvidia");
  Replay replay(trace);
  replay.seek(trace->phases[2].endStep);
  for (float width = 200; width < 1000; width += 40) {
    SceneContext context = makeContext(1600, 1000, 0.33F);
    context.width = width;
    const Scene scene = arrayScene(makeMoment(replay), context, kMeasure);
    const std::vector<std::string> problems = textProblems(scene, kMeasure);
    EXPECT_TRUE(problems.empty()) << width << ": " << problems.front();
    if (width < 330 || width > 900) {
      EXPECT_EQ(shows(scene, "works"), width > 900) << width;
    }
  }
}

TEST(LadderHeading, SaysNothingOfTimeWhereThereIsOneRow) {
  const auto saysTime = [](std::string_view strategy) {
    Replay replay(makeTrace(strategy, 64, "nvidia"));
    return collectTexts(arrayScene(makeMoment(replay), makeContext(1600, 1000, 0.33F), ApproximateMeasure()))
               .find("time runs down") != std::string::npos;
  };
  EXPECT_TRUE(saysTime("baseline"));
  EXPECT_FALSE(saysTime("julia-set"));
}

TEST(LadderRows, AreThoseAroundThePhaseOrThoseMovedTo) {
  const auto trace = makeTrace("shuffle", 256, "nvidia");
  Replay replay(trace);
  replay.seek(trace->phases[1].endStep);
  SceneContext context = makeContext(1600, 1000, 0.33F);
  context.height = 120;
  const Scene own = arrayScene(makeMoment(replay), context, kMeasure);
  ASSERT_LT(own.rows.shown, own.rows.all);
  EXPECT_GT(own.rows.bottom, own.rows.top);
  EXPECT_TRUE(shows(own, "step size 16"));
  context.firstRow = 3;
  EXPECT_EQ(arrayScene(makeMoment(replay), context, kMeasure).rows.first, 3U);
  context.firstRow = 1000;
  const Scene last = arrayScene(makeMoment(replay), context, kMeasure);
  EXPECT_EQ(last.rows.first + last.rows.shown, last.rows.all);
  EXPECT_TRUE(shows(last, phaseNames(*trace).back()));
  EXPECT_TRUE(textProblems(last, kMeasure).empty());
}

TEST(PhaseNames, AreOfTheVariableFromWhereItHasAValue) {
  const auto listNames = [](std::string_view strategy) {
    return phaseNames(*makeTrace(strategy, 16, "nvidia"));
  };
  const std::vector<std::string> tree =
      listNames("block-tree-atomic");  // its first addition is before its loop
  ASSERT_GE(tree.size(), 4U);
  EXPECT_SAYS(tree[0]);
  EXPECT_EQ(tree[1], "d = 2");
  EXPECT_EQ(tree[3], "d = 8");
  EXPECT_EQ(listNames("baseline")[1], "k = 1");
  // Constants are in the text there, and no variable has them.
  for (const std::string& name : listNames("shuffle")) EXPECT_EQ(name.find('='), std::string::npos) << name;
}

// A tree with a mistake in its step: the distance is 1 in every phase, the variable has other values.
TEST(PhaseNames, TellStepsOfOneSizeApart) {
  const auto trace =
      lanescope::makeTrace(testing::launchText("__global__ void k(const float* in, float* out) {\n"
                                               "  __shared__ float s[16];\n"
                                               "  int tid = threadIdx.x;\n  s[tid] = in[tid];\n"
                                               "  for (int k = 4; k > 0; k /= 2) {\n"
                                               "    __syncthreads();\n"
                                               "    if (tid < k) s[tid] += s[tid + 1];\n  }\n"
                                               "  if (tid == 0) out[0] = s[0];\n}\n",
                                               8, {"f32:hash:8", "f32:zero:1"}));
  ASSERT_TRUE(trace.ok());
  const std::vector<std::string> names = phaseNames(**trace);
  ASSERT_GE(names.size(), 4U);
  EXPECT_EQ(std::vector<std::string>(names.begin() + 1, names.begin() + 4),
            (std::vector<std::string>{"k = 4", "k = 2", "k = 1"}));
}

/// In a panel as low as at 1280 by 720 each of 13 phases has its name; in a much lower one every second or
/// so.
TEST(LadderLabels, NameEveryFoldedPhase) {
  const auto trace = makeTrace("shuffle", 64, "nvidia");
  Replay replay(trace);
  replay.seek(trace->phases[1].endStep);
  SceneContext context;
  context.width = 543;
  context.unit = 0.8F;
  std::set<std::string> names;
  for (const std::string& name : phaseNames(*trace)) names.insert(name);
  ASSERT_GT(names.size(), 6U);
  const auto countNamed = [&](float height) {
    context.height = height;
    const Scene scene = arrayScene(makeMoment(replay), context, kMeasure);
    return std::ranges::count_if(scene.items, [&](const DrawItem& item) {
      return item.kind == DrawItem::Kind::Text && names.contains(item.text);
    });
  };
  EXPECT_EQ(countNamed(225), static_cast<std::ptrdiff_t>(trace->phases.size()));
  EXPECT_LT(countNamed(160), static_cast<std::ptrdiff_t>(trace->phases.size()));
}

TEST(WarpScene, NamesTheFunctionOfAVariable) {
  const auto trace = makeTrace("shuffle", 256, "nvidia");
  const auto found = std::ranges::find(trace->variables, "warpSum: sum", &TracedVariable::label);
  ASSERT_NE(found, trace->variables.end());
  Replay replay(trace);
  replay.seek(trace->phases[1].endStep);
  SceneContext context = makeContext(1600, 1000, 0.3F);
  context.variable = static_cast<std::int32_t>(found - trace->variables.begin());
  EXPECT_TRUE(
      shows(warpScene(makeMoment(replay), context, ApproximateMeasure()), "warpSum: sum in every lane"));
}

}  // namespace
}  // namespace lanescope
