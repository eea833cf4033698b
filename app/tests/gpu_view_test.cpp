// The GPU panel as a laboratory: the text at hand on a worker without a GPU, counters, and the panel made
// large.
#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "app/tests/gpu_lab.h"
#include "app/views/gpu/gpu_text_view.h"
#include "app/views/source/code_input.h"

namespace lanescope {
namespace {

TEST(GpuLab, RunsAndCountsTheTextFromItsPage) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    Lab lab(fake("echo"));
    ASSERT_TRUE(lab.show("no-divergence"));
    Headless headless(size);
    const Area area = areaOf(headless, Place::Gpu);
    headless.click(lab.window, page(headless, area, 3));
    EXPECT_EQ(problemText(), "");
    headless.click(lab.window, in(headless, area, 55, 78));  // Run on GPU
    ASSERT_TRUE(lab.gpu.text().outcome().wasRun) << size.x << lab.gpu.textBlocker();
    headless.settle(lab.window);
    EXPECT_EQ(problemText(), "") << "while it runs";
    ASSERT_TRUE(lab.finishText());
    EXPECT_TRUE(lab.gpu.text().outcome().comparison->equal);
    EXPECT_TRUE(lab.gpu.text().outcome().timing);
    headless.click(lab.window, in(headless, area, 140, 80));  // Counters
    ASSERT_TRUE(lab.gpu.text().outcome().wasCounted);
    ASSERT_TRUE(lab.finishText());
    ASSERT_EQ(lab.gpu.text().outcome().counters.size(), 12U);
    for (const Theme& theme : themes()) {
      lab.window.state().theme = &theme;
      for (const bool isLarge : {false, true}) {
        lab.window.state().gpuPanel.isLarge = isLarge;
        headless.settle(lab.window);
        EXPECT_EQ(problemText(), "") << theme.id << (isLarge ? " large" : "");
      }
    }
  }
}

TEST(GpuLab, HasAKeyForEveryControl) {
  Lab lab(fake("echo"));
  ASSERT_TRUE(lab.show("no-divergence"));
  Headless headless(kProjector);
  headless.settle(lab.window);
  const auto press = [&](const char* key) {
    EXPECT_TRUE(lab.window.press(key)) << key;
    headless.settle(lab.window);
    EXPECT_EQ(problemText(), "");
  };
  const auto isListOpen = [] { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); };
  for (const char* key : {"F9", "F10", "Shift+F10", "F12"}) {
    press(key);
    EXPECT_TRUE(isListOpen()) << key;
    press("Esc");
    EXPECT_FALSE(isListOpen());
  }
  press("Shift+F7");  // from the first page to the last: the text at hand
  press("F8");
  ASSERT_TRUE(lab.gpu.text().outcome().wasRun) << lab.gpu.textBlocker();
  ASSERT_TRUE(lab.finishText());
  press("Shift+F8");
  ASSERT_TRUE(lab.gpu.text().outcome().wasCounted);
  ASSERT_TRUE(lab.finishText());
  lab.window.state().mode = Mode::Table;
  EXPECT_FALSE(lab.window.press("F8"));
  EXPECT_NE(lab.window.state().notice.text.find("not in sight"), std::string::npos);
}

TEST(GpuLab, RunsTheTextFromTheSourcePanelAndShowsWhatCame) {
  for (const char* mode : {"echo", "text-differs", "text-error", "text-crashes", "no-compiler"}) {
    Lab lab(fake(mode));
    ASSERT_TRUE(lab.show("no-divergence"));
    Headless headless(kProjector);
    headless.settle(lab.window);
    const Area source = areaOf(headless, Place::Source);
    const float x = source.x + 0.69F * source.w;
    for (float y = source.y + source.h - 30; y > source.y + 60 && !lab.gpu.text().outcome().wasRun; y -= 6)
      headless.click(lab.window, ImVec2(x, y));
    ASSERT_TRUE(lab.gpu.text().outcome().wasRun) << mode;
    ASSERT_TRUE(lab.finishText());
    headless.settle(lab.window);
    EXPECT_TRUE(lab.window.state().sourceIsTall) << "the report tells of it";
    EXPECT_EQ(problemText(), "") << mode;
  }
}

