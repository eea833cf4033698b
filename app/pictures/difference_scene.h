#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/analysis/alignment.h"
#include "app/analysis/cost.h"
#include "app/analysis/floor_report.h"
#include "app/analysis/profiles.h"
#include "app/pictures/base/scene.h"
#include "sim/memory/counters.h"

namespace lanescope {

/// The side that a difference favours.
enum class Better : std::uint8_t { Neither, Left, Right };

/// One counter of two runs, in words.
struct CounterDifference {
  std::string name;
  std::string meaning;     ///< one sentence, for a tooltip
  std::string left;        ///< `36`, `14%`
  std::string right;       ///< likewise
  std::string difference;  ///< right - left: `+15`, `−15`, `=`; of a share in points: `+16 pts`
  std::string ratio;       ///< right / left: `0.50×`; empty if the left is 0
  Better better = Better::Neither;
};

/// Wavefronts, conflicts, sectors, barriers, divergent branches, instructions (fewer is better) and the share
/// of lanes active (more is better).
std::vector<CounterDifference> counterDifferences(const Counters& left, const Counters& right);

/// Leaves out the right side, as there is no run to compare it with.
void withoutRight(std::vector<CounterDifference>& rows);

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

/// One side of two profiles that are compared.
struct ProfileSide {
  const TextProfile* profile = nullptr;
  const FloorReport* floors = nullptr;  ///< nullptr: not counted
};

/// The differences of two profiles: `kernel` (time, floor, instructions, units in percent of their peaks,
/// occupancy) and `warps' time` (stall reasons). A value that a side does not have is `–`.
std::vector<DifferenceGroup> profileDifferences(const ProfileSide& left, const ProfileSide& right);

/// The side's costliest lines, one per row: `line 11, 51%: if (tid % (2 * k) == 0) {`.
std::vector<std::string> costliestLines(const ProfileSide& side, std::size_t most);

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
