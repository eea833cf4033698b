#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/pictures/ladder_builder.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kMostWords = 4096;

/// The words of one buffer that the trace touches.
struct Touched {
  std::uint32_t low = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t high = 0;
  bool loaded = false;
  bool stored = false;
  std::uint32_t element = 1;  ///< words of one element

  std::uint32_t span() const { return stored ? high - low + 1 : 0; }
  /// The rank of a tree, above all results; 0: this is not a tree.
  std::uint64_t rank() const {
    const bool isTree = loaded && stored;
    return isTree || span() > element ? (std::uint64_t{isTree} << 32U) + span() : 0;
  }
};

}  // namespace

std::optional<GlobalTree> findGlobalTree(const Trace& trace) {
  if (trace.sharedCells > 0) return std::nullopt;
  std::vector<Touched> touched(trace.arrays.size());
  for (const Step& step : trace.steps) {
    const bool loads = step.kind == StepKind::GlobalLoad;
    if (!loads && step.kind != StepKind::GlobalStore) continue;
    for (const LaneAccess& access : laneAccesses(trace, step)) {
      for (std::size_t index = 0; index < trace.arrays.size(); ++index) {
        const TracedArray& array = trace.arrays[index];
        if (access.cell < array.firstCell || access.cell - array.firstCell >= array.cellCount) continue;
        Touched& words = touched[index];
        words.element = splitWords(array.type);
        words.low = std::min(words.low, access.cell);
        words.high = std::max(words.high, access.cell + std::max(access.bytes / 4U, 1U) - 1);
        (loads ? words.loaded : words.stored) = true;
      }
    }
  }
  const auto found = std::ranges::max_element(touched, {}, &Touched::rank);
  if (found == touched.end() || found->rank() == 0 || found->span() > kMostWords) return std::nullopt;
  const TracedArray& array = trace.arrays[static_cast<std::size_t>(found - touched.begin())];
  // From the array's beginning if that is near: the axis counts from there.
  constexpr std::uint32_t kNear = 4;  // as a share of the touched words
  if (kNear * (found->low - array.firstCell) <= found->span()) found->low = array.firstCell;
  return GlobalTree{&array, found->low, found->span()};
}

// Rows of results: elements outside the rows of words that stores and atomics change in global memory.

namespace {

std::uint32_t elementsIn(const TracedArray& array) { return array.cellCount / splitWords(array.type); }

std::uint32_t findElement(const TracedArray& array, std::uint32_t cell) {
  return (cell - array.firstCell) / splitWords(array.type);
}

/// Elements that one lane's access touches: several for a vector.
std::uint32_t elementsOfAccess(const TracedArray& array, const LaneAccess& access) {
  return std::max(access.bytes / (4 * splitWords(array.type)), 1U);
}

}  // namespace

// By array, in the order of their first writes; `columns` holds at first the least thread that writes an
// element.
std::vector<LadderBuilder::Results> LadderBuilder::collectResults(const Phase& phase) const {
  std::vector<Results> all;
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step step = trace_.steps[index];
    if (!isGlobal(step.kind) || !isWrite(step.kind)) continue;
    for (const LaneAccess& access : laneAccesses(trace_, step)) {
      const TracedArray* array = arrayOfCell(trace_, access.cell);
      if (array == nullptr || (tree_ && isWord(access.cell))) continue;
      auto own = std::ranges::find(all, array, &Results::array);
      if (own == all.end()) own = all.insert(all.end(), Results{array, kNone, false, {}});
      own->isUpdated = own->isUpdated || isAtomic(step.kind);
      const std::uint32_t first = findElement(*array, access.cell);
      for (std::uint32_t e = first; e < first + elementsOfAccess(*array, access); ++e) {
        std::uint32_t& thread = own->columns.emplace(e, kNone).first->second;
        thread = std::min(thread, findThread(step, access.lane));
      }
    }
  }
  return all;
}

// Results give columns if no words do; elements that atomics change are placed by index.
void LadderBuilder::widenForResults() {
  if (ladder_.registers) return;
  for (const Phase& phase : trace_.phases) {
    for (const Results& results : collectResults(phase)) {
      const std::uint32_t count =
          results.isUpdated ? elementsIn(*results.array) : static_cast<std::uint32_t>(results.columns.size());
      const std::uint32_t most = wordCount() == 0 ? kMostAlone : results.isUpdated ? kMostBins : 0;
      if (count <= most) ladder_.columns = std::max(ladder_.columns, count);
    }
  }
  if (ladder_.columns == 0 && wordCount() == 0 && !trace_.phases.empty() &&
      !collectResults(trace_.phases.back()).empty())
    ladder_.columns = std::min(trace_.threads, kMostAlone);
}

