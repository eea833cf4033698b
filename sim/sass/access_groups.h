#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/sass/access_sites.h"
#include "sim/sass/machine_code.h"

namespace lanescope {

/// A straight piece of machine code, as much as is a line's, before its iterations are known.
struct CodePiece {
  LoopPiece piece;
  std::uint64_t operations = 0;  ///< additions, subtractions and multiplications of floating values
};

/// The text's and the machine's accesses of a kind on a line.
struct AccessGroup {
  std::vector<const AccessSite*> sites;
  std::vector<MachineAccess> machine;
  std::vector<std::string> instructions;
  std::vector<std::size_t> numbers{};     ///< of the machine's, in the code
  bool isInLoop = false;                  ///< any of the machine's
  std::uint64_t outsideLoops = 0;         ///< of the machine's, how many are in no loop
  std::optional<std::size_t> plan{};      ///< of wider accesses
  std::optional<std::size_t> together{};  ///< plan of one access for the lanes of several
  std::optional<std::size_t> loop{};      ///< plan of a loop in pieces
  bool isCertain = true;  ///< every warp reaches each of the machine's, once, with all its lanes
  bool isMoved = false;   ///< `together` is of all accesses that machine code has on lines that have none
  std::vector<CodePiece> pieces;  ///< that have accesses
  bool isDoubtful = false;  ///< the machine's are a header's, and more lines may call it than it has copies

  std::uint64_t copies() const { return machine.size(); }
  unsigned textBytes() const {
    return std::accumulate(sites.begin(), sites.end(), 0u,
                           [](unsigned sum, const AccessSite* one) { return sum + one->bytes; });
  }
  unsigned machineBytes() const {
    return std::accumulate(machine.begin(), machine.end(), 0u,
                           [](unsigned sum, const MachineAccess& one) { return sum + one.bytes; });
  }
  /// The executions that machine code outside every loop can have: each access once per warp.
  std::uint64_t atMost() const {
    std::uint64_t warps = 0;
    for (const AccessSite* site : sites) warps = std::max(warps, site->warps);
    return warps * copies();
  }
  /// Every site is executed at most once by a warp.
  bool isOnce() const {
    return std::ranges::all_of(sites,
                               [](const AccessSite* one) { return one->all.executions <= one->warps; });
  }
  bool isWider(const MachineAccess& one) const {
    return std::ranges::all_of(sites, [&](const AccessSite* site) { return site->bytes < one.bytes; });
  }
  /// A straight piece of machine code has wider accesses than the text, and others.
  bool mixesWidths() const;
  bool isWider() const {
    return std::ranges::any_of(machine, [this](const MachineAccess& one) { return isWider(one); });
  }
};

using AccessGroupKey = std::pair<std::uint32_t, StepKind>;
using AccessGroups = std::map<AccessGroupKey, AccessGroup>;

bool isPlainLoad(StepKind kind);
bool isPlainStore(StepKind kind);

/// The role of an instruction in a group: an access, a barrier of the block, a shuffle.
std::optional<MachineAccess> parseGroupedAccess(std::string_view sass);

/// The accesses, barriers and shuffles by line and kind. An access of a header's code, as an atomic
/// function's, which has no line of the text, counts on the line that calls it: one that machine code has no
/// access on.
AccessGroups makeGroups(const std::vector<AccessSite>& sites, const MachineCode& code);

/// Plans for wide accesses of the machine that replace several of the text, on one line or on several that
/// have as many bytes; for accesses that machine code may make together for the lanes of several; and for
/// loops that it makes in pieces. Each group gets the number of its plan.
std::vector<MergePlan> makePlans(AccessGroups& groups);

/// Lines on which machine code checks all lanes of a warp: votes and reductions.
std::set<std::uint32_t> linesWithVotes(const MachineCode& code);

/// The pieces of a loop with the group as its only access, by falling number of iterations: each makes a
/// multiple of the next one's, the last one iteration. Iterations are counted by the accesses or, if some are
/// wider than the text's and all lanes of a warp have one address, by the floating-point operations. Empty if
/// the group is not of that kind, or no piece makes several iterations.
std::vector<LoopPiece> findLoopPieces(const AccessGroup& group);

/// `Unrolled: 4 or 1 iterations at a time.`
std::string makeSentence(const std::vector<LoopPiece>& pieces);

}  // namespace lanescope
