// The rows of a ladder's phases, and their arrows.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "app/scene/ladder_builder.h"
#include "app/session/element_noun.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

// From the inputs to the words that what was read of them is stored in, within a phase.
void LadderBuilder::addInputArrows(std::uint32_t phase, std::uint32_t row) {
  const Phase& info = trace_.phases[phase];
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const Step& step = trace_.steps[index];
    if (!storesWords(step)) continue;
    for (const CellChange& stored : changesOf(trace_, step)) {
      if (!isWord(stored.cell)) continue;
      for (const Read& read : trace_.reads.since(stored.reads, info.firstStep)) {
        if (!isOfMemory(trace_, read) || isWord(read.place)) continue;
        if (const std::optional<LadderPlace> from = placeOf(read.place))
          addArrow(from->row, from->column, row, columnOf(stored.cell), stored.thread, index);
      }
    }
  }
}

// The words as they were when the phase ended, or are now; nothing of a phase to come.
void LadderBuilder::fillWords(LadderRow& row, const TracedArray* array) {
  const Phase& info = trace_.phases[row.phase];
  const bool isPast = row.time == LadderRow::Time::Past;
  std::span<const Word> cells = isPast ? info.sharedAfter : moment_.state.cells;
  if (tree_ && isPast) {
    for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
      const PoolRange range = trace_.steps[index].cellChanges;
      for (const CellChange& change : std::span(trace_.cellChanges).subspan(range.first, range.count))
        treeCells_[change.cell] = change.after;
    }
    cells = treeCells_;
  }
  for (std::uint32_t index = firstWord(); index < firstWord() + wordCount(); ++index) {
    if (!isFirstOfElement(index) || columnOf(index) == kNone) continue;
    const TracedArray* own = arrayOfCell(trace_, index);
    if (array != nullptr && own != array) continue;
    LadderCell& cell = row.cells[columnOf(index)];
    cell.there = true;
    cell.index = index;
    cell.type = own == nullptr ? row.type : own->type;
    cell.words = wordsOf(cell.type);
    if (row.time == LadderRow::Time::Future || index >= cells.size()) continue;
    cell.written = cells[index].written;
    cell.bits = own == nullptr ? cells[index].bits : elementBits(*own, cells, index);
    cell.from = cells[index].from;
  }
}

// Of all words; or of each array that the phase changes, where registers give the columns.
void LadderBuilder::addWordRows(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  std::vector<const TracedArray*> arrays;
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    if (!storesWords(trace_.steps[index])) continue;
    for (const LaneAccess& access : accessesOf(trace_, trace_.steps[index])) {
      if (!isWord(access.cell)) continue;
      if (!ladder_.registers) return addWordRow(phase, nullptr);
      const TracedArray* array = arrayOfCell(trace_, access.cell);
      if (array != nullptr && std::ranges::find(arrays, array) == arrays.end()) arrays.push_back(array);
    }
  }
  for (const TracedArray* array : arrays) addWordRow(phase, array);
}

std::uint32_t LadderBuilder::wordRowOf(std::uint32_t word) const {
  if (!ladder_.registers) return wordRow_;
  const auto found = wordRows_.find(arrayOfCell(trace_, word));
  return found == wordRows_.end() ? kNone : found->second;
}

// `array`: the one that it is of; nullptr: of all.
void LadderBuilder::addWordRow(std::uint32_t phase, const TracedArray* array) {
  const Phase& info = trace_.phases[phase];
  const std::uint32_t number = addRow(LadderRow::Kind::Words, phase);
  LadderRow& row = ladder_.rows[number];
  row.label = info.label;
  if (const TracedArray* named = array != nullptr ? array : arrayOfCell(trace_, firstWord())) {
    row.name = named->name;
    row.type = named->type;
  }
  if (ladder_.registers) row.label = row.name;
  fillWords(row, array);
  std::vector<std::uint32_t> stored(wordCount(), kNone);
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const Step& step = trace_.steps[index];
    if (!storesWords(step)) continue;
    for (const CellChange& change : changesOf(trace_, step)) {
      if (!isWord(change.cell) || columnOf(change.cell) == kNone) continue;
      if (array != nullptr && arrayOfCell(trace_, change.cell) != array) continue;
      LadderCell& cell = row.cells[columnOf(change.cell)];
      if (index < moment_.cursor.steps || !cell.result) cell.thread = change.thread;
      if (index < moment_.cursor.steps) {
        cell.result = true;
        stored[change.cell - firstWord()] = index;
        cell.step = index;
        cell.pending = false;
      } else if (row.time == LadderRow::Time::Current) {
        cell.pending = !cell.result;
      }
      if (ladder_.registers && isFirstOfElement(change.cell))
        addStoreArrows(change, index, {number, columnOf(change.cell)});
    }
  }
  if (ladder_.registers) {
    wordRows_[array] = number;
    return;
  }
  addInputArrows(phase, number);
  for (const OperandArrow& arrow : tree_ ? arrowsIn(*tree_, trace_, info) : info.arrows) {
    addArrow(wordRow_, columnOf(arrow.fromCell), number, columnOf(arrow.toCell), arrow.thread,
             stored[arrow.toCell - firstWord()]);
  }
  wordRow_ = number;
}

}  // namespace lanescope
