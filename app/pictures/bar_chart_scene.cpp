#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/pictures/base/scene_builder.h"
#include "app/pictures/chart_scene.h"

namespace lanescope {

bool cutLine(const Rect& box, float& x0, float& y0, float& x1, float& y1) {
  const float dx = x1 - x0;
  const float dy = y1 - y0;
  float first = 0;
  float last = 1;
  const auto cut = [&](float along, float room) {
    if (along == 0) return room >= 0;
    const float share = room / along;
    if (along < 0) {
      first = std::max(first, share);
    } else {
      last = std::min(last, share);
    }
    return first <= last;
  };
  const bool isInside =
      cut(-dx, x0 - box.x) && cut(dx, box.right() - x0) && cut(-dy, y0 - box.y) && cut(dy, box.bottom() - y0);
  x1 = x0 + last * dx;
  y1 = y0 + last * dy;
  x0 += first * dx;
  y0 += first * dy;
  return isInside;
}

namespace {

constexpr TextStyle kText{FontRole::Body, ColorRole::Text, Align::Left, 0.88F, 1};
constexpr float kLeastPitch = 15;  ///< units, for a bar without others to compare with
constexpr float kThinPitch = 4.5F;
constexpr float kLineLabels = 24;  ///< units, of the lines' labels

std::size_t legendRows(const BarChart& chart) {
  return (chart.legend.size() + chart.legendColumns - 1) / chart.legendColumns;
}

class BarPainter {
 public:
  BarPainter(const BarChart& chart, const SceneContext& context, const TextMeasure& measure)
      : chart_(chart), out_(context, measure) {}

  Scene paint() {
    if (chart_.bars.empty()) {
      out_.paragraph(out_.margin(), out_.u(8), out_.width() - 2 * out_.margin(), 3, chart_.empty,
                     {FontRole::Body, ColorRole::TextDim, Align::Left, 1, 1});
      return out_.consume();
    }
    layOut();
    paintLegend();
    paintLines();
    for (std::size_t index = 0; index < chart_.bars.size(); ++index) paintBar(index);
    paintLineLabels();
    return out_.consume();
  }

 private:
  void layOut() {
    float labels = 0;
    float texts = 0;
    most_ = 0;
    for (const BarEntry& bar : chart_.bars) {
      const TextStyle style{FontRole::Bold, ColorRole::Text, Align::Left, kText.scale, 1};
      labels = std::max(labels, out_.detailedWidth(bar.label, bar.detail, style));
      texts = std::max(texts, out_.textWidth(bar.text, bar.highlight ? style : kText));
      most_ = std::max({most_, charted(bar.value), charted(bar.upperQuartile)});
      for (const PinnedBar& pinned : bar.pinned) most_ = std::max(most_, charted(pinned.value));
    }
    for (const ReferenceLine& line : chart_.lines) most_ = std::max(most_, charted(line.value));
    if (most_ <= 0) most_ = 1;
    left_ = out_.margin() + (chart_.labelsAbove ? 0 : std::min(labels, out_.width() * 0.38F) + out_.u(12));
    const float foot = chart_.lines.empty() ? out_.u(6) : out_.u(kLineLabels);
    room_ = std::max(out_.width() - left_ - out_.margin() - texts - out_.u(10), out_.u(20));
    runs_ = chart_.legend.empty() ? 0 : chart_.legend.size() - 1;
    top_ = out_.u(6) + out_.u(kLegendPitch) * static_cast<float>(legendRows(chart_));
    const float most = out_.u(36 + 8 * static_cast<float>(runs_));
    pitch_ = std::min((out_.height() - top_ - foot) / static_cast<float>(chart_.bars.size()), most);
    thin_ = std::max(out_.u(2.5F), pitch_ * 0.1F);
  }

