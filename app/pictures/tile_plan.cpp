#include "app/pictures/tile_scene.h"

#include <algorithm>
#include <map>

#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kNoStep = TileTouch::kNever;
constexpr std::uint32_t kPlainColumns = 32;     // of an array of one dimension
constexpr std::uint32_t kMostElements = 65536;  // of an array that is shown

std::uint32_t elementsOfArray(const TracedArray& array) { return array.cellCount / splitWords(array.type); }

/// The smallest area that holds all of a phase's elements.
TileArea computeTileArea(const std::map<std::uint32_t, TileTouch>& touches, std::uint32_t columns) {
  std::uint32_t top = kNoStep, left = kNoStep, bottom = 0, right = 0;
  for (const auto& [element, touch] : touches) {
    top = std::min(top, element / columns);
    bottom = std::max(bottom, element / columns + 1);
    left = std::min(left, element % columns);
    right = std::max(right, element % columns + 1);
  }
  return touches.empty() ? TileArea{} : TileArea{top, left, bottom - top, right - left};
}

bool isOfTwoDimensions(const Trace& trace) {
  return trace.launch.block.y > 1 || std::ranges::any_of(trace.arrays, [](const TracedArray& array) {
           return array.extents.size() > 1 && array.cellCount > 0;
         });
}

/// Fills in the block's accesses to each array, phase by phase.
class TilePlanner {
 public:
  explicit TilePlanner(const Trace& trace) : trace_(trace), uses_(trace.arrays.size()) {}

  TilePlan plan() {
    gather();
    std::vector<TileArray> arrays;
    bool hasTwoDimensions = false;
    for (std::uint32_t number = 0; number < trace_.arrays.size(); ++number) {
      std::optional<TileArray> array = shaped(number);
      if (!array) continue;
      hasTwoDimensions = hasTwoDimensions || array->isMatrix || trace_.arrays[number].extents.size() > 1;
      array->touches.resize(trace_.phases.size());
      for (const auto& [phase, touches] : uses_[number].touches) {
        for (const auto& [element, touch] : touches) array->touches[phase].push_back(touch);
      }
      arrays.push_back(std::move(*array));
    }
    if (!hasTwoDimensions) return {};
    std::ranges::stable_sort(arrays, {},
                             [this](const TileArray& each) { return uses_[each.array].firstStep; });
    return {std::move(arrays)};
  }

 private:
  struct Use {
    std::uint32_t firstStep = kNoStep;
    std::uint32_t lastFirst = 0;        // the last step that is some thread's first to touch it
    std::vector<std::uint32_t> firsts;  // by thread: the element that it touches first
    std::map<std::uint32_t, std::map<std::uint32_t, TileTouch>> touches;  // by phase, by element
  };

  void gather() {
    std::uint32_t index = 0;
    for (const Step& step : trace_.steps) {
      if (isAccess(step.kind)) {
        for (const LaneAccess& access : laneAccesses(trace_, step)) touch(step, index, access);
      }
      ++index;
    }
  }

  void touch(const Step& step, std::uint32_t index, const LaneAccess& access) {
    const TracedArray* array = arrayOfCell(trace_, access.cell);
    if (array == nullptr) return;
    Use& use = uses_[static_cast<std::size_t>(array - trace_.arrays.data())];
    const std::uint32_t words = splitWords(array->type);
    const std::uint32_t first = (access.cell - array->firstCell) / words;
    const std::uint32_t thread = step.warp * trace_.launch.machine.warpSize + access.lane;
    use.firstStep = std::min(use.firstStep, index);
    if (use.firsts.empty()) use.firsts.assign(trace_.threads, kNoStep);
    if (use.firsts[thread] == kNoStep) {
      use.firsts[thread] = first;
      use.lastFirst = index;
    }
    const std::uint32_t count = std::max(access.bytes / (4 * words), 1U);
    for (std::uint32_t element = first; element < first + count; ++element) {
      TileTouch& known = use.touches[step.phase].try_emplace(element, TileTouch{element}).first->second;
      if ((!isWrite(step.kind) || isAtomic(step.kind)) && known.read == TileTouch::kNever) {
        known.read = index;
        known.reader = thread;
      }
      if (isWrite(step.kind) && known.written == TileTouch::kNever) {
        known.written = index;
        known.writer = thread;
      }
    }
  }

