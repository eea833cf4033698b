#include "app/analysis/step_rules.h"

#include <algorithm>
#include <bit>

#include "sim/base/words.h"

namespace lanescope {

std::vector<std::uint32_t> listLanes(LaneMask mask) {
  std::vector<std::uint32_t> lanes;
  for (; mask != 0; mask &= mask - 1) lanes.push_back(static_cast<std::uint32_t>(std::countr_zero(mask)));
  return lanes;
}

LaneMask allLanes(const Trace& trace, std::uint32_t warp) {
  const std::uint32_t lanes = trace.lanesOfWarp(warp);
  return lanes >= 32 ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
}

LaneMask activeBefore(const Trace& trace, const Step& step) {
  if (step.previousOfWarp < 0) return 0;
  const Step before = trace.steps[static_cast<std::size_t>(step.previousOfWarp)];
  return before.after & ~before.exited;
}

namespace {

constexpr std::size_t kMostOfCode = 60;  // bytes

/// Code for use between backticks.
std::string quotedCode(std::string_view text) {
  std::string code = oneLine(text, kMostOfCode);
  std::ranges::replace(code, '`', '\'');
  return code;
}

}  // namespace

std::string machineCodeFor(const Trace& trace, const Step& step) {
  return trace.launch.source == nullptr ? "" : quotedCode(trace.launch.source->slice(step.span));
}

std::string findLine(const Trace& trace, const Step& step) {
  if (trace.launch.source == nullptr) return "";
  const std::string_view line = trace.launch.source->line(step.line);
  return quotedCode(line.substr(0, line.find("//")));
}

}  // namespace lanescope
