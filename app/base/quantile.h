#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "app/base/whole.h"

namespace lanescope {

/// The value that a share of the values does not exceed: 0.5 gives the median, of two the lower one, 1 the
/// largest. 0 if there are none.
inline double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[toWhole<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace lanescope
