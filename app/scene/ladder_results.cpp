// Rows of results: what stores and atomics change in global memory beside the rows of words.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/scene/ladder_builder.h"
#include "app/session/element_noun.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

std::uint32_t elementsIn(const TracedArray& array) { return array.cellCount / wordsOf(array.type); }

std::uint32_t elementOf(const TracedArray& array, std::uint32_t cell) {
  return (cell - array.firstCell) / wordsOf(array.type);
}

/// Elements that an access of one lane touches: several of a vector.
std::uint32_t elementsOfAccess(const TracedArray& array, const LaneAccess& access) {
  return std::max(access.bytes / (4 * wordsOf(array.type)), 1U);
}

}  // namespace

// By array, in the order of their first writes; `places` holds the least thread that writes an element.
std::vector<LadderBuilder::Results> LadderBuilder::resultsOf(const Phase& phase) const {
  std::vector<Results> all;
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step& step = trace_.steps[index];
    if (!isGlobal(step.kind) || !isWrite(step.kind)) continue;
    for (const LaneAccess& access : accessesOf(trace_, step)) {
      const TracedArray* array = arrayOfCell(trace_, access.cell);
      if (array == nullptr || (tree_ && isWord(access.cell))) continue;
      auto own = std::ranges::find(all, array, &Results::array);
      if (own == all.end()) own = all.insert(all.end(), Results{array, kNone, false, {}});
      own->isUpdated = own->isUpdated || isAtomic(step.kind);
      const std::uint32_t first = elementOf(*array, access.cell);
      for (std::uint32_t e = first; e < first + elementsOfAccess(*array, access); ++e) {
        std::uint32_t& thread = own->places.emplace(e, kNone).first->second;
        thread = std::min(thread, threadOf(step, access.lane));
      }
    }
  }
  return all;
}

// Results give columns where no words do; what atomics change has its place by index.
void LadderBuilder::widenForResults() {
  if (ladder_.registers) return;
  for (const Phase& phase : trace_.phases) {
    for (const Results& results : resultsOf(phase)) {
      const std::uint32_t count =
          results.isUpdated ? elementsIn(*results.array) : static_cast<std::uint32_t>(results.places.size());
      const std::uint32_t most = wordCount() == 0 ? kMostAlone : results.isUpdated ? maxInputs_ : 0;
      if (count <= most) ladder_.columns = std::max(ladder_.columns, count);
    }
  }
  if (ladder_.columns == 0 && wordCount() == 0 && !trace_.phases.empty() &&
      !resultsOf(trace_.phases.back()).empty())
    ladder_.columns = std::min(trace_.threads, kMostAlone);
}

// Elements that atomics change stand at their index among all of their array; others in ascending order where
// the row has a place for each, else each with the thread that stores it. Registers stand by thread.
void LadderBuilder::placeResults(Results& results) const {
  const std::uint32_t all = elementsIn(*results.array);
  if (!ladder_.registers && results.isUpdated && all <= ladder_.columns) {
    for (std::uint32_t element = 0; element < all; ++element) results.places[element] = element;
    return;
  }
  if (!ladder_.registers && results.places.size() <= ladder_.columns) {
    std::uint32_t next = 0;
    for (auto& [element, place] : results.places) place = next++;
    return;
  }
  std::vector<bool> taken(ladder_.columns, false);
  for (auto& [element, place] : results.places) {
    while (place < ladder_.columns && taken[place]) ++place;
    if (place >= ladder_.columns) place = kNone;
    if (place != kNone) taken[place] = true;
  }
}

void LadderBuilder::addResultRow(Results& results, std::uint32_t phase) {
  placeResults(results);
  results.row = addRow(LadderRow::Kind::Output, phase);
  LadderRow& row = ladder_.rows[results.row];
  row.label = row.name = results.array->name;
  row.type = results.array->type;
  for (const auto& [element, place] : results.places) {
    if (place == kNone) continue;
    LadderCell& cell = row.cells[place];
    cell.there = true;
    cell.index = element;
    cell.type = row.type;
  }
}

Word LadderBuilder::wordNow(std::uint32_t cell) const {
  const auto found = stored_.find(cell);
  return found == stored_.end() ? trace_.initialCells[cell] : found->second;
}

// Values as they are when all steps of the phase that are done have been followed.
void LadderBuilder::fillResults(const Results& results) {
  LadderRow& row = ladder_.rows[results.row];
  if (row.time == LadderRow::Time::Future) return;
  for (const auto& [element, place] : results.places) {
    if (place == kNone) continue;
    LadderCell& cell = row.cells[place];
    const std::uint32_t first = results.array->firstCell + element * wordsOf(row.type);
    const Word word = wordNow(first);
    cell.written = cell.result || results.isUpdated;
    if (!cell.written) continue;
    cell.bits = word.bits;
    if (isWide(row.type)) cell.bits |= std::uint64_t{wordNow(first + 1).bits} << 32U;
    cell.from = word.from;
  }
}

