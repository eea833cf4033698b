#include "sim/trace/order_runner.h"

#include <fmt/format.h>

#include "sim/memory/address.h"

namespace lanescope {
namespace {

/// Copies a register's value of one lane between frames.
void copyLane(const WarpState& from, const WarpState& to, std::uint16_t reg, unsigned lane, bool isWide) {
  if (isWide) {
    to.lanes<LaneU64>(reg)[lane] = from.lanes<LaneU64>(reg)[lane];
  } else {
    to.lanes<LaneU32>(reg)[lane] = from.lanes<LaneU32>(reg)[lane];
  }
}

}  // namespace

OrderRunner::OrderRunner(const Launch& launch, PreparedLaunch& prepared, RunControl& control,
                         PausingHooks& hooks, const Order& order)
    : BlockRunner(launch, prepared.code(), prepared, control, hooks), order_(order), random_(order.seed) {
  hooks.observer = &pauser_;
  pauser_.atConvergence = order.units == Order::Units::Lanes;
  if (order.units == Order::Units::Lanes) {
    makeLanes();
  } else {
    for (WarpState& warp : warps_) units_.push_back({&warp});
  }
}

OrderRunner::~OrderRunner() = default;

std::uint64_t OrderRunner::frameBytes(const Launch& launch, const Bytecode& code, Order::Units units) {
  const std::uint64_t warps = (launch.block.count() + launch.machine.warpSize - 1) / launch.machine.warpSize;
  const std::uint64_t frames = units == Order::Units::Lanes ? warps + launch.block.count() : warps;
  const std::uint64_t stack = code.makesCalls ? kMaxStackBytes * kMaxLanes : 0;
  return frames * (code.registers * kMaxLanes * sizeof(std::uint32_t) + stack);
}

void OrderRunner::makeLanes() {
  const auto threads = static_cast<std::size_t>(launch_.block.count());
  const std::size_t depth = code_.scopeDepth + 1;
  laneRegisters_ = FreeAligned::allocate(threads * frameWords_);
  laneFrames_.resize(threads * depth);
  lanes_.resize(threads);
  if (code_.makesCalls) laneStacks_.resize(threads);
  for (std::size_t t = 0; t < threads; ++t) {
    WarpState& lane = lanes_[t];
    lane = warps_[t / launch_.machine.warpSize];
    lane.registers = laneRegisters_.get() + t * frameWords_;
    lane.frames = laneFrames_.data() + t * depth;
    if (code_.makesCalls) giveStack(lane, laneStacks_[t]);
    lane.present = 1u << (t % launch_.machine.warpSize);
    units_.push_back({&lane, static_cast<unsigned>(t % launch_.machine.warpSize)});
  }
}

void OrderRunner::enterLanes() {
  for (std::size_t t = 0; t < lanes_.size(); ++t) {
    WarpState& lane = lanes_[t];
    const WarpState& warp = warps_[t / launch_.machine.warpSize];
    std::memcpy(lane.registers, warp.registers, frameWords_ * sizeof(std::uint32_t));
    begin(lane);
  }
}

void OrderRunner::makeRunnable() {
  runnable_.clear();
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const WarpStatus status = units_[u].state->status;
    if (status == WarpStatus::Done || units_[u].isWaiting) continue;
    if (order_.pick == Order::Pick::Reversed) {
      runnable_.push_front(u);
    } else {
      runnable_.push_back(u);
    }
  }
}

std::size_t OrderRunner::next() {
  if (order_.pick == Order::Pick::Random)
    std::swap(runnable_.front(), runnable_[random_() % runnable_.size()]);
  const std::size_t unit = runnable_.front();
  runnable_.pop_front();
  return unit;
}

std::optional<Fault> OrderRunner::runUnit(std::size_t unit) {
  WarpState& state = *units_[unit].state;
  // The most accesses of a unit that runs in order before it hands over: a unit that polls memory for
  // another's write must not keep that one from running.
  constexpr std::uint64_t kAccessesInARow = 128;
  // The access at which a unit was paused is done without another pause.
  pauser_.accessesLeft = order_.pick == Order::Pick::Random ? 0 : kAccessesInARow;
  if (auto fault = runner_.run(state)) return fault;
  if (state.status == WarpStatus::Paused) {
    if (pauser_.atConvergence && isConvergencePoint(currentInstruction(units_[unit]))) {
      units_[unit].isWaiting = true;
      return tryConvergence(unit);
    }
    runnable_.push_back(unit);
    return std::nullopt;
  }
  // Others of its warp may wait for a lane that has just ended.
  if (state.status == WarpStatus::Done && pauser_.atConvergence) {
    const std::size_t first = findFirst(state.index);
    for (std::size_t u = first; u < std::min(first + launch_.machine.warpSize, units_.size()); ++u) {
      if (!units_[u].isWaiting) continue;
      if (auto fault = tryConvergence(u)) return fault;
    }
  }
  return std::nullopt;
}

