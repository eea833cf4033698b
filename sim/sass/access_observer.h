#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/machine/compile/compiled_kernel.h"
#include "sim/machine/compile/operations.h"
#include "sim/machine/run/observer.h"
#include "sim/memory/machine_model.h"
#include "sim/sass/access_sites.h"

namespace lanescope {

/// The loops of a text that an atomicCAS in them continues or ends. If another warp updates its word, the
/// number of iterations depends on which warp comes first.
class SwapLoops {
 public:
  explicit SwapLoops(const Bytecode& code);

  /// An access of the instruction at `pc`, by a warp that has that number in the whole launch.
  void accessed(std::uint32_t pc, std::uint64_t warp, const Event& event);
  /// Shared memory's words are another block's from here on.
  void blockEnds() { shared_.clear(); }
  /// True if the instruction is in such a loop and several warps updated one of its words.
  bool isContended(std::uint32_t pc) const;

 private:
  struct SwapLoop {
    std::uint32_t swap = 0;  ///< the instruction
    Loop loop;
    bool isContended = false;
  };
  /// A word that was updated.
  struct Word {
    std::uint64_t warp = 0;  ///< the first to do so
    bool isOfSeveral = false;
    std::vector<std::size_t> loops{};  ///< that swap it
  };

  std::vector<SwapLoop> loops_;
  std::unordered_map<std::uint64_t, Word> shared_, global_;  ///< by address
};

/// Counts each site's accesses, and which of them a thread could have done without.
class AccessObserver final : public Observer {
 public:
  AccessObserver(const CompiledKernel& kernel, const MachineModel& machine,
                 const std::vector<MergePlan>& plans);

  void blockBegins(const Bytecode& code, Dim3 block, std::span<const WarpState> warps,
                   const MemoryView&) override;
  void blockEnds() override;
  void happened(const WarpState& warp, const Instruction& i, const Event& event) override;
  void instructionDone(const WarpState& warp, const Instruction& i) override;

  std::uint64_t accesses() const { return accesses_; }
  std::vector<AccessSite> releaseSites();
  std::vector<MergedCost> releaseMerged() { return std::move(merged_); }

 private:
  using SiteKey = std::pair<std::uint32_t, StepKind>;  ///< number of the instruction

  /// One warp instruction on memory.
  struct Execution {
    SiteKey site;
    std::uint32_t mask = 0;
    unsigned bytes = 4;
    bool isAtomic = false;
    std::array<std::uint64_t, kMaxLanes> addresses{};
  };
  /// A thread's last store to an address, with no known reader.
  struct Pending {
    SiteKey site;
    std::uint64_t execution = 0;
  };
  /// The parts of a plan's wider accesses.
  struct Merging {
    std::vector<Execution> parts;  ///< of the same lanes, since the last barrier
    std::vector<unsigned>
        widths;  ///< of the plan: those still to come, if its accesses are not made all at once
  };
  /// A loop's executions of a site: fewer and fewer lanes, each from its first address on in equal steps.
  struct LoopRun {
    Execution first;
    std::uint32_t mask = 0;                             ///< of the last execution
    std::int64_t step = 0;                              ///< bytes, if `iterations` of a lane is over 1
    std::array<std::uint64_t, kMaxLanes> iterations{};  ///< by lane
    std::uint64_t executions = 0;
  };
  /// The values that a warp's threads know since its last barrier.
  struct WarpMemory {
    std::array<std::unordered_map<std::uint64_t, Pending>, kMaxLanes> stored;
    std::array<std::unordered_map<std::uint64_t, unsigned>, kMaxLanes> known;  ///< bytes by address
    std::map<std::size_t, Merging> merging;                                    ///< by plan
    /// By plan and taker, of lanes so far.
    std::map<std::pair<std::size_t, std::size_t>, Execution> together;
    std::map<SiteKey, std::array<std::vector<Execution>, 2>> running;                 ///< of two and of four
    std::map<std::size_t, LoopRun> loops;                                             ///< by plan
    std::array<std::unordered_map<std::uint64_t, std::uint64_t>, kMaxLanes> knownAt;  ///< stores until then
    std::uint64_t stores = 0;
    std::size_t entries = 0;
  };

  void observeAccess(const WarpState& warp, const Instruction& i, const Event& event);
  AccessSite& findSite(const Instruction& i, StepKind kind);
  AccessCost computeCost(const Execution& access) const;
  void recordLoad(WarpMemory& memory, AccessSite& site, const Execution& access);
  void recordStore(WarpMemory& memory, const Execution& access);
  void recordMerging(WarpMemory& memory, const Execution& access);
  void recordTogether(WarpMemory& memory, std::size_t plan, const Execution& access);
  void recordRuns(WarpMemory& memory, AccessSite& site, const Execution& access);
  void recordLoop(WarpMemory& memory, std::size_t plan, const Execution& access);
  void endLoop(std::size_t plan, LoopRun& loop);
  void recordOnce(AccessSite& site, std::uint32_t warp, const Execution& access);
  void endRuns(WarpMemory& memory);
  /// An access that also takes bytes around those of the text, as four words for three.
  void widen(std::size_t plan, Execution& access, unsigned width);
  /// All of a plan's accesses, made by the same lanes.
  void countMerged(std::size_t plan, std::vector<Execution>& parts);
  /// Some of a plan's accesses: those to adjacent words are one of its wider ones.
  void countApart(std::size_t plan, Merging& merging);
  /// Forgets all values that a warp knows: its stores were needed.
  void forget(WarpMemory& memory);
  void countSimple(const WarpState& warp, const Instruction& i, StepKind kind);

  const CompiledKernel& kernel_;
  const MachineModel& machine_;
  const std::vector<MergePlan>& plans_;
  const Bytecode* code_ = nullptr;
  SwapLoops swapLoops_;
  std::uint64_t firstWarp_ = 0;  ///< of the block, in the launch
  std::map<SiteKey, AccessSite> sites_;
  std::map<SiteKey, std::set<std::uint32_t>> warpsAtSite_;  ///< of the block
  std::map<std::uint64_t, std::uint32_t> updatedBy_;        ///< of the block: by shared address, a warp
  std::vector<WarpMemory> warps_;
  /// Addresses of global memory that each warp's threads have loaded in the block.
  std::vector<std::array<std::set<std::uint64_t>, kMaxLanes>> loaded_;
  std::vector<MergedCost> merged_;
  std::uint64_t accesses_ = 0;
  std::uint64_t execution_ = 0;
};

}  // namespace lanescope
