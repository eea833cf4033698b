// What the quiz asks, counts and keeps, walked through real runs.
#include "app/course/quiz.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "app/launch/strategy_launch.h"
#include "app/workbench/tests/memory_host.h"
#include "app/workbench/tests/runs.h"

namespace lanescope {
namespace {

struct Subject {
  Subject(std::string_view id, std::uint64_t n, std::string_view machine = "nvidia") {
    const Launch launch = makeLaunch(*findStrategy(id), n, 1, *findMachine(machine)).value();
    const auto run = tracedRun(launch);
    replay.emplace(run.trace);
    races = std::make_shared<RacePlaces>(*run.hazards);
    name = {std::string(id), n, std::string(machine), 1, 0, 0};
  }
  void syncTo(Quiz& quiz, Grain grain = Grain::Instruction) const {
    quiz.syncTo(*replay, 1, grain, name, races);
  }
  /// Steps until something is asked; false at the end.
  bool findQuestion(Quiz& quiz, Grain grain = Grain::Instruction) {
    syncTo(quiz, grain);
    while (quiz.state() != QuizState::Asked) {
      if (!replay->forward(grain)) return false;
      syncTo(quiz, grain);
    }
    return true;
  }
  std::optional<Replay> replay;
  std::shared_ptr<const RacePlaces> races;
  QuizRun name;
};

/// An answer in the form that is asked for, right or wrong.
std::string answerTo(const Question& question, bool right) {
  const RightAnswer& answer = question.right;
  switch (question.form) {
    case AnswerForm::Lanes: {
      std::vector<std::uint32_t> lanes = answer.lanes;
      if (!right && !lanes.empty())
        lanes.pop_back();
      else if (!right)
        lanes.push_back(0);
      return numbersText(lanes);
    }
    case AnswerForm::Number: return std::to_string(answer.number + (right ? 0 : 1));
    case AnswerForm::Value:
      return right && !answer.symbols.empty() && takesSymbols(question)
                 ? answer.symbols
                 : std::to_string(answer.value + (right ? 0 : 1));
    case AnswerForm::YesNo: break;
  }
  return answer.yes == right ? "yes" : "no";
}

TEST(Quiz, AsksTheSameAlongTheSameWay) {
  for (const Grain grain : {Grain::Instruction, Grain::Phase}) {
    std::vector<std::string> texts[2];
    for (std::vector<std::string>& asked : texts) {
      Subject run("no-divergence", 64);
      Quiz quiz;
      while (run.findQuestion(quiz, grain)) {
        asked.push_back(quiz.question()->text + quiz.question()->right.text);
        ASSERT_FALSE(quiz.answer(answerTo(*quiz.question(), true)));
        run.replay->forward(grain);
      }
    }
    EXPECT_FALSE(texts[0].empty());
    EXPECT_EQ(texts[0], texts[1]);
  }
}

TEST(Quiz, VariesItsKindsAndAsksNothingTwice) {
  for (const char* id : {"baseline", "no-divergence", "no-bank-conflict", "shuffle", "julia-set"}) {
    Subject run(id, 64);
    Quiz quiz;
    std::set<std::string> signatures;
    while (run.findQuestion(quiz)) {
      EXPECT_TRUE(signatures.insert(quiz.question()->signature).second) << quiz.question()->text;
      EXPECT_NE(quiz.question()->text, "");
      EXPECT_NE(quiz.question()->explanation, "");
      ASSERT_FALSE(quiz.answer(answerTo(*quiz.question(), true)));
      run.replay->forward(Grain::Instruction);
    }
    std::set<QuestionKind> kinds;
    for (const QuizRecord& record : quiz.records()) kinds.insert(record.question.kind);
    EXPECT_GE(kinds.size(), std::string_view(id) == "julia-set" ? 3U : 4U) << id;
    EXPECT_LT(quiz.records().size(), 45U) << id;
    EXPECT_EQ(quiz.score().right, quiz.records().size());
  }
}

// Values and lanes before divergence, that before memory, races last.
TEST(Quiz, TheEasyKindsComeFirst) {
  const auto findLevel = [](QuestionKind kind) {
    if (kind == QuestionKind::Race) return 3;
    if (kind == QuestionKind::Wavefronts || kind == QuestionKind::Sectors) return 2;
    return kind == QuestionKind::Divergence ? 1 : 0;
  };
  for (const char* id : {"baseline", "no-divergence", "unroll-last-warp-racy", "transpose-shared"}) {
    for (const Grain grain : {Grain::Instruction, Grain::Phase}) {
      Subject run(id, 64);
      Quiz quiz;
      std::array<bool, 4> seen{};
      while (run.findQuestion(quiz, grain)) {
        const auto level = static_cast<std::size_t>(findLevel(quiz.question()->kind));
        if (!seen[level]) {
          for (std::size_t harder = level + 1; harder < 4; ++harder)
            EXPECT_FALSE(seen[harder]) << id << ": " << quiz.question()->text;
        }
        seen[level] = true;
        ASSERT_FALSE(quiz.answer(answerTo(*quiz.question(), true)));
        run.replay->forward(grain);
      }
      EXPECT_TRUE(seen[0]) << id;
      EXPECT_TRUE(seen[2]) << id;
    }
  }
}

TEST(Quiz, DoesNotWaitForKindsThatTheRunLacks) {
  Subject run("vector-add", 64);  // no lanes of a warp part, nothing is shared
  Quiz quiz;
  while (run.findQuestion(quiz)) {
    ASSERT_FALSE(quiz.answer(answerTo(*quiz.question(), true)));
    run.replay->forward(Grain::Instruction);
  }
  EXPECT_GT(quiz.score(QuestionKind::Sectors).answered(), 0U);
}

TEST(Quiz, ExplainsWhatAJumpLeftOutOnceItIsLookedAt) {
  for (const Grain grain : {Grain::Instruction, Grain::Phase}) {
    Subject run("no-divergence", 64);
    Quiz quiz;
    run.syncTo(quiz, grain);
    run.replay->seek(static_cast<std::uint32_t>(run.replay->trace().steps.size()));
    run.syncTo(quiz, grain);
    ASSERT_EQ(quiz.state(), QuizState::End);
    const std::vector<QuizRecord> skipped = quiz.records();
    ASSERT_GT(skipped.size(), 2U);
    const RacePlaces& races = *run.races;
    std::size_t unexplained = 0;
    for (std::size_t index = 0; index < skipped.size(); ++index) {
      const Question& question = skipped[index].question;
      EXPECT_EQ(question.text, questionText(run.replay->trace(), question)) << "the table has it";
      EXPECT_NE(question.right.text, "");
      unexplained += question.explanation.empty() ? 1 : 0;
      run.replay->seek(question.firstStep);
      run.syncTo(quiz, grain);
      ASSERT_EQ(quiz.state(), QuizState::Answered) << question.text;
      EXPECT_EQ(quiz.outcome()->outcome, QuizOutcome::Skipped);
      EXPECT_EQ(quiz.question()->explanation, explainQuestion(run.replay->trace(), races, question));
      EXPECT_NE(quiz.question()->explanation, "");
    }
    // The one that was open at the start had been explained to be shown.
    EXPECT_GE(unexplained + 1, skipped.size());
  }
}

TEST(Quiz, CountsWhatIsRightAndWrongByKind) {
  Subject run("baseline", 8, "tiny");
  Quiz quiz;
  std::uint32_t number = 0;
  while (run.findQuestion(quiz)) {
    const bool right = ++number % 3 != 0;
    ASSERT_FALSE(quiz.answer(answerTo(*quiz.question(), right)));
    ASSERT_NE(quiz.outcome(), nullptr);
    EXPECT_EQ(quiz.outcome()->outcome, right ? QuizOutcome::Right : QuizOutcome::Wrong)
        << quiz.question()->text << " " << quiz.outcome()->answer;
    EXPECT_TRUE(quiz.answer("yes").has_value());  // it is answered
    run.replay->forward(Grain::Instruction);
  }
  EXPECT_EQ(quiz.score().wrong, number / 3);
  EXPECT_EQ(quiz.score().right, number - number / 3);
  std::uint32_t sum = 0;
  for (std::size_t kind = 0; kind < kQuestionKinds; ++kind)
    sum += quiz.score(static_cast<QuestionKind>(kind)).answered();
  EXPECT_EQ(sum, number);
}

TEST(Quiz, AnAnswerThatCannotBeReadIsNotCounted) {
  Subject run("baseline", 64);
  Quiz quiz;
  ASSERT_TRUE(run.findQuestion(quiz));
  const auto problem = quiz.answer("?!");
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->sentence().find('\n'), std::string::npos);
  EXPECT_TRUE(quiz.records().empty());
  EXPECT_EQ(quiz.state(), QuizState::Asked);
}

TEST(Quiz, SteppingBackNeitherAsksNorCountsAgain) {
  Subject run("no-divergence", 64);
  Quiz quiz;
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(run.findQuestion(quiz));
    ASSERT_FALSE(quiz.answer(answerTo(*quiz.question(), i != 2)));
    run.replay->forward(Grain::Instruction);
  }
  run.syncTo(quiz);
  const std::size_t records = quiz.records().size();
  const std::uint32_t here = run.replay->cursor().steps;
  std::size_t answered = 0;
  while (run.replay->back(Grain::Instruction)) {
    run.syncTo(quiz);
    EXPECT_NE(quiz.state(), QuizState::Asked);
    answered += quiz.state() == QuizState::Answered ? 1 : 0;
  }
  EXPECT_EQ(answered, 6U);
  EXPECT_GE(quiz.records().size(), records);  // the open one may stay open
  while (run.replay->cursor().steps < here) {
    run.replay->forward(Grain::Instruction);
    run.syncTo(quiz);
  }
  EXPECT_EQ(quiz.records().size(), records);
}

