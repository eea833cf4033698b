// Warps that go through the text side by side: their places in it, their accesses to a line, the timeline's
// rounds.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "app/launch/strategy_launch.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/line_access.h"
#include "app/pictures/tests/scene_checks.h"
#include "app/pictures/timeline_scene.h"
#include "app/pictures/warp_place.h"
#include "app/pictures/warp_scene.h"
#include "kernels/strategies/catalogue.h"
#include "sim/tests/golden_text.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

/// A warp is behind if it has a step left in the current round, and none done.
TEST(WarpPlaces, AreThoseOfTheTrace) {
  std::size_t behind = 0;
  std::size_t ended = 0;
  for (const Strategy& strategy : strategies()) {
    for (const auto& [n, machine] : {std::pair{8U, "tiny"}, std::pair{64U, "nvidia"}}) {
      if (!makeLaunch(strategy, n, 1, *findMachine(machine))) continue;
      const auto trace = makeTraceByLine(strategy.id, n, machine);
      Replay replay(trace);
      for (std::uint32_t steps = 1; steps <= trace->steps.size(); steps += 7) {
        replay.seek(steps);
        const std::vector<WarpPlace> places = findWarpPlaces(makeMoment(replay));
        std::uint32_t begin = steps - 1;
        while (!trace->beginsRound(begin)) --begin;
        std::set<std::uint32_t> done;
        std::set<std::uint32_t> toCome;
        for (std::uint32_t index = begin; index < trace->nextRound(begin); ++index)
          (index < steps ? done : toCome).insert(trace->steps[index].warp);
        for (std::uint32_t warp = 0; warp < trace->warps; ++warp) {
          EXPECT_EQ(places[warp].isBehind, toCome.contains(warp) && !done.contains(warp))
              << strategy.id << " step " << steps << " warp " << warp;
          if (done.contains(warp)) {
            EXPECT_EQ(places[warp].line, trace->steps[begin].line);
          }
          behind += places[warp].isBehind ? 1U : 0U;
          ended += places[warp].hasEnded ? 1U : 0U;
          const bool isOver = laneState(*trace, replay.state(), warp, 0) == LaneState::Exited;
          EXPECT_LE(places[warp].hasEnded, isOver);
        }
      }
      replay.seek(static_cast<std::uint32_t>(trace->steps.size()));
      const std::vector<WarpPlace> last = findWarpPlaces(makeMoment(replay));
      if (trace->fault) continue;
      EXPECT_TRUE(std::ranges::all_of(last, &WarpPlace::hasEnded)) << strategy.id;
    }
  }
  EXPECT_GT(behind, 200U);
  EXPECT_GT(ended, 20U);
}

std::uint32_t findDivergence(const Trace& trace) {
  std::uint32_t index = 0;
  while (!diverges(trace.steps[index])) ++index;
  return index;
}

TEST(WarpScene, SaysThatAWarpHasNotReachedTheLine) {
  const auto trace = makeTraceByLine("baseline", 64, "nvidia");
  Replay replay(trace);
  replay.seek(findDivergence(*trace) + 1);
  const SceneContext context = makeContext(1600, 1000, 0.14F);
  const Scene one = warpScene(makeMoment(replay), context, kMeasure);
  EXPECT_SAYS(testing::splitWords(collectTexts(one)));
  EXPECT_EQ(countItems(one, DrawItem::Kind::FillRect, ColorRole::LaneActive, 0.9F), 16U + 1U)
      << "the lanes of warp 0 and the legend's; warp 1 is pale";
  const auto label = std::ranges::find_if(
      one.hits, [](const HitArea& hit) { return hit.kind == HitArea::Kind::Warp && hit.index == 1; });
  ASSERT_NE(label, one.hits.end());
  EXPECT_SAYS(label->tooltip);
  replay.forward(Grain::Line);
  EXPECT_SAYS(testing::splitWords(collectTexts(warpScene(makeMoment(replay), context, kMeasure))));
  replay.seek(static_cast<std::uint32_t>(trace->steps.size()));
  EXPECT_SAYS(testing::splitWords(collectTexts(warpScene(makeMoment(replay), context, kMeasure))));
}

