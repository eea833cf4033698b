#include "app/pictures/array_ladder.h"

#include <algorithm>

#include "app/pictures/picture_plan.h"
#include "app/pictures/ladder_plan.h"

namespace lanescope {
namespace {

using Time = LadderRow::Time;

LadderRow rowAt(const PlannedRow& planned, bool isInput, std::uint32_t now) {
  LadderRow row;
  row.kind = planned.kind;
  row.time = isInput || planned.phase < now ? Time::Past
             : planned.phase == now         ? Time::Current
                                            : Time::Future;
  row.phase = planned.phase;
  row.label = planned.label;
  row.name = planned.name;
  row.variable = planned.variable;
  row.type = planned.type;
  row.cells = planned.cells;
  row.edges = planned.edges;
  return row;
}

void setWord(LadderCell& cell, const ReplayState& state, std::uint32_t index) {
  const Word& word = state.cells[index];
  cell.bits = word.bits;
  if (isWide(cell.type)) cell.bits |= std::uint64_t{state.cells[index + 1].bits} << 32U;
  cell.from = word.from;
}

void setValue(LadderCell& cell, const PlannedRow& row, const Moment& moment) {
  const ReplayState& state = moment.state;
  switch (row.kind) {
    case LadderRow::Kind::Words:
      cell.written = state.cells[cell.index].written;
      setWord(cell, state, cell.index);
      break;
    case LadderRow::Kind::Registers: {
      const VariableValue& value = state.variables[cell.index * moment.trace.variables.size() + row.variable];
      cell.written = value.set;
      cell.bits = value.bits;
      cell.from = value.from;
      break;
    }
    case LadderRow::Kind::Output:
      cell.written = cell.result || row.isUpdated;
      cell.bits = 0;
      cell.from = kNoProvenance;
      if (cell.written) setWord(cell, state, row.firstCell + cell.index * splitWords(row.type));
      break;
    case LadderRow::Kind::Input: break;
  }
}

/// The states of a row's cells in the middle of the current phase.
void setStates(std::span<LadderCell> cells, const PlannedRow& row, const Moment& moment) {
  auto stores = row.stores.begin();
  for (std::uint32_t column = 0; column < cells.size(); ++column) {
    LadderCell& cell = cells[column];
    const auto end = std::ranges::upper_bound(stores, row.stores.end(), column, {}, &PlannedStore::column);
    const auto due = std::ranges::lower_bound(stores, end, moment.cursor.steps, {}, &PlannedStore::step);
    cell.result = due != stores;
    cell.pending = due == stores && stores != end;
    cell.step = cell.result ? static_cast<std::int32_t>((due - 1)->step) : -1;
    if (cell.result) cell.thread = static_cast<std::int16_t>((due - 1)->thread);
    stores = end;
    if (cell.there) setValue(cell, row, moment);
  }
}

void markRead(LadderCell& cell, bool isDone) {
  cell.operand = cell.operand || isDone;
  cell.toRead = !cell.operand;
}

/// Marks the registers that the current phase reads for its results.
void markRegisterReads(Ladder& ladder) {
  for (const LadderArrow& arrow : ladder.arrows) {
    const bool isOfRegister = ladder.rows[arrow.fromRow].kind == LadderRow::Kind::Registers;
    if (arrow.idle || !isOfRegister || ladder.rows[arrow.toRow].time != Time::Current) continue;
    markRead(ladder.edit(arrow.fromRow)[arrow.fromColumn], arrow.done);
  }
}

}  // namespace

std::vector<std::uint32_t> computeEdges(std::span<const LadderCell> cells) {
  std::vector<std::uint32_t> edges;
  for (std::uint32_t column = 1; column < cells.size(); ++column)
    if (!cells[column].looksLike(cells[column - 1])) edges.push_back(column);
  return edges;
}

std::span<LadderCell> Ladder::edit(std::size_t row) {
  std::vector<LadderCell>& own = edited[row].cells;
  if (own.empty()) {
    own.assign(rows[row].cells.begin(), rows[row].cells.end());
    rows[row].cells = own;
  }
  return own;
}

void Ladder::findEdges() {
  for (std::size_t row = 0; row < edited.size(); ++row) {
    if (edited[row].cells.empty()) continue;
    edited[row].edges = computeEdges(edited[row].cells);
    rows[row].edges = edited[row].edges;
  }
}

Ladder ladderAt(const Moment& moment) {
  const LadderPlan& plan = *moment.plan->ladder;
  Ladder ladder;
  ladder.plan = moment.plan;
  ladder.columns = plan.columns;
  ladder.registers = plan.registers;
  ladder.globalArray = plan.globalArray;
  ladder.words = plan.words;
  ladder.elements = plan.elements;
  ladder.groups = plan.groups;
  if (plan.rows.empty()) return ladder;
  const std::uint32_t now = moment.phase();
  ladder.rows.reserve(plan.rows.size());
  for (const PlannedRow& row : plan.rows)
    ladder.rows.push_back(rowAt(row, ladder.rows.size() < plan.inputs, now));
  ladder.edited.resize(plan.rows.size());
  if (now >= plan.phases.size()) return ladder;
  const PlannedPhase& phase = plan.phases[now];
  for (const PlannedRead& read : phase.reads)
    markRead(ladder.edit(read.row)[read.column], read.step < moment.cursor.steps);
  for (std::uint32_t row = phase.firstRow; row < phase.endRow; ++row)
    setStates(ladder.edit(row), plan.rows[row], moment);
  if (phase.endRow > phase.firstRow)
    ladder.currentRow = phase.endRow - 1;
  else if (now == 0 && plan.inputs > 0)
    ladder.currentRow = plan.inputs - 1;
  ladder.arrows = arrowsAt(ladder, moment.cursor, now, now + 1);
  markRegisterReads(ladder);
  ladder.findEdges();
  return ladder;
}

std::vector<LadderArrow> arrowsAt(const Ladder& ladder, Cursor cursor, std::uint32_t first,
                                  std::uint32_t end) {
  const LadderPlan& plan = *ladder.plan->ladder;
  const auto last = std::min(end, static_cast<std::uint32_t>(plan.phases.size()));
  std::vector<LadderArrow> arrows;
  const auto add = [&](const PlannedArrow& arrow) {
    if (cursor.steps < arrow.thereAfter) return;
    std::int64_t step = arrow.step < cursor.steps ? std::int64_t{arrow.step} : -1;
    const LadderRow& row = ladder.rows[arrow.toRow];
    if (arrow.step == PlannedArrow::kOfPlace)
      step = row.time == Time::Future ? -1 : row.cells[arrow.toColumn].step;
    arrows.push_back({arrow.fromRow, arrow.fromColumn, arrow.toRow, arrow.toColumn, arrow.thread, step,
                      step >= 0, arrow.isIdle});
  };
  for (std::uint32_t phase = first; phase < last; ++phase) {
    const PlannedPhase& planned = plan.phases[phase];
    for (std::uint32_t index = planned.firstArrow; index < planned.endArrow; ++index) add(plan.arrows[index]);
  }
  for (std::uint32_t phase = first; phase < last; ++phase) {
    const PlannedPhase& planned = plan.phases[phase];
    for (std::uint32_t index = planned.firstOwn; index < planned.endOwn; ++index) add(plan.ownArrows[index]);
  }
  return arrows;
}

void coverArrows(std::vector<LadderArrow>& arrows) {
  std::erase_if(arrows, [](const LadderArrow& arrow) { return !arrow.done; });
  for (LadderArrow& arrow : arrows) arrow.idle = false;
}

void coverFuture(Ladder& ladder) {
  for (std::size_t number = 0; number < ladder.rows.size(); ++number) {
    const std::span<LadderCell> cells = ladder.edit(number);
    LadderRow& row = ladder.rows[number];
    for (LadderCell& cell : cells) {
      if (row.time == Time::Future) cell.result = cell.written = false;
      cell.pending = cell.idle = cell.toRead = false;
      // Later steps decide which registers matter: every register that was read is marked.
      if (row.kind == LadderRow::Kind::Registers) cell.operand = false;
      if (cell.result) continue;
      cell.thread = -1;
      // Only stored elements have a place in a row of outputs.
      if (row.kind == LadderRow::Kind::Output) cell.there = false;
    }
    // The element of a result is known only with the result.
    if (row.kind == LadderRow::Kind::Output && std::ranges::none_of(cells, &LadderCell::result))
      row.label = row.name;
  }
  coverArrows(ladder.arrows);
  markRegisterReads(ladder);
  ladder.findEdges();
}

}  // namespace lanescope
