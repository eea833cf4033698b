// Pictures that move, zoom, light up and show variables; the timeline's warps and marks.
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "app/pictures/array_scene.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "app/pictures/timeline_scene.h"
#include "app/pictures/warp_scene.h"
#include "app/workbench/walk.h"
#include "kernels/strategies/catalogue.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {
using Kind = DrawItem::Kind;

std::int32_t variableNamed(const Trace& trace, std::string_view name) {
  const auto found = std::ranges::find(trace.variables, name, &TracedVariable::name);
  return found == trace.variables.end() ? -1 : static_cast<std::int32_t>(found - trace.variables.begin());
}

std::ptrdiff_t growingItems(const Scene& scene) {
  return std::ranges::count_if(scene.items, [](const DrawItem& item) {
    return (item.kind == Kind::Curve || item.kind == Kind::Line) && item.portion < 1;
  });
}

TEST(Curves, TheirFirstPartEndsOnThem) {
  DrawItem item{.kind = Kind::Curve, .x = 10, .y = 20, .w = 80, .h = 60};
  const std::array<Point, 4> whole = controlPoints(item);
  EXPECT_FLOAT_EQ(whole[3].x, 90);
  EXPECT_FLOAT_EQ(whole[3].y, 80);
  for (const float t : {0.0F, 0.25F, 0.6F, 1.0F}) {
    item.portion = t;
    const std::array<Point, 4> part = controlPoints(item);
    const Point end = pointOn(whole, t);
    EXPECT_NEAR(part[3].x, end.x, 1e-4F);
    EXPECT_NEAR(part[3].y, end.y, 1e-4F);
    const Point half = pointOn(part, 0.5F);
    const Point same = pointOn(whole, t / 2);
    EXPECT_NEAR(half.x, same.x, 1e-4F);
    EXPECT_NEAR(half.y, same.y, 1e-4F);
  }
}

TEST(Moves, ALanesCurveGrowsWithItsWavefront) {
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  Replay replay(trace);
  const auto conflict = std::ranges::find_if(
      trace->steps, [](const Step& step) { return isShared(step.kind) && step.wavefronts == 2; });
  ASSERT_NE(conflict, trace->steps.end());
  const auto index = static_cast<std::uint32_t>(conflict - trace->steps.begin());
  SceneContext context = makeContext(1600, 1000, 0.33F);
  context.progress = 0.4F;
  context.movedFrom = index;
  replay.seek(index + 1);
  EXPECT_EQ(growingItems(bankScene(makeMoment(replay), context, kMeasure)), 32);
  replay.seek(Cursor{index + 1, 1});
  EXPECT_EQ(growingItems(bankScene(makeMoment(replay), context, kMeasure)), 16);
}

TEST(Wavefronts, AreGoneToOneByOne) {
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  Replay replay(trace);
  for (std::uint32_t index = 0; index < trace->steps.size(); ++index) {
    const Step step = trace->steps[index];
    if (!isShared(step.kind) || step.wavefronts < 2) continue;
    replay.seek(index + 1);
    const Scene scene = bankScene(makeMoment(replay), makeContext(1600, 1000, 0.33F), kMeasure);
    std::set<std::uint32_t> wavefronts;
    for (const HitArea& hit : scene.hits) {
      if (hit.kind != HitArea::Kind::Wavefront) continue;
      EXPECT_EQ(hit.step, std::int64_t{index} + 1);
      wavefronts.insert(hit.wavefront);
    }
    EXPECT_EQ(wavefronts.size(), step.wavefronts);
    EXPECT_EQ(*wavefronts.begin(), 1U);
    EXPECT_EQ(*wavefronts.rbegin(), step.wavefronts);
  }
}

TEST(WarpScene, ShowsAVariableInEveryLane) {
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  Replay replay(trace);
  replay.seek(static_cast<std::uint32_t>(trace->steps.size() / 3));
  SceneContext context = makeContext(1920, 1080, 0.14F);
  context.variable = variableNamed(*trace, "k");
  ASSERT_GE(context.variable, 0);
  const Scene scene = warpScene(makeMoment(replay), context, kMeasure);
  EXPECT_SAYS(testing::splitWords(collectTexts(scene)));
  for (const HitArea& hit : scene.hits) {
    if (hit.kind != HitArea::Kind::Thread) continue;
    const VariableValue& value = replay.state().variables[std::size_t{hit.index} * trace->variables.size() +
                                                          static_cast<std::size_t>(context.variable)];
    const std::string valueText =
        value.set ? "k = " + formatValue(ValueType::U32, value.bits) : "k has no value";
    EXPECT_NE(hit.tooltip.find(valueText), std::string::npos) << hit.tooltip;
    EXPECT_GT(hit.line, 0);
  }
}

