#include "app/scene/array_ladder.h"

#include <algorithm>

#include "app/scene/ladder_builder.h"
#include "app/scene/ladder_columns.h"
#include "app/scene/ladder_marks.h"
#include "app/session/element_noun.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

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
  elements_ = elementsOf(trace_, firstWord(), wordCount());
  ladder_.words = wordCount();
  ladder_.elements = elements_.empty() ? 0 : elements_.back() + 1;
  ladder_.columns = ladder_.registers ? trace_.threads : ladder_.elements;
  if (!ladder_.registers) return;
  sharedColumns_.assign(trace_.sharedCells, kNone);
  for (const Step& step : trace_.steps) {
    if (!isShared(step.kind) || !isWrite(step.kind)) continue;
    for (const LaneAccess& access : accessesOf(trace_, step)) {
      std::uint32_t& column = sharedColumns_[access.cell];
      column = std::min(column, threadOf(step, access.lane));
    }
  }
  for (std::uint32_t cell = 0; cell < trace_.sharedCells; ++cell) {
    if (!isFirstOfElement(cell)) sharedColumns_[cell] = sharedColumns_[cell - 1];
    if (sharedColumns_[cell] == kNone) sharedColumns_[cell] = std::min(elements_[cell], trace_.threads - 1);
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
  if (input_ == nullptr || low > high) return;
  const std::uint32_t count = (high - low + 1) / wordsOf(input_->type);
  if (count > maxInputs_) return;
  inputFirst_ = low;
  inputCount_ = count;
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
  const std::uint32_t words = inputCount_ * wordsOf(input_->type);
  if (loaded.size() != words) return false;
  for (std::uint32_t cell = 0; cell < words; ++cell) {
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
    const std::uint32_t first = inputFirst_ + column * wordsOf(input_->type);
    LadderCell& cell = row.cells[column];
    cell.there = cell.written = true;
    cell.index = (first - input_->firstCell) / wordsOf(input_->type);
    cell.type = input_->type;
    cell.bits = elementBits(*input_, trace_.initialCells, first);
    cell.from = trace_.initialCells[first].from;
  }
}

void LadderBuilder::addArrow(std::uint32_t fromRow, std::uint32_t fromColumn, std::uint32_t row,
                             std::uint32_t column, std::uint32_t thread, std::uint32_t step) {
  if (fromRow == kNone || fromColumn >= ladder_.columns || column >= ladder_.columns) return;
  const bool done = step < moment_.cursor.steps;
  ladder_.arrows.push_back(
      {fromRow, fromColumn, row, column, thread, done ? std::int64_t{step} : -1, done, false});
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

Ladder LadderBuilder::build() {
  findRegisters();
  placeWords();
  findInput();
  if (ladder_.columns == 0) return std::move(ladder_);
  addInputRow();
  for (std::uint32_t phase = 0; phase < trace_.phases.size(); ++phase) addPhase(phase);
  markIdle(ladder_);
  markOperands(ladder_);
  return std::move(ladder_);
}

Ladder buildLadder(const Moment& moment, std::uint32_t maxInputs) {
  return LadderBuilder(moment, maxInputs).build();
}

}  // namespace lanescope
