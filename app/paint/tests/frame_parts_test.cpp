// A frame in parts: the same triangles in the same order, no part larger than asked for.
#include "app/paint/frame_changes.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "app/paint/tests/imgui_frame.h"

namespace lanescope {
namespace {

void pause(const ImDrawList* /*list*/, const ImDrawCmd* /*command*/) {}

/// The indices of a frame in the order of drawing, and of each part how many.
struct Drawn {
  std::vector<unsigned> indices;
  std::vector<unsigned> parts{0};
};

Drawn drawnIn(const ImDrawData& frame) {
  Drawn drawn;
  for (int i = 0; i < frame.CmdListsCount; ++i) {
    const ImDrawList& list = *frame.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback == pause) {
        drawn.parts.push_back(0);
        continue;
      }
      EXPECT_EQ(command.ElemCount % 3, 0U) << "a triangle is cut";
      drawn.parts.back() += command.ElemCount;
      for (unsigned at = command.IdxOffset; at < command.IdxOffset + command.ElemCount; ++at)
        drawn.indices.push_back(list.IdxBuffer[static_cast<int>(at)] + command.VtxOffset);
    }
  }
  return drawn;
}

TEST(SplitFrame, DrawsTheSameInParts) {
  for (const unsigned most : {3U, 10U, 100U, 1000000U}) {
    const ImguiFrame begun;
    for (ImDrawList* const list : {ImGui::GetBackgroundDrawList(), ImGui::GetForegroundDrawList()}) {
      for (int i = 0; i < 40; ++i) {
        list->AddRectFilled(ImVec2(10, 10), ImVec2(20.0F + static_cast<float>(i), 30), IM_COL32_WHITE);
        if (i == 20) list->PushClipRect(ImVec2(0, 0), ImVec2(50, 50));
      }
      list->PopClipRect();
    }
    ImGui::Render();
    ImDrawData& frame = *ImGui::GetDrawData();
    const Drawn whole = drawnIn(frame);
    ASSERT_GE(whole.indices.size(), 2U * 40 * 6);
    splitFrame(frame, most, pause);
    const Drawn parts = drawnIn(frame);
    EXPECT_EQ(parts.indices, whole.indices) << most;
    EXPECT_LE(std::ranges::max(parts.parts), most);
    EXPECT_EQ(parts.parts.size() > 1, most < whole.indices.size()) << most;
  }
}

}  // namespace
}  // namespace lanescope
