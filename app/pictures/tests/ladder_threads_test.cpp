// Who adds: the rows of threads, and the lines from the words that they read to those that they write.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/launch/strategy_launch.h"
#include "app/pictures/array_scene.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/tests/scene_checks.h"
#include "sim/tests/golden_text.h"
#include "sim/trace/run.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

using Kind = DrawItem::Kind;
using RowKind = LadderRow::Kind;
using TracePointer = std::shared_ptr<const Trace>;

/// Calls `use` with the run of every strategy at that size.
template <class Use>
void forEveryStrategy(std::initializer_list<std::uint64_t> sizes, Use use) {
  for (const Strategy& strategy : strategies()) {
    for (const std::uint64_t n : sizes) {
      const Result<Launch> launch = makeLaunch(strategy, n, 1, *findMachine("nvidia"));
      if (!launch) continue;  // not every strategy takes every size
      use(std::make_shared<const Trace>(recordTrace(*launch).value()),
          fmt::format("{}, N = {}", strategy.id, n));
    }
  }
}

char letterOf(ThreadWork work) {
  switch (work) {
    case ThreadWork::Works: return '#';
    case ThreadWork::MaskedOff: return '/';
    case ThreadWork::Skips: return '.';
    case ThreadWork::Unknown: break;
  }
  return '?';
}

/// A letter for each thread: it works, is masked off in a warp that works, or its warp skips the phase.
std::string workText(const LadderRow& row) {
  std::string text;
  for (const LadderCell& cell : row.cells) text += letterOf(cell.work);
  return text;
}

TEST(LadderThreads, WorkAsTheMasksOfTheirWarpsTell) {
  std::size_t checked = 0;
  forEveryStrategy({8U, 64U}, [&](const TracePointer& trace, const std::string& what) {
    const Ladder ladder = ladderAtEnd(trace);
    for (const LadderRow& row : ladder.rows) {
      if (row.kind != RowKind::Threads) continue;
      std::string wanted(trace->threads, '.');
      const Phase& phase = trace->phases[row.phase];
      const unsigned size = trace->launch.machine.warpSize;
      for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
        const Step step = trace->steps[index];
        if (!isAccess(step.kind) && !exchangesRegisters(step.kind) && step.kind != StepKind::Vote) continue;
        for (std::uint32_t thread = step.warp * size;
             thread < std::min((step.warp + 1) * size, trace->threads); ++thread) {
          if ((step.active >> (thread % size) & 1U) != 0)
            wanted[thread] = '#';
          else if (wanted[thread] == '.')
            wanted[thread] = '/';
        }
      }
      EXPECT_EQ(workText(row), wanted) << what << ", " << row.label;
      ++checked;
    }
  });
  EXPECT_GT(checked, 300U);
}

/// The elements that are in a row, by array.
std::set<std::pair<const TracedArray*, std::uint32_t>> elementsOf(const Trace& trace, const LadderRow& row) {
  std::set<std::pair<const TracedArray*, std::uint32_t>> elements;
  for (const LadderCell& cell : row.cells) {
    if (!cell.there || row.kind == RowKind::Threads) continue;
    const TracedArray* array = row.kind == RowKind::Words ? arrayOfCell(trace, cell.index) : nullptr;
    for (const TracedArray& each : trace.arrays)
      if (row.kind != RowKind::Words && each.name == row.name && each.space == MemorySpace::Global)
        array = &each;
    if (array == nullptr) continue;
    const std::uint32_t word = row.kind == RowKind::Words ? cell.index - array->firstCell : cell.index;
    elements.emplace(array, row.kind == RowKind::Words ? word / splitWords(array->type) : word);
  }
  return elements;
}

