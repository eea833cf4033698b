#include "app/pictures/tile_fault.h"

#include <algorithm>
#include <cstdint>

#include "app/pictures/base/fault_tag.h"

namespace lanescope {
namespace {

std::int64_t computeFloor(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

}  // namespace

void paintTileFault(SceneBuilder& out, const Moment& moment, const std::vector<TileFrame>& frames) {
  const TraceFault* const fault = moment.fault();
  if (fault == nullptr || fault->array < 0) return;
  const auto isOfFault = [fault](const TileFrame& each) {
    return std::int64_t{each.array->array} == fault->array;
  };
  const auto frame = std::ranges::find_if(frames, isOfFault);
  if (frame == frames.end())
    return paintFaultTag(out, moment, out.margin(), out.height() - out.u(6 + kFaultTag / 2));
  const TracedArray& array = moment.trace.arrays[static_cast<std::size_t>(fault->array)];
  const std::int64_t element = computeFloor(fault->word, splitWords(array.type));
  const std::int64_t columns = frame->array->columns;
  const std::int64_t row = std::clamp<std::int64_t>(computeFloor(element, columns), -1, frame->array->rows);
  const bool isBelow = row == std::int64_t{frame->array->rows};
  const float wide = std::max(frame->wide, out.u(5));
  const float high = std::max(frame->high, out.u(5));
  const Rect& area = frame->area;
  const Rect cell{
      area.x + static_cast<float>(element - computeFloor(element, columns) * columns) * frame->wide,
      isBelow ? area.bottom() : area.y + static_cast<float>(row) * high, wide, high};
  out.fill(cell, ColorRole::Bad, std::min(out.u(2), wide / 4));
  const float tagTop = area.bottom() + (isBelow ? high : 0) + out.u(6);
  out.line(cell.midX(), cell.bottom(), cell.midX(), tagTop, ColorRole::Bad, out.u(1.5F));
  paintFaultTag(out, moment, cell.x, tagTop + out.u(kFaultTag / 2));
}

}  // namespace lanescope
