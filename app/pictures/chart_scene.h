#pragma once

#include <string>
#include <vector>

#include "app/pictures/base/scene.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/chart_axis.h"

/// Charts of bars and of lines. A value that charted() does not pass has no bar and no point.
namespace lanescope {

inline constexpr float kLegendPitch = 15;  ///< units

/// Cuts a line to a box (Liang and Barsky, 1984). Returns false if it is entirely outside.
bool cutLine(const Rect& box, float& x0, float& y0, float& x1, float& y1);

/// A value of another run to compare with: a thin bar below.
struct PinnedBar {
  std::size_t run = 0;  ///< which of BarChart::legend, from 1
  double value = 0;     ///< 0: no bar
  std::string text;     ///< in the tooltip
};

/// One bar. A value of 0 draws only the text.
struct BarEntry {
  std::string label{};
  double value = 0;
  std::string text{};  ///< at the bar's end: `432 GB/s`
  bool highlight = false;
  bool wrong = false;        ///< the result was wrong: hatched, text in the colour for bad
  bool reference = false;    ///< not one of our kernels: grey
  double lowerQuartile = 0;  ///< drawn as a whisker if upper > lower
  double upperQuartile = 0;
  std::vector<PinnedBar> pinned{};
  std::string detail{};  ///< after the label, which is cut first: it distinguishes bars of the same label
  std::string note{};    ///< a line of the tooltip
};

/// A dashed line across a chart with its label at the foot.
struct ReferenceLine {
  double value = 0;
  std::string label;
};

struct BarChart {
  std::vector<BarEntry> bars;
  std::vector<ReferenceLine> lines;
  /// The run of the bars, then those of the thin ones: shown at the top. Empty without a comparison.
  std::vector<std::string> legend;
  std::string empty = "No measurements yet.";  ///< shown if there are no bars
  std::size_t legendColumns = 1;
  bool labelsAbove = false;  ///< each over its bar, with the whole width: for a narrow chart
  /// The visible part of the scene, in its pixels, if it is not the whole: the legend is at its top and the
  /// lines' labels at its bottom, and bars that either would cut are left out. A bottom of 0: the whole is
  /// visible.
  float seenTop = 0;
  float seenBottom = 0;
};

/// The least height in which every bar can be read.
float leastBarChartHeight(const BarChart& chart, float unit);

/// Horizontal bars, one per row, from the top. Hits: Strategy (index: the bar's), one row each.
Scene barChartScene(const BarChart& chart, const SceneContext& context, const TextMeasure& measure);

struct ChartPoint {
  double x = 0;
  double y = 0;
  std::string tooltip;
};

struct LineSeries {
  std::string label{};
  std::vector<ChartPoint> points{};  ///< by rising x; both coordinates over 0
  bool highlight = false;
  bool reference = false;
  std::size_t run = 0;    ///< which of LineChart::legend: 0 a solid line, others dashed each in its way
  std::size_t color = 0;  ///< in the palette; the same for one strategy in several runs
  std::string detail{};   ///< as BarEntry::detail
};

/// A part of an axis; empty unless low is below high.
struct ChartRange {
  double low = 0;
  double high = 0;
  bool isSet() const { return low < high; }
  bool operator==(const ChartRange&) const = default;
};

struct LineChart {
  std::vector<LineSeries> series;
  std::vector<ReferenceLine> verticals;    ///< at an x: `L2`
  std::vector<ReferenceLine> horizontals;  ///< at a y: `read ceiling`
  std::string xLabel;                      ///< `N, elements`
  std::string yLabel;                      ///< `GB/s`
  std::vector<std::string> legend;         ///< the runs of the lines, by LineSeries::run; can be empty
  ChartRange xRange;                       ///< shown of the axis; not set: everything
  ChartRange yRange;
  std::string empty = "No measurements yet.";
};

/// Lines over logarithmic axes (x in powers of 2, y in powers of 10), each with its label at its end
/// and a marker shape of its own. Hits: Strategy (index: the series').
Scene lineChartScene(const LineChart& chart, const SceneContext& context, const TextMeasure& measure);

/// The position of a line chart's axes and the values on them, so that a point in the picture can be read.
struct LineFrame {
  float left = 0, right = 0;  ///< of the plot, logical pixels in the scene; 0 if there is no plot
  float top = 0, bottom = 0;
  ChartRange x, y;        ///< shown
  ChartRange allX, allY;  ///< there to be shown

  bool isEmpty() const { return right <= left; }
};
LineFrame lineChartFrame(const LineChart& chart, const SceneContext& context, const TextMeasure& measure);

/// The part of a line chart that is shown: all of it until the user turns the wheel or drags.
class ChartZoom {
 public:
  bool isZoomed() const { return x_.isSet() || y_.isSet(); }
  bool operator==(const ChartZoom&) const = default;
  void reset() { x_ = y_ = {}; }

  /// Zooms in for a positive wheel, out for a negative one, around (x, y), logical pixels in the scene.
  /// Beside the plot, over an axis' numbers, only that axis changes.
  void wheel(const LineFrame& frame, float x, float y, float wheel);
  /// Moves the shown part along with a pointer that moved that far, at most to the end of the data.
  void pan(const LineFrame& frame, float dx, float dy);

  /// Shows the part between two corners of a box, logical pixels in the scene, in any order, as far as it is
  /// inside the plot. Ignores a box that is narrower or lower than kLeastBox.
  void box(const LineFrame& frame, float x0, float y0, float x1, float y1);
  static constexpr float kLeastBox = 6;

  /// Sets the shown part in the chart.
  void applyTo(LineChart& chart) const;

 private:
  ChartRange x_, y_;
};

}  // namespace lanescope