// Counted from the trace, for each phase with a row of threads: what a thread writes, what it reads and the
// rows above or its own phase have, and what it takes from another lane.
std::size_t countAccesses(const Trace& trace, const Ladder& ladder) {
  std::size_t count = 0;
  std::set<std::pair<const TracedArray*, std::uint32_t>> known;
  bool hasThreadsAbove = false;
  std::size_t row = 0;
  for (; row < ladder.planned().inputs; ++row) known.merge(elementsOf(trace, ladder.rows[row]));
  for (std::uint32_t number = 0; number < trace.phases.size(); ++number) {
    const PlannedPhase& planned = ladder.planned().phases[number];
    const bool hasThreads =
        planned.endRow > planned.firstRow && ladder.rows[planned.firstRow].kind == RowKind::Threads;
    std::set<std::pair<const TracedArray*, std::uint32_t>> own;
    for (row = planned.firstRow; row < planned.endRow; ++row) own.merge(elementsOf(trace, ladder.rows[row]));
    std::set<std::tuple<std::uint32_t, const TracedArray*, std::uint32_t, int>> seen;
    std::set<std::pair<const TracedArray*, std::uint32_t>> written;
    const Phase& phase = trace.phases[number];
    for (std::uint32_t index = phase.firstStep; index < phase.endStep && hasThreads; ++index) {
      const Step step = trace.steps[index];
      const std::uint32_t first = step.warp * trace.launch.machine.warpSize;
      for (unsigned lane = 0; exchangesRegisters(step.kind) && lane < trace.launch.machine.warpSize; ++lane) {
        // A reduction is drawn once: to the first lane that its result is used in.
        const bool isJoin = step.kind == StepKind::Reduce;
        forEachLane(lanesRead(trace, step, lane), [&](unsigned source) {
          if (hasThreadsAbove) seen.emplace(isJoin ? first : first + lane, nullptr, source, 0);
        });
      }
      if (!isAccess(step.kind)) continue;
      for (const LaneAccess& access : laneAccesses(trace, step)) {
        for (std::uint32_t cell = access.cell; cell < access.cell + std::max(access.bytes / 4U, 1U); ++cell) {
          const TracedArray* array = arrayOfCell(trace, cell);
          if (array == nullptr) continue;
          const std::pair element(array, (cell - array->firstCell) / splitWords(array->type));
          if (isWrite(step.kind)) written.insert(element);
          if (!(isWrite(step.kind) || written.contains(element) ? own : known).contains(element)) continue;
          // A word that is read before and after a write of the phase is read from two rows.
          const int kind = isWrite(step.kind) ? 1 : written.contains(element) ? 2 : 3;
          seen.emplace(first + access.lane, array, element.second, kind);
        }
      }
    }
    count += seen.size();
    known.merge(own);
    hasThreadsAbove = hasThreadsAbove || hasThreads;
  }
  return count;
}

std::size_t countLines(const Scene& scene) {
  return countItems(scene, Kind::Line, ColorRole::Operand) + countItems(scene, Kind::Line, ColorRole::Result);
}

TEST(LadderLines, OfAReductionJoinTheLanesOfItsMaskAtTheFirstThatUsesIt) {
  const auto trace = traceOfText(R"(__global__ void k(const int* in, int* out) {
  const unsigned t = threadIdx.x;
  int x = in[t];
  x = __reduce_max_sync(t < 16 ? 0xffffu : 0xffff0000u, x);
  if (t % 16 == 5) out[t / 16] = x;
})",
                                 32, {"i32:iota:32", "i32:zero:2"}, "nvidia");
  const Ladder ladder = ladderAtEnd(trace);
  std::map<std::uint32_t, std::set<std::uint32_t>> joined;  // by thread: the columns it reads
  for (const LadderLine& line : ladder.planned().lines) {
    if (trace->steps.kindAt(line.step) == StepKind::Reduce) joined[line.thread].insert(line.column);
  }
  ASSERT_EQ(joined.size(), 2U);
  for (const std::uint32_t taker : {5U, 21U}) {
    ASSERT_EQ(joined[taker].size(), 16U);
    EXPECT_EQ(*joined[taker].begin(), taker / 16 * 16);
    EXPECT_EQ(*joined[taker].rbegin(), taker / 16 * 16 + 15);
  }
}

TEST(LadderLines, OfAShuffleAndAReductionCanBeInOnePhase) {
  const auto trace = traceOfText(R"(__global__ void k(const int* in, int* out) {
  const unsigned t = threadIdx.x;
  int x = in[t];
  if (t < 32) x += __shfl_down_sync(0xffffffffu, x, 16);
  else x = __reduce_add_sync(0xffffffffu, x);
  if (t == 0 || t == 37) out[t / 32] = x;
})",
                                 64, {"i32:iota:64", "i32:zero:2"}, "nvidia");
  const Ladder ladder = ladderAtEnd(trace);
  std::set<std::uint32_t> phases;
  std::map<StepKind, std::set<std::pair<std::uint32_t, std::uint32_t>>> lines;  // thread and column
  for (std::uint32_t phase = 0; phase < trace->phases.size(); ++phase) {
    for (const LadderLine& line : ladder.planned().linesOf(phase)) {
      const StepKind kind = trace->steps.kindAt(line.step);
      if (!exchangesRegisters(kind)) continue;
      phases.insert(phase);
      EXPECT_TRUE(lines[kind].emplace(line.thread, line.column).second);
    }
  }
  EXPECT_EQ(phases.size(), 1U);
  EXPECT_EQ(lines[StepKind::Shuffle].size(), 16U);
  EXPECT_TRUE(lines[StepKind::Shuffle].contains({0, 16}));
  EXPECT_EQ(lines[StepKind::Reduce].size(), 32U);
  for (std::uint32_t column = 32; column < 64; ++column)
    EXPECT_TRUE(lines[StepKind::Reduce].contains({37, column})) << column;
}

