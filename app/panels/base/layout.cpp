#include "app/panels/base/layout.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/pictures/base/scene.h"

namespace lanescope {
namespace {

constexpr float kMargin = 8;
constexpr float kPresenterScale = 1.4F;
// Heights at unit 1: the bars, and the timeline if the rest of the transport is hidden.
constexpr float kTopBar = 48;
constexpr float kTransport = 118;
constexpr float kTimelineAlone = 84;
constexpr float kGpuLine = 38;
constexpr float kEase = 0.35F;        ///< of a window's growth, for its text
constexpr float kQuizColumn = 1.4F;   ///< over the lesson's
constexpr float kGuideColumn = 1.6F;  ///< over the lesson's
constexpr float kLeastSource = 340;   ///< 14 lines with their surroundings
constexpr float kLeastFoldedSource = 130;
constexpr float kLeastCounters = 150;
constexpr float kLeastGpu = 236;
constexpr float kGpuAlone = 300;  ///< if it has the counters' room too
// The layouts' needs, at unit 1.
struct Extent {
  float width = 0;
  float height = 0;
};
constexpr Extent kSmallestUnfolded{1260, 780};
constexpr Extent kSmallest{1130, 690};
constexpr Extent kSmallestPresenting{1040, 600};

/// A pane's name in the settings, and its initial share; a column's is the arrangement's.
struct PaneDefault {
  const char* name;
  float share = 0;
};
/// In the order of Pane.
constexpr std::array<PaneDefault, kPanes> kPaneDefaults{{{"lesson column"},
                                                         {"picture column"},
                                                         {"source column"},
                                                         {"array", 0.40F},
                                                         {"warps", 0.18F},
                                                         {"banks", 0.42F},
                                                         {"source", 0.62F},
                                                         {"note", 0.26F},
                                                         {"counters", 0.18F},
                                                         {"gpu", 0.42F}}};

constexpr Shares sharesFor(std::array<float, 3> columns) {
  Shares shares;
  for (std::size_t pane = 0; pane < kPanes; ++pane)
    shares[static_cast<Pane>(pane)] = pane < columns.size() ? columns[pane] : kPaneDefaults[pane].share;
  return shares;
}

/// A panel of a column.
struct Row {
  Pane pane;
  Place place;
  float least = 0;  ///< units
  float fixed = 0;  ///< units; 0: it shares the rest
};

struct Column {
  Pane pane;
  float least = 0;  ///< units
  std::vector<Row> rows;
};

/// One of several parts that share a length.
struct Part {
  Pane pane;
  float least = 0;  ///< pixels
  float fixed = 0;
  float weight = 0;
  float room = 0;
};

/// Shares a length by weight, with no part below its need. If the needs exceed the length, it is shared by
/// need.
void divide(float length, float gap, std::span<Part> parts) {
  length -= gap * static_cast<float>(parts.size() - 1);
  float least = 0;
  for (Part& part : parts) {
    part.room = part.fixed;
    length -= part.fixed;
    if (part.fixed <= 0) least += part.least;
  }
  const float squeeze = least > length ? length / least : 1;
  float weights = 0;
  for (const Part& part : parts) weights += part.fixed > 0 ? 0 : part.weight;
  // A part that would get less than its least gets its least. The others share the rest, until the sum fits.
  for (bool isSettled = false; !isSettled;) {
    isSettled = true;
    for (Part& part : parts) {
      if (part.fixed > 0 || part.room > 0) continue;
      const float needed = part.least * squeeze;
      if (weights > 0 && length * part.weight / weights >= needed) continue;
      part.room = needed;
      length -= needed;
      weights -= part.weight;
      isSettled = false;
    }
  }
  for (Part& part : parts) {
    if (part.room <= 0) part.room = length * part.weight / weights;
  }
}

/// Lays a shape's columns and their panels out.
class Placer {
 public:
  Placer(float unit, const WindowShape& shape, bool folds) : unit_(unit), shape_(shape), folds_(folds) {}

