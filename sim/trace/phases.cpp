#include "sim/trace/phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "sim/trace/replay.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

using CellsOfThreads = std::map<std::uint32_t, std::set<std::uint32_t>>;

/// What the steps of a phase did, gathered by thread.
struct Doings {
  CellsOfThreads reads;   ///< of shared memory
  CellsOfThreads writes;  ///< of shared memory
  CellsOfThreads globalReads;
  CellsOfThreads globalWrites;
  std::set<std::uint32_t> updated;  ///< words of shared memory, by atomics
  std::set<std::uint32_t> threads;
  bool globalLoads = false;
  bool globalStores = false;
  bool globalAtomics = false;
  bool sharedAtomics = false;
  bool shuffles = false;
  std::set<Provenance::Kind> joins;  ///< how values of more than one input element came to be
  std::set<std::int64_t> distances;  ///< lanes read in shuffles, less the reader's own
};

void gatherShuffle(const Trace& trace, const Step& step, Doings& doings) {
  doings.shuffles = true;
  for (std::uint32_t lane = 0; lane < trace.launch.machine.warpSize; ++lane) {
    const std::int32_t source = trace.shuffleSources[step.shuffleSources + lane];
    if (source < 0) continue;
    doings.threads.insert(step.warp * trace.launch.machine.warpSize + lane);
    if (source != static_cast<std::int32_t>(lane))
      doings.distances.insert(std::abs(source - static_cast<std::int32_t>(lane)));
  }
}

/// Where cells of that kind of access are gathered; nullptr: nowhere.
CellsOfThreads* cellsOf(Doings& doings, StepKind kind) {
  if (kind == StepKind::SharedLoad) return &doings.reads;
  if (kind == StepKind::SharedStore) return &doings.writes;
  if (kind == StepKind::GlobalLoad) return &doings.globalReads;
  if (kind == StepKind::GlobalStore) return &doings.globalWrites;
  return nullptr;
}

void gatherJoin(const Trace& trace, ProvenanceId from, Doings& doings) {
  if (trace.provenance.terms(from) > 1) doings.joins.insert(trace.provenance.joins(from));
}

Provenance::Kind joinOf(const Doings& doings) {
  if (doings.joins.empty()) return Provenance::Kind::None;
  if (doings.joins.size() == 1) return *doings.joins.begin();
  std::set<Provenance::Kind> others = doings.joins;
  others.erase(Provenance::Kind::Add);
  others.erase(Provenance::Kind::Subtract);
  others.erase(Provenance::Kind::Multiply);
  return others.empty() ? Provenance::Kind::Add : Provenance::Kind::Other;
}

/// `add`, as a phase is called by it.
std::string_view nameOf(Provenance::Kind kind) {
  switch (kind) {
    case Provenance::Kind::Add:
    case Provenance::Kind::Subtract: return "add";
    case Provenance::Kind::Multiply: return "multiply";
    case Provenance::Kind::Minimum: return "minimum";
    case Provenance::Kind::Maximum: return "maximum";
    default: return "combine";
  }
}

Doings gather(const Trace& trace, const Phase& phase) {
  Doings doings;
  for (std::uint32_t s = phase.firstStep; s < phase.endStep; ++s) {
    const Step& step = trace.steps[s];
    if (step.kind == StepKind::Shuffle) gatherShuffle(trace, step, doings);
    doings.globalLoads |= step.kind == StepKind::GlobalLoad;
    doings.globalStores |= step.kind == StepKind::GlobalStore;
    doings.globalAtomics |= step.kind == StepKind::GlobalAtomic;
    doings.sharedAtomics |= step.kind == StepKind::SharedAtomic;
    CellsOfThreads* const cells = cellsOf(doings, step.kind);
    for (std::uint32_t a = 0; a < step.accesses.count; ++a) {
      const LaneAccess& access = trace.accesses[step.accesses.first + a];
      const std::uint32_t thread = step.warp * trace.launch.machine.warpSize + access.lane;
      doings.threads.insert(thread);
      if (cells != nullptr) (*cells)[thread].insert(access.cell);
      if (step.kind == StepKind::SharedAtomic) doings.updated.insert(access.cell);
      if (step.kind == StepKind::SharedStore || step.kind == StepKind::GlobalStore)
        gatherJoin(trace, access.value.from, doings);
    }
    for (std::uint32_t v = 0; v < step.variableChanges.count; ++v) {
      const VariableChange& change = trace.variableChanges[step.variableChanges.first + v];
      gatherJoin(trace, change.after.from, doings);
    }
  }
  return doings;
}