// The reads and writes of all strategies are lines of the plan, and all of them are drawn at the end of the
// run.
TEST(LadderLines, AreAllReadsAndWritesAndAreDrawnAtTheEnd) {
  std::size_t runs = 0;
  forEveryStrategy({8U, 64U}, [&](const TracePointer& trace, const std::string& what) {
    Replay replay(trace);
    replay.seek(static_cast<std::uint32_t>(trace->steps.size()));
    const Moment moment = makeMoment(replay);
    const Ladder ladder = lanescope::ladderAt(moment);
    EXPECT_EQ(ladder.planned().lines.size(), countAccesses(*trace, ladder)) << what;
    const SceneContext context{.width = 1800, .height = 3000};
    EXPECT_EQ(countLines(ladderScene(moment, context, kMeasure)), ladder.planned().lines.size()) << what;
    ++runs;
  });
  EXPECT_GT(runs, 80U);
}

/// By row of threads, the letters of workText().
std::vector<std::string> workTexts(const char* strategy, std::uint64_t n) {
  std::vector<std::string> texts;
  for (const LadderRow& row : ladderAtEnd(makeTrace(strategy, n, "nvidia")).rows)
    if (row.kind == RowKind::Threads) texts.push_back(workText(row));
  return texts;
}

TEST(LadderThreads, TellTheThreeKernelsApart) {
  const std::vector<std::string> baseline = workTexts("baseline", 8);
  EXPECT_EQ(baseline, (std::vector<std::string>{"#/#/#/#/", "#///#///", "#///////", "#///////"}));
  const std::vector<std::string> noDivergence = workTexts("no-divergence", 8);
  EXPECT_EQ(noDivergence, (std::vector<std::string>{"####////", "##//////", "#///////", "#///////"}));
  EXPECT_EQ(workTexts("no-bank-conflict", 8), noDivergence) << "the same threads, on other words";
  EXPECT_EQ(workTexts("baseline", 64)[0],
            std::string("#/#/#/#/#/#/#/#/#/#/#/#/#/#/#/#/") + workTexts("baseline", 64)[0].substr(32));
  EXPECT_EQ(workTexts("no-divergence", 64)[1],
            std::string(16, '#') + std::string(16, '/') + std::string(32, '.'));
  // The distance between the words of adjacent threads.
  const auto distances = [](const char* strategy) {
    std::set<std::uint32_t> found;
    const LadderPlan plan = planLadder(*makeTrace(strategy, 64, "nvidia"));
    std::map<std::uint32_t, std::uint32_t> columns;
    for (const LadderLine& line : plan.linesOf(2))
      if (line.isWrite) columns[line.thread] = line.column;
    for (auto each = columns.begin(); std::next(each) != columns.end(); ++each) {
      const auto next = std::next(each);
      if (next->first == each->first + 1) found.insert(next->second - each->second);
    }
    return found;
  };
  EXPECT_EQ(distances("baseline"), std::set<std::uint32_t>()) << "no adjacent threads";
  EXPECT_EQ(distances("no-divergence"), std::set<std::uint32_t>{4});
  EXPECT_EQ(distances("no-bank-conflict"), std::set<std::uint32_t>{1});
}

/// The scene of baseline's first addition, after so many of its shared accesses, on the way to the last of
/// them.
Scene atAccess(std::uint32_t accesses, float progress) {
  const auto trace = makeTrace("baseline", 8, "tiny");
  std::uint32_t index = trace->phases[1].firstStep;
  for (std::uint32_t met = 0; met < accesses; ++index) met += isShared(trace->steps[index].kind) ? 1U : 0U;
  Replay replay(trace);
  replay.seek(index);
  SceneContext context = makeContext(1920, 1080, 0.5F);
  context.progress = progress;
  context.movedFrom = index - 1;
  return arrayScene(makeMoment(replay), context, kMeasure);
}

std::size_t countTexts(const Scene& scene, std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(scene.items, text, &DrawItem::text));
}

std::ptrdiff_t growing(const Scene& scene) {
  return std::ranges::count_if(
      scene.items, [](const DrawItem& item) { return item.kind == Kind::Line && item.portion < 1; });
}

