#include <algorithm>
#include <bit>
#include <set>

#include <gtest/gtest.h>

#include "app/pictures/array_scene.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "app/pictures/timeline_scene.h"
#include "app/pictures/warp_scene.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {
using Kind = DrawItem::Kind;

// Index of the first shared access past `from` that takes that many wavefronts; steps.size() if there is
// none.
std::uint32_t findAccess(const Trace& trace, std::uint32_t from, std::uint32_t wavefronts) {
  for (std::uint32_t index = from; index < trace.steps.size(); ++index) {
    if (isShared(trace.steps[index].kind) && trace.steps[index].wavefronts == wavefronts) return index;
  }
  return static_cast<std::uint32_t>(trace.steps.size());
}

std::uint32_t phaseNamed(const Trace& trace, std::string_view label) {
  for (std::uint32_t phase = 0; phase < trace.phases.size(); ++phase) {
    if (trace.phases[phase].label == label) return phase;
  }
  ADD_FAILURE() << "no phase " << label;
  return 0;
}

/// The words of the rows of memory, row after row.
std::vector<const LadderRow*> memoryRows(const Ladder& ladder) {
  std::vector<const LadderRow*> rows;
  for (const LadderRow& row : ladder.rows)
    if (row.kind != LadderRow::Kind::Threads) rows.push_back(&row);
  return rows;
}

TEST(Ladder, HasARowAPhaseAndTheWordsOfEach) {
  const auto trace = makeTrace("baseline", 8, "tiny");
  const Ladder ladder = ladderAtEnd(trace);
  const std::vector<const LadderRow*> rows = memoryRows(ladder);
  ASSERT_EQ(rows.size(), 5U);  // load, sizes 1, 2 and 4, out
  EXPECT_EQ(ladder.rows.size(), 9U) << "a row of threads for all but the load";
  EXPECT_EQ(ladder.planned().columns, 8U);
  const auto text = [&](std::size_t row, std::size_t column) {
    return trace->provenance.text(rows[row]->cells[column].from);
  };
  EXPECT_EQ(text(0, 3), "a3");
  EXPECT_EQ(text(1, 2), "a2+a3");
  EXPECT_EQ(text(2, 4), "a4+a5+a6+a7");
  EXPECT_EQ(text(3, 0), "a0+a1+a2+a3+a4+a5+a6+a7");
  EXPECT_EQ(rows[4]->kind, LadderRow::Kind::Output);
  EXPECT_EQ(text(4, 0), "a0+a1+a2+a3+a4+a5+a6+a7");
}

TEST(Ladder, ShowsInputWordsOnlyWhereTheLoadAdds) {
  const Ladder copy = ladderAt(makeTrace("baseline", 8, "tiny"), 0);
  EXPECT_EQ(copy.rows[0].kind, LadderRow::Kind::Words);
  const auto add = makeTrace("add-during-load", 8, "tiny");
  const Ladder ladder = ladderAt(add, add->phases[0].endStep);
  EXPECT_EQ(ladder.rows[0].kind, LadderRow::Kind::Input);
  std::size_t reads = 0;
  for (const LadderLine& line : ladder.planned().linesOf(0)) {
    if (line.row != 0) continue;
    EXPECT_EQ(line.column % 4, line.thread) << "elements half an array apart";
    ++reads;
  }
  EXPECT_EQ(reads, 8U);
}

TEST(Ladder, ShufflesAreRowsOfThreadsThatHandOnTheirRegisters) {
  const auto trace = makeTrace("shuffle", 64, "nvidia");
  const Ladder ladder = ladderAtEnd(trace);
  ASSERT_TRUE(ladder.planned().registers);
  const auto row = std::ranges::find(ladder.rows, "step size 16", &LadderRow::label);
  ASSERT_NE(row, ladder.rows.end());
  EXPECT_EQ(trace->provenance.terms(row->cells[0].from), 4U);
  EXPECT_FALSE(row->cells[15].idle);
  EXPECT_TRUE(row->cells[16].idle);  // no later step uses the values of lanes 16 to 31
  const auto number = static_cast<std::uint32_t>(row - ladder.rows.begin());
  std::size_t lines = 0;
  for (const LadderLine& line : ladder.planned().lines) {
    if (line.threads != number) continue;
    EXPECT_EQ(ladder.rows[line.row].kind, LadderRow::Kind::Threads);
    EXPECT_EQ(line.column, line.thread + 16);
    ++lines;
  }
  EXPECT_EQ(lines, 16U) << "past the warp's end a lane has its own value";
}

