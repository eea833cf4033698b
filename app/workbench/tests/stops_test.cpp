// Breakpoints: where traces conflict, diverge, race and meet barriers, and running to those places.
#include "app/workbench/walk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "app/launch/strategy_launch.h"
#include "app/workbench/session.h"
#include "app/workbench/tests/runs.h"
#include "app/workbench/tests/settle.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using testing::ShownSession;

TEST(Stops, ConditionsAreFoundOneByOneBothWays) {
  ShownSession session("no-divergence", 64, "nvidia");
  Player& player = session.player();
  const Trace& trace = player.replay()->trace();
  const auto count = std::ranges::count_if(trace.steps, conflicts);
  ASSERT_GT(count, 0);
  player.toStart();
  std::vector<std::uint32_t> seen;
  while (player.runTo(StopKind::Conflict, true)) {
    EXPECT_TRUE(conflicts(*player.replay()->currentStep()));
    seen.push_back(player.replay()->cursor().steps);
  }
  EXPECT_EQ(static_cast<std::ptrdiff_t>(seen.size()), count);
  for (std::size_t i = seen.size() - 1; i-- > 0;) {
    ASSERT_TRUE(player.runTo(StopKind::Conflict, false));
    EXPECT_EQ(player.replay()->cursor().steps, seen[i]);
  }
  EXPECT_FALSE(player.runTo(StopKind::Conflict, false));
  EXPECT_EQ(player.replay()->cursor().steps, seen.front());
  player.toEnd();
  EXPECT_TRUE(player.runToFirst(StopKind::Conflict));
  EXPECT_EQ(player.replay()->cursor().steps, seen.front());
}

TEST(Stops, ABarrierIsMetOnceItsLastWarpArrives) {
  ShownSession session("baseline", 128, "nvidia");
  Player& player = session.player();
  const Trace& trace = player.replay()->trace();
  ASSERT_GT(trace.warps, 1U);
  player.toStart();
  std::uint64_t barriers = 0;
  while (player.runTo(StopKind::Barrier, true)) {
    ++barriers;
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp)
      EXPECT_EQ(laneState(trace, player.replay()->state(), warp, 0), LaneState::AtBarrier);
  }
  EXPECT_EQ(barriers * trace.warps, trace.total.barriers);
}

TEST(Stops, ALineStopsOnceForEachComingOfAWarp) {
  ShownSession session("baseline", 128, "nvidia");
  Player& player = session.player();
  const Trace& trace = player.replay()->trace();
  const auto barrier = std::ranges::find(trace.steps, StepKind::BlockBarrier, &Step::kind);
  ASSERT_NE(barrier, trace.steps.end());
  const auto comings = static_cast<std::size_t>(std::ranges::count_if(trace.steps, [&](const Step& step) {
    const auto before = static_cast<std::size_t>(step.previousOfWarp);
    return step.line == barrier->line && step.kind != StepKind::Exit &&
           (step.previousOfWarp < 0 || trace.steps[before].line != step.line);
  }));
  player.toStart();
  player.stops().toggleLine(barrier->line);
  std::size_t met = 0;
  while (player.runToStop(true) && !player.replay()->atEnd()) {
    EXPECT_EQ(player.replay()->currentStep()->line, barrier->line);
    ++met;
  }
  EXPECT_EQ(met, comings);
  EXPECT_TRUE(player.runToStop(false));
  EXPECT_EQ(player.replay()->currentStep()->line, barrier->line);
  player.stops().toggleLine(barrier->line);
  EXPECT_TRUE(player.stops().empty());
  EXPECT_TRUE(player.runToStop(false));
  EXPECT_TRUE(player.replay()->atStart());
}

TEST(Stops, PlayingPausesAtThemAtEveryGrain) {
  for (const Grain grain : {Grain::Phase, Grain::Instruction, Grain::Wavefront}) {
    ShownSession session("no-divergence", 64, "nvidia");
    session.player().stops().toggle(StopKind::Conflict);
    session.player().setGrain(grain);
    session.player().toStart();
    session.player().togglePlay();
    for (int i = 0; i < 10000 && session.player().playing(); ++i) session.player().advance(10);
    ASSERT_FALSE(session.player().replay()->atEnd());
    EXPECT_EQ(session.player().replay()->cursor().steps,
              session.player().events().of(StopKind::Conflict).front());
  }
}

