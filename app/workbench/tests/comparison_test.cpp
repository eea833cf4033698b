// Two strategies stepped together: which phases go together, where the right one is, its background run.
#include "app/workbench/comparison.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/launch/launch_form.h"
#include "app/launch/strategy_launch.h"
#include "app/workbench/session.h"
#include "sim/tests/golden_text.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

std::shared_ptr<const Trace> makeTrace(std::string_view strategy, std::uint64_t n) {
  const Result<Launch> launch = makeLaunch(*findStrategy(strategy), n, 1, defaultMachine(n));
  if (!launch) return nullptr;
  Result<Trace> trace = recordTrace(*launch);
  return trace ? std::make_shared<const Trace>(std::move(*trace)) : nullptr;
}

/// `load=load`, one a pair.
std::vector<std::string> pairedLabels(std::string_view left, std::string_view right, std::uint64_t n) {
  const auto ours = makeTrace(left, n);
  const auto theirs = makeTrace(right, n);
  std::vector<std::string> labels;
  for (const IndexPair& pair : pairPhases(*ours, *theirs))
    labels.push_back(ours->phases[pair.left].label + "=" + theirs->phases[pair.right].label);
  return labels;
}

bool settleBoth(Session& session) {
  do {
    session.poll();
    if (session.player().replay() != nullptr && !session.simulating()) {
      session.comparison().syncTo(session.shown(), *session.player().replay(), session.player().generation());
      if (!session.comparison().simulating()) break;
    }
  } while (session.executor()->step());
  if (session.player().replay() == nullptr || session.simulating() || session.comparison().simulating())
    return false;
  session.comparison().syncTo(session.shown(), *session.player().replay(), session.player().generation());
  return true;
}

void syncTo(Session& session) {
  session.comparison().syncTo(session.shown(), *session.player().replay(), session.player().generation());
}

TEST(PairInOrder, TakesTheMostThatOrderAllows) {
  const auto pairs = [](const std::string& left, const std::string& right) {
    return pairInOrder(static_cast<std::uint32_t>(left.size()), static_cast<std::uint32_t>(right.size()),
                       [&](std::uint32_t i, std::uint32_t j) { return left[i] == right[j] ? 1 : 0; });
  };
  EXPECT_EQ(pairs("abc", "abc"), (std::vector<IndexPair>{{0, 0}, {1, 1}, {2, 2}}));
  EXPECT_EQ(pairs("abcd", "xbd"), (std::vector<IndexPair>{{1, 1}, {3, 2}}));
  EXPECT_EQ(pairs("aaa", "a"), (std::vector<IndexPair>{{0, 0}}));
  EXPECT_TRUE(pairs("abc", "xyz").empty());
  EXPECT_TRUE(pairs("", "abc").empty());
}

TEST(PairPhases, SameLabelsGoTogether) {
  EXPECT_EQ(pairedLabels("baseline", "no-divergence", 8),
            (std::vector<std::string>{"load=load", "step size 1=step size 1", "step size 2=step size 2",
                                      "step size 4=step size 4", "store=store"}));
  // One adds while it loads: the round that it saves has no partner.
  EXPECT_EQ(pairedLabels("no-bank-conflict", "add-during-load", 8),
            (std::vector<std::string>{"load=add during load", "step size 2=step size 2",
                                      "step size 1=step size 1", "store=store"}));
}

TEST(PairPhases, RoundsInTheOtherOrderGoTogetherInTurn) {
  EXPECT_EQ(pairedLabels("no-divergence", "no-bank-conflict", 8),
            (std::vector<std::string>{"load=load", "step size 1=step size 4", "step size 2=step size 2",
                                      "step size 4=step size 1", "store=store"}));
}

TEST(Alignment, EveryPairOfStrategiesStartsAndEndsTogetherAndNeverGoesBack) {
  for (const std::uint64_t n : {8U, 64U}) {
    std::vector<std::shared_ptr<const Trace>> traces;
    for (const Strategy& strategy : strategies()) {
      if (auto trace = makeTrace(strategy.id, n)) traces.push_back(std::move(trace));
    }
    ASSERT_GT(traces.size(), 30U);
    for (const auto& left : traces) {
      for (const auto& right : traces) {
        const Alignment alignment(*left, *right);
        const auto end = static_cast<std::uint32_t>(left->steps.size());
        ASSERT_EQ(alignment.toRightSteps(0), 0U);
        ASSERT_EQ(alignment.toRightSteps(end), right->steps.size());
        for (std::uint32_t step = 1; step <= end; ++step)
          ASSERT_GE(alignment.toRightSteps(step), alignment.toRightSteps(step - 1));
        for (std::uint32_t phase = 0; phase < left->phases.size(); ++phase) {
          const std::int32_t partner = alignment.findPartner(phase);
          const std::uint32_t after = alignment.toRightSteps(left->phases[phase].endStep);
          if (partner >= 0) {
            ASSERT_GE(after, right->phases[static_cast<std::size_t>(partner)].endStep);
          } else if (phase > 0) {
            ASSERT_EQ(after, alignment.toRightSteps(left->phases[phase - 1].endStep));
          }
        }
      }
    }
  }
}

