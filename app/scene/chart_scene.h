#pragma once

#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "app/scene/text_measure.h"

namespace lanescope {

/// One bar. A value of 0 draws no bar, only the text.
struct BarEntry {
  std::string label;
  double value = 0;
  std::string text;  ///< at the bar's end: `432 GB/s`
  bool highlight = false;
  bool wrong = false;        ///< the result was wrong: hatched, text in the colour for bad
  bool reference = false;    ///< not one of ours: grey
  double lowerQuartile = 0;  ///< drawn as a whisker where upper > lower
  double upperQuartile = 0;
  double pinned = 0;       ///< a value to compare with: a thin bar below; 0 for none
  std::string pinnedText;  ///< in the tooltip: `1.24x of 432 GB/s`
};

/// A dashed line across a chart with its label at the foot.
struct ReferenceLine {
  double value = 0;
  std::string label;
};

struct BarChart {
  std::vector<BarEntry> bars;
  std::vector<ReferenceLine> lines;
  std::string empty = "No measurements yet.";  ///< said where there are no bars
};

/// The least height in which every bar can be read.
float leastBarChartHeight(const BarChart& chart, float unit);

/// Horizontal bars, one a row, from the top. Hits: Strategy (index: the bar's).
Scene barChartScene(const BarChart& chart, const SceneContext& context, const TextMeasure& measure);

struct ChartPoint {
  double x = 0;
  double y = 0;
  std::string tooltip;
};

struct LineSeries {
  std::string label;
  std::vector<ChartPoint> points;  ///< by rising x; both coordinates over 0
  bool highlight = false;
  bool reference = false;
};

struct LineChart {
  std::vector<LineSeries> series;
  std::vector<ReferenceLine> verticals;    ///< at an x: `L2`
  std::vector<ReferenceLine> horizontals;  ///< at a y: `read ceiling`
  std::string xLabel;                      ///< `N, elements`
  std::string yLabel;                      ///< `GB/s`
  std::string empty = "No measurements yet.";
};

/// Lines over logarithmic axes (x in powers of 2, y in powers of 10), each with its label at its end
/// and a marker shape of its own. Hits: Strategy (index: the series').
Scene lineChartScene(const LineChart& chart, const SceneContext& context, const TextMeasure& measure);

}  // namespace lanescope
