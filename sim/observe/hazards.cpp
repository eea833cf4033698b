#include "sim/observe/hazards.h"

#include <algorithm>

#include "sim/machine/block_runner.h"
#include "sim/observe/hazard_detector.h"
#include "sim/observe/hazard_text.h"

namespace lanescope {
namespace {

/// Instructions a search may run for each access that it may look at.
constexpr std::uint64_t kInstructionsPerAccess = 64;

/// The calls to the detector are direct ones.
struct DetectingHooks : CountingHooks {
  static constexpr bool kObserves = true;
  HazardDetector* observer = nullptr;
};

/// A fault that is in the report already, of this run or of the one before.
bool isKnown(const HazardReport& report, const Hazard& hazard) {
  return std::ranges::any_of(report.hazards, [&](const Hazard& known) {
    return known.kind == hazard.kind && known.access.line == hazard.access.line;
  });
}

void addFault(HazardReport& report, const Launch& launch, const PreparedLaunch& prepared,
              const LaunchFault& fault, std::uint32_t phase) {
  const std::optional<Hazard> hazard = describe(launch, prepared, fault, phase);
  if (hazard && !isKnown(report, *hazard)) report.hazards.push_back(*hazard);
}

}  // namespace

std::string_view hazardKindName(HazardKind kind) {
  switch (kind) {
    case HazardKind::ReadAfterWrite: return "read_after_write";
    case HazardKind::WriteAfterRead: return "write_after_read";
    case HazardKind::WriteAfterWrite: return "write_after_write";
    case HazardKind::UninitializedShared: return "uninitialized_shared";
    case HazardKind::MissedBarrier: return "missed_barrier";
    case HazardKind::MissingLanes: return "missing_lanes";
    case HazardKind::UndefinedLane: return "undefined_lane";
    case HazardKind::OutOfBounds: return "out_of_bounds";
    case HazardKind::Misaligned: return "misaligned";
    case HazardKind::NullPointer: return "null_pointer";
    case HazardKind::DanglingPointer: return "dangling_pointer";
    case HazardKind::MixedSpaces: return "mixed_spaces";
    case HazardKind::EndlessLoop: return "endless_loop";
    case HazardKind::FailedAssertion: return "failed_assertion";
  }
  return "";
}

std::string_view hazardScopeName(HazardScope scope) {
  switch (scope) {
    case HazardScope::Thread: return "thread";
    case HazardScope::Warp: return "warp";
    case HazardScope::Block: return "block";
    case HazardScope::Grid: return "grid";
  }
  return "";
}

Result<HazardReport> findHazards(const Launch& launch, const HazardOptions& options) {
  auto prepared = prepare(launch);
  if (!prepared) return prepared.error();
  HazardDetector detector(launch, *prepared, options);
  DetectingHooks hooks;
  hooks.warpSize = launch.machine.warpSize;
  hooks.observer = &detector;
  RunControl control;
  const std::uint64_t enough = options.accessLimit * kInstructionsPerAccess;
  control.instructionLimit = std::min(launch.limits.warpInstructions, enough);
  control.blockLimit = launch.limits.blockInstructions;
  control.stop = launch.stop;
  BlockRunner<DetectingHooks> runner(launch, *prepared, control, hooks);

  HazardReport report;
  report.kernel = prepared->code.kernelName;
  report.blocks = launch.grid.count();
  LaunchFault met;
  while (report.blocksLooked < report.blocks && !detector.isSpent() && !met.wasMet) {
    const Dim3 block = unlinear(report.blocksLooked, launch.grid);
    if (launch.blocksBegun) launch.blocksBegun->store(report.blocksLooked, std::memory_order_relaxed);
    if (const auto fault = runner.run(block)) met = {*fault, block, true};
    if (!met.wasMet) ++report.blocksLooked;
  }
  const bool ranOut = met.wasMet && met.fault.kind == Fault::Kind::StepLimit &&
                      control.instructionLimit < launch.limits.warpInstructions;
  report.isComplete = report.blocksLooked == report.blocks && !detector.gaveUp();
  const HazardDetector::Findings found = detector.findings();
  report.omitted = found.omitted;
  report.hazards = describe(launch, *prepared, found.kept);
  const LaunchFault* const known = options.knownFault;
  const auto isLimit = [](const LaunchFault& fault) { return fault.fault.kind == Fault::Kind::StepLimit; };
  const bool isKnownLimit = known != nullptr && known->wasMet && isLimit(*known) && isLimit(met);
  if (met.wasMet && !ranOut && !isKnownLimit) addFault(report, launch, *prepared, met, detector.phase());
  if (known != nullptr && known->wasMet) addFault(report, launch, *prepared, *known, 0);
  std::ranges::stable_sort(report.hazards, std::ranges::greater{}, &Hazard::severity);
  return report;
}

}  // namespace lanescope
