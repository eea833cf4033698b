// Right answers, against counters, replays and races found in other ways.
#include "app/course/questions.h"

#include <algorithm>
#include <bit>
#include <set>

#include <gtest/gtest.h>

#include "app/launch/strategy_launch.h"
#include "app/workbench/tests/runs.h"
#include "sim/machine/run/launch.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

struct Case {
  const char* id;
  std::uint64_t n;
  const char* machine;
};

struct QuestionRun {
  explicit QuestionRun(const Case& which)
      : launch(makeLaunch(*findStrategy(which.id), which.n, 1, *findMachine(which.machine)).value()),
        run(tracedRun(launch)),
        trace(run.trace),
        report(*run.hazards),
        races(report) {}
  std::vector<Question> at(std::uint32_t cursor, bool ofPhase = false) const {
    return questionsAt(*trace, races, cursor, ofPhase, 1);
  }
  Launch launch;
  Run run;
  std::shared_ptr<const Trace> trace;
  HazardReport report;
  RacePlaces races;
};

const Question* ofKind(const std::vector<Question>& questions, QuestionKind kind) {
  const auto found = std::ranges::find(questions, kind, &Question::kind);
  return found == questions.end() ? nullptr : &*found;
}

void PrintTo(const Case& one, std::ostream* out) { *out << one.id << " " << one.n << " " << one.machine; }

class Answers : public ::testing::TestWithParam<Case> {};

// The sum over all accesses is what the simulator counts without a trace.
TEST_P(Answers, WavefrontsAndSectorsAddUpToTheRunsCounters) {
  const QuestionRun run(GetParam());
  const auto simulated = simulate(run.launch);
  ASSERT_TRUE(simulated);
  std::uint64_t wavefronts = 0;
  std::uint64_t sectors = 0;
  std::uint64_t divergent = 0;
  for (std::uint32_t step = 0; step < run.trace->steps.size(); ++step) {
    const std::vector<Question> questions = run.at(step);
    const bool isAlone = run.trace->steps[step].accesses.count == 1;  // too little to ask about
    const StepKind kind = run.trace->steps[step].kind;
    const bool shared =
        kind == StepKind::SharedLoad || kind == StepKind::SharedStore || kind == StepKind::SharedAtomic;
    if (const Question* q = ofKind(questions, QuestionKind::Wavefronts))
      wavefronts += q->right.number;
    else if (isAlone && shared)
      wavefronts += run.trace->steps[step].wavefronts;
    if (const Question* q = ofKind(questions, QuestionKind::Sectors))
      sectors += q->right.number;
    else if (isAlone && !shared)
      sectors += run.trace->steps[step].sectors;
    if (const Question* q = ofKind(questions, QuestionKind::Divergence)) divergent += q->right.yes ? 1 : 0;
  }
  // One block: its counters are the launch's.
  ASSERT_EQ(run.launch.grid.count(), 1U);
  const Counters& counters = simulated->counters;
  EXPECT_EQ(wavefronts, counters.sharedWavefronts());
  EXPECT_EQ(sectors, counters.globalLoadSectors + counters.globalStoreSectors +
                         counters.globalReductionSectors + counters.globalAtomicSectors);
  EXPECT_EQ(divergent, counters.divergentBranches);
}

// After a branch a replay shows the lanes that took it; where it is uniformly false they all wait or
// continue.
TEST_P(Answers, LanesOfABranchAreThoseThatARunGoesOnWith) {
  const QuestionRun run(GetParam());
  Replay replay(run.trace);
  std::size_t parted = 0;
  for (std::uint32_t step = 0; step < run.trace->steps.size(); ++step) {
    const std::vector<Question> questions = run.at(step);
    const Question* lanes = ofKind(questions, QuestionKind::ActiveLanes);
    if (lanes == nullptr) continue;
    const Step about = run.trace->steps[step];
    const Question* parts = ofKind(questions, QuestionKind::Divergence);
    if (about.kind == StepKind::Branch && parts != nullptr && parts->right.yes) {
      // What the warp does next, it does with one of the two groups.
      const auto next = std::find_if(run.trace->steps.begin() + step + 1, run.trace->steps.end(),
                                     [&](const Step& s) { return s.warp == about.warp; });
      ASSERT_NE(next, run.trace->steps.end());
      LaneMask taken = 0;
      for (const std::uint32_t lane : lanes->right.lanes) taken |= LaneMask{1} << lane;
      EXPECT_EQ(taken & ~about.active, 0U);
      EXPECT_TRUE(next->active == taken || next->active == (about.active & ~taken) ||
                  std::popcount(next->active) < std::popcount(about.active))
          << lanes->right.text;
      ++parted;
    }
    if (about.kind == StepKind::Branch) continue;
    // What is asked is not yet to be seen.
    replay.seek(step);
    LaneMask seen = 0;
    for (std::uint32_t lane = 0; lane < run.trace->lanesOfWarp(about.warp); ++lane) {
      if (laneState(*run.trace, replay.state(), about.warp, lane) == LaneState::Active)
        seen |= LaneMask{1} << lane;
    }
    EXPECT_NE(seen, about.active) << step;
  }
  EXPECT_EQ(parted, run.trace->total.divergentBranches);
}

