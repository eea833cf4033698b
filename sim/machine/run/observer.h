#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/machine/run/warp_state.h"
#include "sim/memory/counters.h"

namespace lanescope {

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

  /// A warp executed an operation of the source: the event that counters get, too. The result of a vote is
  /// not yet written: it may replace the operand.
  virtual void happened(const WarpState&, const Instruction&, const Event&) {}
  /// A load from the threads' own memory, which costs nothing and is no event.
  virtual void localLoaded(const WarpState&, const Instruction&, const Event& /*access*/) {}
  /// Called after every bytecode instruction, after the more specific hook.
  virtual void instructionDone(const WarpState&, const Instruction&) {}
};

/// How long a warp of an observed block runs before another one continues. CUDA leaves it open, so both are
/// the simulator's choice.
enum class Turns : std::uint8_t {
  UntilItWaits,  ///< until a barrier or its end
  ByLine,        ///< one line of the source, so that the warps of a block go through the text side by side
};

/// Several observers, notified in their order. A warp waits if one of them asks for it.
class ObserverList {
 public:
  void assign(std::span<Observer* const> observers) { all_.assign(observers.begin(), observers.end()); }

  /// Warps take turns by line from now on; `lineOfSite`, by site of an instruction, must live as long.
  void takeTurnsByLine(const std::vector<std::uint32_t>& lineOfSite) { lineOfSite_ = &lineOfSite; }
  bool takesTurnsByLine() const { return lineOfSite_ != nullptr; }
  /// The next turn begins at `code[pc]`; one without an end is over when the warp waits.
  void beginTurn(const Instruction* code, std::uint32_t pc, bool isEndless) {
    lastPc_ = pc;
    hasJumpedBack_ = false;
    turnLine_ = (*lineOfSite_)[code[pc].site];
    isTurnLimited_ = !isEndless;
  }
  /// True if the turn is over: the instruction is on another line, or the warp has jumped back.
  bool isTurnOver(const WarpState& warp, const Instruction& i) {
    if (!isTurnLimited_) return false;
    hasJumpedBack_ = warp.pc < std::exchange(lastPc_, warp.pc);
    return hasJumpedBack_ || (*lineOfSite_)[i.site] != turnLine_;
  }
  /// True if the last turn ended by a jump back.
  bool hasJumpedBack() const { return hasJumpedBack_; }

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
  const std::vector<std::uint32_t>* lineOfSite_ = nullptr;
  std::uint32_t turnLine_ = 0;
  std::uint32_t lastPc_ = 0;
  bool isTurnLimited_ = false;
  bool hasJumpedBack_ = false;
};

/// Gives the step of a trace that shows the instruction just done. An instruction without a step of its own
/// (a vote) is shown by the next step.
class StepSource {
 public:
  virtual ~StepSource() = default;
  virtual std::uint32_t findStep(const WarpState&, const Instruction&) const = 0;
};

// The reports of the dispatch loop, chosen at compile time so that unused ones cost nothing.

/// Nothing is counted or reported.
struct NoHooks {
  static constexpr bool kCounts = false;
  static constexpr bool kObserves = false;
};

/// Counters, inlined into the loop, a set of them for each group of sites: the lines of a source. One object
/// a simulating thread, merged at the end.
class LineHooks {
 public:
  static constexpr bool kCounts = true;
  static constexpr bool kObserves = false;

  /// `groupOf` gives each site's group, 0 to `groups` - 1; it must live as long.
  LineHooks(const std::vector<std::uint32_t>& groupOf, std::size_t groups)
      : groupOf_(groupOf.data()), groups_(groups) {}
  const std::vector<Counters>& groups() const { return groups_; }

  [[gnu::always_inline]] void count(std::uint32_t site, const Event& event) {
    lanescope::count(groups_[groupOf_[site]], event);
  }

 private:
  const std::uint32_t* groupOf_;
  std::vector<Counters> groups_;
};

/// Counters, and observers behind virtual calls.
struct ObservingHooks : LineHooks {
  static constexpr bool kObserves = true;
  using LineHooks::LineHooks;
  ObserverList* observer = nullptr;
};

}  // namespace lanescope
