#pragma once

#include <array>
#include <string_view>

#include "app/paint/theme.h"

namespace lanescope {

/// How an eye sees: with all three cones, or without one of them.
struct Vision {
  std::string_view name;
  std::array<std::array<double, 3>, 3> matrix;  ///< of linear sRGB
};

/// Full colour vision, protanopia, deuteranopia and tritanopia: the matrices of severity 1.0 that
/// Machado, Oliveira and Fernandes publish with "A physiologically-based model for simulation of color
/// vision deficiency", IEEE TVCG 15 (2009).
const std::array<Vision, 4>& visions();

/// CIE L*a*b* of white D65.
struct Lab {
  double l = 0;
  double a = 0;
  double b = 0;
};

/// What that eye sees of a colour.
Lab seen(Rgba color, const Vision& vision);

/// CIEDE2000, as in Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula: implementation notes,
/// supplementary test data, and mathematical observations" (2005). About 1 can just be noticed.
double colourDifference(const Lab& first, const Lab& second);

}  // namespace lanescope
