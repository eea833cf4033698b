// The window as a room sees it: presenter mode, text sizes, saving and opening.

#include <gtest/gtest.h>

#include "app/panels/base/code_input.h"
#include "app/panels/file_dialogs.h"
#include "app/tests/drawn_text.h"
#include "app/tests/test_window.h"
#include "app/window/stage_title.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using Bench = TestWindow;

class Presented : public ::testing::TestWithParam<std::string> {};

TEST_P(Presented, FillsTheWindowWithReadablePictures) {
  Bench bench;
  bench.window.press("F5");
  for (const std::uint64_t n : {8U, 64U}) {
    if (!bench.show(GetParam(), n)) continue;
    for (const ImVec2 size : {kProjector, kDesk}) {
      Headless headless(size, bench.window.unit(size));
      for (const double share : {0.0, 0.5, 1.0}) {
        bench.session.player().seek(static_cast<std::uint32_t>(
            share * static_cast<double>(bench.session.player().replay()->trace().steps.size())));
        headless.settle(bench.window);
        expectDrawn(headless, bench,
                    "N " + std::to_string(n) + ", width " + std::to_string(static_cast<int>(size.x)) +
                        ", share " + std::to_string(share));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Some, Presented, ::testing::ValuesIn(someIds()));
INSTANTIATE_TEST_SUITE_P(Sweep, Presented, ::testing::ValuesIn(allIds()));

TEST(Presenter, IsLargerAndLeavesNoBars) {
  Bench bench;
  const float usual = bench.window.unit(kProjector);
  bench.window.press("F5");
  EXPECT_GT(bench.window.unit(kProjector), 1.2F * usual);
  bench.window.state().mode = Mode::Compare;
  EXPECT_GT(bench.window.unit(kProjector), 1.2F * usual) << "two sides are as large as one";
  bench.window.state().mode = Mode::Explore;
  EXPECT_TRUE(bench.window.state().laser);
  const auto areas = layoutWindow(kProjector, bench.window.unit(kProjector), {.presents = true});
  EXPECT_EQ(areas.of("top bar").h, 0);
  EXPECT_EQ(areas.of("gpu").h, 0);
  bench.window.press("Esc");
  EXPECT_FALSE(bench.window.state().presenting);
  EXPECT_FALSE(bench.window.state().laser);
}

TEST(Presenter, HasLettersThatTheLastRowReads) {
  for (float height = 480; height <= 2160; height += 7) {
    for (const float aspect : {5.0F / 4, 4.0F / 3, 16.0F / 10, 16.0F / 9, 21.0F / 9}) {
      const float unit = presentedUnit({height * aspect, height}, 1);
      EXPECT_GE(fontSize(FontRole::Body) * unit, 0.022F * height) << aspect;
    }
  }
}

TEST(Presenter, ShowsWhatAndWhereInLargeLetters) {
  Bench bench("no-divergence", 64);
  bench.window.press("F5");
  for (const ImVec2 size : {ImVec2(1024, 768), kProjector, kDesk, ImVec2(3840, 2160)}) {
    Headless headless(size, bench.window, bench.window.unit(size));
    headless.settle(bench.window);
    const std::string words = textIn(findPanel("stage title"));
    EXPECT_NE(words.find("No divergence"), std::string::npos) << words << " at " << size.x;
    EXPECT_NE(words.find("phase "), std::string::npos) << words << " at " << size.x;
    EXPECT_EQ(problemText(), "") << size.x;
  }
  EXPECT_EQ(shownPlace(bench.window.state()), "Harris's steps, 2 of 9 · N = 64");
}

TEST(Presenter, HasNoButtons) {
  Bench bench("baseline", 64);
  bench.window.press("F5");
  for (const Mode mode : {Mode::Explore, Mode::Compare, Mode::Table}) {
    bench.window.state().mode = mode;
    for (const char* alone : {"", "gpu", "source"}) {
      bench.window.state().maximised = *alone == 0 ? std::nullopt : std::optional<std::string>(alone);
      const ImVec2 size = kProjector;
      Headless headless(size, bench.window, bench.window.unit(size));
      headless.settle(bench.window);
      const std::string words = headless.words(bench.window);
      for (const char* button :
           {"swap", "copy as CSV", "On GPU", "Run", "Replay", "bandwidthtime", "cold warm"})
        EXPECT_EQ(words.find(button), std::string::npos) << button << " alone: " << alone;
      EXPECT_EQ(problemText(), "") << alone;
    }
  }
}

TEST(Presenter, APanelAloneHasLargerLetters) {
  Bench bench("baseline", 64);
  bench.window.press("F5");
  const float usual = bench.window.unit(kDesk);
  for (const char* panel : {"array", "warps", "banks", "source", "lesson", "counters", "gpu"}) {
    bench.window.state().maximised = panel;
    EXPECT_GT(bench.window.unit(kDesk), 1.1F * usual) << panel;
    for (const ImVec2 size : {kProjector, kDesk}) {
      Headless headless(size, bench.window, bench.window.unit(size));
      headless.settle(bench.window);
      EXPECT_EQ(problemText(), "") << panel << " at " << size.x;
      EXPECT_GT(findPanel(panel).h, 0.7F * size.y) << panel;
    }
  }
  bench.window.state().maximised = "guide";
  EXPECT_EQ(bench.window.unit(kDesk), usual) << "there is no such panel now";
}

TEST(Presenter, TellsWhereTheWalkStands) {
  Bench bench("baseline", 64);
  bench.session.player().seek(12U);
  bench.window.press("F5");
  for (const ImVec2 size : {ImVec2(1024, 768), kProjector, kDesk}) {
    Headless headless(size, bench.window, bench.window.unit(size));
    headless.settle(bench.window);
    EXPECT_NE(withoutSpaces(textIn(findPanel("stage title"))).find("phase2of8·step12of99"), std::string::npos)
        << size.x;
    EXPECT_EQ(problemText(), "") << size.x;
  }
}

TEST(Presenter, NothingOverlapsAtAnySize) {
  for (const bool presents : {false, true}) {
    for (const Mode mode : {Mode::Explore, Mode::Compare, Mode::Table, Mode::Predict}) {
      for (const ImVec2 size :
           {ImVec2(1024, 640), kProjector, kDesk, ImVec2(3840, 2160), ImVec2(800, 1200)}) {
        for (const float scale : kScales) {
          const float unit = presents ? presentedUnit(size, scale) : unitFor(size, scale);
          const auto areas = layoutWindow(size, unit, {.mode = mode, .presents = presents});
          for (std::size_t i = 0; i < areas.panels.size(); ++i) {
            const Area& a = areas.panels[i].area;
            if (a.h <= 0) continue;
            EXPECT_GE(a.x, 0);
            EXPECT_GE(a.y, 0);
            EXPECT_GT(a.w, 100 * unit) << i << " at " << size.x << " scale " << scale;
            EXPECT_GT(a.h, 35 * unit) << i << " at " << size.x << " scale " << scale;
            EXPECT_LE(a.x + a.w, size.x + 0.01F) << i;
            EXPECT_LE(a.y + a.h, size.y + 0.01F) << i << " at " << size.x << " scale " << scale;
            for (std::size_t j = 0; j < i; ++j) {
              const Area& b = areas.panels[j].area;
              const bool apart =
                  b.h <= 0 || a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h;
              EXPECT_TRUE(apart) << i << " and " << j << " at " << size.x << " scale " << scale;
            }
          }
        }
      }
    }
  }
}

TEST(TextSize, GrowsShrinksAndStopsWhereTheWindowEnds) {
  Bench bench("no-divergence", 64);
  for (const ImVec2 size : {kProjector, kDesk}) {
    bench.window.press("Ctrl+0");
    const float own = bench.window.unit(size);
    bench.window.press("Ctrl+-");
    EXPECT_LT(bench.window.unit(size), own);
    bench.window.press("Ctrl+0");
    for (int i = 0; i < 20; ++i) {
      Headless headless(size, bench.window, bench.window.unit(size));
      EXPECT_EQ(problemText(), "") << "width " << size.x << " scale " << bench.window.state().settings.scale;
      if (!bench.window.press("Ctrl++")) break;
    }
    EXPECT_GE(bench.window.unit(size), own);
  }
}

/// Presses Ctrl and + until the text is as large as the window allows.
float largestUnit(Bench& bench, ImVec2 size) {
  Headless headless(size);
  while (bench.window.press("Ctrl++")) continue;
  return bench.window.unit(size);
}

TEST(TextSize, GrowsPastTheColumnsThatItFolds) {
  for (const auto& [size, growth] : {std::pair(kProjector, 1.18F), std::pair(kDesk, 1.4F)}) {
    Bench bench;
    const float own = bench.window.unit(size);
    EXPECT_FALSE(foldsColumns(size, own)) << size.x;
    const float largest = largestUnit(bench, size);
    EXPECT_GT(largest, growth * own) << size.x;
    EXPECT_TRUE(foldsColumns(size, largest)) << size.x;
  }
}

class Folded : public ::testing::TestWithParam<std::string> {};

TEST_P(Folded, KeepsPicturesSourceAndWhatItDoes) {
  for (const ImVec2 size : {kProjector, kDesk, ImVec2(800, 600)}) {
    Bench bench;
    const float unit = largestUnit(bench, size);
    Headless headless(size, unit);
    if (!bench.show(GetParam(), 64)) continue;
    bench.session.player().toEnd();
    bench.session.player().step(Grain::Phase, false);
    for (const Mode mode : {Mode::Explore, Mode::Predict, Mode::Compare, Mode::Table}) {
      bench.window.state().mode = mode;
      headless.settle(bench.window);
      const std::string what =
          std::to_string(static_cast<int>(size.x)) + " wide, mode " + std::to_string(static_cast<int>(mode));
      EXPECT_EQ(problemText(), "") << what;
      if (mode == Mode::Explore) expectDrawn(headless, bench, what);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Some, Folded, ::testing::ValuesIn(someIds()));
INSTANTIATE_TEST_SUITE_P(Sweep, Folded, ::testing::ValuesIn(allIds()));

TEST(Keys, DoWhatTheButtonsOfThePanelsDo) {
  Bench bench("no-divergence", 64);
  EXPECT_FALSE(bench.window.press("V")) << "there is one";
  bench.session.chooseBlocks(4);
  ASSERT_TRUE(waitForTrace(bench.session));
  EXPECT_TRUE(bench.window.press("V"));
  EXPECT_EQ(bench.session.selection().block, 1U);
  bench.window.press("Shift+V");
  bench.window.press("Shift+V");
  EXPECT_EQ(bench.session.selection().block, 3U) << "they go round";
  ASSERT_TRUE(bench.settle());

  Headless headless(kDesk);
  EXPECT_FALSE(bench.window.press("X")) << "nothing is edited";
  EXPECT_TRUE(headless.press(bench.window, "W"));
  EXPECT_TRUE(bench.window.state().sourceIsTall) << "the form is open";
  EXPECT_TRUE(headless.press(bench.window, "W"));
  EXPECT_FALSE(bench.window.state().sourceIsTall);
  EXPECT_TRUE(bench.window.press("I"));
  EXPECT_TRUE(bench.window.type("x"));
  headless.settle(bench.window);
  bench.window.press("Esc");
  EXPECT_TRUE(bench.session.editor().current()->isEdited());
  EXPECT_TRUE(bench.window.press("X"));
  EXPECT_FALSE(bench.session.editor().current()->isEdited());
  ASSERT_TRUE(bench.settle());

  EXPECT_FALSE(bench.window.press("J")) << "nothing is compared";
  headless.press(bench.window, "F2");
  const Strategy* right = bench.session.comparison().strategy();
  ASSERT_NE(right, nullptr);
  EXPECT_TRUE(headless.press(bench.window, "J"));
  EXPECT_EQ(bench.session.comparison().strategy(), right + 1);
  EXPECT_FALSE(bench.window.press("Ctrl+C")) << "there is no table in sight";
  bench.window.press("F3");
  EXPECT_TRUE(headless.press(bench.window, "Ctrl+C"));
  EXPECT_NE(std::string(ImGui::GetClipboardText()).find("id,title,"), std::string::npos);
}

TEST(Keys, ChooseWhatTheMenusChoose) {
  Bench bench("baseline", 8);
  const auto press = [&](const char* key) {
    const bool taken = bench.window.press(key);
    EXPECT_TRUE(waitForTrace(bench.session));
    return taken;
  };
  EXPECT_TRUE(press("."));
  EXPECT_EQ(bench.session.shown().strategy, findStrategy("baseline") + 1);
  EXPECT_TRUE(press(","));
  EXPECT_EQ(bench.session.shown().strategy->id, "baseline");
  EXPECT_FALSE(press("<")) << "8 are the fewest";
  EXPECT_TRUE(press(">"));
  EXPECT_EQ(bench.session.shown().n, 16U);
  EXPECT_TRUE(press("O"));
  EXPECT_EQ(bench.session.shown().blocks, 2U);
  const MachineModel* before = bench.session.shown().machine;
  EXPECT_TRUE(press("K"));
  EXPECT_NE(bench.session.shown().machine, before);
  for (std::size_t i = 1; i < machinePresets().size(); ++i) press("K");
  EXPECT_EQ(bench.session.shown().machine, before) << "they go round";
  EXPECT_TRUE(bench.window.press("U"));
  ASSERT_TRUE(bench.settle());
  EXPECT_NE(bench.session.editor().luck(), nullptr) << "the verdict was asked for";
  EXPECT_TRUE(bench.window.press("G"));
  EXPECT_TRUE(bench.window.state().settings.gpuIsOpen);
}

TEST(Saving, ASessionComesBackWithItsWindow) {
  const std::string path = "/home/user/one.lanescope";
  Bench first("no-divergence", 64);
  first.session.player().seek(23);
  first.window.state().marks.thread = 5;
  first.window.state().marks.warp = 1;
  first.window.state().marks.variable = 1;
  first.window.state().mode = Mode::Compare;
  first.window.state().comparesWarps = true;
  first.session.comparison().choose(findStrategy("shuffle"));
  ASSERT_FALSE(savePath(first.window.state(), path));
  EXPECT_EQ(first.window.state().settings.recent.front(), path);

  Bench second;
  Headless headless(kProjector);
  openPath(second.window.state(), second.files->put(path, first.files->get(path)));
  ASSERT_TRUE(waitForTrace(second.session)) << second.session.error();
  headless.settle(second.window);
  EXPECT_EQ(second.session.error(), "");
  EXPECT_EQ(second.session.player().replay()->cursor().steps, 23U);
  EXPECT_EQ(second.window.state().marks.thread, 5);
  EXPECT_EQ(second.window.state().marks.warp, 1);
  EXPECT_EQ(second.window.state().marks.variable, 1);
  EXPECT_EQ(second.window.state().mode, Mode::Compare);
  EXPECT_TRUE(second.window.state().comparesWarps);
  ASSERT_NE(second.session.comparison().strategy(), nullptr);
  EXPECT_EQ(second.session.comparison().strategy()->id, "shuffle");
  EXPECT_EQ(second.window.state().settings.recent.front(), path);
}

TEST(Saving, WhatCannotBeIsSaid) {
  Bench bench("baseline", 8);
  EXPECT_TRUE(savePath(bench.window.state(), "/nonexistent/folder/x.lanescope"));
  openPath(bench.window.state(), "/nonexistent/x.lanescope");
  EXPECT_SAYS(bench.session.error());
  EXPECT_TRUE(bench.window.state().settings.recent.empty());
  EXPECT_NE(bench.session.player().replay(), nullptr) << "what was shown stays";
}

TEST(Saving, TheDialogsShowInEveryMode) {
  Bench bench("baseline", 8);
  Headless headless(kDesk);
  for (const Mode mode : {Mode::Explore, Mode::Compare, Mode::Table, Mode::Predict}) {
    bench.window.state().mode = mode;
    for (const bool isLarge : {false, true}) {
      bench.window.state().maximised = isLarge ? std::optional("gpu") : std::nullopt;
      for (const char* key : {"Ctrl+O", "Ctrl+S", "E"}) {
        headless.settle(bench.window);
        const int without = ImGui::GetDrawData()->CmdListsCount;
        headless.press(bench.window, key);
        EXPECT_GT(ImGui::GetDrawData()->CmdListsCount, without) << static_cast<int>(mode);
        bench.window.state().dialog = Dialog::None;
      }
    }
  }
}

TEST(Saving, TheDialogFitsAndTakesTheKeys) {
  Bench bench("baseline", 8);
  bench.window.state().settings.remember("/somewhere/in/a/folder/that/is/named/a_kernel.cu");
  for (const ImVec2 size : {ImVec2(1024, 640), kProjector, kDesk}) {
    Headless headless(size);
    headless.press(bench.window, "Ctrl+S");
    EXPECT_TRUE(bench.window.takesText());
    EXPECT_EQ(problemText(), "");
    headless.press(bench.window, "Ctrl+O");
    EXPECT_EQ(bench.window.state().dialog, Dialog::Open) << "in the place of the other";
    EXPECT_EQ(problemText(), "");
    headless.press(bench.window, "Esc");
    EXPECT_FALSE(bench.window.takesText());
  }
}

}  // namespace
}  // namespace lanescope
