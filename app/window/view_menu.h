#pragma once

#include "app/panels/base/view.h"

/// Rare choices: the top bar's two menus.
namespace lanescope {

/// The machine, the number of blocks, and the shown block; its button names them.
void setupMenu(const ViewContext& context);
float setupWidth(const ViewContext& context);

/// Layout, theme, text size, and other settings of the window alone.
void viewMenu(const ViewContext& context);
float viewMenuWidth(const ViewContext& context);

}  // namespace lanescope
