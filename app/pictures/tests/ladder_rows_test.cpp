// Every change has a row, and the result is on the page: of atomics, of registers, of several arrays.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "app/base/value_words.h"
#include "app/launch/strategy_launch.h"
#include "app/pictures/array_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "app/pictures/timeline_scene.h"
#include "sim/tests/golden_text.h"
#include "sim/trace/run.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {
using RowKind = LadderRow::Kind;
using TracePointer = std::shared_ptr<const Trace>;

const LadderRow* rowNamed(const Ladder& ladder, std::string_view name) {
  const auto row = std::ranges::find(ladder.rows, name, &LadderRow::name);
  return row == ladder.rows.end() ? nullptr : &*row;
}

/// The places, as `s0`, that the writers of a column of the first row of that name have read.
std::set<std::string> listSources(const Ladder& ladder, std::string_view name, std::uint32_t column) {
  std::set<std::string> sources;
  const LadderRow* row = rowNamed(ladder, name);
  if (row == nullptr) return sources;
  const auto number = static_cast<std::uint32_t>(row - ladder.rows.data());
  for (const Flow& flow : listFlows(ladder.planned())) {
    if (flow.toRow == number && flow.toColumn == column)
      sources.insert(ladder.rows[flow.fromRow].name + std::to_string(flow.fromColumn));
  }
  return sources;
}

/// True if a row of the phase has the element of that word, as the phase leaves it.
bool hasRow(const Trace& trace, const Ladder& ladder, std::uint32_t phase, const TracedArray& array,
            std::uint32_t cell) {
  return std::ranges::any_of(ladder.rows, [&](const LadderRow& row) {
    if (row.phase != phase || row.kind == RowKind::Input || row.kind == RowKind::Threads) return false;
    return std::ranges::any_of(row.cells, [&](const LadderCell& place) {
      const bool isIt =
          row.kind == RowKind::Words
              ? arrayOfCell(trace, place.index) == &array && place.index == cell
              : row.name == array.name && place.index == (cell - array.firstCell) / splitWords(array.type);
      return isIt && place.there && place.written && place.result;
    });
  });
}

/// The part of a ladder's height that its rows use.
float usedHeight(const char* strategy, std::uint64_t n, const char* machine, float width, float height) {
  Replay replay(makeTrace(strategy, n, machine));
  replay.seek(static_cast<std::uint32_t>(replay.trace().steps.size()));
  SceneContext context;
  context.width = width;
  context.height = height;
  const Scene scene = ladderScene(makeMoment(replay), context, kMeasure);
  float lowest = 0;
  for (const DrawItem& item : scene.items)
    if (item.kind == DrawItem::Kind::FillRect && item.h < height / 2)
      lowest = std::max(lowest, item.y + item.h);
  return lowest / height;
}

TEST(LadderRows, FillTheRoomThatThereIs) {
  for (const float height : {240.0F, 300.0F, 360.0F}) {
    EXPECT_GT(usedHeight("vector-add", 64, "nvidia", 640, height), 0.85F) << height;
    EXPECT_GT(usedHeight("baseline", 8, "tiny", 640, height), 0.85F) << height;
  }
  EXPECT_GT(usedHeight("baseline", 8, "tiny", 1200, 900), 0.85F);
}

