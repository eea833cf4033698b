#include "app/window/notice.h"

#include <algorithm>
#include <cmath>

#include "app/panels/base/widgets.h"

namespace lanescope {
namespace {

constexpr float kWidest = 900;  ///< units, for a line

}  // namespace

void endNotice(ViewState& state) {
  if (state.notice.text.empty()) return;
  if (state.notice.ends < 0) state.notice.ends = ImGui::GetTime() + kNoticeSeconds;
  if (ImGui::GetTime() >= state.notice.ends || ImGui::IsMouseClicked(0)) state.notify("");
}

void drawNotice(const ViewContext& context, ImVec2 room) {
  const ViewState& state = context.state;
  if (state.notice.text.empty()) return;
  const float unit = context.unit;
  const float padding = 10 * unit;
  const float most = std::min(room.x - 4 * padding, kWidest * unit);
  const char* text = state.notice.text.c_str();
  const float wrap = ImGui::CalcTextSize(text).x <= most ? -1 : most;
  const ImVec2 needed = ImGui::CalcTextSize(text, nullptr, false, wrap);
  const ImVec2 extent(std::ceil(needed.x) + 2 * padding + 2, std::ceil(needed.y) + 2 * padding);
  ImGui::SetNextWindowPos(ImVec2((room.x - extent.x) / 2, room.y - extent.y - padding));
  ImGui::SetNextWindowSize(extent);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  beginOverlay(context, "notice", ColorRole::Accent, ImVec2(padding, padding),
               ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoInputs);
  wrappedText(context, state.notice.text);
  endOverlay();
  ImGui::PopStyleVar();
}

}  // namespace lanescope
