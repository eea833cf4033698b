// The glossary where it is met: on a term of the lesson, of a heading and of a counter, and in its dialog.
#include <gtest/gtest.h>

#include "app/course/glossary.h"
#include "app/tests/drawn_text.h"
#include "app/tests/test_window.h"

namespace lanescope {
namespace {

/// What the tip of the last frame says; "" where there is none.
std::string tipText() { return textIn(tipArea()); }

std::string findDefinition(std::string_view term) { return findEntry(term)->definition; }

class GlossaryInTheWindow : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(bench_.show("baseline", 64));
    headless_.settle(bench_.window);
  }
  const ViewState& state() { return bench_.window.state(); }
  ImVec2 placeIn(const char* view, std::string_view text) { return findPlace(text, findPanel(view)); }
  /// The tip where that text is drawn.
  std::string tipOn(const char* view, std::string_view text) {
    const ImVec2 at = placeIn(view, text);
    EXPECT_GE(at.x, 0) << text;
    headless_.settle(bench_.window, at);
    return tipText();
  }

  TestWindow bench_;
  Headless headless_{kDesk};
};

TEST_F(GlossaryInTheWindow, ATermOfTheLessonShowsItsDefinitionAndOpensTheGlossary) {
  const ImVec2 term = placeIn("lesson text", "kernel");  // later the tip has that word, too
  EXPECT_NE(tipOn("lesson text", "kernel").find(findDefinition("kernel")), std::string::npos) << tipText();
  headless_.click(bench_.window, term);
  ASSERT_EQ(state().dialog, Dialog::Glossary);
  headless_.settle(bench_.window);
  EXPECT_NE(
      withoutSpaces(textIn(areaOfWindow("glossary entry"))).find(withoutSpaces(findDefinition("kernel"))),
      std::string::npos);
  EXPECT_EQ(problemText(), "");
}

TEST_F(GlossaryInTheWindow, HeadingsAndCountersShowTheirs) {
  EXPECT_NE(tipOn("banks", "BANKS").find(findDefinition("bank")), std::string::npos) << tipText();
  EXPECT_NE(tipOn("warps", "WARPS").find(findDefinition("warp")), std::string::npos) << tipText();
  EXPECT_NE(tipOn("source", "KERNEL").find(findDefinition("kernel")), std::string::npos) << tipText();
  EXPECT_NE(tipOn("counters", "conflicts").find(findDefinition("bank conflict")), std::string::npos)
      << tipText();
}

TEST_F(GlossaryInTheWindow, NoTipOfAPanelIsShownWhileADialogIsOpen) {
  const ImVec2 at = placeIn("source", "KERNEL");
  ASSERT_TRUE(bench_.window.press("/"));
  headless_.settle(bench_.window);
  const Area dialog = areaOfWindow("glossary dialog");
  ASSERT_FALSE(dialog.contains(at.x, at.y));
  headless_.settle(bench_.window, at);
  EXPECT_EQ(tipText(), "");
}

TEST_F(GlossaryInTheWindow, TheDialogIsUsedWithTheKeyboard) {
  ASSERT_TRUE(bench_.window.press("/"));
  headless_.settle(bench_.window);
  const auto shown = [&] {
    headless_.settle(bench_.window);
    return textIn(areaOfWindow("glossary entry"));
  };
  EXPECT_NE(shown().find(glossary()[0].definition), std::string::npos);
  EXPECT_TRUE(bench_.window.press("Down"));
  EXPECT_TRUE(bench_.window.press("Down"));
  EXPECT_NE(shown().find(glossary()[2].definition), std::string::npos);
  EXPECT_TRUE(bench_.window.press("Up"));
  EXPECT_NE(shown().find(glossary()[1].definition), std::string::npos);
  for (const char letter : {'b', 'u', 't', 't'})
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
  EXPECT_NE(shown().find(findDefinition("butterfly")), std::string::npos);
  EXPECT_TRUE(bench_.window.press("Enter"));
  EXPECT_EQ(state().dialog, Dialog::None);
  EXPECT_EQ(bench_.session.selection().strategy, lessonsWith(*findEntry("butterfly")).front());
}

TEST_F(GlossaryInTheWindow, ALinkAndALessonCanBeClicked) {
  ASSERT_TRUE(bench_.window.press("/"));
  headless_.settle(bench_.window);
  for (const char letter : {'t', 'i', 'l', 'e'})
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
  headless_.settle(bench_.window);
  ASSERT_TRUE(headless_.click(bench_.window, "padding", areaOfWindow("glossary entry")));
  headless_.settle(bench_.window);
  EXPECT_NE(textIn(areaOfWindow("glossary entry")).find(findDefinition("padding")), std::string::npos);
  const Strategy& lesson = *lessonsWith(*findEntry("padding")).front();
  ASSERT_TRUE(headless_.click(bench_.window, courseNumber(lesson) + "  ", areaOfWindow("glossary entry")) ||
              headless_.click(bench_.window, lesson.title, areaOfWindow("glossary entry")));
  EXPECT_EQ(state().dialog, Dialog::None);
  EXPECT_EQ(bench_.session.selection().strategy, &lesson);
}

TEST(GlossaryDialog, IsWholeInEveryWindow) {
  TestWindow bench("baseline", 64);
  for (const ImVec2 size : {kProjector, ImVec2(1440, 900), kDesk}) {
    Headless headless(size);
    bench.window.state().glossaryEntry = &glossary().front();
    ASSERT_TRUE(bench.window.press("/"));
    for (const GlossaryEntry& entry : glossary()) {
      headless.settle(bench.window);
      EXPECT_NE(withoutSpaces(textIn(areaOfWindow("glossary entry"))).find(withoutSpaces(entry.definition)),
                std::string::npos)
          << entry.term << " at " << size.x;
      EXPECT_EQ(problemText(), "") << entry.term << " at " << size.x;
      const Area dialog = areaOfWindow("glossary dialog");
      EXPECT_LE(dialog.y + dialog.h, size.y);
      bench.window.press("Down");
    }
    EXPECT_TRUE(bench.window.press("Esc"));
  }
}

}  // namespace
}  // namespace lanescope