// The test over all strategies: every change in a phase has a row there, and the rows show the final contents
// of global memory.
TEST(LadderChanges, AreThereForEveryPhaseInWhichWordsChange) {
  std::size_t runs = 0;
  for (const Strategy& strategy : strategies()) {
    for (const std::uint64_t n : {8U, 64U, 256U}) {
      const Result<Launch> launch = makeLaunch(strategy, n, 1, *findMachine("nvidia"));
      if (!launch) continue;
      const std::string run = std::string(strategy.id) + ", N = " + std::to_string(n);
      Result<Trace> recorded = recordTrace(*launch);
      ASSERT_TRUE(recorded) << run;
      ++runs;
      const auto trace = std::make_shared<const Trace>(std::move(*recorded));
      const Ladder ladder = ladderAtEnd(trace);
      std::map<std::uint32_t, Word> changed;  // in global memory
      for (const Step& step : trace->steps) {
        for (std::uint32_t i = 0; i < step.cellChanges.count; ++i) {
          const CellChange& change = trace->cellChanges[step.cellChanges.first + i];
          const TracedArray* array = arrayOfCell(*trace, change.cell);
          if (array == nullptr) continue;
          ASSERT_TRUE(hasRow(*trace, ladder, step.phase, *array, firstCellAt(*array, change.cell)))
              << run << ": " << cellName(*trace, change.cell) << " in phase " << step.phase << ", "
              << trace->phases[step.phase].label;
          if (array->space == MemorySpace::Global) changed[change.cell] = change.after;
        }
      }
      for (const auto& [cell, word] : changed) {
        const std::string name = arrayOfCell(*trace, cell)->name;
        const bool isShown =
            std::ranges::any_of(ladder.rows, [&, at = cell, value = word](const LadderRow& row) {
              return std::ranges::any_of(row.cells, [&](const LadderCell& place) {
                return place.there && place.bits == value.bits &&
                       (row.name == name || (row.kind == RowKind::Words && place.index == at));
              });
            });
        EXPECT_TRUE(isShown) << run << ": " << cellName(*trace, cell);
      }
      for (const Phase& phase : trace->phases)
        EXPECT_FALSE(phase.label.starts_with("phase ")) << run << ": " << phase.label;
    }
  }
  EXPECT_GT(runs, 90U);
}

// The last picture shows the result.
TEST(LadderChanges, TellTheOneResultOnThePage) {
  for (const Strategy& strategy : strategies()) {
    for (const std::uint64_t n : {8U, 64U, 256U}) {
      const Result<Launch> launch = makeLaunch(strategy, n, 1, *findMachine("nvidia"));
      if (!launch) continue;
      Replay replay(std::make_shared<const Trace>(recordTrace(*launch).value()));
      replay.seek(static_cast<std::uint32_t>(replay.trace().steps.size()));
      const auto out = std::ranges::find(replay.trace().arrays, "out", &TracedArray::name);
      ASSERT_NE(out, replay.trace().arrays.end()) << strategy.id;
      if (out->cellCount != 1) continue;
      const std::string value = formatValue(out->type, replay.state().cells[out->firstCell].bits);
      const Scene scene = arrayScene(makeMoment(replay), makeContext(1280, 720, 0.4F), kMeasure);
      EXPECT_NE(("\n" + collectTexts(scene)).find("\n" + value + "\n"), std::string::npos)
          << strategy.id << ", N = " << n << ": " << value << " in\n"
          << collectTexts(scene);
      const std::vector<std::string> problems = textProblems(scene, kMeasure);
      EXPECT_TRUE(problems.empty()) << strategy.id << ", N = " << n << ": " << problems.front();
    }
  }
}

TEST(LadderAtomics, ChangeTheirWordOneAfterTheOther) {
  const auto trace = makeTrace("one-atomic", 8, "tiny");
  std::vector<std::string> values;
  for (std::size_t steps = 0; steps <= trace->steps.size(); ++steps) {
    const Ladder ladder = ladderAt(trace, steps);
    const LadderRow* out = rowNamed(ladder, "out");
    ASSERT_NE(out, nullptr) << steps;
    ASSERT_TRUE(out->cells[0].there && out->cells[0].written) << steps;
    const std::string value = formatValue(out->type, out->cells[0].bits);
    if (values.empty() || values.back() != value) values.push_back(value);
    EXPECT_EQ(out->cells[0].result, value != "0") << steps;
  }
  EXPECT_EQ(values, (std::vector<std::string>{"0", "3", "147", "197", "289"}));
  const Ladder end = ladderAtEnd(trace);
  EXPECT_EQ(trace->provenance.text(rowNamed(end, "out")->cells[0].from), "a0+a1+a2+a3+a4+a5+a6+a7");
  EXPECT_EQ(listSources(end, "out", 0).size(), 8U);
}

