#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "sim/machine/run/launch.h"
#include "sim/machine/run/observer.h"
#include "sim/machine/run/prepare.h"
#include "sim/machine/run/warp_state.h"

namespace lanescope {

template <class Hooks>
class BlockRunner;

/// One run of a launch, a range of its blocks at a time, in their order: single blocks with observers, on
/// this thread, and all the others at full speed on several. The first fault ends it.
class Execution {
 public:
  /// `launch` must outlive this object. `threads` host threads take the unobserved blocks; 0: all cores.
  Execution(const Launch& launch, PreparedLaunch prepared, unsigned threads = 0, Pace pace = Pace::Fast);
  ~Execution();

  /// The first block that has not run.
  std::uint64_t next() const { return next_; }
  bool isOver() const { return fault_ || next_ == launch_.grid.count(); }
  /// Runs the next block with all observers listening; returns its counters. While it waits for writes of
  /// other blocks, these run in between, all of them and unobserved. Blocks that meet at a barrier of the
  /// grid run all at once and are not observed.
  Counters observe(std::span<Observer* const> observers);
  /// Runs all blocks before that one.
  void runTo(std::uint64_t end);
  /// How the warps of observed blocks take turns; until they wait by default.
  void setTurns(Turns turns) {
    if (turns == Turns::ByLine) observers_.takeTurnsByLine(lines_.ofSite);
  }
  /// Counts only in the first blocks, in as many as run about so many bytecode instructions. The same launch
  /// counts the same blocks every time.
  void countFor(std::uint64_t instructions) { countedInstructions_ = instructions; }

  const PreparedLaunch& prepared() const { return prepared_; }
  /// The fault that ended the launch early: with faults in several threads, that of the first block.
  const std::optional<LaunchFault>& fault() const { return fault_; }
  /// The sentence for it.
  Error error() const { return faultError(launch_, prepared_, fault_->block, fault_->fault); }
  /// The first fault that a GPU passes over, by order of blocks (Launch::paddedTo).
  std::optional<LaunchFault> tolerated() const;
  /// The loads of bytes that were never written, one for each place in the text.
  std::vector<LaunchFault> unwritten() const;
  /// The results and output of the blocks that ran. Call it once.
  Simulation consume();

 private:
  /// The lines that instructions come from: each site's number in `lines`.
  struct SiteLines {
    explicit SiteLines(const CompiledKernel& kernel);
    std::vector<std::uint32_t> lines;   ///< rising
    std::vector<std::uint32_t> ofSite;  ///< by site: index into lines
  };
  /// The state that host threads share while they run a range of blocks.
  struct Range {
    std::atomic<std::uint64_t> next{0};
    std::uint64_t end = 0;
    std::mutex mutex;
  };

  const Bytecode& fastCode();
  /// How many of the next blocks are to be counted; 0: no more.
  std::uint64_t blocksToCount(std::uint64_t end) const;
  template <class Hooks>
  void runRange(std::uint64_t end);
  template <class Hooks>
  void runBlocks(const Bytecode& code, Range& range);
  void runTogether();
  void fail(const LaunchFault& fault, Range& range);
  std::optional<LaunchFault> resumeObserved();
  template <class Hooks>
  void keep(const Hooks& hooks, PrintedLines& printed);

  const Launch& launch_;
  PreparedLaunch prepared_;
  unsigned threads_;
  Pace pace_;
  SiteLines lines_;
  RunControl control_;
  std::uint64_t next_ = 0;
  std::uint64_t countedInstructions_ = UINT64_MAX;
  std::uint64_t countedBlocks_ = 0;
  std::optional<LaunchFault> fault_;
  std::optional<Bytecode> fast_;
  ObserverList observers_;
  ObservingHooks observing_;
  std::unique_ptr<BlockRunner<ObservingHooks>> observed_;  ///< set once a block was observed
  std::uint64_t observedBlock_ = 0;                        ///< the last observed one
  std::vector<Counters> counted_;                          ///< by line
  std::vector<Printed> printed_;
  std::uint64_t unprinted_ = 0;  ///< Simulation::unprinted
};

}  // namespace lanescope