TEST(Ladder, ATreeInGlobalMemoryHasItsRowsToo) {
  const auto trace = makeTrace("block-tree", 8, "tiny");
  Replay replay(trace);
  replay.seek(trace->phases[phaseNamed(*trace, "step size 4")].endStep);
  const Ladder ladder = buildLadder(makeMoment(replay), 64);
  EXPECT_EQ(ladder.planned().globalArray, "scratch");
  const std::vector<const LadderRow*> rows = memoryRows(ladder);
  ASSERT_EQ(rows.size(), 5U);  // in, sizes 1, 2 and 4, out
  const auto text = [&](std::size_t row, std::size_t column) {
    return trace->provenance.text(rows[row]->cells[column].from);
  };
  EXPECT_EQ(text(1, 6), "a6+a7");
  EXPECT_EQ(text(2, 4), "a4+a5+a6+a7");
  EXPECT_EQ(text(3, 4), "a4+a5+a6+a7") << "what stays in place";
  EXPECT_EQ(text(3, 0), "a0+a1+a2+a3+a4+a5+a6+a7");
  EXPECT_FALSE(rows[1]->cells[1].written) << "words between the sums are never stored";
  std::set<std::pair<std::uint32_t, std::uint32_t>> flows;
  for (const Flow& flow : listFlows(ladder.planned()))
    if (&ladder.rows[flow.toRow] == rows[2]) flows.emplace(flow.fromColumn, flow.toColumn);
  EXPECT_EQ(flows, (std::set<std::pair<std::uint32_t, std::uint32_t>>{{2, 0}, {6, 4}, {0, 0}, {4, 4}}));
  const Scene scene = arrayScene(makeMoment(replay), makeContext(1600, 1000, 0.33F), kMeasure);
  EXPECT_SAYS(testing::splitWords(collectTexts(scene)));
  EXPECT_TRUE(std::ranges::any_of(scene.hits, [](const HitArea& h) {
    return h.tooltip.starts_with("scratch[4] = ") && h.tooltip.find("a4+a5+a6+a7") != std::string::npos;
  }));
}

TEST(Ladder, ResultsAreARowWhereThereIsNoTree) {
  const Ladder ladder = ladderAtEnd(makeTrace("transpose-by-row", 64, "nvidia"));
  ASSERT_EQ(memoryRows(ladder).size(), 2U);  // in, out
  EXPECT_EQ(ladder.planned().globalArray, "out");
  const std::vector<Flow> flows = listFlows(ladder.planned());
  ASSERT_EQ(flows.size(), 64U);
  for (const Flow& flow : flows) EXPECT_EQ(flow.toColumn, flow.fromColumn % 8 * 8 + flow.fromColumn / 8);
  const Ladder shades = ladderAtEnd(makeTrace("julia-set", 1024, "nvidia"));
  ASSERT_EQ(memoryRows(shades).size(), 1U);
  EXPECT_EQ(shades.planned().columns, 1024U);
  EXPECT_TRUE(std::ranges::all_of(memoryRows(shades)[0]->cells, &LadderCell::result));
}

TEST(ArrayScene, WritesWhereValuesCameFrom) {
  const auto trace = makeTrace("no-bank-conflict", 8, "tiny");
  Replay replay(trace);
  replay.seek(trace->phases[phaseNamed(*trace, "step size 2")].endStep);
  const Scene scene = arrayScene(makeMoment(replay), makeContext(1600, 1000, 0.33F), kMeasure);
  const std::string texts = collectTexts(scene);
  EXPECT_NE(texts.find("\na0+a4\n"), std::string::npos) << texts;
  EXPECT_NE(texts.find("a0+a4+a2+a6"), std::string::npos) << texts;
  EXPECT_NE(texts.find("\nk = 2\n"), std::string::npos) << texts;
  const auto count = [&](ColorRole color) { return countItems(scene, Kind::FillRect, color, 0.9F); };
  EXPECT_EQ(count(ColorRole::Result), 3U) << "one is the legend's";
  EXPECT_EQ(count(ColorRole::Operand), 5U);
}

TEST(ArrayScene, TellsAWordUnderThePointer) {
  const auto trace = makeTrace("baseline", 64, "nvidia");
  Replay replay(trace);
  replay.seek(trace->phases[phaseNamed(*trace, "step size 2")].endStep);
  const Scene scene = arrayScene(makeMoment(replay), makeContext(1600, 1000, 0.33F), kMeasure);
  const auto hit = std::ranges::find_if(scene.hits, [](const HitArea& h) {
    return h.kind == HitArea::Kind::Cell && h.index == 4 &&
           h.tooltip.find("a4+a5+a6+a7") != std::string::npos;
  });
  ASSERT_NE(hit, scene.hits.end());
  EXPECT_EQ(hit->thread, 4);
  EXPECT_NE(hit->tooltip.find("s[4] = "), std::string::npos);
  EXPECT_NE(hit->tooltip.find("written by thread 4"), std::string::npos);
}