TEST(Alignment, AStrategyIsWhereItIsItself) {
  const auto trace = makeTrace("no-divergence", 64);
  const Alignment alignment(*trace, *trace);
  Replay left(trace);
  while (left.forward(Grain::Wavefront)) {
    ASSERT_EQ(alignment.syncTo(left, *trace), left.cursor());
    ASSERT_EQ(alignment.toLeftSteps(left.cursor().steps), left.cursor().steps);
  }
}

TEST(Alignment, AccessesOfTheSameKindAreShownTogether) {
  const auto ours = makeTrace("no-divergence", 64);
  const auto theirs = makeTrace("no-bank-conflict", 64);
  const Alignment alignment(*ours, *theirs);
  Replay left(ours);
  std::size_t conflicted = 0;
  while (left.forward(Grain::Instruction)) {
    const Step step = *left.currentStep();
    if (step.wavefronts <= step.idealWavefronts) continue;
    ++conflicted;
    const Step other = theirs->steps[alignment.toRightSteps(left.cursor().steps) - 1];
    EXPECT_EQ(other.kind, step.kind);
    EXPECT_EQ(other.warp, step.warp);
    EXPECT_LE(other.wavefronts, other.idealWavefronts);
    // The first pass of the left's is the only one of the right's.
    left.seek(Cursor{left.cursor().steps, 1});
    EXPECT_EQ(alignment.syncTo(left, *theirs).wavefront, 1U);
    left.seek(left.cursor().steps);
  }
  EXPECT_GT(conflicted, 5U);
}

TEST(Comparison, TheNeighbourComesFirstAndStepsAlong) {
  Session session;
  Player& player = session.player();
  session.select({findStrategy("baseline"), 64, findMachine("nvidia")});
  ASSERT_TRUE(settleBoth(session));
  const Comparison& comparison = session.comparison();
  EXPECT_EQ(comparison.strategy(), &neighbourInCourse(findStrategy("baseline")));
  EXPECT_EQ(comparison.strategy()->id, "no-divergence");
  ASSERT_NE(comparison.replay(), nullptr);
  EXPECT_EQ(comparison.sentence(), "");
  player.toStart();
  syncTo(session);
  EXPECT_TRUE(comparison.replay()->atStart());
  while (player.step(Grain::Phase, true)) {
    syncTo(session);
    const Trace& ours = player.replay()->trace();
    const Trace& theirs = comparison.replay()->trace();
    EXPECT_EQ(ours.phases[player.replay()->currentPhase()].label,
              theirs.phases[comparison.replay()->currentPhase()].label);
    if (player.phaseMoment() != PhaseMoment::End) continue;
    EXPECT_EQ(comparison.replay()->cursor().steps,
              theirs.phases[comparison.replay()->currentPhase()].endStep);
  }
  EXPECT_TRUE(comparison.replay()->atEnd());
  while (player.step(Grain::Phase, false)) syncTo(session);
  EXPECT_TRUE(comparison.replay()->atStart());
}

TEST(Comparison, AChoiceStaysAndTheNeighbourComesBack) {
  Session session;
  session.select({findStrategy("baseline"), 64, findMachine("nvidia")});
  session.comparison().choose(findStrategy("shuffle"));
  ASSERT_TRUE(settleBoth(session));
  EXPECT_EQ(session.comparison().replay()->trace().kernelName, "shuffle");
  session.chooseStrategy(*findStrategy("no-divergence"));
  ASSERT_TRUE(settleBoth(session));
  EXPECT_EQ(session.comparison().strategy()->id, "shuffle");
  session.comparison().choose(nullptr);
  ASSERT_TRUE(settleBoth(session));
  EXPECT_EQ(session.comparison().strategy()->id, "no-bank-conflict");
  EXPECT_EQ(&neighbourInCourse(&strategies().back()), &strategies()[strategies().size() - 2]);
}

TEST(Comparison, WhatCannotBeLaunchedSaysWhyAndComesBack) {
  Session session;
  session.select({findStrategy("one-atomic"), 12, findMachine("nvidia")});
  session.comparison().choose(findStrategy("vector-add"));
  ASSERT_TRUE(settleBoth(session));
  EXPECT_NE(session.comparison().replay(), nullptr);
  session.comparison().choose(findStrategy("baseline"));
  ASSERT_TRUE(settleBoth(session));
  EXPECT_EQ(session.comparison().replay(), nullptr);
  EXPECT_SAYS(session.comparison().sentence());
  session.chooseElements(64);
  ASSERT_TRUE(settleBoth(session));
  EXPECT_NE(session.comparison().replay(), nullptr);
  EXPECT_EQ(session.comparison().sentence(), "");
}

