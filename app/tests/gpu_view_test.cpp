// The GPU panel as a laboratory: the current text on a worker without a GPU, counters, and the panel
// maximized.
#include <algorithm>

#include <gtest/gtest.h>

#include "app/panels/base/code_input.h"
#include "app/panels/gpu_charts.h"
#include "app/panels/gpu_words.h"
#include "app/tests/drawn_text.h"
#include "app/tests/gpu_lab.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

TEST(GpuLab, RunsAndCountsTheTextFromItsPage) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    Lab lab(fake("echo"), "no-divergence");
    Headless headless(size);
    const Area area = openGpu(headless);
    headless.click(lab.window, page(headless, area, 4));
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
        lab.window.state().maximised = isLarge ? std::optional("gpu") : std::nullopt;
        headless.settle(lab.window);
        EXPECT_EQ(problemText(), "") << theme.id << (isLarge ? " large" : "");
      }
    }
  }
}

TEST(GpuLab, HasAKeyForEveryControl) {
  Lab lab(fake("echo"), "no-divergence");
  Headless headless(kProjector, lab.window);
  const auto press = [&](const char* key) {
    EXPECT_TRUE(headless.press(lab.window, key)) << key;
    EXPECT_EQ(problemText(), "");
  };
  const auto isListOpen = [] { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); };
  for (const char* key : {"F9", "F10", "Shift+F10", "F12"}) {
    press(key);
    EXPECT_TRUE(isListOpen()) << key;
    press("Esc");
    EXPECT_FALSE(isListOpen());
  }
  press("Shift+F7");  // from the first page to the last: the current text
  press("F8");
  ASSERT_TRUE(lab.gpu.text().outcome().wasRun) << lab.gpu.textBlocker();
  ASSERT_TRUE(lab.finishText());
  press("Shift+F8");
  ASSERT_TRUE(lab.gpu.text().outcome().wasCounted);
  ASSERT_TRUE(lab.finishText());
  lab.window.state().mode = Mode::Table;
  EXPECT_FALSE(lab.window.press("F8"));
  EXPECT_SAYS(lab.window.state().notice.text);
}

TEST(GpuLab, RunsTheTextFromTheSourcePanelAndShowsWhatCame) {
  for (const char* mode : {"echo", "text-differs", "text-error", "text-crashes", "no-compiler"}) {
    Lab lab(fake(mode), "no-divergence");
    Headless headless(kProjector, lab.window);
    headless.click(lab.window, headless.findMiddle(lab.window, "/source_", "On GPU"));
    ASSERT_TRUE(lab.gpu.text().outcome().wasRun) << mode;
    ASSERT_TRUE(lab.finishText());
    headless.settle(lab.window);
    EXPECT_GT(areaOfWindow("/report_").h, 0) << "the report speaks of it";
    EXPECT_EQ(problemText(), "") << mode;
  }
}

TEST(GpuLab, RunsAnOpenedFileWithItsOwnLaunch) {
  Lab lab(fake("echo"), "no-divergence");
  lab.session.openFile(lab.files->put("twice.cu",
                                      "__global__ void twice(const float* in, float* out) {\n"
                                      "  out[threadIdx.x] = 2 * in[threadIdx.x];\n}\n"));
  ASSERT_TRUE(lab.waitFor([&] { return lab.session.shown().document == 1; })) << lab.session.error();
  Headless headless(kProjector);
  const Area area = openGpu(headless);
  headless.click(lab.window, page(headless, area, 4));
  headless.click(lab.window, in(headless, area, 55, 78));
  ASSERT_TRUE(lab.gpu.text().outcome().wasRun) << lab.window.state().gpuPanel.refusal;
  ASSERT_TRUE(lab.finishText());
  const TextOutcome& outcome = lab.gpu.text().outcome();
  EXPECT_TRUE(outcome.comparison->equal);
  EXPECT_EQ(outcome.title, "twice.cu");
  ASSERT_TRUE(outcome.timing);
  EXPECT_EQ(outcome.timing->n, 64U);
  headless.settle(lab.window);
  EXPECT_EQ(problemText(), "");
}

TEST(GpuLab, WithARecordingOnlyNothingCanBeRun) {
  Lab lab(recordingOnly(), "no-divergence");
  EXPECT_SAYS(lab.gpu.textBlocker());
  Headless headless(kProjector);
  const Area area = openGpu(headless);
  headless.click(lab.window, page(headless, area, 4));
  headless.click(lab.window, in(headless, area, 55, 80));
  EXPECT_FALSE(lab.gpu.text().outcome().wasRun);
  EXPECT_EQ(lab.window.state().gpuPanel.refusal, "");
  EXPECT_EQ(problemText(), "");
}

TEST(GpuLab, ItsCornersMakeItLargeAndEscapeEndsThat) {
  Lab lab(recordingOnly(), "shuffle");
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    const Area small = openGpu(headless);
    headless.click(lab.window, in(headless, small, small.w / headless.unit() - 142, 20));
    ASSERT_EQ(lab.window.state().maximised, "gpu") << size.x;
    const Area large = largeGpu(headless);
    EXPECT_GT(large.w * large.h, 5 * small.w * small.h);
    for (int number = 0; number < 5; ++number) {
      headless.click(lab.window, page(headless, large, number));
      const std::string expected = number < 4 ? contenderTitle("shuffle") : "Run on GPU";
      EXPECT_NE(textIn(large).find(expected), std::string::npos)
          << "page " << number << ": " << textIn(large);
      EXPECT_EQ(problemText(), "") << "page " << number << " width " << size.x;
    }
    headless.click(lab.window, page(headless, large, 0));
    lab.window.press("Esc");
    EXPECT_FALSE(lab.window.state().maximised);
  }
}

