#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/run/launch.h"
#include "sim/memory/counters.h"
#include "sim/sass/issue_slots.h"

namespace lanescope {

/// The cost of accesses, as Nsight Compute counts it.
struct AccessCost {
  std::uint64_t executions = 0;  ///< warp instructions: the requests
  std::uint64_t wavefronts = 0;  ///< of shared memory
  std::uint64_t ideal = 0;       ///< of those, without bank conflicts
  std::uint64_t sectors = 0;     ///< of global memory
  std::uint64_t loads = 0;       ///< of the wavefronts: those that an atomic's loop takes to load

  AccessCost& operator+=(const AccessCost& other);
  bool operator==(const AccessCost&) const = default;
};

/// The cost of accesses if successive executions of a warp are made in one wider access.
struct RunCost {
  AccessCost cost;           ///< those that cannot be merged as they are
  std::uint64_t merged = 0;  ///< executions that can: adjacent words, aligned, of the same lanes
};

/// An access of the text, a barrier or a shuffle, and its executions by the warps of a launch.
struct AccessSite {
  std::uint32_t number = 0;  ///< of its instruction in the bytecode
  std::uint32_t line = 0;
  StepKind kind = StepKind::SharedLoad;
  unsigned bytes = 4;  ///< of a lane
  bool isResultUsed = false;
  std::string text;  ///< as it was written, on one line
  AccessCost all;
  /// The part of `all` that is left if no thread loads a value that it loaded or stored itself since the last
  /// barrier of its warp, nor stores a value that it overwrites before the next: the loads and stores that a
  /// compiler must keep if nothing is volatile. The stores that are left are counted together, as one after a
  /// loop.
  AccessCost needed;
  /// Loads of global memory: the part that is left if no thread loads an address twice, barriers or not.
  AccessCost once;
  std::uint64_t acrossStores =
      0;  ///< executions not needed, except that a store in between may be to the address
  std::array<RunCost, 2> runs;  ///< of two and of four executions in one
  AccessCost first32;           ///< were only the first 32 bits of each lane's value accessed
  AccessCost first64;
  std::uint64_t warps = 0;    ///< that executed it at all
  bool isOneAddress = true;   ///< in every execution all lanes had the same address
  bool isAmongWarps = false;  ///< shared atomics: several warps of a block updated one address
  bool isContended = false;   ///< in a loop over atomicCAS of a word that several warps updated (SwapLoops)
};

/// `shared load`.
std::string_view accessName(StepKind kind);

/// The share of the text's executions that the thread could have done without.
inline double redundancy(const AccessSite& site) {
  if (site.all.executions == 0) return 0;
  return 1.0 - static_cast<double>(site.needed.executions) / static_cast<double>(site.all.executions);
}

/// A straight piece of machine code that makes several iterations of a loop of the text.
struct LoopPiece {
  std::uint64_t iterations = 1;
  std::vector<unsigned> widths;  ///< bytes of a lane, of each of its accesses
  bool isInLoop = false;         ///< it may be made several times
};

/// Accesses of several sites, all of one kind, that machine code makes in fewer ones, or a loop's accesses
/// that it makes in pieces of several iterations.
struct MergePlan {
  StepKind kind = StepKind::SharedLoad;
  std::vector<std::uint32_t> sites;  ///< AccessSite::number of each
  /// Bytes of the machine's wider accesses; empty: none is wider, but one is made for the lanes of several,
  /// as of both sides of a branch.
  std::vector<unsigned> widths;
  /// Without widths: by site, which of the machine's accesses takes it; empty: one takes them all.
  std::vector<std::size_t> takers;
  /// For the only site of a loop, from the longest piece to that of one iteration; the compiler's code takes
  /// the longest that a lane's iterations still fill, as recorded on an H200. Empty if not in a loop.
  std::vector<LoopPiece> pieces;
};

struct MergedCost {
  AccessCost cost;
  bool isPossible = true;  ///< the launch's accesses fit the plan

  bool operator==(const MergedCost&) const = default;
};

/// The memory accesses of a launch's text.
struct AccessReport {
  std::vector<AccessSite> sites;      ///< those executed, in order of the code
  std::set<std::uint32_t> idleLines;  ///< lines with accesses, barriers or shuffles, none of them executed
  Simulation simulation;              ///< of the blocks observed
  std::uint64_t blocks = 0;           ///< that were observed, from the first on
  std::vector<MergedCost> merged;     ///< by plan
  std::vector<OperationCount> operations;
};

/// Accesses of warps after which no further block is observed: some ten seconds.
inline constexpr std::uint64_t kMostAccesses = 4'000'000;

/// Runs the first blocks of a launch, as many as `mostAccesses` accesses of warps allow, and at least one.
/// Errors: as simulate(); a cooperative launch, since its blocks cannot be run one by one.
Result<AccessReport> observeAccesses(const Launch& launch, const std::vector<MergePlan>& plans = {},
                                     std::uint64_t mostAccesses = kMostAccesses);

}  // namespace lanescope
