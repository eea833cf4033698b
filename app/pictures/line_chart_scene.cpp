#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/pictures/base/scene_builder.h"
#include "app/pictures/chart_scene.h"

namespace lanescope {
namespace {

constexpr double kStep = 0.8;    ///< of the shown part, for one notch of the wheel
constexpr double kLeastX = 2;    ///< high over low: N doubles from point to point
constexpr double kLeastY = 1.1;  ///< ten per cent

/// A part of `all` whose logarithm is `span` long and starts at `low`, moved to lie inside. Not set if it is
/// all of it.
ChartRange within(double low, double span, ChartRange all) {
  const double first = std::log(all.low);
  const double last = std::log(all.high);
  if (span >= (last - first) * 0.999) return {};
  low = std::clamp(low, first, last - span);
  return {std::exp(low), std::exp(low + span)};
}

ChartRange nearer(ChartRange shown, ChartRange all, double share, double factor, double least) {
  const double low = std::log(shown.low);
  const double span = std::log(shown.high) - low;
  const double wanted = std::max(span * factor, std::min(span, std::log(least)));
  return within(low + share * (span - wanted), wanted, all);
}

ChartRange moved(ChartRange shown, ChartRange all, double share) {
  const double low = std::log(shown.low);
  const double span = std::log(shown.high) - low;
  return within(low + share * span, span, all);
}

/// The values between two shares of an axis, at least `least` high over low, around their middle.
ChartRange between(ChartRange shown, ChartRange all, double from, double to, double least) {
  const double low = std::log(shown.low);
  const double length = std::log(shown.high) - low;
  const double span = std::max((to - from) * length, std::min(length, std::log(least)));
  return within(low + (from + to) / 2 * length - span / 2, span, all);
}

}  // namespace

void ChartZoom::wheel(const LineFrame& frame, float x, float y, float wheel) {
  if (frame.isEmpty()) return;
  const double factor = std::pow(kStep, static_cast<double>(wheel));
  const double shareX = std::clamp((x - frame.left) / (frame.right - frame.left), 0.0F, 1.0F);
  const double shareY = std::clamp((frame.bottom - y) / (frame.bottom - frame.top), 0.0F, 1.0F);
  if (x >= frame.left) x_ = nearer(frame.x, frame.allX, shareX, factor, kLeastX);
  if (y <= frame.bottom) y_ = nearer(frame.y, frame.allY, shareY, factor, kLeastY);
}

void ChartZoom::pan(const LineFrame& frame, float dx, float dy) {
  if (frame.isEmpty() || !isZoomed()) return;
  if (x_.isSet()) x_ = moved(frame.x, frame.allX, -dx / (frame.right - frame.left));
  if (y_.isSet()) y_ = moved(frame.y, frame.allY, dy / (frame.bottom - frame.top));
}

void ChartZoom::box(const LineFrame& frame, float x0, float y0, float x1, float y1) {
  if (frame.isEmpty()) return;
  const float left = std::clamp(std::min(x0, x1), frame.left, frame.right);
  const float right = std::clamp(std::max(x0, x1), frame.left, frame.right);
  const float top = std::clamp(std::min(y0, y1), frame.top, frame.bottom);
  const float bottom = std::clamp(std::max(y0, y1), frame.top, frame.bottom);
  if (right - left < kLeastBox || bottom - top < kLeastBox) return;
  const double width = frame.right - frame.left;
  const double height = frame.bottom - frame.top;
  x_ = between(frame.x, frame.allX, (left - frame.left) / width, (right - frame.left) / width, kLeastX);
  y_ = between(frame.y, frame.allY, (frame.bottom - bottom) / height, (frame.bottom - top) / height, kLeastY);
}

void ChartZoom::applyTo(LineChart& chart) const {
  chart.xRange = x_;
  chart.yRange = y_;
}

namespace {

constexpr std::array kSeriesColors = {ColorRole::Bar, ColorRole::BarReference};

/// Units of a dash, and of the gap after it, in the lines of a run that is compared with.
float dashUnits(std::size_t run) { return run == 1 ? 7.0F : run == 2 ? 3.5F : 1.8F; }

constexpr TextStyle kSmall{FontRole::Small, ColorRole::TextDim, Align::Center, 0.95F, 1};

class LinePainter {
 public:
  LinePainter(const LineChart& chart, const SceneContext& context, const TextMeasure& measure)
      : chart_(chart), out_(context, measure), lastY_(chart.series.size()) {}

