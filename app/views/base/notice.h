#pragma once

#include "app/views/base/view.h"

namespace lanescope {

/// How long a notice stays, in seconds.
inline constexpr double kNoticeSeconds = 4;

/// Takes the notice at hand away after a click, or when its time is over; before the views of a frame.
void endNotice(ViewState& state);
/// Draws the notice at hand, where there is one, in the middle just above the lower end of that room, which
/// begins at the window's left upper corner. It floats: nothing moves, and clicks go through it.
void drawNotice(const ViewContext& context, ImVec2 room);

}  // namespace lanescope
