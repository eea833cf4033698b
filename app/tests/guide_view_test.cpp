// The first lesson as its reader goes through it: every act by keys and pointer.
#include <algorithm>

#include <gtest/gtest.h>

#include "app/panels/base/code_input.h"
#include "app/panels/guide_view.h"
#include "app/tests/drawn_text.h"
#include "app/tests/test_window.h"

namespace lanescope {
namespace {

/// A recording, as the last card needs one.
GpuSessionOptions withRecording() {
  return noWorker(LANESCOPE_SOURCE_DIR "/assets/recordings/nvidia-h200.jsonl");
}

struct GuideBench : TestWindow {
  GuideBench() : TestWindow(withRecording()) { EXPECT_FALSE(gpu.replay()); }
  Guide& guide() { return window.state().guide; }
  /// Waits until the card's run is done.
  bool begin(Headless& headless) {
    EXPECT_TRUE(settle());
    gpu.update(1);
    headless.settle(window);
    return guide().isOpen() && guide().isBegun();
  }
};

bool areApart(const Area& a, const Area& b) {
  return a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
}

/// What holds of every card, before and after its act.
void expectReadable(GuideBench& bench, Headless& headless) {
  const std::string which =
      std::string(bench.guide().card().id) + ", width " + std::to_string(static_cast<int>(headless.size().x));
  headless.settle(bench.window);
  const Area card = findPanel("guide");
  ASSERT_GT(card.h, 0) << which;
  EXPECT_EQ(findPanel("lesson").h, 0) << which;
  for (const char* panel : {"array", "warps", "banks", "source", "gpu", "transport", "top bar"}) {
    ASSERT_GT(findPanel(panel).h, 0) << which << ": " << panel;
    EXPECT_TRUE(areApart(card, findPanel(panel))) << which << " covers " << panel;
  }
  const ImGuiWindow* text = windowNamed("guide text");
  ASSERT_NE(text, nullptr);
  EXPECT_EQ(text->ScrollMax.y, 0) << which << " has to be scrolled";
  EXPECT_EQ(textIn(card).find('{'), std::string::npos) << textIn(card);
  EXPECT_EQ(problemText(), "") << which;
}

void writeOneForK(GuideBench& bench, Headless& headless) {
  const Area source = findPanel("source");
  for (const DrawnText& text : textsIn(source)) {
    const std::size_t at = text.text.find("tid + k");
    if (at == std::string::npos) continue;
    const float right = text.ends[at + std::string_view("tid + k").size() - 1];
    headless.click(bench.window, ImVec2(right, text.middle().y));
  }
  ASSERT_TRUE(bench.window.takesText());
  bench.window.type("Backspace");
  bench.window.type(Chord::writing(U'1'));
  headless.settle(bench.window);
  EXPECT_NE(bench.session.editor().current()->buffer.text().find("s[tid] += s[tid + 1];"), std::string::npos);
  EXPECT_FALSE(bench.guide().isAnswered()) << "it has not run";
  EXPECT_NE(bench.guide().remark(), "");
  bench.window.press("Ctrl+Enter");
  ASSERT_TRUE(bench.settle());
  headless.settle(bench.window);
}

/// Does what the current card asks for, by keys and clicks.
void act(GuideBench& bench, Headless& headless) {
  MainWindow& window = bench.window;
  const auto lane = [&](std::uint32_t from) {
    headless.settle(window, hitIn(bench, headless, "warps", HitArea::Kind::Thread, from));
  };
  switch (bench.guide().card().act) {
    case CardAct::Step:
      for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(bench.guide().isAnswered());
        EXPECT_TRUE(window.press("Right"));
        headless.settle(window);
      }
      break;
    case CardAct::Lane: lane(2); break;
    case CardAct::IdleLane:
      lane(0);
      EXPECT_FALSE(bench.guide().isAnswered()) << "that one works";
      EXPECT_NE(bench.guide().remark(), "");
      lane(1);
      break;
    case CardAct::Wavefronts:
      window.press("Right");
      headless.settle(window);
      EXPECT_FALSE(bench.guide().isAnswered());
      window.press("Right");
      headless.settle(window);
      break;
    case CardAct::Race: writeOneForK(bench, headless); break;
    case CardAct::Charts: window.press("G"); break;
  }
  headless.settle(window);
}

TEST(FirstLesson, IsGoneThroughByKeysAndPointer) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    GuideBench bench;
    ASSERT_TRUE(bench.show("one-thread", 8));
    Headless headless(size);
    EXPECT_TRUE(bench.window.press("Shift+F1"));
    for (std::size_t i = 0; i < guideCards().size(); ++i) {
      ASSERT_TRUE(bench.begin(headless)) << i;
      EXPECT_EQ(bench.guide().index(), i);
      EXPECT_EQ(bench.window.state().settings.lessonCard, guideCards()[i].id);
      expectReadable(bench, headless);
      headless.press(bench.window, "Enter");
      EXPECT_EQ(bench.guide().index(), i) << "nothing was done yet";
      act(bench, headless);
      ASSERT_TRUE(bench.guide().isAnswered()) << guideCards()[i].id;
      EXPECT_NE(bench.guide().answer(), guideCards()[i].without);
      expectReadable(bench, headless);
      EXPECT_TRUE(bench.window.press("Enter"));
    }
    EXPECT_FALSE(bench.guide().isOpen());
    EXPECT_EQ(bench.window.state().settings.lessonCard, "");
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(bench.session.shown().strategy, &strategies().front());
    EXPECT_TRUE(bench.session.player().replay()->atStart());
  }
}