TEST(Quiz, WhatTheCursorPassesIsSkipped) {
  Subject run("baseline", 64);
  Quiz stepping;
  while (run.findQuestion(stepping)) run.replay->forward(Grain::Instruction);
  run.replay->seek(std::uint32_t{0});
  Quiz jumping;
  run.syncTo(jumping);
  run.replay->seek(static_cast<std::uint32_t>(run.replay->trace().steps.size()));
  run.syncTo(jumping);
  EXPECT_EQ(jumping.state(), QuizState::End);
  EXPECT_GT(jumping.passedOver(), 5U);
  EXPECT_EQ(jumping.passedOver(), jumping.records().size());
  EXPECT_EQ(jumping.score().skipped, jumping.records().size());
  // Step by step or at one go: the same questions were left out.
  ASSERT_EQ(stepping.records().size(), jumping.records().size());
  for (std::size_t i = 0; i < stepping.records().size(); ++i)
    EXPECT_EQ(stepping.records()[i].question.text, jumping.records()[i].question.text);
  run.replay->seek(std::uint32_t{0});
  run.syncTo(jumping);
  EXPECT_NE(jumping.state(), QuizState::Asked);
}

TEST(Quiz, WhatIsSeenWhileItPausesIsNotCounted) {
  Subject run("baseline", 64);
  Quiz quiz;
  run.syncTo(quiz);
  quiz.pause();
  run.replay->seek(60U);
  run.syncTo(quiz);
  EXPECT_LE(quiz.records().size(), 1U);  // the one that was open
  run.replay->seek(30U);
  run.syncTo(quiz);
  EXPECT_TRUE(quiz.state() == QuizState::Seen) << static_cast<int>(quiz.state());
}