/// Rows too narrow for long words have the line in short ones, and the heading says who is behind.
TEST(WarpScene, NamesTheLinesOfNarrowRows) {
  const auto trace = makeTraceByLine("baseline", 64, "nvidia");
  Replay replay(trace);
  replay.seek(findDivergence(*trace) + 1);
  SceneContext context;
  context.width = 543;
  context.height = 95;
  context.unit = 0.9F;
  const std::string texts = collectTexts(warpScene(makeMoment(replay), context, kMeasure));
  EXPECT_NE(texts.find("w0\nL11\n"), std::string::npos) << texts;
  EXPECT_NE(texts.find("w1\nL10\n"), std::string::npos) << texts;
  EXPECT_NE(texts.find("1 of 2 warps not at line 11 yet"), std::string::npos) << texts;
}

/// Labels are `warp 0` or `w0`, never both.
TEST(WarpScene, NamesAllWarpsAlike) {
  for (const auto& [n, machine] :
       {std::pair{8U, "tiny"}, std::pair{64U, "nvidia"}, std::pair{1024U, "nvidia"}}) {
    const auto trace = makeTraceByLine("baseline", n, machine);
    Replay replay(trace);
    replay.seek(static_cast<std::uint32_t>(trace->steps.size() / 2));
    for (const float width : {700.0F, 1280.0F, 1920.0F}) {
      for (const float share : {0.08F, 0.14F, 0.3F}) {
        const Scene scene = warpScene(makeMoment(replay), makeContext(width, 1000, share), kMeasure);
        std::set<bool> areShort;
        for (const DrawItem& item : scene.items) {
          const bool isShort = item.text.size() > 1 && item.text[0] == 'w' && item.text[1] <= '9';
          if (item.kind == DrawItem::Kind::Text && (isShort || item.text.starts_with("warp ")))
            areShort.insert(isShort);
        }
        EXPECT_LE(areShort.size(), 1U) << n << ", " << width << " wide, " << share;
      }
    }
  }
}

/// Calls `use` with the replay at the end of each round of a strategy by line.
template <class F>
void forEachRound(const std::shared_ptr<const Trace>& trace, F use) {
  Replay replay(trace);
  while (replay.forward(Grain::Line)) use(replay);
}

TEST(LineAccess, CountsWhatEveryWarpDoesOnTheLine) {
  std::size_t together = 0;
  for (const Strategy& strategy : strategies()) {
    for (const auto& [n, machine] : {std::pair{8U, "tiny"}, std::pair{64U, "nvidia"}}) {
      if (!makeLaunch(strategy, n, 1, *findMachine(machine))) continue;
      const auto trace = makeTraceByLine(strategy.id, n, machine);
      forEachRound(trace, [&](const Replay& replay) {
        const std::uint32_t end = replay.cursor().steps;
        std::uint32_t wavefronts = 0;
        std::uint32_t ideal = 0;
        std::size_t steps = 0;
        for (std::uint32_t index = trace->previousRound(end); index < end; ++index) {
          const Step step = trace->steps[index];
          if (!isShared(step.kind) && !isGlobal(step.kind)) continue;
          ++steps;
          wavefronts += step.wavefronts;
          ideal += step.idealWavefronts;
        }
        const std::vector<LineAccess> accesses = listLineAccesses(makeMoment(replay));
        LineAccess all;
        for (const LineAccess& access : accesses) {
          all.wavefronts += access.wavefronts;
          all.ideal += access.ideal;
          all.steps.insert(all.steps.end(), access.steps.begin(), access.steps.end());
          std::set<unsigned> warps;
          for (const std::uint32_t step : access.steps) warps.insert(trace->steps[step].warp);
          EXPECT_EQ(warps.size(), access.steps.size()) << "each warp once";
          together += warps.size() > 1 ? 1U : 0U;
        }
        EXPECT_EQ(all.wavefronts, wavefronts) << strategy.id << " step " << end;
        EXPECT_EQ(all.ideal, ideal) << strategy.id << " step " << end;
        EXPECT_EQ(all.steps.size(), steps) << strategy.id << " step " << end;
        const LineAccess* const chosen = chooseAccess(*trace, accesses);
        EXPECT_EQ(chosen == nullptr, accesses.empty());
        for (const LineAccess& access : accesses) {
          if (!isShared(trace->steps[access.steps.front()].kind)) continue;
          EXPECT_LE(access.wavefronts - access.ideal, chosen->wavefronts - chosen->ideal);
        }
      });
    }
  }
  EXPECT_GT(together, 100U);
}