  WindowLayout place(ImVec2 size) {
    const float m = u(kMargin);
    const bool isTable = shape_.mode == Mode::Table;
    size.y -= shape_.errorHeight;
    const float width = size.x - 2 * m;
    Area middle{m, m, width, size.y - 2 * m};
    if (!shape_.presents) {
      findArea(Place::Top) = {m, m, width, u(kTopBar)};
      middle.y += u(kTopBar) + m;
      middle.h -= u(kTopBar) + m;
    }
    if (!isTable) {
      const float bottom = u(shape_.presents ? kTimelineAlone : kTransport);
      findArea(Place::Transport) = {m, size.y - bottom - m, width, bottom};
      middle.h -= bottom + m;
    }
    if (hasStage() || isTable)
      findArea(Place::Stage) = middle;
    else if (shape_.maximised)
      findArea(*shape_.maximised) = middle;
    else
      placeColumns(middle);
    return layout_;
  }

 private:
  float u(float units) const { return units * unit_; }
  Area& findArea(Place place) { return layout_.areas[static_cast<std::size_t>(place)]; }
  bool hasStage() const { return shape_.mode == Mode::Compare || shape_.mode == Mode::Table; }
  std::vector<Row> sourceRows(float height) const {
    const bool isAlone = shape_.presents || folds_;
    const Row source{Pane::Source, Place::Source, isAlone ? kLeastFoldedSource : kLeastSource};
    const Row note{Pane::Note, Place::Lesson,
                   shape_.asks() ? std::max(260.0F, 0.56F * height / unit_) : 150.0F};
    const Row line{Pane::Gpu, Place::Gpu, kGpuLine, kGpuLine};
    if (shape_.presents) return {source, note};
    if (folds_)
      return shape_.asks() || !shape_.sourceIsTall ? std::vector{source, note, line}
                                                   : std::vector{source, line};
    const Row counters{Pane::Counters, Place::Counters, kLeastCounters};
    const Row charts{Pane::Gpu, Place::Gpu, kLeastGpu};
    const auto fits = [&](float units) { return height >= u(kLeastSource + units); };
    const bool isOpen = shape_.gpuIsOpen && !shape_.sourceIsTall && fits(kLeastGpu + kMargin);
    const Row gpu = isOpen ? charts : line;
    if (fits(kLeastCounters + gpu.least + 2 * kMargin)) return {source, counters, gpu};
    if (!isOpen) return {source, line};
    return {source, {Pane::Gpu, Place::Gpu, std::min(kGpuAlone, height / unit_ - kLeastSource - kMargin)}};
  }

  std::vector<Column> columns(float height) const {
    const Column pictures{Pane::PictureColumn,
                          420,
                          {{Pane::Array, Place::Array, 130},
                           {Pane::Warps, Place::Warps, 96},
                           {Pane::Banks, Place::Banks, 150}}};
    const Column source{Pane::SourceColumn, 400, sourceRows(height)};
    if (shape_.presents || folds_) return {pictures, source};
    const float least = shape_.mode == Mode::Predict ? 280 : shape_.guides ? 330 : 200;
    return {{Pane::LessonColumn, least, {{Pane::LessonColumn, Place::Lesson, 0}}}, pictures, source};
  }

  void placeColumns(const Area& middle) {
    const float gap = u(kMargin);
    const std::vector<Column> all = columns(middle.h);
    std::vector<Part> parts;
    for (const Column& column : all) {
      float widened = 1;
      if (column.pane == Pane::LessonColumn && shape_.mode == Mode::Predict) widened = kQuizColumn;
      if (column.pane == Pane::LessonColumn && shape_.guides) widened = kGuideColumn;
      parts.push_back({column.pane, u(column.least), 0, shape_.shares[column.pane] * widened});
    }
    divide(middle.w, gap, parts);
    float x = middle.x;
    for (std::size_t i = 0; i < all.size(); ++i) {
      placeRows({x, middle.y, parts[i].room, middle.h}, all[i].rows);
      x += parts[i].room;
      if (i + 1 < all.size()) addDivider(parts[i], parts[i + 1], {x, middle.y, gap, middle.h}, true);
      x += gap;
    }
  }

  void placeRows(const Area& column, const std::vector<Row>& rows) {
    const float gap = u(kMargin);
    std::vector<Part> parts;
    parts.reserve(rows.size());
    for (const Row& row : rows)
      parts.push_back({row.pane, u(row.least), u(row.fixed), shape_.shares[row.pane]});
    divide(column.h, gap, parts);
    float y = column.y;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      findArea(rows[i].place) = {column.x, y, column.w, parts[i].room};
      y += parts[i].room;
      if (i + 1 < rows.size()) addDivider(parts[i], parts[i + 1], {column.x, y, column.w, gap}, false);
      y += gap;
    }
  }

