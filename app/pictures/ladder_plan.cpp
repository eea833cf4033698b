#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "app/base/value_words.h"
#include "app/pictures/array_scene.h"
#include "app/pictures/ladder_builder.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

/// By word of the cells [first, first + count): its element, counted from the first one. The two words of a
/// double belong to one element.
std::vector<std::uint32_t> listElements(const Trace& trace, std::uint32_t first, std::uint32_t count) {
  std::vector<std::uint32_t> elements(count, 0);
  const TracedArray* array = nullptr;
  std::uint32_t next = 0;
  for (std::uint32_t index = 0; index < count; ++index) {
    const std::uint32_t cell = first + index;
    if (array == nullptr || cell < array->firstCell || cell >= array->firstCell + array->cellCount)
      array = arrayOfCell(trace, cell);
    const bool isSecond = index > 0 && array != nullptr && firstCellAt(*array, cell) != cell;
    elements[index] = isSecond ? next - 1 : next++;
  }
  return elements;
}

}  // namespace

void LadderBuilder::placeWords() {
  if (!ladder_.registers) tree_ = findGlobalTree(trace_);
  if (tree_) ladder_.globalArray = tree_->array->name;
  elements_ = listElements(trace_, firstWord(), wordCount());
  ladder_.words = wordCount();
  ladder_.elements = elements_.empty() ? 0 : elements_.back() + 1;
  ladder_.columns = ladder_.registers ? trace_.threads : ladder_.elements;
  if (!ladder_.registers) return findGroups();
  placeUnderThreads();
}

// The arrays in a row of shared memory if there are several. Names of one memory, such as two `extern
// __shared__` arrays, count once.
void LadderBuilder::findGroups() {
  if (tree_) return;
  for (const TracedArray& array : trace_.arrays) {
    if (array.space != MemorySpace::Shared || array.cellCount == 0) continue;
    const std::uint32_t last = array.firstCell + array.cellCount - 1;
    if (last >= elements_.size()) continue;
    const std::uint32_t first = elements_[array.firstCell];
    const std::uint32_t end = elements_[last] + 1;
    const bool isKnown = std::ranges::any_of(ladder_.groups, [&](const LadderGroup& group) {
      return first < group.firstColumn + group.columns && group.firstColumn < end;
    });
    if (!isKnown) ladder_.groups.push_back({array.name, first, end - first});
  }
  if (ladder_.groups.size() < 2) ladder_.groups.clear();
}

LadderBuilder::Input* LadderBuilder::findInput(std::uint32_t cell) {
  const auto found = std::ranges::find_if(inputs_, [cell](const Input& input) {
    return cell >= input.array->firstCell && cell < input.array->firstCell + input.array->cellCount;
  });
  return found == inputs_.end() ? nullptr : &*found;
}

// The buffer that is loaded first, and all others that the launch fills, except a tree's own.
void LadderBuilder::findInputs() {
  for (const Step& step : trace_.steps) {
    if (step.kind != StepKind::GlobalLoad) continue;
    for (const LaneAccess& access : laneAccesses(trace_, step)) {
      Input* input = findInput(access.cell);
      const bool isFilled = trace_.initialCells[access.cell].written;
      if (input != nullptr && input != inputs_.data() && !isFilled) continue;  // the block's own
      if (input == nullptr) {
        const TracedArray* array = arrayOfCell(trace_, access.cell);
        if (array == nullptr) continue;
        if (!inputs_.empty() && (!isFilled || (tree_ && tree_->array == array))) continue;
        input = &inputs_.emplace_back(Input{array, access.cell, access.cell, kNone});
      }
      input->first = std::min(input->first, access.cell);
      input->last = std::max(input->last, access.cell + std::max(access.bytes / 4U, 1U) - 1);
    }
  }
  // Inputs give the columns if nothing else does.
  const std::uint32_t most = ladder_.columns == 0 ? std::max(maxInputs_, kMostAlone) : maxInputs_;
  std::erase_if(inputs_, [most](const Input& input) { return input.count() > most; });
  for (const Input& input : inputs_) ladder_.columns = std::max(ladder_.columns, input.count());
}

std::uint32_t LadderBuilder::addRow(LadderRow::Kind kind, std::uint32_t phase) {
  PlannedRow& row = ladder_.rows.emplace_back();
  row.kind = kind;
  row.phase = phase;
  row.cells.resize(ladder_.columns);
  return static_cast<std::uint32_t>(ladder_.rows.size() - 1);
}