TEST_P(Answers, ValuesAreThoseThatAReplayHolds) {
  const QuestionRun run(GetParam());
  Replay replay(run.trace);
  for (const bool ofPhase : {false, true}) {
    for (std::uint32_t step = 0; step < run.trace->steps.size(); ++step) {
      const std::vector<Question> questions = run.at(step, ofPhase);
      const Question* value = ofKind(questions, QuestionKind::CellValue);
      if (value == nullptr) continue;
      replay.seek(value->endStep);
      const Word& word = replay.state().cells[value->cell];
      EXPECT_TRUE(word.written);
      const TracedArray* array = arrayOfCell(*run.trace, value->cell);
      ASSERT_NE(array, nullptr);
      EXPECT_EQ(formatValue(array->type, word.bits),
                value->right.text.substr(value->right.text.rfind(' ') + 1));
      EXPECT_EQ(run.trace->provenance.text(word.from), value->right.symbols);
      if (array->type == ValueType::F32) {
        EXPECT_EQ(value->right.value, static_cast<double>(std::bit_cast<float>(word.bits)));
      }
    }
  }
}

TEST_P(Answers, ThreadsOfAPhaseAreThoseThatItsStepsName) {
  const QuestionRun run(GetParam());
  for (const Phase& phase : run.trace->phases) {
    std::set<std::uint32_t> threads;
    std::uint32_t most = 0;
    std::uint64_t sectors = 0;
    bool diverges = false;
    for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
      const Step step = run.trace->steps[index];
      for (std::uint32_t i = 0; i < step.accesses.count; ++i)
        threads.insert(step.warp * run.launch.machine.warpSize +
                       run.trace->accesses[step.accesses.first + i].lane);
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if (step.kind == StepKind::Shuffle && (step.active >> lane & 1U) != 0)
          threads.insert(step.warp * run.launch.machine.warpSize + lane);
      }
      most = std::max(most, step.wavefronts);
      sectors += step.sectors;
      diverges = diverges || computeCounters(*run.trace, step).divergentBranches > 0;
    }
    const std::vector<Question> questions = run.at(phase.firstStep, true);
    if (const Question* asked = ofKind(questions, QuestionKind::ActiveLanes)) {
      const std::set<std::uint32_t> shown(asked->right.lanes.begin(), asked->right.lanes.end());
      EXPECT_EQ(shown, threads) << phase.label;
    }
    if (const Question* asked = ofKind(questions, QuestionKind::Wavefronts)) {
      EXPECT_EQ(asked->right.number, most);
    }
    if (const Question* asked = ofKind(questions, QuestionKind::Sectors)) {
      EXPECT_EQ(asked->right.number, sectors);
    }
    if (const Question* asked = ofKind(questions, QuestionKind::Divergence)) {
      EXPECT_EQ(asked->right.yes, diverges);
    }
    if (phase.firstStep + 1 < phase.endStep) {
      EXPECT_TRUE(run.at(phase.firstStep + 1, true).empty());
    }
  }
}

