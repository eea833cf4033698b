#include "app/panels/base/row_list.h"

#include <algorithm>
#include <cmath>

namespace lanescope {
namespace {
constexpr float kRowsPerNotch = 3;
}

void RowList::begin(const char* name, float width, std::size_t rows, float pitch) {
  pitch_ = std::max(1.0F, std::floor(pitch));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild(name, ImVec2(width, pitch_ * static_cast<float>(rows)), false,
                    ImGuiWindowFlags_NoScrollWithMouse);
  const float at = ImGui::GetScrollY();
  float target = std::round(at / pitch_) * pitch_;
  const float wheel = ImGui::IsWindowHovered() ? ImGui::GetIO().MouseWheel : 0;
  owed_ -= wheel * kRowsPerNotch;
  const float whole = std::trunc(owed_);
  owed_ -= whole;
  target += whole * pitch_;
  // The bar follows the pointer while it is held.
  if (std::abs(target - at) >= 1 && (whole != 0 || !ImGui::IsMouseDown(0)))
    ImGui::SetScrollY(std::clamp(target, 0.0F, ImGui::GetScrollMaxY()));
}

void RowList::end() {
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void RowList::reveal(std::size_t row) const {
  const float top = static_cast<float>(row) * pitch_;
  const float height = ImGui::GetWindowHeight();
  const float from = ImGui::GetScrollY();
  if (top >= from && top + pitch_ <= from + height) return;
  const float middle = std::max(0.0F, top - (height - pitch_) / 2);
  ImGui::SetScrollY(std::round(middle / pitch_) * pitch_);
}

}  // namespace lanescope
