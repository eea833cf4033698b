// What a trace is kept in: all comes out as it went in, in little room, and a run that never ends is reported
// early.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/trace/phases.h"
#include "sim/trace/replay.h"
#include "sim/trace/run.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

/// Numbers that look random, and are the same in every run.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

TEST(Pages, KeepWhatIsAppendedAtOnceSideBySide) {
  Pages<std::uint32_t> pages;
  EXPECT_TRUE(pages.empty());
  Random random(3);
  std::vector<std::pair<PoolRange, std::uint32_t>> runs;
  std::uint32_t next = 0;
  for (int i = 0; i < 5000; ++i) {
    std::vector<std::uint32_t> run(1 + random() % 100);
    for (std::uint32_t& entry : run) entry = next++;
    const std::uint32_t expected = pages.indexFor(run.size());
    const PoolRange range{pages.append(run), static_cast<std::uint32_t>(run.size())};
    ASSERT_EQ(range.first, expected);
    runs.emplace_back(range, run.front());
  }
  EXPECT_GT(pages.size(), Pages<std::uint32_t>::kPerPage * 10);
  for (const auto& [range, first] : runs) {
    const std::span<const std::uint32_t> run = pages.run(range);
    ASSERT_EQ(run.size(), range.count);
    for (std::uint32_t i = 0; i < range.count; ++i) ASSERT_EQ(run[i], first + i);
    ASSERT_EQ(pages[range.first], first);
  }
  EXPECT_TRUE(pages.run({}).empty());
}

Step randomStep(Random& random, std::uint32_t variety, StepKind kind) {
  Step step;
  step.kind = kind;
  step.isResultUsed = random() % 2 != 0;
  step.sharedAtomic = static_cast<SharedAtomic>(random() % 5);
  step.line = random() % variety;
  step.span = {step.line * 10, step.line * 10 + 5};
  step.active = static_cast<LaneMask>(random());
  step.taken = step.active & 0x55U;
  step.after = step.active | 1U;
  step.exited = random() % 4;
  step.maskedBy = random() % variety;
  step.wavefronts = random() % 40;
  step.idealWavefronts = random() % 3;
  step.sectors = random() % 64;
  return step;
}

/// Steps of four warps that take turns, with now and then another phase.
std::vector<Step> randomSteps(std::size_t count, std::uint32_t variety) {
  Random random(variety);
  std::vector<Step> kinds;
  for (std::uint32_t i = 0; i < variety; ++i)
    kinds.push_back(randomStep(random, variety, static_cast<StepKind>(i % kStepKinds)));
  std::vector<Step> steps;
  std::array<std::int32_t, 4> last{-1, -1, -1, -1};
  std::uint32_t phase = 0;
  std::uint16_t warp = 0;
  for (std::uint32_t index = 0; index < count; ++index) {
    if (random() % 7 == 0) warp = static_cast<std::uint16_t>(random() % 4);
    if (random() % 100 == 0) ++phase;
    Step step = kinds[random() % kinds.size()];
    step.warp = warp;
    step.phase = phase;
    step.previousOfWarp = last[warp];
    last[warp] = static_cast<std::int32_t>(index);
    if (step.kind <= StepKind::ConstantLoad) {
      step.accesses = {index * 3, 1 + random() % 32};
      step.cellChanges = {index * 5, random() % 64};
    }
    if (step.kind == StepKind::Shuffle) step.shuffleSources = index * 32;
    if (step.kind == StepKind::Assign && random() % 8 != 0) step.variableSets = index * 7;
    steps.push_back(step);
  }
  return steps;
}

TEST(Steps, ComeOutAsTheyWentIn) {
  for (const std::uint32_t variety : {5U, 1000U, 80000U}) {  // the last: more than 16 bits can number
    const std::vector<Step> in = randomSteps(variety > 70000 ? 300000 : 20000, variety);
    Steps out;
    EXPECT_TRUE(out.empty());
    for (const Step& step : in) out.add(step);
    ASSERT_EQ(out.size(), in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      ASSERT_EQ(out[i], in[i]) << i;
      ASSERT_EQ(out.kindAt(i), in[i].kind);
    }
    EXPECT_TRUE(std::ranges::equal(out, in));
    EXPECT_EQ(out.back(), in.back());
  }
}

TEST(Steps, OfALoopTakeAFewBytesEach) {
  std::vector<Step> in = randomSteps(200000, 26);
  for (Step& step : in) {  // a loop's accesses have the same lanes each time
    if (step.accesses.count > 0) step.accesses.count = step.cellChanges.count = 32;
  }
  Steps out;
  for (const Step& step : in) out.add(step);
  EXPECT_LT(out.bytes(), 12 * in.size()) << "a tenth of their size";
}

