// Rows of registers, where lanes exchange values by shuffles.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/scene/ladder_builder.h"
#include "app/scene/register_variables.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

void LadderBuilder::findRegisters() {
  variables_ = variablesOfRows(trace_);
  ladder_.registers = !variables_.empty();
}

// Words stand under the first thread that writes them, or the next that has room.
void LadderBuilder::placeUnderThreads() {
  std::vector<std::uint32_t> writers(trace_.sharedCells, kNone);
  for (const Step& step : trace_.steps) {
    if (!isShared(step.kind) || !isWrite(step.kind)) continue;
    for (const LaneAccess& access : accessesOf(trace_, step))
      writers[access.cell] = std::min(writers[access.cell], threadOf(step, access.lane));
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

// What each thread holds in a variable after so many steps of the trace, which are no fewer than before.
std::vector<VariableValue> LadderBuilder::valuesOf(Followed& followed, std::uint32_t variable,
                                                   std::uint32_t steps) const {
  followed.values.resize(trace_.threads);
  for (; followed.steps < steps; ++followed.steps) {
    forEachChange(trace_, trace_.steps[followed.steps], [&](const VariableChange& change) {
      if (change.variable == variable) followed.values[change.thread] = change.after;
    });
  }
  return followed.values;
}

void LadderBuilder::addRegisterRow(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  const std::optional<std::uint32_t> variable = variables_[phase];
  if (!variable) return;
  made_.assign(trace_.threads, kNoReads);
  std::vector<bool> changes(trace_.threads, false);
  std::vector<bool> changed(trace_.threads, false);
  std::vector<std::int64_t> changedAt(trace_.threads, -1);
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    forEachChange(trace_, trace_.steps[index], [&](const VariableChange& change) {
      if (change.variable != *variable) return;
      changes[change.thread] = true;
      made_[change.thread] = change.reads;
      if (index >= moment_.cursor.steps) return;
      changed[change.thread] = true;
      changedAt[change.thread] = index;
    });
  }
  registers_ = valuesOf(followed_[*variable], *variable, std::min(info.endStep, moment_.cursor.steps));
  std::vector<VariableValue> left = valuesOf(endings_[*variable], *variable, info.endStep);
  const std::uint32_t number = addRow(LadderRow::Kind::Registers, phase);
  LadderRow& row = ladder_.rows[number];
  row.label = info.label;
  row.name = trace_.variables[*variable].label;
  row.variable = *variable;
  row.type = trace_.variables[*variable].type;
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
    if (changes[thread]) cell.ownIsUsed = isOfOwn(left[thread].from, thread, row, info);
  }
  addRegisterArrows(phase, number);
  left_ = std::move(left);
  registerRow_ = number;
}

// Whether a value has terms that the phase did not read: those of the register before. That is the same
// variable, or one that was handed to a function under another name.
bool LadderBuilder::isOfOwn(ProvenanceId value, std::uint32_t thread, const LadderRow& row,
                            const Phase& phase) const {
  if (registerRow_ == kNone || left_.empty()) return false;
  std::uint64_t read = 0;
  for (const Read& one : trace_.reads.since(made_[thread], phase.firstStep))
    read += trace_.provenance.terms(one.from);
  const std::uint64_t terms = trace_.provenance.terms(value);
  if (terms <= read) return false;
  const LadderRow& before = ladder_.rows[registerRow_];
  if (before.type != row.type) return false;
  return before.name == row.name || terms == read + trace_.provenance.terms(left_[thread].from);
}

// What the phase leaves in the registers came from input elements, words, results that are read back, and
// registers of other lanes.
void LadderBuilder::addRegisterArrows(std::uint32_t phase, std::uint32_t number) {
  for (std::uint32_t thread = 0; thread < trace_.threads; ++thread) {
    for (const Read& read : trace_.reads.since(made_[thread], trace_.phases[phase].firstStep)) {
      // Past the warp's end a shuffle gives a lane its own value.
      if (!isOfMemory(trace_, read) && read.place == thread) continue;
      if (const std::optional<LadderPlace> from = placeOf(read))
        addArrow(from->row, from->column, number, thread, thread, read.step);
    }
  }
}

}  // namespace lanescope
