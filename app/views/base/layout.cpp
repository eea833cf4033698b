#include "app/views/base/layout.h"

#include <algorithm>
#include <cmath>

#include "app/scene/base/text_measure.h"

namespace lanescope {
namespace {

constexpr float kMargin = 8;
constexpr float kPresenterScale = 1.4F;
// Heights at unit 1: the bars, and the timeline where it is all that is left of the transport.
constexpr float kTopBar = 48;
constexpr float kTransport = 118;
constexpr float kTimelineAlone = 84;
constexpr float kFoldedGpu = 41;  ///< the GPU panel's heading alone
// Shares of a column of pictures' height; the array's is of what the warps leave.
constexpr float kWarpsShare = 0.17F;
constexpr float kArrayShare = 0.485F;
// What the layouts need, at unit 1.
struct Extent {
  float width = 0;
  float height = 0;
};
constexpr Extent kSmallestUnfolded{1260, 780};
constexpr Extent kSmallest{1130, 690};
constexpr Extent kSmallestPresenting{1040, 600};

using Areas = std::array<Area, kPlaces>;

Area& areaOf(Areas& areas, Place place) { return areas[static_cast<std::size_t>(place)]; }

/// Array, warps and banks in a column, one below the other.
void placePictures(const Area& column, float unit, Areas& areas) {
  const float m = kMargin * unit;
  const float warps = std::clamp(column.h * kWarpsShare, 96 * unit, 170 * unit);
  const float array = (column.h - warps - 2 * m) * kArrayShare;
  const float banks = column.h - array - warps - 2 * m;
  areaOf(areas, Place::Array) = {column.x, column.y, column.w, array};
  areaOf(areas, Place::Warps) = {column.x, column.y + array + m, column.w, warps};
  areaOf(areas, Place::Banks) = {column.x, column.y + array + warps + 2 * m, column.w, banks};
}

/// Source, counters and the GPU panel, of which a tall source leaves the heading.
void placeRight(const Area& column, float unit, bool sourceIsTall, Areas& areas) {
  const float m = kMargin * unit;
  const float counters = std::max(150 * unit, column.h * 0.19F);
  const float gpu = sourceIsTall ? kFoldedGpu * unit : std::max(column.h * 0.41F, 236 * unit);
  const float source = column.h - counters - gpu - 2 * m;
  areaOf(areas, Place::Source) = {column.x, column.y, column.w, source};
  areaOf(areas, Place::Counters) = {column.x, column.y + source + m, column.w, counters};
  areaOf(areas, Place::Gpu) = {column.x, column.y + source + counters + 2 * m, column.w, gpu};
}

/// The bars are gone but for the timeline; what the phase does, or the question, stands below the source.
void placePresentation(ImVec2 size, float unit, bool asks, Areas& areas) {
  const float m = kMargin * unit;
  const float bottom = kTimelineAlone * unit;
  const float height = size.y - bottom - 3 * m;
  const float right = std::clamp(size.x * 0.36F, 360 * unit, 760 * unit);
  const float left = size.x - right - 3 * m;
  const float lesson =
      asks ? std::max(height * 0.56F, 260 * unit) : std::clamp(height * 0.34F, 150 * unit, 300 * unit);
  placePictures({m, m, left, height}, unit, areas);
  areaOf(areas, Place::Source) = {left + 2 * m, m, right, height - lesson - m};
  areaOf(areas, Place::Lesson) = {left + 2 * m, height - lesson + m, right, lesson};
  areaOf(areas, Place::Transport) = {m, size.y - bottom - m, size.x - 2 * m, bottom};
}

/// What the phase does, or the question, below a source that takes all where it has more to show.
float foldedLesson(float height, float unit, const WindowShape& shape) {
  if (shape.mode == Mode::Predict) return std::max(height * 0.58F, 260 * unit);
  return shape.sourceIsTall ? 0 : std::clamp(height * 0.4F, 170 * unit, 300 * unit);
}

/// Pictures and source side by side between the bars; the rest is folded.
void placeFolded(const Area& middle, float unit, const WindowShape& shape, Areas& areas) {
  const float m = kMargin * unit;
  if (shape.gpuIsLarge) {
    areaOf(areas, Place::Gpu) = middle;
    return;
  }
  const float right = std::clamp(middle.w * 0.38F, 400 * unit, 700 * unit);
  const Area column{middle.x + middle.w - right, middle.y, right, middle.h};
  placePictures({middle.x, middle.y, middle.w - right - m, middle.h}, unit, areas);
  const float gpu = kFoldedGpu * unit;
  const float rest = column.h - gpu - m;
  const float lesson = foldedLesson(rest, unit, shape);
  const float source = lesson > 0 ? rest - lesson - m : rest;
  areaOf(areas, Place::Source) = {column.x, column.y, column.w, source};
  if (lesson > 0) areaOf(areas, Place::Lesson) = {column.x, column.y + source + m, column.w, lesson};
  areaOf(areas, Place::Gpu) = {column.x, column.y + column.h - gpu, column.w, gpu};
}

/// Lesson (or quiz), pictures and source side by side between the bars.
void placeColumns(const Area& middle, float unit, const WindowShape& shape, Areas& areas) {
  const float m = kMargin * unit;
  const float whole = middle.w + 2 * m;
  const float left = shape.mode == Mode::Predict ? std::clamp(whole * 0.215F, 280 * unit, 420 * unit)
                                                 : std::clamp(whole * 0.168F, 200 * unit, 300 * unit);
  const float right = std::clamp(whole * 0.305F, 430 * unit, 620 * unit);
  const Area centre{middle.x + left + m, middle.y, middle.w - left - right - 2 * m, middle.h};
  areaOf(areas, Place::Lesson) = {middle.x, middle.y, left, middle.h};
  if (shape.gpuIsLarge) {
    areaOf(areas, Place::Gpu) = {centre.x, centre.y, centre.w + m + right, centre.h};
    return;
  }
  placePictures(centre, unit, areas);
  placeRight({centre.x + centre.w + m, middle.y, right, middle.h}, unit, shape.sourceIsTall, areas);
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

bool foldsColumns(ImVec2 size, float unit) {
  return size.x < kSmallestUnfolded.width * unit || size.y < kSmallestUnfolded.height * unit;
}

Areas layoutPlaces(ImVec2 size, float unit, const WindowShape& shape) {
  Areas areas;
  const bool folds = foldsColumns(size, unit);
  // The transport has room for a notice where there is one, and nothing is folded.
  const bool needsStrip = shape.presents || shape.mode == Mode::Table || folds;
  if (shape.hasNotice && needsStrip) size.y -= kNoticeStrip * unit;
  size.y -= shape.errorHeight;
  const bool hasStage = shape.mode == Mode::Compare || shape.mode == Mode::Table;
  if (shape.presents && !hasStage) {
    placePresentation(size, unit, shape.mode == Mode::Predict, areas);
    return areas;
  }
  const float m = kMargin * unit;
  const float width = size.x - 2 * m;
  float y = m;
  if (!shape.presents) {
    areaOf(areas, Place::Top) = {m, m, width, kTopBar * unit};
    y += kTopBar * unit + m;
  }
  if (shape.mode == Mode::Table) {
    areaOf(areas, Place::Stage) = {m, y, width, size.y - y - m};
    return areas;
  }
  const float bottom = (shape.presents ? kTimelineAlone : kTransport) * unit;
  const Area middle{m, y, width, size.y - y - bottom - 2 * m};
  areaOf(areas, Place::Transport) = {m, size.y - bottom - m, width, bottom};
  if (shape.mode == Mode::Compare)
    areaOf(areas, Place::Stage) = middle;
  else if (folds)
    placeFolded(middle, unit, shape, areas);
  else
    placeColumns(middle, unit, shape, areas);
  return areas;
}

}  // namespace lanescope
