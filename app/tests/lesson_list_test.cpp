// The list of lessons: chapters, search, what was visited, and the way to the lessons before and after.
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "app/pictures/base/scene.h"
#include "app/tests/drawn_text.h"
#include "app/tests/test_window.h"
#include "app/workbench/tests/scratch_folder.h"

namespace lanescope {
namespace {

std::string listed() { return withoutSpaces(textIn(areaOfWindow("/strategies_"))); }

void typeInto(std::string_view text) {
  for (const char letter : text) ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
}

TEST(LessonList, HasAChapterForEveryLessonAndNoneTwice) {
  std::set<std::string> ended;
  std::string chapter;
  for (const Strategy& strategy : strategies()) {
    EXPECT_FALSE(strategy.chapter.empty()) << strategy.id;
    if (strategy.chapter == chapter) continue;
    EXPECT_TRUE(ended.insert(strategy.chapter).second) << strategy.id << " is apart from its chapter";
    chapter = strategy.chapter;
    const auto count = std::ranges::count(strategies(), chapter, &Strategy::chapter);
    EXPECT_GE(count, 2) << chapter;
  }
}

/// The list is open only while someone looks for a lesson.
void openList(TestWindow& bench, Headless& headless) {
  ASSERT_TRUE(headless.press(bench.window, "Ctrl+F"));
  ASSERT_GT(areaOfWindow("/strategies_").h, 0);
}

TEST(LessonList, ShowsTheChosenLessonWholeInItsChapter) {
  TestWindow bench;
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    for (const Strategy& strategy : strategies()) {
      ASSERT_TRUE(bench.show(strategy.id, 64)) << strategy.id;
      openList(bench, headless);
      const std::string label = withoutSpaces(courseNumber(strategy) + strategy.title);
      EXPECT_NE(listed().find(label), std::string::npos) << strategy.id << ": " << listed();
      EXPECT_EQ(problemText(), "") << strategy.id;
      headless.press(bench.window, "Esc");
      EXPECT_EQ(areaOfWindow("/strategies_").h, 0) << strategy.id;
    }
  }
}

TEST(LessonList, OpensFromTheLessonsTitle) {
  TestWindow bench("baseline", 64);
  Headless headless(kProjector, bench.window);
  EXPECT_EQ(areaOfWindow("/strategies_").h, 0);
  const float text = areaOfWindow("lesson text").h;
  ASSERT_TRUE(headless.click(bench.window, "4.1", findPanel("lesson")));
  headless.settle(bench.window);
  const Area list = areaOfWindow("/strategies_");
  const Area column = findPanel("lesson");
  EXPECT_GT(list.h, 0.75F * column.h) << "over the lesson";
  EXPECT_LE(list.x + list.w, column.x + column.w);
  EXPECT_LE(list.y + list.h, column.y + column.h);
  EXPECT_EQ(areaOfWindow("lesson text").h, text) << "which stays as it is";
  ASSERT_TRUE(headless.click(bench.window, "4.2", areaOfWindow("/strategies_")));
  ASSERT_TRUE(bench.settle());
  headless.settle(bench.window);
  EXPECT_EQ(bench.session.selection().strategy, findStrategy("no-divergence"));
  EXPECT_EQ(areaOfWindow("/strategies_").h, 0);
}

TEST(LessonList, TheWheelScrollsByWholeRows) {
  TestWindow bench("shuffle", 64);
  Headless headless(kProjector, bench.window);
  openList(bench, headless);
  const Area list = areaOfWindow("/strategies_");
  const ImVec2 middle(list.x + list.w / 2, list.y + list.h / 2);
  headless.settle(bench.window, middle);
  const std::string before = listed();
  for (const float notch : {0.2F, 0.2F, 1.0F, 0.7F}) {
    ImGui::GetIO().MouseWheel = notch;
    headless.settle(bench.window, middle);
    EXPECT_EQ(problemText(), "") << notch;
  }
  EXPECT_NE(listed(), before);
}

TEST(LessonList, TheTipOfALessonIsBesideTheList) {
  TestWindow bench("baseline", 64);
  Headless headless(kProjector, bench.window);
  openList(bench, headless);
  const Area list = areaOfWindow("/strategies_");
  headless.settle(bench.window, ImVec2(list.x + 40, list.y + list.h / 2));
  ASSERT_GT(tipArea().h, 0);
  EXPECT_GE(tipArea().x, list.x + list.w);
}

TEST(LessonList, IsSearchedByTitleIdAndText) {
  TestWindow bench("baseline", 64);
  Headless headless(kDesk, bench.window);
  const auto search = [&](std::string_view words) {
    openList(bench, headless);
    typeInto(words);
    headless.settle(bench.window);
    return listed();
  };
  EXPECT_NE(search("pairw").find("Pairwise"), std::string::npos);
  EXPECT_EQ(listed().find("Baseline"), std::string::npos);
  headless.press(bench.window, "Esc");
  EXPECT_NE(search("William Kahan").find("Compensated"), std::string::npos);
  headless.press(bench.window, "Esc");
  EXPECT_NE(search("last-block-done").find("Lastblockdone"), std::string::npos);
  ASSERT_TRUE(headless.click(bench.window, "Last block", areaOfWindow("/strategies_")));
  headless.settle(bench.window);
  EXPECT_EQ(bench.session.selection().strategy, findStrategy("last-block-done"));
  openList(bench, headless);
  EXPECT_NE(listed().find("Rightanswers"), std::string::npos) << "the whole list is back";
}

TEST(LessonList, RemembersWhatWasVisited) {
  TestWindow bench;
  Headless headless(kProjector);
  for (const char* id : {"shuffle", "butterfly", "shuffle"}) {
    ASSERT_TRUE(bench.show(id, 64));
    headless.settle(bench.window);
  }
  EXPECT_EQ(bench.window.state().settings.visited, (std::vector<std::string>{"shuffle", "butterfly"}));
}

TEST(LessonList, TheButtonsLeadToTheLessonsBeforeAndAfter) {
  TestWindow bench("butterfly", 64);
  Headless headless(kDesk, bench.window);
  const Strategy* here = findStrategy("butterfly");
  headless.click(bench.window, headless.findMiddle(bench.window, "/lesson_", ">##lesson"));
  EXPECT_EQ(bench.session.selection().strategy, here + 1);
  headless.settle(bench.window);
  headless.click(bench.window, headless.findMiddle(bench.window, "/lesson_", "<##lesson"));
  EXPECT_EQ(bench.session.selection().strategy, here);
}

TEST(LessonList, SaysHowMuchOfAChapterWasOpened) {
  TestWindow bench("baseline", 64);
  Headless headless(kDesk, bench.window);
  openList(bench, headless);
  const Strategy& baseline = *findStrategy("baseline");
  const auto all = std::ranges::count(strategies(), baseline.chapter, &Strategy::chapter);
  EXPECT_NE(listed().find(withoutSpaces(baseline.chapter) + "1/" + std::to_string(all)), std::string::npos)
      << listed();
}

TEST(LessonText, HasTheWidthOfASentenceAndOneScrollBar) {
  TestWindow bench("baseline", 64);
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size, bench.window);
    EXPECT_GE(findPanel("lesson").w, 300) << size.x;
    EXPECT_GT(areaOfWindow("lesson text").h, 0.6F * findPanel("lesson").h) << size.x;
    EXPECT_EQ(windowNamed("/lesson_")->ScrollMax.y, 0) << size.x;
  }
}

