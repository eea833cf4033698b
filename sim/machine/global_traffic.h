#pragma once

#include "sim/machine/counters.h"

namespace lanescope {

/// Sectors of global memory that loads, stores and atomics of any kind touched.
inline std::uint64_t globalSectors(const Counters& counters) {
  return counters.globalLoadSectors + counters.globalStoreSectors + counters.globalReductionSectors +
         counters.globalAtomicSectors;
}

}  // namespace lanescope