// `stores` come in the order of their steps.
void LadderBuilder::setStores(PlannedRow& row, std::vector<PlannedStore> stores) const {
  std::ranges::stable_sort(stores, {}, &PlannedStore::column);
  for (const PlannedStore& store : stores) {
    LadderCell& cell = row.cells[store.column];
    cell.result = true;
    cell.thread = static_cast<std::int16_t>(store.thread);
    cell.step = static_cast<std::int32_t>(store.step);
  }
  row.stores = std::move(stores);
}

// A load that only copies words shows nothing that its own row does not.
bool LadderBuilder::onlyCopies(const Input& input) const {
  if (ladder_.registers || trace_.phases.empty()) return false;
  const std::vector<Word>& loaded = trace_.phases.front().sharedAfter;
  const std::uint32_t words = input.count() * splitWords(input.array->type);
  if (loaded.size() != words) return false;
  for (std::uint32_t cell = 0; cell < words; ++cell) {
    if (loaded[cell].from != trace_.initialCells[input.first + cell].from ||
        loaded[cell].from == kNoProvenance)
      return false;
  }
  return true;
}

void LadderBuilder::addInputRow(Input& input) {
  if (input.count() == 0 || onlyCopies(input)) return;
  const TracedArray& array = *input.array;
  const std::uint32_t words = splitWords(array.type);
  input.row = addRow(LadderRow::Kind::Input, 0);
  PlannedRow& row = ladder_.rows[input.row];
  row.label = row.name = array.name;
  row.type = array.type;
  for (std::uint32_t column = 0; column < input.count(); ++column) {
    const std::uint32_t first = input.first + column * words;
    LadderCell& cell = row.cells[column];
    cell.there = cell.written = true;
    cell.index = (first - array.firstCell) / words;
    cell.type = array.type;
    cell.bits = elementBits(array, trace_.initialCells, first);
    cell.from = trace_.initialCells[first].from;
  }
}

void LadderBuilder::addArrow(LadderPosition from, LadderPosition to, std::uint32_t thread, std::uint32_t step,
                             std::uint32_t thereAfter) {
  // A value that was stored in the row itself and read again has no row above.
  if (from.row == kNone || from.row >= to.row) return;
  if (from.column >= ladder_.columns || to.column >= ladder_.columns) return;
  ladder_.arrows.push_back({from.row, from.column, to.row, to.column, thread, step, thereAfter, false});
}

void LadderBuilder::addPhase(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const Step step = trace_.steps[index];
    for (const CellChange& change : stepChanges(trace_, step)) cells_[change.cell] = change.after;
    if (!ladder_.registers) continue;
    forEachChange(trace_, step, [this](const VariableChange& change) {
      values_[change.thread * trace_.variables.size() + change.variable] = change.after;
    });
  }
  findReads(phase);
  PlannedPhase& planned = ladder_.phases[phase];
  planned.firstRow = static_cast<std::uint32_t>(ladder_.rows.size());
  planned.firstArrow = static_cast<std::uint32_t>(ladder_.arrows.size());
  if (ladder_.registers) addRegisterRow(phase);
  const std::size_t before = ladder_.rows.size();
  addWordRows(phase);
  addResults(phase);
  // A phase that only reads still has its place in the ladder.
  if (!ladder_.registers && ladder_.rows.size() == before && wordCount() > 0) addWordRow(phase, nullptr);
  planned.endRow = static_cast<std::uint32_t>(ladder_.rows.size());
  planned.endArrow = static_cast<std::uint32_t>(ladder_.arrows.size());
}

LadderPlan LadderBuilder::build() {
  findRegisters();
  placeWords();
  findInputs();
  widenForResults();
  ladder_.phases.resize(trace_.phases.size());
  if (ladder_.columns == 0) return std::move(ladder_);
  for (Input& input : inputs_) addInputRow(input);
  ladder_.inputs = static_cast<std::uint32_t>(ladder_.rows.size());
  cells_ = trace_.initialCells;
  if (ladder_.registers) values_.resize(std::size_t{trace_.threads} * trace_.variables.size());
  for (std::uint32_t phase = 0; phase < trace_.phases.size(); ++phase) addPhase(phase);
  markIdle();
  addOwnRegisters();
  for (PlannedRow& row : ladder_.rows) row.edges = computeEdges(row.cells);
  return std::move(ladder_);
}

LadderPlan planLadder(const Trace& trace, std::uint32_t maxInputs) {
  return LadderBuilder(trace, maxInputs).build();
}

// The rows of a ladder's phases, and their arrows.

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
