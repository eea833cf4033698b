// What went wrong is shown in one place, which covers nothing.

#include <gtest/gtest.h>

#include "app/tests/drawn_text.h"
#include "app/tests/test_window.h"

namespace lanescope {
namespace {

constexpr const char* kFaulty = "__global__ void mine(float* out) {\n  out[threadIdx.x] = 1.0f\n}\n";
constexpr const char* kFault = "Expected ';'";

std::size_t timesIn(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

struct ErrorBench : TestWindow {
  using TestWindow::TestWindow;
  void openFaulty() {
    session.openFile(files->put("faulty.cu", kFaulty));
    settle();
  }
};

/// The panels of the last frame that lie under a part of that window.
std::string panelsUnder(const ImGuiWindow& over) {
  std::string names;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    const bool isPanel =
        window->WasActive && window->ParentWindow != nullptr && window->RootWindow != over.RootWindow;
    if (isPanel && window->Rect().Overlaps(over.Rect())) names += std::string(window->Name) + "\n";
  }
  return names;
}

TEST(FaultyFile, IsToldInTheSourceAlone) {
  for (const bool presents : {false, true}) {
    ErrorBench bench;
    bench.openFaulty();
    if (presents) bench.window.press("F5");
    ASSERT_FALSE(bench.session.error().empty());
    for (const ImVec2 size : {ImVec2(1024, 640), kProjector, kDesk}) {
      Headless headless(size, bench.window, bench.window.unit(size));
      const std::string words = headless.words(bench.window);
      EXPECT_EQ(timesIn(words, kFault), 1U) << words;
      EXPECT_EQ(timesIn(words, "No run to show"), 1U) << words;
      EXPECT_EQ(timesIn(words, "then press Run (Ctrl+Enter)"), 1U) << words;
      // Every other panel says what it will show; presenting, some of them are not there.
      EXPECT_EQ(timesIn(words, "once the kernel runs"), presents ? 2U : 4U) << words;
      EXPECT_EQ(windowNamed("strip"), nullptr);
      EXPECT_EQ(problemText(), "") << size.x;
    }
  }
}

TEST(FaultyFile, IsToldBelowWhereTheSourceIsNot) {
  ErrorBench bench;
  bench.openFaulty();
  bench.window.press("F2");
  Headless headless(kProjector, bench.window);
  const ImGuiWindow* error = windowNamed("strip");
  ASSERT_NE(error, nullptr);
  EXPECT_TRUE(error->WasActive);
  EXPECT_EQ(timesIn(headless.words(bench.window), kFault), 0U);
  EXPECT_EQ(problemText(), "");
}

TEST(ErrorStrip, CoversNothing) {
  for (const Mode mode : {Mode::Explore, Mode::Compare, Mode::Table, Mode::Predict}) {
    for (const bool presents : {false, true}) {
      ErrorBench bench("baseline", 64);
      bench.window.state().mode = mode;
      bench.window.state().presenting = presents;
      std::string words = "It cannot be had";
      for (const int more : {0, 60}) {
        for (int i = 0; i < more; ++i) words += " for one more reason";
        for (const ImVec2 size : {ImVec2(1024, 640), kProjector, kDesk}) {
          bench.session.reportError({words + ".", "Choose another.", {}});
          bench.window.state().notify("A key did nothing.");
          Headless headless(size, bench.window, bench.window.unit(size));
          const ImGuiWindow* error = windowNamed("strip");
          ASSERT_NE(error, nullptr);
          EXPECT_EQ(panelsUnder(*error), "") << static_cast<int>(mode) << " width " << size.x;
          EXPECT_TRUE(ImRect(ImVec2(0, 0), size).Contains(error->Rect()));
          EXPECT_EQ(problemText(), "") << static_cast<int>(mode) << " width " << size.x;
          const ImRect text = error->Rect();
          headless.click(bench.window, ImVec2(text.Max.x - 40 * headless.unit(), text.Min.y + 20));
          EXPECT_EQ(bench.session.error(), "") << "its button dismisses it";
        }
      }
    }
  }
}

TEST(FaultInTheWalk, ShowsTheVariablesOfTheThreadAtFault) {
  ErrorBench bench;
  bench.session.openFile(
      bench.files->put("outside.cu",
                       "__global__ void mine(const float* in, float* out) {\n  int i = threadIdx.x;\n"
                       "  out[i] = in[i + 1];\n}\n"));
  ASSERT_TRUE(bench.settle());
  Headless headless(kProjector, bench.window);
  const std::string words = headless.words(bench.window);
  EXPECT_NE(words.find("thread 63"), std::string::npos) << words;
}

// The walk is of the block that was asked for; the report names the other one as the fault does, and leads to
// it.
TEST(FaultInAnotherBlock, IsOneClickAway) {
  ErrorBench bench;
  Player& player = bench.session.player();
  bench.session.openFile(
      bench.files->put("below.cu",
                       "__global__ void blur(const float* in, float* out, int width, int height) {\n"
                       "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
                       "  if (x < width && y < height)\n"
                       "    out[y * width + x] = in[y * width + x] + in[(y + 1) * width + x];\n}\n"));
  ASSERT_TRUE(bench.settle());
  Headless headless(kProjector, bench.window);
  ASSERT_FALSE(player.replay()->trace().fault) << "it opens at the first block";
  const std::string words = withoutSpaces(textIn(findPanel("source")));
  EXPECT_NE(words.find("at:thread(0,7)ofblock(0,1)reads"), std::string::npos) << words;
  ASSERT_TRUE(headless.click(bench.window, "at:", findPanel("source")));
  ASSERT_TRUE(bench.settle());
  headless.settle(bench.window);
  const Trace& trace = player.replay()->trace();
  EXPECT_EQ(trace.tracedBlock, (Dim3{0, 1, 0}));
  ASSERT_TRUE(trace.fault);
  EXPECT_EQ(player.replay()->cursor().steps, trace.steps.size()) << "at the fault";
}

TEST(UnsavedText, IsOfferedInTheStripBelow) {
  constexpr const char* kMine = "// mine\n";
  const auto files = std::make_shared<testing::MemoryHost>();
  const auto makeBench = [&] {
    auto bench = std::make_unique<TestWindow>(noWorker(), std::function<void()>(), files);
    bench->window.keepDrafts();
    bench->show("baseline", 64);
    return bench;
  };
  for (const bool opens : {true, false}) {
    auto killed = makeBench();
    killed->session.editor().current()->buffer.insert(kMine);
    killed->window.flushDrafts();
    killed.reset();
    const auto bench = makeBench();
    for (const ImVec2 size : {ImVec2(1024, 640), kProjector}) {
      Headless headless(size, bench->window, bench->window.unit(size));
      const ImGuiWindow* const strip = windowNamed("strip");
      ASSERT_NE(strip, nullptr);
      EXPECT_EQ(panelsUnder(*strip), "");
      EXPECT_EQ(problemText(), "") << size.x;
      EXPECT_TRUE(draws(headless, "'baseline.cu' was not saved when Lanescope ended."));
    }
    Headless headless(kProjector, bench->window, bench->window.unit(kProjector));
    const Area all{0, 0, kProjector.x, kProjector.y};
    ASSERT_TRUE(headless.click(bench->window, opens ? "Open it" : "Discard it", all));
    EXPECT_FALSE(draws(headless, "was not saved when")) << "it is answered";
    EXPECT_EQ(bench->session.editor().current()->buffer.text().starts_with(kMine), opens);
    if (opens) {
      bench->session.resetText();
      bench->window.flushDrafts();
    }
  }
  EXPECT_EQ(files->kindOf("/home/unsaved-1.lanescope"), Host::FileKind::None);
}

}  // namespace
}  // namespace lanescope
