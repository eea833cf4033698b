#pragma once

#include <string>

#include "app/panels/base/view.h"

/// Rare choices: the top bar's two menus.
namespace lanescope {

/// The machine, the number of blocks, and the shown block; its button names them.
void setupMenu(const ViewContext& context);
float setupWidth(const ViewContext& context);

/// Layout, theme, text size, and other settings of the window alone.
void viewMenu(const ViewContext& context);
float viewMenuWidth(const ViewContext& context);

/// The field for a number of elements.
struct ElementField {
  std::string text;
  std::string refusal;      ///< why its number is refused, one sentence; can be empty
  bool takesCaret = false;  ///< in the next frame
};

/// Strategy, element count, mode and machine; the window's menu; export, presenting and help.
class TopBarView final : public View {
 public:
  PanelInfo panel(const WindowShape& shape) const override;
  std::vector<Command> commands(ViewState& state) override;
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  ElementField elements_;
  float measuredAt_ = 0;     ///< the letters' size at the measurement of the widest name
  float strategyWidth_ = 0;  ///< of the list of strategies, with room for that name
};

}  // namespace lanescope
