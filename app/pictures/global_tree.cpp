#include "app/pictures/global_tree.h"

#include <algorithm>
#include <limits>

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

std::vector<OperandArrow> arrowsIn(const GlobalTree& tree, const Trace& trace, const Phase& phase) {
  std::vector<OperandArrow> arrows;
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step step = trace.steps[index];
    if (!isGlobal(step.kind) || !isWrite(step.kind)) continue;
    for (const CellChange& stored : stepChanges(trace, step)) {
      if (!tree.holds(stored.cell)) continue;
      for (const Read& read : trace.reads.since(stored.reads, phase.firstStep)) {
        const bool isOfTree = isOfMemory(trace, read) && tree.holds(read.cellOrThread);
        if (isOfTree && read.cellOrThread != stored.cell)
          arrows.push_back({stored.thread, read.cellOrThread, stored.cell});
      }
    }
  }
  return arrows;
}

}  // namespace lanescope
