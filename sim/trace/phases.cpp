#include "sim/trace/phases.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "sim/machine/compile/operations.h"
#include "sim/memory/address.h"
#include "sim/memory/machine_model.h"
#include "sim/trace/replay.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

CellMap::CellMap(const MemoryView& memory) : memory_(memory) {
  sharedCells_ = static_cast<std::uint32_t>((memory.shared.size() + 3) / 4);
  count_ = sharedCells_;
  for (const auto buffer : memory.buffers) {
    firsts_.push_back(count_);
    count_ += static_cast<std::uint32_t>((buffer.size() + 3) / 4);
  }
}

std::uint32_t CellMap::findCell(std::uint64_t address) const {
  const auto word = static_cast<std::uint32_t>((address & kOffsetMask) / 4);
  return isShared(address) ? word : firsts_[bufferIndex(address)] + word;
}

std::optional<std::uint32_t> CellMap::findKnownCell(std::uint64_t address) const {
  const std::uint64_t word = (address & kOffsetMask) / 4;
  const std::size_t buffer = bufferIndex(address);
  if (isShared(address)) return word < sharedCells_ ? std::optional(findCell(address)) : std::nullopt;
  if (isLocal(address) || buffer >= firsts_.size()) return std::nullopt;
  return word * 4 < memory_.buffers[buffer].size() ? std::optional(findCell(address)) : std::nullopt;
}

std::uint32_t CellMap::computeBits(std::uint32_t cell) const {
  std::span<const std::byte> bytes = memory_.shared;
  std::size_t offset = std::size_t{cell} * 4;
  for (std::size_t b = 0; b < firsts_.size() && cell >= firsts_[b]; ++b) {
    bytes = memory_.buffers[b];
    offset = std::size_t{cell - firsts_[b]} * 4;
  }
  std::uint32_t bits = 0;
  std::memcpy(&bits, bytes.data() + offset, std::min<std::size_t>(4, bytes.size() - offset));
  return bits;
}

void PhaseBounds::accessed(const WarpState& warp, const Event& event) {
  Activity& activity = warps_[warp.index];
  activity.accessed = true;
  if (!isWrite(event.kind)) return;
  if (isShared(event.kind)) activity.storedShared = true;
  if (event.kind == StepKind::GlobalAtomic) return;
  forEachLane(event.active, [&](unsigned lane) {
    const std::uint64_t address = event.addresses[lane];
    const std::uint32_t last = cells_->findCell(address + event.bytes - 1);
    for (std::uint32_t cell = cells_->findCell(address); cell <= last; ++cell) {
      if (writers_[cell] == 0) written_.push_back(cell);
      writers_[cell] = warp.index * warpSize_ + lane + 1;
    }
  });
}

bool PhaseBounds::readsNeighboursWrite(const WarpState& warp, const Instruction& i) const {
  const LaneU64* addresses = warp.lanes<LaneU64>(i.a);
  bool found = false;
  forEachLane(warp.active, [&](unsigned lane) {
    const std::optional<std::uint32_t> cell = cells_->findKnownCell(addresses[lane]);
    if (!cell || writers_[*cell] == 0) return;
    const std::uint32_t writer = writers_[*cell] - 1;
    found |= writer != warp.index * warpSize_ + lane && writer / warpSize_ == warp.index;
  });
  return found;
}

bool PhaseBounds::beginsBefore(const WarpState& warp, const Instruction& i) const {
  if (warp.active == 0) return false;
  const Activity& activity = warps_[warp.index];
  if (isLoading(i.op)) return readsNeighboursWrite(warp, i);
  if (isShuffle(i.op) || isReduction(i)) return activity.accessed;
  if (!isStoring(i.op) && i.op != Op::Atomic) return false;
  // Results leave the block in a phase of their own, even if no barrier comes before.
  const std::uint64_t address = warp.lanes<LaneU64>(i.a)[std::countr_zero(warp.active)];
  return activity.exchanged || (activity.storedShared && !isShared(address));
}

