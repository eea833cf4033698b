#pragma once

#include "app/views/view.h"

namespace lanescope {

/// Strategy, element count, machine, theme and help.
class TopBarView final : public View {
 public:
  std::string_view name() const override { return "top bar"; }
  Place place() const override { return Place::Top; }
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  bool isTight(const ViewContext& context, float width) const;
  float gapOf(const ViewContext& context, float width, bool isTight) const;

  float content_ = 0;   ///< width of all that is not a gap in the frame before, units
  float spacious_ = 0;  ///< the same, when it was last drawn with all labels
};

/// The theme after that one, the first after the last.
const Theme& nextTheme(const Theme& theme);

}  // namespace lanescope
