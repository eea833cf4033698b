#pragma once

#include <imgui.h>

namespace lanescope {

/// Splits a frame into parts of at most so many indices (3 or more), with `between` called by the renderer
/// between one and the next. Nothing else changes.
void splitFrame(ImDrawData& frame, unsigned mostIndices, ImDrawCallback between);

}  // namespace lanescope