bool PhaseBounds::anyAccess() const { return std::ranges::any_of(warps_, &Activity::accessed); }

void PhaseBounds::next() {
  for (const std::uint32_t cell : written_) writers_[cell] = 0;
  written_.clear();
  std::ranges::fill(warps_, Activity{});
}

void PhaseCounter::blockBegins(const Bytecode& /*code*/, Dim3 /*block*/, std::span<const WarpState> warps,
                               const MemoryView& memory) {
  cells_ = CellMap(memory);
  bounds_ = PhaseBounds(cells_, warps.size(), warpSize_);
}

bool PhaseCounter::pausesBefore(const WarpState& warp, const Instruction& i) {
  return bounds_.beginsBefore(warp, i);
}

void PhaseCounter::allWait(bool /*atBarrier*/) {
  if (!bounds_.anyAccess()) return;
  ++phases_;
  bounds_.next();
}

void PhaseCounter::happened(const WarpState& warp, const Instruction& /*i*/, const Event& event) {
  if (isAccess(event.kind)) bounds_.accessed(warp, event);
  if (exchangesRegisters(event.kind)) bounds_.exchanged(warp);
}

// A last phase without any access does not count.
void PhaseCounter::blockEnds() { phases_ += bounds_.anyAccess() || phases_ == 0 ? 1U : 0U; }

namespace {

/// The cells that threads access, each once, sorted by thread once it is settled.
class CellsOfThreads {
 public:
  void add(std::uint32_t thread, std::uint32_t cell) { all_.push_back(std::uint64_t{thread} << 32U | cell); }
  void settle() {
    std::ranges::sort(all_);
    all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
  }
  bool empty() const { return all_.empty(); }
  /// Calls `use` with each thread and its cells, as long as it returns true; false if it returned false.
  template <class F>
  bool everyThread(F use) const {
    for (std::size_t first = 0, end = 0; first < all_.size(); first = end) {
      const auto thread = static_cast<std::uint32_t>(all_[first] >> 32U);
      end = findEnd(first);
      if (!use(thread, cells(first, end))) return false;
    }
    return true;
  }
  /// A thread's cells.
  std::vector<std::uint32_t> of(std::uint32_t thread) const {
    const auto first = std::ranges::lower_bound(all_, std::uint64_t{thread} << 32U) - all_.begin();
    return cells(static_cast<std::size_t>(first), findEnd(static_cast<std::size_t>(first), thread));
  }

 private:
  std::size_t findEnd(std::size_t first) const {
    return findEnd(first, static_cast<std::uint32_t>(all_[first] >> 32U));
  }
  std::size_t findEnd(std::size_t first, std::uint32_t thread) const {
    while (first < all_.size() && all_[first] >> 32U == thread) ++first;
    return first;
  }
  std::vector<std::uint32_t> cells(std::size_t first, std::size_t end) const {
    std::vector<std::uint32_t> found;
    for (std::size_t i = first; i < end; ++i) found.push_back(static_cast<std::uint32_t>(all_[i]));
    return found;
  }

  std::vector<std::uint64_t> all_;  ///< thread and cell
};

/// The accesses of a phase's steps, gathered by thread.
struct Activity {
  CellsOfThreads reads;   ///< in shared memory
  CellsOfThreads writes;  ///< in shared memory
  CellsOfThreads globalReads;
  CellsOfThreads globalWrites;
  std::vector<bool> threads;  ///< threads that load, store or exchange
  bool globalLoads = false;
  bool globalStores = false;
  bool globalAtomics = false;
  bool sharedAtomics = false;
  bool shuffles = false;  ///< or reduces
  bool reduces = false;
  std::set<Provenance::Kind> joins;  ///< the operators that joined several input elements
  std::set<std::int64_t> distances;  ///< lanes read in shuffles, less the reader's own
  Counters counters;
};

/// The marked numbers, in order.
std::vector<std::uint32_t> listNumbers(const std::vector<bool>& marked) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t number = 0; number < marked.size(); ++number) {
    if (marked[number]) numbers.push_back(number);
  }
  return numbers;
}