TEST(FirstLesson, ShowsEveryActItself) {
  GuideBench bench;
  Headless headless(kProjector);
  openGuide(bench.window.state(), 0);
  for (std::size_t i = 0; i < guideCards().size(); ++i) {
    ASSERT_TRUE(bench.begin(headless)) << i;
    for (int press = 0; press < 3 && !bench.guide().isAnswered(); ++press) {
      EXPECT_TRUE(bench.window.press("F6"));
      ASSERT_TRUE(bench.settle());
      headless.settle(bench.window);
    }
    EXPECT_TRUE(bench.guide().isAnswered()) << guideCards()[i].id;
    bench.window.press("Enter");
  }
}

TEST(FirstLesson, EscapeLeavesItAndItGoesOnWhereItWasLeft) {
  GuideBench bench;
  Headless headless(kProjector);
  ViewState& state = bench.window.state();
  openGuide(state, 2);
  ASSERT_TRUE(bench.begin(headless));
  EXPECT_TRUE(bench.window.press("Esc"));
  EXPECT_FALSE(bench.guide().isOpen());
  headless.settle(bench.window);
  EXPECT_EQ(findPanel("guide").h, 0);
  EXPECT_GT(findPanel("lesson").h, 0);
  const Result<Settings> kept = parseSettings(settingsText(state.settings));
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->lessonCard, guideCards()[2].id);
  bench.window.press("End");
  EXPECT_TRUE(bench.window.press("Shift+F1"));
  ASSERT_TRUE(bench.begin(headless));
  EXPECT_EQ(bench.guide().index(), 2U);
  EXPECT_FALSE(bench.session.player().replay()->atEnd()) << "it is the card's place again";
}

TEST(FirstLesson, LeftAtOnceItBeginsTheCourse) {
  GuideBench bench;
  Headless headless(kProjector);
  openGuide(bench.window.state(), 0);
  ASSERT_TRUE(bench.begin(headless));
  EXPECT_TRUE(bench.window.press("Esc"));
  ASSERT_TRUE(bench.settle());
  EXPECT_EQ(bench.session.shown().strategy, &strategies().front());
  EXPECT_TRUE(bench.session.player().replay()->atStart());
}

