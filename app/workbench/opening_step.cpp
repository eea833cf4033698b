#include "app/workbench/opening_step.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/workbench/stops.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

constexpr std::size_t kFewestPartings = 3;  ///< of a warp at one branch: its lanes leave one after another

bool exchanges(const Step& step) {
  return step.kind == StepKind::SharedLoad || step.kind == StepKind::Shuffle ||
         step.kind == StepKind::SharedAtomic;
}

/// The step after the first conflicted exchange of those steps, else after the first exchange.
std::optional<std::uint32_t> behindExchange(const Trace& trace, std::uint32_t begin, std::uint32_t end) {
  std::optional<std::uint32_t> first;
  for (std::uint32_t i = begin; i < end; ++i) {
    const Step step = trace.steps[i];
    if (!exchanges(step)) continue;
    if (step.wavefronts > step.idealWavefronts) return i + 1;
    if (!first) first = i + 1;
  }
  return first;
}

/// The step after the middle one of the times that a warp parts at one branch. Among warps that part
/// repeatedly the middle one: the earlier ones have left something.
std::optional<std::uint32_t> amidPartings(const Trace& trace) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> partings;
  for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
    const Step step = trace.steps[i];
    if (diverges(step)) partings[{step.warp, step.span.begin}].push_back(i);
  }
  std::erase_if(partings, [](const auto& each) { return each.second.size() < kFewestPartings; });
  if (partings.empty()) return std::nullopt;
  const auto middle = std::next(partings.begin(), static_cast<std::ptrdiff_t>(partings.size() / 2));
  return middle->second[middle->second.size() / 2] + 1;
}

std::optional<std::uint32_t> amidAccesses(const Trace& trace) {
  std::vector<std::uint32_t> accesses;
  for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
    if (isGlobal(trace.steps[i].kind)) accesses.push_back(i);
  }
  if (accesses.empty()) return std::nullopt;
  return accesses[(accesses.size() - 1) / 2] + 1;
}

}  // namespace

std::uint32_t openingStep(const Trace& trace, const Phase* like) {
  if (trace.phases.empty()) return 0;
  const auto end = static_cast<std::uint32_t>(trace.steps.size());
  const auto within = [&](const Phase& phase) {
    return behindExchange(trace, phase.firstStep, phase.endStep).value_or(phase.endStep);
  };
  const auto same = std::ranges::find_if(trace.phases, [&](const Phase& phase) {
    return like != nullptr && phase.kind != PhaseKind::Other && phase.kind == like->kind &&
           phase.stepSize == like->stepSize;
  });
  if (same != trace.phases.end()) {
    const std::uint32_t step = within(*same);
    if (step < end) return step;  // otherwise there would be no steps left to see
  }
  const auto adding =
      std::ranges::find_if(trace.phases, [](const Phase& phase) { return phase.stepSize > 0; });
  if (adding != trace.phases.end()) return within(*adding);
  if (const auto step = behindExchange(trace, 0, end)) return *step;
  if (const auto step = amidPartings(trace)) return *step;
  return amidAccesses(trace).value_or(trace.phases.front().endStep);
}

}  // namespace lanescope