void gatherExchange(const Trace& trace, const Step& step, Activity& activity) {
  activity.shuffles = true;
  for (std::uint32_t lane = 0; lane < trace.launch.machine.warpSize; ++lane) {
    const std::int32_t source = trace.shuffleSources[step.shuffleSources + lane];
    if (source < 0) continue;
    activity.threads[step.warp * trace.launch.machine.warpSize + lane] = true;
    if (step.kind == StepKind::Shuffle && source != static_cast<std::int32_t>(lane))
      activity.distances.insert(std::abs(source - static_cast<std::int32_t>(lane)));
  }
}

/// The list that gathers cells of that kind of access; nullptr if there is none.
CellsOfThreads* findCells(Activity& activity, StepKind kind) {
  if (kind == StepKind::SharedLoad) return &activity.reads;
  if (kind == StepKind::SharedStore) return &activity.writes;
  if (kind == StepKind::GlobalLoad) return &activity.globalReads;
  if (kind == StepKind::GlobalStore) return &activity.globalWrites;
  return nullptr;
}

void gatherJoin(const Trace& trace, ProvenanceId from, Activity& activity) {
  if (trace.provenance.terms(from) > 1) activity.joins.insert(trace.provenance.joins(from));
}

Provenance::Kind activityJoin(const Activity& activity) {
  if (activity.joins.empty()) return Provenance::Kind::None;
  if (activity.joins.size() == 1) return *activity.joins.begin();
  std::set<Provenance::Kind> others = activity.joins;
  others.erase(Provenance::Kind::Add);
  others.erase(Provenance::Kind::Subtract);
  others.erase(Provenance::Kind::Multiply);
  return others.empty() ? Provenance::Kind::Add : Provenance::Kind::Other;
}

/// `add`: the name of a phase with that operator.
std::string_view joiningVerb(Provenance::Kind kind) {
  switch (kind) {
    case Provenance::Kind::Add:
    case Provenance::Kind::Subtract: return "add";
    case Provenance::Kind::Multiply: return "multiply";
    case Provenance::Kind::Minimum: return "minimum";
    case Provenance::Kind::Maximum: return "maximum";
    default: return "combine";
  }
}

Activity gather(const Trace& trace, const Phase& phase) {
  Activity activity;
  activity.threads.resize(trace.threads, false);
  for (std::uint32_t s = phase.firstStep; s < phase.endStep; ++s) {
    const Step step = trace.steps[s];
    if (exchangesRegisters(step.kind)) gatherExchange(trace, step, activity);
    activity.reduces |= step.kind == StepKind::Reduce;
    activity.globalLoads |= step.kind == StepKind::GlobalLoad;
    activity.globalStores |= step.kind == StepKind::GlobalStore;
    activity.globalAtomics |= step.kind == StepKind::GlobalAtomic;
    activity.sharedAtomics |= step.kind == StepKind::SharedAtomic;
    CellsOfThreads* const cells = findCells(activity, step.kind);
    for (const LaneAccess& access : laneAccesses(trace, step)) {
      const std::uint32_t thread = step.warp * trace.launch.machine.warpSize + access.lane;
      activity.threads[thread] = true;
      if (cells != nullptr) cells->add(thread, access.cell);
      if (step.kind == StepKind::SharedStore || step.kind == StepKind::GlobalStore)
        gatherJoin(trace, access.value.from, activity);
    }
    forEachChange(trace, step,
                  [&](const VariableChange& change) { gatherJoin(trace, change.after.from, activity); });
    activity.counters += computeCounters(trace, step);
  }
  for (CellsOfThreads* const cells :
       {&activity.reads, &activity.writes, &activity.globalReads, &activity.globalWrites})
    cells->settle();
  return activity;
}

