#include "app/pictures/warp_place.h"

namespace lanescope {

std::vector<WarpPlace> findWarpPlaces(const Moment& moment) {
  const Trace& trace = moment.trace;
  std::vector<WarpPlace> places(trace.warps);
  for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
    const std::int32_t last = moment.state.lastStep[warp];
    if (last < 0) continue;
    const Step step = trace.steps[static_cast<std::size_t>(last)];
    const std::uint32_t lanes = trace.lanesOfWarp(warp);
    const LaneMask all = lanes == kMaxLanes ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
    places[warp] = {.line = step.line, .hasEnded = (step.exited & all) == all};
  }
  const std::uint32_t now = moment.cursor.steps;
  if (now == 0) return places;
  const std::uint32_t begin = trace.beginsRound(now - 1) ? now - 1 : trace.previousRound(now - 1);
  const std::uint32_t end = trace.nextRound(now - 1);
  for (std::uint32_t step = now; step < end; ++step) {
    const std::uint32_t warp = trace.steps[step].warp;
    places[warp].isBehind = moment.state.lastStep[warp] < static_cast<std::int32_t>(begin);
  }
  return places;
}

}  // namespace lanescope