// Elements that atomics change are at their index in the whole array. Others are at their index if the row is
// long enough, else in ascending order if it has a column for each, else at the thread that stores them.
// Registers are placed by thread.
void LadderBuilder::placeResults(Results& results) const {
  const std::uint32_t all = elementsIn(*results.array);
  if (!ladder_.registers && results.isUpdated && all <= ladder_.columns) {
    for (std::uint32_t element = 0; element < all; ++element) results.columns[element] = element;
    return;
  }
  if (!ladder_.registers && results.columns.size() <= ladder_.columns) {
    const bool areAtIndex = !results.columns.empty() && results.columns.rbegin()->first < ladder_.columns;
    std::uint32_t next = 0;
    for (auto& [element, column] : results.columns) column = areAtIndex ? element : next++;
    return;
  }
  std::vector<bool> taken(ladder_.columns, false);
  for (auto& [element, column] : results.columns) {
    while (column < ladder_.columns && taken[column]) ++column;
    if (column >= ladder_.columns) column = kNone;
    if (column != kNone) taken[column] = true;
  }
}

// `partials[3]` for a single element that is not at its index, as the axis would show it as another element.
std::string LadderBuilder::makeLabel(const Results& results) {
  const std::string& name = results.array->name;
  if (results.columns.size() != 1) return name;
  const auto [element, column] = *results.columns.begin();
  return element == column ? name : fmt::format("{}[{}]", name, element);
}

void LadderBuilder::addResultRow(Results& results, std::uint32_t phase) {
  placeResults(results);
  results.row = addRow(LadderRow::Kind::Output, phase);
  PlannedRow& row = ladder_.rows[results.row];
  row.name = results.array->name;
  row.label = makeLabel(results);
  row.type = results.array->type;
  row.isUpdated = results.isUpdated;
  row.firstCell = results.array->firstCell;
  for (const auto& [element, column] : results.columns) {
    if (column == kNone) continue;
    LadderCell& cell = row.cells[column];
    cell.there = true;
    cell.index = element;
    cell.type = row.type;
  }
}

void LadderBuilder::fillResults(const Results& results) {
  PlannedRow& row = ladder_.rows[results.row];
  for (const auto& [element, column] : results.columns) {
    if (column == kNone) continue;
    LadderCell& cell = row.cells[column];
    cell.written = cell.result || results.isUpdated;
    if (!cell.written) continue;
    const std::uint32_t first = results.array->firstCell + element * splitWords(row.type);
    cell.bits = elementBits(*results.array, cells_, first);
    cell.from = cells_[first].from;
  }
}

// Records an access's stores in the row of its array.
void LadderBuilder::storeResults(const Results& own, const Step& step, const LaneAccess& access,
                                 std::uint32_t index, std::vector<PlannedStore>& stores) const {
  const std::uint32_t first = findElement(*own.array, access.cell);
  for (std::uint32_t e = first; e < first + elementsOfAccess(*own.array, access); ++e) {
    if (const std::uint32_t column = own.columns.at(e); column != kNone)
      stores.push_back({column, index, findThread(step, access.lane)});
  }
}

// A row for each array that the phase changes.
void LadderBuilder::addResults(std::uint32_t phase) {
  const Phase& info = trace_.phases[phase];
  std::vector<Results> results = collectResults(info);
  for (Results& own : results) addResultRow(own, phase);
  std::vector<std::vector<PlannedStore>> stores(results.size());
  for (std::uint32_t index = info.firstStep; index < info.endStep && !results.empty(); ++index) {
    const Step step = trace_.steps[index];
    if (!isWrite(step.kind)) continue;
    for (const LaneAccess& access : laneAccesses(trace_, step)) {
      const auto own = isWord(access.cell)
                           ? results.end()
                           : std::ranges::find(results, arrayOfCell(trace_, access.cell), &Results::array);
      if (own != results.end())
        storeResults(*own, step, access, index, stores[static_cast<std::size_t>(own - results.begin())]);
    }
  }
  for (std::size_t number = 0; number < results.size(); ++number) {
    setStores(ladder_.rows[results[number].row], std::move(stores[number]));
    fillResults(results[number]);
    places_.results[results[number].array] = std::move(results[number]);
  }
}

}  // namespace lanescope
