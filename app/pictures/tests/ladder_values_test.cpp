// Every value in the ladder is the trace's value there at that time, and lanes hand on the values that their
// row of registers shows.
#include <algorithm>

#include <gtest/gtest.h>

#include "app/launch/strategy_launch.h"
#include "app/pictures/array_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "sim/trace/run.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

using RowKind = LadderRow::Kind;
using Time = LadderRow::Time;
using TracePointer = std::shared_ptr<const Trace>;

/// A strategy's launch and the block of it that is looked at.
struct BlockRun {
  const Strategy* strategy = nullptr;
  std::uint64_t n = 0;
  std::uint64_t blocks = 1;
  std::uint32_t block = 0;

  std::string text() const {
    return std::string(strategy->id) + ", N = " + std::to_string(n) + ", block " + std::to_string(block) +
           " of " + std::to_string(blocks);
  }
  /// Not every strategy takes every size.
  TracePointer trace() const {
    const Result<Launch> launch = makeLaunch(*strategy, n, blocks, *findMachine("nvidia"));
    if (!launch) return nullptr;
    Result<Trace> trace = recordTrace(*launch, {block, 0, 0});
    EXPECT_TRUE(trace) << text();
    return trace ? std::make_shared<const Trace>(std::move(*trace)) : nullptr;
  }
};

std::vector<BlockRun> allRuns() {
  std::vector<BlockRun> runs;
  for (const Strategy& strategy : strategies()) {
    for (const std::uint64_t n : {8U, 64U}) {
      runs.push_back({&strategy, n, 1, 0});
      runs.push_back({&strategy, n, 4, 0});
      runs.push_back({&strategy, n, 4, 3});
    }
  }
  return runs;
}

/// The contents of a place in a row, as the trace has them.
struct Held {
  bool written = false;
  std::uint64_t bits = 0;
  ProvenanceId from = kNoProvenance;
};

const TracedArray* arrayOfRow(const Trace& trace, const LadderRow& row, const LadderCell& cell) {
  if (row.kind == RowKind::Words) return arrayOfCell(trace, cell.index);
  const auto array = std::ranges::find_if(trace.arrays, [&](const TracedArray& each) {
    return each.space == MemorySpace::Global && each.name == row.name;
  });
  return array == trace.arrays.end() ? nullptr : &*array;
}

Held heldIn(const Trace& trace, const ReplayState& state, const LadderRow& row, std::uint32_t variable,
            const LadderCell& cell) {
  if (row.kind == RowKind::Threads) {
    const VariableValue& value = state.variables[std::size_t{cell.index} * trace.variables.size() + variable];
    return {value.set, value.bits, value.from};
  }
  const TracedArray* array = arrayOfRow(trace, row, cell);
  if (array == nullptr) return {state.cells[cell.index].written, state.cells[cell.index].bits, kNoProvenance};
  const std::uint32_t first =
      row.kind == RowKind::Words ? cell.index : array->firstCell + cell.index * splitWords(array->type);
  const bool isWritten = state.cells[first].written || row.kind != RowKind::Words;  // a buffer has its values
  return {isWritten, elementBits(*array, state.cells, first), state.cells[first].from};
}

/// The state at every phase's end.
std::vector<ReplayState> listStates(const TracePointer& trace) {
  std::vector<ReplayState> states;
  Replay replay(trace);
  for (const Phase& phase : trace->phases) {
    replay.seek(phase.endStep);
    states.push_back(replay.state());
  }
  return states;
}

/// Compares every row with the state at its time. Returns how many values there are.
std::size_t checkValues(const Replay& replay, const std::vector<ReplayState>& states,
                        const std::string& what) {
  const Trace& trace = replay.trace();
  const Replay start(replay.sharedTrace());
  const Ladder ladder = buildLadder(makeMoment(replay), 64);
  std::size_t checked = 0;
  for (std::size_t number = 0; number < ladder.rows.size(); ++number) {
    const LadderRow& row = ladder.rows[number];
    if (row.time == Time::Future) continue;
    const ReplayState& state = row.kind == RowKind::Input  ? start.state()
                               : row.time == Time::Current ? replay.state()
                                                           : states[row.phase];
    for (const LadderCell& cell : row.cells) {
      if (!cell.there || !cell.written) continue;
      const Held held = heldIn(trace, state, row, ladder.planned().rows[number].variable, cell);
      EXPECT_TRUE(held.written && held.bits == cell.bits && held.from == cell.from)
          << what << ", step " << replay.cursor().steps << ", row " << row.label << ", place " << cell.index
          << " of " << row.name << ": " << formatValue(cell.type, cell.bits) << " is shown, "
          << formatValue(cell.type, held.bits) << " is there";
      ++checked;
    }
  }
  return checked;
}

TEST(LadderValues, AreThoseOfTheTraceAtEveryStep) {
  std::size_t checked = 0;
  for (const BlockRun& run : allRuns()) {
    const TracePointer trace = run.trace();
    if (!trace) continue;
    const std::vector<ReplayState> states = listStates(trace);
    Replay replay(trace);
    for (std::uint32_t step = 0; step <= trace->steps.size() && !HasFailure(); ++step) {
      replay.seek(step);
      checked += checkValues(replay, states, run.text());
    }
  }
  EXPECT_GT(checked, 500000U);
}

