#include "app/scene/array_ladder.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "app/scene/global_tree.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

bool isAtomic(const Step& step) {
  return step.kind == StepKind::SharedAtomic || step.kind == StepKind::GlobalAtomic;
}

class LadderBuilder {
 public:
  LadderBuilder(const Moment& moment, std::uint32_t maxInputs)
      : moment_(moment), trace_(moment.trace), maxInputs_(maxInputs) {}

  Ladder build();

 private:
  std::uint32_t threadOf(const Step& step, unsigned lane) const {
    return step.warp * trace_.launch.machine.warpSize + lane;
  }
  LadderRow::Time timeOf(std::uint32_t phase) const;
  std::uint32_t columnOf(std::uint32_t word) const {
    return ladder_.registers ? sharedColumns_[word] : word - firstWord();
  }
  // The words that the rows of a phase show: of shared memory, or of a tree in global memory.
  std::uint32_t firstWord() const { return tree_ ? tree_->first : 0; }
  std::uint32_t wordCount() const { return tree_ ? tree_->count : trace_.sharedCells; }
  bool isWord(std::uint32_t cell) const { return cell >= firstWord() && cell - firstWord() < wordCount(); }
  bool storesWords(const Step& step) const {
    return tree_ ? step.kind == StepKind::GlobalStore || step.kind == StepKind::GlobalAtomic
                 : step.kind == StepKind::SharedStore || step.kind == StepKind::SharedAtomic;
  }

  void findRegisters();
  void placeWords();
  void findInput();
  bool onlyCopies() const;
  void addInputRow();
  std::uint32_t addRow(LadderRow::Kind kind, std::uint32_t phase);
  void addPhase(std::uint32_t phase);
  void addRegisterRow(std::uint32_t phase);
  void addWordRow(std::uint32_t phase);
  void fillWords(LadderRow& row);
  void addOutputRow(std::uint32_t phase);
  void addInputArrows(std::uint32_t phase, std::uint32_t row, bool toRegisters);
  void addArrow(std::uint32_t fromRow, std::uint32_t fromColumn, std::uint32_t row, std::uint32_t column,
                std::uint32_t thread, std::uint32_t step);
  void markIdle();
  void markOperands();

  const Moment& moment_;
  const Trace& trace_;
  std::uint32_t maxInputs_;
  Ladder ladder_;
  std::optional<GlobalTree> tree_;            // where there is no shared memory
  std::vector<Word> treeCells_;               // every word, as the rows are built
  std::optional<std::uint32_t> variable_;     // the register that lanes exchange
  std::vector<VariableValue> registers_;      // by thread, as the rows are built
  std::vector<std::uint32_t> sharedColumns_;  // by shared cell, where registers give the columns
  const TracedArray* input_ = nullptr;
  std::uint32_t inputFirst_ = 0;  // first cell of it that is shown
  std::uint32_t inputCount_ = 0;
  std::uint32_t inputRow_ = kNone;
  std::uint32_t wordRow_ = kNone;  // the last of its kind so far
  std::uint32_t registerRow_ = kNone;
};

LadderRow::Time LadderBuilder::timeOf(std::uint32_t phase) const {
  if (phase == moment_.phase()) return LadderRow::Time::Current;
  return phase < moment_.phase() ? LadderRow::Time::Past : LadderRow::Time::Future;
}

// The variable that carries input values most often is the one lanes hand on.
void LadderBuilder::findRegisters() {
  const bool shuffles =
      std::ranges::any_of(trace_.steps, [](const Step& s) { return s.kind == StepKind::Shuffle; });
  if (!shuffles) return;
  std::vector<std::uint32_t> changes(trace_.variables.size(), 0);
  for (const VariableChange& change : trace_.variableChanges) {
    if (change.after.from != kNoProvenance) ++changes[change.variable];
  }
  const auto most = std::ranges::max_element(changes);
  if (most == changes.end() || *most == 0) return;
  variable_ = static_cast<std::uint32_t>(most - changes.begin());
  ladder_.registers = true;
  registers_.assign(trace_.threads, VariableValue{});
}

void LadderBuilder::placeWords() {
  if (!ladder_.registers) tree_ = findGlobalTree(trace_);
  if (tree_) {
    treeCells_ = trace_.initialCells;
    ladder_.globalArray = tree_->array->name;
  }
  ladder_.columns = ladder_.registers ? trace_.threads : wordCount();
  if (!ladder_.registers) return;
  sharedColumns_.assign(trace_.sharedCells, kNone);
  for (const Step& step : trace_.steps) {
    if (step.kind != StepKind::SharedStore && step.kind != StepKind::SharedAtomic) continue;
    for (const LaneAccess& access : accessesOf(trace_, step)) {
      std::uint32_t& column = sharedColumns_[access.cell];
      column = std::min(column, threadOf(step, access.lane));
    }
  }
  for (std::uint32_t cell = 0; cell < trace_.sharedCells; ++cell) {
    if (sharedColumns_[cell] == kNone) sharedColumns_[cell] = std::min(cell, trace_.threads - 1);
  }
}