/// True if the chart shows the bar of the current strategy.
bool showsCurrentOne(const MainWindow& window) {
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
    EXPECT_TRUE(showsCurrentOne(lab.window)) << id;
  }
}

TEST(GpuList, LeavesAPersonWhereTheyScrolledTo) {
  Lab lab(recordingOnly(), "float4-loads");
  Headless headless(kProjector, lab.window);
  ASSERT_TRUE(showsCurrentOne(lab.window));
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
  EXPECT_TRUE(showsCurrentOne(lab.window)) << "another strategy is another wish";
}

TEST(GpuLab, UnderATallSourceItIsALineThatAClickMakesLarge) {
  for (const ImVec2 size : {ImVec2(1024, 640), kProjector, kDesk}) {
    Lab lab(recordingOnly(), "shuffle");
    lab.session.openFile(lab.files->put("faulty.cu", "__global__ void faulty(float* out) { out[0] = }\n"));
    ASSERT_TRUE(lab.waitFor([&] { return !lab.session.editor().diagnostics().empty(); }));
    Headless headless(size, lab.window);
    lab.window.press("W");  // the launch's form
    headless.settle(lab.window);
    ASSERT_TRUE(lab.window.state().sourceIsTall);
    const Area folded = findArea(headless, "gpu", {.sourceIsTall = true, .gpuIsOpen = true});
    EXPECT_NE(headless.words(lab.window).find("No measurements of this text"), std::string::npos);
    EXPECT_EQ(problemText(), "") << size.x;
    headless.click(lab.window, in(headless, folded, 100, 18));
    EXPECT_EQ(lab.window.state().maximised, "gpu") << size.x;
    EXPECT_EQ(problemText(), "") << size.x;
  }
}

TEST(GpuLab, SaysLessWhereALineHasLittleRoom) {
  Lab lab(recordingOnly(), "baseline");
  BenchChoice choice{.highlighted = findStrategy("baseline")};
  const GpuLine line = gpuLine(lab.gpu, choice, lab.session.editor().current());
  EXPECT_LT(line.brief.size() + 8, line.text.size()) << line.brief;
  EXPECT_SAYS(line.brief);
  EXPECT_TRUE(line.text.starts_with(line.brief.substr(0, line.brief.find(',')))) << line.brief;
  EXPECT_SAYS(line.terse);
  // In the narrow column of the pictures' layout no word of it is cut.
  lab.window.state().settings.layout = "pictures";
  lab.window.state().settings.gpuIsOpen = false;
  Headless headless(kProjector, lab.window);
  EXPECT_NE(headless.words(lab.window).find(line.terse), std::string::npos) << headless.words(lab.window);
}

TEST(GpuLab, SaysWhoseTimeItIsWhereTheTextIsEdited) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    Lab lab(recordingOnly());
    lab.window.state().settings.gpuIsOpen = false;
    ASSERT_TRUE(lab.show("baseline"));
    Headless headless(size, lab.window);
    EXPECT_EQ(headless.words(lab.window).find("shipped: "), std::string::npos);
    lab.session.editor().current()->buffer.insert("// mine\n");
    headless.settle(lab.window);
    const std::string words = headless.words(lab.window);
    EXPECT_NE(words.find("Not timed as edited; shipped: 423 GB/s"), std::string::npos) << words;
    EXPECT_EQ(problemText(), "") << size.x;
    lab.session.editor().reset();
    headless.settle(lab.window);
    EXPECT_EQ(headless.words(lab.window).find("shipped: "), std::string::npos);
  }
}

TEST(GpuLab, IsALineUntilItIsAskedFor) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    Lab lab(recordingOnly());
    lab.window.state().settings.gpuIsOpen = false;
    ASSERT_TRUE(lab.show("baseline"));
    Headless headless(size, lab.window);
    const std::string words = headless.words(lab.window);
    const bool isWide = size.x > kProjector.x;
    EXPECT_NE(words.find(isWide ? " GB/s on an H200: " : " GB/s, "), std::string::npos) << words;
    EXPECT_NE(words.find(isWide ? "% of what its memory delivers" : "% of an H200's bandwidth"),
              std::string::npos)
        << words;
    const Area line = findArea(headless, "gpu");
    EXPECT_LT(line.h, 45 * headless.unit());
    headless.click(lab.window, in(headless, line, 100, 18));
    EXPECT_TRUE(lab.window.state().settings.gpuIsOpen);
    EXPECT_EQ(lab.window.state().maximised, std::nullopt) << "the column has room";
    EXPECT_NE(headless.words(lab.window).find("over N"), std::string::npos);
    lab.window.press("G");
    EXPECT_FALSE(lab.window.state().settings.gpuIsOpen);
    lab.window.press("F7");
    EXPECT_TRUE(lab.window.state().settings.gpuIsOpen) << "a key of the panel unfolds it";
  }
}

TEST(GpuLine, NamesAGpuWithItsArticle) {
  EXPECT_EQ(withArticle("NVIDIA H200"), "an H200");
  EXPECT_EQ(withArticle("NVIDIA GeForce RTX 4090"), "a GeForce RTX 4090");
  EXPECT_EQ(withArticle("NVIDIA RTX A6000"), "an RTX A6000");
  EXPECT_EQ(withArticle("Tesla V100"), "a Tesla V100");
  EXPECT_EQ(withArticle("V100"), "a V100");
}

}  // namespace
}  // namespace lanescope