TEST(ArrayScene, LightsUpTheHoveredThread) {
  const auto trace = makeTrace("baseline", 64, "nvidia");
  Replay replay(trace);
  replay.seek(trace->phases[1].endStep);
  SceneContext context = makeContext(1600, 1000, 0.33F);
  const auto accents = [&] {
    return countItems(arrayScene(makeMoment(replay), context, kMeasure), Kind::StrokeRect, ColorRole::Accent);
  };
  EXPECT_EQ(accents(), 1U) << "around the current phase";
  context.hoverThread = 2;
  EXPECT_GT(accents(), 1U);
}

TEST(WarpScene, CountsLanesAsTheReplayDoes) {
  const auto trace = makeTrace("baseline", 64, "nvidia");
  Replay replay(trace);
  for (std::uint32_t steps = 0; steps <= trace->steps.size(); steps += 3) {
    replay.seek(steps);
    const Moment moment = makeMoment(replay);
    std::size_t active = 0;
    for (std::uint32_t warp = 0; warp < trace->warps; ++warp) {
      for (unsigned lane = 0; lane < 32; ++lane) {
        active += laneState(*trace, moment.state, warp, lane) == LaneState::Active ? 1U : 0U;
      }
    }
    const Scene scene = warpScene(moment, makeContext(1600, 1000, 0.14F), kMeasure);
    EXPECT_EQ(countItems(scene, Kind::FillRect, ColorRole::LaneActive), active + 1)
        << steps;  // and the legend's
    EXPECT_EQ(std::ranges::count(scene.hits, HitArea::Kind::Thread, &HitArea::kind), 64);
  }
}

TEST(WarpScene, SaysWhyLanesAreMaskedOff) {
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  const std::uint32_t index =
      findAccess(*trace, trace->phases[phaseNamed(*trace, "step size 4")].firstStep, 2);
  Replay replay(trace);
  replay.seek(index + 1);
  const std::string texts =
      collectTexts(warpScene(makeMoment(replay), makeContext(1600, 1000, 0.14F), kMeasure));
  EXPECT_SAYS(testing::splitWords(texts));
}

TEST(BankScene, NamesAConflict) {
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  const std::uint32_t index =
      findAccess(*trace, trace->phases[phaseNamed(*trace, "step size 4")].firstStep, 2);
  ASSERT_LT(index, trace->steps.size());
  EXPECT_SAYS(describeStep(*trace, trace->steps[index]));
  Replay replay(trace);
  replay.seek(index + 1);
  const std::string whole =
      collectTexts(bankScene(makeMoment(replay), makeContext(1600, 1000, 0.33F), kMeasure));
  EXPECT_NE(whole.find("2\u00d7"), std::string::npos) << whole;
  EXPECT_NE(whole.find("2 wavefronts"), std::string::npos) << whole;
  replay.seek(Cursor{index + 1, 1});
  const Scene scene = bankScene(makeMoment(replay), makeContext(1600, 1000, 0.33F), kMeasure);
  EXPECT_SAYS(testing::splitWords(collectTexts(scene)));
  EXPECT_EQ(countItems(scene, Kind::Curve, ColorRole::Operand, 0.8F), 4U);
  EXPECT_EQ(countItems(scene, Kind::Curve, ColorRole::Conflict, 0.8F), 0U);
}

TEST(BankScene, PutsEveryLaneOnItsBank) {
  const auto trace = makeTrace("no-divergence", 8, "tiny");
  for (const Step& step : trace->steps) {
    const BankRequest request = bankRequest(*trace, step);
    if (!isShared(step.kind)) {
      EXPECT_TRUE(request.lanes.empty());
      continue;
    }
    EXPECT_EQ(request.lanes.size(), static_cast<std::size_t>(std::popcount(step.active)));
    std::uint32_t last = 0;
    for (const LaneDemand& demand : request.lanes) {
      EXPECT_EQ(demand.word, demand.cell);
      EXPECT_EQ(demand.bank, demand.cell % 2);
      last = std::max(last, demand.wavefront);
    }
    EXPECT_EQ(last + 1, step.wavefronts);
    EXPECT_EQ(*std::ranges::max_element(request.degree), step.wavefronts);
  }
}

TEST(BankScene, SaysWhatAnotherStepIs) {
  const auto trace = makeTrace("add-during-load", 64, "nvidia");
  Replay replay(trace);
  for (std::uint32_t index = 0; index < trace->steps.size(); ++index) {
    const Step step = trace->steps[index];
    if (isShared(step.kind)) continue;
    replay.seek(index + 1);
    const std::string texts =
        collectTexts(bankScene(makeMoment(replay), makeContext(1600, 1000, 0.33F), kMeasure));
    EXPECT_NE(texts.find(describeStep(*trace, step)), std::string::npos) << texts;
    EXPECT_EQ(texts.find("bytes used") != std::string::npos, isGlobal(step.kind)) << texts;
    EXPECT_EQ(sectorsTouched(*trace, step).size(), step.sectors);
  }
}

