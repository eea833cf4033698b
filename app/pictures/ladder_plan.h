#pragma once

#include <limits>
#include <string>
#include <vector>

#include "app/pictures/array_ladder.h"

namespace lanescope {

inline constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

/// A store into a place of a row; a register is stored into by every change of its variable.
struct PlannedStore {
  std::uint32_t column = 0;
  std::uint32_t step = 0;
  std::uint32_t thread = 0;
};

/// A row as it is at the end, and the stores that made it.
struct PlannedRow {
  LadderRow::Kind kind = LadderRow::Kind::Words;
  std::uint32_t phase = 0;
  std::string label;
  std::string name;
  std::uint32_t variable = 0;
  ValueType type = ValueType::F32;
  bool isUpdated = false;            ///< Output: by atomics, so that there is a value before
  std::uint32_t firstCell = 0;       ///< Output: the first of its array in ReplayState::cells
  std::vector<LadderCell> cells;     ///< by column, as the row's phase leaves them
  std::vector<std::uint32_t> edges;  ///< computeEdges(cells)
  std::vector<PlannedStore> stores;  ///< by column, then by step
};

/// An arrow, and when it is there and done.
struct PlannedArrow {
  std::uint32_t fromRow = 0;
  std::uint32_t fromColumn = 0;
  std::uint32_t toRow = 0;
  std::uint32_t toColumn = 0;
  std::uint32_t thread = 0;
  std::uint32_t step = 0;        ///< the step that stores its target; kOfPlace: each store into that place
  std::uint32_t thereAfter = 0;  ///< as Cursor::steps: it is not there before
  bool isIdle = false;

  static constexpr std::uint32_t kOfPlace = std::numeric_limits<std::uint32_t>::max();
};

/// A word of the rows above that a phase reads, and the step that does so first.
struct PlannedRead {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  std::uint32_t step = 0;
};

/// The rows and arrows that a phase adds to the ladder.
struct PlannedPhase {
  std::uint32_t firstRow = 0, endRow = 0;
  std::uint32_t firstArrow = 0, endArrow = 0;  ///< range in LadderPlan::arrows
  std::uint32_t firstOwn = 0, endOwn = 0;      ///< range in LadderPlan::ownArrows
  std::vector<PlannedRead> reads;
};

/// The ladder of a trace: all that does not depend on the cursor.
struct LadderPlan {
  std::vector<PlannedRow> rows;
  std::vector<PlannedPhase> phases;
  std::vector<PlannedArrow> arrows;     ///< by phase
  std::vector<PlannedArrow> ownArrows;  ///< straight down between registers, by phase
  std::uint32_t columns = 0;
  std::uint32_t inputs = 0;  ///< rows of inputs, which come first
  bool registers = false;
  std::string globalArray;
  std::uint32_t words = 0;
  std::uint32_t elements = 0;
  std::vector<LadderGroup> groups;
};

/// Rows of inputs are left out past that many elements.
LadderPlan planLadder(const Trace& trace, std::uint32_t maxInputs = 64);

}  // namespace lanescope
