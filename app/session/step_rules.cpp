#include "app/session/step_rules.h"

#include <algorithm>
#include <bit>

namespace lanescope {

std::vector<std::uint32_t> lanesOf(LaneMask mask) {
  std::vector<std::uint32_t> lanes;
  for (; mask != 0; mask &= mask - 1) lanes.push_back(static_cast<std::uint32_t>(std::countr_zero(mask)));
  return lanes;
}

LaneMask allLanes(const Trace& trace, std::uint32_t warp) {
  const std::uint32_t lanes = trace.lanesOfWarp(warp);
  return lanes >= 32 ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
}

LaneMask shownBefore(const Trace& trace, const Step& step) {
  if (step.previousOfWarp < 0) return 0;
  const Step before = trace.steps[static_cast<std::size_t>(step.previousOfWarp)];
  return before.kind == StepKind::BlockBarrier ? 0 : before.after & ~before.exited;
}

namespace {

/// Source text on one line, in at most 60 bytes.
std::string onOneLine(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string code;
  for (const char c : text) {
    const bool isBlank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!isBlank) code += c == '`' ? '\'' : c;
    if (isBlank && !code.empty() && code.back() != ' ') code += ' ';
  }
  while (code.ends_with(' ')) code.pop_back();
  if (code.size() <= kMost) return code;
  code.resize(kMost);
  // Not within a letter of several bytes.
  while (!code.empty() && (static_cast<unsigned char>(code.back()) & 0x80U) != 0) code.pop_back();
  return code + "\u2026";
}

}  // namespace

std::string codeOf(const Trace& trace, const Step& step) {
  return trace.launch.source == nullptr ? "" : onOneLine(trace.launch.source->slice(step.span));
}

std::string lineOf(const Trace& trace, const Step& step) {
  if (trace.launch.source == nullptr) return "";
  const std::string_view line = trace.launch.source->line(step.line);
  return onOneLine(line.substr(0, line.find("//")));
}

}  // namespace lanescope
