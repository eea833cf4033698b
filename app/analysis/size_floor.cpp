#include "app/analysis/size_floor.h"

#include <algorithm>

#include "app/analysis/footprint.h"

namespace lanescope {
namespace {

/// L2's measured read rate on that GPU, in bytes per microsecond; 0 if it was not measured.
double l2BytesPerUs(const std::string& gpu) {
  const auto found = std::ranges::find(shippedGpuRates(), gpu, &GpuRates::gpu);
  const UnitRate* const rate = found == shippedGpuRates().end() ? nullptr : found->find(RateUnit::L2);
  return rate == nullptr ? 0 : rate->perUs * static_cast<double>(Footprint::kSectorBytes);
}

}  // namespace

double sizeFloorUs(double readBytes, double writtenBytes, const BenchData& data, CacheState cache) {
  if (!data.hello() || !data.ceiling() || data.ceiling()->gbps <= 0) return 0;
  const CeilingMessage& ceiling = *data.ceiling();
  const auto kept = static_cast<double>(data.hello()->l2Bytes);
  const bool isCold = cache == CacheState::Cold;
  const double dram = isCold ? readBytes + std::max(0.0, writtenBytes - kept)
                             : std::max(0.0, readBytes + writtenBytes - kept);
  // The launch time of the ceiling's own kernel is not part of its bandwidth.
  const double dramUs = dram * (ceiling.us - ceiling.launchUs) / static_cast<double>(ceiling.bytes);
  const double l2 = l2BytesPerUs(data.hello()->gpu);
  return ceiling.launchUs + std::max(dramUs, l2 > 0 ? (readBytes + writtenBytes) / l2 : 0);
}

}  // namespace lanescope
