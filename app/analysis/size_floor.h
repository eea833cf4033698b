#pragma once

#include "app/analysis/gpu_rates.h"
#include "app/analysis/bench_data.h"

namespace lanescope {

/// The least time, in microseconds, in which a GPU can be launched and move so many bytes, from measurements
/// on it: an empty kernel's time, DRAM's read ceiling and, if known, L2's. As in computeFloors(), L2 may hold
/// the written data and, with warm caches, the input. 0 if there is no ceiling.
double sizeFloorUs(double readBytes, double writtenBytes, const BenchData& data, CacheState cache);

}  // namespace lanescope
