// Rows of registers, where lanes exchange values by shuffles.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/scene/ladder_builder.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

bool LadderBuilder::changes(const Phase& phase, std::uint32_t variable) const {
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const PoolRange range = trace_.steps[index].variableChanges;
    const auto own = std::span(trace_.variableChanges).subspan(range.first, range.count);
    if (std::ranges::find(own, variable, &VariableChange::variable) != own.end()) return true;
  }
  return false;
}

// The variable that takes what lanes get in a phase: most often the next to change in a warp that shuffled.
std::optional<std::uint32_t> LadderBuilder::exchangedIn(const Phase& phase) const {
  std::vector<std::uint32_t> taken(trace_.variables.size(), 0);
  std::vector<bool> waits(trace_.warps, false);
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step& step = trace_.steps[index];
    if (step.kind == StepKind::Shuffle) waits[step.warp] = true;
    if (!waits[step.warp] || step.variableChanges.count == 0) continue;
    ++taken[trace_.variableChanges[step.variableChanges.first].variable];
    waits[step.warp] = false;
  }
  const auto most = std::ranges::max_element(taken);
  if (most == taken.end() || *most == 0) return std::nullopt;
  return static_cast<std::uint32_t>(most - taken.begin());
}

// The variable that carries input values most often is the one lanes hand on. Where a phase leaves it alone,
// as a second call of a function with a copy of its own does, it is that of the phase's shuffles, or of
// those to come.
void LadderBuilder::findRegisters() {
  const bool shuffles =
      std::ranges::any_of(trace_.steps, [](const Step& s) { return s.kind == StepKind::Shuffle; });
  if (!shuffles) return;
  std::vector<std::uint32_t> carried(trace_.variables.size(), 0);
  for (const VariableChange& change : trace_.variableChanges) {
    if (change.after.from != kNoProvenance) ++carried[change.variable];
  }
  const auto most = std::ranges::max_element(carried);
  if (most == carried.end() || *most == 0) return;
  const auto main = static_cast<std::uint32_t>(most - carried.begin());
  ladder_.registers = true;
  registers_.assign(trace_.threads, VariableValue{});
  made_.assign(trace_.threads, kNoReads);
  variables_.resize(trace_.phases.size());
  std::optional<std::uint32_t> next;
  for (std::size_t number = trace_.phases.size(); number-- > 0;) {
    const Phase& phase = trace_.phases[number];
    if (const auto exchanged = exchangedIn(phase)) next = exchanged;
    if (changes(phase, main))
      variables_[number] = main;
    else if (next && changes(phase, *next))
      variables_[number] = next;
  }
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

void LadderBuilder::addRegisterRow(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  const std::optional<std::uint32_t> variable = variables_[phase];
  if (!variable) return;
  // A register of another name or type starts anew.
  if (registerRow_ != kNone && (ladder_.rows[registerRow_].name != trace_.variables[*variable].label ||
                                ladder_.rows[registerRow_].type != trace_.variables[*variable].type))
    registers_.assign(trace_.threads, VariableValue{});
  made_.assign(trace_.threads, kNoReads);
  std::vector<bool> changes(trace_.threads, false);
  std::vector<bool> changed(trace_.threads, false);
  std::vector<std::int64_t> changedAt(trace_.threads, -1);
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const PoolRange range = trace_.steps[index].variableChanges;
    for (const VariableChange& change : std::span(trace_.variableChanges).subspan(range.first, range.count)) {
      if (change.variable != *variable) continue;
      changes[change.thread] = true;
      made_[change.thread] = change.reads;
      if (index >= moment_.cursor.steps) continue;
      changed[change.thread] = true;
      changedAt[change.thread] = index;
      registers_[change.thread] = change.after;
    }
  }
  const std::uint32_t number = addRow(LadderRow::Kind::Registers, phase);
  LadderRow& row = ladder_.rows[number];
  row.label = info.label;
  row.name = trace_.variables[*variable].label;
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
  }
  addRegisterArrows(phase, number);
  registerRow_ = number;
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