// Between the same barriers, whether a thread of another warp, or of the same warp with nothing between,
// touches a word of the step and one of the two writes: found over all pairs.
bool meetsAnother(const Trace& trace, std::uint32_t index) {
  std::vector<std::uint32_t> passed(trace.warps, 0);
  std::vector<std::uint32_t> interval;
  for (const Step& step : trace.steps) {
    interval.push_back(passed[step.warp]);
    passed[step.warp] += step.kind == StepKind::BlockBarrier ? 1U : 0U;
  }
  const auto writes = [](const Step& s) {
    return s.kind == StepKind::SharedStore || s.kind == StepKind::GlobalStore;
  };
  const auto isPlain = [&](const Step& s) {
    return writes(s) || s.kind == StepKind::SharedLoad || s.kind == StepKind::GlobalLoad;
  };
  const Step own = trace.steps[index];
  for (std::uint32_t other = 0; other < trace.steps.size(); ++other) {
    const Step step = trace.steps[other];
    if (interval[other] != interval[index] || !isPlain(step) || (!writes(step) && !writes(own))) continue;
    for (std::uint32_t i = 0; i < own.accesses.count; ++i) {
      for (std::uint32_t j = 0; j < step.accesses.count; ++j) {
        const LaneAccess& a = trace.accesses[own.accesses.first + i];
        const LaneAccess& b = trace.accesses[step.accesses.first + j];
        const bool same =
            a.cell < b.cell + std::max(1U, b.bytes / 4U) && b.cell < a.cell + std::max(1U, a.bytes / 4U);
        if (same && (own.warp != step.warp || a.lane != b.lane)) return true;
      }
    }
  }
  return false;
}

TEST_P(Answers, RacesAreRealAndWhatIsExcludedMeetsNobody) {
  const QuestionRun run(GetParam());
  std::size_t yes = 0;
  std::size_t no = 0;
  bool ordersWarps = false;
  for (const Step& step : run.trace->steps) ordersWarps = ordersWarps || step.kind == StepKind::WarpBarrier;
  for (std::uint32_t step = 0; step < run.trace->steps.size(); ++step) {
    const Question* race = nullptr;
    const std::vector<Question> questions = run.at(step);
    race = ofKind(questions, QuestionKind::Race);
    if (race == nullptr) continue;
    ++(race->right.yes ? yes : no);
    if (race->right.yes || !ordersWarps) {
      EXPECT_EQ(meetsAnother(*run.trace, step), race->right.yes) << "step " << step;
    }
    Question complete = *race;
    completeQuestion(*run.trace, run.races, complete);
    if (race->right.yes) {
      EXPECT_NE(complete.explanation.find("line " + std::to_string(run.trace->steps[step].line)),
                std::string::npos)
          << complete.explanation;
    }
  }
  const bool races = !run.races.races().empty();
  EXPECT_EQ(yes > 0, races);
  EXPECT_GT(yes + no, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Strategies, Answers,
    ::testing::Values(Case{"baseline", 8, "tiny"}, Case{"baseline", 64, "nvidia"},
                      Case{"no-divergence", 8, "nvidia"}, Case{"no-divergence", 64, "g80"},
                      Case{"no-bank-conflict", 64, "nvidia"}, Case{"shuffle", 64, "nvidia"},
                      Case{"add-during-load", 8, "tiny"}, Case{"float4-loads", 64, "nvidia"},
                      Case{"unroll-last-warp-racy", 64, "nvidia"}, Case{"unroll-last-warp", 64, "nvidia"},
                      Case{"completely-unrolled", 64, "kepler64"}),
    [](const auto& param) {
      std::string name = std::string(param.param.id) + "_" + std::to_string(param.param.n);
      std::ranges::replace(name, '-', '_');
      return name + "_" + param.param.machine;
    });

TEST(Questions, TheBaselinesBranchIsAskedAsItsModuloSays) {
  const QuestionRun run({"baseline", 64, "nvidia"});
  std::size_t found = 0;
  std::uint32_t k = 0;
  for (std::uint32_t step = 0; step < run.trace->steps.size(); ++step) {
    const std::vector<Question> all = run.at(step);
    const Question* lanes = ofKind(all, QuestionKind::ActiveLanes);
    const std::string code(run.launch.source->slice(run.trace->steps[step].span));
    if (lanes == nullptr || code != "tid % (2 * k) == 0") continue;
    if (lanes->warp == 0) k = k == 0 ? 1 : 2 * k;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((32 * lanes->warp + lane) % (2 * k) == 0) expected.push_back(lane);
    }
    EXPECT_EQ(lanes->right.lanes, expected) << "k " << k;
    Question complete = *lanes;
    completeQuestion(*run.trace, run.races, complete);
    EXPECT_NE(complete.explanation.find("`k` = " + std::to_string(k)), std::string::npos)
        << complete.explanation;
    ++found;
  }
  EXPECT_EQ(found, 12U);  // six step sizes, two warps
}

