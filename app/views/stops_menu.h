#pragma once

#include "app/views/view.h"

namespace lanescope {

/// Buttons that run back and on to the nearest breakpoint, and the menu of what to stop at.
void drawStops(const ViewContext& context, float height);

}  // namespace lanescope