// A table or a listing of code has lines of its own, whatever the column's width.
TEST(LessonText, CodeThatIsWiderThanTheColumnScrollsSideways) {
  TestWindow bench("bytes-in-flight", 64);
  Headless headless(ImVec2(1280, 4000), bench.window, 1);
  const ImGuiWindow* code = windowNamed("/code_");
  ASSERT_NE(code, nullptr);
  EXPECT_TRUE(code->WasActive);
  EXPECT_GT(code->ScrollMax.x, 0);
  EXPECT_EQ(code->ScrollMax.y, 0);
  EXPECT_EQ(problemText(), "");
}

TEST(LessonText, AnExperimentsBarsHaveTimesAndRatiosInTheColumn) {
  TestWindow bench("bank-strides", 64);
  for (const float width : {1600.0F, 2200.0F}) {
    Headless headless(ImVec2(width, 5000), bench.window, 1);
    const std::string text = textIn(areaOfWindow("lesson text"));
    EXPECT_NE(text.find("ratios to the first"), std::string::npos);
    EXPECT_NE(text.find("1,676 µs"), std::string::npos) << text;
    EXPECT_EQ(problemText(), "");
  }
}

TEST(LessonText, FadesWhereALineIsCut) {
  TestWindow bench("baseline", 64);
  Headless headless(kProjector, bench.window);
  const ImGuiWindow* text = windowNamed("lesson text");
  ASSERT_NE(text, nullptr);
  const ImU32 faded = imguiColor(*bench.window.state().theme, ColorRole::Panel, 0);
  const auto isFaded = [&](float y) {
    return std::ranges::any_of(text->DrawList->VtxBuffer, [&](const ImDrawVert& vertex) {
      return vertex.col == faded && std::abs(vertex.pos.y - y) < 20;
    });
  };
  const ImRect area = text->Rect();
  EXPECT_FALSE(isFaded(area.Min.y)) << "it begins there";
  EXPECT_TRUE(isFaded(area.Max.y));
  const ImVec2 middle = area.GetCenter();
  headless.settle(bench.window, middle);
  for (int i = 0; i < 100; ++i) {
    ImGui::GetIO().MouseWheel = -5;
    headless.frame(bench.window, middle);
  }
  EXPECT_TRUE(isFaded(area.Min.y));
  EXPECT_FALSE(isFaded(area.Max.y)) << "it ends there";
}

}  // namespace
}  // namespace lanescope
