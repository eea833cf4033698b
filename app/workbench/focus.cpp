#include "app/workbench/focus.h"

#include <algorithm>
#include <bit>

#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

class Linker {
 public:
  explicit Linker(const Replay& replay) : replay_(replay), trace_(replay.trace()) {}

  Linked link(const Focus& focus) {
    if (focus.thread >= 0 && focus.thread < std::int64_t{trace_.threads})
      addThread(static_cast<std::uint32_t>(focus.thread));
    if (focus.cell >= 0) addCell(static_cast<std::uint32_t>(focus.cell));
    if (focus.line >= 0 && focus.thread < 0 && focus.cell < 0)
      addLine(static_cast<std::uint32_t>(focus.line));
    for (std::vector<std::uint32_t>* list : {&linked_.threads, &linked_.cells, &linked_.lines}) {
      std::ranges::sort(*list);
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return std::move(linked_);
  }

 private:
  std::uint32_t findThread(const Step& step, unsigned lane) const {
    return step.warp * trace_.launch.machine.warpSize + lane;
  }
  std::uint32_t phaseBegin() const {
    return trace_.phases.empty() ? 0 : trace_.phases[replay_.currentPhase()].firstStep;
  }
  static bool touches(const LaneAccess& access, std::uint32_t cell) {
    return cell >= access.cell && cell < access.cell + std::max(access.bytes / 4U, 1U);
  }
  void addCells(const LaneAccess& access) {
    for (std::uint32_t word = 0; word < std::max(access.bytes / 4U, 1U); ++word)
      linked_.cells.push_back(access.cell + word);
  }

  void addThread(std::uint32_t thread) {
    linked_.threads.push_back(thread);
    const std::uint32_t warp = thread / trace_.launch.machine.warpSize;
    const unsigned lane = thread % trace_.launch.machine.warpSize;
    std::int32_t index = replay_.state().lastStep[warp];
    if (index < 0) return;
    linked_.lines.push_back(trace_.steps[static_cast<std::size_t>(index)].line);
    for (; index >= static_cast<std::int32_t>(phaseBegin());
         index = trace_.steps[static_cast<std::size_t>(index)].previousOfWarp) {
      const Step step = trace_.steps[static_cast<std::size_t>(index)];
      if (!isShared(step.kind) || (step.active >> lane & 1U) == 0) continue;
      for (const LaneAccess& access : laneAccesses(trace_, step)) {
        if (access.lane == lane) addCells(access);
      }
      return;
    }
  }

  void addCell(std::uint32_t cell) {
    linked_.cells.push_back(cell);
    for (std::uint32_t index = replay_.cursor().steps; index > phaseBegin(); --index) {
      if (!isShared(trace_.steps.findKind(index - 1))) continue;
      const Step step = trace_.steps[index - 1];
      bool found = false;
      for (const LaneAccess& access : laneAccesses(trace_, step)) {
        if (!touches(access, cell)) continue;
        linked_.threads.push_back(findThread(step, access.lane));
        found = true;
      }
      if (!found) continue;
      linked_.lines.push_back(step.line);
      return;
    }
  }

  void addLine(std::uint32_t line) {
    linked_.lines.push_back(line);
    for (const std::int32_t last : replay_.state().lastStep) {
      if (last < 0) continue;
      const Step step = trace_.steps[static_cast<std::size_t>(last)];
      if (step.line != line || step.kind == StepKind::Exit) continue;
      for (LaneMask mask = step.active; mask != 0; mask &= mask - 1)
        linked_.threads.push_back(findThread(step, static_cast<unsigned>(std::countr_zero(mask))));
      if (!isShared(step.kind)) continue;
      for (const LaneAccess& access : laneAccesses(trace_, step)) addCells(access);
    }
  }

  const Replay& replay_;
  const Trace& trace_;
  Linked linked_;
};

}  // namespace

Linked linkedTo(const Replay& replay, const Focus& focus) {
  return focus.empty() ? Linked{} : Linker(replay).link(focus);
}

}  // namespace lanescope