TEST(Quiz, ShowingTheAnswerIsASkip) {
  Subject run("baseline", 64);
  Quiz quiz;
  ASSERT_TRUE(run.findQuestion(quiz));
  quiz.giveUp();
  ASSERT_NE(quiz.outcome(), nullptr);
  EXPECT_EQ(quiz.outcome()->outcome, QuizOutcome::Skipped);
  EXPECT_EQ(quiz.score(), (QuizScore{0, 0, 1}));
  quiz.giveUp();
  EXPECT_EQ(quiz.score().skipped, 1U);
}

TEST(Quiz, AtPhaseGrainItAsksAtThePhasesStart) {
  Subject run("no-divergence", 64);
  Quiz quiz;
  const Trace& trace = run.replay->trace();
  run.replay->seek(trace.phases[2].firstStep + 2);
  run.syncTo(quiz, Grain::Phase);
  EXPECT_EQ(quiz.state(), QuizState::InPhase);
  EXPECT_EQ(quiz.question(), nullptr);
  run.replay->seek(trace.phases[3].firstStep);
  run.syncTo(quiz, Grain::Phase);
  ASSERT_EQ(quiz.state(), QuizState::Asked);
  EXPECT_TRUE(quiz.question()->ofPhase);
  EXPECT_EQ(quiz.question()->endStep, trace.phases[3].endStep);
}

TEST(Quiz, BetweenTheWavefrontsOfAnAccessNothingIsAsked) {
  Subject run("no-divergence", 64);
  Quiz quiz;
  const Trace& trace = run.replay->trace();
  const auto conflict = std::ranges::find_if(trace.steps, [](const Step& s) { return s.wavefronts > 1; });
  ASSERT_NE(conflict, trace.steps.end());
  run.replay->seek(Cursor{static_cast<std::uint32_t>(conflict - trace.steps.begin()) + 1, 1});
  run.syncTo(quiz, Grain::Wavefront);
  EXPECT_EQ(quiz.state(), QuizState::InAccess);
}