/// The end of the first round of `line`, in which so many warps take part, after `from`.
std::uint32_t findRound(const Trace& trace, std::uint32_t line, std::size_t warps, std::uint32_t from = 0) {
  for (std::uint32_t first = from; first < trace.steps.size(); first = trace.nextRound(first)) {
    std::set<unsigned> all;
    for (std::uint32_t index = first; index < trace.nextRound(first); ++index)
      all.insert(trace.steps[index].warp);
    if (trace.steps[first].line == line && all.size() == warps) return trace.nextRound(first);
  }
  return 0;
}

std::string textsByLine(const Replay& replay, SceneContext context) {
  context.byLine = true;
  return testing::splitWords(collectTexts(bankScene(makeMoment(replay), context, kMeasure)));
}

TEST(LineAccess, HasAPictureForEachWarp) {
  const SceneContext context = makeContext(1600, 1000, 0.33F);
  const auto trace = makeTraceByLine("baseline", 64, "nvidia");
  Replay replay(trace);
  replay.seek(findRound(*trace, 12, 2));
  EXPECT_SAYS(textsByLine(replay, context));
  const auto tiny = makeTraceByLine("no-divergence", 8, "tiny");
  Replay few(tiny);
  few.seek(findRound(*tiny, 13, 2));
  EXPECT_SAYS(textsByLine(few, context));
}

TEST(LineAccess, HasAPictureForEachGroupIfThereAreManyWarps) {
  SceneContext context = makeContext(1600, 1000, 0.33F);
  const auto trace = makeTraceByLine("no-divergence", 1024, "nvidia");
  Replay replay(trace);
  replay.seek(findRound(*trace, 13, 16));
  EXPECT_SAYS(textsByLine(replay, context));
  context.focusWarp = 5;
  EXPECT_SAYS(textsByLine(replay, context));
}

/// Only at the end of a round, and only by line.
TEST(LineAccess, IsOfWholeRounds) {
  const auto trace = makeTraceByLine("baseline", 64, "nvidia");
  Replay replay(trace);
  SceneContext context = makeContext(1600, 1000, 0.33F);
  replay.seek(findRound(*trace, 12, 2));
  EXPECT_FALSE(lineAccessScene(makeMoment(replay), context, kMeasure));
  context.byLine = true;
  EXPECT_TRUE(lineAccessScene(makeMoment(replay), context, kMeasure));
  replay.back(Grain::Instruction);
  EXPECT_FALSE(lineAccessScene(makeMoment(replay), context, kMeasure));
}

float findTextY(const Scene& scene, std::string_view text) {
  const auto found = std::ranges::find_if(scene.items, [&](const DrawItem& item) {
    return item.kind == DrawItem::Kind::Text && item.text == text;
  });
  return found == scene.items.end() ? -1 : found->y;
}

/// `s[tid] = in[...]` loads from global memory, then stores to shared memory; `out[...] = s[0]` the other
/// way.
TEST(LineAccess, ShowsBothMemoriesOfALine) {
  for (const auto& [n, machine, warps] : {std::tuple{8U, "tiny", 4U}, std::tuple{64U, "nvidia", 2U}}) {
    const auto trace = makeTraceByLine("baseline", n, machine);
    for (const std::uint32_t line : {7U, 17U}) {
      Replay replay(trace);
      replay.seek(findRound(*trace, line, warps));
      const Moment moment = makeMoment(replay);
      const std::vector<LineAccess> accesses = listLineAccesses(moment);
      ASSERT_EQ(accesses.size(), 2U) << "line " << line;
      EXPECT_NE(chooseAccess(*trace, accesses),
                chooseOther(*trace, accesses, *chooseAccess(*trace, accesses)));
      SceneContext context = makeContext(1600, 1000, 0.3F);
      context.byLine = true;
      const Scene both = bankScene(moment, context, kMeasure);
      EXPECT_EQ(both.height, context.height);
      const float sectors = findTextY(both, "SECTORS");
      const float banks = findTextY(both, "BANKS");
      ASSERT_GE(std::min(sectors, banks), 0) << collectTexts(both);
      EXPECT_EQ(sectors < banks, line == 7) << "in the order of the text's execution";
      for (const HitArea& hit : both.hits) {
        EXPECT_LE(hit.y + hit.h, context.height);
        if (hit.kind == HitArea::Kind::Bank) {
          EXPECT_EQ(hit.y > sectors, line == 7);
        }
      }
      context.height = 150;
      const Scene one = bankScene(moment, context, kMeasure);
      EXPECT_NE(findTextY(one, "SECTORS") < 0, findTextY(one, "BANKS") < 0);
    }
  }
}