TEST(LadderAtomics, AndStoresOfTheResultComeFromTheThreadThatHasIt) {
  const Ladder wide = ladderAtEnd(makeTrace("float4-loads", 64, "nvidia"));
  for (const Ladder& ladder : {wide, ladderAtEnd(makeTrace("shared-tree-atomic", 32, "nvidia")),
                               ladderAtEnd(makeTrace("block-tree-atomic", 8, "tiny")),
                               ladderAtEnd(makeTrace("block-tree", 8, "tiny"))}) {
    const LadderLine& last = ladder.planned().lines.back();
    EXPECT_TRUE(last.isWrite && last.thread == 0 && ladder.rows[last.row].name == "out");
  }
  // The operands of the result are not called unused.
  for (const LadderRow& row : wide.rows) EXPECT_FALSE(row.cells[0].idle) << row.label;
}

TEST(LadderAtomics, OfAHistogramHaveARowOfAllBins) {
  for (const char* body : {"atomicAdd(&bins[in[t] % 5], 1);\n",
                           "__shared__ int s[5]; if (t < 5) s[t] = 0; __syncthreads();\n"
                           "atomicAdd(&s[in[t] % 5], 1); __syncthreads();\n"
                           "if (t < 5) atomicAdd(&bins[t], s[t]);\n"}) {
    const auto trace = traceOfText(
        std::string("__global__ void k(const int* in, int* bins) {\nint t = threadIdx.x;\n") + body + "}\n",
        8, {"i32:iota:8", "i32:zero:5"});
    const Ladder ladder = ladderAtEnd(trace);
    const LadderRow* bins = rowNamed(ladder, "bins");
    ASSERT_NE(bins, nullptr) << body;
    const TracedArray& inputs = *std::ranges::find(trace->arrays, "in", &TracedArray::name);
    std::vector<std::uint64_t> counts;
    for (const LadderCell& cell : bins->cells)
      if (cell.there) counts.push_back(cell.bits);
    EXPECT_EQ(counts, (std::vector<std::uint64_t>{2, 2, 2, 1, 1})) << body;
    // The counted value chose the bin: its thread has read it.
    const bool isShared = trace->sharedCells > 0;
    const auto counted = std::ranges::find_if(ladder.rows, [&](const LadderRow& row) {
      return row.name == (isShared ? "s" : "bins") && row.cells[1].result && row.cells[1].bits == 2;
    });
    ASSERT_NE(counted, ladder.rows.end()) << "atomics of shared memory have a row";
    EXPECT_SAYS(trace->phases[counted->phase].label);
    std::set<std::pair<std::string, std::uint32_t>> flows;
    for (const Flow& flow : listFlows(ladder.planned())) {
      if (&ladder.rows[flow.toRow] == &*counted)
        flows.emplace(ladder.rows[flow.fromRow].name + std::to_string(flow.fromColumn), flow.toColumn);
    }
    std::set<std::pair<std::string, std::uint32_t>> wanted;
    for (std::uint32_t i = 0; i < 8; ++i)
      wanted.emplace("in" + std::to_string(i), trace->initialCells[inputs.firstCell + i].bits % 5);
    EXPECT_EQ(flows, wanted) << body;
    if (isShared) {
      EXPECT_EQ(listSources(ladder, "bins", 1), std::set<std::string>{"s1"});
    }
  }
}

TEST(LadderLoop, MarksWordsAsItComesToThem) {
  const auto trace = makeTrace("one-thread", 8, "nvidia");
  std::size_t most = 0;
  std::set<std::size_t> seen;
  for (std::size_t steps = 0; steps < trace->steps.size(); ++steps) {
    const Ladder ladder = ladderAt(trace, steps);
    const LadderRow* in = rowNamed(ladder, "in");
    ASSERT_NE(in, nullptr);
    const auto read = static_cast<std::size_t>(std::ranges::count_if(in->cells, &LadderCell::operand));
    EXPECT_GE(read, most);
    most = read;
    seen.insert(read);
  }
  EXPECT_EQ(seen.size(), 9U) << "none at first, then one more at a time";
}

