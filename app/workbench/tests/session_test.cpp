// Selecting, stepping and playing, with the real simulator.
#include "app/workbench/session.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "app/base/markdown.h"
#include "app/course/lesson.h"
#include "app/launch/strategy_launch.h"
#include "app/workbench/tests/settle.h"
#include "app/workbench/walk.h"
#include "sim/tests/golden_text.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

using testing::ShownSession;
using testing::waitForTrace;
using testing::waitUntil;

Selection makeSelection(std::string_view strategy, std::uint64_t n) {
  return {findStrategy(strategy), n, &defaultMachine(n)};
}

TEST(Session, OpensWhereAdditionStartsAndWakesItsCaller) {
  int wakes = 0;
  Session session(std::make_shared<SteppedExecutor>([&wakes] { ++wakes; }));
  session.select(makeSelection("no-divergence", 64));
  ASSERT_TRUE(waitForTrace(session));
  EXPECT_GE(wakes, 1);
  const Replay& replay = *session.player().replay();
  EXPECT_SAYS(replay.trace().phases[replay.currentPhase()].label);
  ASSERT_TRUE(replay.currentStep());
  EXPECT_GT(replay.currentStep()->wavefronts, replay.currentStep()->idealWavefronts);
}

// With something behind it to look at and something still to come, whatever was shown before.
TEST(Session, EveryStrategyOpensAmidItsWork) {
  for (const std::uint64_t n : {64U, 256U, 1024U}) {
    Session session;
    for (const Strategy& strategy : strategies()) {
      session.select({&strategy, n, findMachine("nvidia")});
      ASSERT_TRUE(waitForTrace(session));
      if (!session.error().empty()) continue;
      const Replay& replay = *session.player().replay();
      EXPECT_GT(replay.cursor().steps, 1U) << strategy.id << " " << n;
      const auto rest = replay.trace().steps.begin() + replay.cursor().steps;
      EXPECT_TRUE(
          std::any_of(rest, replay.trace().steps.end(), [](const Step& step) { return isWrite(step.kind); }))
          << strategy.id << " " << n << ": nothing is left to be written";
    }
  }
}

TEST(Session, WithoutExchangeItOpensAtAnAccessOrAParting) {
  const auto findStep = [](std::string_view id) {
    const auto launch = makeLaunch(*findStrategy(id), 64, 1, *findMachine("nvidia"));
    const Trace trace = recordTrace(launch.value()).value();
    return trace.steps[openingStep(trace) - 1];
  };
  EXPECT_EQ(findStep("vector-add").kind, StepKind::GlobalStore);
  EXPECT_EQ(findStep("transpose-by-row").kind, StepKind::GlobalStore);
  EXPECT_EQ(findStep("transpose-by-column").kind, StepKind::GlobalStore);
  const Step shared = findStep("transpose-shared");
  EXPECT_EQ(shared.kind, StepKind::SharedLoad);
  EXPECT_GT(shared.wavefronts, shared.idealWavefronts);
  const Step julia = findStep("julia-set");
  EXPECT_TRUE(diverges(julia));
}

TEST(Session, ForwardAndBackAgreeAtEveryGrain) {
  ShownSession session("no-divergence", 64);
  Player& player = session.player();
  for (const Grain grain : {Grain::Phase, Grain::Instruction, Grain::Wavefront}) {
    player.setGrain(grain);
    player.toStart();
    std::vector<ReplayState> states{player.replay()->state()};
    std::vector<Cursor> cursors{player.replay()->cursor()};
    while (player.forward()) {
      states.push_back(player.replay()->state());
      cursors.push_back(player.replay()->cursor());
    }
    EXPECT_TRUE(player.replay()->atEnd());
    for (std::size_t i = states.size() - 1; i-- > 0;) {
      ASSERT_TRUE(player.back());
      ASSERT_EQ(player.replay()->cursor(), cursors[i]);
      ASSERT_EQ(player.replay()->state(), states[i]);
    }
    EXPECT_FALSE(player.back());
  }
}

TEST(Session, AnotherStrategyOpensInTheSamePhase) {
  ShownSession session("no-divergence", 64);
  Player& player = session.player();
  while (player.replay()->trace().phases[player.replay()->currentPhase()].label != "step size 4") {
    ASSERT_TRUE(player.forward());
  }
  session.chooseStrategy(*findStrategy("no-bank-conflict"));
  ASSERT_TRUE(waitForTrace(session));
  EXPECT_SAYS(player.replay()->trace().phases[player.replay()->currentPhase()].label);
}