TEST(FirstLesson, WaitsWhileTheWindowIsForSomethingElse) {
  GuideBench bench;
  Headless headless(kProjector);
  ViewState& state = bench.window.state();
  openGuide(state, 0);
  ASSERT_TRUE(bench.begin(headless));
  headless.press(bench.window, "F4");
  EXPECT_EQ(findPanel("guide").h, 0);
  EXPECT_GT(findPanel("quiz").h, 0);
  headless.press(bench.window, "F4");
  EXPECT_GT(findPanel("guide").h, 0);
  EXPECT_EQ(bench.guide().index(), 0U);
  state.dialog = Dialog::Open;
  headless.settle(bench.window);
  EXPECT_TRUE(bench.window.press("Esc"));
  EXPECT_TRUE(bench.guide().isOpen()) << "the dialog was closed, not the lesson";
}

TEST(FirstLesson, ComesBackFromAnotherKernel) {
  GuideBench bench;
  Headless headless(kProjector);
  openGuide(bench.window.state(), 1);
  ASSERT_TRUE(bench.begin(headless));
  bench.session.chooseStrategy(*findStrategy("shuffle"));
  ASSERT_TRUE(bench.settle());
  headless.settle(bench.window);
  EXPECT_EQ(problemText(), "");
  headless.click(bench.window, headless.findMiddle(bench.window, "guide text", "Back to the card's place"));
  ASSERT_TRUE(bench.begin(headless));
  EXPECT_EQ(bench.session.shown().strategy->id, guideCards()[1].strategy);
}

TEST(FirstLesson, RestoresAKernelThatWasEdited) {
  GuideBench bench;
  Headless headless(kProjector);
  const std::size_t race = findGuideCard("race").value();
  openGuide(bench.window.state(), race);
  ASSERT_TRUE(bench.begin(headless));
  EXPECT_TRUE(bench.window.press("F6"));
  ASSERT_TRUE(bench.settle());
  headless.settle(bench.window);
  ASSERT_TRUE(bench.guide().isAnswered());
  headless.click(bench.window, headless.findMiddle(bench.window, "guide text", "Restore the kernel"));
  ASSERT_TRUE(bench.settle());
  EXPECT_FALSE(bench.session.editor().current()->isEdited());
  // Edited and left so, another visit begins with the kernel's own text.
  bench.session.editor().current()->buffer.insert("// mine\n");
  bench.session.run();
  ASSERT_TRUE(bench.settle());
  openGuide(bench.window.state(), race);
  ASSERT_TRUE(bench.begin(headless));
  EXPECT_FALSE(bench.session.editor().current()->isEdited());
}

TEST(FirstLesson, EndsWithAChartOfTheTwoKernelsThatItNames) {
  GuideBench bench;
  Headless headless(kProjector);
  openGuide(bench.window.state(), guideCards().size() - 1);
  ASSERT_TRUE(bench.begin(headless));
  bench.gpu.update(100);
  headless.press(bench.window, "G");
  const std::string& answer = bench.guide().answer();
  std::size_t bars = 0;
  for (const DrawnText& text : textsIn(areaOfWindow("/chart_"))) {
    const auto strategy = std::ranges::find(strategies(), text.text, &Strategy::title);
    if (strategy == strategies().end()) continue;
    ++bars;
    EXPECT_NE(answer.find("*" + strategy->title + "*"), std::string::npos) << text.text << " in " << answer;
  }
  EXPECT_EQ(bars, 2U) << textIn(areaOfWindow("/chart_"));
  headless.press(bench.window, "Esc");
  EXPECT_TRUE(bench.window.state().gpuPanel.onlyBars.empty()) << "afterwards all are there again";
}

TEST(FirstLesson, FitsEveryThemeAndLargeText) {
  for (const float scale : {1.0F, 1.5F}) {
    GuideBench bench;
    bench.window.state().settings.scale = scale;
    Headless headless(kDesk, bench.window.unit(kDesk));
    for (const Theme& theme : themes()) {
      bench.window.state().theme = &theme;
      for (std::size_t i = 0; i < guideCards().size(); ++i) {
        openGuide(bench.window.state(), i);
        ASSERT_TRUE(bench.begin(headless));
        EXPECT_GT(findPanel("guide").h, 0);
        EXPECT_EQ(problemText(), "") << theme.id << ", card " << i;
      }
    }
  }
}

}  // namespace
}  // namespace lanescope
