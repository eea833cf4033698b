// Two strategies side by side and the table of all, drawn without a window.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "app/panels/table_view.h"
#include "app/pictures/picture_plan.h"
#include "app/tests/drawn_text.h"
#include "app/tests/test_window.h"
#include "app/workbench/tests/scratch_folder.h"
#include "sim/base/words.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

/// The window without a GPU, in a mode; with a recording's times where one is named.
struct Stage : TestWindow {
  explicit Stage(Mode mode, const char* recording = nullptr) : TestWindow(options(recording)) {
    window.state().mode = mode;
    if (recording != nullptr) {
      EXPECT_FALSE(gpu.replay());
      gpu.update(0);
      gpu.update(100);
    }
  }
  static GpuSessionOptions options(const char* recording) {
    return recording == nullptr
               ? noWorker()
               : noWorker(std::filesystem::path(LANESCOPE_SOURCE_DIR "/assets/recordings") / recording);
  }

  /// Draws until nothing is simulated any more.
  void settle(Headless& headless, ImVec2 mouse = ImVec2(-1, -1)) {
    do {
      session.poll();
      headless.frame(window, mouse);
    } while (session.executor()->step());
    headless.settle(window, mouse);
  }
};

/// On a projector, with a strategy over n elements, drawn until nothing is simulated any more.
struct Shown : Stage {
  Shown(Mode mode, std::string_view strategy, std::uint64_t n, const char* recording = nullptr)
      : Stage(mode, recording) {
    EXPECT_TRUE(show(strategy, n));
    settle(headless);
  }
  Area area() const {
    return findArea(headless, window.state().mode == Mode::Compare ? "compare" : "table",
                    {window.state().mode});
  }

  Headless headless{kProjector};
};

/// The half of the stage that the other strategy has.
Area areaRightOf(const Area& stage) { return {stage.x + stage.w / 2, stage.y, stage.w / 2, stage.h}; }

/// True if that can be read in the window whose name holds `part`.
bool shows(std::string_view part, std::string_view text) {
  return withoutSpaces(textIn(areaOfWindow(part))).find(withoutSpaces(text)) != std::string::npos;
}

/// The place that a side's walk has come to.
std::string findPhase(const Replay& replay) {
  const Trace& trace = replay.trace();
  if (trace.phases.empty()) return "";
  return "phase " + std::to_string(replay.currentPhase() + 1) + " of " + std::to_string(trace.phases.size());
}

class EveryComparison : public ::testing::TestWithParam<std::tuple<std::string, std::uint64_t>> {};