int countLanes(const Step& step) { return std::popcount(step.active); }

/// A step of a lane that is not the end of its warp's way through the phase.
bool isWork(const Step& step) {
  return step.kind != StepKind::BlockBarrier && step.kind != StepKind::Exit && step.active != 0;
}

bool isFull(const Trace& trace, const Step& step) {
  return countLanes(step) == static_cast<int>(trace.lanesOfWarp(step.warp));
}

/// The moment at those steps done is what it says it is, of its phase.
void expectMoment(const Trace& trace, const PhaseStops& stops, std::size_t stop) {
  const std::uint32_t last = stops.at[stop] - 1;
  const Step at = trace.steps[last];
  const Phase& phase = trace.phases[at.phase];
  const bool isEnd = stops.moments[stop] == PhaseMoment::End;
  EXPECT_EQ(isEnd, last + 1 == phase.endStep);
  const bool hasMoment = isEnd && stop > 0 && stops.at[stop - 1] > phase.firstStep;
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step step = trace.steps[index];
    const bool isEarlier = index < last;
    switch (stops.moments[stop]) {
      case PhaseMoment::MostWavefronts:
        EXPECT_TRUE(conflicts(at));
        if (!conflicts(step)) break;
        EXPECT_LT(step.wavefronts, at.wavefronts + (isEarlier ? 0U : 1U)) << index;
        break;
      case PhaseMoment::FewestLanes:
        EXPECT_FALSE(conflicts(step)) << index;
        EXPECT_FALSE(isFull(trace, at));
        if (!isWork(step)) break;
        EXPECT_GT(countLanes(step), countLanes(at) - (isEarlier ? 0 : 1)) << index;
        break;
      case PhaseMoment::End:
        if (hasMoment || index == last) break;
        EXPECT_FALSE(conflicts(step) || (isWork(step) && !isFull(trace, step) && isWork(at) &&
                                         countLanes(step) <= countLanes(at)))
            << index;
        break;
      case PhaseMoment::None: ADD_FAILURE(); break;
    }
  }
}

TEST(Stops, AWalkByPhaseStopsAtItsMomentAndAtItsEnd) {
  std::array<int, 4> met{};
  for (const Strategy& strategy : strategies()) {
    for (const auto& [n, machine] : {std::pair{8U, "tiny"}, std::pair{64U, "nvidia"}}) {
      const auto launch = makeLaunch(strategy, n, 1, *findMachine(machine));
      if (!launch) continue;
      const auto trace = makeTrace(*launch, {0, 0, 0}, Turns::ByLine);
      ASSERT_TRUE(trace.ok()) << strategy.id;
      const PhaseStops stops = findPhaseStops(**trace);
      SCOPED_TRACE(std::string(strategy.id) + " " + std::to_string(n));
      ASSERT_TRUE(std::ranges::is_sorted(stops.at));
      EXPECT_EQ(std::ranges::count(stops.moments, PhaseMoment::End), std::ssize((*trace)->phases));
      for (std::size_t stop = 0; stop < stops.at.size(); ++stop) {
        expectMoment(**trace, stops, stop);
        ++met[static_cast<std::size_t>(stops.moments[stop])];
      }
    }
  }
  EXPECT_GT(met[static_cast<std::size_t>(PhaseMoment::MostWavefronts)], 20);
  EXPECT_GT(met[static_cast<std::size_t>(PhaseMoment::FewestLanes)], 20);
}

