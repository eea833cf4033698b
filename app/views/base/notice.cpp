#include "app/views/base/notice.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/views/base/widgets.h"

namespace lanescope {

void endNotice(ViewState& state) {
  if (state.notice.text.empty()) return;
  if (state.notice.ends < 0) state.notice.ends = ImGui::GetTime() + kNoticeSeconds;
  if (ImGui::GetTime() >= state.notice.ends || ImGui::IsMouseClicked(0)) state.tell("");
}

void drawNotice(const ViewContext& context, ImVec2 size) {
  const ViewState& state = context.state;
  if (state.notice.text.empty()) return;
  const float unit = context.unit;
  const bool isInBar = state.notice.room.w > 0;
  const float edge = 8 * unit;
  const float high = (kNoticeStrip - 8) * unit;
  const Area room = isInBar ? state.notice.room : Area{edge, size.y - edge - high, size.x - 2 * edge, high};
  const float padding = 10 * unit;
  // Two small lines where one has no room.
  const float most = room.w - 2 * padding - 2;
  const auto sizeOf = [&](FontRole role, float wrap) {
    ImGui::PushFont(context.fonts.of(role));
    const ImVec2 text = ImGui::CalcTextSize(state.notice.text.c_str(), nullptr, false, wrap);
    ImGui::PopFont();
    return text;
  };
  const ImVec2 line = sizeOf(FontRole::Body, -1);
  const FontRole role = line.x <= most ? FontRole::Body : FontRole::Small;
  const ImVec2 text = line.x <= most ? line : sizeOf(role, most);
  const ImVec2 extent(std::min(std::ceil(text.x) + 2 * padding + 2, room.w),
                      std::max(room.h, text.y + 2 * unit));
  const float left = isInBar ? room.x + room.w - extent.x : room.x + (room.w - extent.x) / 2;
  ImGui::SetNextWindowPos(ImVec2(left, room.y + (room.h - extent.y) / 2));
  ImGui::SetNextWindowSize(extent);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  beginOverlay(context, "notice", ColorRole::Accent, ImVec2(padding, (extent.y - text.y) / 2),
               ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoInputs);
  if (line.x <= most)
    label(context, state.notice.text);
  else
    wrappedText(context, state.notice.text, ColorRole::Text, role);
  endOverlay();
  ImGui::PopStyleVar();
}

}  // namespace lanescope
