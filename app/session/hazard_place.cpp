#include "app/session/hazard_place.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

namespace lanescope {
namespace {

/// The first cell of an element by its name, `s[40]`; nothing for one with several indices.
std::optional<std::uint32_t> cellOf(const Trace& trace, const Hazard& hazard) {
  if (hazard.isLocal) return std::nullopt;
  const auto array = std::ranges::find_if(trace.arrays, [&](const TracedArray& each) {
    return each.name == hazard.array && (each.space == MemorySpace::Shared) == hazard.isShared;
  });
  if (array == trace.arrays.end()) return std::nullopt;
  const std::size_t bracket = hazard.place.find('[');
  if (bracket == std::string::npos) return array->firstCell;
  std::uint32_t index = 0;
  const char* const end = hazard.place.data() + hazard.place.size();
  const auto [rest, failure] = std::from_chars(hazard.place.data() + bracket + 1, end, index);
  if (failure != std::errc{} || rest + 1 != end) return std::nullopt;
  const std::uint64_t cell = array->firstCell + std::uint64_t{index} * wordsOf(array->type);
  if (cell >= std::uint64_t{array->firstCell} + array->cellCount) return std::nullopt;
  return static_cast<std::uint32_t>(cell);
}

bool asksFor(const Trace& trace, const Step& step, std::uint32_t lane, std::uint32_t cell) {
  for (std::uint32_t i = step.accesses.first; i < step.accesses.first + step.accesses.count; ++i) {
    const LaneAccess& access = trace.accesses[i];
    const std::uint32_t words = std::max(1U, access.bytes / 4U);
    if (access.lane == lane && access.cell <= cell && cell < access.cell + words) return true;
  }
  return false;
}

/// Whether a step does what the access says; a fault's side names what it runs instead.
bool does(const Step& step, std::string_view verb) {
  switch (step.kind) {
    case StepKind::SharedLoad:
    case StepKind::GlobalLoad: return verb == "reads";
    case StepKind::SharedStore:
    case StepKind::GlobalStore: return verb == "writes";
    case StepKind::SharedAtomic:
    case StepKind::GlobalAtomic: return verb == "atomically updates";
    default: return false;
  }
}

}  // namespace

std::optional<std::uint32_t> stepOf(const Trace& trace, const Hazard& hazard, const HazardAccess& access) {
  if (!(access.block == trace.tracedBlock)) return std::nullopt;
  const std::optional<std::uint32_t> cell = cellOf(trace, hazard);
  std::uint32_t barriers = 0;  // that the access's warp has passed
  int best = 0;
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
    const Step step = trace.steps[i];
    if (step.warp != access.warp) continue;
    const bool isThere = step.line == access.line && ((step.active >> access.lane) & 1U) != 0;
    if (isThere) {
      int fit = 1 + (step.span == access.span ? 4 : 0) + (barriers == access.barriers ? 2 : 0);
      if (cell && asksFor(trace, step, access.lane, *cell)) fit += 8;
      if (does(step, access.verb)) fit += 16;
      if (fit > best) {
        best = fit;
        found = i + 1;
      }
    }
    if (step.kind == StepKind::BlockBarrier) ++barriers;
  }
  return found;
}

}  // namespace lanescope
