// What a GPU measured, in the window: the second margin of the source, a line's machine code, and the page
// "why".
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "app/analysis/cost.h"
#include "app/analysis/diagnosis.h"
#include "app/tests/drawn_text.h"
#include "app/tests/gpu_lab.h"
#include "app/tests/headless.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

TEST(ProfileView, TheSourceHasEachLinesShare) {
  TestWindow app("baseline", 64);
  Headless headless(kDesk, app.window);
  expectDrawn(headless, app, "measured margin");
  EXPECT_TRUE(draws(headless, "GPU time"));
  EXPECT_TRUE(draws(headless, "51%"));
}

TEST(ProfileView, TheInstructionsPerWarpAreShownWhereTheCodeLeavesRoom) {
  const auto shows = [&](std::string_view strategy, const std::string& count) {
    TestWindow app;
    EXPECT_TRUE(app.show(strategy, 64));
    Headless headless(kDesk, app.window, app.window.unit(kDesk));
    EXPECT_TRUE(draws(headless, "GPU time"));
    EXPECT_EQ(problemText(), "");
    return draws(headless, "instr/warp") && findPlace(count, findPanel("source")).x >= 0;
  };
  EXPECT_TRUE(shows("baseline", "152"));
  EXPECT_FALSE(shows("group-reduce", "")) << "its lines have up to 110 characters";
}

TEST(ProfileView, TheMarginsAreNamedForWhatTheyShow) {
  const std::array<std::pair<const char*, const char*>, 2> all{
      {{"vector-add", "sectors"}, {"baseline", "wavefronts · conflicts"}}};
  for (const ImVec2 size : {kProjector, kDesk}) {
    for (const auto& [strategy, name] : all) {
      TestWindow app(strategy, 64);
      app.session.player().toEnd();
      Headless headless(size, app.window, app.window.unit(size));
      const Area source = findPanel("source");
      for (const auto& [other, title] : all)
        EXPECT_EQ(findPlace(title, source).x >= 0, title == name) << strategy << ": " << title;
      const ImVec2 costs = findPlace(name, source);
      headless.settle(app.window, ImVec2(costs.x + 4, costs.y));
      EXPECT_NE(textIn(tipArea()).find("sectors of global memory"), std::string::npos) << strategy;
      EXPECT_EQ(problemText(), "") << strategy;
    }
  }
}

TEST(ProfileView, ALinesMachineCodeLeavesTheLineInSight) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    TestWindow app("baseline", 64);
    Headless headless(size, app.window, app.window.unit(size));
    const ImVec2 share = findPlace("51%", findPanel("source"));
    ASSERT_GE(share.x, 0);
    headless.click(app.window, share);
    const ImGuiWindow* const popup = windowNamed("##Popup");
    ASSERT_NE(popup, nullptr);
    ASSERT_TRUE(popup->WasActive);
    const ImRect area = popup->Rect();
    EXPECT_TRUE(area.Min.y > share.y || area.Max.y < share.y);
    EXPECT_TRUE(ImRect(ImVec2(0, 0), size).Contains(area));
  }
}

TEST(ProfileView, ATextThatWasChangedHasNone) {
  TestWindow app("baseline", 64);
  app.session.editor().current()->buffer.insert("\n");
  Headless headless(kDesk, app.window);
  EXPECT_FALSE(draws(headless, "GPU time"));
  EXPECT_FALSE(draws(headless, "51%"));
}

TEST(ProfileView, NothingOfItIsShownWhileTheRunIsToBePredicted) {
  TestWindow app("baseline", 64);
  app.window.state().mode = Mode::Predict;
  Headless headless(kDesk, app.window);
  EXPECT_FALSE(draws(headless, "51%"));
}

TEST(ProfileView, ThePageSaysWhereTheTimeGoes) {
  Lab lab(recordingOnly(), "shuffle");
  lab.window.state().gpuPanel.page = GpuPage::Why;
  lab.window.state().maximised = "gpu";
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size, lab.window);
    EXPECT_EQ(problemText(), "");
    EXPECT_TRUE(draws(headless, "line 21 takes 42%"));
    EXPECT_TRUE(draws(headless, std::string(toStallReason("long_sb").words)));
  }
}

TEST(ProfileView, ThePageBeginsWithTheChapterOnOneScale) {
  Lab lab(recordingOnly(), "baseline");
  lab.window.state().gpuPanel.page = GpuPage::Why;
  lab.window.state().maximised = "gpu";
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size, lab.window);
    EXPECT_EQ(problemText(), "");
    for (const char* text : {"WHERE THE TIME GOES", "NVIDIA H200, N = 2^26, 256 threads per block", "621 µs",
                             "678 µs", "No bank conflict", "700 µs"})
      EXPECT_TRUE(draws(headless, text)) << text;
  }
}

