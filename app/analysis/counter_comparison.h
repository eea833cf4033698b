#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/protocol/edited_messages.h"
#include "sim/memory/counters.h"

namespace lanescope {

/// A counter as the simulator predicts it and as the hardware counted it.
struct CounterRow {
  std::string_view name;   ///< Nsight Compute's
  std::string_view plain;  ///< in plain words
  std::uint64_t predicted = 0;
  std::optional<std::uint64_t> measured;  ///< nullopt if it was not read
  bool equal = false;
  std::string reason;  ///< the likely one, if it is not equal; else empty
};

/// A row for each counter that Nsight Compute measures.
std::vector<CounterRow> compareCounters(const Counters& predicted, const CountersMessage& measured);

}  // namespace lanescope
