// The ladder's marks as read, to read and unused, as the cursor moves.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "app/launch/strategy_launch.h"
#include "app/pictures/array_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "sim/trace/run.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

using Columns = std::set<std::uint32_t>;
using TracePointer = std::shared_ptr<const Trace>;

Columns makeColumns(const LadderRow& row, bool LadderCell::*mark) {
  Columns columns;
  for (std::uint32_t column = 0; column < row.cells.size(); ++column)
    if (row.cells[column].there && row.cells[column].*mark) columns.insert(column);
  return columns;
}

std::uint32_t endOfPhase(const Trace& trace, std::string_view label) {
  const auto phase = std::ranges::find(trace.phases, label, &Phase::label);
  return phase == trace.phases.end() ? 0 : phase->endStep;
}

/// By row: the registers that are called unused.
std::vector<Columns> idleColumns(const Ladder& ladder) {
  std::vector<Columns> idle;
  for (const LadderRow& row : ladder.rows) idle.push_back(makeColumns(row, &LadderCell::idle));
  return idle;
}

TEST(LadderIdle, IsTheSameWhereverTheCursorIs) {
  std::size_t runs = 0;
  for (const Strategy& strategy : strategies()) {
    const Result<Launch> launch = makeLaunch(strategy, 64, 1, *findMachine("nvidia"));
    if (!launch) continue;
    const auto trace = std::make_shared<const Trace>(recordTrace(*launch).value());
    const auto last = static_cast<std::uint32_t>(trace->steps.size());
    const Ladder whole = ladderAt(trace, last);
    if (!whole.planned().registers) continue;
    ++runs;
    for (std::uint32_t steps = 0; steps <= last; ++steps)
      ASSERT_EQ(idleColumns(ladderAt(trace, steps)), idleColumns(whole))
          << strategy.id << " at step " << steps;
  }
  EXPECT_GE(runs, 4U);
}

TEST(LadderIdle, IsNoLoadedValueThatReachesTheSum) {
  for (const char* strategy : {"shuffle", "warp-block-grid"}) {
    const auto trace = makeTrace(strategy, 64, "nvidia");
    for (std::uint32_t steps = 0; steps <= trace->steps.size(); ++steps) {
      const Ladder ladder = ladderAt(trace, steps);
      const auto row = std::ranges::find(ladder.rows, LadderRow::Kind::Threads, &LadderRow::kind);
      ASSERT_EQ(makeColumns(*row, &LadderCell::idle), Columns()) << strategy << " at step " << steps;
    }
  }
}

// `s[tid] += s[tid + k]` reads the other word first, then the thread's own.
TEST(LadderReads, FollowEachAccess) {
  const auto trace = makeTrace("baseline", 8, "tiny");
  const auto load = std::ranges::find_if(
      trace->steps, [&](const Step& step) { return step.phase == 1 && step.kind == StepKind::SharedLoad; });
  const auto first = static_cast<std::uint32_t>(load - trace->steps.begin());
  const std::map<std::uint32_t, Columns> expected = {{first, {}}, {first + 1, {1}}, {first + 2, {0, 1}}};
  for (const auto& [steps, read] : expected) {
    const Ladder ladder = ladderAt(trace, steps);
    Columns rest;
    for (std::uint32_t column = 0; column < 8; ++column)
      if (!read.contains(column)) rest.insert(column);
    EXPECT_EQ(makeColumns(ladder.rows[0], &LadderCell::operand), read) << steps;
    EXPECT_EQ(makeColumns(ladder.rows[0], &LadderCell::toRead), rest) << steps;
  }
  // At size 2 only every other word is read at all.
  const Ladder ladder = ladderAt(trace, endOfPhase(*trace, "step size 2"));
  EXPECT_EQ(makeColumns(ladder.rows[2], &LadderCell::operand), (Columns{0, 2, 4, 6}));
  EXPECT_EQ(makeColumns(ladder.rows[2], &LadderCell::toRead), Columns());
}

