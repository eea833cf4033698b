#pragma once

#include <vector>

#include "app/views/base/view.h"

namespace lanescope {

/// Buttons that run back and on to the nearest breakpoint, and the menu of what to stop at.
void drawStops(const ViewContext& context, float height);

/// Running to breakpoints and to what can be one, and the breakpoint on the current line.
std::vector<Command> stopCommands(ViewState& state);

}  // namespace lanescope
