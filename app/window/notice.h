#pragma once

#include "app/panels/base/view.h"

namespace lanescope {

/// Time until a notice disappears, in seconds.
inline constexpr double kNoticeSeconds = 4;

/// Removes the current notice after a click, or when its time is over. Call it before the views of a frame.
void endNotice(ViewState& state);
/// Draws the current notice, if there is one, in the middle just above the lower end of that room, which
/// begins at the window's upper left corner. It floats: nothing moves, and clicks go through it.
void drawNotice(const ViewContext& context, ImVec2 room);

}  // namespace lanescope
