// Lists and tips over the panels: whole, and within the window.
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "app/panels/base/widgets.h"
#include "app/tests/drawn_text.h"
#include "app/tests/test_window.h"

namespace lanescope {
namespace {

const std::string kRecording = LANESCOPE_SOURCE_DIR "/assets/recordings/nvidia-h200.jsonl";

/// A colour of the style over an opaque one.
Rgba over(const ImVec4& top, Rgba ground) {
  const auto mix = [&](float above, std::uint8_t below) {
    return static_cast<std::uint8_t>(above * 255 * top.w + static_cast<float>(below) * (1 - top.w) + 0.5F);
  };
  return {mix(top.x, ground.r), mix(top.y, ground.g), mix(top.z, ground.b), 255};
}

// WCAG's least contrast of text. The text of a row keeps its colour when it is chosen or pointed at.
TEST(Lists, TextIsReadableOnEveryRow) {
  const Headless headless(kProjector);
  for (const Theme& theme : themes()) {
    applyStyle(theme, 1);
    const ImGuiStyle& style = ImGui::GetStyle();
    const Rgba popup = over(style.Colors[ImGuiCol_PopupBg], theme.color(ColorRole::Panel));
    const Rgba text = over(style.Colors[ImGuiCol_Text], popup);
    for (const ImGuiCol row : {ImGuiCol_Header, ImGuiCol_HeaderHovered, ImGuiCol_HeaderActive}) {
      EXPECT_GE(contrastRatio(text, over(style.Colors[row], popup)), 4.5)
          << theme.id << ": " << ImGui::GetStyleColorName(row);
      EXPECT_GE(contrastRatio(popup, over(style.Colors[row], popup)), 1.3)
          << theme.id << ": " << ImGui::GetStyleColorName(row) << " is seen";
    }
    const Rgba chosen = over(style.Colors[ImGuiCol_Header], popup);
    EXPECT_GE(contrastRatio(chosen, over(style.Colors[ImGuiCol_HeaderHovered], popup)), 1.15) << theme.id;
  }
}

struct List {
  const char* panel;
  const char* item;
};

TEST(Lists, ScrollOnlyWhereTheyMust) {
  TestWindow bench(noWorker(kRecording));
  ASSERT_FALSE(bench.gpu.replay());
  ASSERT_TRUE(bench.show("warp-block-grid", 64));
  bench.window.state().settings.gpuIsOpen = true;
  std::size_t whole = 0;
  for (const ImVec2 size : {kProjector, ImVec2(1440, 900), kDesk}) {
    Headless headless(size, bench.window);
    for (const List& list :
         {List{"/top bar_", "##strategy"}, List{"/top bar_", "##elements"}, List{"/top bar_", "##mode"},
          List{"/top bar_", "##setup"}, List{"/top bar_", "##view"}, List{"/gpu_", "##size"},
          List{"/gpu_", "##block"}, List{"/gpu_", "##grid"}}) {
      const ImVec2 at = headless.findMiddle(bench.window, list.panel, list.item);
      ASSERT_GE(at.x, 0) << list.item << " at " << size.x;
      headless.click(bench.window, at);
      const ImGuiWindow* popup = windowNamed("##Combo_00");
      ASSERT_NE(popup, nullptr);
      ASSERT_TRUE(popup->WasActive) << list.item << " at " << size.x;
      const bool fits = popup->ContentSize.y + 2 * popup->WindowPadding.y <= size.y * 0.9F;
      EXPECT_FALSE(fits && popup->ScrollbarY) << list.item << " at " << size.x;
      whole += fits ? 1 : 0;
      EXPECT_TRUE(headless.press(bench.window, "Esc"));
    }
  }
  EXPECT_GE(whole, 21U);
}

/// Tops of the entries that can be seen in the open list, from its upper edge.
std::vector<float> topsInList() {
  const ImGuiWindow* popup = windowNamed("##Combo_00");
  std::set<float> tops;
  for (const DrawnLetter& letter : drawnLetters(*popup->DrawList)) {
    const bool isSeen = letter.high.y > letter.clip.y && letter.low.y < letter.clip.w;
    if (isSeen && letter.code != 0) tops.insert(std::round(letter.top - popup->Pos.y));
  }
  return {tops.begin(), tops.end()};
}

/// As many entries as whole rows have room, each whole, from the first row's place to the last row's.
void expectWholeRows(const Headless& headless, std::string_view what) {
  const ImGuiWindow* popup = windowNamed("##Combo_00");
  const float row =
      std::floor(ImGui::GetStyle().ItemSpacing.y + computeSize(*headless.fonts().of(FontRole::Body)));
  const float rows = (popup->Size.y - 2 * popup->WindowPadding.y) / row;
  EXPECT_EQ(rows, std::floor(rows)) << what;
  const std::vector<float> tops = topsInList();
  EXPECT_EQ(static_cast<float>(tops.size()), rows) << what;
  if (tops.empty()) return;
  EXPECT_NEAR(tops.front(), popup->WindowPadding.y, row / 3) << what;
  EXPECT_NEAR(tops.back(), popup->Size.y - popup->WindowPadding.y - row, row / 3) << what;
  EXPECT_EQ(problemText(), "") << what;
}

TEST(Lists, ShowWholeRowsWhereverTheyScroll) {
  TestWindow bench;
  ASSERT_TRUE(bench.show("transpose-unrolled", 64));  // its row is beyond the first ones
  for (const ImVec2 size : {kProjector, ImVec2(1366, 768), ImVec2(2560, 1000)}) {
    Headless headless(size, bench.window);
    headless.click(bench.window, headless.findMiddle(bench.window, "/top bar_", "##strategy"));
    const ImGuiWindow* popup = windowNamed("##Combo_00");
    ASSERT_TRUE(popup != nullptr && popup->WasActive && popup->ScrollbarY) << size.x;
    expectWholeRows(headless, "opened at " + std::to_string(size.x));
    EXPECT_GE(findPlace(findStrategy("transpose-unrolled")->title, areaOfWindow("##Combo_00")).y, 0);
    const ImVec2 middle(popup->Pos.x + 40, popup->Pos.y + popup->Size.y / 2);
    for (const float wheel : {50.0F, -0.1F, -0.3F, -1.0F, -0.25F, -2.0F, -50.0F, 0.2F}) {
      ImGui::GetIO().MouseWheel = wheel;
      headless.frame(bench.window, middle);
      headless.settle(bench.window, middle);
      expectWholeRows(headless, "wheel " + std::to_string(wheel) + " at " + std::to_string(size.x));
    }
    // The arrows lead to entries that are out of sight.
    for (int i = 0; i < 60; ++i) {
      const ImGuiKey key = i < 50 ? ImGuiKey_UpArrow : ImGuiKey_DownArrow;
      holdKey(key, true);
      headless.frame(bench.window, middle);
      holdKey(key, false);
      headless.frame(bench.window, middle);
    }
    headless.settle(bench.window, middle);
    expectWholeRows(headless, "arrows at " + std::to_string(size.x));
    EXPECT_TRUE(headless.press(bench.window, "Esc"));
  }
}

TEST(Tips, AreWholeAtTheWindowsEdges) {
  TestWindow bench(noWorker(kRecording));
  ASSERT_FALSE(bench.gpu.replay());
  bench.gpu.update(0);
  bench.gpu.update(100);
  ASSERT_TRUE(bench.show("warp-block-grid", 64));
  Headless headless(kProjector, bench.window);
  const ImRect whole(ImVec2(0, 0), kProjector);
  const ImRect inner(ImVec2(60, 50), ImVec2(kProjector.x - 130, kProjector.y - 130));
  std::size_t tips = 0;
  for (float y = 4; y < kProjector.y; y += 15) {
    for (float x = 4; x < kProjector.x; x += 31) {
      if (inner.Contains(ImVec2(x, y))) continue;
      headless.frame(bench.window, ImVec2(x, y));
      headless.frame(bench.window, ImVec2(x, y));
      const ImGuiWindow* tip = tipShown();
      if (tip == nullptr) continue;
      ++tips;
      EXPECT_TRUE(whole.Contains(tip->Rect())) << x << "," << y;
      EXPECT_EQ(problemText(), "") << x << "," << y;
    }
  }
  EXPECT_GT(tips, 100U);
}

// What a click changes in it is longer: no frame shows a part of it.
TEST(Tips, AreWholeInTheFrameInWhichTheyChange) {
  TestWindow bench("baseline", 64);
  bench.session.player().toEnd();
  Headless headless(kProjector, bench.window);
  const ImVec2 chip = findPlace("tid", areaOfWindow("/variables_"));
  ASSERT_GE(chip.x, 0);
  for (int frame = 0; frame < 12; ++frame) {
    headless.frame(bench.window, chip, frame >= 2 && frame < 4);
    EXPECT_EQ(problemText(), "") << "frame " << frame;
  }
  EXPECT_GE(bench.window.state().marks.variable, 0);
}

// What it speaks of is a bar of some pixels.
TEST(Tips, OfTheTimelineLeaveItInSight) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    TestWindow bench("baseline", 64);
    Headless headless(size, bench.window, bench.window.unit(size));
    const Area panel = findPanel("transport");
    const ImVec2 phase = findPlace("load", panel);
    ASSERT_GE(phase.x, 0);
    std::size_t tips = 0;
    for (float x = panel.x + 8; x < panel.x + panel.w - 8; x += 97) {
      for (const float y : {phase.y, panel.y + panel.h - 30 * headless.unit()}) {
        headless.settle(bench.window, ImVec2(x, y));
        const ImGuiWindow* tip = tipShown();
        if (tip == nullptr) continue;
        ++tips;
        EXPECT_LE(tip->Rect().Max.y, phase.y - 6 * headless.unit()) << x << "," << y;
        EXPECT_TRUE(ImRect(ImVec2(0, 0), size).Contains(tip->Rect())) << x << "," << y;
      }
    }
    EXPECT_GT(tips, 10U);
  }
}

TEST(Menus, TheBreakpointsOpenAboveTheirButtonAndTheTimeline) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    TestWindow bench("baseline", 64);
    Headless headless(size, bench.window, bench.window.unit(size));
    const ImVec2 button = findPlace("breakpoints", findPanel("transport"));
    headless.click(bench.window, button);
    const ImGuiWindow* menu = windowNamed("##Popup");
    ASSERT_NE(menu, nullptr);
    ASSERT_TRUE(menu->WasActive);
    EXPECT_LT(menu->Rect().Max.y, button.y - 8 * headless.unit());
    EXPECT_TRUE(ImRect(ImVec2(0, 0), size).Contains(menu->Rect()));
    EXPECT_EQ(problemText(), "");
  }
}

}  // namespace
}  // namespace lanescope
