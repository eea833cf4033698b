#pragma once

#include <vector>

#include "app/panels/base/view.h"

namespace lanescope {

/// Buttons that run back and forward to the nearest breakpoint, and the menu of breakpoint conditions.
void drawStops(const ViewContext& context, float height);

/// Commands that run to breakpoints and to events that can be one, and that set the breakpoint on the current
/// line.
std::vector<Command> stopCommands(ViewState& state);

}  // namespace lanescope