TEST(Stops, StepsByPhaseSayWhatTheyStoppedAt) {
  ShownSession session("no-divergence", 64, "nvidia");
  Player& player = session.player();
  player.toStart();
  std::vector<Cursor> places;
  std::vector<PhaseMoment> moments;
  while (player.step(Grain::Phase, true)) {
    places.push_back(player.replay()->cursor());
    moments.push_back(player.phaseMoment());
  }
  EXPECT_TRUE(player.replay()->atEnd());
  EXPECT_EQ(moments[1], PhaseMoment::MostWavefronts) << "after the load's end: the first step's conflict";
  for (std::size_t i = places.size() - 1; i-- > 0;) {
    ASSERT_TRUE(player.step(Grain::Phase, false));
    EXPECT_EQ(player.replay()->cursor(), places[i]);
    EXPECT_EQ(player.phaseMoment(), moments[i]);
  }
  ASSERT_TRUE(player.step(Grain::Phase, false));
  EXPECT_TRUE(player.replay()->atStart());
  EXPECT_FALSE(player.step(Grain::Phase, false));
  player.seek(places[1]);
  EXPECT_EQ(player.phaseMoment(), PhaseMoment::None) << "only a move by phase stops for it";
}

TEST(Stops, AHazardLiesWhereItsLaterAccessIs) {
  Launch launch;
  launch.source = std::make_shared<SourceText>("race.cu",
                                               "__global__ void k(float* out) {\n"
                                               "  __shared__ float s[64];\n"
                                               "  s[threadIdx.x] = threadIdx.x;\n"
                                               "  out[threadIdx.x] = s[63 - threadIdx.x];\n"
                                               "}\n");
  launch.kernel = "k";
  launch.block.x = 64;
  Argument out{.isBuffer = true, .count = 64};
  launch.arguments = {out};
  const auto run = tracedRun(launch);
  const std::shared_ptr<const Trace>& trace = run.trace;
  const std::vector<HazardMark> marks = hazardMarks(*run.hazards, *trace);
  ASSERT_FALSE(marks.empty());
  for (const HazardMark& mark : marks) {
    EXPECT_FALSE(mark.message.empty());
    EXPECT_GE(mark.cell, 0) << "the word that it is about";
    EXPECT_TRUE(trace->steps[mark.step - 1].line == 3 || trace->steps[mark.step - 1].line == 4);
  }
  EXPECT_EQ(findEvents(*trace, marks).of(StopKind::Hazard).front(), marks.front().step);
}

/// True if that lane asks in that step for the element that the hazard names, as `s[40]`.
bool asksFor(const Trace& trace, const Step& step, const Hazard& hazard) {
  for (std::uint32_t i = 0; i < step.accesses.count; ++i) {
    const LaneAccess& access = trace.accesses[step.accesses.first + i];
    if (access.lane == hazard.access.lane && hazard.place == "s[" + std::to_string(access.cell) + "]")
      return true;
  }
  return false;
}

/// A line that a thread comes to many times, and one that both reads and writes: a mark lies on the access
/// that the report names, behind the one that it races with.
TEST(Stops, AHazardOfALoopLiesWhereItsElementIsAskedFor) {
  const auto check = [](const Launch& launch) {
    const auto run = tracedRun(launch);
    const std::shared_ptr<const Trace>& trace = run.trace;
    ASSERT_FALSE(run.hazards->hazards.empty());
    for (const Hazard& hazard : run.hazards->hazards) {
      HazardReport alone;
      alone.hazards = {hazard};
      const std::vector<HazardMark> marks = hazardMarks(alone, *trace);
      ASSERT_EQ(marks.size(), 1U);
      const Step step = trace->steps[marks.front().step - 1];
      EXPECT_EQ(step.kind, hazard.access.verb == "writes" ? StepKind::SharedStore : StepKind::SharedLoad);
      EXPECT_TRUE(asksFor(*trace, step, hazard)) << hazard.message;
      EXPECT_EQ(hazard.place, "s[" + std::to_string(marks.front().cell) + "]");
      ASSERT_TRUE(hazard.earlier);
      ASSERT_TRUE(hazard.earlier->step);
      EXPECT_LT(*hazard.earlier->step, *hazard.access.step) << hazard.message;
    }
  };
  const MachineModel& machine = *findMachine("nvidia");
  Result<Launch> loop = makeLaunch(*findStrategy("no-divergence"), 64, 1, machine);
  ASSERT_TRUE(loop);
  std::string text(loop->source->text());
  const std::size_t barrier = text.rfind("__syncthreads();");
  ASSERT_NE(barrier, std::string::npos);
  text.erase(barrier, std::string_view("__syncthreads();").size());
  loop->source = std::make_shared<SourceText>("no_barrier.cu", text);
  check(*loop);
  const Result<Launch> racy = makeLaunch(*findStrategy("unroll-last-warp-racy"), 64, 1, machine);
  ASSERT_TRUE(racy);
  check(*racy);
}