TEST(WarpScene, ManyWarpsHaveOneShownLarge) {
  const auto trace = makeTrace("baseline", 1024, "nvidia");
  Replay replay(trace);
  replay.seek(trace->phases[1].endStep);
  SceneContext context = makeContext(1280, 720, 0.14F);
  context.focusWarp = 5;
  const Scene scene = warpScene(makeMoment(replay), context, kMeasure);
  EXPECT_NE(("\n" + collectTexts(scene)).find("\nw5\n"), std::string::npos) << "as the small ones are named";
  EXPECT_NE(collectTexts(scene).find("\n30\n31\n"), std::string::npos)
      << collectTexts(scene);  // its lanes: threads' numbers have no room
  EXPECT_EQ(std::ranges::count_if(
                scene.hits,
                [](const HitArea& hit) { return hit.kind == HitArea::Kind::Thread && hit.index == 165; }),
            2);
}

TEST(WarpScene, LightsUpWhatBelongs) {
  Replay replay(makeTrace("baseline", 64, "nvidia"));
  SceneContext context = makeContext(1600, 1000, 0.14F);
  const std::vector<std::uint32_t> threads{3, 9, 40};
  const auto lit = [&] {
    return countItems(warpScene(makeMoment(replay), context, kMeasure), Kind::StrokeRect, ColorRole::Text);
  };
  EXPECT_EQ(lit(), 0U);
  context.litThreads = threads;
  EXPECT_EQ(lit(), 3U);
}

TEST(ArrayScene, ZoomsToTheWordsAskedFor) {
  const auto trace = makeTrace("baseline", 1024, "nvidia");
  Replay replay(trace);
  replay.seek(trace->phases[2].endStep);
  SceneContext context = makeContext(1280, 720, 0.33F);
  context.firstColumn = 512;
  context.columnCount = 16;
  const Scene scene = arrayScene(makeMoment(replay), context, kMeasure);
  std::set<std::uint32_t> cells;
  for (const HitArea& hit : scene.hits) {
    if (hit.kind == HitArea::Kind::Cell) cells.insert(hit.index);
  }
  ASSERT_EQ(cells.size(), 16U);
  EXPECT_EQ(*cells.begin(), 512U);
  EXPECT_SAYS(testing::splitWords(collectTexts(scene)));
  context.firstColumn = 5000;
  EXPECT_SAYS(testing::splitWords(collectTexts(arrayScene(makeMoment(replay), context, kMeasure))));
}

TEST(Timeline, HasACellForEveryWarpAndPhase) {
  const auto trace = makeTrace("baseline", 64, "nvidia");
  Replay replay(trace);
  const SceneContext context = makeContext(2400, 1000, 0.07F);
  Timeline timeline;
  const Scene scene = timeline.scene(makeMoment(replay), context, kMeasure);
  std::size_t cells = 0;
  for (const HitArea& hit : scene.hits) {
    if (hit.kind != HitArea::Kind::Warp) continue;
    ++cells;
    const float x = hit.x + hit.w * 0.5F;
    const float y = hit.y + hit.h * 0.5F;
    const std::uint32_t place = timeline.stepAt(*trace, x, y);
    ASSERT_GT(place, 0U);
    EXPECT_EQ(trace->steps[place - 1].warp, hit.index);
    EXPECT_LE(std::abs(computeTimelineX(*trace, context, place) - x), hit.w);
  }
  EXPECT_EQ(cells, trace->warps * trace->phases.size());
  EXPECT_EQ(timeline.stepAt(*trace, 700, 10), timelineStepAt(*trace, context, 700));
}