TEST(Questions, AConflictIsExplainedByTheWordsOfItsBank) {
  const QuestionRun run({"no-divergence", 64, "nvidia"});
  for (std::uint32_t step = 0; step < run.trace->steps.size(); ++step) {
    const std::vector<Question> all = run.at(step);
    const Question* wavefronts = ofKind(all, QuestionKind::Wavefronts);
    if (wavefronts == nullptr || wavefronts->right.number != 2) continue;
    Question complete = *wavefronts;
    completeQuestion(*run.trace, run.races, complete);
    // s[index + k] with k = 1: words 1 and 33 are both of bank 1.
    EXPECT_SAYS(complete.explanation);
    return;
  }
  FAIL() << "no conflict was asked about";
}

TEST(Questions, AnIncompleteReportRulesNothingOut) {
  const QuestionRun run({"baseline", 64, "nvidia"});
  HazardReport report = run.report;
  report.isComplete = false;
  const RacePlaces races(report);
  for (std::uint32_t step = 0; step < run.trace->steps.size(); ++step) {
    const std::vector<Question> all = questionsAt(*run.trace, races, step, false, 1);
    EXPECT_EQ(ofKind(all, QuestionKind::Race), nullptr);
  }
}

// Bins in shared memory are written by atomics alone: the phase asks what one holds after all of them.
TEST(Questions, AHistogramIsAskedForABinsValue) {
  Launch launch;
  launch.source =
      std::make_shared<SourceText>("histogram.cu",
                                   "__global__ void histogram(const int* in, int* out) {\n"
                                   "  __shared__ int bins[8];\n"
                                   "  if (threadIdx.x < 8) bins[threadIdx.x] = 0;\n"
                                   "  __syncthreads();\n"
                                   "  atomicAdd(&bins[in[threadIdx.x] & 7], 1);\n"
                                   "  __syncthreads();\n"
                                   "  if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];\n"
                                   "}\n");
  launch.block.x = 64;
  for (const char* argument : {"i32:hash:64", "i32:zero:8"})
    launch.arguments.push_back(parseArgument(argument).value());
  const auto run = tracedRun(launch);
  const Trace& trace = *run.trace;
  const RacePlaces races(*run.hazards);
  const auto updating = std::ranges::find_if(
      trace.phases, [](const Phase& phase) { return phase.counters.sharedAtomicWavefronts > 0; });
  ASSERT_NE(updating, trace.phases.end());
  ASSERT_FALSE(updating->cellsWritten.empty());
  std::vector<int> updates(trace.sharedCells, 0);
  for (std::uint32_t index = updating->firstStep; index < updating->endStep; ++index) {
    const Step step = trace.steps[index];
    if (step.kind != StepKind::SharedAtomic) continue;
    for (std::uint32_t i = 0; i < step.accesses.count; ++i)
      ++updates[trace.accesses[step.accesses.first + i].cell];
  }
  const std::vector<Question> all = questionsAt(trace, races, updating->firstStep, true, 1);
  const Question* value = ofKind(all, QuestionKind::CellValue);
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(value->right.value, updates[value->cell]);
  Question complete = *value;
  completeQuestion(trace, races, complete);
  EXPECT_NE(complete.explanation.find(std::to_string(updates[value->cell]) + " atomic"), std::string::npos)
      << complete.explanation;
}

// If an operation's text is only a variable's name, its line is quoted.
TEST(QuestionTexts, QuoteTheLineOfAMereName) {
  const Launch launch =
      makeLaunch(*findStrategy("warp-block-grid"), 256, 1, *findMachine("nvidia"), ElementType::Float)
          .value();
  const auto run = tracedRun(launch);
  const Trace& trace = *run.trace;
  const RacePlaces races(*run.hazards);
  std::size_t quoted = 0;
  for (std::uint32_t step = 0; step < trace.steps.size(); ++step) {
    for (Question& question : questionsAt(trace, races, step, false, 1)) {
      completeQuestion(trace, races, question);
      EXPECT_EQ(question.text.find("run `value`"), std::string::npos) << question.text;
      if (question.text.find("** run line ") == std::string::npos) continue;
      ++quoted;
      EXPECT_TRUE(question.text.ends_with(", `value = blockReduce<op>(value, warpValues);`?") ||
                  question.text.ends_with(", `value = warpReduce<op>(value, lanes);`?"))
          << question.text;
    }
  }
  EXPECT_GT(quoted, 0U);
}

}  // namespace
}  // namespace lanescope