std::uint32_t firstCellOfArray(const Trace& trace, std::uint32_t cell) {
  const TracedArray* array = arrayOfCell(trace, cell);
  return array == nullptr ? 0 : array->firstCell;
}

/// The places of words in their arrays, in elements.
std::set<std::uint32_t> placesOf(const Trace& trace, const std::set<std::uint32_t>& cells) {
  std::set<std::uint32_t> places;
  for (const std::uint32_t cell : cells) {
    const TracedArray* array = arrayOfCell(trace, cell);
    if (array != nullptr) places.insert((cell - array->firstCell) / (isWide(array->type) ? 2 : 1));
  }
  return places;
}

/// k, where every thread writes at one place of its arrays and reads nothing but that and what is k elements
/// on. A thread that only writes its own value back takes no part.
std::optional<std::uint32_t> stepSize(const Trace& trace, const CellsOfThreads& reads,
                                      const CellsOfThreads& writes) {
  std::optional<std::uint32_t> size;
  for (const auto& [thread, written] : writes) {
    const std::set<std::uint32_t> own = placesOf(trace, written);
    if (own.size() != 1) return std::nullopt;
    const auto read = reads.find(thread);
    if (read == reads.end()) continue;
    for (const std::uint32_t place : placesOf(trace, read->second)) {
      if (place == *own.begin()) continue;
      if (place < *own.begin()) return std::nullopt;
      const std::uint32_t distance = place - *own.begin();
      if (size && *size != distance) return std::nullopt;
      size = distance;
    }
  }
  return size;
}

/// The writes to the arrays that the phase reads too, where there are such: the others take results away.
CellsOfThreads writesInPlace(const Trace& trace, const Doings& doings) {
  std::set<std::uint32_t> readArrays;
  for (const auto& [thread, cells] : doings.globalReads)
    for (const std::uint32_t cell : cells) readArrays.insert(firstCellOfArray(trace, cell));
  CellsOfThreads inPlace;
  for (const auto& [thread, cells] : doings.globalWrites)
    for (const std::uint32_t cell : cells)
      if (readArrays.contains(firstCellOfArray(trace, cell))) inPlace[thread].insert(cell);
  return inPlace.empty() ? doings.globalWrites : inPlace;
}

/// Who takes part in a step in global memory: a lane that has only read its own word did so for the next
/// step, which begins where it reads its neighbour's.
std::set<std::uint32_t> threadsOf(const CellsOfThreads& writes) {
  std::set<std::uint32_t> threads;
  for (const auto& [thread, cells] : writes) threads.insert(thread);
  return threads;
}

/// Of a phase that loads and stores in global memory and touches no shared memory.
std::string globalLabel(const Trace& trace, const Doings& doings, Phase& phase) {
  if (doings.joins.empty()) return "load and store";
  const auto size = stepSize(trace, doings.globalReads, writesInPlace(trace, doings));
  if (!size) return fmt::format("{} and store", nameOf(phase.joins));
  phase.stepSize = *size;
  return fmt::format("step size {}", *size);
}

