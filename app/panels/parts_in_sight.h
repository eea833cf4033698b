#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include <imgui.h>

namespace lanescope {

/// Parts stacked in a panel that scrolls. A part out of sight is not drawn but takes its room, once its
/// height is known.
class PartsInSight {
 public:
  template <std::invocable Draw>
  void draw(std::size_t part, Draw drawPart) {
    const float width = ImGui::GetContentRegionAvail().x;
    const float letters = ImGui::GetFontSize();
    if (width != width_ || letters != letters_) heights_.clear();
    width_ = width;
    letters_ = letters;
    if (part >= heights_.size()) heights_.resize(part + 1);
    float& height = heights_[part];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (height > 0 && !ImGui::IsRectVisible(at, ImVec2(at.x + width, at.y + height))) {
      ImGui::Dummy(ImVec2(1, height - ImGui::GetStyle().ItemSpacing.y));
      return;
    }
    drawPart();
    height = ImGui::GetCursorScreenPos().y - at.y;
  }
  /// To be called when the parts change.
  void clear() { heights_.clear(); }

 private:
  std::vector<float> heights_;     ///< by part, pixels; 0: unknown
  float width_ = 0, letters_ = 0;  ///< valid for this content width and letter size
};

}  // namespace lanescope
