#include "app/pictures/why_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "app/pictures/base/scene_builder.h"

namespace lanescope {
namespace {

constexpr TextStyle kWords{FontRole::Body, ColorRole::Text, Align::Left, 0.88F, 1};
constexpr TextStyle kDimWords{FontRole::Small, ColorRole::TextDim, Align::Left, 1, 1};
constexpr float kLeastRowPitch = 15;  ///< units, of a bar
constexpr float kUnitPitch = 17;      ///< of a unit's bar
constexpr float kMostLabel = 0.34F;   ///< of the width

class WhyPainter {
 public:
  WhyPainter(const WhyChart& chart, const SceneContext& context, const TextMeasure& measure)
      : chart_(chart), out_(context, measure) {}

  Scene paint() {
    layOut();
    const float room = out_.width() - 2 * out_.margin();
    float y = out_.u(10);
    y = out_.paragraph(out_.margin(), y + out_.u(6), room, 3, chart_.sentence, kWords);
    y = paintUnits(y + out_.u(2));
    y = paintFloors(y);
    bottom_ = y;
    if (chart_.rows.empty()) return out_.consume();
    y = paintLegend(y);
    const float rows = static_cast<float>(chart_.rows.size());
    const float pitch =
        std::clamp((out_.height() - y - out_.u(4)) / rows, out_.u(kLeastRowPitch), out_.u(30));
    bottom_ = y + rows * pitch + out_.u(4);
    for (std::size_t i = 0; i < chart_.rows.size(); ++i)
      paintRow(i, y + static_cast<float>(i) * pitch, pitch);
    return out_.consume();
  }

  /// The end of the picture.
  float bottom() const { return bottom_; }

 private:
  void layOut() {
    float labels = 0;
    float notes = 0;
    for (const WhyRow& row : chart_.rows) {
      labels = std::max(labels, out_.textWidth(row.label, labelStyle(row)));
      notes = std::max(notes, out_.textWidth(row.note, kWords));
    }
    for (const FloorBar& floor : chart_.floors) {
      labels = std::max(labels, out_.textWidth(floor.name, kWords));
      notes = std::max(notes, out_.textWidth(floor.note, kWords));
    }
    for (const UnitLoad& unit : chart_.units) labels = std::max(labels, out_.textWidth(unit.name, kWords));
    left_ = out_.margin() + std::min(labels, out_.width() * kMostLabel) + out_.u(10);
    right_ = std::max(left_ + out_.u(20), out_.width() - out_.margin() - notes - out_.u(8));
  }

  /// A bar for each unit: how near it is to its peak.
  float paintUnits(float y) {
    if (chart_.units.empty()) {
      out_.textWithin(out_.margin(), y + out_.u(7), out_.width() - 2 * out_.margin(),
                      "The recording has no throughputs of DRAM, L2, L1/shared and issue slots.", kDimWords);
      return y + out_.u(20);
    }
    for (const UnitLoad& unit : chart_.units) {
      paintBar(y, unit.name, unit.percent / 100, findLimiter(unit.percent) != Limiter::Latency,
               fmt::format("{:.0f}%", unit.percent));
      y += out_.u(kUnitPitch);
    }
    return y + out_.u(8);
  }

  /// The least time that the current kernel needs: a sentence, and a bar for each unit.
  float paintFloors(float y) {
    if (chart_.floorSentence.empty()) return y;
    const float room = out_.width() - 2 * out_.margin();
    y = out_.paragraph(out_.margin(), y + out_.u(6), room, 4, chart_.floorSentence, kWords) + out_.u(2);
    for (const FloorBar& floor : chart_.floors) {
      paintBar(y, floor.name, chart_.floorScaleUs > 0 ? floor.us / chart_.floorScaleUs : 0,
               &floor == &chart_.floors.front(), floor.note);
      y += out_.u(kUnitPitch);
    }
    return y + out_.u(8);
  }

  /// A part of a track, with its name before and a note behind it.
  void paintBar(float y, const std::string& name, double share, bool isLit, const std::string& note) {
    const float pitch = out_.u(kUnitPitch);
    const Rect track{left_, y + pitch * 0.15F, right_ - left_, pitch * 0.7F};
    out_.textWithin(out_.margin(), track.midY(), left_ - out_.margin() - out_.u(8), name, kWords);
    out_.fill(track, ColorRole::Cell, out_.u(2));
    out_.fill({track.x, track.y, track.w * static_cast<float>(std::clamp(share, 0.0, 1.0)), track.h},
              isLit ? ColorRole::BarHighlight : ColorRole::Bar, out_.u(2));
    out_.text(track.right() + out_.u(8), track.midY(), note, kWords);
  }

