#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/chart_scene.h"
#include "app/scene/scene_builder.h"

namespace lanescope {
namespace {

constexpr std::array kSeriesColors = {ColorRole::Pass0, ColorRole::Pass1, ColorRole::Pass2,
                                      ColorRole::Pass3, ColorRole::Arrow, ColorRole::LaneWaiting};

/// Where a logarithmic axis starts and ends, and where it lies.
struct LogAxis {
  double low = 1;
  double high = 10;
  float start = 0;
  float end = 1;

  float at(double value) const {
    const double share = (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
    return start + (end - start) * static_cast<float>(std::clamp(share, 0.0, 1.0));
  }
};

std::string powerOfTwo(int exponent) {
  if (exponent >= 30) return fmt::format("{}G", 1U << (exponent - 30));
  if (exponent >= 20) return fmt::format("{}M", 1U << (exponent - 20));
  if (exponent >= 10) return fmt::format("{}K", 1U << (exponent - 10));
  return fmt::format("{}", exponent < 0 ? 1U : 1U << exponent);
}

class LinePainter {
 public:
  LinePainter(const LineChart& chart, const SceneContext& context, const TextMeasure& measure)
      : chart_(chart), out_(context, measure) {}

  Scene paint();

 private:
  bool layOut();
  void paintGrid();
  void paintReferences();
  void paintSeries(std::size_t index);
  void paintMarker(std::size_t index, float x, float y, ColorRole color);
  void paintLabels();
  ColorRole colorOf(std::size_t index) const {
    return chart_.series[index].reference ? ColorRole::BarReference
                                          : kSeriesColors[index % kSeriesColors.size()];
  }

