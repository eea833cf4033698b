#pragma once

#include <string>
#include <vector>

#include "app/scene/base/scene.h"
#include "app/scene/base/text_measure.h"

namespace lanescope {

/// A value of another run to compare with: a thin bar below.
struct PinnedBar {
  std::size_t run = 0;  ///< which of BarChart::legend, from 1
  double value = 0;     ///< 0: no bar
  std::string text;     ///< in the tooltip
};

/// One bar. A value of 0 draws no bar, only the text.
struct BarEntry {
  std::string label{};
  double value = 0;
  std::string text{};  ///< at the bar's end: `432 GB/s`
  bool highlight = false;
  bool wrong = false;        ///< the result was wrong: hatched, text in the colour for bad
  bool reference = false;    ///< not one of ours: grey
  double lowerQuartile = 0;  ///< drawn as a whisker where upper > lower
  double upperQuartile = 0;
  std::vector<PinnedBar> pinned{};
  std::string detail{};  ///< after the label, which is cut for it: what distinguishes bars of one label
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
  /// Whose the bars are, then whose the thin ones: said at the top; empty where nothing is compared.
  std::vector<std::string> legend;
  std::string empty = "No measurements yet.";  ///< said where there are no bars
  std::size_t legendColumns = 1;
  /// The part of the scene that is seen, in its pixels, where it is not all of it: the legend is at its top
  /// and the lines' labels at its bottom, and bars that would be cut by either are left out. A bottom of 0:
  /// all of it is seen.
  float seenTop = 0;
  float seenBottom = 0;
};

/// The least height in which every bar can be read.
float leastBarChartHeight(const BarChart& chart, float unit);

/// Horizontal bars, one a row, from the top. Hits: Strategy (index: the bar's), a row each.
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
  std::size_t color = 0;  ///< the palette's; the same for one strategy in several runs
  std::string detail{};   ///< as BarEntry::detail
};

/// A part of an axis; nothing of it where low is not below high.
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
  std::vector<std::string> legend;         ///< whose the lines are, by LineSeries::run; may be empty
  ChartRange xRange;                       ///< shown of the axis; not set: everything
  ChartRange yRange;
  std::string empty = "No measurements yet.";
};

/// Lines over logarithmic axes (x in powers of 2, y in powers of 10), each with its label at its end
/// and a marker shape of its own. Hits: Strategy (index: the series').
Scene lineChartScene(const LineChart& chart, const SceneContext& context, const TextMeasure& measure);

/// Where a line chart's axes lie and what they show, so that a place in the picture can be read.
struct LineFrame {
  float left = 0, right = 0;  ///< of the plot, logical pixels in the scene; 0 where nothing is plotted
  float top = 0, bottom = 0;
  ChartRange x, y;        ///< shown
  ChartRange allX, allY;  ///< there to be shown

  bool isEmpty() const { return right <= left; }
};
LineFrame lineChartFrame(const LineChart& chart, const SceneContext& context, const TextMeasure& measure);

}  // namespace lanescope
