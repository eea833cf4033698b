#pragma once

#include "app/views/base/view.h"

namespace lanescope {

/// The first minute: five panels in turn, each with a frame and a few sentences beside it.
void drawTour(const ViewContext& context, const WindowLayout& layout);
/// The keys that lead through it while it is shown.
std::vector<Command> tourCommands(ViewState& state);
/// Ends it, for good: it is not shown at the next start.
void endTour(ViewState& state);

}  // namespace lanescope