TEST(Steps, OfTheLastPhaseCanJoinTheOneBefore) {
  std::vector<Step> in = randomSteps(2000, 10);
  const std::uint32_t phase = in.back().phase;
  const auto first = static_cast<std::size_t>(std::ranges::find(in, phase, &Step::phase) - in.begin());
  Steps out;
  for (const Step& step : in) out.add(step);
  out.moveToPhase(first, phase - 1);
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i >= first) in[i].phase = phase - 1;
    ASSERT_EQ(out[i], in[i]) << i;
  }
}

/// A column of values: equal, counting up, zero, or of a random width.
template <class T>
void fillColumn(std::mt19937_64& random, std::array<T, kMaxLanes>& column) {
  const std::uint64_t kind = random() % 5;
  const std::uint64_t width = 1 + random() % (8 * sizeof(T));
  const auto first = static_cast<T>(random());
  for (std::size_t i = 0; i < column.size(); ++i) {
    const auto any = static_cast<T>(random() & (~std::uint64_t{0} >> (64 - width)));
    column[i] = kind == 0 ? T{0} : kind == 1 ? first : kind == 2 ? static_cast<T>(first + i) : any;
  }
}

TEST(VariableSets, ComeOutAsTheyWentIn) {
  std::mt19937_64 random(11);
  VariableSets sets;
  std::vector<std::vector<VariableSet>> in;
  std::vector<std::uint32_t> places;
  std::uint32_t last = kNoIndex;
  for (int i = 0; i < 20000; ++i) {
    std::vector<VariableSet> ofStep(1 + random() % 3);
    for (VariableSet& set : ofStep) {
      set.variable = static_cast<std::uint32_t>(random() % 300);
      const std::uint64_t lanes = random() % 4;
      set.lanes = lanes == 0   ? ~LaneMask{0}
                  : lanes == 1 ? (LaneMask{1} << (1 + random() % 31)) - 1
                               : static_cast<LaneMask>(random()) | 2U;
      set.previous = random() % 5 == 0 ? kNoIndex : last;
      fillColumn(random, set.bits);
      fillColumn(random, set.from);
      fillColumn(random, set.reads);
    }
    places.push_back(sets.append(ofStep));
    in.push_back(ofStep);
    last = places[random() % places.size()];
  }
  VariableSet out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    std::uint32_t index = places[i];
    for (const VariableSet& set : in[i]) {
      ASSERT_NE(index, kNoIndex);
      sets.read(index, out);
      ASSERT_EQ(out.variable, set.variable);
      ASSERT_EQ(out.lanes, set.lanes);
      ASSERT_EQ(out.previous, set.previous);
      ASSERT_TRUE(std::equal(out.bits.begin(), out.bits.begin() + set.count(), set.bits.begin())) << i;
      ASSERT_TRUE(std::equal(out.from.begin(), out.from.begin() + set.count(), set.from.begin())) << i;
      ASSERT_TRUE(std::equal(out.reads.begin(), out.reads.begin() + set.count(), set.reads.begin())) << i;
      index = out.next;
    }
    ASSERT_EQ(index, kNoIndex);
  }
}

TEST(Provenance, InputsMadeAtOnceAreThoseMadeOneByOne) {
  Provenance atOnce;
  const ProvenanceId first = atOnce.inputs('b', 100);
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(atOnce.input('b', i), first + i);
    EXPECT_EQ(atOnce.text(first + i), "b" + std::to_string(i));
  }
  const ProvenanceId sum = atOnce.combine(Provenance::Kind::Add, first, first + 1);
  EXPECT_EQ(atOnce.combine(Provenance::Kind::Add, first, first + 1), sum);
  atOnce.close();
  EXPECT_EQ(atOnce.text(atOnce.combine(Provenance::Kind::Add, sum, first + 2)), "b0+b1+b2");
}

// Lanes set variables in turn, in branches and loops that they leave one by one, and elements of local
// arrays.
constexpr const char* kManyWays = R"(
__device__ int twice(int x) {
  int y = x;
  y += x;
  return y;
}
__global__ void k(const int* in, int* out) {
  const int i = threadIdx.x;
  int x = in[i];
  int row[4] = {0, 1, 2, 3};
  for (int k = 0; k < i % 5; ++k) {
    x += k;
    row[(i + k) % 4] += x;
    if (k % 2 == i % 2) x = twice(x);
  }
  x += row[i % 4];
  double wide = x;
  wide *= 0.5;
  out[i] = x + (int)wide;
})";

TEST(Replay, GoesBackThroughValuesThatLanesGotInTurn) {
  Launch launch = testing::launchText(kManyWays, 40, {"i32:hash:40", "i32:zero:40"});
  for (const char* machine : {"nvidia", "tiny"}) {
    launch.machine = *findMachine(machine);
    auto trace = recordTrace(launch);
    ASSERT_TRUE(trace.ok()) << trace.error().sentence();
    Replay replay(std::make_shared<const Trace>(std::move(*trace)));
    std::vector<ReplayState> states{replay.state()};
    while (replay.forward(Grain::Instruction)) states.push_back(replay.state());
    while (!replay.atStart()) {
      ASSERT_TRUE(replay.back(Grain::Instruction));
      ASSERT_TRUE(replay.state() == states[replay.cursor().steps]) << "at step " << replay.cursor().steps;
    }
  }
}