  std::optional<TileArray> shaped(std::uint32_t number) const {
    const TracedArray& array = trace_.arrays[number];
    const Use& use = uses_[number];
    const std::uint32_t count = elementsOfArray(array);
    if (use.firstStep == kNoStep || count == 0 || count > kMostElements) return std::nullopt;
    TileArray shaped{.array = number, .columns = std::min(count, kPlainColumns)};
    if (array.space == MemorySpace::Shared) {
      if (array.extents.size() > 1) shaped.columns = static_cast<std::uint32_t>(array.extents.back());
    } else {
      const auto walk = findWalk(use.firsts, trace_.launch.block);
      if (!walk || walk->width >= count) return std::nullopt;
      shaped.columns = walk->width;
      shaped.xIsRow = walk->xIsRow;
      shaped.isMatrix = true;
      shaped.knownAfter = use.lastFirst + 1;
      shaped.tile = computeTileArea(use.touches.begin()->second, walk->width);
      if (trace_.fault) {  // some threads did not reach their element: one element per thread
        const Dim3& block = trace_.launch.block;
        shaped.tile.rows = std::max(shaped.tile.rows, walk->xIsRow ? block.x : block.y);
        shaped.tile.columns = std::max(shaped.tile.columns, walk->xIsRow ? block.y : block.x);
      }
    }
    shaped.rows = (count + shaped.columns - 1) / shaped.columns;
    if (array.extents.size() > 1) shaped.padding = computePadding(shaped);
    return shaped;
  }

  std::uint32_t computePadding(const TileArray& array) const {
    std::uint32_t used = 0;
    for (const auto& [phase, touches] : uses_[array.array].touches) {
      for (const auto& [element, touch] : touches) used = std::max(used, element % array.columns + 1);
    }
    return used == 0 ? 0 : array.columns - used;
  }

  const Trace& trace_;
  std::vector<Use> uses_;
};

}  // namespace

std::optional<TileWalk> findWalk(const std::vector<std::uint32_t>& firsts, const Dim3& block) {
  if (firsts.empty() || block.x < 2 || block.y < 2 || block.z > 1) return std::nullopt;
  // Guards may exclude the first thread: any thread with one right of it and one below it is suitable.
  for (std::uint32_t thread = 0; thread + block.x < firsts.size(); ++thread) {
    if (thread % block.x + 1 == block.x) continue;
    const std::int64_t here = firsts[thread];
    const std::int64_t right = firsts[thread + 1];
    const std::int64_t below = firsts[thread + block.x];
    if (here == kNoStep || right == kNoStep || below == kNoStep) continue;
    const std::int64_t dx = right - here;
    const std::int64_t dy = below - here;
    if (dx == dy || (dx != 1 && dy != 1)) return std::nullopt;
    const std::int64_t width = dx == 1 ? dy : dx;
    if (width < 2) return std::nullopt;
    for (std::size_t other = 0; other < firsts.size(); ++other) {
      if (firsts[other] == kNoStep) continue;
      const auto x = static_cast<std::int64_t>(other % block.x) - thread % block.x;
      const auto y = static_cast<std::int64_t>(other / block.x) - thread / block.x;
      if (firsts[other] != here + x * dx + y * dy) return std::nullopt;
    }
    return TileWalk{static_cast<std::uint32_t>(width), dx != 1};
  }
  return std::nullopt;
}

TilePlan planTiles(const Trace& trace) {
  // A kernel whose lanes exchange registers has the ladder.
  if (!trace.shuffleSources.empty() || !isOfTwoDimensions(trace)) return {};
  return TilePlanner(trace).plan();
}

}  // namespace lanescope
