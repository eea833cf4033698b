#include "app/panels/gpu_place.h"

namespace lanescope {
namespace {

/// True if the column has room only for the panel's line.
bool gpuHasLineOnly(const ViewState& state) {
  return state.isFolded || state.sourceIsTall || state.presenting || state.maximised.has_value();
}

}  // namespace

bool gpuIsMaximised(const ViewState& state) { return state.maximised == Place::Gpu; }

void enlargeGpu(ViewState& state) {
  if (gpuHasLineOnly(state))
    state.maximised = Place::Gpu;
  else
    state.settings.gpuIsOpen = true;
}

void toggleGpu(ViewState& state) {
  if (gpuIsMaximised(state)) return state.maximised.reset();
  if (gpuHasLineOnly(state) || !state.settings.gpuIsOpen) return enlargeGpu(state);
  state.settings.gpuIsOpen = false;
}

}  // namespace lanescope