  Scene paint() {
    if (!layOut()) {
      out_.paragraph(out_.margin(), out_.u(8), out_.width() - 2 * out_.margin(), 3, chart_.empty,
                     {FontRole::Body, ColorRole::TextDim, Align::Left, 1, 1});
      return out_.consume();
    }
    paintLegend();
    paintGrid();
    paintReferences();
    for (std::size_t index = 0; index < chart_.series.size(); ++index) paintSeries(index);
    paintReferenceLabels();
    paintLabels();
    return out_.consume();
  }

  LineFrame frame() {
    if (!layOut()) return {};
    return {x_.start, x_.end, y_.end, y_.start, {x_.low, x_.high}, {y_.low, y_.high}, allX_, allY_};
  }

 private:
  bool layOut() {
    if (!findRanges()) return false;
    const auto shown = [](ChartRange wanted, ChartRange all) {
      const ChartRange both{std::max(wanted.low, all.low), std::min(wanted.high, all.high)};
      return wanted.isSet() && both.isSet() ? both : all;
    };
    const ChartRange x = shown(chart_.xRange, allX_);
    const ChartRange y = shown(chart_.yRange, allY_);
    float labels = 0;
    for (const LineSeries& series : chart_.series) {
      constexpr TextStyle kBold{FontRole::Bold, ColorRole::Text, Align::Left, 0.85F, 1};
      labels = std::max(labels, out_.detailedWidth(series.label, series.detail, kBold));
    }
    const float left = out_.margin() + out_.u(40);
    const float room = out_.width() - out_.margin() - std::min(labels, out_.width() * 0.32F) - out_.u(28);
    const float legend = out_.u(kLegendPitch) * static_cast<float>(chart_.legend.size());
    x_ = {x.low, x.high, left, std::max(room, left + out_.u(20))};
    // Rows of letters, which do not shrink below a readable size.
    const float row = out_.computeSize(kSmall) * 1.25F;
    const bool hasRow = !chart_.xLabel.empty() && !isLow();
    const float foot = std::max(out_.u(isLow() ? 22 : hasRow ? 42 : 26), row * (hasRow ? 2.8F : 1.7F));
    y_ = {y.low, y.high, out_.height() - foot, out_.u(isLow() ? 22 : 26) + legend};
    return true;
  }

  static bool isShown(const ChartPoint& point) { return charted(point.x) > 0 && charted(point.y) > 0; }

  /// The ranges of the data; false if there are none.
  bool findRanges() {
    double lowX = 0, highX = 0, lowY = 0, highY = 0;
    for (const LineSeries& series : chart_.series) {
      for (const ChartPoint& point : series.points) {
        if (!isShown(point)) continue;
        const bool first = highX == 0;
        lowX = first ? point.x : std::min(lowX, point.x);
        highX = std::max(highX, point.x);
        lowY = first ? point.y : std::min(lowY, point.y);
        highY = std::max(highY, point.y);
      }
    }
    if (highX == 0) return false;
    for (const ReferenceLine& line : chart_.horizontals) highY = std::max(highY, charted(line.value));
    allX_.low = std::exp2(std::floor(std::log2(lowX)));
    allX_.high = std::max(std::exp2(std::ceil(std::log2(highX))), allX_.low * 2);
    // Three decades and everything above: lower values run along the foot.
    allY_.low = std::pow(10.0, std::max(std::floor(std::log10(lowY)), std::floor(std::log10(highY)) - 3));
    allY_.high = std::max(highY * 1.25, allY_.low * 10);
    return true;
  }

  void paintLegend() {
    const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Left, 0.95F, 1};
    for (std::size_t run = 0; run < chart_.legend.size(); ++run) {
      const float y = out_.u(4) + out_.u(kLegendPitch) * (static_cast<float>(run) + 0.5F);
      const float x = out_.margin();
      const float length = out_.u(30);
      if (run == 0) {
        out_.line(x, y, x + length, y, ColorRole::TextDim, out_.u(1.7F));
      } else {
        const float dash = out_.u(dashUnits(run));
        out_.dashes({x, y}, {x + length, y}, dash, 2 * dash, ColorRole::TextDim, out_.u(1.7F));
      }
      const float textX = x + length + out_.u(8);
      out_.textWithin(textX, y, out_.width() - out_.margin() - textX, chart_.legend[run], style);
    }
  }

  void paintGrid() {
    paintY();
    paintX();
    TextStyle left = kSmall;
    left.align = Align::Left;
    out_.textWithin(out_.margin(), y_.end - out_.u(15), out_.width() / 3, chart_.yLabel, left);
    const float middle = (x_.start + x_.end) / 2;
    if (chart_.xLabel.empty()) return;
    if (!isLow())
      return out_.text(middle, y_.start + std::max(out_.u(29), out_.computeSize(kSmall) * 2.45F),
                       chart_.xLabel, kSmall);
    const float x = x_.end + out_.textWidth("512K", kSmall) / 2 + out_.u(8);
    out_.textWithin(x, tickRow(), out_.width() - out_.u(4) - x, chart_.xLabel, left);
  }