TEST(GpuLab, RunsAnOpenedFileWithItsOwnLaunch) {
  const std::string path = testing::TempDir() + "lanescope_twice.cu";
  std::ofstream(path) << "__global__ void twice(const float* in, float* out) {\n"
                         "  out[threadIdx.x] = 2 * in[threadIdx.x];\n}\n";
  Lab lab(fake("echo"));
  ASSERT_TRUE(lab.show("no-divergence"));
  lab.session.openFile(path);
  ASSERT_TRUE(lab.waitFor([&] { return lab.session.shown().document == 1; })) << lab.session.error();
  Headless headless(kProjector);
  const Area area = areaOf(headless, Place::Gpu);
  headless.click(lab.window, page(headless, area, 3));
  headless.click(lab.window, in(headless, area, 55, 78));
  ASSERT_TRUE(lab.gpu.text().outcome().wasRun) << lab.window.state().gpuPanel.refusal;
  ASSERT_TRUE(lab.finishText());
  const TextOutcome& outcome = lab.gpu.text().outcome();
  EXPECT_TRUE(outcome.comparison->equal);
  EXPECT_EQ(outcome.title, "lanescope_twice.cu");
  ASSERT_TRUE(outcome.timing);
  EXPECT_EQ(outcome.timing->n, 64U);
  headless.settle(lab.window);
  EXPECT_EQ(problemText(), "");
}

TEST(GpuLab, WithARecordingOnlyNothingCanBeRun) {
  Lab lab(recordingOnly());
  ASSERT_TRUE(lab.show("no-divergence"));
  EXPECT_NE(lab.gpu.textBlocker().find("recording"), std::string::npos) << lab.gpu.textBlocker();
  Headless headless(kProjector);
  const Area area = areaOf(headless, Place::Gpu);
  headless.click(lab.window, page(headless, area, 3));
  headless.click(lab.window, in(headless, area, 55, 80));
  EXPECT_FALSE(lab.gpu.text().outcome().wasRun);
  EXPECT_EQ(lab.window.state().gpuPanel.refusal, "");
  EXPECT_EQ(problemText(), "");
}

TEST(GpuLab, ItsCornersMakeItLargeAndEscapeEndsThat) {
  Lab lab(recordingOnly());
  ASSERT_TRUE(lab.show("shuffle"));
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    const Area small = areaOf(headless, Place::Gpu);
    headless.click(lab.window, in(headless, small, small.w / headless.unit() - 142, 20));
    ASSERT_TRUE(lab.window.state().gpuPanel.isLarge) << size.x;
    const Area large = largeGpu(headless);
    EXPECT_GT(large.w * large.h, 5 * small.w * small.h);
    for (int number = 0; number < 4; ++number) {
      headless.click(lab.window, page(headless, large, number));
      EXPECT_GT(verticesIn(large), 200U) << "page " << number;
      EXPECT_EQ(problemText(), "") << "page " << number << " width " << size.x;
    }
    headless.click(lab.window, page(headless, large, 0));
    lab.window.press("Esc");
    EXPECT_FALSE(lab.window.state().gpuPanel.isLarge);
  }
}

/// Whether the chart shows the bar of the strategy at hand.
bool showsTheOneAtHand(const MainWindow& window) {
  const ImGuiWindow* chart = windowNamed("/chart_");
  if (chart == nullptr) return false;
  const ImU32 color = imguiColor(*window.state().theme, ColorRole::BarHighlight);
  return std::ranges::any_of(chart->DrawList->VtxBuffer, [&](const ImDrawVert& vertex) {
    return vertex.col == color && chart->InnerRect.Contains(vertex.pos);
  });
}

TEST(GpuList, FollowsTheStrategyAtHandWhileNumbersComeIn) {
  GpuSessionOptions options = recordingOnly();
  options.replaySeconds = 6;
  Lab lab(options);
  ASSERT_FALSE(lab.gpu.replay());
  Headless headless(kProjector);
  for (const char* id :
       {"butterfly", "baseline", "transpose-padded", "float4-loads", "block-tree", "kahan"}) {
    ASSERT_FALSE(lab.gpu.replay());
    ASSERT_TRUE(lab.TestWindow::show(id, 64));
    for (double now = 0; now <= 8; now += 0.25) {
      lab.gpu.update(now);
      headless.settle(lab.window);
    }
    EXPECT_TRUE(showsTheOneAtHand(lab.window)) << id;
  }
}

