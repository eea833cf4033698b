#pragma once

#include <string>

#include "app/views/base/view.h"

namespace lanescope {

/// Where a number of elements is typed.
struct ElementField {
  std::string text;
  bool isActive = false;   ///< in the frame before
  bool isRefused = false;  ///< what it holds; the caret stays in it
};

/// Strategy, element count, machine, theme and help.
class TopBarView final : public View {
 public:
  std::string_view name() const override { return "top bar"; }
  Place place() const override { return Place::Top; }
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  ElementField elements_;
};

}  // namespace lanescope
