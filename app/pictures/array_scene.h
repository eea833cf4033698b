#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene.h"

namespace lanescope {

/// One place of a row: an element of shared memory (or of a tree in global memory), an input element, a
/// thread's register or an output element. An element of 8 bytes has two words and one place.
struct LadderCell {
  std::uint64_t bits = 0;
  ProvenanceId from = kNoProvenance;
  std::uint32_t index = 0;   ///< (first) cell of the trace, input element, thread or output element
  std::int32_t step = -1;    ///< index of the step that wrote it in this phase, -1: none yet
  std::int16_t thread = -1;  ///< the thread that wrote or will write it in this phase; -1: none
  ValueType type = ValueType::F32;
  std::uint8_t words = 1;  ///< how many it takes
  bool there = false;      ///< false: the column is empty
  bool written = false;    ///< holds a value
  bool result = false;     ///< written in the row's phase (so far)
  bool pending = false;    ///< the row's phase will write it
  bool operand = false;    ///< read by the current phase (so far)
  bool toRead = false;     ///< the current phase will read it
  bool ownIsUsed = false;  ///< Registers: the phase makes it of the thread's own value before, too
  bool idle = false;       ///< no later step uses the register's value

  /// True if both are drawn alike in the same row, except for their values.
  bool looksLike(const LadderCell& other) const {
    return there == other.there && written == other.written && result == other.result &&
           pending == other.pending && operand == other.operand && toRead == other.toRead &&
           idle == other.idle;
  }
};

/// The columns whose cells look different from the ones left of them.
std::vector<std::uint32_t> computeEdges(std::span<const LadderCell> cells);

/// A row of the ladder.
struct LadderRow {
  enum class Kind : std::uint8_t { Input, Words, Registers, Output } kind = Kind::Words;
  enum class Time : std::uint8_t { Past, Current, Future } time = Time::Future;
  std::uint32_t phase = 0;
  std::string label;
  std::string name;            ///< of the array or variable
  std::uint32_t variable = 0;  ///< Registers: index into Trace::variables
  ValueType type = ValueType::F32;
  std::span<const LadderCell> cells;     ///< by column; for a later phase as that phase will leave them
  std::span<const std::uint32_t> edges;  ///< computeEdges(cells)
};

/// An arrow from a row to one below it.
struct LadderArrow {
  std::uint32_t fromRow = 0;
  std::uint32_t fromColumn = 0;
  std::uint32_t toRow = 0;
  std::uint32_t toColumn = 0;
  std::uint32_t thread = 0;
  std::int64_t step = -1;  ///< index of the step that has stored its result, -1: none yet
  bool done = false;       ///< its store is done
  bool idle = false;       ///< its value is not used
};

/// An array that shares the rows of words with others.
struct LadderGroup {
  std::string name;
  std::uint32_t firstColumn = 0;
  std::uint32_t columns = 0;
};

/// The ladder as data, before any place on the screen.
struct Ladder {
  std::vector<LadderRow> rows;
  std::vector<LadderArrow> arrows;
  std::uint32_t columns = 0;
  std::uint32_t currentRow = 0;     ///< the last row of the current phase
  bool registers = false;           ///< lanes shuffle: rows of registers
  std::string globalArray;          ///< the array that the rows show if there is no shared memory
  std::uint32_t words = 0;          ///< of 4 bytes, in a row of them
  std::uint32_t elements = 0;       ///< in those words: fewer, if some take two
  std::vector<LadderGroup> groups;  ///< the arrays that are side by side in a row; empty for a single one

  /// The cells of a row, to be changed; call findEdges() afterwards.
  std::span<LadderCell> edit(std::size_t row);
  /// Finds the edges of the rows that were edited.
  void findEdges();

  struct EditedRow {
    std::vector<LadderCell> cells{};  ///< empty: it shows the plan's
    std::vector<std::uint32_t> edges{};
  };
  std::shared_ptr<const PicturePlan> plan;  ///< the plan of the cells that the rows show
  std::vector<EditedRow> edited{};          ///< by row
};

/// The rows at a moment, and the arrows into those of the current phase.
Ladder ladderAt(const Moment& moment);
/// The arrows into the rows of the phases [first, end), in the order in which they are drawn.
std::vector<LadderArrow> arrowsAt(const Ladder& ladder, Cursor cursor, std::uint32_t first,
                                  std::uint32_t end);

/// Removes all that only later steps show: words to be written, arrows to come, values that stay unused.
void coverFuture(Ladder& ladder);
/// Does the same for other arrows.
void coverArrows(std::vector<LadderArrow>& arrows);

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

/// The ladder: one row per phase, one cell per shared word, arrows from operands to results. Rows of past
/// phases show the words at the end of the phase, the row of the current phase shows them live, later rows
/// are empty. Above it, for up to 64 words, are the input words that the block loads; if lanes shuffle, there
/// are rows of the threads' registers with arrows from lane to lane.
/// Hits: Cell (index: shared cell; thread: its writer), Thread (register rows), Phase (row labels, with the
/// step that completes it).
Scene ladderScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// The picture of a block's arrays: tileScene() for a kernel with two-dimensional data, else the ladder.
Scene arrayScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

}  // namespace lanescope