TEST_P(EveryComparison, IsDrawnAtEveryQuarter) {
  const auto& [strategy, n] = GetParam();
  Stage stage(Mode::Compare);
  Player& player = stage.session.player();
  ASSERT_TRUE(stage.show(strategy, n));
  const auto steps = static_cast<std::uint32_t>(player.replay()->trace().steps.size());
  struct Screen {
    ImVec2 size;
    bool presents = false;
  };
  for (const auto& [size, presents] : {Screen{kProjector}, Screen{kDesk}, Screen{kProjector, true}}) {
    stage.window.state().presenting = presents;
    Headless headless(size, stage.window.unit(size));
    stage.settle(headless);
    for (std::uint32_t quarter = 0; quarter <= 4; ++quarter) {
      player.seek(steps * quarter / 4);
      headless.settle(stage.window);
      EXPECT_EQ(problemText(), "") << strategy << " quarter " << quarter << " presents " << presents;
      const Comparison& comparison = stage.session.comparison();
      EXPECT_TRUE(shows("/left_", findStrategy(strategy)->title)) << textIn(areaOfWindow("/left_"));
      // Beside a long title in large text it is `4 of 8`.
      constexpr std::size_t kWord = std::string_view("phase ").size();
      EXPECT_TRUE(shows("/left_", findPhase(*player.replay()).substr(kWord)))
          << textIn(areaOfWindow("/left_"));
      // The button is as wide as half of the side.
      EXPECT_TRUE(shows("/right_", comparison.strategy()->title.substr(0, 20)))
          << textIn(areaOfWindow("/right_"));
      if (comparison.replay() == nullptr) {
        EXPECT_TRUE(shows("/right_", comparison.sentence())) << textIn(areaOfWindow("/right_"));
      } else if (comparison.alignment().findPartner(player.replay()->currentPhase()) >= 0) {
        EXPECT_TRUE(shows("/right_", findPhase(*comparison.replay()))) << textIn(areaOfWindow("/right_"));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Some, EveryComparison,
                         ::testing::Combine(::testing::ValuesIn(someIds()),
                                            ::testing::Values(std::uint64_t{64})));
INSTANTIATE_TEST_SUITE_P(Sweep, EveryComparison,
                         ::testing::Combine(::testing::ValuesIn(allIds()),
                                            ::testing::Values(std::uint64_t{8}, std::uint64_t{64},
                                                              std::uint64_t{1024})));

TEST(CompareView, KeysStepBothSides) {
  Stage stage(Mode::Explore);
  ASSERT_TRUE(stage.show("no-divergence", 64));
  Headless headless(kProjector);
  ASSERT_TRUE(stage.window.press("F2"));
  stage.settle(headless);
  const Comparison& comparison = stage.session.comparison();
  ASSERT_NE(comparison.replay(), nullptr);
  headless.press(stage.window, "Home");
  EXPECT_TRUE(comparison.replay()->atStart());
  headless.press(stage.window, "Down");
  EXPECT_EQ(comparison.replay()->cursor().steps, comparison.replay()->trace().phases.front().endStep);
  headless.press(stage.window, "End");
  EXPECT_TRUE(comparison.replay()->atEnd());
  ASSERT_TRUE(stage.window.press("Esc"));
  EXPECT_EQ(stage.window.state().mode, Mode::Explore);
}

TEST(CompareView, TheTimelineScrubsBothSides) {
  Shown stage(Mode::Compare, "baseline", 64);
  Headless& headless = stage.headless;
  const Area bar = findArea(headless, "transport", {Mode::Compare});
  headless.click(stage.window, ImVec2(bar.x + bar.w * 0.25F, bar.y + bar.h * 0.75F));
  const std::uint32_t early = stage.session.comparison().replay()->cursor().steps;
  headless.click(stage.window, ImVec2(bar.x + bar.w * 0.75F, bar.y + bar.h * 0.75F));
  EXPECT_GT(stage.session.comparison().replay()->cursor().steps, early);
}

TEST(CompareView, AClickOnARowOfTheRightGoesThere) {
  Shown stage(Mode::Compare, "no-divergence", 64);
  Headless& headless = stage.headless;
  const Area area = stage.area();
  const Replay& right = *stage.session.comparison().replay();
  const std::uint32_t before = right.currentPhase();
  const std::string& row = stage.session.comparison().plan()->phaseNames[before + 2];
  ASSERT_TRUE(headless.click(stage.window, row, areaRightOf(area)));
  EXPECT_EQ(right.currentPhase(), before + 2);
  EXPECT_EQ(right.cursor().steps, right.trace().phases[right.currentPhase()].endStep);
  EXPECT_EQ(stage.session.player().replay()->currentPhase(), right.currentPhase());
}

TEST(CompareView, SwapChangesSides) {
  Shown stage(Mode::Compare, "baseline", 64);
  Headless& headless = stage.headless;
  const Area area = stage.area();
  ASSERT_TRUE(headless.click(stage.window, "swap", areaRightOf(area)));
  ASSERT_TRUE(waitForTrace(stage.session));
  stage.settle(headless);
  EXPECT_EQ(stage.session.shown().strategy->id, "no-divergence");
  EXPECT_EQ(stage.session.comparison().strategy()->id, "baseline");
  EXPECT_EQ(problemText(), "");
}

TEST(CompareView, PointingLightsUpItsOwnSideAndClicksPinInBoth) {
  Shown stage(Mode::Compare, "no-divergence", 64);
  Headless& headless = stage.headless;
  const Area area = stage.area();
  // The pill that shows the warps, then the lanes of the first.
  headless.click(stage.window, findPlace("warps", {area.x, area.y, area.w / 2, 40 * headless.unit()}));
  for (const float from : {0.04F, 0.55F}) {
    const bool isLeft = from < 0.5F;
    headless.settle(stage.window);
    const int atRest = ImGui::GetDrawData()->TotalVtxCount;
    bool lights = false;
    for (float y = area.y + area.h * 0.44F; y < area.y + area.h * 0.6F; y += 8) {
      const ImVec2 mouse(area.x + area.w * (from + 0.1F), y);
      headless.settle(stage.window, mouse);
      lights = lights || ImGui::GetDrawData()->TotalVtxCount > atRest + 20;
      EXPECT_TRUE(isLeft || stage.window.state().marks.hover.empty());
      headless.click(stage.window, mouse);
      if (stage.window.state().marks.thread >= 0) break;
    }
    EXPECT_TRUE(lights);
    EXPECT_GE(stage.window.state().marks.thread, 0);
    EXPECT_LT(stage.window.state().marks.thread, 64);
    headless.settle(stage.window);
    EXPECT_EQ(problemText(), "");
    EXPECT_TRUE(stage.window.press("Esc"));
    EXPECT_EQ(stage.window.state().marks.thread, -1);
  }
}

TEST(CompareView, TheWheelZoomsOneLadder) {
  Shown stage(Mode::Compare, "baseline", 1024);
  Headless& headless = stage.headless;
  const Area area = stage.area();
  const Area left{area.x, area.y, area.w / 2 - 8, area.h * 0.35F};
  const Area right{area.x + area.w / 2 + 8, area.y, area.w / 2 - 8, area.h * 0.35F};
  const std::size_t leftBefore = verticesIn(left);
  const std::size_t rightBefore = verticesIn(right);
  const ImVec2 mouse(right.x + right.w / 2, right.y + right.h * 0.6F);
  headless.settle(stage.window, mouse);
  for (int i = 0; i < 6; ++i) {
    ImGui::GetIO().MouseWheel = 1;
    headless.frame(stage.window, mouse);
    headless.frame(stage.window, mouse);
  }
  headless.settle(stage.window);
  EXPECT_EQ(verticesIn(left), leftBefore);
  EXPECT_NE(verticesIn(right), rightBefore);
  EXPECT_EQ(problemText(), "");
}

TEST(CompareView, TheListOfTheRightChoosesAnother) {
  Shown stage(Mode::Compare, "baseline", 64);
  Headless& headless = stage.headless;
  const Area area = stage.area();
  const auto makeTitle = [](const Strategy& strategy) {
    return courseNumber(strategy) + " · " + strategy.title;
  };
  const Strategy& before = *stage.session.comparison().strategy();
  const Strategy& next = *(&before + 1);
  ASSERT_TRUE(headless.click(stage.window, makeTitle(before), areaRightOf(area)));
  EXPECT_EQ(problemText(), "");
  ASSERT_TRUE(headless.click(stage.window, makeTitle(next), area));
  stage.settle(headless);
  EXPECT_EQ(stage.session.comparison().strategy(), &next);
  EXPECT_EQ(stage.session.selection().strategy->id, "baseline");
  EXPECT_NE(stage.session.comparison().replay(), nullptr);
  EXPECT_EQ(problemText(), "");
}

TEST(CompareView, WhatCannotRunSaysWhyAndFits) {
  Stage stage(Mode::Compare);
  ASSERT_TRUE(stage.show("one-atomic", 12));
  stage.session.comparison().choose(findStrategy("transpose-unrolled"));
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    stage.settle(headless);
    EXPECT_EQ(stage.session.comparison().replay(), nullptr);
    EXPECT_NE(stage.session.comparison().sentence(), "");
    EXPECT_EQ(problemText(), "");
  }
}

TEST(CompareView, DrawsBeforeThereIsATrace) {
  Stage stage(Mode::Compare);
  Headless headless(kProjector, stage.window);
  EXPECT_EQ(problemText(), "");
}

class EveryTable : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(EveryTable, IsDrawnWithARowForEveryStrategy) {
  Stage stage(Mode::Table, "nvidia-h200.jsonl");
  ASSERT_TRUE(stage.show("one-atomic", GetParam()));
  for (const ImVec2 size : {kProjector, kDesk}) {
    for (const Theme& theme : themes()) {
      Headless headless(size);
      stage.window.state().theme = &theme;
      headless.frame(stage.window);
      EXPECT_EQ(problemText(), "");
      stage.settle(headless);
      EXPECT_EQ(problemText(), "");
      EXPECT_EQ(stage.session.table().known(), strategies().size());
      for (const Strategy& strategy : strategies().first(10))
        EXPECT_TRUE(shows("/table rows_", strategy.title)) << textIn(areaOfWindow("/table rows_"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Some, EveryTable, ::testing::Values(std::uint64_t{64}));
INSTANTIATE_TEST_SUITE_P(Sweep, EveryTable,
                         ::testing::Values(std::uint64_t{8}, std::uint64_t{12}, std::uint64_t{1024}));

TEST(TableView, KeysChooseARowAndOpenIt) {
  Stage stage(Mode::Explore);
  ASSERT_TRUE(stage.show("baseline", 64));
  Headless headless(kProjector);
  ASSERT_TRUE(stage.window.press("F3"));
  stage.settle(headless);
  const std::uint32_t before = stage.session.player().replay()->cursor().steps;
  stage.window.press("Down");
  headless.press(stage.window, "Down");
  headless.press(stage.window, "Up");
  EXPECT_EQ(stage.session.player().replay()->cursor().steps, before);
  headless.press(stage.window, "Enter");
  EXPECT_EQ(stage.window.state().mode, Mode::Explore);
  EXPECT_EQ(stage.session.selection().strategy->id, "no-divergence");
}

TEST(TableView, IsOfTheElementsAndTheOperatorOfTheLaunch) {
  Stage stage(Mode::Table, "nvidia-h200.jsonl");
  ASSERT_TRUE(stage.show("warp-block-grid", 64));
  Document& document = *stage.session.editor().current();
  document.form = stage.session.editor().currentForm();
  document.form->templateArguments = "Maximum";
  stage.session.chooseElementType(ElementType::Double);
  ASSERT_TRUE(waitForTrace(stage.session));
  {
    // The first frame asks for the figures, and none has been fetched yet.
    Headless headless(kProjector);
    headless.frame(stage.window);
    ASSERT_EQ(stage.session.table().known(), 0U);
    EXPECT_EQ(tableDetail(stage.session.table()), "N = 64 of double, operator Maximum: simulated 0 of " +
                                                      std::to_string(strategies().size()) + "…");
  }
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    stage.settle(headless);
    EXPECT_EQ(problemText(), "") << size.x;
  }
  EXPECT_SAYS(tableDetail(stage.session.table()));
  EXPECT_EQ(stage.session.table().kind().type, ElementType::Double);
  EXPECT_EQ(stage.session.table().kind().op, "Maximum");
  EXPECT_EQ(stage.session.table().known(), strategies().size());
}

TEST(TableView, AClickOnARowOpensItAndOneOnAHeadingSorts) {
  Shown stage(Mode::Table, "baseline", 64);
  Headless& headless = stage.headless;
  const Area area = stage.area();
  const std::size_t before = verticesIn(area);
  // The conflicts, most first; the heading is under the two lines of the title.
  const ImVec2 heading(area.x + area.w * 0.47F, area.y + 75 * headless.unit());
  headless.click(stage.window, heading);
  EXPECT_NE(verticesIn(area), before);
  headless.click(stage.window, heading);
  EXPECT_EQ(problemText(), "");
  headless.click(stage.window, ImVec2(area.x + area.w * 0.1F, area.y + 105 * headless.unit()));
  EXPECT_EQ(stage.window.state().mode, Mode::Explore);
  ASSERT_TRUE(waitForTrace(stage.session));
  EXPECT_GT(stage.session.player().replay()->trace().total.bankConflicts(), 0U);
}

TEST(TableView, BarsStandInTheMiddleOfTheirRows) {
  Shown stage(Mode::Table, "baseline", 1024, "nvidia-h200.jsonl");
  const ImGuiWindow* table = windowNamed("/table rows_");
  ASSERT_NE(table, nullptr);
  const float height = table->ContentSize.y / static_cast<float>(strategies().size());
  const ImU32 color = imguiColor(*stage.window.state().theme, ColorRole::Bar);
  std::size_t corners = 0;
  for (const ImDrawVert& vertex : table->DrawList->VtxBuffer) {
    if (vertex.col != color) continue;
    ++corners;
    const float inRow = std::fmod(vertex.pos.y - table->Pos.y + table->Scroll.y, height);
    EXPECT_NEAR(inRow, height / 2, 5 * stage.headless.unit());
  }
  EXPECT_GT(corners, 400U);
}

TEST(TableView, AWrongSumHasTheHueOfHazardsAndNotThatOfConflicts) {
  const testing::ScratchFolder folder;
  std::string text = testing::readAll(LANESCOPE_SOURCE_DIR "/assets/recordings/nvidia-h200.jsonl");
  const auto countVertices = [](const Stage& stage, ColorRole role) {
    const auto& vertices = windowNamed("/table rows_")->DrawList->VtxBuffer;
    return std::ranges::count(vertices, imguiColor(*stage.window.state().theme, role), &ImDrawVert::col);
  };
  const auto bad = [&] {
    const std::string path = folder.write("some.jsonl", text);
    const Shown stage(Mode::Table, "baseline", 8, path.c_str());
    return std::pair(countVertices(stage, ColorRole::Bad), countVertices(stage, ColorRole::Conflict));
  };
  const auto [before, conflicts] = bad();
  replaceAll(text, "\"verified\":true", "\"verified\":false");
  const auto [after, conflictsThen] = bad();
  EXPECT_GT(after, before);
  EXPECT_EQ(conflictsThen, conflicts);
}

TEST(TableView, TheListOfSizesChoosesWhoseTimes) {
  Shown stage(Mode::Table, "baseline", 64, "nvidia-h200.jsonl");
  Headless& headless = stage.headless;
  const Area area = stage.area();
  const std::size_t before = verticesIn(area);
  const float unit = headless.unit();
  const ImVec2 combo(area.x + area.w - 180 * unit, area.y + 22 * unit);
  headless.click(stage.window, combo);
  EXPECT_EQ(problemText(), "");
  headless.click(stage.window, ImVec2(combo.x, combo.y + 40 * unit));
  EXPECT_NE(verticesIn(area), before);
  EXPECT_EQ(problemText(), "");
  EXPECT_EQ(stage.window.state().mode, Mode::Table);
}

TEST(TableView, TheCopyIsCsv) {
  Shown stage(Mode::Table, "baseline", 8);
  Headless& headless = stage.headless;
  const Area area = stage.area();
  headless.click(stage.window, ImVec2(area.x + area.w - 60 * headless.unit(), area.y + 24 * headless.unit()));
  const std::string csv = ImGui::GetClipboardText();
  EXPECT_EQ(csv.find("id,title,n,machine,"), 0U);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), strategies().size() + 1);
}

}  // namespace
}  // namespace lanescope