TEST(Quiz, ANewRoundForgetsAndAsksOtherThings) {
  Subject run("no-divergence", 64);
  Quiz quiz;
  std::vector<std::string> first;
  while (run.findQuestion(quiz)) {
    first.push_back(quiz.question()->text);
    quiz.giveUp();
    run.replay->forward(Grain::Instruction);
  }
  quiz.newRound();
  EXPECT_TRUE(quiz.records().empty());
  EXPECT_EQ(quiz.state(), QuizState::NoRun);
  run.replay->seek(std::uint32_t{0});
  std::vector<std::string> second;
  while (run.findQuestion(quiz)) {
    second.push_back(quiz.question()->text);
    quiz.giveUp();
    run.replay->forward(Grain::Instruction);
  }
  EXPECT_FALSE(second.empty());
  EXPECT_NE(first, second);
}

TEST(Quiz, ResultsOfSeveralRunsAddUpAndARunComesBackAsItWas) {
  Subject baseline("baseline", 64);
  Subject shuffle("shuffle", 64);
  Quiz quiz;
  ASSERT_TRUE(baseline.findQuestion(quiz));
  ASSERT_FALSE(quiz.answer(answerTo(*quiz.question(), true)));
  quiz.syncTo(*shuffle.replay, 2, Grain::Instruction, shuffle.name, shuffle.races);
  while (quiz.state() != QuizState::Asked && shuffle.replay->forward(Grain::Instruction))
    quiz.syncTo(*shuffle.replay, 2, Grain::Instruction, shuffle.name, shuffle.races);
  ASSERT_FALSE(quiz.answer(answerTo(*quiz.question(), true)));
  EXPECT_EQ(quiz.score().right, 2U);
  EXPECT_EQ(quiz.records()[1].run.strategy, "shuffle");
  quiz.syncTo(*baseline.replay, 3, Grain::Instruction, baseline.name, baseline.races);
  EXPECT_EQ(quiz.state(), QuizState::Answered);
  EXPECT_EQ(quiz.records().size(), 2U);
}

QuizRecord makeRecord(std::string text, std::string answer, std::string right, QuizOutcome outcome) {
  QuizRecord record{.run = {"my, \"own\".cu", 0, "nvidia", 1, 0, 0}, .phase = "step size 4"};
  record.question.firstStep = 11;
  record.question.text = std::move(text);
  record.question.right.text = std::move(right);
  record.answer = std::move(answer);
  record.outcome = outcome;
  return record;
}

TEST(QuizCsv, QuotesCommasAndQuotesAndDropsMarkup) {
  const std::string csv = quizCsv({
      makeRecord("Does **warp 0** run `a ** b`?", "0-7, 16", "0, 2 ... 30", QuizOutcome::Wrong),
      makeRecord("Plain", "", "2", QuizOutcome::Skipped),
  });
  EXPECT_EQ(csv,
            "number,strategy,n,machine,phase,instruction,kind,question,answer given,right answer,correct\n"
            "1,\"my, \"\"own\"\".cu\",,nvidia,step size 4,12,active lanes,Does warp 0 run a ** b?,\"0-7, "
            "16\",\"0, 2 ... 30\",no\n"
            "2,\"my, \"\"own\"\".cu\",,nvidia,step size 4,12,active lanes,Plain,,2,skipped\n");
}

TEST(QuizCsv, NeverOverwritesUnasked) {
  testing::MemoryHost host;
  const std::vector<QuizRecord> one{makeRecord("Q?", "1", "2", QuizOutcome::Wrong)};
  EXPECT_FALSE(saveQuiz({}, host, "none", false).saved);
  const QuizSaving saved = saveQuiz(one, host, "results", false);
  EXPECT_TRUE(saved.saved) << saved.sentence;
  EXPECT_EQ(host.get("results.csv"), quizCsv(one));
  host.put("results.csv", "another's");
  const QuizSaving again = saveQuiz(one, host, "results.csv", false);
  EXPECT_FALSE(again.saved);
  EXPECT_TRUE(again.isPresent);
  EXPECT_EQ(host.get("results.csv"), "another's");
  EXPECT_TRUE(saveQuiz(one, host, "results.csv", true).saved);
  EXPECT_EQ(host.get("results.csv"), quizCsv(one));
  const QuizSaving nowhere = saveQuiz(one, host, "missing/results.csv", false);
  EXPECT_FALSE(nowhere.saved);
  EXPECT_FALSE(nowhere.isPresent);
  EXPECT_NE(nowhere.sentence, "");
  EXPECT_FALSE(saveQuiz(one, host, "/home/user/", true).saved);
}

}  // namespace
}  // namespace lanescope
