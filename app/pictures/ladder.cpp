#include "app/pictures/ladder.h"

#include <algorithm>
#include <cstdint>

#include "app/pictures/picture_plan.h"

namespace lanescope {
namespace {

using Kind = LadderRow::Kind;
using Time = LadderRow::Time;

/// The state of the current phase's rows, in which the writes of the steps from `arrived` on are still on
/// their way.
class LiveRows {
 public:
  LiveRows(const Moment& moment, std::uint32_t arrived)
      : moment_(moment), arrived_(std::min(arrived, moment.cursor.steps)), words_(moment, arrived_) {}

  void set(std::span<LadderCell> cells, const PlannedRow& row) const {
    if (row.kind == Kind::Threads) return setThreads(cells, row);
    auto stores = row.stores.begin();
    for (std::uint32_t column = 0; column < cells.size(); ++column) {
      LadderCell& cell = cells[column];
      const auto end = std::ranges::upper_bound(stores, row.stores.end(), column, {}, &PlannedStore::column);
      const auto due = std::ranges::lower_bound(stores, end, arrived_, {}, &PlannedStore::step);
      cell.result = due != stores;
      cell.pending = due == stores && stores != end;
      cell.step = cell.result ? static_cast<std::int32_t>((due - 1)->step) : -1;
      if (cell.result) cell.thread = static_cast<std::int16_t>((due - 1)->thread);
      stores = end;
      if (!cell.there || row.kind == Kind::Input) continue;
      const bool isWords = row.kind == Kind::Words;
      const std::uint32_t first = isWords ? cell.index : row.firstCell + cell.index * splitWords(row.type);
      cell.written = isWords ? words_[first].written : cell.result || row.isUpdated;
      cell.bits = 0;
      cell.from = kNoProvenance;
      if (cell.written) setWord(cell, first);
    }
  }

 private:
  void setThreads(std::span<LadderCell> cells, const PlannedRow& row) const {
    const std::size_t variables = moment_.trace.variables.size();
    for (LadderCell& cell : cells) {
      cell.result = row.begins[cell.index] < moment_.cursor.steps;
      cell.pending = cell.work == ThreadWork::Works && !cell.result;
      if (row.variable == kNoRow) continue;
      const VariableValue& value = moment_.state.variables[cell.index * variables + row.variable];
      cell.written = value.set;
      cell.bits = value.bits;
      cell.from = value.from;
    }
  }

  void setWord(LadderCell& cell, std::uint32_t first) const {
    const Word& word = words_[first];
    cell.bits = word.bits;
    if (isWide(cell.type)) cell.bits |= std::uint64_t{words_[first + 1].bits} << 32U;
    cell.from = word.from;
  }

  const Moment& moment_;
  std::uint32_t arrived_;
  WordsSoFar words_;
};

LadderRow rowAt(const PlannedRow& planned, bool isInput, std::uint32_t now) {
  LadderRow row;
  row.kind = planned.kind;
  row.time = isInput || planned.phase < now ? Time::Past
             : planned.phase == now         ? Time::Current
                                            : Time::Future;
  row.phase = planned.phase;
  row.label = planned.label;
  row.name = planned.name;
  row.type = planned.type;
  row.cells = planned.cells;
  return row;
}

}  // namespace

const LadderPlan& Ladder::planned() const { return *plan->ladder; }

std::span<LadderCell> Ladder::edit(std::size_t row) {
  std::vector<LadderCell>& own = edited[row];
  if (own.empty()) {
    own.assign(rows[row].cells.begin(), rows[row].cells.end());
    rows[row].cells = own;
  }
  return own;
}

Ladder ladderAt(const Moment& moment, std::uint32_t arrived) {
  Ladder ladder;
  ladder.plan = moment.plan;
  const LadderPlan& plan = ladder.planned();
  if (plan.rows.empty()) return ladder;
  const std::uint32_t now = moment.phase();
  ladder.rows.reserve(plan.rows.size());
  for (const PlannedRow& row : plan.rows)
    ladder.rows.push_back(rowAt(row, ladder.rows.size() < plan.inputs, now));
  ladder.edited.resize(plan.rows.size());
  if (now >= plan.phases.size()) return ladder;
  const PlannedPhase& phase = plan.phases[now];
  const LiveRows live(moment, arrived);
  for (std::uint32_t row = phase.firstRow; row < phase.endRow; ++row)
    live.set(ladder.edit(row), plan.rows[row]);
  for (const LadderLine& line : plan.linesOf(now)) {
    if (line.isWrite || line.row > line.threads) continue;
    LadderCell& cell = ladder.edit(line.row)[line.column];
    cell.operand = cell.operand || line.step < moment.cursor.steps;
    cell.toRead = !cell.operand;
  }
  if (phase.endRow > phase.firstRow)
    ladder.currentRow = phase.endRow - 1;
  else if (now == 0 && plan.inputs > 0)
    ladder.currentRow = plan.inputs - 1;
  return ladder;
}

void coverFuture(Ladder& ladder, const Moment& moment) {
  const LadderPlan& plan = ladder.planned();
  for (std::size_t number = 0; number < ladder.rows.size(); ++number) {
    const std::span<LadderCell> cells = ladder.edit(number);
    LadderRow& row = ladder.rows[number];
    for (LadderCell& cell : cells) {
      if (row.time == Time::Future) cell.result = cell.written = false;
      cell.pending = cell.idle = cell.toRead = false;
      if (cell.result) continue;
      if (row.kind == Kind::Threads && row.time != Time::Past) {
        const std::uint32_t begins = plan.rows[number].warpBegins[cell.index / plan.warpSize];
        const bool runs = row.time == Time::Current && begins < moment.cursor.steps;
        cell.work = runs ? ThreadWork::MaskedOff : ThreadWork::Unknown;
      }
      if (row.kind != Kind::Threads) cell.thread = -1;
      // Only stored elements have a place in a row of outputs.
      if (row.kind == Kind::Output) cell.there = false;
    }
    // The element of a result is known only with the result.
    if (row.kind == Kind::Output && std::ranges::none_of(cells, &LadderCell::result)) row.label = row.name;
  }
}

}  // namespace lanescope
