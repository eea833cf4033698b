#pragma once

#include "app/views/view.h"

namespace lanescope {

/// How long a notice stays, in seconds.
inline constexpr double kNoticeSeconds = 4;

/// Draws the notice at hand, where there is one, over the transport of a window of that size.
void drawNotice(const ViewContext& context, ImVec2 size);

/// Goes to the next (or the last) place of that kind; where there is none, tells so and is false.
bool runToKind(ViewState& state, StopKind kind, bool forward);
/// Goes to the next breakpoint, or the one before, else to the end or the start; tells where it stands there
/// already.
bool runToBreakpoint(ViewState& state, bool forward);

}  // namespace lanescope
