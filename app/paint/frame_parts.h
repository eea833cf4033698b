#pragma once

#include <imgui.h>

namespace lanescope {

/// Splits a frame into parts of at most `mostIndices` indices (3 or more); the renderer calls `between`
/// between two parts. Nothing else changes.
void splitFrame(ImDrawData& frame, unsigned mostIndices, ImDrawCallback between);

}  // namespace lanescope