TEST(Comparison, BlocksAreSharedWhereTheyCanBe) {
  Session session;
  session.select({findStrategy("baseline"), 64, findMachine("nvidia"), 4, 3});
  session.comparison().choose(findStrategy("no-divergence"));
  ASSERT_TRUE(settleBoth(session));
  EXPECT_EQ(session.comparison().replay()->trace().launch.grid.count(), 4U);
  EXPECT_EQ(session.comparison().replay()->trace().tracedBlock.x, 3U);
  session.comparison().choose(findStrategy("transpose-by-row"));
  ASSERT_TRUE(settleBoth(session));
  ASSERT_NE(session.comparison().replay(), nullptr);
  EXPECT_NE(session.comparison().sentence(), "");
}

TEST(Comparison, TakesTheTypeOfElementOfTheLeft) {
  Session session;
  session.select({findStrategy("no-divergence"), 64, findMachine("nvidia")});
  session.comparison().choose(findStrategy("shuffle"));
  ASSERT_TRUE(settleBoth(session));
  const auto typeOnTheRight = [&] {
    return session.comparison().replay()->trace().launch.arguments.front().type;
  };
  EXPECT_EQ(typeOnTheRight(), ArgumentType::F32);
  session.chooseElementType(ElementType::Double);
  ASSERT_TRUE(settleBoth(session));
  EXPECT_EQ(typeOnTheRight(), ArgumentType::F64);
  EXPECT_EQ(session.comparison().sentence(), "");
  session.comparison().choose(findStrategy("float4-loads"));
  session.chooseElements(1024);
  ASSERT_TRUE(settleBoth(session));
  ASSERT_NE(session.comparison().replay(), nullptr);
  EXPECT_SAYS(session.comparison().sentence());
}

TEST(Comparison, TakesTheOperatorOfTheLeftWhereItHasIt) {
  Session session;
  session.select({findStrategy("warp-block-grid"), 64, findMachine("nvidia")});
  session.comparison().choose(findStrategy("warp-block-grid"));
  ASSERT_TRUE(settleBoth(session));
  Document& document = *session.editor().current();
  document.form = session.editor().currentForm();
  document.form->templateArguments = "Maximum";
  session.run();
  ASSERT_TRUE(settleBoth(session));
  EXPECT_EQ(session.player().replay()->trace().launch.kernel, "warp_block_grid<Maximum>");
  EXPECT_EQ(session.comparison().replay()->trace().launch.kernel, "warp_block_grid<Maximum>");
  EXPECT_EQ(session.comparison().sentence(), "");
  session.comparison().choose(findStrategy("shuffle"));
  ASSERT_TRUE(settleBoth(session));
  EXPECT_SAYS(session.comparison().sentence());
  const auto fillOnTheRight = [&] {
    return session.comparison().replay()->trace().launch.arguments.front().fill;
  };
  document.form = withOperator(*document.form, *findStrategy("warp-block-grid"), "Product");
  session.run();
  ASSERT_TRUE(settleBoth(session));
  EXPECT_EQ(session.player().replay()->trace().launch.arguments.front().fill, Fill::Factors);
  EXPECT_EQ(fillOnTheRight(), Fill::Hash);
  EXPECT_SAYS(session.comparison().sentence());
  session.comparison().choose(findStrategy("warp-block-grid"));
  ASSERT_TRUE(settleBoth(session));
  EXPECT_EQ(fillOnTheRight(), Fill::Factors);
  EXPECT_EQ(session.comparison().sentence(), "");
}

TEST(ElementKind, IsThatOfTheLaunch) {
  const Strategy& strategy = *findStrategy("warp-block-grid");
  for (const ElementType type : {ElementType::Float, ElementType::Double, ElementType::Int}) {
    for (const std::string& op : strategy.operators) {
      const auto launch = makeLaunch(strategy, 64, 2, *findMachine("nvidia"), type, op);
      ASSERT_TRUE(launch) << op;
      const ElementKind kind = elementKind(*launch, &strategy);
      EXPECT_EQ(kind.type, type);
      EXPECT_EQ(kind.op, op == "Sum" ? "" : op);
      EXPECT_EQ(elementKind(*launch, nullptr).op, "");
    }
  }
  EXPECT_EQ(
      elementKind(*makeLaunch(*findStrategy("last-block-done"), 64, 1, *findMachine("nvidia")), nullptr).type,
      ElementType::Float)
      << "a counter is no element";
}

TEST(ElementKind, AnOperatorIsMeantByItsName) {
  const Strategy& strategy = *findStrategy("warp-block-grid");
  EXPECT_EQ(*findOperator(strategy, "Maximum"), "Maximum");
  EXPECT_EQ(*findOperator(strategy, "min"), "Minimum");
  EXPECT_EQ(*findOperator(strategy, "PROD"), "Product");
  EXPECT_SAYS(findOperator(strategy, "m").error().sentence());
  EXPECT_SAYS(findOperator(strategy, "mean").error().sentence());
  EXPECT_SAYS(findOperator(strategy, "maximum!").error().sentence());
  EXPECT_SAYS(findOperator(*findStrategy("shuffle"), "sum").error().sentence());
}

}  // namespace
}  // namespace lanescope
