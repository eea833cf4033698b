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
  std::uint32_t step = 0;          ///< index of the load or the shuffle
  std::uint32_t cellOrThread = 0;  ///< for a load: the cell; for a shuffle: the thread that owns the register
  ProvenanceId from = kNoProvenance;  ///< the provenance of the value read
  bool operator==(const Read&) const = default;
};

/// The reads that made values: a shared graph beside that of Provenance, for the ladder's arrows. It follows
/// values alone: a read for a condition or an address is in no value, except for an atomic that adds a
/// constant: it counts the value that chose its word. The graph of a memory word starts anew when it is
/// loaded.
class Reads {
 public:
  /// The most that since() reads: more arrows into one word than a picture can show apart.
  static constexpr std::size_t kMost = 4096;

  Reads() { nodes_.append(Node{}); }

  /// Steps come in their order, and are below 2^31.
  ReadsId read(Read read);
  ReadsId join(ReadsId left, ReadsId right);
  /// The reads that a value was made of since that step, in the order of joining, each word and register of a
  /// step once. Past kMost reads the first ones are left out.
  std::vector<Read> since(ReadsId id, std::uint32_t firstStep) const;

  /// Its size in memory.
  std::size_t bytes() const { return nodes_.bytes() + joined_.bytes() + ofStep_.bytes(); }
  /// Releases the index of equal nodes, once no more are to come. Later nodes are not shared.
  void close() {
    joined_.clear();
    ofStep_.clear();
  }

 private:
  /// A read, or the reads of two nodes together.
  struct Node {
    std::uint32_t isRead : 1 = 0;
    std::uint32_t lastStep : 31 = 0;  ///< the last step of its reads
    std::uint32_t left = 0;           ///< a read: its cellOrThread
    std::uint32_t right = 0;          ///< for a read: the provenance of the value read
  };
  Pages<Node> nodes_;
  NodeIndex joined_;
  NodeIndex ofStep_;  ///< the reads of the current step
  std::uint32_t step_ = 0;
};

}  // namespace lanescope
