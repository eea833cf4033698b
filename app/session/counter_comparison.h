#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/worker/edited_messages.h"
#include "sim/machine/counters.h"

namespace lanescope {

/// A counter as the simulator predicts it and as the hardware counted it.
struct CounterRow {
  std::string name;  ///< Nsight Compute's
  std::uint64_t predicted = 0;
  std::optional<std::uint64_t> measured;  ///< nothing where it was not read
  bool equal = false;
  std::string reason;  ///< the likely one, where it is not equal; else empty
};

/// A row for each counter of nsightCounters, in its order.
std::vector<CounterRow> compareCounters(const Counters& predicted, const CountersMessage& measured);

}  // namespace lanescope
