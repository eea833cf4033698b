#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/pages.h"

namespace lanescope {

/// Names a node of a Provenance; 0 is "comes from no input".
using ProvenanceId = std::uint32_t;
inline constexpr ProvenanceId kNoProvenance = 0;

/// The derivation of values from the input: a shared expression graph, so that a cell can show a0+a4+a2+a6.
class Provenance {
 public:
  /// Twice the elements of the largest block: `x += x` in a loop has too many terms to write.
  static constexpr std::size_t kMaxTerms = 4096;

  Provenance() { nodes_.append(Node{}); }

  enum class Kind : std::uint8_t { None, Input, Add, Subtract, Multiply, Minimum, Maximum, Other };

  /// Element `index` of the buffer with that letter ('a' for the first).
  ProvenanceId input(char letter, std::uint32_t index);
  /// The first `count` of them at once, numbered one after the other from the result on. Once per letter,
  /// before any of them is requested.
  ProvenanceId inputs(char letter, std::uint32_t count);
  /// Element `index` of an array that existed before the block began and is not an input: other blocks wrote
  /// it. Its text is `partials[0]`.
  ProvenanceId findElement(std::string_view array, std::uint32_t index);
  /// A node over two operands; equal nodes share an id.
  ProvenanceId combine(Kind kind, ProvenanceId left, ProvenanceId right);

  /// `a0+a4+a2+a6`: operands of one operator in the order they were joined; `a0×b0+a1×b1`, `min(a0, a4, a2)`,
  /// with brackets only where they are needed, and `…` for operands without an input. Past `maxTerms` terms
  /// operands between the first ones and the last are left out, each within its own operator: `a0+a1+…+a63`,
  /// `(a0+…+a7)×…`; also the last one if it is nested too deep. kNoProvenance gives "".
  std::string text(ProvenanceId id, std::size_t maxTerms = kMaxTerms) const;
  /// Number of input elements in it; a shared node counts at each use, so it stops at UINT32_MAX.
  std::uint32_t terms(ProvenanceId id) const { return nodes_[id].terms; }
  /// How often each of the first `count` inputs with that letter is in it; it stops at UINT64_MAX.
  std::vector<std::uint64_t> inputCounts(ProvenanceId id, char letter, std::uint32_t count) const;
  /// True if it contains values of other blocks, which themselves may be made of any inputs.
  bool hasOthers(ProvenanceId id) const { return nodes_[id].hasOthers; }
  /// The operator that joined inputs last: None for a single input, even if scaled or negated.
  Kind joins(ProvenanceId id) const;
  std::size_t size() const { return nodes_.size(); }
  /// Its size in memory.
  std::size_t bytes() const { return nodes_.bytes() + index_.bytes(); }
  /// Releases the index of equal nodes, once no more are to come. Later nodes are not shared.
  void close() { index_.clear(); }

 private:
  struct Node {
    ProvenanceId left = 0;   ///< Input: the index
    ProvenanceId right = 0;  ///< Input without a letter: index into names_
    std::uint32_t terms = 0;
    Kind kind = Kind::None;
    char letter = 0;  ///< Input: 0 for an element of a named array
    bool hasOthers = false;
  };
  /// The inputs of a letter that were created at once.
  struct Inputs {
    char letter = 0;
    ProvenanceId first = kNoProvenance;
    std::uint32_t count = 0;
  };
  ProvenanceId shared(const Node& node);
  std::string inputName(const Node& node) const;
  /// The operand that holds the last input element.
  static ProvenanceId lastOperand(const Node& node);
  /// True if the last input element is under few enough operators to be shown for all of them.
  bool isLastNear(ProvenanceId id) const;

  Pages<Node> nodes_;
  std::vector<Inputs> inputs_;
  std::vector<std::string> names_;
  NodeIndex index_;
};

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

/// The reads that made values: a shared graph beside that of Provenance, for the registers that pictures
/// show. It follows values alone: a read for a condition or an address is in no value, except for an atomic
/// that adds a constant: it counts the value that chose its word. The graph of a memory word starts anew when
/// it is loaded.
class Reads {
 public:
  /// The most that since() reads: more than a picture can show apart.
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