  float computeX(double value) const { return left_ + static_cast<float>(charted(value) / most_) * room_; }
  // For each run its kind of bar, then its name; bars that have scrolled below it do not show through.
  void paintLegend() {
    if (chart_.seenTop > 0) out_.fill({0, chart_.seenTop, out_.width(), top_}, ColorRole::Panel, 0);
    const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Left, 0.95F, 1};
    const float pitch = (out_.width() - 2 * out_.margin()) / static_cast<float>(chart_.legendColumns);
    for (std::size_t run = 0; run < chart_.legend.size(); ++run) {
      const std::size_t row = run / chart_.legendColumns;
      const float left = out_.margin() + static_cast<float>(run % chart_.legendColumns) * pitch;
      const float middle =
          chart_.seenTop + out_.u(4) + out_.u(kLegendPitch) * (static_cast<float>(row) + 0.5F);
      const float height = run == 0 ? out_.u(9) : out_.u(5);
      const Rect swatch{left, middle - height / 2, out_.u(26), height};
      if (run == 0) {
        out_.fill(swatch, ColorRole::Bar, out_.u(2));
      } else {
        paintThin(swatch, run);
      }
      const float x = swatch.right() + out_.u(8);
      out_.textWithin(x, middle, left + pitch - x - out_.u(6), chart_.legend[run], style);
    }
  }

  /// The end of the bars, or of their visible part, without the labels' row.
  float linesBottom() const {
    const float bottom = top_ + pitch_ * static_cast<float>(chart_.bars.size());
    return chart_.seenBottom > 0 ? std::min(bottom, chart_.seenBottom - out_.u(kLineLabels)) : bottom;
  }

  // Reference lines run from the first bar to the last.
  void paintLines() {
    const float bottom = linesBottom();
    for (const ReferenceLine& line : chart_.lines) {
      const float x = computeX(line.value);
      out_.dashes({x, chart_.seenTop + top_}, {x, bottom}, out_.u(4), out_.u(7), ColorRole::BarReference,
                  out_.u(1.5F));
    }
  }

  // In a row under the lines; over the bars if those continue below the visible part.
  void paintLineLabels() {
    if (chart_.lines.empty()) return;
    const float bottom = linesBottom();
    if (bottom < top_ + pitch_ * static_cast<float>(chart_.bars.size()))
      out_.fill({0, bottom, out_.width(), out_.height() - bottom}, ColorRole::Panel, 0);
    std::vector<std::pair<float, std::size_t>> order;
    for (std::size_t index = 0; index < chart_.lines.size(); ++index)
      order.emplace_back(computeX(chart_.lines[index].value), index);
    std::ranges::sort(order);
    const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Center, 0.95F, 1};
    float free = out_.u(2);
    for (const auto& [x, index] : order) {
      const std::string& label = chart_.lines[index].label;
      const float half = out_.textWidth(label, style) / 2;
      const float middle = std::clamp(x, std::min(half + out_.u(2), out_.width() / 2),
                                      std::max(out_.width() - half - out_.u(2), out_.width() / 2));
      if (middle - half < free || middle + half > out_.width()) continue;
      out_.text(middle, bottom + out_.u(11), label, style);
      free = middle + half + out_.u(8);
    }
  }

  void paintBar(std::size_t index) {
    const BarEntry& bar = chart_.bars[index];
    const float centre = top_ + (static_cast<float>(index) + 0.5F) * pitch_;
    // Letters must not shine through the labels' row.
    if (chart_.seenBottom > 0 && centre + pitch_ / 2 > linesBottom() + 0.5F) return;
    if (chart_.seenTop > 0 && centre - pitch_ / 2 < chart_.seenTop + top_ - 0.5F) return;
    // The thin bars are below, and push the bar itself up.
    const float below = static_cast<float>(runs_) * (thin_ + out_.u(1));
    // A label above takes half of the row.
    const float above = chart_.labelsAbove ? pitch_ * 0.5F : 0;
    const float height = std::min((pitch_ - below - above) * (runs_ > 0 ? 0.78F : 0.64F), out_.u(20));
    const float middle = centre + (above - below) / 2;
    TextStyle label = kText;
    if (bar.highlight) label.font = FontRole::Bold;
    const float labelRight = chart_.labelsAbove ? out_.width() - out_.margin() : left_ - out_.u(6);
    out_.textWithDetail(out_.margin(), chart_.labelsAbove ? centre - above / 2 : middle,
                        labelRight - out_.margin(), bar.label, bar.detail, label);
    const float end = paintValue(bar, middle, height);
    paintPinned(bar, middle + height / 2 + out_.u(1));
    TextStyle text = label;
    if (bar.wrong) text.color = ColorRole::Bad;
    const float width = out_.textWidth(bar.text, text);
    // A label on a reference line needs a background of its own.
    if (!chart_.lines.empty() && width > 0) {
      const float ground = std::min(pitch_ * 0.9F, out_.computeSize(text) * 1.7F);
      out_.fill({end + out_.u(4), middle - ground / 2, width + out_.u(4), ground}, ColorRole::Panel, 0);
    }
    out_.textWithin(end + out_.u(6), middle, out_.width() - end - out_.u(8), bar.text, text);
    const std::string whose = bar.detail.empty() ? bar.label : bar.label + ", " + bar.detail;
    std::string tip = fmt::format("{}: {}", whose, bar.text);
    if (!bar.note.empty()) tip += "\n" + bar.note;
    if (bar.upperQuartile > bar.lowerQuartile)
      tip += fmt::format("\nquartiles {:.4g} to {:.4g}", bar.lowerQuartile, bar.upperQuartile);
    for (const PinnedBar& pinned : bar.pinned) tip += "\n" + pinned.text;
    out_.hit({0, centre - pitch_ / 2, out_.width(), pitch_}, HitArea::Kind::Strategy,
             static_cast<std::uint32_t>(index), std::move(tip));
  }

