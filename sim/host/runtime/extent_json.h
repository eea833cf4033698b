#pragma once

#include "sim/base/json.h"
#include "sim/machine/run/launch.h"

namespace lanescope::host {

/// `[x,y,z]`.
inline Json extentJson(Dim3 extent) { return {extent.x, extent.y, extent.z}; }

}  // namespace lanescope::host