void LadderBuilder::findInput() {
  std::uint32_t low = kNone;
  std::uint32_t high = 0;
  for (const Step& step : trace_.steps) {
    if (step.kind != StepKind::GlobalLoad) continue;
    for (const LaneAccess& access : accessesOf(trace_, step)) {
      if (input_ == nullptr) input_ = arrayOfCell(trace_, access.cell);
      if (input_ != arrayOfCell(trace_, access.cell)) continue;
      low = std::min(low, access.cell);
      high = std::max(high, access.cell + std::max(access.bytes / 4U, 1U) - 1);
    }
  }
  if (input_ == nullptr || low > high || high - low + 1 > maxInputs_) return;
  inputFirst_ = low;
  inputCount_ = high - low + 1;
  ladder_.columns = std::max(ladder_.columns, inputCount_);
}

std::uint32_t LadderBuilder::addRow(LadderRow::Kind kind, std::uint32_t phase) {
  LadderRow& row = ladder_.rows.emplace_back();
  row.kind = kind;
  row.phase = phase;
  row.time = timeOf(phase);
  row.cells.resize(ladder_.columns);
  if (row.time == LadderRow::Time::Current)
    ladder_.currentRow = static_cast<std::uint32_t>(ladder_.rows.size() - 1);
  return static_cast<std::uint32_t>(ladder_.rows.size() - 1);
}

// A load that copies word for word says nothing that its own row does not.
bool LadderBuilder::onlyCopies() const {
  if (ladder_.registers || trace_.phases.empty()) return false;
  const std::vector<Word>& loaded = trace_.phases.front().sharedAfter;
  if (loaded.size() != inputCount_) return false;
  for (std::uint32_t cell = 0; cell < inputCount_; ++cell) {
    if (loaded[cell].from != trace_.initialCells[inputFirst_ + cell].from ||
        loaded[cell].from == kNoProvenance)
      return false;
  }
  return true;
}

void LadderBuilder::addInputRow() {
  if (inputCount_ == 0 || onlyCopies()) return;
  inputRow_ = addRow(LadderRow::Kind::Input, 0);
  LadderRow& row = ladder_.rows[inputRow_];
  row.time = LadderRow::Time::Past;
  row.label = row.name = input_->name;
  row.type = input_->type;
  for (std::uint32_t column = 0; column < inputCount_; ++column) {
    const Word& word = trace_.initialCells[inputFirst_ + column];
    LadderCell& cell = row.cells[column];
    cell.there = cell.written = true;
    cell.index = inputFirst_ + column - input_->firstCell;
    cell.bits = elementBits(*input_, trace_.initialCells, inputFirst_ + column);
    cell.from = word.from;
  }
}

void LadderBuilder::addArrow(std::uint32_t fromRow, std::uint32_t fromColumn, std::uint32_t row,
                             std::uint32_t column, std::uint32_t thread, std::uint32_t step) {
  if (fromRow == kNone || fromColumn >= ladder_.columns || column >= ladder_.columns) return;
  const bool done = step < moment_.cursor.steps;
  ladder_.arrows.push_back(
      {fromRow, fromColumn, row, column, thread, done ? std::int64_t{step} : -1, done, false});
}

