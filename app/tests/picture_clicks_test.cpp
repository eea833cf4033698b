// Clicks that change what a picture shows: the rest of a list, the sources of a comparison.
#include <gtest/gtest.h>

#include <array>

#include "app/tests/drawn_text.h"
#include "app/tests/test_window.h"
#include "app/window/panels.h"

namespace lanescope {
namespace {

/// Goes to the first access of that many wavefronts or more.
void toConflict(Session& session, std::uint32_t wavefronts) {
  const Trace& trace = session.player().replay()->trace();
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index) {
    if (trace.steps[index].wavefronts >= wavefronts) return session.player().seek(index + 1);
  }
}

TEST(BankClicks, TheRestOfTheWavefrontsIsListedInTheBanksPlace) {
  TestWindow bench("transpose-shared", 1024, "nvidia");
  toConflict(bench.session, 32);
  Headless headless(kProjector, bench.window);
  const Area panel = findPanel("banks");
  EXPECT_EQ(textIn(panel).find("32: word 992"), std::string::npos) << "there is no room for it";
  ASSERT_TRUE(headless.click(bench.window, "+", panel));
  headless.settle(bench.window);
  const std::string all = textIn(panel);
  for (std::uint32_t wavefront = 1; wavefront <= 32; ++wavefront) {
    const std::string entry = std::to_string(wavefront) + ": word " + std::to_string(32 * (wavefront - 1));
    EXPECT_NE(all.find(entry), std::string::npos) << entry << "\n" << all;
  }
  EXPECT_EQ(problemText(), "");
  ASSERT_TRUE(headless.click(bench.window, "show the banks", panel));
  headless.settle(bench.window);
  EXPECT_EQ(textIn(panel).find("32: word 992"), std::string::npos);
}

// A reader compares a lane with the others of its row.
TEST(PictureTips, OfALaneOrAWordLeaveItsRowInSight) {
  TestWindow bench("no-divergence", 64, "nvidia");
  toConflict(bench.session, 2);
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size, bench.window);
    for (const auto& [panel, pointed, beside] :
         {std::array{"warps", "10", "20"}, std::array{"warps", "40", "41"},
          std::array{"banks", "36", "37"}}) {
      const ImVec2 at = findPlace(pointed, findPanel(panel));
      ASSERT_GE(at.x, 0) << panel << pointed;
      headless.settle(bench.window, at);
      const Area tip = tipArea();
      ASSERT_GT(tip.h, 0) << panel << pointed;
      const ImVec2 other = findPlace(beside, findPanel(panel));
      const bool isBelow = tip.y > other.y + 10;
      const bool isAbove = tip.y + tip.h < other.y - 10;
      EXPECT_TRUE(isBelow || isAbove) << panel << pointed << ": " << tip.y << " beside " << other.y;
    }
  }
}

// The heading below the warps says what the step that they are at asks of memory.
TEST(PictureTips, LeaveTheHeadingBelowAndTheOtherWordsInSight) {
  TestWindow bench("no-divergence", 64, "nvidia");
  toConflict(bench.session, 2);
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    for (const Arrangement& arrangement : arrangements()) {
      arrange(bench.window.state(), arrangement);
      headless.settle(bench.window);
      const float heading = findPlace("BANKS", findPanel("banks")).y;
      for (const char* lane : {"10", "40"}) {
        headless.settle(bench.window, findPlace(lane, findPanel("warps")));
        const Area tip = tipArea();
        ASSERT_GT(tip.h, 0) << lane;
        EXPECT_LE(tip.y + tip.h, heading - 5) << lane << " at " << size.x << ", " << arrangement.id;
      }
      const float numbers = findPlace("bank", findPanel("banks")).y;
      headless.settle(bench.window, findPlace("36", findPanel("banks")));
      EXPECT_GT(tipArea().y, numbers + 5) << size.x << ", " << arrangement.id;
    }
  }
}

TEST(CompareClicks, BothSourcesAreShownWithWhatDiffers) {
  TestWindow bench("baseline", 64, "nvidia");
  bench.session.comparison().choose(findStrategy("no-divergence"));
  bench.window.press("F2");
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size, bench.window);
    for (int i = 0; i < 3000 && bench.session.comparison().replay() == nullptr; ++i) {
      bench.session.executor()->step();
      bench.session.poll();
      headless.settle(bench.window);
    }
    ASSERT_NE(bench.session.comparison().replay(), nullptr);
    const Area left = findPanel("left");
    ASSERT_TRUE(headless.click(bench.window, "source", left));
    for (const Theme& theme : themes()) {
      bench.window.state().theme = &theme;
      headless.settle(bench.window);
      EXPECT_EQ(problemText(), "") << theme.id;
      for (const char* side : {"left", "right"})
        EXPECT_NE(textIn(findPanel(side)).find("SOURCE"), std::string::npos) << side;
    }
    EXPECT_NE(textIn(findPanel("left")).find("changed (~)"), std::string::npos) << textIn(findPanel("left"));
    ASSERT_TRUE(headless.click(bench.window, "banks", left));
  }
}

}  // namespace
}  // namespace lanescope
