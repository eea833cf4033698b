// The rows of a ladder's phases, and their arrows.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "app/scene/ladder_builder.h"
#include "app/session/element_noun.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

// Which input words end in a phase's first store (or register) of the thread that read them.
void LadderBuilder::addInputArrows(std::uint32_t phase, std::uint32_t row, bool toRegisters) {
  const Phase& info = trace_.phases[phase];
  struct Place {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
  };
  std::vector<std::vector<Place>> read(trace_.threads);
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const Step& step = trace_.steps[index];
    if (step.kind == StepKind::GlobalLoad) {
      for (const LaneAccess& access : accessesOf(trace_, step)) {
        const Input* const input = inputOf(access.cell);
        if (input == nullptr) continue;
        const std::uint32_t thread = threadOf(step, access.lane);
        const std::uint32_t column = (access.cell - input->first) / wordsOf(input->array->type);
        if (toRegisters)
          addArrow(input->row, column, row, thread, thread, index);
        else
          read[thread].push_back({input->row, column});
      }
    } else if (storesWords(step) && !isAtomic(step.kind) && !toRegisters) {
      for (const LaneAccess& access : accessesOf(trace_, step)) {
        if (!isWord(access.cell)) continue;
        const std::uint32_t thread = threadOf(step, access.lane);
        for (const Place& from : read[thread])
          addArrow(from.row, from.column, row, columnOf(access.cell), thread, index);
        read[thread].clear();
      }
    }
  }
}

void LadderBuilder::addRegisterRow(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  std::vector<bool> changes(trace_.threads, false);
  std::vector<bool> changed(trace_.threads, false);
  std::vector<std::int64_t> changedAt(trace_.threads, -1);
  bool any = false;
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const PoolRange range = trace_.steps[index].variableChanges;
    for (const VariableChange& change : std::span(trace_.variableChanges).subspan(range.first, range.count)) {
      if (change.variable != *variable_) continue;
      any = changes[change.thread] = true;
      if (index >= moment_.cursor.steps) continue;
      changed[change.thread] = true;
      changedAt[change.thread] = index;
      registers_[change.thread] = change.after;
    }
  }
  if (!any) return;
  const std::uint32_t number = addRow(LadderRow::Kind::Registers, phase);
  LadderRow& row = ladder_.rows[number];
  row.label = info.label;
  row.name = trace_.variables[*variable_].label;
  row.type = trace_.variables[*variable_].type;
  for (std::uint32_t thread = 0; thread < trace_.threads; ++thread) {
    LadderCell& cell = row.cells[thread];
    cell.there = true;
    cell.index = thread;
    cell.type = row.type;
    cell.thread = changes[thread] ? static_cast<std::int64_t>(thread) : -1;
    if (row.time == LadderRow::Time::Future) continue;
    cell.result = changed[thread];
    cell.step = changedAt[thread];
    cell.pending = changes[thread] && !changed[thread];
    cell.written = registers_[thread].set;
    cell.bits = registers_[thread].bits;
    cell.from = registers_[thread].from;
  }
  addInputArrows(phase, number, true);
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const Step& step = trace_.steps[index];
    if (step.kind == StepKind::SharedLoad) {
      for (const LaneAccess& access : accessesOf(trace_, step)) {
        const std::uint32_t thread = threadOf(step, access.lane);
        addArrow(wordRow_, columnOf(access.cell), number, thread, thread, index);
      }
    } else if (step.kind == StepKind::Shuffle) {
      for (unsigned lane = 0; lane < trace_.launch.machine.warpSize; ++lane) {
        const int source = shuffleSource(trace_, step, lane);
        if (source < 0) continue;
        const std::uint32_t thread = threadOf(step, lane);
        addArrow(registerRow_, threadOf(step, static_cast<unsigned>(source)), number, thread, thread, index);
      }
    }
  }
  registerRow_ = number;
}

