#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/pictures/base/moment.h"

namespace lanescope {

/// What a thread does in a phase.
enum class ThreadWork : std::uint8_t {
  Unknown,    ///< only later steps tell
  Skips,      ///< its warp has no access and no shuffle there
  MaskedOff,  ///< its warp has one, the thread has none
  Works
};

/// One place of a row: an element of shared memory (or of a tree in global memory), an input element, a
/// thread or an output element. An element of 8 bytes has two words and one place.
struct LadderCell {
  std::uint64_t bits = 0;
  ProvenanceId from = kNoProvenance;
  std::uint32_t index = 0;   ///< (first) cell of the trace, input element, thread or output element
  std::int32_t step = -1;    ///< index of the step that wrote it in this phase, -1: none yet
  std::int16_t thread = -1;  ///< the thread that wrote or will write it in this phase; -1: none
  ValueType type = ValueType::F32;
  std::uint8_t words = 1;               ///< how many it takes
  ThreadWork work = ThreadWork::Skips;  ///< Threads
  bool there = false;                   ///< false: the column is empty
  bool written = false;                 ///< holds a value
  bool result = false;   ///< written in the row's phase (so far); a thread: it has begun to work
  bool pending = false;  ///< the row's phase will write it; a thread: it will work
  bool operand = false;  ///< read by the current phase (so far)
  bool toRead = false;   ///< the current phase will read it
  bool idle = false;     ///< no later step uses the thread's register

  /// True if both are drawn alike in the same row, except for their values.
  bool looksLike(const LadderCell& other) const {
    return there == other.there && written == other.written && result == other.result &&
           pending == other.pending && operand == other.operand && toRead == other.toRead &&
           idle == other.idle && work == other.work;
  }
};

/// A row of the ladder. The threads of a phase are above the words that they write.
struct LadderRow {
  enum class Kind : std::uint8_t { Input, Words, Threads, Output } kind = Kind::Words;
  enum class Time : std::uint8_t { Past, Current, Future } time = Time::Future;
  std::uint32_t phase = 0;
  std::string label;
  std::string name;  ///< of the array, or of the variable that a row of threads shows
  ValueType type = ValueType::F32;
  std::span<const LadderCell> cells;  ///< by column; for a later phase as that phase will leave them
};

/// An array that shares the rows of words with others.
struct LadderGroup {
  std::string name;
  std::uint32_t firstColumn = 0;
  std::uint32_t columns = 0;
};

inline constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

/// A store into a place of a row.
struct PlannedStore {
  std::uint32_t column = 0;
  std::uint32_t step = 0;
  std::uint32_t thread = 0;
};

/// The columns at which runs of cells that look alike end, by rising column.
std::vector<std::uint32_t> findAlike(std::span<const LadderCell> cells);

/// A row as it is at the end, and the stores that made it.
struct PlannedRow {
  LadderRow::Kind kind = LadderRow::Kind::Words;
  std::uint32_t phase = 0;
  std::string label;
  std::string name;
  std::uint32_t variable =
      kNoRow;  ///< Threads: the register shown, an index into Trace::variables; kNoRow: none
  ValueType type = ValueType::F32;
  bool isUpdated = false;                 ///< Output: by atomics, so that there is a value before
  std::uint32_t firstCell = 0;            ///< Output: the first of its array in ReplayState::cells
  std::vector<LadderCell> cells;          ///< by column, as the row's phase leaves them
  std::vector<std::uint32_t> alike;       ///< see findAlike()
  std::vector<PlannedStore> stores;       ///< by column, then by step
  std::vector<std::uint32_t> begins;      ///< Threads: by thread, the step in which it begins to work
  std::vector<std::uint32_t> warpBegins;  ///< Threads: by warp, likewise for any of its threads

  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
};

/// A read or a write of a thread in a phase: a line between the thread and a place. A shuffle reads the place
/// of another thread.
struct LadderLine {
  std::uint32_t threads = 0;  ///< the row of threads
  std::uint32_t thread = 0;
  std::uint32_t row = 0;  ///< of the place: above the threads, or below
  std::uint32_t column = 0;
  std::uint32_t step = 0;  ///< the first step that does so
  bool isWrite = false;
};

/// The rows and lines that a phase adds to the ladder.
struct PlannedPhase {
  std::uint32_t firstRow = 0, endRow = 0;
  std::uint32_t firstLine = 0, endLine = 0;  ///< range in LadderPlan::lines
};

/// The ladder of a trace: all that does not depend on the cursor.
struct LadderPlan {
  std::vector<PlannedRow> rows;
  std::vector<PlannedPhase> phases;
  std::vector<LadderLine> lines;  ///< by phase, then by step
  std::uint32_t columns = 0;      ///< of the rows of memory
  std::uint32_t threads = 0;      ///< columns of the rows of threads
  std::uint32_t warpSize = 32;
  std::uint32_t inputs = 0;         ///< rows of inputs, which come first
  bool registers = false;           ///< lanes shuffle: rows of threads show a register of each
  std::string globalArray;          ///< the array that the rows show if there is no shared memory
  std::uint32_t words = 0;          ///< of 4 bytes, in a row of them
  std::uint32_t elements = 0;       ///< in those words: fewer, if some take two
  std::vector<LadderGroup> groups;  ///< the arrays that are side by side in a row; empty for a single one

  std::span<const LadderLine> linesOf(std::uint32_t phase) const {
    return std::span(lines).subspan(phases[phase].firstLine, phases[phase].endLine - phases[phase].firstLine);
  }
};

/// Plans the ladder of a trace: rows of threads between rows of memory. A phase that only copies each input
/// element to the word of the same index has neither inputs nor threads. Rows of inputs are left out past
/// that many elements.
LadderPlan planLadder(const Trace& trace, std::uint32_t maxInputs = 1024);

/// The ladder at a moment, before any place on the screen.
struct Ladder {
  std::vector<LadderRow> rows;
  std::uint32_t currentRow = 0;                   ///< the last row of the current phase
  std::shared_ptr<const PicturePlan> plan;        ///< the plan of the cells that the rows show
  std::vector<std::vector<LadderCell>> edited{};  ///< by row; empty: it shows the plan's

  const LadderPlan& planned() const;
  /// The cells of a row, to be changed.
  std::span<LadderCell> edit(std::size_t row);
  /// See findAlike(), of a row's cells as they are.
  std::vector<std::uint32_t> alike(std::size_t row) const {
    return edited[row].empty() ? planned().rows[row].alike : findAlike(rows[row].cells);
  }
};

/// The rows at a moment. Writes of the steps from `arrived` on are in flight: words keep the values
/// that they had before.
Ladder ladderAt(const Moment& moment, std::uint32_t arrived = std::numeric_limits<std::uint32_t>::max());

/// Removes all that only later steps show: words to be written, threads that will work, values that stay
/// unused.
void coverFuture(Ladder& ladder, const Moment& moment);

}  // namespace lanescope
