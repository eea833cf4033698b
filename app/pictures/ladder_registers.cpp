// Rows of registers, for kernels whose lanes exchange values by shuffles.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/pictures/ladder_builder.h"
#include "app/pictures/register_variables.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

void LadderBuilder::findRegisters() {
  variables_ = variablesOfRows(trace_);
  ladder_.registers = !variables_.empty();
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

void LadderBuilder::addRegisterRow(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  const std::optional<std::uint32_t> variable = variables_[phase];
  if (!variable) return;
  made_.assign(trace_.threads, kNoReads);
  std::vector<PlannedStore> stores;
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    forEachChange(trace_, trace_.steps[index], [&](const VariableChange& change) {
      if (change.variable != *variable) return;
      made_[change.thread] = change.reads;
      stores.push_back({change.thread, index, change.thread});
    });
  }
  const std::uint32_t number = addRow(LadderRow::Kind::Registers, phase);
  PlannedRow& row = ladder_.rows[number];
  row.label = info.label;
  row.name = trace_.variables[*variable].label;
  row.variable = *variable;
  row.type = trace_.variables[*variable].type;
  setStores(row, std::move(stores));
  std::vector<VariableValue> left(trace_.threads);
  for (std::uint32_t thread = 0; thread < trace_.threads; ++thread) {
    left[thread] = values_[thread * trace_.variables.size() + *variable];
    LadderCell& cell = row.cells[thread];
    cell.there = true;
    cell.index = thread;
    cell.type = row.type;
    cell.written = left[thread].set;
    cell.bits = left[thread].bits;
    cell.from = left[thread].from;
    if (cell.result) cell.ownIsUsed = isOfOwn(cell.from, thread, row, info);
  }
  addRegisterArrows(phase, number);
  left_ = std::move(left);
  registerRow_ = number;
}

// True if a value has terms that the phase did not read: those of the previous register. That is the same
// variable, or one that was passed to a function under another name.
bool LadderBuilder::isOfOwn(ProvenanceId value, std::uint32_t thread, const PlannedRow& row,
                            const Phase& phase) const {
  if (registerRow_ == kNone || left_.empty()) return false;
  std::uint64_t read = 0;
  for (const Read& one : trace_.reads.since(made_[thread], phase.firstStep))
    read += trace_.provenance.terms(one.from);
  const std::uint64_t terms = trace_.provenance.terms(value);
  if (terms <= read) return false;
  const PlannedRow& before = ladder_.rows[registerRow_];
  if (before.type != row.type) return false;
  return before.name == row.name || terms == read + trace_.provenance.terms(left_[thread].from);
}

// The values that the phase leaves in the registers came from input elements, words, results that are read
// back, and registers of other lanes.
void LadderBuilder::addRegisterArrows(std::uint32_t phase, std::uint32_t number) {
  for (std::uint32_t thread = 0; thread < trace_.threads; ++thread) {
    for (const Read& read : trace_.reads.since(made_[thread], trace_.phases[phase].firstStep)) {
      // Past the warp's end a shuffle gives a lane its own value.
      if (!isOfMemory(trace_, read) && read.cellOrThread == thread) continue;
      if (const std::optional<LadderPosition> from = findPosition(read))
        addArrow(*from, {number, thread}, thread, read.step);
    }
  }
}

// Arrows straight down, if a lane's register also depends on its previous value.
void LadderBuilder::addOwnRegisters() {
  std::uint32_t before = kNone;
  for (PlannedPhase& phase : ladder_.phases) {
    phase.firstOwn = static_cast<std::uint32_t>(ladder_.ownArrows.size());
    for (std::uint32_t number = phase.firstRow; number < phase.endRow; ++number) {
      const PlannedRow& row = ladder_.rows[number];
      if (row.kind != LadderRow::Kind::Registers) continue;
      for (std::uint32_t column = 0; before != kNone && column < ladder_.columns; ++column) {
        const LadderCell& cell = row.cells[column];
        if (cell.ownIsUsed)
          ladder_.ownArrows.push_back(
              {before, column, number, column, column, PlannedArrow::kOfPlace, 0, cell.idle});
      }
      before = number;
    }
    phase.endOwn = static_cast<std::uint32_t>(ladder_.ownArrows.size());
  }
}

// Shuffles move every lane's value: registers and arrows that do not contribute to the result are idle. They
// are found from the last row up.
void LadderBuilder::markIdle() {
  if (!ladder_.registers) return;
  std::vector<std::vector<bool>> used(ladder_.rows.size(), std::vector<bool>(ladder_.columns, false));
  for (std::size_t number = ladder_.rows.size(); number-- > ladder_.inputs;)
    markIdleRow(static_cast<std::uint32_t>(number), used);
}

// `used`: by row and column, the operands of later rows.
void LadderBuilder::markIdleRow(std::uint32_t number, std::vector<std::vector<bool>>& used) {
  PlannedRow& row = ladder_.rows[number];
  const PlannedPhase& phase = ladder_.phases[row.phase];
  const bool registers = row.kind == LadderRow::Kind::Registers;
  for (std::uint32_t column = 0; column < ladder_.columns; ++column) {
    if (!registers) used[number][column] = true;
    row.cells[column].idle = !used[number][column];
  }
  bool fromShared = false;
  for (std::uint32_t index = phase.firstArrow; index < phase.endArrow; ++index) {
    PlannedArrow& arrow = ladder_.arrows[index];
    if (arrow.toRow != number) continue;
    fromShared = fromShared || ladder_.rows[arrow.fromRow].kind != LadderRow::Kind::Registers;
    arrow.isIdle = !used[number][arrow.toColumn];
    if (!arrow.isIdle) used[arrow.fromRow][arrow.fromColumn] = true;
  }
  if (!registers || fromShared) return;
  // A lane adds to its own value of the previous register row.
  for (std::uint32_t above = number; above-- > 0;) {
    if (ladder_.rows[above].kind != LadderRow::Kind::Registers) continue;
    for (std::uint32_t column = 0; column < ladder_.columns; ++column) {
      if (used[number][column]) used[above][column] = true;
    }
    break;
  }
}

}  // namespace lanescope
