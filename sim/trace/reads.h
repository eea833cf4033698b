#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/trace/provenance.h"

namespace lanescope {

/// Names a node of Reads; 0 is "made of nothing that was read".
using ReadsId = std::uint32_t;
inline constexpr ReadsId kNoReads = 0;

/// One place that a value was read from.
struct Read {
  std::uint32_t step = 0;             ///< index of the load or the shuffle
  std::uint32_t place = 0;            ///< of a load: the cell; of a shuffle: the thread whose register it was
  ProvenanceId from = kNoProvenance;  ///< what was read
  bool operator==(const Read&) const = default;
};

/// What was read to make values: a shared graph beside that of Provenance, for the ladder's arrows. It
/// follows values alone: what is read for a condition or an address is in no value, but for an atomic that
/// adds a constant: what chose its word is what it counts. What a memory word holds starts anew where it is
/// loaded.
class Reads {
 public:
  /// Most that since() looks at: more arrows into one word than anybody could tell apart.
  static constexpr std::size_t kMost = 4096;

  ReadsId read(Read read);
  ReadsId join(ReadsId left, ReadsId right);
  /// What a value was made of since that step, in the order of joining, each place of a step once. Past
  /// kMost reads the first ones are left out.
  std::vector<Read> since(ReadsId id, std::uint32_t firstStep) const;

 private:
  struct Node {
    ReadsId left = kNoReads;  ///< kNoReads: a read
    ReadsId right = kNoReads;
    Read read;
    std::uint32_t lastStep = 0;  ///< of the reads in it
  };

  std::vector<Node> nodes_{Node{}};
  std::unordered_map<std::uint64_t, ReadsId> known_;   ///< by step and place
  std::unordered_map<std::uint64_t, ReadsId> joined_;  ///< by operands
};

}  // namespace lanescope