TEST(LadderRegisters, OfASecondCallHaveTheirRowsToo) {
  const auto trace = makeTrace("group-reduce", 256, "nvidia");
  const Ladder groups = ladderAtEnd(trace);
  const Ladder shuffles = ladderAtEnd(makeTrace("shuffle", 256, "nvidia"));
  ASSERT_EQ(groups.rows.size(), shuffles.rows.size());
  for (std::size_t row = 0; row < groups.rows.size(); ++row) {
    EXPECT_EQ(groups.rows[row].kind, shuffles.rows[row].kind) << row;
    EXPECT_EQ(groups.rows[row].phase, shuffles.rows[row].phase) << row;
    if (groups.rows[row].kind == RowKind::Threads) {
      EXPECT_EQ(groups.rows[row].label, shuffles.rows[row].label) << row;
    }
  }
  // All warps' sums are in a word each, and flow into the first warp's threads.
  const LadderPlan& plan = groups.planned();
  const auto words = std::ranges::find(groups.rows, RowKind::Words, &LadderRow::kind);
  const auto number = static_cast<std::uint32_t>(words - groups.rows.begin());
  std::set<std::uint32_t> writers, read;
  for (const LadderLine& line : plan.lines) {
    if (line.row == number) (line.isWrite ? writers : read).insert(line.column);
  }
  EXPECT_EQ(writers.size(), trace->warps);
  EXPECT_EQ(read, writers);
  EXPECT_EQ(groups.rows.back().kind, RowKind::Output);
  // Every phase has a row that is marked as the current one.
  for (std::uint32_t phase = 0; phase < trace->phases.size(); ++phase) {
    const Ladder ladder = ladderAt(trace, trace->phases[phase].endStep);
    EXPECT_EQ(ladder.rows[ladder.currentRow].phase, phase);
  }
}

TEST(LadderNames, OfRowsAreThoseOfTheArraysWritten) {
  const auto trace = makeTrace("last-block-done", 64, "nvidia");
  const Ladder ladder = ladderAtEnd(trace);
  for (std::uint32_t phase = 0; phase < trace->phases.size(); ++phase) {
    std::multiset<std::string> written;
    std::set<std::string> labels;
    for (std::uint32_t index = trace->phases[phase].firstStep; index < trace->phases[phase].endStep;
         ++index) {
      const Step step = trace->steps[index];
      if (!isWrite(step.kind)) continue;
      for (const LaneAccess& access : laneAccesses(*trace, step))
        written.insert(arrayOfCell(*trace, access.cell)->name);
    }
    std::multiset<std::string> rows;
    for (const LadderRow& row : ladder.rows)
      if (row.phase == phase && (row.kind == RowKind::Words || row.kind == RowKind::Output))
        rows.insert(row.label);
    EXPECT_EQ(rows, written) << trace->phases[phase].label;
  }
}

TEST(TimelineLabels, AreNotBlank) {
  for (const char* id : {"last-block-done", "shuffle", "baseline", "float4-loads"}) {
    const auto trace = makeTrace(id, 256, "nvidia");
    Replay replay(trace);
    const Scene scene = timelineScene(makeMoment(replay), makeContext(1280, 720, 0.1F), kMeasure);
    std::size_t labels = 0;
    for (const DrawItem& item : scene.items) labels += item.kind == DrawItem::Kind::Text ? 1 : 0;
    // The narrowest phases of many may have no room for letters.
    EXPECT_GE(labels + 2, trace->phases.size()) << id << "\n" << collectTexts(scene);
    const std::vector<std::string> problems = textProblems(scene, kMeasure);
    EXPECT_TRUE(problems.empty()) << id << ": " << problems.front();
  }
}

}  // namespace
}  // namespace lanescope