TEST(ProfileView, AClickOnAPieceOpensTheLinesMachineCode) {
  Lab lab(recordingOnly(), "baseline");
  lab.window.state().gpuPanel.page = GpuPage::Why;
  lab.window.state().maximised = "gpu";
  Headless headless(kDesk, lab.window);
  ASSERT_TRUE(headless.click(lab.window, "if (tid % (2 * k) == 0)", {0, 0, kDesk.x, kDesk.y}));
  headless.settle(lab.window);
  EXPECT_FALSE(lab.window.state().maximised) << "the source has its place again";
  EXPECT_TRUE(draws(headless, "MACHINE CODE"));
  EXPECT_TRUE(draws(headless, "line 11"));
}

TEST(ProfileView, TheTimelinesWidthsTurnToCosts) {
  TestWindow app("baseline", 64);
  Headless headless(kDesk, app.window);
  const std::string& width = app.window.state().settings.stepWidth;
  EXPECT_TRUE(draws(headless, "equal steps"));
  for (const char* next : {"by instructions", "by time", "equal steps"}) {
    EXPECT_TRUE(app.window.press("Shift+M"));
    headless.settle(app.window);
    EXPECT_EQ(width, next);
    EXPECT_TRUE(draws(headless, next));
  }
  EXPECT_EQ(problemText(), "");
  app.window.state().settings.stepWidth = "by instructions";
  app.session.editor().current()->buffer.insert("\n");
  app.session.run();
  ASSERT_TRUE(app.settle());
  headless.settle(app.window);
  EXPECT_TRUE(draws(headless, "equal steps")) << "the changed text was not profiled";
  app.window.press("Shift+M");
  EXPECT_EQ(width, "equal steps");
  EXPECT_SAYS(app.window.state().notice.text);
  app.window.state().mode = Mode::Predict;
  app.window.press("Shift+M");
  EXPECT_SAYS(app.window.state().notice.text);
}

TEST(ProfileView, TheMarginHasTheUnitOfTheTimelinesWidths) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    TestWindow app("baseline", 64);
    Headless headless(size, app.window, app.window.unit(size));
    const auto inMargin = [&](std::string_view text) { return findPlace(text, findPanel("source")).x >= 0; };
    const LaunchProfile& profile =
        *app.window.state().profiles.of(app.session.editor().current()->buffer.text())->profile;
    const LineAmounts amounts = instructionsByLine(profile);
    double all = 0;
    double most = 0;
    for (const auto& [line, amount] : amounts) {
      all += amount;
      if (line > 0) most = std::max(most, amount);
    }
    const std::string share = std::to_string(std::lround(100 * most / all)) + "%";
    ASSERT_NE(share, "51%");
    EXPECT_TRUE(inMargin("GPU time") && inMargin("51%") && !inMargin("instructions"));
    app.window.press("Shift+M");
    headless.settle(app.window);
    EXPECT_TRUE(inMargin("instructions") && inMargin(share) && !inMargin("GPU time") && !inMargin("51%"));
    EXPECT_EQ(problemText(), "");
    app.window.press("Shift+M");
    headless.settle(app.window);
    EXPECT_TRUE(inMargin("GPU time") && inMargin("51%") && !inMargin("instructions"));
  }
}

/// Opens the page "why", large, and waits for the floors of the current text.
bool openWhy(Lab& lab, Headless& headless) {
  lab.window.state().gpuPanel.page = GpuPage::Why;
  lab.window.state().maximised = "gpu";
  headless.settle(lab.window);
  const FloorWatch& floors = lab.session.floors();
  const bool came = lab.waitFor([&] { return floors.report() != nullptr || !floors.problem().empty(); });
  headless.settle(lab.window);
  return came && floors.report() != nullptr;
}

TEST(ProfileView, ThePageSaysWhatTheTextNeedsAtLeast) {
  Lab lab(recordingOnly(), "baseline");
  Headless headless(ImVec2(1920, 2000), 1);  // below the picture of the chapter
  ASSERT_TRUE(openWhy(lab, headless)) << lab.session.floors().problem();
  EXPECT_EQ(problemText(), "");
  EXPECT_TRUE(draws(headless, "issue slots, floor"));
  EXPECT_TRUE(draws(headless, "µs to launch"));
  EXPECT_EQ(lab.session.floors().report()->gpu.id, "h200");
  EXPECT_EQ(lab.session.floors().report()->n, lab.window.state().gpuPanel.n);
}

