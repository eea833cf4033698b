#pragma once

#include <cstdint>
#include <vector>

#include "sim/trace/node_index.h"
#include "sim/trace/pages.h"
#include "sim/trace/provenance.h"

namespace lanescope {

/// Names a node of Reads; 0 is "made of nothing that was read".
using ReadsId = std::uint32_t;
inline constexpr ReadsId kNoReads = 0;

/// A word or a register that a value was read from.
struct Read {
  std::uint32_t step = 0;             ///< index of the load or the shuffle
  std::uint32_t cellOrThread = 0;     ///< of a load: the cell; of a shuffle: the thread whose register it was
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

  Reads() { nodes_.append(Node{}); }

  /// Steps come in their order, and are below 2^31.
  ReadsId read(Read read);
  ReadsId join(ReadsId left, ReadsId right);
  /// What a value was made of since that step, in the order of joining, each word and register of a step
  /// once. Past kMost reads the first ones are left out.
  std::vector<Read> since(ReadsId id, std::uint32_t firstStep) const;

  /// What it holds in memory.
  std::size_t bytes() const { return nodes_.bytes() + joined_.bytes() + ofStep_.bytes(); }
  /// Forgets how equal nodes are found: for when no more are to come. What comes all the same is not shared.
  void close() {
    joined_.clear();
    ofStep_.clear();
  }

 private:
  /// A read, or what two nodes have together.
  struct Node {
    std::uint32_t isRead : 1 = 0;
    std::uint32_t lastStep : 31 = 0;  ///< of the reads in it
    std::uint32_t left = 0;           ///< a read: its cellOrThread
    std::uint32_t right = 0;          ///< a read: what was read
  };
  Pages<Node> nodes_;
  NodeIndex joined_;
  NodeIndex ofStep_;  ///< the reads of the step that is under way
  std::uint32_t step_ = 0;
};

}  // namespace lanescope