  void paintX() {
    const float thin = std::max(out_.u(1), 0.75F);
    for (const double value : doublingTicks(x_, out_.textWidth("512K", kSmall) * 1.35F)) {
      const float x = x_.at(value);
      out_.line(x, y_.end, x, y_.start, ColorRole::Grid, thin, 0.5F);
      out_.text(x, tickRow(), sizeLabel(value), kSmall);
    }
  }

  void paintY() {
    TextStyle right = kSmall;
    right.align = Align::Right;
    const float thin = std::max(out_.u(1), 0.75F);
    for (const AxisTick& tick : decimalTicks(y_, out_.computeSize(kSmall) * 1.4F)) {
      const float y = y_.at(tick.value);
      out_.line(x_.start, y, x_.end, y, ColorRole::Grid, thin, tick.isMain ? 1.0F : 0.45F);
      if (tick.isLabelled)
        out_.textWithin(x_.start - out_.u(6), y, x_.start - out_.u(8), fmt::format("{:.6g}", tick.value),
                        right);
    }
  }

  void paintReferences() {
    paintVerticals();
    std::vector<float> labelled;
    for (const ReferenceLine& line : chart_.horizontals) {
      if (!(line.value >= y_.low && line.value <= y_.high)) continue;
      const float y = y_.at(line.value);
      out_.dashes({x_.start, y}, {x_.end, y}, out_.u(4), out_.u(7), ColorRole::BarReference, out_.u(1.5F));
      const auto isFree = [&](float at) {
        const float height = out_.computeSize(kSmall) * 1.15F;
        return at - height / 2 > y_.end && at + height / 2 < y_.start &&
               std::ranges::none_of(labelled, [&](float other) { return std::abs(at - other) < height; });
      };
      // Over the line, else under it.
      const float over = y - out_.u(8);
      const float labelY = isFree(over) ? over : y + out_.u(10);
      if (!isFree(labelY)) continue;
      labelled.push_back(labelY);
      referenceLabels_.emplace_back(labelY, line.label);
    }
  }

  // Over the lines, on ground of their own.
  void paintReferenceLabels() {
    TextStyle style = kSmall;
    style.align = Align::Left;
    const float x = x_.start + out_.u(4);
    for (const auto& [y, text] : referenceLabels_) {
      const float height = out_.computeSize(style) * 1.1F;
      out_.fill({x, y - height / 2, out_.textWidth(text, style), height}, ColorRole::Panel, 0, 0.85F);
      out_.textWithin(x, y, x_.end - x_.start, text, style);
    }
  }

  void paintVerticals() {
    float free = out_.margin() + out_.textWidth(chart_.yLabel, kSmall) + out_.u(8);
    for (const ReferenceLine& line : chart_.verticals) {
      if (!(line.value >= x_.low && line.value <= x_.high)) continue;
      const float x = x_.at(line.value);
      out_.dashes({x, y_.end}, {x, y_.start}, out_.u(4), out_.u(7), ColorRole::TextDim, out_.u(1.3F));
      const float half = out_.textWidth(line.label, kSmall) / 2;
      if (x - half < free || x + half > out_.width()) continue;
      out_.text(x, y_.end - out_.u(15), line.label, kSmall);
      free = x + half + out_.u(8);
    }
  }

  void paintSeries(std::size_t index) {
    const LineSeries& series = chart_.series[index];
    const ChartPoint* last = nullptr;
    for (const ChartPoint& point : series.points) {
      if (!isShown(point)) continue;
      const float x = x_.at(point.x);
      const float y = computeY(point.y);
      if (last != nullptr) paintSegment(index, x_.at(last->x), computeY(last->y), x, y);
      last = &point;
      const bool isInPlot = x_.shows(point.x) && y >= y_.end - 0.5F && y <= y_.start + 0.5F;
      if (!isInPlot) continue;
      lastY_[index] = y;
      paintMarker(series, x, y);
      const float reach = out_.u(7);
      std::string tip = point.tooltip.empty()
                            ? fmt::format("{}: {:.4g} at {:g}", series.label, point.y, point.x)
                            : point.tooltip;
      out_.hit({x - reach, y - reach, 2 * reach, 2 * reach}, HitArea::Kind::Strategy,
               static_cast<std::uint32_t>(index), std::move(tip));
    }
  }