// The words as they were when the phase ended, or are now; nothing of a phase to come.
void LadderBuilder::fillWords(LadderRow& row) {
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
    if (!isFirstOfElement(index)) continue;
    LadderCell& cell = row.cells[columnOf(index)];
    const TracedArray* own = arrayOfCell(trace_, index);
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

void LadderBuilder::addWordRow(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  const std::uint32_t number = addRow(LadderRow::Kind::Words, phase);
  LadderRow& row = ladder_.rows[number];
  const TracedArray* array = arrayOfCell(trace_, firstWord());
  row.label = info.label;
  if (array != nullptr) {
    row.name = array->name;
    row.type = array->type;
  }
  if (ladder_.registers) row.label = row.name;
  fillWords(row);
  std::vector<std::uint32_t> stored(wordCount(), kNone);
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const Step& step = trace_.steps[index];
    if (!storesWords(step)) continue;
    for (const LaneAccess& access : accessesOf(trace_, step)) {
      if (!isWord(access.cell)) continue;
      LadderCell& cell = row.cells[columnOf(access.cell)];
      const std::uint32_t thread = threadOf(step, access.lane);
      if (index < moment_.cursor.steps || !cell.result) cell.thread = thread;
      if (index < moment_.cursor.steps) {
        cell.result = true;
        stored[access.cell - firstWord()] = index;
        cell.step = index;
        cell.pending = false;
      } else if (row.time == LadderRow::Time::Current) {
        cell.pending = !cell.result;
      }
      if (ladder_.registers) {
        addArrow(registerRow_, thread, number, columnOf(access.cell), thread, index);
      }
    }
  }
  if (!ladder_.registers) {
    addInputArrows(phase, number, false);
    for (const OperandArrow& arrow : tree_ ? arrowsIn(*tree_, trace_, info) : info.arrows) {
      addArrow(wordRow_, columnOf(arrow.fromCell), number, columnOf(arrow.toCell), arrow.thread,
               stored[arrow.toCell - firstWord()]);
    }
  }
  wordRow_ = number;
}

// The elements that a phase stores outside the words, ascending, where the row has a place for each: then
// they stand in that order, else each with the thread that stores it. Registers stand by thread.
std::vector<std::uint32_t> LadderBuilder::outputElements(const Phase& phase) const {
  std::vector<std::uint32_t> elements;
  for (std::uint32_t index = phase.firstStep; index < phase.endStep && !ladder_.registers; ++index) {
    if (trace_.steps[index].kind != StepKind::GlobalStore) continue;
    for (const LaneAccess& access : accessesOf(trace_, trace_.steps[index])) {
      const TracedArray* array = arrayOfCell(trace_, access.cell);
      if (array == nullptr || (tree_ && isWord(access.cell))) continue;
      elements.push_back((access.cell - array->firstCell) / wordsOf(array->type));
    }
  }
  std::ranges::sort(elements);
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  if (elements.size() > ladder_.columns) elements.clear();
  return elements;
}

void LadderBuilder::addOutputRow(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  const std::vector<std::uint32_t> elements = outputElements(info);
  std::uint32_t number = kNone;
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const Step& step = trace_.steps[index];
    if (!ladder_.registers && step.kind == (tree_ ? StepKind::GlobalLoad : StepKind::SharedLoad)) {
      for (const LaneAccess& access : accessesOf(trace_, step)) {
        if (isWord(access.cell)) reads_.read(threadOf(step, access.lane), columnOf(access.cell), phase);
      }
    }
    if (step.kind != StepKind::GlobalStore) continue;
    const bool done = index < moment_.cursor.steps;
    for (const LaneAccess& access : accessesOf(trace_, step)) {
      const TracedArray* array = arrayOfCell(trace_, access.cell);
      const std::uint32_t thread = threadOf(step, access.lane);
      if (array == nullptr || (tree_ && isWord(access.cell))) continue;
      const std::uint32_t element = (access.cell - array->firstCell) / wordsOf(array->type);
      const auto place = std::ranges::lower_bound(elements, element) - elements.begin();
      const std::uint32_t column = elements.empty() ? thread : static_cast<std::uint32_t>(place);
      if (column >= ladder_.columns) continue;
      if (number == kNone) {
        number = addRow(LadderRow::Kind::Output, phase);
        ladder_.rows[number].label = ladder_.rows[number].name = array->name;
        ladder_.rows[number].type = array->type;
      }
      LadderCell& cell = ladder_.rows[number].cells[column];
      cell.there = true;
      cell.index = element;
      cell.type = array->type;
      cell.thread = thread;
      cell.written = cell.result = done;
      cell.step = done ? std::int64_t{index} : -1;
      cell.pending = !done && timeOf(phase) == LadderRow::Time::Current;
      if (done) {
        cell.bits = isWide(array->type) ? elementBits(*array, moment_.state.cells, access.cell)
                                        : std::uint64_t{access.value.bits};
        cell.from = access.value.from;
      }
      if (ladder_.registers) addArrow(registerRow_, thread, number, thread, thread, index);
      for (const std::uint32_t from : reads_.of(thread))
        addArrow(wordRow_, from, number, column, thread, index);
      reads_.stored(thread);
    }
  }
}

}  // namespace lanescope
