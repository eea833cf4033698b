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
  float gapOf(const ViewContext& context, float width) const;

  float contentWidth_ = 0;  ///< of all that is not a gap, pixels, in the frame before
};

/// The theme after that one, the first after the last.
const Theme& nextTheme(const Theme& theme);

}  // namespace lanescope