TEST(Timeline, WarpsBeginAPhaseTogether) {
  const auto trace = makeTrace("baseline", 64, "nvidia");
  const std::vector<TimelineStretch> stretches = planTimeline(*trace);
  const TimelineLayout layout = layOutTimeline(*trace, makeContext(2400, 1000, 0.07F));
  ASSERT_TRUE(layout.isSideBySide());
  const TimelineMarks marks(*trace, stretches, layout, 1);
  for (std::uint32_t phase = 0; phase < trace->phases.size(); ++phase) {
    const float left = layout.edges[phase];
    const float right = layout.edges[phase + 1];
    std::vector<float> ends(trace->warps, left);
    for (std::uint32_t step = trace->phases[phase].firstStep; step < trace->phases[phase].endStep; ++step) {
      const float end = marks.rowX(*trace, stretches, layout, step + 1);
      float& before = ends[trace->steps[step].warp];
      EXPECT_GT(end, before) << "each step of a warp is right of its last one";
      const std::uint32_t warp = trace->steps[step].warp;
      EXPECT_EQ(marks.stepInRow(*trace, stretches, layout, warp, (before + end) / 2), step + 1);
      before = end;
    }
    EXPECT_NEAR(std::ranges::max(ends), right, 0.01F) << "the longest fills the phase";
  }
}

TEST(Timeline, MarksHazards) {
  Replay replay(makeTrace("baseline", 64, "nvidia"));
  const SceneContext context = makeContext(2400, 1000, 0.07F);
  EXPECT_EQ(countItems(timelineScene(makeMoment(replay), context, kMeasure), Kind::FillRect, ColorRole::Bad),
            0U);
  SceneContext marked = context;
  const std::vector<HazardMark> hazards{{12, "Threads 0 and 1 race."}};
  marked.hazards = &hazards;
  const Scene scene = timelineScene(makeMoment(replay), marked, kMeasure);
  EXPECT_GT(countItems(scene, Kind::FillRect, ColorRole::Bad), 0U);
  const auto hit = std::ranges::find(scene.hits, "Threads 0 and 1 race.", &HitArea::tooltip);
  ASSERT_NE(hit, scene.hits.end());
  EXPECT_EQ(hit->step, 12);
}

// The word of a race is framed from the step in which it was met, in the array and in the banks.
TEST(Hazards, FrameTheirWord) {
  const auto trace = makeTrace("baseline", 64, "nvidia");
  Replay replay(trace);
  const std::uint32_t first = trace->phases[1].firstStep;
  const std::vector<HazardMark> hazards{{first + 3, "Threads 0 and 32 race.", 32}};
  SceneContext context = makeContext(1600, 1000, 0.5F);
  const auto frames = [&](auto draw, std::uint32_t steps) {
    replay.seek(steps);
    return countItems(draw(makeMoment(replay), context, kMeasure), Kind::StrokeRect, ColorRole::Bad);
  };
  for (const auto draw : {&arrayScene, &bankScene}) {
    context.hazards = &hazards;
    EXPECT_EQ(frames(draw, first + 2), 0U);
    EXPECT_EQ(frames(draw, first + 3), 1U);
    context.hazards = nullptr;
    EXPECT_EQ(frames(draw, first + 3), 0U);
  }
}

// Variables, moves, zoom and a chosen warp: no text leaves its picture or lies on another.
TEST(Variants, OfEveryStrategyFit) {
  for (const Strategy& strategy : strategies()) {
    for (const std::uint64_t n : {8U, 64U, 1024U}) {
      const auto trace = makeTrace(strategy.id, n, n == 8 ? "tiny" : "nvidia");
      Replay replay(trace);
      for (const std::size_t phase : {std::size_t{0}, trace->phases.size() / 2}) {
        replay.seek(trace->phases[phase].endStep);
        const Moment moment = makeMoment(replay);
        for (std::int32_t variable = 0; variable < static_cast<std::int32_t>(trace->variables.size());
             ++variable) {
          SceneContext context = makeContext(1280, 720, 0.14F);
          context.variable = variable;
          context.focusWarp = static_cast<std::int32_t>(trace->warps) - 1;
          const auto problems = textProblems(warpScene(moment, context, kMeasure), kMeasure);
          EXPECT_TRUE(problems.empty()) << strategy.id << " " << n << ": " << problems.front();
        }
        SceneContext context = makeContext(1280, 720, 0.33F);
        context.firstColumn = 3;
        context.columnCount = 12;
        const auto ladder = textProblems(arrayScene(moment, context, kMeasure), kMeasure);
        EXPECT_TRUE(ladder.empty()) << strategy.id << " " << n << ": " << ladder.front();
        SceneContext wide = makeContext(2400, 720, 0.08F);
        const std::vector<HazardMark> hazards{{1, "A hazard."}};
        wide.hazards = &hazards;
        const auto line = textProblems(timelineScene(moment, wide, kMeasure), kMeasure);
        EXPECT_TRUE(line.empty()) << strategy.id << " " << n << ": " << line.front();
      }
    }
  }
}

}  // namespace
}  // namespace lanescope
