// The rows of a ladder's phases, and their arrows.
#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "app/pictures/ladder_builder.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

// Arrows from the inputs to the words that are computed from them, within a phase.
void LadderBuilder::addInputArrows(std::uint32_t phase, std::uint32_t row) {
  const Phase& info = trace_.phases[phase];
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const Step step = trace_.steps[index];
    if (!storesWords(step)) continue;
    for (const CellChange& stored : stepChanges(trace_, step)) {
      if (!isWord(stored.cell)) continue;
      for (const Read& read : trace_.reads.since(stored.reads, info.firstStep)) {
        if (!isOfMemory(trace_, read) || isWord(read.cellOrThread)) continue;
        if (const std::optional<LadderPosition> from = findPosition(read.cellOrThread))
          addArrow(*from, {row, findColumn(stored.cell)}, stored.thread, index);
      }
    }
  }
}

// The words of the rows above that a phase reads. A word that it has stored before is in its own row.
void LadderBuilder::findReads(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  std::vector<PlannedRead>& reads = ladder_.phases[phase].reads;
  std::unordered_set<std::uint32_t> known;  // stored before, or read
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const Step step = trace_.steps[index];
    if (!isAccess(step.kind)) continue;
    for (const LaneAccess& access : laneAccesses(trace_, step)) {
      const std::uint32_t end = access.cell + std::max(access.bytes / 4U, 1U);
      for (std::uint32_t cell = access.cell; cell < end; ++cell) {
        if (!known.insert(cell).second || isWrite(step.kind)) continue;
        const std::optional<LadderPosition> place = findPosition(cell);
        if (place && place->column < ladder_.columns) reads.push_back({place->row, place->column, index});
      }
    }
  }
}

// The words as they are when the phase ends.
void LadderBuilder::fillWords(PlannedRow& row, const TracedArray* array) {
  const std::span<const Word> cells = tree_ ? cells_ : trace_.phases[row.phase].sharedAfter;
  for (std::uint32_t index = firstWord(); index < firstWord() + wordCount(); ++index) {
    if (!isFirstOfElement(index) || findColumn(index) == kNone) continue;
    const TracedArray* own = arrayOfCell(trace_, index);
    if (array != nullptr && own != array) continue;
    LadderCell& cell = row.cells[findColumn(index)];
    cell.there = true;
    cell.index = index;
    cell.type = own == nullptr ? row.type : own->type;
    cell.words = static_cast<std::uint8_t>(splitWords(cell.type));
    if (index >= cells.size()) continue;
    cell.written = cells[index].written;
    cell.bits = own == nullptr ? cells[index].bits : elementBits(*own, cells, index);
    cell.from = cells[index].from;
  }
}

// Arrows straight down, if a word also depends on its previous value.
void LadderBuilder::addOwnArrows(const Phase& phase, std::uint32_t row) {
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step step = trace_.steps[index];
    if (!storesWords(step)) continue;
    for (const CellChange& stored : stepChanges(trace_, step)) {
      if (!isWord(stored.cell)) continue;
      const std::vector<Read> reads = trace_.reads.since(stored.reads, phase.firstStep);
      const auto isOwn = [&](const Read& read) {
        return isOfMemory(trace_, read) && read.cellOrThread == stored.cell;
      };
      if (std::ranges::any_of(reads, isOwn))
        addArrow({wordRow_, findColumn(stored.cell)}, {row, findColumn(stored.cell)}, stored.thread, index);
    }
  }
}

// One row for all words; or one for each array that the phase changes, if registers give the columns.
void LadderBuilder::addWordRows(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  std::vector<const TracedArray*> arrays;
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const Step step = trace_.steps[index];
    if (!storesWords(step)) continue;
    for (const LaneAccess& access : laneAccesses(trace_, step)) {
      if (!isWord(access.cell)) continue;
      if (!ladder_.registers) return addWordRow(phase, nullptr);
      const TracedArray* array = arrayOfCell(trace_, access.cell);
      if (array != nullptr && std::ranges::find(arrays, array) == arrays.end()) arrays.push_back(array);
    }
  }
  for (const TracedArray* array : arrays) addWordRow(phase, array);
}

std::uint32_t LadderBuilder::findWordRow(std::uint32_t word) const {
  if (!ladder_.registers) return wordRow_;
  const auto found = wordRows_.find(arrayOfCell(trace_, word));
  return found == wordRows_.end() ? kNone : found->second;
}

// `array`: the one that the row shows; nullptr: all of them.
void LadderBuilder::addWordRow(std::uint32_t phase, const TracedArray* array) {
  const Phase& info = trace_.phases[phase];
  const std::uint32_t number = addRow(LadderRow::Kind::Words, phase);
  PlannedRow& row = ladder_.rows[number];
  row.label = info.label;
  if (const TracedArray* named = array != nullptr ? array : arrayOfCell(trace_, firstWord())) {
    row.name = named->name;
    row.type = named->type;
  }
  if (ladder_.registers) row.label = row.name;
  std::vector<PlannedStore> stores;
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const Step step = trace_.steps[index];
    if (!storesWords(step)) continue;
    for (const CellChange& change : stepChanges(trace_, step)) {
      if (!isWord(change.cell) || findColumn(change.cell) == kNone) continue;
      if (array != nullptr && arrayOfCell(trace_, change.cell) != array) continue;
      stores.push_back({findColumn(change.cell), index, change.thread});
      if (ladder_.registers && isFirstOfElement(change.cell))
        addStoreArrows(change, index, {number, findColumn(change.cell)});
    }
  }
  setStores(row, std::move(stores));
  fillWords(row, array);
  if (ladder_.registers) {
    wordRows_[array] = number;
    return;
  }
  addInputArrows(phase, number);
  for (const OperandArrow& arrow : tree_ ? arrowsIn(*tree_, trace_, info) : info.arrows) {
    addArrow({wordRow_, findColumn(arrow.fromCell)}, {number, findColumn(arrow.toCell)}, arrow.thread,
             PlannedArrow::kOfPlace);
  }
  addOwnArrows(info, number);
  wordRow_ = number;
}

}  // namespace lanescope