  /// Draws the bar itself with its whiskers; returns the x of its end.
  float paintValue(const BarEntry& bar, float middle, float height) {
    if (charted(bar.value) == 0) return left_;
    const Rect rect{left_, middle - height / 2, std::max(computeX(bar.value) - left_, out_.u(2)), height};
    const ColorRole color = bar.wrong       ? ColorRole::Bad
                            : bar.reference ? ColorRole::BarReference
                            : bar.highlight ? ColorRole::BarHighlight
                                            : ColorRole::Bar;
    out_.fill(rect, color, out_.u(3), bar.wrong ? 0.3F : 1);
    if (bar.wrong) out_.hatch(rect, ColorRole::Bad, out_.u(6), out_.u(1.2F));
    if (charted(bar.upperQuartile) <= charted(bar.lowerQuartile)) return rect.right();
    const float low = computeX(bar.lowerQuartile);
    const float high = computeX(bar.upperQuartile);
    out_.line(low, middle, high, middle, ColorRole::Text, out_.u(1.3F));
    for (const float x : {low, high})
      out_.line(x, middle - height * 0.28F, x, middle + height * 0.28F, ColorRole::Text, out_.u(1.3F));
    return std::max(rect.right(), high);
  }

  void paintPinned(const BarEntry& bar, float top) {
    for (const PinnedBar& pinned : bar.pinned) {
      if (charted(pinned.value) == 0 || pinned.run == 0) continue;
      const float y = top + static_cast<float>(pinned.run - 1) * (thin_ + out_.u(1));
      paintThin({left_, y, std::max(computeX(pinned.value) - left_, out_.u(2)), thin_}, pinned.run);
    }
  }

  // Solid, outlined or hatched, all in the same colour.
  void paintThin(const Rect& rect, std::size_t run) {
    if (run == 1) return out_.fill(rect, ColorRole::BarReference, out_.u(1));
    out_.stroke(rect, ColorRole::BarReference, out_.u(1), out_.u(1));
    if (run > 2) out_.hatch(rect, ColorRole::BarReference, out_.u(4), out_.u(1));
  }

  const BarChart& chart_;
  SceneBuilder out_;
  float left_ = 0, room_ = 0, top_ = 0, pitch_ = 0, thin_ = 0;
  std::size_t runs_ = 0;  ///< that are compared with
  double most_ = 1;
};

}  // namespace

float leastBarChartHeight(const BarChart& chart, float unit) {
  const float runs = chart.legend.empty() ? 0 : static_cast<float>(chart.legend.size() - 1);
  const float pitch = kLeastPitch * (chart.labelsAbove ? 2 : 1) + kThinPitch * runs;
  const float bars = static_cast<float>(chart.bars.size()) * pitch;
  const float legend = static_cast<float>(legendRows(chart)) * kLegendPitch;
  return (bars + legend + (chart.lines.empty() ? 8.0F : 26.0F)) * unit;
}

Scene barChartScene(const BarChart& chart, const SceneContext& context, const TextMeasure& measure) {
  return BarPainter(chart, context, measure).paint();
}

}  // namespace lanescope
