// The predict mode drawn without a window: every strategy, every question, and what keys and clicks do.

#include <gtest/gtest.h>

#include "app/panels/quiz_view.h"
#include "app/tests/test_window.h"

namespace lanescope {
namespace {

struct QuizBench : TestWindow {
  QuizBench(std::string_view strategy, std::uint64_t n) : TestWindow(strategy, n) {
    session.player().toStart();
    session.player().motion().setSeconds(0);  // a value in flight passes over others
    EXPECT_TRUE(window.press("F4"));
  }
  Quiz& quiz() { return window.state().prediction.quiz; }
};

class EveryPrediction : public ::testing::TestWithParam<std::tuple<std::string, std::uint64_t>> {};

TEST_P(EveryPrediction, IsDrawnAskedAndTold) {
  const auto& [strategy, n] = GetParam();
  for (const ImVec2 size : {kProjector, kDesk}) {
    QuizBench bench(strategy, n);
    Headless headless(size);
    for (const Grain grain : {Grain::Instruction, Grain::Phase}) {
      bench.session.player().setGrain(grain);
      beginRound(bench.window.state());
      std::size_t asked = 0;
      headless.settle(bench.window);
      while (bench.quiz().state() != QuizState::End && asked < 12) {
        headless.frame(bench.window);
        const std::string where = bench.quiz().question() == nullptr ? "" : bench.quiz().question()->text;
        EXPECT_EQ(problemText(), "") << where;
        if (bench.quiz().state() == QuizState::Asked) {
          expectDrawn(headless, bench, where);
          ++asked;
          bench.quiz().giveUp();
          headless.frame(bench.window);
          headless.frame(bench.window);
          EXPECT_EQ(problemText(), "") << where;
        }
        runToQuestion(bench.window.state());
        headless.frame(bench.window);
      }
      EXPECT_GT(asked, 0U);
    }
    bench.session.player().toEnd();
    headless.settle(bench.window);
    EXPECT_EQ(bench.quiz().state(), QuizState::End);
    EXPECT_EQ(problemText(), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Some, EveryPrediction,
                         ::testing::Combine(::testing::ValuesIn(someIds()),
                                            ::testing::Values(std::uint64_t{64})));
INSTANTIATE_TEST_SUITE_P(Sweep, EveryPrediction,
                         ::testing::Combine(::testing::ValuesIn(allIds()),
                                            ::testing::Values(std::uint64_t{8}, std::uint64_t{64})));

/// Continues until a question of that form is asked.
bool findForm(QuizBench& bench, Headless& headless, AnswerForm form) {
  headless.settle(bench.window);
  while (bench.quiz().state() != QuizState::End) {
    if (bench.quiz().state() == QuizState::Asked && bench.quiz().question()->form == form) return true;
    bench.quiz().giveUp();
    runToQuestion(bench.window.state());
  }
  return false;
}

/// A click beside the field: keys are the window's again.
void leaveField(QuizBench& bench, Headless& headless) {
  headless.settle(bench.window);
  headless.click(bench.window, ImVec2(640, 3));
  ASSERT_FALSE(bench.window.takesText());
}

// The next question comes by itself.
TEST(PredictMode, GoesOnByItself) {
  QuizBench bench("no-divergence", 64);
  Headless headless(kProjector, bench.window);
  ASSERT_EQ(bench.quiz().state(), QuizState::Asked);
  const QuestionKind first = bench.quiz().question()->kind;
  EXPECT_TRUE(first == QuestionKind::CellValue || first == QuestionKind::ActiveLanes) << "an easy one";
  leaveField(bench, headless);
  for (int i = 0; i < 10 && bench.quiz().state() != QuizState::End; ++i) {
    ASSERT_EQ(bench.quiz().state(), QuizState::Asked) << i;
    bench.quiz().giveUp();
    headless.press(bench.window, "Right");
  }
  EXPECT_GT(bench.quiz().records().size(), 5U);
}

TEST(PredictMode, EnterShowsChecksAndGoesOn) {
  QuizBench bench("no-divergence", 64);
  Player& player = bench.session.player();
  Headless headless(kProjector);
  ASSERT_TRUE(findForm(bench, headless, AnswerForm::Number));
  leaveField(bench, headless);
  const std::uint32_t before = player.replay()->cursor().steps;
  bench.window.state().prediction.answer = bench.quiz().question()->right.text;
  EXPECT_TRUE(headless.press(bench.window, "Enter"));
  ASSERT_EQ(bench.quiz().state(), QuizState::Answered);
  EXPECT_EQ(bench.quiz().outcome()->outcome, QuizOutcome::Right);
  EXPECT_EQ(player.replay()->cursor().steps, before);  // not yet shown
  EXPECT_TRUE(headless.press(bench.window, "Enter"));
  EXPECT_GT(player.replay()->cursor().steps, before);
  EXPECT_TRUE(bench.quiz().state() == QuizState::Asked || bench.quiz().state() == QuizState::End)
      << "it has gone on to the next question";
}

// A prediction can be typed at once.
TEST(PredictMode, TheFirstQuestionHasTheCaret) {
  QuizBench bench("no-divergence", 64);
  Headless headless(kProjector, bench.window);
  ASSERT_TRUE(findForm(bench, headless, AnswerForm::Number));
  headless.press(bench.window, "F4");
  ASSERT_NE(bench.window.state().mode, Mode::Predict);
  ASSERT_FALSE(bench.window.takesText());
  headless.press(bench.window, "F4");
  ASSERT_EQ(bench.quiz().state(), QuizState::Asked);
  ASSERT_TRUE(bench.window.takesText());
  for (const unsigned letter : {U'1', U'6'}) {
    ImGui::GetIO().AddInputCharacter(letter);
    headless.frame(bench.window);
  }
  EXPECT_EQ(bench.window.state().prediction.answer, "16");
}

TEST(PredictMode, YesAndNoAreKeys) {
  for (const char* key : {"Y", "N"}) {
    QuizBench bench("baseline", 64);
    Headless headless(kProjector);
    ASSERT_TRUE(findForm(bench, headless, AnswerForm::YesNo));
    headless.settle(bench.window);
    const bool isYes = bench.quiz().question()->right.yes;
    const std::uint32_t before = bench.session.player().replay()->cursor().steps;
    EXPECT_TRUE(bench.window.press(key));
    ASSERT_NE(bench.quiz().outcome(), nullptr);
    EXPECT_EQ(bench.quiz().outcome()->outcome == QuizOutcome::Right, isYes == (*key == 'Y'));
    EXPECT_EQ(bench.session.player().replay()->cursor().steps, before);
  }
}

// A is a letter to the field that has the caret, F6 is none.
TEST(PredictMode, ShowsTheAnswerByAKeyWhileTheFieldHasTheCaret) {
  QuizBench bench("no-divergence", 64);
  Headless headless(kProjector);
  ASSERT_TRUE(findForm(bench, headless, AnswerForm::Number));
  leaveField(bench, headless);
  EXPECT_TRUE(headless.press(bench.window, "Enter"));  // into the field
  ASSERT_TRUE(bench.window.takesText());
  EXPECT_FALSE(bench.window.press("A"));
  EXPECT_EQ(bench.quiz().state(), QuizState::Asked);
  EXPECT_TRUE(bench.window.press("F6"));
  ASSERT_EQ(bench.quiz().state(), QuizState::Answered);
  EXPECT_EQ(bench.quiz().outcome()->outcome, QuizOutcome::Skipped);
  EXPECT_FALSE(bench.window.press("F6")) << "nothing is asked";
}

TEST(PredictMode, ARunThatWasSeenToItsEndIsAskedAboutAgain) {
  QuizBench bench("baseline", 64);
  Headless headless(kProjector);
  headless.settle(bench.window);
  bench.session.player().toEnd();
  headless.settle(bench.window);
  ASSERT_EQ(bench.quiz().state(), QuizState::End);
  EXPECT_GE(headless.findMiddle(bench.window, "quiz text_", "New round").x, 0);
  bench.session.player().toStart();
  headless.settle(bench.window);
  EXPECT_EQ(problemText(), "");
  headless.press(bench.window, "Enter");
  headless.settle(bench.window);
  EXPECT_EQ(bench.quiz().state(), QuizState::Asked);
  EXPECT_TRUE(bench.quiz().records().empty()) << "skipped questions are no results to keep";
}

TEST(PredictMode, RightAndDigitsDoTheSameWithAndWithoutTheCaret) {
  for (const bool hasCaret : {false, true}) {
    QuizBench bench("no-divergence", 64);
    Headless headless(kProjector);
    ASSERT_TRUE(findForm(bench, headless, AnswerForm::Number));
    headless.settle(bench.window);
    if (!hasCaret) ImGui::ClearActiveID();
    headless.settle(bench.window);
    ASSERT_EQ(bench.window.takesText(), hasCaret);
    const Grain grain = bench.session.player().grain();
    if (!hasCaret) {
      for (const char* const digit : {"4", "0"}) headless.press(bench.window, digit);
      EXPECT_EQ(bench.window.state().prediction.answer, "40");
      EXPECT_EQ(bench.session.player().grain(), grain) << "the keys of grains wait";
      bench.window.state().prediction.answer.clear();
    }
    const std::uint32_t before = bench.session.player().replay()->cursor().steps;
    headless.press(bench.window, "Right");
    headless.settle(bench.window);
    EXPECT_GT(bench.session.player().replay()->cursor().steps, before) << hasCaret;
  }
}

TEST(PredictMode, LanesAreChosenInThePicture) {
  QuizBench bench("baseline", 64);
  Headless headless(kDesk);
  ASSERT_TRUE(findForm(bench, headless, AnswerForm::Lanes));
  const Question& question = *bench.quiz().question();
  headless.settle(bench.window);
  const ImVec2 there = hitIn(bench, headless, "warps", HitArea::Kind::Thread, question.firstThread());
  ASSERT_GE(there.x, 0);
  headless.settle(bench.window, there);
  const auto thread = static_cast<std::uint32_t>(bench.window.state().marks.hover.thread);
  headless.click(bench.window, there);
  EXPECT_EQ(bench.window.state().prediction.threads, std::vector<std::uint32_t>{thread});
  EXPECT_EQ(bench.window.state().prediction.answer, std::to_string(thread - question.firstThread()));
  EXPECT_EQ(bench.window.state().marks.thread, -1);
  headless.click(bench.window, there);
  EXPECT_EQ(bench.window.state().prediction.answer, "none");
  EXPECT_TRUE(bench.window.state().prediction.threads.empty());
  EXPECT_EQ(problemText(), "");
}

TEST(PredictMode, AWrongOrUnreadableAnswerIsDrawn) {
  for (const AnswerForm form : {AnswerForm::Lanes, AnswerForm::Number, AnswerForm::Value}) {
    QuizBench bench("no-divergence", 64);
    Headless headless(kProjector);
    ASSERT_TRUE(findForm(bench, headless, form));
    headless.settle(bench.window);
    bench.window.state().prediction.answer = "certainly not";
    headless.press(bench.window, "Enter");
    EXPECT_EQ(bench.quiz().state(), QuizState::Asked);
    EXPECT_EQ(problemText(), "");
    EXPECT_TRUE(bench.window.takesText()) << "the field keeps the keys for another answer";
    EXPECT_FALSE(bench.window.press("1"));
    headless.click(bench.window, ImVec2(640, 3));
    bench.window.state().prediction.answer = form == AnswerForm::Lanes ? "1, 3, 5 ... 29" : "12345";
    headless.press(bench.window, "Enter");
    ASSERT_EQ(bench.quiz().state(), QuizState::Answered);
    EXPECT_EQ(bench.quiz().outcome()->outcome, QuizOutcome::Wrong);
    EXPECT_EQ(problemText(), "");
  }
}

TEST(PredictMode, AFormThatHasNotRunLeavesTheQuestionOpen) {
  QuizBench bench("baseline", 64);
  Headless headless(kProjector);
  ASSERT_TRUE(findForm(bench, headless, AnswerForm::Number));
  const std::string question = bench.quiz().question()->text;
  const std::size_t records = bench.quiz().records().size();
  Editor& editor = bench.session.editor();
  editor.current()->form = editor.currentForm();
  editor.current()->form->block = "16";
  headless.settle(bench.window);
  EXPECT_EQ(bench.quiz().records().size(), records);
  ASSERT_EQ(bench.quiz().state(), QuizState::Asked);
  EXPECT_EQ(bench.quiz().question()->text, question);
  bench.quiz().giveUp();
  EXPECT_EQ(bench.quiz().records().back().run.n, 64U);
}

TEST(PredictMode, ARunByAFormHasNoN) {
  QuizBench bench("baseline", 64);
  Headless headless(kProjector);
  Editor& editor = bench.session.editor();
  editor.current()->form = editor.currentForm();
  editor.current()->form->grid = "2";
  bench.session.run();
  ASSERT_TRUE(waitForTrace(bench.session));
  ASSERT_EQ(bench.session.error(), "");
  ASSERT_NE(bench.session.shown().edition, 0U);
  bench.session.player().toStart();
  ASSERT_TRUE(findForm(bench, headless, AnswerForm::Number));
  // The draft goes back to the launch over N, what is shown does not.
  editor.current()->form.reset();
  headless.settle(bench.window);
  ASSERT_EQ(bench.quiz().state(), QuizState::Asked);
  bench.quiz().giveUp();
  EXPECT_EQ(bench.quiz().records().back().run.n, 0U);
}

TEST(PredictMode, AFieldTakesTheKeysAndEscapeKeepsWhatIsPinned) {
  QuizBench bench("no-divergence", 64);
  Headless headless(kProjector);
  ASSERT_TRUE(findForm(bench, headless, AnswerForm::Number));
  headless.settle(bench.window);
  headless.press(bench.window, "Enter");  // nothing typed yet: to the field
  ASSERT_TRUE(bench.window.takesText());
  const Grain grain = bench.session.player().grain();
  EXPECT_FALSE(bench.window.press("1"));
  bench.window.state().prediction.answer = "1";
  EXPECT_FALSE(bench.window.press("Right")) << "it moves the caret";
  EXPECT_EQ(bench.session.player().grain(), grain);
  bench.window.state().marks.thread = 3;
  EXPECT_TRUE(bench.window.press("Esc"));
  EXPECT_EQ(bench.window.state().marks.thread, 3);
}

TEST(PredictMode, PlayingStopsAtAQuestionAndRightSkipsIt) {
  QuizBench bench("baseline", 64);
  Player& player = bench.session.player();
  Headless headless(kProjector);
  leaveField(bench, headless);
  bench.quiz().giveUp();
  bench.window.press("Space");
  for (int i = 0; i < 40 && player.playing(); ++i) {
    player.advance(1.01);
    headless.frame(bench.window);
  }
  EXPECT_FALSE(player.playing());
  ASSERT_EQ(bench.quiz().state(), QuizState::Asked);
  const std::size_t records = bench.quiz().records().size();
  headless.press(bench.window, "Right");
  ASSERT_EQ(bench.quiz().records().size(), records + 1);
  EXPECT_EQ(bench.quiz().records().back().outcome, QuizOutcome::Skipped);
  EXPECT_EQ(bench.quiz().passedOver(), 1U);
}

TEST(PredictMode, KeysThatRunToWhatIsHiddenDoNothing) {
  QuizBench bench("no-divergence", 64);
  Player& player = bench.session.player();
  Headless headless(kProjector);
  leaveField(bench, headless);
  const Cursor before = player.replay()->cursor();
  for (const char* key : {"C", "D", "H"}) {
    bench.window.press(key);
    EXPECT_EQ(player.replay()->cursor(), before);
  }
  bench.window.press("F4");
  EXPECT_EQ(bench.window.state().mode, Mode::Explore);
  headless.settle(bench.window);
  bench.window.press("C");
  EXPECT_NE(player.replay()->cursor(), before);
}

TEST(PredictMode, EveryThemeAndTheFormOfAFileAreDrawn) {
  QuizBench bench("unroll-last-warp-racy", 64);
  Headless headless(kProjector);
  for (const Theme& theme : themes()) {
    bench.window.state().theme = &theme;
    headless.settle(bench.window);
    EXPECT_EQ(problemText(), "") << theme.id;
  }
}

}  // namespace
}  // namespace lanescope
