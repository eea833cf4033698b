#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/base/value_words.h"
#include "app/pictures/ladder_builder.h"

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

// Words are under the first thread that writes them, or the next that has room.
void LadderBuilder::placeUnderThreads() {
  std::vector<std::uint32_t> writers(trace_.sharedCells, kNone);
  for (const Step& step : trace_.steps) {
    if (!isShared(step.kind) || !isWrite(step.kind)) continue;
    for (const LaneAccess& access : laneAccesses(trace_, step))
      writers[access.cell] = std::min(writers[access.cell], findThread(step, access.lane));
  }
  sharedColumns_.assign(trace_.sharedCells, kNone);
  std::map<const TracedArray*, std::vector<bool>> taken;
  for (std::uint32_t cell = 0; cell < trace_.sharedCells; ++cell) {
    if (!isFirstOfElement(cell)) {
      sharedColumns_[cell] = sharedColumns_[cell - 1];
      continue;
    }
    const TracedArray* array = arrayOfCell(trace_, cell);
    if (array == nullptr || writers[cell] == kNone) continue;
    std::vector<bool>& columns = taken[array];
    columns.resize(ladder_.columns);
    std::uint32_t column = writers[cell];
    while (column < ladder_.columns && columns[column]) ++column;
    if (column >= ladder_.columns) continue;
    columns[column] = true;
    sharedColumns_[cell] = column;
  }
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
  row.cells.resize(kind == LadderRow::Kind::Threads ? trace_.threads : ladder_.columns);
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
  if (input.count() == 0) return;
  if (onlyCopies(input)) {
    // A word for each thread: it is clear who loads it.
    copiesFirst_ = inputs_.size() == 1 && input.count() == trace_.threads;
    if (copiesFirst_) return;
  }
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
  PlannedPhase& planned = ladder_.phases[phase];
  planned.firstRow = static_cast<std::uint32_t>(ladder_.rows.size());
  planned.firstLine = static_cast<std::uint32_t>(ladder_.lines.size());
  const std::uint32_t threads = phase == 0 && copiesFirst_ ? kNone : addThreadRow(phase);
  const Places before = places_;
  addWordRows(phase);
  addResults(phase);
  // A phase that was ended before any access still has its place in the ladder.
  if (!ladder_.registers && ladder_.rows.size() == planned.firstRow && wordCount() > 0)
    addWordRow(phase, nullptr);
  if (threads != kNone) addLines(phase, threads, before);
  planned.endRow = static_cast<std::uint32_t>(ladder_.rows.size());
  planned.endLine = static_cast<std::uint32_t>(ladder_.lines.size());
  if (threads != kNone) threadRow_ = threads;
}

std::vector<std::uint32_t> findAlike(std::span<const LadderCell> cells) {
  std::vector<std::uint32_t> ends;
  for (std::size_t column = 0; column < cells.size(); ++column) {
    if (column + 1 == cells.size() || !cells[column].looksLike(cells[column + 1]))
      ends.push_back(static_cast<std::uint32_t>(column + 1));
  }
  return ends;
}

LadderPlan LadderBuilder::build() {
  variables_ = variablesOfRows(trace_);
  ladder_.registers = !variables_.empty();
  ladder_.threads = trace_.threads;
  ladder_.warpSize = trace_.launch.machine.warpSize;
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
  endJoins();
  for (PlannedRow& row : ladder_.rows) row.alike = findAlike(row.cells);
  return std::move(ladder_);
}

LadderPlan planLadder(const Trace& trace, std::uint32_t maxInputs) {
  return LadderBuilder(trace, maxInputs).build();
}

