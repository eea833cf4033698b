#pragma once

#include "app/views/base/view.h"

/// How much room the GPU panel has: its line, its charts, or the whole window.
namespace lanescope {

bool gpuIsMaximised(const ViewState& state);
/// What is done in the panel unfolds it, over the others where its column has no room for more than its line.
void enlargeGpu(ViewState& state);
/// Unfolds the panel, and folds it.
void toggleGpu(ViewState& state);

}  // namespace lanescope