// Where a cell stands in the rows so far: as a word, as a result of an earlier phase, or as an
// input.
std::optional<LadderPlace> LadderBuilder::placeOf(std::uint32_t cell) {
  if (isWord(cell)) {
    const std::uint32_t row = wordRowOf(cell);
    return row == kNone ? std::nullopt : std::optional(LadderPlace{row, columnOf(cell)});
  }
  const TracedArray* array = arrayOfCell(trace_, cell);
  if (array == nullptr) return std::nullopt;
  if (const auto own = results_.find(array); own != results_.end()) {
    const auto place = own->second.places.find(elementOf(*array, cell));
    if (place != own->second.places.end()) return LadderPlace{own->second.row, place->second};
  }
  const Input* const input = inputOf(cell);
  if (input == nullptr || input->row == kNone) return std::nullopt;
  return LadderPlace{input->row, (cell - input->first) / wordsOf(array->type)};
}

// Words are read by the phase as a whole; of inputs, which a loop may walk through, only those that it has
// come to.
void LadderBuilder::readPlaces(const Step& step, const LaneAccess& access, std::uint32_t index) {
  const TracedArray* array = arrayOfCell(trace_, access.cell);
  if (array == nullptr) return;
  for (std::uint32_t e = 0; e < elementsOfAccess(*array, access); ++e) {
    const std::optional<LadderPlace> place = placeOf(access.cell + e * wordsOf(array->type));
    if (!place) continue;
    const bool isInput = ladder_.rows[place->row].kind == LadderRow::Kind::Input;
    if (isInput && index >= moment_.cursor.steps) continue;
    reads_.read(threadOf(step, access.lane), *place, step.phase);
  }
}

// Whether a word that is written takes the thread's register of the rows above: what it holds comes from
// inputs, or is that register's very value.
bool LadderBuilder::carries(std::uint32_t thread, const Step& step, const LaneAccess& access) const {
  if (access.value.from != kNoProvenance) return true;
  const TracedArray* array = arrayOfCell(trace_, access.cell);
  if (isAtomic(step.kind) || registerRow_ == kNone || array == nullptr) return false;
  const VariableValue& own = registers_[thread];
  return own.set && array->type == ladder_.rows[registerRow_].type &&
         static_cast<std::uint32_t>(own.bits) == access.value.bits;
}

// What an access stores in the row of its array, and the arrows to it.
void LadderBuilder::storeResults(const Results& own, const Step& step, const LaneAccess& access,
                                 std::uint32_t index) {
  const bool done = index < moment_.cursor.steps;
  const std::uint32_t thread = threadOf(step, access.lane);
  const std::uint32_t first = elementOf(*own.array, access.cell);
  for (std::uint32_t e = first; e < first + elementsOfAccess(*own.array, access); ++e) {
    const std::uint32_t column = own.places.at(e);
    if (column == kNone) continue;
    LadderRow& row = ladder_.rows[own.row];
    LadderCell& cell = row.cells[column];
    if (done || !cell.result) cell.thread = thread;
    if (done) cell.step = index;
    cell.result = cell.result || done;
    cell.pending = !cell.result && row.time == LadderRow::Time::Current;
    if (ladder_.registers && carries(thread, step, access))
      addArrow(registerRow_, thread, own.row, column, thread, index);
    for (const LadderPlace& from : reads_.of(thread))
      addArrow(from.row, from.column, own.row, column, thread, index);
  }
}

void LadderBuilder::followStep(const Step& step, std::uint32_t index, std::span<const Results> results) {
  const bool loads = step.kind == StepKind::SharedLoad || step.kind == StepKind::GlobalLoad;
  for (const LaneAccess& access : accessesOf(trace_, step)) {
    if (loads && !ladder_.registers) readPlaces(step, access, index);
    if (!isWrite(step.kind)) continue;
    const auto own = std::ranges::find(results, arrayOfCell(trace_, access.cell), &Results::array);
    if (own != results.end() && !isWord(access.cell)) storeResults(*own, step, access, index);
    reads_.stored(threadOf(step, access.lane));
  }
  if (index >= moment_.cursor.steps) return;
  const PoolRange range = step.cellChanges;
  for (const CellChange& change : std::span(trace_.cellChanges).subspan(range.first, range.count))
    if (!isWord(change.cell)) stored_[change.cell] = change.after;
}

// A row for each array that the phase changes. All steps are followed, for what they read.
void LadderBuilder::addResults(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  std::vector<Results> results = resultsOf(info);
  for (Results& own : results) addResultRow(own, phase);
  for (std::uint32_t index = info.firstStep; index < info.endStep; ++index)
    followStep(trace_.steps[index], index, results);
  for (Results& own : results) {
    fillResults(own);
    results_[own.array] = own;
  }
}

}  // namespace lanescope
