// What a GPU measured, in the window: the second margin of the source, a line's machine code, and the page
// "why".
#include <gtest/gtest.h>

#include "app/tests/drawn_text.h"
#include "app/tests/gpu_lab.h"
#include "app/tests/headless.h"

namespace lanescope {
namespace {

bool draws(const Headless& headless, const std::string& text) {
  return textIn({0, 0, headless.size().x, headless.size().y}).find(text) != std::string::npos;
}

TEST(ProfileView, TheSourceHasEachLinesShare) {
  TestWindow app;
  ASSERT_TRUE(app.show("baseline", 64));
  Headless headless(kDesk);
  headless.settle(app.window);
  expectDrawn(headless, app, "measured margin");
  EXPECT_TRUE(draws(headless, "GPU time"));
  EXPECT_TRUE(draws(headless, "52%"));
}

TEST(ProfileView, ATextThatWasChangedHasNone) {
  TestWindow app;
  ASSERT_TRUE(app.show("baseline", 64));
  app.session.editor().current()->buffer.insert("\n");
  Headless headless(kDesk);
  headless.settle(app.window);
  EXPECT_FALSE(draws(headless, "GPU time"));
  EXPECT_FALSE(draws(headless, "52%"));
}

TEST(ProfileView, NothingOfItIsShownWhileTheRunIsToBePredicted) {
  TestWindow app;
  ASSERT_TRUE(app.show("baseline", 64));
  app.window.state().mode = Mode::Predict;
  Headless headless(kDesk);
  headless.settle(app.window);
  EXPECT_FALSE(draws(headless, "52%"));
}

TEST(ProfileView, ThePageSaysWhereTheTimeGoes) {
  Lab lab(recordingOnly());
  ASSERT_TRUE(lab.show("shuffle"));
  lab.window.state().gpuPanel.page = GpuPage::Why;
  lab.window.state().maximised = Place::Gpu;
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    headless.settle(lab.window);
    EXPECT_EQ(problemText(), "");
    EXPECT_TRUE(draws(headless, "line 21 takes 43%"));
    EXPECT_TRUE(draws(headless, "waits for global memory"));
  }
}

}  // namespace
}  // namespace lanescope