// The row of a phase's threads, as their warps' active masks tell; kNone if none of them has an access.
std::uint32_t LadderBuilder::addThreadRow(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  std::vector<std::uint32_t> begins(trace_.threads, PlannedRow::kNever);
  std::vector<std::uint32_t> warpBegins(trace_.warps, PlannedRow::kNever);
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const Step step = trace_.steps[index];
    if (!isAccess(step.kind) && !exchangesRegisters(step.kind) && step.kind != StepKind::Vote) continue;
    warpBegins[step.warp] = std::min(warpBegins[step.warp], index);
    forEachLane(step.active, [&](unsigned lane) {
      std::uint32_t& first = begins[findThread(step, lane)];
      first = std::min(first, index);
    });
  }
  const std::optional<std::uint32_t> variable = ladder_.registers ? variables_[phase] : std::nullopt;
  if (std::ranges::all_of(warpBegins, [](std::uint32_t step) { return step == PlannedRow::kNever; }) &&
      !variable)
    return kNone;
  const std::uint32_t number = addRow(LadderRow::Kind::Threads, phase);
  PlannedRow& row = ladder_.rows[number];
  row.label = info.label;
  if (variable) {
    row.variable = *variable;
    row.name = trace_.variables[*variable].label;
    row.type = trace_.variables[*variable].type;
  }
  for (std::uint32_t thread = 0; thread < trace_.threads; ++thread) {
    LadderCell& cell = row.cells[thread];
    cell.there = true;
    cell.index = thread;
    cell.thread = static_cast<std::int16_t>(thread);
    cell.type = row.type;
    cell.result = begins[thread] != PlannedRow::kNever;
    const bool runs = warpBegins[thread / ladder_.warpSize] != PlannedRow::kNever;
    cell.work = cell.result ? ThreadWork::Works : runs ? ThreadWork::MaskedOff : ThreadWork::Skips;
    if (!variable) continue;
    const VariableValue& value = values_[thread * trace_.variables.size() + *variable];
    cell.written = value.set;
    cell.bits = value.bits;
    cell.from = value.from;
  }
  row.begins = std::move(begins);
  row.warpBegins = std::move(warpBegins);
  return number;
}

// Rows of words: one for all of them; or one for each array that the phase changes, if registers give the
// columns.
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
    }
  }
  setStores(row, std::move(stores));
  fillWords(row, array);
  (array != nullptr ? places_.wordRows[array] : places_.wordRow) = number;
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

// The position of a cell in those rows: as a word, as a result or as an input.
std::optional<LadderBuilder::Position> LadderBuilder::findPosition(const Places& places, std::uint32_t cell) {
  const TracedArray* array = arrayOfCell(trace_, cell);
  if (isWord(cell)) {
    std::uint32_t row = places.wordRow;
    if (ladder_.registers) {
      const auto found = places.wordRows.find(array);
      row = found == places.wordRows.end() ? kNone : found->second;
    }
    const std::uint32_t column = findColumn(cell);
    return row == kNone || column == kNone ? std::nullopt : std::optional(Position{row, column});
  }
  if (array == nullptr) return std::nullopt;
  if (const auto own = places.results.find(array); own != places.results.end()) {
    const auto column = own->second.columns.find((cell - array->firstCell) / splitWords(array->type));
    if (column != own->second.columns.end() && column->second != kNone)
      return Position{own->second.row, column->second};
  }
  const Input* const input = findInput(cell);
  if (input == nullptr || input->row == kNone || cell < input->first || cell > input->last)
    return std::nullopt;
  return Position{input->row, (cell - input->first) / splitWords(array->type)};
}

// The lines of a phase, in the order of its steps. `before`: the rows above it.
void LadderBuilder::addLines(std::uint32_t phase, std::uint32_t threads, const Places& before) {
  known_.clear();
  written_.clear();
  const Phase& info = trace_.phases[phase];
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const StepKind kind = trace_.steps.kindAt(index);
    if (!isAccess(kind) && !exchangesRegisters(kind)) continue;
    const Step step = trace_.steps[index];
    const LadderLine line{.threads = threads, .step = index, .isWrite = isWrite(kind)};
    if (exchangesRegisters(kind)) addExchangeLines(step, line);
    for (const LaneAccess& access : laneAccesses(trace_, step)) addAccessLines(step, access, line, before);
  }
}

// A reduction has a line from each lane that it joins: endJoins() finds the thread that it ends in.
void LadderBuilder::addExchangeLines(const Step& step, const LadderLine& line) {
  if (threadRow_ == kNone) return;
  forEachLane(step.active, [&](unsigned lane) {
    LadderLine own = line;
    own.thread = findThread(step, lane);
    own.row = threadRow_;
    if (step.kind == StepKind::Reduce) {
      own.column = own.thread;
      ladder_.lines.push_back(own);
      return;
    }
    forEachLane(lanesRead(trace_, step, lane), [&](unsigned source) {
      own.column = findThread(step, source);
      addLine(own);
    });
  });
}

