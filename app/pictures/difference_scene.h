#pragma once

#include <string>
#include <vector>

#include "app/pictures/base/scene.h"
#include "app/pictures/base/text_measure.h"
#include "app/pictures/counter_difference.h"

namespace lanescope {

/// The counters of two runs over one span of them.
struct DifferenceGroup {
  std::string title;  ///< `this phase`
  std::string note;   ///< the current phases of the sides; can be empty
  std::vector<CounterDifference> rows;
};

/// A row for each counter, a group of columns for each span: left, right, the difference, the ratio. An arrow
/// between left and right points to the side that is better; its number is bold and in the colour for good.
/// Every group has the same rows.
/// Hits: Strategy (index: the row; the tooltip explains the counter).
Scene differenceScene(const std::vector<DifferenceGroup>& groups, const SceneContext& context,
                      const TextMeasure& measure);

/// A lower picture without differences and ratios: a row for each span, a column for each counter, `3 ← 4`.
/// Hits: Strategy (index: the column).
Scene briefDifferenceScene(const std::vector<DifferenceGroup>& groups, const SceneContext& context,
                           const TextMeasure& measure);

}  // namespace lanescope
