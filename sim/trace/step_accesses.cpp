#include "sim/trace/step_accesses.h"

#include <algorithm>
#include <array>

#include "sim/memory/shared_banks.h"

namespace lanescope {

bool isShared(StepKind kind) {
  return kind == StepKind::SharedLoad || kind == StepKind::SharedStore || kind == StepKind::SharedAtomic;
}

bool isGlobal(StepKind kind) {
  return kind == StepKind::GlobalLoad || kind == StepKind::GlobalStore || kind == StepKind::GlobalAtomic;
}

std::span<const LaneAccess> accessesOf(const Trace& trace, const Step& step) {
  return std::span(trace.accesses).subspan(step.accesses.first, step.accesses.count);
}

std::vector<LaneMask> passesOf(const Trace& trace, const Step& step) {
  std::array<std::uint32_t, kMaxLanes> addresses{};
  SharedRequest request;
  for (const LaneAccess& access : accessesOf(trace, step)) {
    addresses[access.lane] = access.address;
    request.mask |= LaneMask{1} << access.lane;
    request.bytes = access.bytes;
  }
  request.addresses = std::span(addresses).first(trace.launch.machine.warpSize);
  request.kind = step.kind == StepKind::SharedLoad    ? AccessKind::Load
                 : step.kind == StepKind::SharedStore ? AccessKind::Store
                                                      : AccessKind::Atomic;
  // A compare-and-swap's second operand goes over the banks as its first does.
  request.isResultUsed = step.isResultUsed;
  std::vector<LaneMask> passes;
  for (const BankPass& pass : bankPasses(trace.launch.machine, request)) passes.push_back(pass.lanes);
  return passes;
}

std::vector<std::uint32_t> sectorsTouched(const Trace& trace, const Step& step) {
  std::vector<std::uint32_t> sectors;
  if (!isGlobal(step.kind)) return sectors;
  const std::uint32_t bytes = trace.launch.machine.sectorBytes;
  for (const LaneAccess& access : accessesOf(trace, step)) {
    const std::uint32_t last = (access.address + std::max<std::uint32_t>(access.bytes, 1) - 1) / bytes;
    for (std::uint32_t sector = access.address / bytes; sector <= last; ++sector) sectors.push_back(sector);
  }
  std::ranges::sort(sectors);
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
  return sectors;
}

}  // namespace lanescope
