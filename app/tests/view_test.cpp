// The main window drawn without a window: every strategy, every place, and what the pointer does.
#include <algorithm>

#include <gtest/gtest.h>

#include "app/pictures/line_costs.h"
#include "app/pictures/picture_plan.h"
#include "app/tests/drawn_text.h"
#include "app/tests/test_window.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using Bench = TestWindow;

class EveryStrategy : public ::testing::TestWithParam<std::tuple<std::string, std::uint64_t>> {};

TEST_P(EveryStrategy, IsDrawnAtEveryQuarter) {
  const auto& [strategy, n] = GetParam();
  Bench bench(strategy, n);
  const auto steps = static_cast<std::uint32_t>(bench.session.player().replay()->trace().steps.size());
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    for (std::uint32_t quarter = 0; quarter <= 4; ++quarter) {
      bench.session.player().seek(steps * quarter / 4);
      headless.settle(bench.window);
      expectDrawn(headless, bench,
                  strategy + " N " + std::to_string(n) + " quarter " + std::to_string(quarter) + " width " +
                      std::to_string(static_cast<int>(size.x)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Some, EveryStrategy,
                         ::testing::Combine(::testing::ValuesIn(someIds()),
                                            ::testing::Values(std::uint64_t{64})));
INSTANTIATE_TEST_SUITE_P(Sweep, EveryStrategy,
                         ::testing::Combine(::testing::ValuesIn(allIds()),
                                            ::testing::Values(std::uint64_t{8}, std::uint64_t{64},
                                                              std::uint64_t{1024})));

TEST(MainWindowTest, DrawsBeforeThereIsATrace) {
  Bench bench;
  Headless headless(kProjector, bench.window);
  EXPECT_EQ(problemText(), "");
}

TEST(MainWindowTest, EveryThemeIsAnotherPicture) {
  Bench bench("baseline", 64);
  Headless headless(kProjector);
  for (const Theme& theme : themes()) {
    bench.window.state().theme = &theme;
    headless.settle(bench.window);
    expectDrawn(headless, bench, theme.id);
    const ImVec4 panel = ImGui::GetStyle().Colors[ImGuiCol_ChildBg];
    EXPECT_FLOAT_EQ(panel.x, imguiColorVec(theme, ColorRole::Panel).x) << theme.id;
  }
}

TEST(MainWindowTest, KeysStepThereAndBack) {
  Bench bench("no-divergence", 64);
  const Replay& replay = *bench.session.player().replay();
  bench.window.press("Home");
  bench.window.press("Right");
  EXPECT_EQ(replay.cursor().steps, 2U) << "the first line, in both warps";
  bench.window.press("Left");
  EXPECT_TRUE(replay.atStart());
  bench.session.player().setGrain(Grain::Instruction);
  EXPECT_TRUE(replay.atStart());
  bench.window.press("Right");
  EXPECT_EQ(replay.cursor().steps, 1U);
  bench.window.press("Down");
  EXPECT_EQ(replay.cursor().steps, replay.trace().phases.front().endStep);
  bench.window.press("Left");
  EXPECT_EQ(replay.cursor().steps + 1, replay.trace().phases.front().endStep);
  bench.window.press("End");
  EXPECT_TRUE(replay.atEnd());
  bench.window.press("Space");
  EXPECT_TRUE(bench.session.player().playing());
  EXPECT_TRUE(replay.atStart());
}

TEST(MainWindowTest, HelpOpensAndFits) {
  Bench bench("shuffle", 64);
  Headless headless(kProjector);
  headless.press(bench.window, "?");
  EXPECT_TRUE(bench.window.state().helpOpen);
  EXPECT_EQ(problemText(), "");
  bench.window.press("Esc");
  EXPECT_FALSE(bench.window.state().helpOpen);
}

TEST(MainWindowTest, APointedLaneLightsUpAndItsVariablesFollow) {
  Bench bench("baseline", 64);
  Headless headless(kDesk, bench.window);
  const ImVec2 there = hitIn(bench, headless, "warps", HitArea::Kind::Thread);
  headless.settle(bench.window, there);
  const std::int64_t found = bench.window.state().marks.hover.thread;
  ASSERT_GE(found, 0);
  EXPECT_LT(found, 64);
  headless.click(bench.window, there);
  EXPECT_EQ(bench.window.state().marks.thread, found);
  headless.settle(bench.window);
  EXPECT_EQ(bench.window.state().marks.shownThread(), found);
}

TEST(MainWindowTest, TheTimelineScrubs) {
  Bench bench("baseline", 64);
  Headless headless(kProjector);
  const Area bar = findArea(headless, "transport");
  headless.click(bench.window, ImVec2(bar.x + bar.w * 0.25F, bar.y + bar.h * 0.75F));
  const std::uint32_t early = bench.session.player().replay()->cursor().steps;
  headless.click(bench.window, ImVec2(bar.x + bar.w * 0.75F, bar.y + bar.h * 0.75F));
  EXPECT_GT(bench.session.player().replay()->cursor().steps, early);
}

TEST(MainWindowTest, AZoomedTimelineSaysWhichPartIsInSight) {
  Bench bench("baseline", 64);
  Headless headless(kProjector);
  const Area bar = findArea(headless, "transport");
  const ImVec2 middle(bar.x + bar.w / 2, bar.y + bar.h * 0.75F);
  const ImU32 accent = imguiColor(*bench.window.state().theme, ColorRole::Accent);
  const auto corners = [&] {
    return std::ranges::count_if(windowNamed("/transport_")->DrawList->VtxBuffer, [&](const auto& vertex) {
      return vertex.col == accent && vertex.pos.y > bar.y + bar.h - 12 * headless.unit();
    });
  };
  headless.settle(bench.window, middle);
  EXPECT_EQ(corners(), 0);
  ImGui::GetIO().MouseWheel = 3;
  headless.frame(bench.window, middle);
  headless.settle(bench.window, middle);
  EXPECT_EQ(corners(), 4) << "a rectangle";
}

TEST(MainWindowTest, AClickOnAnotherStrategyShowsIt) {
  Bench bench("baseline", 8);
  Headless headless(kProjector);
  ASSERT_TRUE(headless.press(bench.window, "Ctrl+F"));
  ASSERT_TRUE(headless.click(bench.window, "4.2", areaOfWindow("/strategies_")));
  ASSERT_TRUE(waitForTrace(bench.session));
  EXPECT_NE(bench.session.shown().strategy->id, "baseline");
}

TEST(MainWindowTest, ALaunchThatCannotBeIsSaidAndLosesNothing) {
  Bench bench("baseline", 64);
  bench.session.select({findStrategy("baseline"), 12, findMachine("nvidia")});
  EXPECT_NE(bench.session.error(), "");
  Headless headless(kProjector, bench.window);
  EXPECT_EQ(problemText(), "");
  EXPECT_EQ(bench.session.shown().n, 64U);
  bench.window.press("Esc");
  EXPECT_EQ(bench.session.error(), "");
}

TEST(MainWindowTest, ClickingALanesVariableShowsItInEveryLane) {
  Bench bench("no-divergence", 64);
  Headless headless(kProjector, bench.window);
  ASSERT_TRUE(headless.click(bench.window, "tid", areaOfWindow("/variables_")));
  ASSERT_GE(bench.window.state().marks.variable, 0);
  EXPECT_EQ(problemText(), "");
  bench.window.press("Esc");
  EXPECT_EQ(bench.window.state().marks.variable, -1);
  bench.session.player().stops().clear();
}

TEST(MainWindowTest, AClickOnALinesNumberIsABreakpoint) {
  Bench bench("baseline", 64);
  Headless headless(kProjector);
  const Area source = findArea(headless, "source");
  headless.click(bench.window, ImVec2(source.x + 20, source.y + source.h * 0.4F));
  ASSERT_EQ(bench.session.player().stops().lines().size(), 1U);
  headless.click(bench.window, ImVec2(source.x + 20, source.y + source.h * 0.4F));
  EXPECT_TRUE(bench.session.player().stops().empty());
}

TEST(MainWindowTest, KeysRunToConditionsAndBack) {
  Bench bench("no-divergence", 64);
  Player& player = bench.session.player();
  bench.window.press("Home");
  ASSERT_TRUE(bench.window.press("C"));
  EXPECT_TRUE(conflicts(*player.replay()->currentStep()));
  const std::uint32_t first = player.replay()->cursor().steps;
  bench.window.press("C");
  bench.window.press("Shift+C");
  EXPECT_EQ(player.replay()->cursor().steps, first);
  bench.window.press("L");
  bench.window.press("Home");
  bench.window.press("R");
  EXPECT_EQ(player.replay()->currentStep()->line, *player.stops().lines().begin());
  bench.window.press("B");
  EXPECT_EQ(player.replay()->currentStep()->kind, StepKind::BlockBarrier);
  bench.window.press("N");
  bench.window.press("P");
  bench.window.press("]");
  EXPECT_GE(bench.window.state().marks.warp, 0);
}

TEST(MainWindowTest, TheWheelZoomsTheLadder) {
  Bench bench("baseline", 1024);
  Headless headless(kProjector);
  const Area array = findArea(headless, "array");
  const ImVec2 middle(array.x + array.w / 2, array.y + array.h / 2);
  headless.settle(bench.window, middle);
  const std::size_t before = verticesIn(array);
  for (int i = 0; i < 7; ++i) {
    ImGui::GetIO().MouseWheel = 1;
    headless.frame(bench.window, middle);
    headless.frame(bench.window, middle);
  }
  headless.settle(bench.window, ImVec2(-1, -1));
  EXPECT_EQ(problemText(), "");
  EXPECT_NE(verticesIn(array), before);
}

TEST(MainWindowTest, ARowOfTheTimelineGoesToItsWarp) {
  Bench bench("baseline", 64);
  Headless headless(kProjector);
  const Area bar = findArea(headless, "transport");
  for (const auto& [y, warp] : {std::pair{0.62F, 0}, std::pair{0.76F, 1}}) {
    headless.click(bench.window, ImVec2(bar.x + bar.w * 0.45F, bar.y + bar.h * y));
    ASSERT_TRUE(bench.session.player().replay()->currentStep());
    EXPECT_EQ(bench.session.player().replay()->currentStep()->warp, warp) << y;
  }
}

TEST(LessonPanel, GoesToTheSetupThatItsNumbersAreFor) {
  Bench bench("baseline", 8);
  Headless headless(kProjector, bench.window);
  const ImVec2 button = headless.findMiddle(bench.window, "/lesson_", "Go there");
  ASSERT_GE(button.x, 0);
  headless.click(bench.window, button);
  ASSERT_TRUE(waitForTrace(bench.session));
  EXPECT_EQ(bench.session.shown().n, 64U);
  EXPECT_EQ(bench.session.shown().machine->name, "nvidia");
  headless.settle(bench.window);
  EXPECT_LT(headless.findMiddle(bench.window, "/lesson_", "Go there").x, 0) << "they are on the screen now";
  bench.session.chooseBlocks(2, 1);
  ASSERT_TRUE(waitForTrace(bench.session));
  headless.settle(bench.window);
  EXPECT_NE(textIn(findPanel("lesson")).find("N = 64 in one block on nvidia"), std::string::npos);
  headless.click(bench.window, headless.findMiddle(bench.window, "/lesson_", "Go there"));
  ASSERT_TRUE(waitForTrace(bench.session));
  EXPECT_EQ(bench.session.gridBlocks(), 1U);
}

TEST_P(EveryStrategy, LightsUpTheSameEverywhere) {
  const auto& [strategy, n] = GetParam();
  Bench bench(strategy, n);
  Headless headless(kProjector, bench.window);
  using Kind = HitArea::Kind;
  for (const auto& [view, kind] :
       {std::pair{"array", Kind::Cell}, {"warps", Kind::Thread}, {"banks", Kind::Cell}}) {
    const ImVec2 there = hitIn(bench, headless, view, kind);
    if (there.x < 0) {
      EXPECT_STRNE(view, "warps") << "every kernel has threads";
      continue;
    }
    headless.settle(bench.window, there);
    const Marks& marks = bench.window.state().marks;
    EXPECT_FALSE(marks.hover.empty()) << view;
    EXPECT_EQ(marks.linked, linkedTo(*bench.session.player().replay(), marks.hover)) << view;
    EXPECT_EQ(problemText(), "") << view;
  }
  // A line of the source lights up the threads that are on it.
  headless.settle(bench.window);
  const Area listing = areaOfWindow("/listing_");
  headless.settle(bench.window, ImVec2(listing.x + listing.w / 2, listing.y + listing.h / 2));
  EXPECT_GE(bench.window.state().marks.hover.line, 0);
  EXPECT_EQ(bench.window.state().marks.linked.lines.empty(), false);
  EXPECT_EQ(problemText(), "");
}

TEST(LineCosts, AddUpToTheCountersSoFar) {
  for (const Strategy& strategy : strategies()) {
    Bench bench(strategy.id, 64);
    LineCosts costs;
    const Replay& replay = *bench.session.player().replay();
    const auto plan = planPictures(replay.trace());
    const auto end = static_cast<std::uint32_t>(replay.trace().steps.size());
    for (const std::uint32_t place : {end, end / 3, end / 2, 0U}) {
      bench.session.player().seek(place);
      costs.syncTo(replay.trace(), replay.cursor(), plan);
      Counters sum;
      for (std::uint32_t line = 1; line <= replay.trace().launch.source->lineCount(); ++line) {
        sum += costs.of(line);
        EXPECT_EQ(costTip(costs.of(line)).empty(), costs.of(line).instructions == 0);
      }
      EXPECT_EQ(sum, replay.state().counters) << strategy.id << " at " << place;
    }
  }
}

/// A frame of `draw` inside a window of 300 x 100.
template <class Draw>
void drawFrame(const Headless& headless, Draw draw) {
  ImGui::NewFrame();
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(ImVec2(headless.size().x / 4, headless.size().y / 4));
  ImGui::Begin("probe", nullptr, ImGuiWindowFlags_NoDecoration);
  draw(*ImGui::GetWindowDrawList(), ImGui::GetWindowWidth());
  ImGui::End();
  ImGui::Render();
}

// What expectDrawn() looks for is in no other panel, not in an empty frame, and not at another step.
TEST(TextsToShow, AreThePanelsOwn) {
  Bench bench("no-divergence", 64);
  bench.session.player().seek(20);
  Headless headless(kProjector, bench.window);
  const auto expected = textsToShow(bench, headless);
  const auto shows = [](std::string_view panel, const std::vector<std::string>& texts) {
    const std::string drawn = withoutSpaces(textIn(findPanel(panel)));
    return std::ranges::all_of(texts, [&](const auto& text) { return drawn.find(text) != drawn.npos; });
  };
  for (const auto& [view, texts] : expected) {
    for (const auto& [panel, others] : expected)
      EXPECT_EQ(shows(panel, texts), panel == view) << view << panel;
  }
  bench.session.player().seek(70);
  headless.settle(bench.window);
  for (const char* view : {"array", "counters", "transport", "lesson"})
    EXPECT_FALSE(shows(view, expected.at(view))) << view;
  ImGui::NewFrame();
  ImGui::Render();
  for (const auto& [view, texts] : expected) EXPECT_FALSE(shows(view, texts)) << view;
}

TEST(TextProblems, AreSeen) {
  const Headless headless(kProjector);
  const ImU32 white = IM_COL32_WHITE;
  drawFrame(headless, [&](ImDrawList& list, float) { list.AddText(ImVec2(20, 20), white, "whole"); });
  EXPECT_EQ(problemText(), "");
  drawFrame(headless,
            [&](ImDrawList& list, float width) { list.AddText(ImVec2(width - 10, 20), white, "MWMW"); });
  EXPECT_SAYS(problemText());
  drawFrame(headless, [&](ImDrawList& list, float) {
    list.AddText(ImVec2(20, 20), white, "first");
    list.AddText(ImVec2(22, 21), white, "second");
  });
  EXPECT_SAYS(problemText());
}

}  // namespace
}  // namespace lanescope
