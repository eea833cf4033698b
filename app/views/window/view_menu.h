#pragma once

#include "app/views/base/view.h"

/// What is chosen rarely: the top bar's two menus.
namespace lanescope {

/// The machine, the number of blocks, and the block on show; its button names them.
void setupMenu(const ViewContext& context);
float setupWidth(const ViewContext& context);

/// Layout, theme, text size, and what else concerns the window alone.
void viewMenu(const ViewContext& context);
float viewMenuWidth(const ViewContext& context);

}  // namespace lanescope