  const LineChart& chart_;
  SceneBuilder out_;
  LogAxis x_, y_;
};

constexpr TextStyle kSmall{FontRole::Small, ColorRole::TextDim, Align::Center, 0.95F, 1};

bool LinePainter::layOut() {
  double lowX = 0, highX = 0, lowY = 0, highY = 0;
  float labels = 0;
  for (const LineSeries& series : chart_.series) {
    labels = std::max(labels,
                      out_.textWidth(series.label, {FontRole::Bold, ColorRole::Text, Align::Left, 0.85F, 1}));
    for (const ChartPoint& point : series.points) {
      if (point.x <= 0 || point.y <= 0) continue;
      const bool first = highX == 0;
      lowX = first ? point.x : std::min(lowX, point.x);
      highX = std::max(highX, point.x);
      lowY = first ? point.y : std::min(lowY, point.y);
      highY = std::max(highY, point.y);
    }
  }
  if (highX == 0) return false;
  for (const ReferenceLine& line : chart_.horizontals) highY = std::max(highY, line.value);
  x_.low = std::exp2(std::floor(std::log2(lowX)));
  x_.high = std::max(std::exp2(std::ceil(std::log2(highX))), x_.low * 2);
  // Three decades and what is over: below, lines run along the foot.
  y_.low = std::pow(10.0, std::max(std::floor(std::log10(lowY)), std::floor(std::log10(highY)) - 3));
  y_.high = std::max(highY * 1.25, y_.low * 10);
  x_.start = out_.margin() + out_.u(40);
  x_.end = std::max(out_.width() - out_.margin() - std::min(labels, out_.width() * 0.32F) - out_.u(28),
                    x_.start + out_.u(20));
  y_.start = out_.height() - out_.u(chart_.xLabel.empty() ? 26 : 42);
  y_.end = out_.u(26);
  return true;
}

void LinePainter::paintGrid() {
  const float thin = std::max(out_.u(1), 0.75F);
  TextStyle right = kSmall;
  right.align = Align::Right;
  for (double value = y_.low; value <= y_.high; value *= 10) {
    for (const int step : {1, 2, 5}) {
      const double tick = value * step;
      if (tick > y_.high) break;
      const float y = y_.at(tick);
      out_.line(x_.start, y, x_.end, y, ColorRole::Grid, thin, step == 1 ? 1.0F : 0.45F);
      const float spacing = y_.at(1) - y_.at(2);
      if (step == 1 || spacing > out_.sizeOf(kSmall) * 1.4F) {
        out_.textWithin(x_.start - out_.u(6), y, x_.start - out_.u(8), fmt::format("{:g}", tick), right);
      }
    }
  }
  const int first = static_cast<int>(std::lround(std::log2(x_.low)));
  const int last = static_cast<int>(std::lround(std::log2(x_.high)));
  const float pitch = (x_.end - x_.start) / static_cast<float>(last - first);
  int stride = 1;
  while (static_cast<float>(stride) * pitch < out_.textWidth("512K", kSmall) * 1.35F && stride < last - first)
    ++stride;
  for (int exponent = first; exponent <= last; ++exponent) {
    const float x = x_.at(std::exp2(exponent));
    if ((exponent - first) % stride != 0) continue;
    out_.line(x, y_.end, x, y_.start, ColorRole::Grid, thin, 0.5F);
    out_.text(x, y_.start + out_.u(12), powerOfTwo(exponent), kSmall);
  }
  TextStyle left = kSmall;
  left.align = Align::Left;
  out_.textWithin(out_.margin(), out_.u(11), out_.width() / 3, chart_.yLabel, left);
  const float middle = (x_.start + x_.end) / 2;
  if (!chart_.xLabel.empty()) out_.text(middle, y_.start + out_.u(29), chart_.xLabel, kSmall);
}

void LinePainter::paintReferences() {
  float free = out_.margin() + out_.textWidth(chart_.yLabel, kSmall) + out_.u(8);
  for (const ReferenceLine& line : chart_.verticals) {
    if (line.value < x_.low || line.value > x_.high) continue;
    const float x = x_.at(line.value);
    for (float y = y_.end; y < y_.start; y += out_.u(7)) {
      out_.line(x, y, x, std::min(y + out_.u(4), y_.start), ColorRole::TextDim, out_.u(1.3F));
    }
    const float half = out_.textWidth(line.label, kSmall) / 2;
    if (x - half < free || x + half > out_.width()) continue;
    out_.text(x, out_.u(11), line.label, kSmall);
    free = x + half + out_.u(8);
  }
  float lastY = -out_.height();
  for (const ReferenceLine& line : chart_.horizontals) {
    if (line.value < y_.low || line.value > y_.high) continue;
    const float y = y_.at(line.value);
    for (float x = x_.start; x < x_.end; x += out_.u(7)) {
      out_.line(x, y, std::min(x + out_.u(4), x_.end), y, ColorRole::BarReference, out_.u(1.5F));
    }
    if (std::abs(y - lastY) < out_.sizeOf(kSmall) * 1.3F) continue;
    lastY = y;
    TextStyle left = kSmall;
    left.align = Align::Left;
    // Over the line while there is room under the vertical lines' labels.
    const float labelY = y - out_.u(8) > out_.u(26) ? y - out_.u(8) : y + out_.u(12);
    out_.textWithin(x_.start + out_.u(4), labelY, x_.end - x_.start, line.label, left);
  }
}

void LinePainter::paintMarker(std::size_t index, float x, float y, ColorRole color) {
  const float size = out_.u(6.5F);
  const Rect box{x - size / 2, y - size / 2, size, size};
  switch (index % 4) {
    case 0: out_.fill(box, color, size / 2); break;
    case 1: out_.fill(box, color); break;
    case 2: out_.triangle(box, color, true); break;
    default: out_.stroke(box, color, out_.u(1.6F)); break;
  }
}

void LinePainter::paintSeries(std::size_t index) {
  const LineSeries& series = chart_.series[index];
  const ColorRole color = colorOf(index);
  const ChartPoint* last = nullptr;
  for (const ChartPoint& point : series.points) {
    if (point.x <= 0 || point.y <= 0) continue;
    const float x = x_.at(point.x);
    const float y = y_.at(point.y);
    if (last != nullptr)
      out_.line(x_.at(last->x), y_.at(last->y), x, y, color, out_.u(series.highlight ? 3.0F : 1.7F));
    paintMarker(index, x, y, color);
    const float reach = out_.u(7);
    std::string tip = point.tooltip.empty()
                          ? fmt::format("{}: {:.4g} at {:g}", series.label, point.y, point.x)
                          : point.tooltip;
    out_.hit({x - reach, y - reach, 2 * reach, 2 * reach}, HitArea::Kind::Strategy,
             static_cast<std::uint32_t>(index), std::move(tip));
    last = &point;
  }
}

// Each label beside its line's last point, moved apart where they would touch.
void LinePainter::paintLabels() {
  struct Place {
    float y;
    std::size_t index;
  };
  std::vector<Place> places;
  for (std::size_t index = 0; index < chart_.series.size(); ++index) {
    const auto& points = chart_.series[index].points;
    const auto last =
        std::find_if(points.rbegin(), points.rend(), [](const ChartPoint& p) { return p.x > 0 && p.y > 0; });
    if (last != points.rend()) places.push_back({y_.at(last->y), index});
  }
  std::ranges::sort(places, {}, &Place::y);
  const TextStyle base{FontRole::Body, ColorRole::Text, Align::Left, 0.85F, 1};
  const float room = y_.start - y_.end;
  const float pitch =
      std::min(out_.sizeOf(base) * 1.3F, room / static_cast<float>(std::max<std::size_t>(places.size(), 1)));
  float next = y_.end + pitch / 2;
  for (Place& place : places) {
    place.y = std::max(place.y, next);
    next = place.y + pitch;
  }
  float limit = y_.start;
  for (std::size_t index = places.size(); index-- > 0;) {
    places[index].y = std::min(places[index].y, limit);
    limit = places[index].y - pitch;
  }
  for (const Place& place : places) {
    TextStyle style = base;
    if (chart_.series[place.index].highlight) style.font = FontRole::Bold;
    style.scale *= std::min(1.0F, pitch / (out_.sizeOf(base) * 1.15F));
    const float x = x_.end + out_.u(10);
    paintMarker(place.index, x + out_.u(3), place.y, colorOf(place.index));
    out_.textWithin(x + out_.u(12), place.y, out_.width() - out_.u(4) - x - out_.u(12),
                    chart_.series[place.index].label, style);
  }
}

Scene LinePainter::paint() {
  if (!layOut()) {
    out_.paragraph(out_.margin(), out_.u(8), out_.width() - 2 * out_.margin(), 3, chart_.empty,
                   {FontRole::Body, ColorRole::TextDim, Align::Left, 1, 1});
    return out_.take();
  }
  paintGrid();
  paintReferences();
  for (std::size_t index = 0; index < chart_.series.size(); ++index) paintSeries(index);
  paintLabels();
  return out_.take();
}

}  // namespace

Scene lineChartScene(const LineChart& chart, const SceneContext& context, const TextMeasure& measure) {
  return LinePainter(chart, context, measure).paint();
}

}  // namespace lanescope
