#include "sim/trace/phase_bounds.h"

#include <algorithm>
#include <bit>

#include "sim/machine/compile/op_classes.h"
#include "sim/memory/address.h"
#include "sim/memory/lanes.h"

namespace lanescope {

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
  if (isShuffle(i.op)) return activity.accessed;
  if (!isStoring(i.op) && i.op != Op::Atomic) return false;
  // Results leave the block in a phase of their own, even if no barrier comes before.
  const std::uint64_t address = warp.lanes<LaneU64>(i.a)[std::countr_zero(warp.active)];
  return activity.shuffled || (activity.storedShared && !isShared(address));
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
  if (event.kind == StepKind::Shuffle) bounds_.shuffled(warp);
}

// A last phase without any access does not count.
void PhaseCounter::blockEnds() { phases_ += bounds_.anyAccess() || phases_ == 0 ? 1U : 0U; }

}  // namespace lanescope