TEST(LadderReads, OfInputsFollowEachLoad) {
  const auto trace = makeTrace("unroll-last-warp-racy", 64, "nvidia");
  std::vector<std::size_t> counts;
  for (std::uint32_t steps = 0; steps <= trace->phases[0].endStep; ++steps) {
    const Ladder ladder = ladderAt(trace, steps);
    const std::size_t read = makeColumns(ladder.rows[0], &LadderCell::operand).size();
    EXPECT_EQ(read + makeColumns(ladder.rows[0], &LadderCell::toRead).size(), 64U) << steps;
    if (counts.empty() || counts.back() != read) counts.push_back(read);
  }
  EXPECT_EQ(counts, (std::vector<std::size_t>{0, 32, 64}));
}

// Over all strategies: a word above the current phase is marked if, and only if, a step loads it.
TEST(LadderReads, AreTheWordsThatThePhaseLoads) {
  std::size_t marks = 0;
  for (const Strategy& strategy : strategies()) {
    const Result<Launch> launch = makeLaunch(strategy, 64, 1, *findMachine("nvidia"));
    if (!launch) continue;
    const auto trace = std::make_shared<const Trace>(recordTrace(*launch).value());
    for (std::uint32_t steps = 0; steps <= trace->steps.size(); ++steps) {
      const Ladder ladder = ladderAt(trace, steps);
      if (ladder.planned().registers || trace->sharedCells == 0) continue;
      const auto current = std::ranges::find(ladder.rows, LadderRow::Time::Current, &LadderRow::time);
      if (current == ladder.rows.end() || current == ladder.rows.begin()) continue;
      const LadderRow& above = *(current - 1);
      if (above.kind != LadderRow::Kind::Words) continue;
      const Phase& phase = trace->phases[current->phase];
      std::set<std::uint32_t> done;
      std::set<std::uint32_t> toCome;
      for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
        const Step step = trace->steps[index];
        if (step.kind != StepKind::SharedLoad) continue;
        for (const LaneAccess& access : laneAccesses(*trace, step))
          (index < steps ? done : toCome).insert(access.cell);
      }
      for (const LadderCell& cell : above.cells) {
        if (cell.words != 1 || !cell.there) continue;
        const std::string where = std::string(strategy.id) + " at step " + std::to_string(steps) + ": " +
                                  cellName(*trace, cell.index);
        ASSERT_TRUE(!cell.operand || done.contains(cell.index)) << where;
        const bool comes = toCome.contains(cell.index) && !done.contains(cell.index);
        ASSERT_TRUE(!cell.toRead || comes) << where;
        marks += cell.operand || cell.toRead ? 1U : 0U;
      }
    }
  }
  EXPECT_GT(marks, 1000U);
}

TEST(LadderReads, OfRegistersAreThoseThatLanesHandOn) {
  const auto trace = makeTrace("shuffle", 64, "nvidia");
  const auto phase = std::ranges::find(trace->phases, "step size 16", &Phase::label);
  ASSERT_NE(phase, trace->phases.end());
  const auto loaded = [&](std::uint32_t steps, bool LadderCell::*mark) {
    const Ladder ladder = ladderAt(trace, steps);
    return makeColumns(*std::ranges::find(ladder.rows, LadderRow::Kind::Threads, &LadderRow::kind), mark);
  };
  Columns upper;
  for (std::uint32_t lane = 16; lane < 32; ++lane) upper.insert(lane);
  EXPECT_EQ(loaded(phase->firstStep, &LadderCell::operand), Columns());
  EXPECT_EQ(loaded(phase->firstStep, &LadderCell::toRead), Columns()) << "the phase has not begun";
  EXPECT_EQ(loaded(phase->endStep, &LadderCell::operand), upper);
}

TEST(LadderReads, GiveNothingAwayWhereTheFutureIsHidden) {
  for (const char* strategy : {"baseline", "shuffle", "unroll-last-warp-racy", "block-tree"}) {
    const auto trace = makeTrace(strategy, 64, "nvidia");
    for (std::uint32_t steps = 0; steps <= trace->steps.size(); ++steps) {
      Replay replay(trace);
      replay.seek(steps);
      const Moment moment = makeMoment(replay);
      Ladder ladder = lanescope::ladderAt(moment);
      coverFuture(ladder, moment);
      for (const LadderRow& row : ladder.rows) {
        EXPECT_EQ(makeColumns(row, &LadderCell::toRead), Columns()) << strategy << " at step " << steps;
        EXPECT_EQ(makeColumns(row, &LadderCell::idle), Columns()) << strategy << " at step " << steps;
      }
    }
  }
}

}  // namespace
}  // namespace lanescope