/// The lanes that a waiting lane waits for, itself among them; lanes that ended are left out.
std::uint32_t OrderRunner::computeMask(const Unit& unit) const {
  const Instruction& i = currentInstruction(unit);
  const std::uint32_t named =
      unit.state->lanes<LaneU32>(i.op == Op::WarpBarrier ? i.a : i.d)[unit.lane] | 1u << unit.lane;
  std::uint32_t there = 0;
  const std::size_t first = findFirst(unit.state->index);
  for (std::size_t u = first; u < std::min(first + launch_.machine.warpSize, units_.size()); ++u) {
    if (units_[u].state->status != WarpStatus::Done) there |= 1u << units_[u].lane;
  }
  return named & there;
}

std::optional<Fault> OrderRunner::tryConvergence(std::size_t unit) {
  const Unit& asking = units_[unit];
  const Instruction& i = currentInstruction(asking);
  const std::uint32_t group = computeMask(asking);
  const std::size_t first = findFirst(asking.state->index);
  for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) {
    const Unit& other = units_[first + static_cast<std::size_t>(std::countr_zero(rest))];
    if (!other.isWaiting || computeMask(other) != group) return std::nullopt;
    // __syncwarp() may be reached at another place in the text; an exchange must be the same one.
    const Instruction& its = currentInstruction(other);
    if (its.op != i.op || (isExchange(i) && &its != &i)) return std::nullopt;
  }
  if (isExchange(i)) {
    if (auto fault = exchange(group, first, i)) return fault;
  }
  for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) {
    const std::size_t u = first + static_cast<std::size_t>(std::countr_zero(rest));
    ++units_[u].state->pc;
    units_[u].state->status = WarpStatus::Ready;
    units_[u].isWaiting = false;
    runnable_.push_back(u);
  }
  return std::nullopt;
}

/// One lane's frame takes the operands of all lanes, does the exchange, and distributes the results.
std::optional<Fault> OrderRunner::exchange(std::uint32_t group, std::size_t firstUnit, const Instruction& i) {
  const auto findState = [&](std::uint32_t lanes) -> WarpState& {
    return *units_[firstUnit + static_cast<std::size_t>(std::countr_zero(lanes))].state;
  };
  WarpState& leader = findState(group);
  const std::uint32_t own = leader.active;
  for (std::uint32_t rest = group & (group - 1); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    copyLane(findState(rest), leader, i.a, lane, takesWide(i.op));
    copyLane(findState(rest), leader, i.d, lane, false);
    if (!isShuffle(i.op)) continue;  // a register that is not an operand may be wide: leave it alone
    copyLane(findState(rest), leader, i.b, lane, false);
    copyLane(findState(rest), leader, i.c, lane, false);
  }
  leader.active = group;
  pauser_.isStepping = true;
  const std::uint32_t pc = leader.pc;
  const auto fault = runner_.run(leader);
  pauser_.isStepping = false;
  leader.active = own;
  leader.pc = pc;
  for (std::uint32_t rest = group & (group - 1); rest != 0; rest &= rest - 1) {
    copyLane(leader, findState(rest), i.dst, static_cast<unsigned>(std::countr_zero(rest)), givesWide(i.op));
  }
  return fault;
}

OrderRunner::Outcome OrderRunner::run(Dim3 block) {
  enter(block);
  if (order_.units == Order::Units::Lanes) enterLanes();
  for (Unit& unit : units_) unit.isWaiting = false;
  while (true) {
    makeRunnable();
    while (!runnable_.empty()) {
      if (auto fault = runUnit(next())) return {fault, {}};
    }
    bool anyAtBarrier = false;
    bool anyWaiting = false;
    for (const Unit& unit : units_) {
      anyAtBarrier |= unit.state->status == WarpStatus::AtBarrier;
      anyWaiting |= unit.isWaiting;
    }
    if (anyWaiting) return {std::nullopt, deadlock(block)};
    if (!anyAtBarrier) return {};
    openBarrier(order_.units == Order::Units::Lanes ? lanes_ : warps_);
  }
}

std::string OrderRunner::deadlock(Dim3 block) const {
  const auto findLine = [&](const Unit& unit) {
    // The pc of a unit at __syncthreads is already behind it.
    const bool isBehind = unit.state->status == WarpStatus::AtBarrier;
    const Instruction& i = code_.code[unit.state->pc - (isBehind ? 1 : 0)];
    return launch_.source->findLine(code_.sites[i.site]);
  };
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (!units_[u].isWaiting) continue;
    const std::size_t first = findFirst(units_[u].state->index);
    for (std::uint32_t rest = computeMask(units_[u]); rest != 0; rest &= rest - 1) {
      const std::size_t other = first + static_cast<std::size_t>(std::countr_zero(rest));
      const bool isPresent = units_[other].isWaiting && units_[other].state->pc == units_[u].state->pc &&
                             computeMask(units_[other]) == computeMask(units_[u]);
      if (isPresent) continue;
      return fmt::format("{} of {} waits forever on line {} for {}, which waits on line {}.",
                         threadText(launch_, u), blockText(launch_, block), findLine(units_[u]),
                         threadText(launch_, other), findLine(units_[other]));
    }
  }
  return fmt::format("{} waits forever.", blockText(launch_, block));
}

}  // namespace lanescope
