// What differs between two frames: outside of the areas nothing, within them all that the frame draws there.
#include "app/paint/frame_changes.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "app/paint/tests/imgui_frame.h"

namespace lanescope {
namespace {

constexpr PixelRect kWhole{0, 0, 400, 300};

bool isIn(const PixelRect& rect, ImVec2 at) {
  return at.x >= static_cast<float>(rect.left) && at.x < static_cast<float>(rect.right) &&
         at.y >= static_cast<float>(rect.top) && at.y < static_cast<float>(rect.bottom);
}

/// The pixels that ImGui's renderer gives to OpenGL for a clip: from the lower left corner, rounded down.
PixelRect computeScissor(const ImVec4& clip) {
  const int left = static_cast<int>(clip.x), up = static_cast<int>(300 - clip.w);
  return {left, 300 - up - static_cast<int>(clip.w - clip.y), left + static_cast<int>(clip.z - clip.x),
          300 - up};
}

/// Barycentric coordinates of a point in a triangle; none outside.
std::optional<std::pair<float, float>> placeIn(ImVec2 a, ImVec2 b, ImVec2 c, ImVec2 at) {
  const float area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  if (area == 0) return std::nullopt;
  const float v = ((at.x - a.x) * (c.y - a.y) - (c.x - a.x) * (at.y - a.y)) / area;
  const float w = ((b.x - a.x) * (at.y - a.y) - (at.x - a.x) * (b.y - a.y)) / area;
  if (v < 0 || w < 0 || v + w > 1) return std::nullopt;
  return std::pair(v, w);
}

/// What a frame draws at a point, from the bottom to the top: colours of the triangles' corners, and where in
/// the texture and the triangle it is.
std::vector<float> drawnAt(const ImDrawData& frame, ImVec2 at) {
  std::vector<float> drawn;
  for (int i = 0; i < frame.CmdListsCount; ++i) {
    const ImDrawList& list = *frame.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (!isIn(computeScissor(command.ClipRect), at)) continue;
      for (unsigned first = command.IdxOffset; first < command.IdxOffset + command.ElemCount; first += 3) {
        const auto corner = [&](unsigned which) {
          return list.VtxBuffer[static_cast<int>(command.VtxOffset +
                                                 list.IdxBuffer[static_cast<int>(first + which)])];
        };
        const ImDrawVert a = corner(0), b = corner(1), c = corner(2);
        const auto place = placeIn(a.pos, b.pos, c.pos, at);
        if (!place) continue;
        for (const ImDrawVert& one : {a, b, c})
          drawn.insert(drawn.end(), {static_cast<float>(one.col >> 16), static_cast<float>(one.col & 0xFFFF),
                                     one.uv.x, one.uv.y});
        drawn.insert(drawn.end(), {place->first, place->second});
      }
    }
  }
  return drawn;
}

/// Points between the pixels' edges, all over the frame.
std::vector<ImVec2> points() {
  std::vector<ImVec2> all;
  for (int y = kWhole.top; y < kWhole.bottom; y += 5) {
    for (int x = kWhole.left; x < kWhole.right; x += 5)
      all.emplace_back(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
  }
  return all;
}

/// Rectangles and words, some under a clip, of which a seed chooses places and colours.
class Picture {
 public:
  explicit Picture(unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 25; ++i)
      things_.push_back({{static_cast<float>(random() % 380), static_cast<float>(random() % 280)},
                         static_cast<float>(random() % 60),
                         static_cast<ImU32>(random()) | IM_COL32_A_MASK});
  }
  void recolour(std::size_t thing) { things_[thing].color ^= 0xFF; }
  void drop(std::size_t thing) { things_.erase(things_.begin() + static_cast<std::ptrdiff_t>(thing)); }

  void draw() const {
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    for (std::size_t i = 0; i < things_.size(); ++i) {
      const auto& [at, side, color] = things_[i];
      if (i == 8) list.PushClipRect(ImVec2(30.5F, 20), ImVec2(333, 222.25F), true);
      if (i == 16) list.PopClipRect();
      list.AddRectFilled(at, ImVec2(at.x + side, at.y + side), color, 4);
      list.AddText(at, ~color | IM_COL32_A_MASK, "wavefront");
    }
  }

 private:
  struct Thing {
    ImVec2 at;
    float side;
    ImU32 color;
  };
  std::vector<Thing> things_;
};

ImDrawData& drawn(const Picture& picture) {
  picture.draw();
  ImGui::Render();
  return *ImGui::GetDrawData();
}

TEST(FrameChanges, NothingChangesInTheSameFrame) {
  const Picture picture(1);
  FrameChanges changes;
  for (const bool isFirst : {true, false, false}) {
    const ImguiFrame begun;
    const std::vector<PixelRect> areas = changes.in(drawn(picture));
    EXPECT_EQ(areas, isFirst ? std::vector{kWhole} : std::vector<PixelRect>{});
  }
  changes.forget();
  const ImguiFrame begun;
  EXPECT_EQ(changes.in(drawn(picture)), std::vector{kWhole});
}

TEST(FrameChanges, AFrameOfAnotherSizeIsNewEverywhere) {
  FrameChanges changes;
  const ImguiFrame begun;
  ImDrawData& frame = drawn(Picture(1));
  changes.in(frame);
  frame.DisplaySize.x -= 1;
  EXPECT_EQ(changes.in(frame), (std::vector<PixelRect>{{0, 0, 399, 300}}));
}

TEST(FrameChanges, AnAreaIsAsSmallAsWhatHasChanged) {
  FrameChanges changes;
  for (const ImU32 color : {IM_COL32(200, 0, 0, 255), IM_COL32(0, 200, 0, 255)}) {
    const ImguiFrame begun;
    ImGui::GetForegroundDrawList()->AddRectFilled(ImVec2(101, 70), ImVec2(120, 90), color);
    ImGui::GetForegroundDrawList()->AddRectFilled(ImVec2(0, 0), ImVec2(400, 60), IM_COL32_WHITE);
    ImGui::Render();
    const std::vector<PixelRect> areas = changes.in(*ImGui::GetDrawData());
    if (color == IM_COL32(200, 0, 0, 255)) continue;
    ASSERT_EQ(areas.size(), 1U);
    EXPECT_EQ(areas[0], (PixelRect{96, 64, 128, 96}));
  }
}

TEST(FrameChanges, AClipWithoutBoundsHidesNothing) {
  constexpr float kMost = std::numeric_limits<float>::max();
  FrameChanges changes;
  for (const ImU32 color : {IM_COL32(200, 0, 0, 255), IM_COL32(0, 200, 0, 255)}) {
    const ImguiFrame begun;
    ImGui::GetForegroundDrawList()->AddRectFilled(ImVec2(101, 70), ImVec2(120, 90), color);
    ImGui::Render();
    ImDrawData& frame = *ImGui::GetDrawData();
    for (int i = 0; i < frame.CmdListsCount; ++i)
      for (ImDrawCmd& command : frame.CmdLists[i]->CmdBuffer)
        command.ClipRect = ImVec4(-kMost, -kMost, kMost, kMost);
    const std::vector<PixelRect> areas = changes.in(frame);
    if (color == IM_COL32(200, 0, 0, 255)) continue;
    EXPECT_EQ(areas, (std::vector<PixelRect>{{96, 64, 128, 96}}));
  }
}

TEST(FrameChanges, DrawsTheFrameWithinTheAreasAndNothingHasChangedElsewhere) {
  const std::vector<ImVec2> everywhere = points();
  for (unsigned seed = 1; seed <= 3; ++seed) {
    Picture picture(seed);
    FrameChanges changes;
    std::vector<std::vector<float>> before, after;
    {
      const ImguiFrame begun;
      const ImDrawData& frame = drawn(picture);
      changes.in(frame);
      for (const ImVec2 at : everywhere) before.push_back(drawnAt(frame, at));
    }
    picture.recolour(seed);
    if (seed % 3 == 0) picture.drop(5);
    const ImguiFrame begun;
    ImDrawData& frame = drawn(picture);
    for (const ImVec2 at : everywhere) after.push_back(drawnAt(frame, at));
    const std::vector<PixelRect> areas = changes.in(frame);
    ASSERT_FALSE(areas.empty());
    keepWithin(frame, areas);
    int changed = 0, inside = 0;
    for (std::size_t i = 0; i < everywhere.size(); ++i) {
      const ImVec2 at = everywhere[i];
      const auto holding =
          std::ranges::count_if(areas, [&](const PixelRect& area) { return isIn(area, at); });
      ASSERT_LE(holding, 1) << "areas overlap";
      changed += before[i] != after[i] ? 1 : 0;
      inside += static_cast<int>(holding);
      ASSERT_TRUE(holding == 1 || before[i] == after[i]) << seed << ": " << at.x << ", " << at.y;
      ASSERT_EQ(drawnAt(frame, at), holding == 0 ? std::vector<float>{} : after[i]) << at.x << ", " << at.y;
    }
    EXPECT_GT(changed, 0);
    EXPECT_LT(inside, static_cast<int>(everywhere.size()) * 3 / 4) << "nearly all is drawn anew";
  }
}

}  // namespace
}  // namespace lanescope
