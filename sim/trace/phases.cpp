#include "sim/trace/phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "sim/trace/replay.h"

namespace lanescope {
namespace {

/// What the steps of a phase did, gathered by thread.
struct Doings {
  std::map<std::uint32_t, std::set<std::uint32_t>> reads;   ///< thread: shared cells
  std::map<std::uint32_t, std::set<std::uint32_t>> writes;  ///< thread: shared cells
  std::set<std::uint32_t> threads;
  bool globalLoads = false;
  bool globalStores = false;
  bool shuffles = false;
  bool addsInput = false;            ///< a value of more than one input element came to be
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

Doings gather(const Trace& trace, const Phase& phase) {
  Doings doings;
  for (std::uint32_t s = phase.firstStep; s < phase.endStep; ++s) {
    const Step& step = trace.steps[s];
    if (step.kind == StepKind::Shuffle) gatherShuffle(trace, step, doings);
    doings.globalLoads |= step.kind == StepKind::GlobalLoad;
    doings.globalStores |= step.kind == StepKind::GlobalStore;
    const bool isShared = step.kind == StepKind::SharedLoad || step.kind == StepKind::SharedStore;
    for (std::uint32_t a = 0; a < step.accesses.count; ++a) {
      const LaneAccess& access = trace.accesses[step.accesses.first + a];
      const std::uint32_t thread = step.warp * trace.launch.machine.warpSize + access.lane;
      doings.threads.insert(thread);
      if (isShared)
        (step.kind == StepKind::SharedLoad ? doings.reads : doings.writes)[thread].insert(access.cell);
      if (step.kind == StepKind::SharedStore)
        doings.addsInput |= trace.provenance.terms(access.value.from) > 1;
    }
    for (std::uint32_t v = 0; v < step.variableChanges.count; ++v) {
      const VariableChange& change = trace.variableChanges[step.variableChanges.first + v];
      doings.addsInput |= trace.provenance.terms(change.after.from) > 1;
    }
  }
  return doings;
}

/// Words of an element of the shared array that a cell is in.
std::uint32_t wordsAt(const Trace& trace, std::uint32_t cell) {
  const auto array = std::ranges::find_if(trace.arrays, [&](const TracedArray& each) {
    return cell >= each.firstCell && cell < each.firstCell + each.cellCount;
  });
  return array != trace.arrays.end() && isWide(array->type) ? 2 : 1;
}

/// k, where every thread that reads an element besides the one it writes finds it k elements further on. A
/// thread that only writes its own value back takes no part.
std::optional<std::uint32_t> stepSize(const Trace& trace, const Doings& doings) {
  std::optional<std::uint32_t> size;
  for (const auto& [thread, written] : doings.writes) {
    const auto read = doings.reads.find(thread);
    if (written.size() != 1) return std::nullopt;
    if (read == doings.reads.end()) continue;
    for (const std::uint32_t cell : read->second) {
      if (cell == *written.begin()) continue;
      if (cell < *written.begin()) return std::nullopt;
      const std::uint32_t words = wordsAt(trace, cell);
      const std::uint32_t distance = (cell - *written.begin()) / words;
      if (size && *size != distance) return std::nullopt;
      size = distance;
    }
  }
  return size;
}

std::string labelOf(const Trace& trace, const Doings& doings, Phase& phase, std::size_t number) {
  if (doings.shuffles) {
    if (doings.distances.size() == 1) phase.stepSize = static_cast<std::uint32_t>(*doings.distances.begin());
    return phase.stepSize > 0 ? fmt::format("step size {}", phase.stepSize) : "shuffle";
  }
  if (doings.globalLoads && !doings.globalStores && doings.reads.empty()) {
    return doings.addsInput ? "add during load" : "load";
  }
  if (doings.globalStores && doings.writes.empty()) return "store";
  if (const auto size = stepSize(trace, doings); size && !doings.globalLoads) {
    phase.stepSize = *size;
    return fmt::format("step size {}", *size);
  }
  if (!doings.globalLoads && doings.reads.empty()) return "save to shared";
  if (!doings.globalLoads && doings.writes.empty()) return "read shared";
  return fmt::format("phase {}", number + 1);
}

}  // namespace

void describePhase(Trace& trace, std::size_t index, const std::vector<ProvenanceId>& lastValue) {
  Phase& phase = trace.phases[index];
  const Doings doings = gather(trace, phase);
  // The last phase is described again when the block's way out joins it.
  trace.total -= phase.counters;
  phase.counters = {};
  phase.arrows.clear();
  phase.label = labelOf(trace, doings, phase, index);
  phase.activeThreads.assign(doings.threads.begin(), doings.threads.end());
  std::set<std::uint32_t> read;
  std::set<std::uint32_t> written;
  for (const auto& [thread, cells] : doings.reads) read.insert(cells.begin(), cells.end());
  for (const auto& [thread, cells] : doings.writes) {
    written.insert(cells.begin(), cells.end());
    const auto sources = doings.reads.find(thread);
    if (sources == doings.reads.end()) continue;
    for (const std::uint32_t to : cells) {
      for (const std::uint32_t from : sources->second) {
        if (from != to) phase.arrows.push_back({thread, from, to});
      }
    }
  }
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
