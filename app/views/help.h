#pragma once

#include "app/views/view.h"

namespace lanescope {

/// The keys and what they do, over the middle of a window of that size; a click beside it closes it.
void drawHelp(const ViewContext& context, ImVec2 size);

}  // namespace lanescope
