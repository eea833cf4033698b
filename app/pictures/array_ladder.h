#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/pictures/base/moment.h"

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

}  // namespace lanescope