/// How many threads are active in those steps, and in how many warps.
std::pair<std::size_t, std::size_t> countActive(const Trace& trace, std::uint32_t first, std::uint32_t end) {
  std::set<std::uint32_t> threads;
  std::set<std::uint32_t> warps;
  for (std::uint32_t index = first; index < end; ++index) {
    const Step step = trace.steps[index];
    warps.insert(step.warp);
    forEachLane(step.active,
                [&](unsigned lane) { threads.insert(step.warp * trace.launch.machine.warpSize + lane); });
  }
  return {threads.size(), warps.size()};
}

/// The height of the bars of that color and opacity at an x, under `top`.
float findBar(const Scene& scene, ColorRole color, float alpha, float x, float top) {
  float height = 0;
  for (const DrawItem& item : scene.items) {
    const bool isBar = item.kind == DrawItem::Kind::FillRect && item.color == color && item.y >= top &&
                       std::abs(item.alpha - alpha) < 0.01F;
    if (isBar && item.x <= x && x < item.x + item.w) height = std::max(height, item.h);
  }
  return height;
}

/// 32 warps have no room for a row each: a column is a round, as high as what the trace has in it.
TEST(Timeline, AColumnOfManyWarpsIsALineThatTheyExecute) {
  for (const char* const strategy : {"baseline", "no-divergence", "no-bank-conflict"}) {
    const auto trace = makeTraceByLine(strategy, 1024, "nvidia");
    ASSERT_EQ(trace->warps, 32U);
    Replay replay(trace);
    const SceneContext context = makeContext(9000, 1000, 0.07F);
    Timeline timeline;
    const Scene scene = timeline.scene(makeMoment(replay), context, kMeasure);
    const TimelineLayout layout = layOutTimeline(*trace, context);
    ASSERT_TRUE(layout.isOverlaid());
    const float full = layout.rowHeight - 1;
    std::size_t conflicted = 0;
    for (std::uint32_t first = 0; first < trace->steps.size(); first = trace->nextRound(first)) {
      const std::uint32_t end = trace->nextRound(first);
      const std::uint32_t phase = trace->steps[first].phase;
      const float x = (layout.xIn(*trace, phase, first) + layout.xIn(*trace, phase, end)) / 2;
      EXPECT_EQ(timeline.stepAt(*trace, x, layout.rowsTop + 3), end) << "a click goes to the round's end";
      bool isConflicted = false;
      for (std::uint32_t index = first; index < end; ++index)
        isConflicted = isConflicted || conflicts(trace->steps[index]);
      if (trace->steps[first].kind == StepKind::BlockBarrier) continue;
      const auto [threads, warps] = countActive(*trace, first, end);
      const ColorRole color = isConflicted ? ColorRole::Conflict : ColorRole::LaneActive;
      conflicted += isConflicted ? 1U : 0U;
      const float least = 0.06F * full;
      EXPECT_NEAR(findBar(scene, color, 0.7F, x, layout.rowsTop),
                  std::max(full * static_cast<float>(threads) / 1024, least), 0.1F)
          << strategy << " step " << first;
      EXPECT_NEAR(findBar(scene, ColorRole::LaneActive, 0.28F, x, layout.rowsTop),
                  std::max(full * static_cast<float>(warps) / 32, least), 0.1F)
          << strategy << " step " << first;
    }
    EXPECT_EQ(conflicted > 0, std::string_view(strategy) == "no-divergence");
  }
}

}  // namespace
}  // namespace lanescope
