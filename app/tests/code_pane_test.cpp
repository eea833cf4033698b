// The machine code of the current line, below the source: from a toolkit of scripts, and without one.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "app/tests/drawn_text.h"
#include "app/tests/headless.h"
#include "app/tests/test_window.h"
#include "app/workbench/tests/fake_toolkit.h"

namespace lanescope {
namespace {

using testing::FakeToolkit;

/// One instruction for line 2 of any text's kernel `two`.
constexpr const char* kTwo =
    ".text._Z3twoPf:\n//## File \"lanescope_text.cu\", line 2\n"
    "/*0010*/ STG.E desc[UR4][R2.64], R5 ;\n/*0020*/ EXIT ;\n";

/// Draws frames until that text is there, for at most half a minute.
bool comesToDraw(Headless& headless, TestWindow& app, const std::string& text) {
  for (int i = 0; i < 300; ++i) {
    app.session.executor()->step();
    app.session.poll();
    headless.settle(app.window);
    if (draws(headless, text)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

constexpr const char* kText = "__global__ void two(float* out) {\n  out[threadIdx.x] = 1.0f;\n}\n";

/// A window with that text in it and the caret on its second line.
void openText(TestWindow& app) {
  app.session.openFile(app.files->put("two.cu", kText));
  ASSERT_TRUE(app.settle());
  app.session.editor().current()->buffer.place(40);
  app.window.state().typing = true;
}

TEST(CodePane, ShowsTheMachineCodeOfTheLineWithTheCaret) {
  const FakeToolkit fake(kTwo);
  TestWindow app;
  app.window.state().machineCode.setToolkit(fake.tools);
  openText(app);
  Headless headless(kDesk, app.window);
  EXPECT_FALSE(draws(headless, "MACHINE CODE"));
  EXPECT_TRUE(app.window.press("Ctrl+B"));
  EXPECT_TRUE(comesToDraw(headless, app, "STG.E desc[UR4][R2.64], R5"));
  EXPECT_TRUE(draws(headless, "line 2, sm_90"));
  EXPECT_TRUE(draws(headless, "issue slots: about 4 warp instructions, 100% of this launch's"));
  EXPECT_EQ(problemText(), "");
  // The same numbers are a unit for the margin and the timeline, without a profile.
  app.window.state().typing = false;
  EXPECT_TRUE(app.window.press("Shift+M"));
  headless.settle(app.window);
  EXPECT_TRUE(draws(headless, "by instructions"));
  EXPECT_GE(findPlace("instructions", findPanel("source")).x, 0);
  EXPECT_GE(findPlace("100%", findPanel("source")).x, 0);
  EXPECT_EQ(problemText(), "");
}

TEST(CodePane, SaysWhatTheCompilerRefusesAndFollowsTheText) {
  const FakeToolkit fake(
      kTwo,
      "if grep -q broken \"$text\"; then echo \"$text(2): error: no such thing\"; else echo made > "
      "\"$cubin\"; fi");
  TestWindow app;
  app.window.state().machineCode.setToolkit(fake.tools);
  openText(app);
  EXPECT_TRUE(app.window.press("Ctrl+B"));
  Headless headless(kDesk);
  EXPECT_TRUE(comesToDraw(headless, app, "STG.E"));
  app.session.editor().current()->buffer.insert("/* broken */");
  ASSERT_TRUE(app.settle());
  EXPECT_TRUE(comesToDraw(headless, app, "line 2: no such thing"));
  EXPECT_FALSE(draws(headless, "STG.E"));
}

TEST(CodePane, WithoutAToolkitSaysHowToGetOne) {
  TestWindow app;
  app.window.state().machineCode.setToolkit({});
  openText(app);
  EXPECT_TRUE(app.window.press("Ctrl+B"));
  Headless headless(kDesk);
  EXPECT_TRUE(comesToDraw(headless, app, "Install the CUDA Toolkit"));
  EXPECT_EQ(problemText(), "");
  EXPECT_TRUE(headless.press(app.window, "Ctrl+B"));
  EXPECT_FALSE(draws(headless, "MACHINE CODE"));
}

TEST(CodePane, WithoutAToolkitShowsWhatWasRecorded) {
  TestWindow app;
  app.window.state().machineCode.setToolkit({});
  ASSERT_TRUE(app.show("butterfly", 64));
  EXPECT_TRUE(app.window.press("Ctrl+B"));
  Headless headless(kDesk);
  EXPECT_TRUE(comesToDraw(headless, app, "recorded on NVIDIA H200"));
  EXPECT_EQ(problemText(), "");
}

// If a line has more instructions than there is room for, those that show are whole.
TEST(CodePane, ShowsWholeRowsOfInstructions) {
  TestWindow app;
  app.window.state().machineCode.setToolkit({});
  ASSERT_TRUE(app.show("no-divergence", 64));
  app.session.player().runToFirst(StopKind::Conflict);
  EXPECT_TRUE(app.window.press("Ctrl+B"));
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    ASSERT_TRUE(comesToDraw(headless, app, "VIADD")) << size.x;
    const ImGuiWindow* const list = windowNamed("/instructions_");
    ASSERT_NE(list, nullptr);
    const std::vector<DrawnText> rows = textsIn(areaOfWindow("/instructions_"));
    ASSERT_GE(rows.size(), 3U);
    for (const DrawnText& row : rows) EXPECT_LE(row.high.y, list->ClipRect.Max.y + 0.5F) << row.text;
  }
}

}  // namespace
}  // namespace lanescope
