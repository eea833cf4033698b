#pragma once

#include "app/views/base/view.h"

namespace lanescope {

/// How long a notice stays, in seconds.
inline constexpr double kNoticeSeconds = 4;

/// Takes the notice at hand away after a click, or when its time is over; before the views of a frame.
void endNotice(ViewState& state);
/// Draws the notice at hand, where there is one: in the room that the transport has left for it
/// (ViewState::noticeRoom), else in the strip below the views (kNoticeStrip). It covers nothing.
void drawNotice(const ViewContext& context, ImVec2 size);

}  // namespace lanescope
