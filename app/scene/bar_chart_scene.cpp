#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/chart_scene.h"
#include "app/scene/scene_builder.h"

namespace lanescope {
namespace {

class BarPainter {
 public:
  BarPainter(const BarChart& chart, const SceneContext& context, const TextMeasure& measure)
      : chart_(chart), out_(context, measure) {}

  Scene paint();

 private:
  void layOut();
  float xOf(double value) const { return left_ + static_cast<float>(value / most_) * room_; }
  void paintLines();
  void paintBar(std::size_t index);

  const BarChart& chart_;
  SceneBuilder out_;
  float left_ = 0, room_ = 0, top_ = 0, pitch_ = 0;
  double most_ = 1;
};

constexpr TextStyle kText{FontRole::Body, ColorRole::Text, Align::Left, 0.88F, 1};

void BarPainter::layOut() {
  float labels = 0;
  float texts = 0;
  most_ = 0;
  for (const BarEntry& bar : chart_.bars) {
    const TextStyle style{FontRole::Bold, ColorRole::Text, Align::Left, kText.scale, 1};
    labels = std::max(labels, out_.textWidth(bar.label, style));
    texts = std::max(texts, out_.textWidth(bar.text, bar.highlight ? style : kText));
    most_ = std::max({most_, bar.value, bar.upperQuartile, bar.pinned});
  }
  for (const ReferenceLine& line : chart_.lines) most_ = std::max(most_, line.value);
  if (most_ <= 0) most_ = 1;
  left_ = out_.margin() + std::min(labels, out_.width() * 0.38F) + out_.u(12);
  const float foot = chart_.lines.empty() ? out_.u(6) : out_.u(24);
  room_ = std::max(out_.width() - left_ - out_.margin() - texts - out_.u(10), out_.u(20));
  top_ = out_.u(6);
  pitch_ = std::min((out_.height() - top_ - foot) / static_cast<float>(chart_.bars.size()), out_.u(36));
}

// Reference lines run from the first bar to the last, their labels in a row under them.
void BarPainter::paintLines() {
  const float bottom = top_ + pitch_ * static_cast<float>(chart_.bars.size());
  std::vector<std::pair<float, std::size_t>> order;
  for (std::size_t index = 0; index < chart_.lines.size(); ++index)
    order.emplace_back(xOf(chart_.lines[index].value), index);
  std::ranges::sort(order);
  const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Center, 0.95F, 1};
  float free = out_.u(2);
  for (const auto& [x, index] : order) {
    for (float y = top_; y < bottom; y += out_.u(7)) {
      out_.line(x, y, x, std::min(y + out_.u(4), bottom), ColorRole::BarReference, out_.u(1.5F));
    }
    const std::string& label = chart_.lines[index].label;
    const float half = out_.textWidth(label, style) / 2;
    const float middle = std::clamp(x, std::min(half + out_.u(2), out_.width() / 2),
                                    std::max(out_.width() - half - out_.u(2), out_.width() / 2));
    if (middle - half < free || middle + half > out_.width()) continue;
    out_.text(middle, bottom + out_.u(11), label, style);
    free = middle + half + out_.u(8);
  }
}

void BarPainter::paintBar(std::size_t index) {
  const BarEntry& bar = chart_.bars[index];
  const float middle = top_ + (static_cast<float>(index) + 0.5F) * pitch_;
  const float height = std::min(pitch_ * 0.64F, out_.u(20));
  TextStyle label = kText;
  if (bar.highlight) label.font = FontRole::Bold;
  out_.textWithin(out_.margin(), middle, left_ - out_.margin() - out_.u(6), bar.label, label);
  float end = left_;
  if (bar.value > 0) {
    const Rect rect{left_, middle - height / 2, std::max(xOf(bar.value) - left_, out_.u(2)), height};
    const ColorRole color = bar.wrong       ? ColorRole::Bad
                            : bar.reference ? ColorRole::BarReference
                            : bar.highlight ? ColorRole::BarHighlight
                                            : ColorRole::Bar;
    out_.fill(rect, color, out_.u(3), bar.wrong ? 0.3F : 1);
    if (bar.wrong) out_.hatch(rect, ColorRole::Bad, out_.u(6), out_.u(1.2F));
    end = rect.right();
    if (bar.upperQuartile > bar.lowerQuartile) {
      const float low = xOf(bar.lowerQuartile);
      const float high = xOf(bar.upperQuartile);
      out_.line(low, middle, high, middle, ColorRole::Text, out_.u(1.3F));
      for (const float x : {low, high})
        out_.line(x, middle - height * 0.28F, x, middle + height * 0.28F, ColorRole::Text, out_.u(1.3F));
      end = std::max(end, high);
    }
  }
  if (bar.pinned > 0) {
    const Rect below{left_, middle + height / 2 + out_.u(1), std::max(xOf(bar.pinned) - left_, out_.u(2)),
                     std::max(out_.u(2.5F), pitch_ * 0.1F)};
    out_.fill(below, ColorRole::BarReference, out_.u(1));
  }
  TextStyle text = label;
  if (bar.wrong) text.color = ColorRole::Bad;
  const float width = out_.textWidth(bar.text, text);
  // A label on a reference line needs ground of its own.
  if (!chart_.lines.empty() && width > 0) {
    out_.fill({end + out_.u(4), middle - pitch_ * 0.4F, width + out_.u(4), pitch_ * 0.8F}, ColorRole::Panel,
              0, 0.88F);
  }
  out_.textWithin(end + out_.u(6), middle, out_.width() - end - out_.u(8), bar.text, text);
  std::string tip = fmt::format("{}: {}", bar.label, bar.text);
  if (bar.upperQuartile > bar.lowerQuartile)
    tip += fmt::format("\nquartiles {:.4g} to {:.4g}", bar.lowerQuartile, bar.upperQuartile);
  if (!bar.pinnedText.empty()) tip += "\n" + bar.pinnedText;
  out_.hit({0, middle - pitch_ / 2, out_.width(), pitch_}, HitArea::Kind::Strategy,
           static_cast<std::uint32_t>(index), std::move(tip));
}

Scene BarPainter::paint() {
  if (chart_.bars.empty()) {
    out_.paragraph(out_.margin(), out_.u(8), out_.width() - 2 * out_.margin(), 3, chart_.empty,
                   {FontRole::Body, ColorRole::TextDim, Align::Left, 1, 1});
    return out_.take();
  }
  layOut();
  paintLines();
  for (std::size_t index = 0; index < chart_.bars.size(); ++index) paintBar(index);
  return out_.take();
}

}  // namespace

float leastBarChartHeight(const BarChart& chart, float unit) {
  constexpr float kLeastPitch = 15.0F;
  return (static_cast<float>(chart.bars.size()) * kLeastPitch + (chart.lines.empty() ? 8.0F : 26.0F)) * unit;
}

Scene barChartScene(const BarChart& chart, const SceneContext& context, const TextMeasure& measure) {
  return BarPainter(chart, context, measure).paint();
}

}  // namespace lanescope