// Which input words end in a phase's first store (or register) of the thread that read them.
void LadderBuilder::addInputArrows(std::uint32_t phase, std::uint32_t row, bool toRegisters) {
  if (inputRow_ == kNone) return;
  const Phase& info = trace_.phases[phase];
  std::vector<std::vector<std::uint32_t>> read(trace_.threads);
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const Step& step = trace_.steps[index];
    if (step.kind == StepKind::GlobalLoad) {
      for (const LaneAccess& access : accessesOf(trace_, step)) {
        if (arrayOfCell(trace_, access.cell) != input_) continue;
        const std::uint32_t thread = threadOf(step, access.lane);
        const std::uint32_t column = access.cell - inputFirst_;
        if (toRegisters)
          addArrow(inputRow_, column, row, thread, thread, index);
        else
          read[thread].push_back(column);
      }
    } else if (storesWords(step) && !isAtomic(step) && !toRegisters) {
      for (const LaneAccess& access : accessesOf(trace_, step)) {
        if (!isWord(access.cell)) continue;
        const std::uint32_t thread = threadOf(step, access.lane);
        for (const std::uint32_t column : read[thread])
          addArrow(inputRow_, column, row, columnOf(access.cell), thread, index);
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
  row.name = trace_.variables[*variable_].name;
  row.type = trace_.variables[*variable_].type;
  for (std::uint32_t thread = 0; thread < trace_.threads; ++thread) {
    LadderCell& cell = row.cells[thread];
    cell.there = true;
    cell.index = thread;
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
    LadderCell& cell = row.cells[columnOf(index)];
    cell.there = true;
    cell.index = index;
    if (row.time == LadderRow::Time::Future || index >= cells.size()) continue;
    const TracedArray* own = arrayOfCell(trace_, index);
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

void LadderBuilder::addOutputRow(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  std::uint32_t number = kNone;
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index) {
    const Step& step = trace_.steps[index];
    if (step.kind != StepKind::GlobalStore) continue;
    const bool done = index < moment_.cursor.steps;
    for (const LaneAccess& access : accessesOf(trace_, step)) {
      const TracedArray* array = arrayOfCell(trace_, access.cell);
      const std::uint32_t thread = threadOf(step, access.lane);
      if (array == nullptr || thread >= ladder_.columns || (tree_ && isWord(access.cell))) continue;
      if (number == kNone) {
        number = addRow(LadderRow::Kind::Output, phase);
        ladder_.rows[number].label = ladder_.rows[number].name = array->name;
        ladder_.rows[number].type = array->type;
      }
      LadderCell& cell = ladder_.rows[number].cells[thread];
      cell.there = true;
      cell.index = access.cell - array->firstCell;
      cell.thread = thread;
      cell.written = cell.result = done;
      cell.step = done ? std::int64_t{index} : -1;
      cell.pending = !done && timeOf(phase) == LadderRow::Time::Current;
      if (done) {
        cell.bits = isWide(array->type) ? elementBits(*array, moment_.state.cells, access.cell)
                                        : std::uint64_t{access.value.bits};
        cell.from = access.value.from;
      }
      addArrow(ladder_.registers ? registerRow_ : wordRow_, thread, number, thread, thread, index);
    }
  }
}

void LadderBuilder::addPhase(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  if (ladder_.registers) addRegisterRow(phase);
  const bool writes = tree_ ? storesIn(*tree_, trace_, info) : !info.cellsWritten.empty();
  const std::size_t before = ladder_.rows.size();
  if (writes) addWordRow(phase);
  addOutputRow(phase);
  // A phase that only reads still has its place in the ladder.
  if (!ladder_.registers && ladder_.rows.size() == before && wordCount() > 0) addWordRow(phase);
}

// Shuffles move every lane's value; from the last row up, keep what the result is made of.
void LadderBuilder::markIdle() {
  if (!ladder_.registers) return;
  std::vector<std::vector<bool>> used(ladder_.rows.size(), std::vector<bool>(ladder_.columns, false));
  for (std::size_t index = ladder_.rows.size(); index-- > 0;) {
    LadderRow& row = ladder_.rows[index];
    const bool registers = row.kind == LadderRow::Kind::Registers;
    for (std::uint32_t column = 0; column < ladder_.columns; ++column) {
      if (row.kind == LadderRow::Kind::Output || row.kind == LadderRow::Kind::Words)
        used[index][column] = true;
      row.cells[column].idle = registers && !used[index][column];
    }
    bool fromShared = false;
    for (LadderArrow& arrow : ladder_.arrows) {
      if (arrow.toRow != index) continue;
      fromShared = fromShared || ladder_.rows[arrow.fromRow].kind != LadderRow::Kind::Registers;
      arrow.idle = registers && !used[index][arrow.toColumn];
      if (!arrow.idle) used[arrow.fromRow][arrow.fromColumn] = true;
    }
    if (!registers || fromShared) continue;
    // What a lane adds to is its own value of the register row before.
    for (std::size_t above = index; above-- > 0;) {
      if (ladder_.rows[above].kind != LadderRow::Kind::Registers) continue;
      for (std::uint32_t column = 0; column < ladder_.columns; ++column) {
        if (used[index][column]) used[above][column] = true;
      }
      break;
    }
  }
}

void LadderBuilder::markOperands() {
  for (const LadderArrow& arrow : ladder_.arrows) {
    if (arrow.idle || ladder_.rows[arrow.toRow].time != LadderRow::Time::Current) continue;
    ladder_.rows[arrow.fromRow].cells[arrow.fromColumn].operand = true;
  }
}

Ladder LadderBuilder::build() {
  findRegisters();
  placeWords();
  findInput();
  if (ladder_.columns == 0) return std::move(ladder_);
  addInputRow();
  for (std::uint32_t phase = 0; phase < trace_.phases.size(); ++phase) addPhase(phase);
  markIdle();
  markOperands();
  return std::move(ladder_);
}

}  // namespace

Ladder buildLadder(const Moment& moment, std::uint32_t maxInputs) {
  return LadderBuilder(moment, maxInputs).build();
}

}  // namespace lanescope