TEST(Session, ALessonOpensAtAsManyElementsAsItsIdeaNeeds) {
  Session session;
  session.select(makeSelection("baseline", 8));
  session.chooseStrategy(*findStrategy("float4-loads"));
  ASSERT_TRUE(waitForTrace(session));
  EXPECT_EQ(session.selection().n, 512U);
  EXPECT_EQ(session.selection().machine->name, "nvidia");
  EXPECT_SAYS(session.pollNews());
  session.chooseStrategy(*findStrategy("two-launches"));
  EXPECT_EQ(session.selection().n, 8U) << "what was chosen comes back";
  EXPECT_EQ(session.selection().machine->name, "tiny");
  EXPECT_SAYS(session.pollNews());
  session.chooseStrategy(*findStrategy("float4-loads"));
  session.chooseElements(64);
  EXPECT_EQ(session.selection().n, 64U) << "a choice counts";
  session.chooseStrategy(*findStrategy("two-launches"));
  EXPECT_EQ(session.selection().n, 64U);
  session.chooseElements(1024);
  session.pollNews();
  session.chooseStrategy(*findStrategy("float4-loads"));
  EXPECT_EQ(session.selection().n, 1024U) << "more than it needs";
  EXPECT_EQ(session.pollNews(), "");
}

TEST(Session, ALessonHasAListOfPhasesForTheElementsThatItOpensAt) {
  for (const Strategy& strategy : strategies()) {
    if (strategy.opensAt == 0) continue;
    EXPECT_EQ(lessonN(parseMarkdown(strategy.lesson), strategy.opensAt), strategy.opensAt) << strategy.id;
  }
}

TEST(Session, TheMachineFollowsNUntilOneIsChosen) {
  Session session;
  session.select(makeSelection("baseline", 8));
  EXPECT_EQ(session.selection().machine->name, "tiny");
  session.chooseElements(64);
  EXPECT_EQ(session.selection().machine->name, "nvidia");
  session.chooseMachine(*findMachine("tiny"));
  session.chooseElements(128);
  EXPECT_EQ(session.selection().machine->name, "tiny");
  ASSERT_TRUE(waitForTrace(session));
  EXPECT_EQ(session.shown().n, 128U);
}

TEST(Session, TheNewestRequestWins) {
  Session session;
  for (int i = 0; i < 20; ++i) {
    for (const Strategy& strategy : strategies()) session.select({&strategy, 1024, findMachine("nvidia")});
  }
  ASSERT_TRUE(waitForTrace(session));
  EXPECT_EQ(session.shown().strategy, &strategies().back());
  EXPECT_EQ(session.player().generation(), 1U);
}

TEST(Session, ALaunchThatCannotBeLosesNothing) {
  ShownSession session("baseline", 8);
  const Selection before = session.selection();
  session.select({findStrategy("baseline"), 12, findMachine("tiny")});
  EXPECT_FALSE(session.error().empty());
  EXPECT_EQ(session.selection(), before);
  EXPECT_NE(session.player().replay(), nullptr);
  session.chooseElements(16);
  EXPECT_TRUE(session.error().empty());
}

TEST(Session, PlayingGoesToTheEndAndStops) {
  ShownSession session("baseline", 8);
  Player& player = session.player();
  player.toStart();
  player.setGrain(Grain::Phase);
  EXPECT_FALSE(player.secondsToNextStep());
  player.togglePlay();
  ASSERT_TRUE(player.secondsToNextStep());
  const double interval = *player.secondsToNextStep();
  EXPECT_FALSE(player.advance(interval / 2));
  EXPECT_TRUE(player.advance(interval / 2 + 1e-9));
  EXPECT_EQ(player.replay()->currentPhase(), 0U);
  for (int i = 0; i < 100 && player.playing(); ++i) player.advance(interval);
  EXPECT_FALSE(player.playing());
  EXPECT_TRUE(player.replay()->atEnd());
}

TEST(Session, SpeedStaysInItsList) {
  Session session;
  Player& player = session.player();
  for (int i = 0; i < 20; ++i) player.changeSpeed(1);
  EXPECT_EQ(player.speed(), kSpeeds.back());
  for (int i = 0; i < 20; ++i) player.changeSpeed(-1);
  EXPECT_EQ(player.speed(), kSpeeds.front());
}

TEST(Session, AMoveIsShownForwardAndEnds) {
  ShownSession session("baseline", 8);
  Player& player = session.player();
  player.toStart();
  EXPECT_FALSE(player.motion().moving());
  player.motion().setSeconds(1);
  ASSERT_TRUE(player.forward());
  EXPECT_TRUE(player.motion().moving());
  EXPECT_EQ(player.motion().from(), 0U);
  EXPECT_EQ(player.motion().progress(), 0.0F);
  player.advance(0.5);
  EXPECT_NEAR(player.motion().progress(), 0.5, 1e-6);
  player.advance(0.6);
  EXPECT_FALSE(player.motion().moving());
  EXPECT_EQ(player.motion().progress(), 1.0F);
  ASSERT_TRUE(player.forward());
  player.motion().setSeconds(0);
  ASSERT_TRUE(player.forward());
  EXPECT_FALSE(player.motion().moving());
}