TEST(ProfileView, AComparisonsFloorsAreOfTheLaunchesThatWereProfiled) {
  TestWindow app;
  ASSERT_TRUE(app.show("baseline", 64));
  app.session.comparison().choose(findStrategy("no-divergence"));
  app.window.press("F2");
  Headless headless(kDesk);
  const auto wait = [&](auto&& isPresent) {
    for (int i = 0; i < 3000 && !isPresent(); ++i) {
      app.session.executor()->step();
      app.session.poll();
      headless.settle(app.window);
    }
    return isPresent();
  };
  ASSERT_TRUE(wait([&] { return app.session.comparison().replay() != nullptr; }));
  ASSERT_TRUE(headless.click(app.window, "profile", findPanel("left")));
  const FloorWatch& left = app.session.comparedFloors()[0];
  const FloorWatch& right = app.session.comparedFloors()[1];
  ASSERT_TRUE(wait([&] { return left.report() != nullptr && right.report() != nullptr; }));
  EXPECT_NE(app.window.state().gpuPanel.n, 1U << 26U);
  EXPECT_EQ(left.report()->n, 1U << 26U);
  EXPECT_EQ(right.report()->n, 1U << 26U);
  headless.settle(app.window);
  for (const char* time : {"621.2 µs", "500.0 µs", "678.4 µs", "565.0 µs"})
    EXPECT_TRUE(draws(headless, time)) << time;
}

TEST(ProfileView, AChangedTextSaysWhatTheChangeCanBring) {
  Lab lab(recordingOnly());
  lab.window.state().machineCode.setToolkit({});
  ASSERT_TRUE(lab.show("baseline"));
  lab.session.editor().current()->buffer.insert("\n");
  Headless headless(kDesk);
  ASSERT_TRUE(openWhy(lab, headless)) << lab.session.floors().problem();
  EXPECT_TRUE(draws(headless, "The strategy's own text takes"));
  EXPECT_TRUE(draws(headless, "was not profiled"));
  EXPECT_FALSE(lab.session.floors().report()->issued) << "no toolkit makes its machine code";
}

TEST(ProfileView, ATextWithoutFloorsSaysWhy) {
  Lab lab(recordingOnly(), "baseline");
  lab.session.editor().current()->buffer.insert("nonsense\n");
  Headless headless(kDesk);
  EXPECT_FALSE(openWhy(lab, headless));
  EXPECT_NE(lab.session.floors().problem(), "");
  EXPECT_EQ(problemText(), "");
}

TEST(ProfileView, AChangedTextIsProfiledOnTheWorker) {
  Lab lab(fake("good"), "baseline");
  lab.session.editor().current()->buffer.insert("\n");
  Headless headless(kDesk);
  ASSERT_TRUE(openWhy(lab, headless));
  EXPECT_FALSE(draws(headless, "GPU time"));
  EXPECT_TRUE(lab.window.press("Shift+F8"));
  EXPECT_TRUE(lab.gpu.text().busy());
  headless.settle(lab.window);
  ASSERT_TRUE(lab.finishText());
  headless.settle(lab.window);
  EXPECT_EQ(lab.gpu.text().outcome().profileProblem, "");
  const std::string text = lab.session.editor().current()->buffer.text();
  const TextProfile* const profile = lab.window.state().profiles.of(text);
  ASSERT_NE(profile, nullptr);
  EXPECT_EQ(profile->origin, "Fake GPU, live");
  EXPECT_EQ(profile->profile->kernel.n, lab.window.state().gpuPanel.n);
  EXPECT_TRUE(draws(headless, "Fake GPU, N = 2^24"));
  EXPECT_TRUE(draws(headless, "Measured on Fake GPU, live"));
  EXPECT_EQ(problemText(), "");
  lab.window.state().maximised.reset();
  lab.window.state().settings.gpuIsOpen = false;
  lab.session.run();
  ASSERT_TRUE(lab.waitFor([&] { return !lab.session.simulating(); }));
  headless.settle(lab.window);
  EXPECT_TRUE(draws(headless, "GPU time")) << "the second margin";
}

TEST(ProfileView, WhatStandsInAProfilesWayIsOneSentence) {
  for (const auto& [mode, sentence] : std::map<std::string, std::string>{
           {"no-ncu", "'ncu' is not on the worker's machine"}, {"no-gpu", "Running the text needs a GPU"}}) {
    Lab lab(fake(mode), "baseline");
    Headless headless(kDesk);
    ASSERT_TRUE(openWhy(lab, headless));
    lab.window.press("Shift+F8");
    ASSERT_TRUE(lab.finishText());
    headless.settle(lab.window);
    const std::string shown = lab.gpu.text().outcome().profileProblem + lab.window.state().notice.text;
    EXPECT_NE(shown.find(sentence), std::string::npos) << mode << ": " << shown;
    EXPECT_EQ(problemText(), "");
  }
}

}  // namespace
}  // namespace lanescope
