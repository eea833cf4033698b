// A list of scenes: made from what is seen, shown one after another, kept in a session file.
#include <string>

#include <gtest/gtest.h>

#include "app/panels/file_dialogs.h"
#include "app/panels/scenes.h"
#include "app/tests/test_window.h"

namespace lanescope {
namespace {

bool press(TestWindow& bench, const char* key) { return bench.window.press(Chord(key)) && bench.settle(); }

std::string shown(const TestWindow& bench) {
  const Selection& selection = bench.session.selection();
  return std::string(selection.strategy->id) + " " + std::to_string(selection.n);
}

TEST(Scenes, AreAddedAndShownAgainAsTheyWere) {
  TestWindow bench("baseline", 8);
  ViewState& state = bench.window.state();
  bench.session.player().seek(7);
  ASSERT_TRUE(press(bench, "Ctrl+D"));
  ASSERT_TRUE(bench.show("no-divergence", 64));
  bench.session.player().seek(20);
  state.settings.layout = "code";
  state.gpuPanel.picks = {"baseline", "cub"};
  state.gpuPanel.page = GpuPage::OverN;
  ASSERT_TRUE(press(bench, "Ctrl+D"));
  ASSERT_EQ(state.scenes.scenes.size(), 2U);

  state.settings.layout.clear();
  ASSERT_TRUE(press(bench, "PageUp"));
  EXPECT_EQ(shown(bench), "baseline 8");
  EXPECT_EQ(bench.session.player().replay()->cursor().steps, 7U);
  EXPECT_EQ(state.gpuPanel.page, GpuPage::Bandwidth);
  EXPECT_FALSE(bench.window.press(Chord("PageUp"))) << "it is the first";
  ASSERT_TRUE(press(bench, "PageDown"));
  EXPECT_EQ(shown(bench), "no-divergence 64");
  EXPECT_EQ(bench.session.player().replay()->cursor().steps, 20U);
  EXPECT_EQ(state.settings.layout, "code");
  EXPECT_EQ(state.gpuPanel.page, GpuPage::OverN);
  EXPECT_EQ(state.gpuPanel.wantedPicks, (std::set<std::string>{"baseline", "cub"}));

  ASSERT_FALSE(savePath(state, "scenes.lanescope"));
  TestWindow other("shuffle", 64);
  openPath(other.window.state(), other.files->put("scenes.lanescope", bench.files->get("scenes.lanescope")));
  ASSERT_TRUE(other.settle());
  EXPECT_EQ(other.window.state().scenes.scenes, state.scenes.scenes);
  ASSERT_TRUE(press(other, "PageDown"));
  EXPECT_EQ(shown(other), "baseline 8");
}

TEST(Scenes, OfAChapterAreItsLessonsWhereTheyOpen) {
  for (const char* id : {"baseline", "transpose-by-row", "vector-add"}) {
    TestWindow bench(id, 64);
    ASSERT_TRUE(runCommand(bench.window.state(), bench.window.commandTable().of("chapter scenes")));
    const std::size_t scenes = bench.window.state().scenes.scenes.size();
    ASSERT_GE(scenes, 2U) << id;
    for (std::size_t i = 0; i < scenes; ++i) {
      ASSERT_TRUE(bench.settle());
      EXPECT_EQ(bench.session.error(), "") << i;
      EXPECT_EQ(bench.session.selection().strategy->chapter, findStrategy(id)->chapter);
      EXPECT_EQ(bench.window.state().scenes.current, i);
      EXPECT_EQ(bench.window.press(Chord("PageDown")), i + 1 < scenes);
    }
  }
}

TEST(Scenes, AreAStripBelowTheTimelineButNotInPresent) {
  TestWindow bench("baseline", 64);
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    headless.settle(bench.window);
    bench.window.state().scenes = {};
    headless.settle(bench.window);
    EXPECT_EQ(findPanel("scenes").h, 0);
    bench.window.state().scenes.scenes = chapterScenes(*findStrategy("baseline"));
    bench.window.state().scenes.current = 1;
    headless.settle(bench.window);
    EXPECT_TRUE(draws(headless, "2 No divergence, N = 64"));
    EXPECT_GE(findPanel("scenes").y, findPanel("transport").y + findPanel("transport").h);
    EXPECT_EQ(problemText(), "");
    bench.window.state().presenting = true;
    headless.settle(bench.window);
    EXPECT_EQ(findPanel("scenes").h, 0);
    bench.window.state().presenting = false;
  }
}

}  // namespace
}  // namespace lanescope
