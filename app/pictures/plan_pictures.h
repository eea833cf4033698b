#pragma once

#include <memory>

#include "sim/trace/trace.h"

namespace lanescope {

struct PicturePlan;

/// Plans every picture of a trace.
std::shared_ptr<const PicturePlan> planPictures(const Trace& trace);

}  // namespace lanescope
