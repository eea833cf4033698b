#pragma once

#include <nlohmann/json.hpp>

#include "sim/machine/run/launch.h"

namespace lanescope::host {

/// `[x,y,z]`.
inline nlohmann::ordered_json extentJson(Dim3 extent) { return {extent.x, extent.y, extent.z}; }

}  // namespace lanescope::host