/// Registers whose shown value is not the one that a shuffle read from them, with both values.
std::vector<std::string> staleRegisters(const Trace& trace, const Ladder& ladder, std::size_t& checked) {
  std::vector<std::string> stale;
  const LadderRow* row = nullptr;
  auto next = ladder.rows.begin();
  for (std::uint32_t number = 0; number < trace.phases.size(); ++number) {
    const Phase& phase = trace.phases[number];
    for (; next != ladder.rows.end() && next->phase < number; ++next)
      if (next->kind == RowKind::Threads && !next->name.empty()) row = &*next;
    for (std::uint32_t index = phase.firstStep; row != nullptr && index < phase.endStep; ++index) {
      forEachChange(trace, trace.steps[index], [&](const VariableChange& change) {
        for (const Read& read : trace.reads.since(change.reads, phase.firstStep)) {
          if (trace.steps[read.step].kind != StepKind::Shuffle) continue;
          ++checked;
          const LadderCell& cell = row->cells[read.cellOrThread];
          if (cell.written && cell.from == read.from) continue;
          stale.push_back(row->label + ", thread " + std::to_string(read.cellOrThread) + " holds " +
                          trace.provenance.text(cell.from) + ", and hands on " +
                          trace.provenance.text(read.from));
        }
      });
    }
  }
  return stale;
}

TEST(LadderValues, OfRegistersAreWhatLanesHandOn) {
  std::size_t checked = 0;
  for (const BlockRun& run : allRuns()) {
    const TracePointer trace = run.trace();
    if (!trace) continue;
    Replay replay(trace);
    replay.seek(static_cast<std::uint32_t>(trace->steps.size()));
    const Ladder ladder = buildLadder(makeMoment(replay), 64);
    if (!ladder.planned().registers) continue;
    const std::vector<std::string> stale = staleRegisters(*trace, ladder, checked);
    EXPECT_TRUE(stale.empty()) << run.text() << ": " << stale.front();
  }
  EXPECT_GT(checked, 1000U);
}

// While partial sums are read, the row shows the sum that they are added to, and not that of the block.
TEST(LadderValues, OfASumStartAnewWithIt) {
  const TracePointer trace = BlockRun{findStrategy("last-block-done"), 64, 4, 3}.trace();
  ASSERT_TRUE(trace);
  const auto phase = std::ranges::find_if(trace->phases, [&](const Phase& each) {
    return &each != trace->phases.data() && each.label == "add during load";
  });
  ASSERT_NE(phase, trace->phases.end());
  Replay replay(trace);
  bool isRead = false;
  for (std::uint32_t step = phase->firstStep; step < phase->endStep; ++step) {
    replay.seek(step + 1);
    isRead = isRead || trace->steps[step].kind == StepKind::GlobalLoad;
    if (!isRead) continue;
    const Ladder ladder = buildLadder(makeMoment(replay), 64);
    const LadderRow& row = ladder.rows[ladder.planned().phases[replay.currentPhase()].firstRow];
    ASSERT_EQ(row.kind, RowKind::Threads);
    const std::string value = formatValue(row.type, row.cells[0].bits);
    EXPECT_TRUE(value == "0" || value == "927") << value;
  }
  EXPECT_TRUE(isRead);
}

// A call's argument and result are set in passing: the row is of the variable that keeps the value.
TEST(LadderValues, OfRegistersAreOfTheVariableThatKeepsThem) {
  const auto trace = traceOfText(
      "__device__ float halve(float v, int k) { return v + __shfl_down_sync(0xffffffff, v, k); }\n"
      "__global__ void k(const float* in, float* out) {\n  float x = in[threadIdx.x];\n"
      "  x = halve(x, 2);\n  x = halve(x, 1);\n  out[threadIdx.x] = x;\n}\n",
      4, {"f32:hash:4", "f32:zero:4"}, "nvidia");
  ASSERT_NE(trace, nullptr);
  Replay replay(trace);
  replay.seek(static_cast<std::uint32_t>(trace->steps.size()));
  std::vector<std::string> names;
  for (const LadderRow& row : buildLadder(makeMoment(replay), 64).rows)
    if (row.kind == RowKind::Threads && !row.name.empty()) names.push_back(row.name);
  EXPECT_EQ(names, (std::vector<std::string>{"x", "x", "x"}));
}

// A result under a thread says which element it is.
TEST(LadderLabels, OfAResultElsewhereTellItsIndex) {
  const auto makeLabel = [](std::uint32_t block) {
    const TracePointer trace = BlockRun{findStrategy("last-block-done"), 64, 4, block}.trace();
    Replay replay(trace);
    const Ladder ladder = buildLadder(makeMoment(replay), 64);
    const auto row = std::ranges::find_if(ladder.rows, [](const LadderRow& each) {
      return each.kind == RowKind::Output && each.name == "partials";
    });
    return row == ladder.rows.end() ? "" : row->label;
  };
  EXPECT_EQ(makeLabel(0), "partials");
  EXPECT_EQ(makeLabel(3), "partials[3]");
}

}  // namespace
}  // namespace lanescope
