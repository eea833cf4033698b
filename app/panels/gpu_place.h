#pragma once

#include "app/panels/base/view.h"

/// The GPU panel's room: its line, its charts, or the whole window.
namespace lanescope {

bool gpuIsMaximised(const ViewState& state);
/// Commands in the panel unfold it, over the others if its column has room only for its line.
void enlargeGpu(ViewState& state);
/// Unfolds the panel, and folds it.
void toggleGpu(ViewState& state);

}  // namespace lanescope