TEST(GpuList, LeavesAPersonWhereTheyScrolledTo) {
  Lab lab(recordingOnly());
  ASSERT_TRUE(lab.show("float4-loads"));
  Headless headless(kProjector);
  headless.settle(lab.window);
  ASSERT_TRUE(showsTheOneAtHand(lab.window));
  const ImGuiWindow* chart = windowNamed("/chart_");
  ASSERT_GT(chart->Scroll.y, 0);
  for (int i = 0; i < 30; ++i) {
    ImGui::GetIO().MouseWheel = 1;
    headless.frame(lab.window, chart->InnerRect.GetCenter());
  }
  headless.settle(lab.window);
  EXPECT_EQ(chart->Scroll.y, 0);
  ASSERT_TRUE(lab.TestWindow::show("shuffle", 64));
  headless.settle(lab.window);
  EXPECT_TRUE(showsTheOneAtHand(lab.window)) << "another strategy is another wish";
}

TEST(GpuLab, UnderATallSourceItsHeadingStays) {
  for (const ImVec2 size : {ImVec2(1024, 640), kProjector, kDesk}) {
    Lab lab(recordingOnly());
    ASSERT_TRUE(lab.show("shuffle"));
    const std::string path = testing::TempDir() + "lanescope_faulty.cu";
    std::ofstream(path) << "__global__ void faulty(float* out) { out[0] = }\n";
    lab.session.openFile(path);
    ASSERT_TRUE(lab.waitFor([&] { return !lab.session.editor().diagnostics().empty(); }));
    Headless headless(size);
    headless.settle(lab.window);
    ASSERT_TRUE(lab.window.state().sourceIsTall);
    const Area folded = layoutPlaces(headless.size(), headless.unit(),
                                     {.sourceIsTall = true})[static_cast<std::size_t>(Place::Gpu)];
    EXPECT_GT(folded.h, 30 * headless.unit());
    EXPECT_NE(headless.words(lab.window).find("NVIDIA H"), std::string::npos) << "whose numbers there are";
    EXPECT_EQ(problemText(), "") << size.x;
    headless.click(lab.window, in(headless, folded, folded.w / headless.unit() - 142, 20));
    EXPECT_TRUE(lab.window.state().gpuPanel.isLarge) << size.x;
    EXPECT_EQ(problemText(), "") << size.x;
  }
}

// The press ends the writing, and the panel unfolds under the pointer: not before the click is over.
TEST(GpuLab, ItsFoldedHeadingTakesTheClickThatEndsWriting) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    Lab lab(recordingOnly());
    ASSERT_TRUE(lab.show("shuffle"));
    Headless headless(size);
    const Area source = areaOf(headless, Place::Source);
    const Area folded = areaOf(headless, Place::Gpu, {.sourceIsTall = true});
    TextBuffer& buffer = lab.session.editor().current()->buffer;
    const auto write = [&] {
      headless.click(lab.window, {source.x + source.w / 2, source.y + 70 * headless.unit()});
      ASSERT_TRUE(lab.window.takesText());
      lab.window.type({CodeKey::Character, false, false, 'x'});
      headless.settle(lab.window);
    };
    write();
    const std::string text = buffer.text();
    const std::uint32_t caret = buffer.caret();
    headless.click(lab.window, in(headless, folded, folded.w / headless.unit() - 142, 20));
    EXPECT_TRUE(lab.window.state().gpuPanel.isLarge) << size.x;
    EXPECT_FALSE(lab.window.takesText()) << "the source is gone";
    EXPECT_FALSE(lab.window.type({CodeKey::Character, false, false, 'y'}));
    lab.window.press("Esc");
    headless.settle(lab.window);
    EXPECT_EQ(buffer.text(), text);
    EXPECT_EQ(buffer.caret(), caret);
    write();
    headless.click(lab.window, in(headless, folded, folded.w / headless.unit() - 60, 20));
    EXPECT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) << "its options, " << size.x;
    EXPECT_FALSE(lab.window.state().sourceIsTall) << "the panel unfolds";
    EXPECT_EQ(problemText(), "") << size.x;
  }
}

}  // namespace
}  // namespace lanescope