std::uint32_t firstCellOfArray(const Trace& trace, std::uint32_t cell) {
  const TracedArray* array = arrayOfCell(trace, cell);
  return array == nullptr ? 0 : array->firstCell;
}

/// The places of words in their arrays, in elements.
std::set<std::uint32_t> findPlaces(const Trace& trace, const std::vector<std::uint32_t>& cells) {
  std::set<std::uint32_t> places;
  for (const std::uint32_t cell : cells) {
    const TracedArray* array = arrayOfCell(trace, cell);
    if (array != nullptr) places.insert((cell - array->firstCell) / splitWords(array->type));
  }
  return places;
}

/// k, if every thread writes at one place of its arrays and reads only that element and the one k elements
/// further. A thread that only writes its own value back takes no part.
std::optional<std::uint32_t> stepSize(const Trace& trace, const CellsOfThreads& reads,
                                      const CellsOfThreads& writes) {
  std::optional<std::uint32_t> size;
  const bool isStep = writes.everyThread([&](std::uint32_t thread, const auto& written) {
    const std::set<std::uint32_t> own = findPlaces(trace, written);
    if (own.size() != 1) return false;
    for (const std::uint32_t place : findPlaces(trace, reads.of(thread))) {
      if (place == *own.begin()) continue;
      if (place < *own.begin()) return false;
      const std::uint32_t distance = place - *own.begin();
      if (size && *size != distance) return false;
      size = distance;
    }
    return true;
  });
  return isStep ? size : std::nullopt;
}

/// The writes to the arrays that the phase also reads, if there are any: the others take results away.
CellsOfThreads writesInPlace(const Trace& trace, const Activity& activity) {
  std::set<std::uint32_t> readArrays;
  activity.globalReads.everyThread([&](std::uint32_t /*thread*/, const auto& cells) {
    for (const std::uint32_t cell : cells) readArrays.insert(firstCellOfArray(trace, cell));
    return true;
  });
  CellsOfThreads inPlace;
  activity.globalWrites.everyThread([&](std::uint32_t thread, const auto& cells) {
    for (const std::uint32_t cell : cells)
      if (readArrays.contains(firstCellOfArray(trace, cell))) inPlace.add(thread, cell);
    return true;
  });
  return inPlace.empty() ? activity.globalWrites : inPlace;
}

/// The threads that take part in a step in global memory: a lane that only read its own word did so for the
/// next step, which begins when it reads its neighbour's.
std::vector<bool> markThreads(const Trace& trace, const CellsOfThreads& writes) {
  std::vector<bool> threads(trace.threads, false);
  writes.everyThread([&](std::uint32_t thread, const auto& /*cells*/) {
    threads[thread] = true;
    return true;
  });
  return threads;
}

/// The kind and the label of a phase.
struct Described {
  PhaseKind kind = PhaseKind::Other;
  std::string label;
};

Described findStep(Phase& phase, std::uint32_t size) {
  phase.stepSize = size;
  return {PhaseKind::Step, fmt::format("step size {}", size)};
}

/// For a phase that loads and stores in global memory and does not touch shared memory.
Described describeGlobal(const Trace& trace, const Activity& activity, Phase& phase) {
  if (activity.joins.empty()) return {PhaseKind::Other, "load and store"};
  const auto size = stepSize(trace, activity.globalReads, writesInPlace(trace, activity));
  if (!size) return {PhaseKind::Other, fmt::format("{} and store", joiningVerb(phase.joins))};
  return findStep(phase, *size);
}