TEST(Session, AStepBackShowsTheMoveBackwards) {
  ShownSession session("baseline", 8);
  Player& player = session.player();
  player.motion().setSeconds(1);
  for (const Grain grain : {Grain::Phase, Grain::Instruction, Grain::Wavefront}) {
    const Cursor before = player.replay()->cursor();
    ASSERT_TRUE(player.step(grain, false));
    const Cursor after = player.replay()->cursor();
    EXPECT_NE(before, after);
    EXPECT_TRUE(player.motion().isBack());
    EXPECT_EQ(player.pictured()->cursor(), before) << "the pictures start where the step began";
    EXPECT_LE(player.motion().from(), after.steps);
    EXPECT_EQ(player.motion().progress(), 1.0F);
    player.advance(0.5);
    EXPECT_NEAR(player.motion().progress(), 0.5, 1e-6);
    player.advance(0.4);
    EXPECT_LT(player.motion().progress(), 0.1F);
    player.advance(0.2);
    EXPECT_EQ(player.pictured(), player.replay()) << "and end where it went";
    ASSERT_TRUE(player.step(grain, true));
    EXPECT_FALSE(player.motion().isBack());
    EXPECT_EQ(player.pictured(), player.replay());
  }
  ASSERT_TRUE(player.back());
  ASSERT_TRUE(player.back());
  player.seek(0);
  EXPECT_EQ(player.pictured(), player.replay()) << "a jump is instant";
  ASSERT_TRUE(player.forward());
  player.motion().setSeconds(0);
  ASSERT_TRUE(player.back());
  EXPECT_EQ(player.pictured(), player.replay()) << "nothing moves where moves are off";
  EXPECT_FALSE(player.motion().moving());
}

TEST(Session, TheRacesAreThoseOfTheRun) {
  Session session;
  Player& player = session.player();
  EXPECT_EQ(player.races(), nullptr);
  session.select(makeSelection("unroll-last-warp-racy", 64));
  ASSERT_TRUE(waitForTrace(session));
  const Trace& trace = player.replay()->trace();
  ASSERT_NE(session.shownRun(), nullptr);
  EXPECT_EQ(session.shownRun()->run->trace.get(), &trace);
  ASSERT_NE(player.races(), nullptr);
  ASSERT_FALSE(player.races()->races().empty());
  for (const Hazard& hazard : session.shownRun()->run->hazards->hazards) {
    ASSERT_TRUE(hazard.access.step && hazard.earlier && hazard.earlier->step);
    EXPECT_NE(player.races()->at(*hazard.access.step), nullptr);
    EXPECT_NE(player.races()->at(*hazard.earlier->step), nullptr);
  }
}

TEST(Session, WhilePlayingAMoveEndsBeforeTheNext) {
  ShownSession session("baseline", 8);
  Player& player = session.player();
  player.toStart();
  player.motion().setSeconds(kMotionSeconds.back());
  player.togglePlay();
  ASSERT_TRUE(player.advance(*player.secondsToNextStep() + 1e-9));
  EXPECT_TRUE(player.motion().moving());
  player.advance(*player.secondsToNextStep() * 0.9);
  EXPECT_FALSE(player.motion().moving());
}

TEST(Motion, GoesThroughItsList) {
  Motion motion;
  for (std::size_t i = 0; i < kMotionSeconds.size(); ++i) {
    const double before = motion.seconds();
    motion.changeSeconds();
    EXPECT_NE(motion.seconds(), before);
  }
  EXPECT_EQ(motion.seconds(), Motion().seconds());
}

TEST(Session, ALongCheckHoldsNoCallerUp) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) { return Clock::now() - begin; };
  std::string text = "enum Names { n0";
  for (int i = 1; i < 40000; ++i) text += ", n" + std::to_string(i);
  text += " };\n__global__ void k(float* out) { out[threadIdx.x] = n1; }\n";
  KernelCache cache;
  const Clock::time_point parsed = Clock::now();
  ASSERT_EQ(cache.findKernels(std::make_shared<const SourceText>("long.cu", text)).size(), 1U);
  const auto whole = since(parsed);

  const auto host = std::make_shared<testing::MemoryHost>();
  Session session(std::make_shared<ThreadExecutor>(), {}, host);
  const auto settleThreads = [&] {
    for (int i = 0; i < 4000 && (session.busy() || i < 10); ++i) {
      session.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return !session.busy();
  };
  session.openFile(host->put("long.cu", "__global__ void k(float* out) { out[threadIdx.x] = 1; }\n"));
  ASSERT_TRUE(settleThreads());
  session.editor().current()->buffer.replaceAll(text);
  session.poll();
  const Clock::time_point asked = Clock::now();
  session.run();
  session.poll();
  EXPECT_LT(since(asked), whole / 2);
  EXPECT_TRUE(session.busy());
  ASSERT_TRUE(settleThreads());
  EXPECT_EQ(session.error(), "");
  ASSERT_NE(session.shownRun(), nullptr);
  EXPECT_EQ(session.shownRun()->text().text(), text) << "it ran once it was checked";
}

}  // namespace
}  // namespace lanescope