TEST(Timeline, FindsTheStepUnderAPoint) {
  const auto trace = makeTrace("baseline", 64, "nvidia");
  const SceneContext context = makeContext(1600, 1000, 0.05F);
  const auto steps = static_cast<std::uint32_t>(trace->steps.size());
  float last = -1;
  for (std::uint32_t step = 0; step <= steps; ++step) {
    const float x = computeTimelineX(*trace, context, step);
    EXPECT_GT(x, last);
    last = x;
    EXPECT_EQ(timelineStepAt(*trace, context, x), step);
  }
  EXPECT_EQ(timelineStepAt(*trace, context, -100), 0U);
  EXPECT_EQ(timelineStepAt(*trace, context, 1e6F), steps);
}

// Zoomed in, the pointer finds the steps that are in view, and nothing is drawn beside them.
TEST(Timeline, ShowsAPartOfALongTrace) {
  const auto trace = makeTrace("no-divergence", 256, "nvidia");
  Replay replay(trace);
  SceneContext context = makeContext(1600, 1000, 0.1F);
  const auto conflictsIn = [&] {
    return countItems(timelineScene(makeMoment(replay), context, kMeasure), Kind::FillRect,
                      ColorRole::Conflict);
  };
  const std::size_t marks = conflictsIn();
  context.timelineZoom = 8;
  std::uint32_t inView = 0;
  std::size_t parts = 0;
  for (int part = 0; part < 8; ++part) {
    context.timelineFrom = static_cast<float>(part) / 8;
    const Scene scene = timelineScene(makeMoment(replay), context, kMeasure);
    parts += conflictsIn();
    for (const DrawItem& item : scene.items) {
      if (item.kind == Kind::Text) continue;
      EXPECT_GE(item.x, 0);
      EXPECT_LE(item.x + item.w, context.width) << part;
    }
    for (std::uint32_t step = 0; step <= trace->steps.size(); ++step) {
      const float x = computeTimelineX(*trace, context, step);
      if (x < 30 || x > context.width - 30) continue;
      ++inView;
      EXPECT_EQ(timelineStepAt(*trace, context, x), step);
    }
  }
  EXPECT_GT(inView, trace->steps.size() * 3 / 4);
  EXPECT_GE(parts, marks) << "marks keep their colours";
}

TEST(Timeline, MarksConflictsAndPhases) {
  const auto trace = makeTrace("no-divergence", 64, "nvidia");
  Replay replay(trace);
  const Scene scene = timelineScene(makeMoment(replay), makeContext(1600, 1000, 0.05F), kMeasure);
  EXPECT_GT(countItems(scene, Kind::FillRect, ColorRole::Conflict), 0U);
  EXPECT_EQ(std::ranges::count(scene.hits, HitArea::Kind::Phase, &HitArea::kind),
            static_cast<std::ptrdiff_t>(trace->phases.size()));
  EXPECT_EQ(scene.hits[1].step, trace->phases[1].endStep);
}

// If a phase both conflicts and diverges, neither mark hides the other.
TEST(Timeline, ShowsConflictsBesideDivergence) {
  const auto trace = makeTrace("no-divergence", 1024, "nvidia");
  Replay replay(trace);
  const Scene scene = timelineScene(makeMoment(replay), makeContext(1280, 720, 0.1F), kMeasure);
  const auto marks = [](const DrawItem& item) {
    return (item.kind == Kind::FillRect && item.color == ColorRole::Conflict) ||
           (item.kind == Kind::Triangle && item.color == ColorRole::Divergence);
  };
  const auto touches = [](const DrawItem& a, const DrawItem& b) {
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  };
  for (const HitArea& hit : scene.hits) {
    if (hit.kind != HitArea::Kind::Phase) continue;
    std::vector<DrawItem> inside;
    for (const DrawItem& item : scene.items) {
      if (marks(item) && hit.contains(item.x, item.y)) inside.push_back(item);
    }
    const Phase& phase = trace->phases[hit.index];
    const auto triangles = std::ranges::count(inside, Kind::Triangle, &DrawItem::kind);
    const auto conflicts = std::ranges::count(inside, Kind::FillRect, &DrawItem::kind);
    EXPECT_EQ(triangles > 0, phase.counters.divergentBranches > 0) << phase.label;
    EXPECT_EQ(conflicts > 0, phase.counters.bankConflicts() > 0) << phase.label;
    for (const DrawItem& one : inside) {
      for (const DrawItem& other : inside)
        EXPECT_FALSE(one.kind != other.kind && touches(one, other)) << phase.label;
    }
  }
}

}  // namespace
}  // namespace lanescope