// `s[tid] += s[tid + 1]` of thread 0: a1 goes to it, a0 goes to it, a0+a1 goes to its word.
TEST(Moves, AreReadsToTheThreadThenTheSumToItsWord) {
  const Scene reading = atAccess(1, 0.5F);
  EXPECT_EQ(growing(reading), 1);
  EXPECT_EQ(countTexts(reading, "a1"), 3U) << "in both rows of words, and in flight";
  EXPECT_EQ(countTexts(reading, "t0"), 4U) << "in every row of threads: it has nothing yet";
  const Scene read = atAccess(1, 1);
  EXPECT_EQ(growing(read), 0);
  EXPECT_EQ(countTexts(read, "a1"), 3U) << "and in the thread";
  EXPECT_EQ(countTexts(read, "t0"), 3U);
  EXPECT_EQ(countTexts(atAccess(2, 1), "a1, a0"), 1U);
  EXPECT_EQ(countTexts(atAccess(2, 1), "a0+a1"), 0U) << "no result before it is written";
  const Scene writing = atAccess(3, 0.5F);
  EXPECT_EQ(growing(writing), 1);
  EXPECT_EQ(countTexts(writing, "a0+a1"), 1U) << "in flight";
  EXPECT_EQ(countTexts(writing, "a0"), 2U) << "the word still has its old value";
  const Scene written = atAccess(3, 1);
  EXPECT_EQ(countTexts(written, "a0+a1"), 1U) << "in its word";
  EXPECT_EQ(countTexts(written, "a0"), 1U);
  EXPECT_EQ(countTexts(written, "t0"), 4U) << "the thread has it no more";
}

// In the banks, too, a word has its old value until the new one has come.
TEST(Moves, OfAWriteShowInTheBanksWhenTheyHaveArrived) {
  const auto trace = makeTrace("baseline", 8, "tiny");
  std::uint32_t index = trace->phases[1].firstStep;
  while (trace->steps[index].kind != StepKind::SharedStore) ++index;
  Replay replay(trace);
  replay.seek(index + 1);
  SceneContext context = makeContext(1920, 1080, 0.33F);
  context.movedFrom = index;
  const auto shows = [&](float progress, std::string_view text) {
    context.progress = progress;
    return collectTexts(bankScene(makeMoment(replay), context, kMeasure)).find(text) != std::string::npos;
  };
  EXPECT_TRUE(shows(0.5F, "0:  a0\n"));
  EXPECT_FALSE(shows(0.5F, "a0+a1"));
  EXPECT_TRUE(shows(1, "0:  a0+a1"));
}

// A move over a whole phase: reads arrive before writes leave.
TEST(Moves, OfAPhaseGoOneAfterTheOther) {
  const auto trace = makeTrace("baseline", 8, "tiny");
  Replay replay(trace);
  replay.seek(trace->phases[1].endStep);
  SceneContext context = makeContext(1920, 1080, 0.5F);
  context.movedFrom = trace->phases[1].firstStep;
  const auto growingAt = [&](float progress, ColorRole color) {
    context.progress = progress;
    const Scene scene = arrayScene(makeMoment(replay), context, kMeasure);
    return std::ranges::count_if(scene.items, [&](const DrawItem& item) {
      return item.kind == Kind::Line && item.color == color && item.portion < 1;
    });
  };
  EXPECT_EQ(growingAt(0.25F, ColorRole::Operand), 8);
  EXPECT_EQ(growingAt(0.25F, ColorRole::Result), 0);
  EXPECT_EQ(growingAt(0.75F, ColorRole::Operand), 0);
  EXPECT_EQ(growingAt(0.75F, ColorRole::Result), 4);
  EXPECT_EQ(growingAt(1, ColorRole::Result), 0);
}

TEST(LadderFolds, FinishedPhasesAreALineEachAndOpenByAClick) {
  const auto trace = makeTrace("no-bank-conflict", 1024, "nvidia");
  Replay replay(trace);
  replay.seek(trace->phases[4].endStep);
  SceneContext context = makeContext(1280, 720, 0.33F);
  context.height = 200;
  const Moment moment = makeMoment(replay);
  const Scene folded = arrayScene(moment, context, kMeasure);
  for (const std::string& name : moment.plan->phaseNames)
    EXPECT_TRUE(countTexts(folded, name) == 1 || name == moment.plan->phaseNames.back()) << name;
  std::set<std::uint32_t> closed;
  for (const HitArea& hit : folded.hits)
    if (hit.kind == HitArea::Kind::More) closed.insert(hit.index);
  EXPECT_TRUE(closed.contains(1) && closed.contains(3));
  EXPECT_FALSE(closed.contains(4)) << "the current one is open";
  const std::vector<std::uint32_t> opened{2};
  context.unfolded = opened;
  const Scene open = arrayScene(moment, context, kMeasure);
  EXPECT_GT(countLines(open), countLines(folded));
  EXPECT_TRUE(textProblems(open, kMeasure).empty()) << textProblems(open, kMeasure).front();
  context.height = 600;
  context.unfolded = {};
  EXPECT_EQ(
      std::ranges::count(arrayScene(moment, context, kMeasure).hits, HitArea::Kind::More, &HitArea::kind), 0)
      << "with room, all are open";
}

