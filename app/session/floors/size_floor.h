#pragma once

#include "app/session/floors/gpu_rates.h"
#include "app/session/gpu/bench_data.h"

namespace lanescope {

/// The least time, in microseconds, in which a GPU can be launched and move so many bytes, by what was
/// measured there: an empty kernel's time, DRAM's read ceiling and, where it is known, L2's. As in
/// floorsOf(), L2 may hold what was written, and with warm caches the input. 0 where there is no ceiling.
double sizeFloorUs(double readBytes, double writtenBytes, const BenchData& data, CacheState cache);

}  // namespace lanescope