// A word that the phase has written before is read from its own row.
void LadderBuilder::addAccessLines(const Step& step, const LaneAccess& access, LadderLine line,
                                   const Places& before) {
  line.thread = findThread(step, access.lane);
  const std::uint32_t end = access.cell + std::max(access.bytes / 4U, 1U);
  for (std::uint32_t cell = access.cell; cell < end; ++cell) {
    const bool isOwn = line.isWrite || written_.contains(cell);
    if (line.isWrite) written_.insert(cell);
    const std::optional<Position> place = findPosition(isOwn ? places_ : before, cell);
    if (!place || place->column >= ladder_.columns) continue;
    line.row = place->row;
    line.column = place->column;
    addLine(line);
  }
}

void LadderBuilder::addLine(const LadderLine& line) {
  const std::uint64_t key = (((std::uint64_t{line.row} << 16U | line.column) << 16U | line.thread) << 1U) |
                            static_cast<std::uint64_t>(line.isWrite);
  if (known_.insert(key).second) ladder_.lines.push_back(line);
}

bool LadderBuilder::isJoin(const LadderLine& line) const {
  return trace_.steps.kindAt(line.step) == StepKind::Reduce;
}

// The first thread for which `is` is true, among those that get the result of the line's reduction.
template <class Is>
std::optional<std::uint32_t> LadderBuilder::findTaker(const LadderLine& line, Is is) const {
  const Step step = trace_.steps[line.step];
  std::optional<std::uint32_t> first;
  forEachLane(lanesRead(trace_, step, line.column % trace_.launch.machine.warpSize), [&](unsigned lane) {
    const std::uint32_t thread = findThread(step, lane);
    if (!first && is(thread)) first = thread;
  });
  return first;
}

// Shuffles move every lane's value: registers that do not contribute to the result are idle. They are found
// from the last row up.
void LadderBuilder::markIdle() {
  if (!ladder_.registers) return;
  std::vector<bool> used(trace_.threads, false);  // the value that a thread has after the phase
  for (std::size_t phase = ladder_.phases.size(); phase-- > 0;) {
    const auto lines = ladder_.linesOf(static_cast<std::uint32_t>(phase));
    bool isFresh = false;  // the phase makes the values of what it loads
    for (const LadderLine& line : lines) {
      if (line.isWrite) used[line.thread] = true;
      isFresh = isFresh || (!line.isWrite && ladder_.rows[line.row].kind != LadderRow::Kind::Threads);
    }
    for (std::uint32_t row = ladder_.phases[phase].firstRow; row < ladder_.phases[phase].endRow; ++row) {
      if (ladder_.rows[row].variable == kNoRow) continue;
      for (LadderCell& cell : ladder_.rows[row].cells) cell.idle = cell.there && !used[cell.index];
    }
    const auto isUsed = [&](std::uint32_t thread) { return used[thread]; };
    std::vector<bool> before = isFresh ? std::vector<bool>(trace_.threads, false) : used;
    for (const LadderLine& line : lines) {
      if (ladder_.rows[line.row].kind != LadderRow::Kind::Threads) continue;
      if (isJoin(line) ? findTaker(line, isUsed).has_value() : used[line.thread]) before[line.column] = true;
    }
    used = std::move(before);
  }
}

// Every lane of a reduction gets the same result, from all of them: the lines end in the first lane whose
// result is used.
void LadderBuilder::endJoins() {
  std::uint32_t kept = 0;
  for (PlannedPhase& phase : ladder_.phases) {
    const std::uint32_t first = kept;
    for (std::uint32_t index = phase.firstLine; index < phase.endLine; ++index) {
      LadderLine line = ladder_.lines[index];
      if (isJoin(line)) {
        const auto& cells = ladder_.rows[line.threads].cells;
        const auto taker = findTaker(line, [&](std::uint32_t thread) { return !cells[thread].idle; });
        if (!taker) continue;
        line.thread = *taker;
      }
      ladder_.lines[kept++] = line;
    }
    phase.firstLine = first;
    phase.endLine = kept;
  }
  ladder_.lines.resize(kept);
}

}  // namespace lanescope