Described describe(const Trace& trace, const Activity& activity, Phase& phase, std::size_t number) {
  phase.stepSize = 0;
  if (activity.reduces) return {PhaseKind::Shuffle, fmt::format("{} over lanes", joiningVerb(phase.joins))};
  if (activity.shuffles) {
    if (activity.distances.size() != 1) return {PhaseKind::Shuffle, "shuffle"};
    return findStep(phase, static_cast<std::uint32_t>(*activity.distances.begin()));
  }
  const bool atomics = activity.globalAtomics || activity.sharedAtomics;
  if (atomics && !activity.globalLoads && activity.globalStores)
    return {PhaseKind::Other, "store and atomic"};
  if (atomics && !activity.globalLoads && activity.writes.empty()) return {PhaseKind::Other, "atomic"};
  if (activity.globalLoads && !activity.globalStores && (activity.reads.empty() || activity.writes.empty())) {
    if (atomics && activity.writes.empty()) return {PhaseKind::Other, "load and atomic"};
    if (activity.joins.empty()) return {PhaseKind::Load, "load"};
    return {PhaseKind::LoadAndJoin, fmt::format("{} during load", joiningVerb(phase.joins))};
  }
  if (activity.globalLoads && activity.globalStores && activity.reads.empty() && activity.writes.empty())
    return describeGlobal(trace, activity, phase);
  if (activity.globalStores && activity.writes.empty()) return {PhaseKind::Store, "store"};
  if (const auto size = stepSize(trace, activity.reads, activity.writes); size && !activity.globalLoads)
    return findStep(phase, *size);
  const bool isIdle = activity.reads.empty() && activity.writes.empty() && !activity.globalLoads;
  if (isIdle && !atomics) return {PhaseKind::Other, "no access"};
  if (!activity.globalLoads && activity.reads.empty()) return {PhaseKind::Other, "save to shared"};
  if (!activity.globalLoads && activity.writes.empty()) return {PhaseKind::Other, "read shared"};
  return {PhaseKind::Other, fmt::format("phase {}", number + 1)};
}

/// The elements of shared memory that a phase's accesses of those kinds reach, each by its first cell,
/// sorted.
std::vector<std::uint32_t> listElements(const Trace& trace, const Phase& phase,
                                        std::initializer_list<StepKind> kinds) {
  std::vector<bool> touched(trace.sharedCells, false);
  for (std::uint32_t s = phase.firstStep; s < phase.endStep; ++s) {
    if (std::ranges::find(kinds, trace.steps.kindAt(s)) == kinds.end()) continue;
    const Step step = trace.steps[s];
    for (const LaneAccess& access : laneAccesses(trace, step)) {
      const TracedArray* array = arrayOfCell(trace, access.cell);
      const std::uint32_t words = array != nullptr ? splitWords(array->type) : 1;
      for (std::uint32_t word = 0; word < std::max(access.bytes / 4U, 1U); word += words)
        touched[access.cell + word] = true;
    }
  }
  return listNumbers(touched);
}

}  // namespace

void describePhase(Trace& trace, std::size_t index, const std::vector<ProvenanceId>& lastValue) {
  Phase& phase = trace.phases[index];
  const Activity activity = gather(trace, phase);
  // The last phase is described again when the block's results join it.
  trace.total -= phase.counters;
  phase.joins = activityJoin(activity);
  const Described described = describe(trace, activity, phase, index);
  phase.kind = described.kind;
  phase.label = described.label;
  const bool isGlobalStep = phase.stepSize > 0 && !activity.globalWrites.empty();
  phase.activeThreads =
      listNumbers(isGlobalStep ? markThreads(trace, activity.globalWrites) : activity.threads);
  phase.cellsRead = listElements(trace, phase, {StepKind::SharedLoad});
  phase.cellsWritten = listElements(trace, phase, {StepKind::SharedStore, StepKind::SharedAtomic});
  if (activity.shuffles || (activity.globalLoads && activity.writes.empty())) phase.exchanged = lastValue;
  phase.counters = activity.counters;
  trace.total += phase.counters;
}

}  // namespace lanescope
