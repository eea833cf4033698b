#include "sim/trace/hazards.h"
#include "sim/base/counted.h"

#include <fmt/format.h>

namespace lanescope {

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

std::string metText(const Hazard& hazard) {
  return hazard.count > 1 ? fmt::format("met {} times", withCommas(hazard.count)) : "";
}

}  // namespace lanescope
