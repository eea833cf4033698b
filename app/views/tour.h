#pragma once

#include <array>

#include "app/views/view.h"

namespace lanescope {

/// The first minute: five panels in turn, each with a frame and a few sentences beside it.
void drawTour(const ViewContext& context, const std::array<Area, kPlaces>& areas);
/// A key while it is shown: on or back; false for any other.
bool leadsTour(ViewState& state, bool on, bool back);
/// Ends it, for good: it is not shown at the next start.
void endTour(ViewState& state);

}  // namespace lanescope