// Behind a line that never runs comes the next that does, or none.
TEST(Stops, ALineThatNeverRunsMeansTheNextThatDoes) {
  ShownSession session("no-divergence", 64, "nvidia");
  Player& player = session.player();
  const Trace& trace = player.replay()->trace();
  const std::string text(trace.launch.source->text());
  const auto findLine = [&](std::size_t at) {
    return static_cast<std::uint32_t>(1 + std::ranges::count(text.substr(0, at), '\n'));
  };
  const std::uint32_t brace = findLine(text.find("    }\n"));
  const std::uint32_t barrier = findLine(text.rfind("__syncthreads();"));
  ASSERT_EQ(brace + 1, barrier);
  EXPECT_EQ(nextRunLine(trace, brace), barrier);
  EXPECT_EQ(nextRunLine(trace, barrier), barrier);
  EXPECT_EQ(nextRunLine(trace, 10000), std::nullopt);
  for (std::uint32_t line = 1; line <= barrier; ++line) {
    const auto next = nextRunLine(trace, line);
    ASSERT_TRUE(next);
    player.toStart();
    player.stops().toggleLine(*next);
    EXPECT_TRUE(player.runToStop(true) && player.replay()->currentStep()->line == *next) << line;
    player.stops().clear();
  }
}

// One block has at most 1,024 threads.
TEST(Session, ChoosesTheBlocksThatManyElementsNeed) {
  ShownSession session("baseline", 64, "nvidia");
  session.chooseElements(65536);
  EXPECT_EQ(session.error(), "");
  EXPECT_EQ(session.selection().blocks, 64U);
  EXPECT_SAYS(session.pollNews());
  EXPECT_EQ(session.pollNews(), "");
  session.chooseElements(2048);
  EXPECT_EQ(session.selection().blocks, 64U) << "they can share these too";
  EXPECT_EQ(session.pollNews(), "");
  session.chooseElements(33);
  EXPECT_NE(session.error(), "") << "no number of blocks helps";
  EXPECT_EQ(session.pollNews(), "");
}

TEST(Session, SaysThatAnotherMachineCameWithN) {
  Session session;
  session.select({findStrategy("baseline"), 16, &defaultMachine(16)});
  ASSERT_TRUE(testing::waitForTrace(session));
  session.chooseElements(8);
  EXPECT_EQ(session.pollNews(), "") << "the same machine";
  session.chooseElements(64);
  EXPECT_EQ(session.selection().machine->name, "nvidia");
  EXPECT_SAYS(session.pollNews());
  session.chooseMachine(*findMachine("g80"));
  session.chooseElements(8);
  EXPECT_EQ(session.selection().machine->name, "g80") << "it was chosen";
  EXPECT_EQ(session.pollNews(), "");
  session.chooseSetup(128, *findMachine("nvidia"));
  EXPECT_EQ(session.pollNews(), "") << "that was asked for";
  EXPECT_EQ(session.selection().n, 128U);
  session.chooseBlocks(4, 2);
  session.chooseSetup(64, *findMachine("nvidia"));
  EXPECT_EQ(session.selection().blocks, 1U) << "the setup of a lesson has as few as can be";
  EXPECT_EQ(session.selection().block, 0U);
  session.chooseElements(8);
  EXPECT_EQ(session.selection().machine->name, "tiny") << "nvidia was the usual one there";
}

TEST(Session, TracesTheChosenBlock) {
  ShownSession session("baseline", 64, "nvidia");
  session.chooseBlocks(4, 2);
  ASSERT_TRUE(testing::waitForTrace(session));
  EXPECT_EQ(session.shown().blocks, 4U);
  EXPECT_EQ(session.player().replay()->trace().tracedBlock.x, 2U);
  EXPECT_EQ(session.player().replay()->trace().threads, 16U);
  session.chooseBlocks(4, 4);
  EXPECT_NE(session.error(), "");
  EXPECT_EQ(session.selection().block, 2U);
}

}  // namespace
}  // namespace lanescope
