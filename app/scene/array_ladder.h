#pragma once

#include <string>
#include <vector>

#include "app/scene/moment.h"

namespace lanescope {

/// One place of a row: an element of shared memory (or of a tree in global memory), an input element, a
/// thread's register or an output element. An element of 8 bytes has two words and one place.
struct LadderCell {
  bool there = false;       ///< false: nothing is drawn in this column
  bool written = false;     ///< holds a value
  bool result = false;      ///< written in the row's phase (so far)
  bool pending = false;     ///< the row's phase writes it, but has not yet
  bool operand = false;     ///< read by the phase under way (so far)
  bool toRead = false;      ///< the phase under way reads it, but has not yet
  bool ownIsUsed = false;   ///< Registers: the phase makes it of the thread's own value before, too
  bool idle = false;        ///< a register whose value no later step uses
  std::uint32_t index = 0;  ///< (first) cell of the trace, input element, thread or output element
  std::uint32_t words = 1;  ///< that it takes
  ValueType type = ValueType::F32;
  std::int64_t thread = -1;  ///< who wrote it in this phase, -1: nobody
  std::int64_t step = -1;    ///< index of the step that did, -1: none yet
  std::uint64_t bits = 0;
  ProvenanceId from = kNoProvenance;
};

/// A row of the ladder.
struct LadderRow {
  enum class Kind : std::uint8_t { Input, Words, Registers, Output } kind = Kind::Words;
  enum class Time : std::uint8_t { Past, Current, Future } time = Time::Future;
  std::uint32_t phase = 0;
  std::string label;
  std::string name;            ///< of the array or variable
  std::uint32_t variable = 0;  ///< Registers: index into Trace::variables
  ValueType type = ValueType::F32;
  std::vector<LadderCell> cells;  ///< by column
};

/// An arrow from a row to one below it.
struct LadderArrow {
  std::uint32_t fromRow = 0;
  std::uint32_t fromColumn = 0;
  std::uint32_t toRow = 0;
  std::uint32_t toColumn = 0;
  std::uint32_t thread = 0;
  std::int64_t step = -1;  ///< index of the step that has stored its result, -1: none yet
  bool done = false;       ///< its store is
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
  std::uint32_t currentRow = 0;     ///< the last row of the phase under way
  bool registers = false;           ///< lanes shuffle: rows of registers
  std::string globalArray;          ///< whose words the rows show, where there is no shared memory
  std::uint32_t words = 0;          ///< of 4 bytes, in a row of them
  std::uint32_t elements = 0;       ///< that they make up: fewer, where some take two
  std::vector<LadderGroup> groups;  ///< the arrays that stand side by side in a row; empty for a single one
};

/// Rows and arrows of a trace at a moment. Input rows are left out past `maxInputs` elements.
Ladder buildLadder(const Moment& moment, std::uint32_t maxInputs);

/// Takes out what only later steps tell: words to be written, arrows to come, values nobody will use.
void coverFuture(Ladder& ladder);

}  // namespace lanescope
