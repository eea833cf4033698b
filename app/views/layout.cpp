#include "app/views/layout.h"

#include <algorithm>
#include <cmath>

#include "app/scene/text_measure.h"

namespace lanescope {
namespace {

constexpr float kMargin = 8;
constexpr float kPresenterScale = 1.4F;
// What the layouts need, at unit 1.
struct Extent {
  float width = 0;
  float height = 0;
};
constexpr Extent kSmallest{1480, 810};
constexpr Extent kSmallestPresenting{1040, 600};

/// The bars are gone but for the timeline; what the phase does, or the question, stands below the source.
void placePresentation(ImVec2 size, float unit, bool asks, std::array<Area, kPlaces>& areas) {
  const float m = kMargin * unit;
  const float bottom = 84 * unit;
  const float height = size.y - bottom - 3 * m;
  const float right = std::clamp(size.x * 0.36F, 360 * unit, 760 * unit);
  const float left = size.x - right - 3 * m;
  const float warps = std::clamp(height * 0.19F, 96 * unit, 170 * unit);
  const float array = (height - warps - 2 * m) * 0.485F;
  const float lesson =
      asks ? std::max(height * 0.56F, 260 * unit) : std::clamp(height * 0.34F, 150 * unit, 300 * unit);
  const auto place = [&areas](Place at, Area area) { areas[static_cast<std::size_t>(at)] = area; };
  place(Place::Array, {m, m, left, array});
  place(Place::Warps, {m, m + array + m, left, warps});
  place(Place::Banks, {m, m + array + warps + 2 * m, left, height - array - warps - 2 * m});
  place(Place::Source, {left + 2 * m, m, right, height - lesson - m});
  place(Place::Lesson, {left + 2 * m, height - lesson + m, right, lesson});
  place(Place::Transport, {m, size.y - bottom - m, size.x - 2 * m, bottom});
}

}  // namespace

float unitFor(ImVec2 size, float scale, bool presents) {
  const float unit = std::min(size.x / 1600.0F, size.y / 1000.0F);
  // Below the design's size text shrinks less than the window does.
  const float eased = unit < 1 ? unit + (1 - unit) * 0.35F : unit;
  const Extent& smallest = presents ? kSmallestPresenting : kSmallest;
  const float most = std::min(size.x / smallest.width, size.y / smallest.height);
  const float wanted = std::min(eased * scale * (presents ? kPresenterScale : 1.0F), std::max(most, eased));
  // The body font gets a whole number of pixels, rather a larger one.
  const float body = fontSize(FontRole::Body);
  return std::round(std::clamp(wanted, 0.7F, 4.0F) * body + 0.3F) / body;
}

std::array<Area, kPlaces> layoutPlaces(ImVec2 size, float unit, const WindowShape& shape) {
  const float m = kMargin * unit;
  const float top = shape.presents ? -m : 48 * unit;
  const float bottom = (shape.presents ? 84 : 118) * unit;
  const bool asks = shape.mode == Mode::Predict;
  const float left = asks ? std::clamp(size.x * 0.215F, 280 * unit, 420 * unit)
                          : std::clamp(size.x * 0.168F, 200 * unit, 300 * unit);
  const float right = std::clamp(size.x * 0.305F, 430 * unit, 620 * unit);
  const float y = m + top + m;
  const float height = size.y - y - bottom - 2 * m;
  const float centre = size.x - left - right - 4 * m;
  const float middleX = m + left + m;
  const float rightX = middleX + centre + m;

  const float warps = std::clamp(height * 0.17F, 96 * unit, 170 * unit);
  const float array = (height - warps - 2 * m) * 0.485F;
  const float counters = std::max(150 * unit, height * 0.19F);
  const float gpu = std::max(height * 0.41F, 236 * unit);
  const float source = height - counters - (shape.sourceIsTall ? m : gpu + 2 * m);

  std::array<Area, kPlaces> areas;
  const auto place = [&areas](Place at, Area area) { areas[static_cast<std::size_t>(at)] = area; };
  if (!shape.presents) place(Place::Top, {m, m, size.x - 2 * m, top});
  if (shape.mode == Mode::Table) {
    place(Place::Stage, {m, y, size.x - 2 * m, size.y - y - m});
    return areas;
  }
  place(Place::Transport, {m, size.y - bottom - m, size.x - 2 * m, bottom});
  if (shape.mode == Mode::Compare) {
    place(Place::Stage, {m, y, size.x - 2 * m, height});
    return areas;
  }
  if (shape.presents) {
    placePresentation(size, unit, asks, areas);
    return areas;
  }
  place(Place::Lesson, {m, y, left, height});
  if (shape.gpuIsLarge) {
    place(Place::Gpu, {middleX, y, centre + m + right, height});
    return areas;
  }
  place(Place::Array, {middleX, y, centre, array});
  place(Place::Warps, {middleX, y + array + m, centre, warps});
  place(Place::Banks, {middleX, y + array + warps + 2 * m, centre, height - array - warps - 2 * m});
  place(Place::Source, {rightX, y, right, source});
  place(Place::Counters, {rightX, y + source + m, right, counters});
  if (!shape.sourceIsTall) place(Place::Gpu, {rightX, y + source + counters + 2 * m, right, gpu});
  return areas;
}

}  // namespace lanescope
