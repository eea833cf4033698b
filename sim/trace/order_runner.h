#pragma once

#include <deque>
#include <random>

#include "sim/machine/compile/operations.h"
#include "sim/machine/run/block_runner.h"
#include "sim/trace/luck.h"

namespace lanescope {

/// Makes a unit stop where a scheduler has to choose again.
class Pauser {
 public:
  bool pausesBefore(const WarpState& warp, const Instruction& i) {
    if (warp.active == 0) return false;
    return isStepping || (atConvergence && isConvergencePoint(i)) || (isAccess(i.op) && accessesLeft-- == 0);
  }

  void tell(const auto&... /*unheard*/) const {}
  static bool takesTurnsByLine() { return false; }
  static void beginTurn(const Instruction* /*code*/, std::uint32_t /*pc*/, bool /*isEndless*/) {}
  static bool hasJumpedBack() { return false; }
  static bool isTurnOver(const WarpState& /*warp*/, const Instruction& /*i*/) { return false; }

  bool atConvergence = false;
  bool isStepping = false;         ///< exactly one instruction
  std::uint64_t accessesLeft = 0;  ///< before the next pause
};

/// Nothing is counted.
struct PausingHooks : NoHooks {
  static constexpr bool kObserves = true;
  Pauser* observer = nullptr;
};

/// Runs blocks in another legal order. Its units are the warps of a block or, for independent thread
/// scheduling, its lanes: each then has a frame of registers of its own, because operations write all
/// lanes of a register, and shuffles and their kin are done when the lanes they name have met.
class OrderRunner : private BlockRunner<PausingHooks> {
 public:
  OrderRunner(const Launch& launch, PreparedLaunch& prepared, RunControl& control, PausingHooks& hooks,
              const Order& order);
  ~OrderRunner();

  /// A block's end: a fault, a deadlock in one sentence, or neither.
  struct Outcome {
    std::optional<Fault> fault;
    std::string deadlock;
  };
  Outcome run(Dim3 block);

  /// Bytes of registers that such a run needs.
  static std::uint64_t frameBytes(const Launch& launch, const Bytecode& code, Order::Units units);

 private:
  struct Unit {
    WarpState* state = nullptr;
    unsigned lane = 0;       ///< Lanes
    bool isWaiting = false;  ///< at a barrier or a warp-wide operation
  };

  void makeLanes();
  void enterLanes();
  void makeRunnable();
  std::size_t next();
  std::optional<Fault> runUnit(std::size_t unit);
  /// Lets the group of a waiting lane continue if all of it has arrived.
  std::optional<Fault> tryConvergence(std::size_t unit);
  std::optional<Fault> exchange(std::uint32_t group, std::size_t firstUnit, const Instruction& i);
  std::uint32_t computeMask(const Unit& unit) const;
  const Instruction& currentInstruction(const Unit& unit) const { return code_.code[unit.state->pc]; }
  /// The units of a warp: first one's number.
  std::size_t findFirst(std::uint32_t warp) const { return std::size_t{warp} * launch_.machine.warpSize; }
  std::string deadlock(Dim3 block) const;

  Order order_;
  std::mt19937 random_;
  Pauser pauser_;
  std::vector<Unit> units_;
  std::vector<WarpState> lanes_;
  std::vector<MaskFrame> laneFrames_;
  std::vector<CallStack> laneStacks_;
  std::unique_ptr<std::uint32_t[], FreeAligned> laneRegisters_;
  std::deque<std::size_t> runnable_;
};

}  // namespace lanescope
