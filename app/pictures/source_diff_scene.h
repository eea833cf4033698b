#pragma once

#include <cstdint>
#include <span>

#include "app/pictures/base/scene.h"
#include "app/pictures/base/text_measure.h"
#include "app/analysis/line_diff.h"

namespace lanescope {

/// One side of two texts, drawn row by row in step with the other side. A line that only this side has is
/// marked with - (left) or + (right), a line that differs with ~ and with its own words underlined; the
/// current line is lit.
struct SourceDiffSide {
  bool isRight = false;
  std::uint32_t line = 0;      ///< the current line on this side, from 1; 0: none
  std::uint32_t firstRow = 0;  ///< of the rows that are shown
};
/// Hits: Line (index: the line; its text as tooltip if it is cut). Scene::rows has the rows shown.
Scene sourceDiffScene(std::span<const DiffRow> rows, const SourceDiffSide& side, const SceneContext& context,
                      const TextMeasure& measure);
/// The first row to show, so that a row is in the middle of a picture of that height, or off the middle if
/// another row is then visible too.
std::uint32_t firstDiffRow(std::size_t rows, std::size_t middle, std::size_t other, float height, float unit);
/// The row with that line of a side; 0 if there is none.
std::size_t findDiffRow(std::span<const DiffRow> rows, bool isRight, std::uint32_t line);

}  // namespace lanescope
