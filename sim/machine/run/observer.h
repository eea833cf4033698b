#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/run/run_control.h"
#include "sim/machine/run/warp_state.h"
#include "sim/memory/shared_banks.h"

namespace lanescope {

/// One warp instruction on memory, after it was done.
struct AccessEvent {
  AccessKind kind = AccessKind::Load;
  bool isShared = false;
  std::uint8_t bytes = 4;
  std::uint32_t active = 0;
  const std::uint64_t* addresses = nullptr;  ///< by lane; undefined for inactive lanes
  std::uint16_t valueRegister = 0;           ///< the value loaded or stored
  SharedCost sharedCost;                     ///< shared memory
  SharedAtomic sharedAtomic{};               ///< shared memory, Atomic
  std::uint32_t sectors = 0;                 ///< global memory
  std::uint32_t constantAddresses = 0;       ///< for constant memory: different ones; 0 for other memory
  bool isResultUsed = false;                 ///< Atomic
};

/// Listens to one block of a launch. The machine only notifies; each hook that is not overridden costs a
/// call, and a run without observers costs none.
class Observer {
 public:
  virtual ~Observer() = default;

  virtual void blockBegins(const Bytecode&, Dim3 /*block*/, std::span<const WarpState>, const MemoryView&) {}
  /// The operation that ends the block was not done; blockEnds() comes next.
  virtual void faulted(const WarpState&, const Fault&) {}
  /// Also called if a fault ended the block.
  virtual void blockEnds() {}
  /// True makes the warp wait, before this instruction, until every warp of the block waits or is done; then
  /// allPaused() is called and they continue.
  virtual bool pausesBefore(const WarpState&, const Instruction&) { return false; }
  /// Called when every warp waits at a pause, at a barrier or is done. `atBarrier`: a barrier is released.
  virtual void allWait(bool /*atBarrier*/) {}

  virtual void accessDone(const WarpState&, const Instruction&, const AccessEvent&) {}
  /// The same for the threads' own memory, which costs nothing here; sharedCost and sectors are empty.
  virtual void localAccessDone(const WarpState&, const Instruction&, const AccessEvent&) {}
  virtual void branchDecided(const WarpState&, const Instruction&, std::uint32_t /*active*/,
                             std::uint32_t /*taken*/) {}
  virtual void variableSet(const WarpState&, const Instruction&) {}
  /// `sources` has, by lane, the lane that it reads, or itself.
  virtual void shuffled(const WarpState&, const Instruction&, const std::int8_t* /*sources*/) {}
  /// Called before the result is written, which may replace the operand.
  virtual void voted(const WarpState&, const Instruction&) {}
  virtual void blockBarrierReached(const WarpState&, const Instruction&) {}
  virtual void warpBarrierReached(const WarpState&, const Instruction&) {}
  virtual void warpExited(const WarpState&, const Instruction&) {}
  /// Called after every bytecode instruction, after the more specific hook.
  virtual void instructionDone(const WarpState&, const Instruction&) {}
};

/// Several observers, notified in their order. A warp waits if one of them asks for it.
class ObserverList {
 public:
  void assign(std::span<Observer* const> observers) { all_.assign(observers.begin(), observers.end()); }

  template <class... Parameters, class... Given>
  void tell(void (Observer::*hook)(Parameters...), const Given&... given) {
    for (Observer* each : all_) (each->*hook)(given...);
  }
  bool pausesBefore(const WarpState& warp, const Instruction& i) {
    bool pauses = false;
    for (Observer* each : all_) pauses |= each->pausesBefore(warp, i);
    return pauses;
  }

 private:
  std::vector<Observer*> all_;
};

/// Gives the step of a trace that shows the instruction just done. An instruction without a step of its own
/// (a vote) is shown by the next step.
class StepSource {
 public:
  virtual ~StepSource() = default;
  virtual std::uint32_t stepOf(const WarpState&, const Instruction&) const = 0;
};

}  // namespace lanescope