  /// The groups that a bar has, with their colours, in as many rows as they need.
  float paintLegend(float y) {
    std::set<StallGroup> used;
    for (const WhyRow& row : chart_.rows) {
      for (const WhyPart& part : row.parts) used.insert(part.group);
    }
    const float box = out_.u(9);
    float x = out_.margin();
    const float pitch = out_.u(16);
    for (const StallGroup group : used) {
      const std::string words(stallGroupWords(group));
      const float width = box + out_.u(5) + out_.textWidth(words, kDimWords) + out_.u(14);
      if (x > out_.margin() && x + width > out_.width() - out_.margin()) {
        x = out_.margin();
        y += pitch;
      }
      paintPart({x, y + (pitch - box) / 2, box, box}, group, out_.u(2), 1);
      out_.text(x + box + out_.u(5), y + pitch / 2, words, kDimWords);
      x += width;
    }
    return y + pitch + out_.u(4);
  }

  /// Three groups are grey and look the same in some themes: one is plain, one hatched, one hollow.
  void paintPart(const Rect& rect, StallGroup group, float radius, float alpha) {
    const ColorRole color = stallColor(group);
    if (group == StallGroup::Other) {
      out_.stroke(rect, color, out_.u(1.2F), radius, alpha);
      return;
    }
    out_.fill(rect, color, radius, alpha);
    if (group == StallGroup::Slots) out_.hatch(rect, ColorRole::Panel, out_.u(4), out_.u(1.2F));
  }

  void paintRow(std::size_t index, float y, float pitch) {
    const WhyRow& row = chart_.rows[index];
    const Rect bar{left_, y + pitch * 0.14F, right_ - left_, pitch * 0.72F};
    out_.textWithin(out_.margin(), bar.midY(), left_ - out_.margin() - out_.u(8), row.label, labelStyle(row));
    float x = bar.x;
    for (const WhyPart& part : row.parts) {
      const float width = bar.w * static_cast<float>(part.share);
      const float gap = std::min(out_.u(1), width / 3);
      paintPart({x, bar.y, width - gap, bar.h}, part.group, 0, row.highlight ? 1.0F : 0.8F);
      x += width;
    }
    if (row.highlight) out_.stroke(bar, ColorRole::Text, out_.u(1.2F));
    out_.text(bar.right() + out_.u(8), bar.midY(), row.note, kWords);
    out_.hit({out_.margin(), y, out_.width() - 2 * out_.margin(), pitch}, HitArea::Kind::Strategy,
             static_cast<std::uint32_t>(index), row.tooltip);
  }

  static TextStyle labelStyle(const WhyRow& row) {
    TextStyle style = kWords;
    if (row.highlight) style.font = FontRole::Bold;
    return style;
  }

  const WhyChart& chart_;
  SceneBuilder out_;
  float left_ = 0;   ///< of the bars
  float right_ = 0;  ///< of the bars
  float bottom_ = 0;
};

}  // namespace

ColorRole stallColor(StallGroup group) {
  switch (group) {
    case StallGroup::Global: return ColorRole::Operand;
    case StallGroup::Shared: return ColorRole::Conflict;
    case StallGroup::Barrier: return ColorRole::LaneWaiting;
    case StallGroup::Latency: return ColorRole::LaneExited;
    case StallGroup::Code: return ColorRole::CellBorder;
    case StallGroup::Slots: return ColorRole::BarReference;
    case StallGroup::Issued: return ColorRole::LaneActive;
    case StallGroup::Other: break;
  }
  return ColorRole::TextDim;
}

std::vector<WhyPart> whyParts(const Diagnosis& diagnosis) {
  std::array<double, kStallGroups> shares{};
  for (const StallShare& stall : diagnosis.stalls)
    shares[static_cast<std::size_t>(stall.reason.group)] += stall.share;
  std::vector<WhyPart> parts;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] > 0) parts.push_back({static_cast<StallGroup>(i), shares[i]});
  }
  return parts;
}

float leastWhyHeight(const WhyChart& chart, const SceneContext& context, const TextMeasure& measure) {
  SceneContext flat = context;
  flat.height = 0;  // then every row is as low as it may be
  WhyPainter painter(chart, flat, measure);
  painter.paint();
  return painter.bottom();
}

Scene whyScene(const WhyChart& chart, const SceneContext& context, const TextMeasure& measure) {
  return WhyPainter(chart, context, measure).paint();
}

}  // namespace lanescope