std::string labelOf(const Trace& trace, const Doings& doings, Phase& phase, std::size_t number) {
  phase.stepSize = 0;
  if (doings.shuffles) {
    if (doings.distances.size() == 1) phase.stepSize = static_cast<std::uint32_t>(*doings.distances.begin());
    return phase.stepSize > 0 ? fmt::format("step size {}", phase.stepSize) : "shuffle";
  }
  const bool atomics = doings.globalAtomics || doings.sharedAtomics;
  if (atomics && !doings.globalLoads && doings.globalStores) return "store and atomic";
  if (atomics && !doings.globalLoads && doings.writes.empty()) return "atomic";
  if (doings.globalLoads && !doings.globalStores && (doings.reads.empty() || doings.writes.empty())) {
    if (atomics && doings.writes.empty()) return "load and atomic";
    return doings.joins.empty() ? "load" : fmt::format("{} during load", nameOf(phase.joins));
  }
  if (doings.globalLoads && doings.globalStores && doings.reads.empty() && doings.writes.empty())
    return globalLabel(trace, doings, phase);
  if (doings.globalStores && doings.writes.empty()) return "store";
  if (const auto size = stepSize(trace, doings.reads, doings.writes); size && !doings.globalLoads) {
    phase.stepSize = *size;
    return fmt::format("step size {}", *size);
  }
  if (!doings.globalLoads && doings.reads.empty()) return "save to shared";
  if (!doings.globalLoads && doings.writes.empty()) return "read shared";
  return fmt::format("phase {}", number + 1);
}

/// The elements that a phase's accesses of that kind touch, each by its first cell.
std::set<std::uint32_t> elementsOf(const Trace& trace, const Phase& phase, StepKind kind) {
  std::set<std::uint32_t> cells;
  for (std::uint32_t s = phase.firstStep; s < phase.endStep; ++s) {
    if (trace.steps[s].kind != kind) continue;
    for (const LaneAccess& access : accessesOf(trace, trace.steps[s])) {
      const TracedArray* array = arrayOfCell(trace, access.cell);
      const std::uint32_t words = array != nullptr && isWide(array->type) ? 2 : 1;
      for (std::uint32_t word = 0; word < std::max(access.bytes / 4U, 1U); word += words)
        cells.insert(access.cell + word);
    }
  }
  return cells;
}

/// From the shared words that were read in the phase to those that what was made of them was stored in.
std::vector<OperandArrow> arrowsOf(const Trace& trace, const Phase& phase) {
  constexpr std::size_t kMostArrows = std::size_t{1} << 16U;  // far more than a picture shows
  std::set<std::array<std::uint32_t, 3>> arrows;              // thread, to, from
  for (std::uint32_t s = phase.firstStep; s < phase.endStep && arrows.size() < kMostArrows; ++s) {
    const Step& step = trace.steps[s];
    if (!isShared(step.kind) || !isWrite(step.kind)) continue;
    for (const CellChange& stored : changesOf(trace, step)) {
      for (const Read& read : trace.reads.since(stored.reads, phase.firstStep)) {
        const bool isWord = isOfMemory(trace, read) && read.place < trace.sharedCells;
        if (isWord && read.place != stored.cell) arrows.insert({stored.thread, stored.cell, read.place});
      }
    }
  }
  std::vector<OperandArrow> result;
  result.reserve(arrows.size());
  for (const auto& [thread, to, from] : arrows) result.push_back({thread, from, to});
  return result;
}

}  // namespace

void describePhase(Trace& trace, std::size_t index, const std::vector<ProvenanceId>& lastValue) {
  Phase& phase = trace.phases[index];
  const Doings doings = gather(trace, phase);
  // The last phase is described again when the block's way out joins it.
  trace.total -= phase.counters;
  phase.counters = {};
  phase.arrows.clear();
  phase.joins = joinOf(doings);
  phase.label = labelOf(trace, doings, phase, index);
  const bool isGlobalStep = phase.stepSize > 0 && !doings.globalWrites.empty();
  const std::set<std::uint32_t> active = isGlobalStep ? threadsOf(doings.globalWrites) : doings.threads;
  phase.activeThreads.assign(active.begin(), active.end());
  const std::set<std::uint32_t> read = elementsOf(trace, phase, StepKind::SharedLoad);
  const std::set<std::uint32_t> written = elementsOf(trace, phase, StepKind::SharedStore);
  phase.arrows = arrowsOf(trace, phase);
  phase.cellsRead.assign(read.begin(), read.end());
  phase.cellsWritten.assign(written.begin(), written.end());
  if (doings.shuffles || (doings.globalLoads && doings.writes.empty())) phase.exchanged = lastValue;
  for (std::uint32_t s = phase.firstStep; s < phase.endStep; ++s) {
    const Counters delta = countersOf(trace, trace.steps[s]);
    phase.counters += delta;
    trace.total += delta;
  }
}

}  // namespace lanescope
