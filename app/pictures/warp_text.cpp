#include "app/pictures/warp_text.h"

#include <bit>
#include <utility>

#include <fmt/format.h>

#include "app/pictures/base/scene_builder.h"

namespace lanescope {

std::string_view nameFor(LaneState state) {
  switch (state) {
    case LaneState::Active: return "active";
    case LaneState::MaskedOff: return "masked off";
    case LaneState::AtBarrier: return "at barrier";
    case LaneState::Exited: return "done";
    case LaneState::NotStarted: return "not started";
    case LaneState::NotThere: return "absent";
  }
  return "";
}

WarpCount WarpText::parseCount(std::span<const LaneState> lanes) {
  WarpCount count;
  for (const LaneState state : lanes) ++count.lanes[static_cast<std::size_t>(state)];
  return count;
}

std::string WarpText::share(const WarpCount& count) const {
  const unsigned size = trace_.launch.machine.warpSize;
  if (count.of(LaneState::Active) == 0) return fmt::format("0 of {} active", size);
  return fmt::format("{} of {} active, {}%", count.of(LaneState::Active), size,
                     (count.of(LaneState::Active) * 100 + size / 2) / size);
}

std::string WarpText::describePlace(std::uint32_t warp) const {
  if (places_[warp].hasEnded) return "has ended";
  if (isBehind(warp)) return fmt::format("has not reached line {} yet", currentLine());
  return places_[warp].line == 0 ? "" : fmt::format("is on line {}", places_[warp].line);
}

std::string WarpText::computeValue(std::uint32_t thread) const {
  const auto index = static_cast<std::size_t>(context_.variable);
  const std::size_t at = std::size_t{thread} * trace_.variables.size() + index;
  if (at >= moment_.state.variables.size()) return "";
  const VariableValue& value = moment_.state.variables[at];
  return value.set ? formatValue(trace_.variables[index].type, value.bits) : "";
}

std::string WarpText::readValues(std::uint32_t warp) const {
  std::vector<std::string> values;
  bool same = true;
  for (unsigned lane = 0; lane < trace_.lanesOfWarp(warp); ++lane) {
    std::string value = computeValue(warp * trace_.launch.machine.warpSize + lane);
    if (value.empty()) continue;
    if (!values.empty() && values.front() != value) same = false;
    values.push_back(std::move(value));
  }
  const std::string& name = trace_.variables[static_cast<std::size_t>(context_.variable)].label;
  if (values.empty()) return name + " has no value here";
  const bool all = values.size() == trace_.lanesOfWarp(warp);
  if (same) {
    return all ? fmt::format("{} = {} in all lanes", name, values.front())
               : fmt::format("{} = {} in {}", name, values.front(), counted(values.size(), "lane"));
  }
  return values.size() < 3 ? fmt::format("{}: {}, {}", name, values[0], values[1])
                           : fmt::format("{}: {}, {} \u2026 {}", name, values[0], values[1], values.back());
}

bool WarpText::isAtFault(std::uint32_t warp, unsigned lane) const {
  const TraceFault* const fault = moment_.fault();
  return fault != nullptr && moment_.step()->warp == warp && (fault->lanes >> lane & 1U) != 0;
}

std::string WarpText::describeFault(std::uint32_t warp) const {
  const TraceFault* const fault = moment_.fault();
  if (fault == nullptr || moment_.step()->warp != warp) return "";
  if (std::popcount(fault->lanes) != 1) return "faults here";
  const auto lane = static_cast<unsigned>(std::countr_zero(fault->lanes));
  return fmt::format("thread {} faults", warp * trace_.launch.machine.warpSize + lane);
}

std::string WarpText::makeTip(std::uint32_t warp, unsigned lane, LaneState state) const {
  const std::uint32_t thread = warp * trace_.launch.machine.warpSize + lane;
  const std::uint32_t line = isBehind(warp) ? 0 : findLine(warp);
  std::string tip = fmt::format("thread {}: warp {}{}, lane {}, {}", thread, warp,
                                line == 0 ? "" : fmt::format(" on line {}", line), lane, nameFor(state));
  const std::int32_t last = moment_.state.lastStep[warp];
  if (state == LaneState::MaskedOff && last >= 0) {
    const Step step = trace_.steps[static_cast<std::size_t>(last)];
    if (step.kind == StepKind::Branch && step.after == 0)
      tip += fmt::format(" by line {}", step.line);
    else if (step.maskedBy != 0)
      tip += fmt::format(" by line {}", step.maskedBy);
  }
  if (isBehind(warp)) tip += ", " + describePlace(warp);
  if (isAtFault(warp, lane)) tip += "\n" + moment_.fault()->sentence;
  if (showsVariable()) {
    const std::string value = computeValue(thread);
    tip += fmt::format("; {} {}", trace_.variables[static_cast<std::size_t>(context_.variable)].label,
                       value.empty() ? "has no value" : "= " + value);
  }
  return tip;
}

std::string WarpText::reason(std::uint32_t warp, const WarpCount& count) const {
  if (places_[warp].hasEnded) return "has ended";
  LaneState most = LaneState::NotThere;
  for (const LaneState state :
       {LaneState::NotStarted, LaneState::Exited, LaneState::AtBarrier, LaneState::MaskedOff}) {
    if (count.of(state) > 0 && (most == LaneState::NotThere || count.of(state) >= count.of(most)))
      most = state;
  }
  if (most == LaneState::MaskedOff) {
    const std::int32_t last = moment_.state.lastStep[warp];
    if (last < 0) return "masked off";
    const Step step = trace_.steps[static_cast<std::size_t>(last)];
    if (step.kind == StepKind::Branch && count.of(LaneState::Active) == 0)
      return fmt::format("line {} is false for all", step.line);
    return step.maskedBy == 0 ? "masked off" : fmt::format("masked off by line {}", step.maskedBy);
  }
  if (most == LaneState::AtBarrier) return "waits at the barrier";
  if (most == LaneState::NotThere) {
    return count.of(LaneState::NotThere) == 0
               ? ""
               : fmt::format("{} absent", counted(count.of(LaneState::NotThere), "lane"));
  }
  if (count.of(LaneState::Active) > 0) return fmt::format("{} {}", count.of(most), nameFor(most));
  return std::string(nameFor(most));
}

}  // namespace lanescope