// The same picture as text: a line for each row, then its reads and writes.

/// `t0+2 s+4 x 16`: 16 lines, from thread 0 and that column on, 2 threads and 4 columns apart.
std::string linesText(std::span<const LadderLine> lines) {
  std::string text;
  for (std::size_t first = 0; first < lines.size();) {
    const auto step = [&](std::size_t i) {
      return std::pair(std::int64_t{lines[i].thread} - lines[i - 1].thread,
                       std::int64_t{lines[i].column} - lines[i - 1].column);
    };
    std::size_t end = first + 1;
    while (end < lines.size() && lines[end].row == lines[first].row && step(end) == step(first + 1)) ++end;
    if (!text.empty()) text += ", ";
    text += fmt::format("t{}-{}", lines[first].thread, lines[first].column);
    if (end > first + 1)
      text += fmt::format(" ({:+}{:+}) x{}", step(first + 1).first, step(first + 1).second, end - first);
    first = end;
  }
  return text;
}

/// Letters, warp by warp; equal warps once.
std::string warpsText(const std::string& letters, std::size_t warpSize) {
  std::string text;
  std::string last;
  std::size_t count = 0;
  for (std::size_t first = 0; first <= letters.size(); first += warpSize) {
    const std::string warp = first < letters.size() ? letters.substr(first, warpSize) : "";
    if (warp == last && first < letters.size()) {
      ++count;
      continue;
    }
    if (count > 1) text += fmt::format(" x{}", count);
    if (!warp.empty()) text += (text.empty() ? "" : " ") + warp;
    last = warp;
    count = 1;
  }
  return text;
}

std::string memoryText(const LadderRow& row) {
  std::string text;
  for (const LadderCell& cell : row.cells)
    text += !cell.there ? ' ' : cell.result ? '*' : cell.written ? 'o' : '-';
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::string ladderText(const TracePointer& trace) {
  const Ladder ladder = ladderAtEnd(trace, 1024);
  const LadderPlan& plan = ladder.planned();
  std::string text;
  for (std::uint32_t number = 0; number < ladder.rows.size(); ++number) {
    const LadderRow& row = ladder.rows[number];
    const bool isThreads = row.kind == RowKind::Threads;
    const std::string cells =
        isThreads ? warpsText(workText(row), plan.warpSize) : warpsText(memoryText(row), plan.warpSize);
    text += fmt::format("{:16} {}\n", isThreads ? "threads" : row.label, cells);
    std::vector<LadderLine> lines;
    for (const bool isWrite : {false, true}) {
      lines.clear();
      std::ranges::copy_if(plan.lines, std::back_inserter(lines), [&](const LadderLine& line) {
        return isThreads && line.threads == number && line.isWrite == isWrite;
      });
      if (!lines.empty()) text += fmt::format("  {:14} {}\n", isWrite ? "write" : "read", linesText(lines));
    }
  }
  return text;
}

class GoldenLadder : public ::testing::TestWithParam<const char*> {};

TEST_P(GoldenLadder, IsAsItWas) {
  std::string now;
  for (const std::uint64_t n : {8U, 64U, 1024U}) {
    const Result<Launch> launch = makeLaunch(*findStrategy(GetParam()), n, 1, *findMachine("nvidia"));
    if (!launch) continue;
    now += fmt::format("N = {}\n{}\n", n,
                       ladderText(std::make_shared<const Trace>(recordTrace(*launch).value())));
  }
  const std::filesystem::path path =
      std::filesystem::path(__FILE__).parent_path() / "ladder" / (std::string(GetParam()) + ".txt");
  if (testing::updatesGolden()) {
    std::ofstream(path, std::ios::binary) << now;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(testing::firstDifference(golden.str(), now), "") << path.string();
}

std::string nameOf(const ::testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Strategies, GoldenLadder,
                         ::testing::Values("baseline", "no-divergence", "no-bank-conflict", "add-during-load",
                                           "unroll-last-warp", "shuffle", "butterfly", "one-atomic",
                                           "shared-tree-atomic", "transpose-shared", "one-thread",
                                           "float4-loads"),
                         nameOf);

}  // namespace
}  // namespace lanescope