  /// The part of a piece of a line that is in the plot, dashed if it belongs to another run.
  void paintSegment(std::size_t index, float x0, float y0, float x1, float y1) {
    if (!cutLine(plot(), x0, y0, x1, y1)) return;
    const LineSeries& series = chart_.series[index];
    const float width = out_.u(series.highlight ? 3.0F : 1.7F);
    lastY_[index] = y1;
    if (series.run == 0) return out_.line(x0, y0, x1, y1, chooseColor(series), width);
    const float dash = out_.u(dashUnits(series.run));
    out_.dashes({x0, y0}, {x1, y1}, dash, 2 * dash, chooseColor(series), width);
  }

  void paintMarker(const LineSeries& series, float x, float y) {
    const float size = out_.u(series.run == 0 ? 6.5F : 5.0F);
    const Rect box{x - size / 2, y - size / 2, size, size};
    const ColorRole color = chooseColor(series);
    // Shapes and colours repeat after different counts, so that no two of eight lines have both alike.
    switch ((series.color + series.color / 4) % 4) {
      case 0: out_.fill(box, color, size / 2); break;
      case 1: out_.fill(box, color); break;
      case 2: out_.triangle(box, color, true); break;
      default: out_.stroke(box, color, out_.u(1.6F)); break;
    }
  }

  // Each label beside the end of the visible part of its line, moved apart if they would touch.
  void paintLabels() {
    struct Label {
      float y;
      std::size_t index;
    };
    std::vector<Label> labels;
    for (std::size_t index = 0; index < chart_.series.size(); ++index) {
      if (lastY_[index]) labels.push_back({*lastY_[index], index});
    }
    std::ranges::sort(labels, {}, &Label::y);
    const TextStyle base{FontRole::Body, ColorRole::Text, Align::Left, 0.85F, 1};
    const float room = y_.start - y_.end;
    const float pitch = std::min(out_.computeSize(base) * 1.3F,
                                 room / static_cast<float>(std::max<std::size_t>(labels.size(), 1)));
    float next = y_.end + pitch / 2;
    for (Label& label : labels) {
      label.y = std::max(label.y, next);
      next = label.y + pitch;
    }
    float limit = y_.start;
    for (std::size_t index = labels.size(); index-- > 0;) {
      labels[index].y = std::min(labels[index].y, limit);
      limit = labels[index].y - pitch;
    }
    for (const Label& label : labels) {
      TextStyle style = base;
      if (chart_.series[label.index].highlight) style.font = FontRole::Bold;
      style.scale *= std::min(1.0F, pitch / (out_.computeSize(base) * 1.15F));
      if (pitch < out_.computeSize(style) && !chart_.series[label.index].highlight) continue;
      const float x = x_.end + out_.u(10);
      paintMarker(chart_.series[label.index], x + out_.u(3), label.y);
      const LineSeries& series = chart_.series[label.index];
      out_.textWithDetail(x + out_.u(12), label.y, out_.width() - out_.u(4) - x - out_.u(12), series.label,
                          series.detail, style);
    }
  }

  /// As y_, but values below the shown range run along the foot.
  float computeY(double value) const {
    return y_.low <= allY_.low ? y_.at(std::max(value, y_.low)) : y_.at(value);
  }

  /// In a low chart the x axis' label is beside the ticks, and the plot takes its row.
  bool isLow() const { return out_.height() < out_.u(170); }
  float tickRow() const { return y_.start + std::max(out_.u(12), out_.computeSize(kSmall) * 1.2F); }
  Rect plot() const { return {x_.start, y_.end, x_.end - x_.start, y_.start - y_.end}; }
  static ColorRole chooseColor(const LineSeries& series) {
    if (series.highlight) return ColorRole::BarHighlight;  // as in the bars
    return series.reference ? ColorRole::BarReference : kSeriesColors[series.color % kSeriesColors.size()];
  }

  const LineChart& chart_;
  SceneBuilder out_;
  LogAxis x_, y_;
  ChartRange allX_, allY_;
  std::vector<std::pair<float, std::string>> referenceLabels_;  ///< with the y of their middle
  std::vector<std::optional<float>> lastY_;  ///< the y at which each series leaves the plot
};

}  // namespace

Scene lineChartScene(const LineChart& chart, const SceneContext& context, const TextMeasure& measure) {
  return LinePainter(chart, context, measure).paint();
}

LineFrame lineChartFrame(const LineChart& chart, const SceneContext& context, const TextMeasure& measure) {
  return LinePainter(chart, context, measure).frame();
}

}  // namespace lanescope
