#pragma once

#include "app/views/view.h"

namespace lanescope {

/// Strategy, element count, machine, theme and help.
class TopBarView final : public View {
 public:
  std::string_view name() const override { return "top bar"; }
  Place place() const override { return Place::Top; }
  void draw(const ViewContext& context, ImVec2 size) override;
};

/// The theme after that one, the first after the last.
const Theme& nextTheme(const Theme& theme);

}  // namespace lanescope
