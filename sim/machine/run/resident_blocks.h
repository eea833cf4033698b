#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "sim/machine/run/block_runner.h"

namespace lanescope {

/// The most blocks of so many threads that a GPU runs at once: 132 multiprocessors of 2,048 threads and 32
/// blocks.
inline std::uint64_t mostResidentBlocks(std::uint64_t threads) {
  return std::clamp<std::uint64_t>(132 * 2048 / std::max<std::uint64_t>(threads, 1), 132, 132 * 32);
}

/// The blocks that one host thread has begun. One runs to its end before the next one begins, unless it waits
/// for others: it then stays, as it would on a GPU, and continues later.
template <class Hooks>
class ResidentBlocks {
 public:
  ResidentBlocks(const Launch& launch, const Bytecode& code, PreparedLaunch& prepared, RunControl& control,
                 Hooks& hooks)
      : launch_(launch), code_(code), prepared_(prepared), control_(control), hooks_(hooks) {}

  bool anyWaits() const { return !waiting_.empty(); }
  bool isFull() const { return waiting_.size() >= mostResidentBlocks(launch_.block.count()); }

  /// Runs a block to its end, or until it waits.
  std::optional<LaunchFault> begin(std::uint64_t block) {
    if (!free_) free_ = std::make_unique<Runner>(launch_, code_, prepared_, control_, hooks_);
    const Dim3 index = unlinear(block, launch_.grid);
    if (const auto fault = free_->run(index)) return LaunchFault{*fault, index};
    if (free_->stalls()) waiting_.push_back({index, std::move(free_)});
    return std::nullopt;
  }

  /// Each waiting block continues, to its end or until it waits again.
  std::optional<LaunchFault> resume() {
    if (free_) receive(*free_);
    for (Waiting& each : waiting_) {
      if (const auto fault = each.runner->resume()) return LaunchFault{*fault, each.block};
      if (each.runner->stalls()) continue;
      receive(*each.runner);
      free_ = std::move(each.runner);
    }
    std::erase_if(waiting_, [](const Waiting& each) { return each.runner == nullptr; });
    return std::nullopt;
  }

  /// The output of the blocks that have ended. Call it once.
  std::vector<Printed>& printed() {
    if (free_) receive(*free_);
    return printed_;
  }

 private:
  using Runner = BlockRunner<Hooks>;
  struct Waiting {
    Dim3 block;
    std::unique_ptr<Runner> runner;
  };

  void receive(Runner& runner) {
    std::ranges::move(runner.printed(), std::back_inserter(printed_));
    runner.printed().clear();
  }

  const Launch& launch_;
  const Bytecode& code_;
  PreparedLaunch& prepared_;
  RunControl& control_;
  Hooks& hooks_;
  std::unique_ptr<Runner> free_;  ///< that none of the waiting blocks uses
  std::vector<Waiting> waiting_;
  std::vector<Printed> printed_;
};

/// Compiled once, in execution.cpp.
extern template class ResidentBlocks<NoHooks>;

}  // namespace lanescope
