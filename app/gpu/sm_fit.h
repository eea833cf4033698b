#pragma once

#include <optional>
#include <string>

#include "sim/machine/run/launch.h"
#include "sim/memory/occupancy.h"

namespace lanescope {

class GpuSession;

/// How many blocks of a launch an SM holds at once, by the documented rule.
struct SmFit {
  std::string gpu;  ///< `H200`; empty: none is known
  const SmLimits* limits = nullptr;
  BlockDemand block;
  Occupancy occupancy;
};

/// For the GPU with the numbers on show; compute capability 9.0 if there is none. Registers are those that
/// the GPU's compiler gave that text, if it has seen it with blocks of that size. Nullopt if the launch is
/// not compiled, or the rule for that GPU is unknown.
std::optional<SmFit> computeSmFit(const Launch& launch, const GpuSession& gpu);

/// `8 fit on an SM (rule)`.
std::string fitBrief(const SmFit& fit);
/// Each limit on a line of its own, and that this is a rule.
std::string fitDetail(const SmFit& fit);

}  // namespace lanescope
