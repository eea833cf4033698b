#pragma once

#include <string>

#include "app/views/base/view.h"

namespace lanescope {

/// Where a number of elements is typed.
struct ElementField {
  std::string text;
  std::string refusal;      ///< why what it holds cannot be had, one sentence; may be empty
  bool takesCaret = false;  ///< in the next frame
};

/// Strategy, element count, mode and machine; the window's menu; export, presenting and help.
class TopBarView final : public View {
 public:
  std::string_view name() const override { return "top bar"; }
  Place place() const override { return Place::Top; }
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  ElementField elements_;
  float measuredAt_ = 0;     ///< the letters' size that the widest name was measured at
  float strategyWidth_ = 0;  ///< of the list of strategies, so that it has room for that name
};

}  // namespace lanescope
