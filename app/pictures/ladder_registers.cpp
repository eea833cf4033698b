#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "app/pictures/ladder_builder.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

/// The result of a call: it is set in passing, and stays when the variable that it was assigned to changes.
bool isResult(const TracedVariable& variable) { return variable.name.ends_with("()"); }

/// Counts, by variable, how often it held the operand of a shuffle.
class RegisterExchange {
 public:
  explicit RegisterExchange(const Trace& trace)
      : trace_(trace),
        variables_(trace.variables.size()),
        warpSize_(trace.launch.machine.warpSize),
        values_(trace.threads * variables_),
        waiting_(trace.warps),
        carried_(variables_),
        handed_(variables_),
        handedIn_(trace.phases.size(), std::vector<std::uint32_t>(variables_)),
        takenIn_(handedIn_) {
    for (std::uint32_t index = 0; index < trace.steps.size(); ++index) syncTo(index);
  }

  bool isAny() const { return !trace_.shuffleSources.empty(); }
  /// Over the whole trace; if no shuffle read any, the one that carries input values most often.
  std::optional<std::uint32_t> most() const {
    std::optional<std::uint32_t> best;
    const auto rank = [&](std::uint32_t v) {
      return std::tuple(handed_[v], !isResult(trace_.variables[v]), carried_[v]);
    };
    for (std::uint32_t v = 0; v < variables_; ++v)
      if (carried_[v] > 0 && (!best || rank(v) > rank(*best))) best = v;
    return best;
  }
  std::optional<std::uint32_t> givenIn(std::size_t phase) const { return findMost(handedIn_[phase]); }
  /// The variable that receives the lanes' values.
  std::optional<std::uint32_t> takenIn(std::size_t phase) const { return findMost(takenIn_[phase]); }

 private:
  /// A shuffle whose result no variable has taken yet.
  struct Waiting {
    std::optional<std::uint32_t> step;
    std::vector<VariableValue> held;  ///< by lane and variable, as it was made
  };

  std::optional<std::uint32_t> findMost(const std::vector<std::uint32_t>& counts) const {
    std::optional<std::uint32_t> best;
    const auto rank = [&](std::uint32_t v) { return std::pair(counts[v], !isResult(trace_.variables[v])); };
    for (std::uint32_t v = 0; v < variables_; ++v)
      if (carried_[v] > 0 && counts[v] > 0 && (!best || rank(v) > rank(*best))) best = v;
    return best;
  }

  void syncTo(std::uint32_t index) {
    const Step step = trace_.steps[index];
    Waiting& waiting = waiting_[step.warp];
    if (step.kind == StepKind::Shuffle) {
      const std::size_t first = std::size_t{step.warp} * warpSize_ * variables_;
      const std::size_t count = std::min(warpSize_ * variables_, values_.size() - first);
      waiting.step = index;
      waiting.held.assign(values_.begin() + static_cast<std::ptrdiff_t>(first),
                          values_.begin() + static_cast<std::ptrdiff_t>(first + count));
    }
    bool isTaken = false;
    forEachChange(trace_, step, [&](const VariableChange& change) {
      values_[change.thread * variables_ + change.variable] = change.after;
      carried_[change.variable] += change.after.from != kNoProvenance ? 1 : 0;
      if (waiting.step) isTaken = receive(step, waiting, change) || isTaken;
    });
    if (isTaken) waiting.step.reset();
  }

  // True if the change depends on the shuffle's operands.
  bool receive(const Step& step, const Waiting& waiting, const VariableChange& change) {
    bool isTaken = false;
    for (const Read& read : trace_.reads.since(change.reads, *waiting.step)) {
      if (read.step != *waiting.step) continue;
      isTaken = true;
      const std::size_t lane = read.cellOrThread % warpSize_;
      for (std::size_t v = 0; v < variables_; ++v) {
        const VariableValue& held = waiting.held[lane * variables_ + v];
        if (!held.set || held.from != read.from) continue;
        ++handed_[v];
        ++handedIn_[step.phase][v];
      }
    }
    if (isTaken) ++takenIn_[step.phase][change.variable];
    return isTaken;
  }

  const Trace& trace_;
  std::size_t variables_;
  std::size_t warpSize_;
  std::vector<VariableValue> values_;  // [thread * variables_ + variable]
  std::vector<Waiting> waiting_;       // by warp
  std::vector<std::uint32_t> carried_, handed_;
  std::vector<std::vector<std::uint32_t>> handedIn_, takenIn_;  // by phase
};

/// The changes of variables in a phase.
class PhaseChanges {
 public:
  PhaseChanges(const Trace& trace, const Phase& phase)
      : trace_(trace), first_(trace.variables.size(), kNever), last_(trace.variables.size()) {
    for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
      const Step step = trace.steps[index];
      shuffles_ = shuffles_ || step.kind == StepKind::Shuffle;
      forEachChange(trace, step, [&](const VariableChange& change) {
        first_[change.variable] = std::min(first_[change.variable], index);
        std::vector<VariableValue>& last = last_[change.variable];
        last.resize(trace.threads);
        last[change.thread] = change.after;
      });
    }
  }

  bool has(std::uint32_t variable) const { return first_[variable] != kNever; }

  /// The variable in which the value is made: the first to be set of those that end the phase with the same
  /// value as `variable` in every thread that the phase changes. Else the variable itself.
  std::uint32_t madeIn(std::uint32_t variable) const {
    std::uint32_t found = variable;
    for (std::uint32_t other = 0; !shuffles_ && other < first_.size(); ++other) {
      if (isResult(trace_.variables[other]) || first_[other] >= first_[found]) continue;
      if (trace_.variables[other].type == trace_.variables[variable].type && isSame(other, variable))
        found = other;
    }
    return found;
  }

 private:
  bool isSame(std::uint32_t other, std::uint32_t variable) const {
    return std::ranges::equal(
        last_[other], last_[variable],
        [](const VariableValue& a, const VariableValue& b) { return !b.set || a == b; });
  }

  const Trace& trace_;
  std::vector<std::uint32_t> first_;              // by variable: the step that first sets it
  std::vector<std::vector<VariableValue>> last_;  // by variable and thread: its value at the end of the phase
  bool shuffles_ = false;
};

}  // namespace

std::vector<std::optional<std::uint32_t>> variablesOfRows(const Trace& trace) {
  const RegisterExchange exchange(trace);
  const std::optional<std::uint32_t> main = exchange.isAny() ? exchange.most() : std::nullopt;
  if (!main) return {};
  std::vector<std::optional<std::uint32_t>> variables(trace.phases.size());
  // A second call of a function may have variables of its own. If a phase leaves the main variable alone,
  // take the one that its shuffles exchange, or that later shuffles do; if shuffles only read it, the one
  // that receives their results.
  std::optional<std::uint32_t> next;
  for (std::size_t number = trace.phases.size(); number-- > 0;) {
    const PhaseChanges changes(trace, trace.phases[number]);
    if (const auto handed = exchange.givenIn(number)) next = handed;
    for (const std::optional<std::uint32_t> each : {main, next, exchange.takenIn(number)}) {
      if (!each || !changes.has(*each)) continue;
      variables[number] = changes.madeIn(*each);
      break;
    }
  }
  return variables;
}

// Rows of registers, for kernels whose lanes exchange values by shuffles.

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