TEST(Replay, EndsWithTheValuesThatTheRunLeft) {
  const Launch launch = testing::launchText(kManyWays, 40, {"i32:hash:40", "i32:zero:40"});
  auto trace = recordTrace(launch);
  ASSERT_TRUE(trace.ok());
  const auto simulation = simulate(launch);
  ASSERT_TRUE(simulation.ok());
  const auto out = testing::elements<std::int32_t>(*simulation, 1);
  const auto named = [&](const char* name) {
    return static_cast<std::size_t>(std::ranges::find(trace->variables, name, &TracedVariable::name) -
                                    trace->variables.begin());
  };
  const std::size_t x = named("x"), wide = named("wide"), count = trace->variables.size();
  Replay replay(std::make_shared<const Trace>(std::move(*trace)));
  replay.seek(UINT32_MAX);
  for (std::size_t thread = 0; thread < 40; ++thread) {
    const auto left = static_cast<std::int32_t>(replay.state().variables[thread * count + x].bits);
    const auto half = std::bit_cast<double>(replay.state().variables[thread * count + wide].bits);
    EXPECT_EQ(half, left * 0.5);
    EXPECT_EQ(out[thread], left + static_cast<std::int32_t>(half)) << thread;
  }
}

/// A loop that never ends, around `body`.
Launch endless(const std::string& body) {
  return testing::launchText(
      "__global__ void k(float* out) {\n  __shared__ float s[1024];\n"
      "  float x = threadIdx.x;\n  s[threadIdx.x] = x;\n  while (true) {\n    " +
          body + ";\n  }\n}\n",
      1024, {"f32:ones:1024"});
}

TEST(Traces, OfLoopsThatNeverEndMeetTheirLimit) {
  for (const char* body : {"x += 1", "x = x * x + s[threadIdx.x]", "out[threadIdx.x] += 1",
                           "s[threadIdx.x] += 1; __syncthreads()", "x += __shfl_xor_sync(0xffffffff, x, 1)",
                           "x += out[threadIdx.x]; __syncwarp()"}) {
    const Launch launch = endless(body);
    const auto trace = recordTrace(launch);
    ASSERT_FALSE(trace.ok()) << body;
    EXPECT_TRUE(trace.error().isOfRun) << body;
    const std::string said = trace.error().sentence();
    EXPECT_SAYS(said);
    EXPECT_EQ(trace.error().diagnostics.size(), 1U) << body;
  }
}

TEST(Traces, OfArraysThatAreTooLargeAreRefused) {
  Launch launch =
      testing::launchText("__global__ void k(float* out) { out[0] = 1; }", 32, {"f32:zero:1000000"});
  EXPECT_TRUE(recordTrace(launch).ok());
  launch.arguments[0] = parseArgument("f32:zero:2000000").value();
  const auto trace = recordTrace(launch);
  ASSERT_FALSE(trace.ok());
  EXPECT_SAYS(trace.error().sentence());
  launch.limits.traceBytes *= 4;
  EXPECT_TRUE(recordTrace(launch).ok());
}

TEST(Phases, AreCountedAsTheyAreRecorded) {
  for (const char* strategy : {"baseline", "unroll-last-warp", "shuffle", "butterfly", "global-memory",
                               "transpose-shared", "last-block-done", "vector-add"}) {
    for (const char* machine : {"tiny", "nvidia", "g80"}) {
      const Launch launch = testing::strategyLaunch(strategy, 64, machine);
      const auto trace = recordTrace(launch);
      PhaseCounter count(launch.machine.warpSize);
      const auto run = runLaunch(launch, {.listener = &count});
      ASSERT_TRUE(trace.ok() && run.ok());
      EXPECT_EQ(count.phases(), trace->phases.size()) << strategy << " on " << machine;
      EXPECT_EQ(run->simulation.counters, trace->total) << strategy << " on " << machine;
    }
  }
}

TEST(Phases, AreCountedWithoutATrace) {
  Launch launch = testing::strategyLaunch("kahan", 1024, "nvidia");
  PhaseCounter before(launch.machine.warpSize);
  ASSERT_TRUE(runLaunch(launch, {.listener = &before}).ok());
  launch.limits.traceBytes = 1;
  EXPECT_FALSE(recordTrace(launch).ok());
  PhaseCounter after(launch.machine.warpSize);
  ASSERT_TRUE(runLaunch(launch, {.listener = &after}).ok());
  EXPECT_EQ(before.phases(), after.phases());
}

}  // namespace
}  // namespace lanescope