  void addDivider(const Part& before, const Part& after, const Area& gap, bool dividesColumns) {
    if (before.fixed > 0 || after.fixed > 0) return;
    layout_.dividers.push_back({before.pane, after.pane, dividesColumns, gap, before.room, after.room,
                                std::min(before.least, before.room), std::min(after.least, after.room)});
  }

  float unit_;
  const WindowShape& shape_;
  bool folds_;
  WindowLayout layout_;
};

}  // namespace

const std::array<Arrangement, 3>& arrangements() {
  static const std::array<Arrangement, 3> kAll{{
      {"standard", "Standard", "Code, array and banks side by side", sharesFor({0.155F, 0.475F, 0.37F})},
      {"code", "Code large", "The source is the widest panel", sharesFor({0.13F, 0.41F, 0.46F}), 1560},
      {"pictures", "Pictures large", "Array, warps and banks have most of the window",
       sharesFor({0.13F, 0.60F, 0.27F})},
  }};
  return kAll;
}

const Arrangement& findArrangement(std::string_view id) {
  const auto* found = std::ranges::find(arrangements(), id, &Arrangement::id);
  return found == arrangements().end() ? arrangements().front() : *found;
}

Shares changedBy(const NamedShares& changes, Shares shares) {
  for (std::size_t pane = 0; pane < kPanes; ++pane) {
    const auto at = changes.find(kPaneDefaults[pane].name);
    if (at != changes.end()) shares[static_cast<Pane>(pane)] = static_cast<float>(at->second);
  }
  return shares;
}

NamedShares named(const Shares& shares) {
  NamedShares all;
  // Whole thousandths: a share that was written is read back unchanged.
  for (std::size_t pane = 0; pane < kPanes; ++pane)
    all[kPaneDefaults[pane].name] = std::round(1000.0 * shares[static_cast<Pane>(pane)]) / 1000.0;
  return all;
}

float unitFor(ImVec2 size, float scale, bool presents) {
  const float unit = std::min(size.x / 1600.0F, size.y / 1000.0F);
  const float eased = unit < 1 ? unit + (1 - unit) * kEase : 1 + (unit - 1) * kEase;
  const Extent& smallest = presents ? kSmallestPresenting : kSmallest;
  const float most = std::min(size.x / smallest.width, size.y / smallest.height);
  const float wanted = std::min(eased * scale * (presents ? kPresenterScale : 1.0F), std::max(most, eased));
  // The body font gets a whole number of pixels, rounded up if in doubt.
  const float body = fontSize(FontRole::Body);
  return std::round(std::clamp(wanted, 0.7F, 4.0F) * body + 0.3F) / body;
}

bool hasLargeText(ImVec2 size, float unit) {
  return size.x < kSmallestUnfolded.width * unit || size.y < kSmallestUnfolded.height * unit;
}

bool isNarrow(ImVec2 size, float unit, float unfolded) {
  // The smallest letters are not smaller in a small window.
  return size.x < unfolded * std::max(unit, kLeastText / fontSize(FontRole::Small));
}

bool foldsColumns(ImVec2 size, float unit, const WindowShape& shape) {
  return hasLargeText(size, unit) || isNarrow(size, unit, shape.unfolded);
}

WindowLayout layoutPlaces(ImVec2 size, float unit, const WindowShape& shape) {
  return Placer(unit, shape, foldsColumns(size, unit, shape)).place(size);
}

Shares dragged(const Shares& shares, const Divider& divider, float by) {
  const float both = divider.beforeRoom + divider.afterRoom;
  if (both <= 0) return shares;
  const float room = std::clamp(divider.beforeRoom + by, divider.leastBefore, both - divider.leastAfter);
  Shares changed = shares;
  // The two divide their common length anew: no other pane moves.
  const float together = shares[divider.before] + shares[divider.after];
  changed[divider.before] = together * room / both;
  changed[divider.after] = together * (both - room) / both;
  return changed;
}

}  // namespace lanescope
