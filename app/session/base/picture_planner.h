#pragma once

#include <functional>
#include <memory>

#include "sim/trace/trace.h"

namespace lanescope {

struct PicturePlan;  // app/scene/base/picture_plan.h: pictures need sessions

/// Plans the pictures of a trace, in the thread that has recorded it.
using PicturePlanner = std::function<std::shared_ptr<const PicturePlan>(const Trace&)>;

}  // namespace lanescope
