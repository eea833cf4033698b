// The bar above the pictures: it shares out its room without a look at the frame before.
#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "app/tests/drawn_text.h"
#include "app/tests/test_window.h"

namespace lanescope {
namespace {

std::vector<std::pair<float, float>> cornersOfBar() {
  std::vector<std::pair<float, float>> corners;
  const ImGuiWindow* bar = windowNamed("/top bar");
  if (bar == nullptr) return corners;
  for (const ImDrawVert& vertex : bar->DrawList->VtxBuffer) corners.emplace_back(vertex.pos.x, vertex.pos.y);
  return corners;
}

TEST(TopBar, LiesInTheFirstFrameWhereItStays) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    TestWindow bench;
    Headless headless(size);
    for (const std::uint64_t blocks : {1U, 4U, 1U}) {
      ASSERT_TRUE(bench.show("no-divergence", 1024));
      bench.session.chooseBlocks(blocks);
      ASSERT_TRUE(waitForTrace(bench.session));
      headless.frame(bench.window);
      const auto first = cornersOfBar();
      ASSERT_GT(first.size(), 100U);
      headless.settle(bench.window);
      EXPECT_EQ(first, cornersOfBar()) << size.x << " wide, blocks: " << blocks;
    }
    // A larger scale and back, as presenting does it.
    headless.settle(bench.window);
    const auto before = cornersOfBar();
    headless.press(bench.window, "F5");
    headless.press(bench.window, "Esc");
    EXPECT_EQ(before, cornersOfBar()) << size.x << " wide";
  }
}

TEST(TopBar, TheTipOfAListLeavesWhatIsChosenInSight) {
  TestWindow bench("baseline", 64);
  Headless headless(kProjector, bench.window);
  const ImVec2 at = findPlace("nvidia", findPanel("top bar"));
  ASSERT_GE(at.x, 0);
  headless.settle(bench.window, at);
  ASSERT_GT(tipArea().h, 0);
  EXPECT_GT(tipArea().y, at.y + 8);
}

TEST(TopBar, ItsTitleIsInTheMiddle) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    TestWindow bench("baseline", 64);
    Headless headless(size, bench.window);
    const ImGuiWindow* bar = windowNamed("/top bar");
    ASSERT_NE(bar, nullptr);
    const float left = bar->Pos.x + 4 * headless.unit();
    const float right = left + 60 * headless.unit();
    const float margin = 3 * headless.unit();  // the frame
    float top = bar->Pos.y + bar->Size.y, bottom = bar->Pos.y;
    for (const auto& [x, y] : cornersOfBar()) {
      if (x < left || x > right || y < bar->Pos.y + margin || y > bar->Pos.y + bar->Size.y - margin) continue;
      top = std::min(top, y);
      bottom = std::max(bottom, y);
    }
    ASSERT_LT(top, bottom);
    EXPECT_NEAR((top + bottom) / 2, bar->Pos.y + bar->Size.y / 2, 2.5F * headless.unit());
  }
}

TEST(TopBar, ARefusedNumberKeepsTheCaret) {
  TestWindow bench("baseline", 64);
  Headless headless(kProjector, bench.window);
  const ImVec2 list = headless.findMiddle(bench.window, "/top bar_", "##elements");
  ASSERT_GT(list.x, 0);
  headless.click(bench.window, list);
  const ImVec2 field = headless.findMiddle(bench.window, "##Combo_00", "##n");
  ASSERT_GT(field.x, 0);
  headless.click(bench.window, field);
  const auto enter = [&](const char* text) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    headless.frame(bench.window, field);
    holdKey(ImGuiKey_Enter, true);
    headless.frame(bench.window, field);
    holdKey(ImGuiKey_Enter, false);
    headless.settle(bench.window, field);
  };
  enter("7");
  EXPECT_NE(headless.words(bench.window).find("Choose"), std::string::npos) << "the reason is below it";
  EXPECT_EQ(bench.session.selection().n, 64U);
  EXPECT_TRUE(bench.window.takesText()) << "what comes next is no shortcut";
  enter("16");
  EXPECT_EQ(bench.session.selection().n, 16U) << "in the place of what was refused";
  EXPECT_FALSE(bench.window.takesText());
}

}  // namespace
}  // namespace lanescope
