#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/work_count.h"
#include "sim/machine/compile/compiled_kernel.h"
#include "sim/machine/run/launch.h"
#include "sim/memory/access_costs.h"
#include "sim/memory/counters.h"
#include "sim/memory/machine_model.h"
#include "sim/trace/pages.h"
#include "sim/trace/provenance.h"

namespace lanescope {

using LaneMask = std::uint32_t;  ///< bit l: lane l

/// No entry in a pool.
inline constexpr std::uint32_t kNoIndex = UINT32_MAX;

/// The common part of steps that do the same with the same lanes.
struct StepShape {
  StepKind kind = StepKind::Assign;
  bool isResultUsed = false;    ///< GlobalAtomic: false: a reduction
  SharedAtomic sharedAtomic{};  ///< SharedAtomic
  std::uint32_t line = 0;       ///< 1-based source line
  SourceSpan span;              ///< the operation in the source: `s[index + i]`, `tid < i`
  LaneMask active = 0;          ///< lanes that execute it
  LaneMask taken = 0;           ///< Branch: the active lanes with a true condition
  LaneMask after = 0;           ///< lanes of the warp active after it (0: all lanes wait, left or are done)
  LaneMask exited = 0;          ///< lanes that have returned, after it
  std::uint32_t maskedBy = 0;   ///< line of the innermost branch that masks lanes off; 0: no branch
  std::uint32_t wavefronts = 0;
  std::uint32_t idealWavefronts = 0;
  std::uint32_t loadWavefronts = 0;  ///< SharedAtomic: the wavefronts that load
  std::uint32_t sectors = 0;
  bool operator==(const StepShape&) const = default;
};

/// One warp executing one operation of the source.
struct Step : StepShape {
  std::uint16_t warp = 0;
  std::uint32_t phase = 0;
  std::int32_t previousOfWarp = -1;         ///< index of this warp's previous step, -1: none
  PoolRange accesses;                       ///< Trace::accesses, one per lane
  PoolRange cellChanges;                    ///< Trace::cellChanges
  std::uint32_t variableSets = kNoIndex;    ///< Assign: the first of its sets in Trace::variableSets
  std::uint32_t shuffleSources = kNoIndex;  ///< Shuffle, Reduce: first of warpSize in that of Trace
  bool operator==(const Step&) const = default;
};

/// The steps of a trace, in two to six bytes each: a loop makes the same step over and over, so the part that
/// many have in common (place in the source, masks, costs) is kept once, and everything that follows from the
/// order of warps is not kept at all. Steps are values: they come out as they went in.
class Steps {
 public:
  class Iterator;

  /// Counts how many are read; may be null.
  void countWith(WorkCountPtr work) { work_ = std::move(work); }
  /// Adds the next step. Its phase is that of the previous step, or a later one.
  void add(const Step& step);
  Step operator[](std::size_t index) const;
  /// That step's kind; faster than reading the whole step.
  StepKind kindAt(std::size_t index) const { return shapes_[findShape(index)].kind; }
  Step back() const { return (*this)[size() - 1]; }
  std::size_t size() const { return shapeLow_.size(); }
  bool empty() const { return shapeLow_.empty(); }
  Iterator begin() const;
  Iterator end() const;

  /// Moves the steps from there on, all of one phase, to another.
  void moveToPhase(std::size_t first, std::uint32_t phase);

  /// Their size in memory.
  std::size_t bytes() const;
  /// Releases the index of equal steps, once no more are to come.
  void close() { shapeIndex_.clear(); }

 private:
  /// A shape, and the number of entries in the pools that its steps have.
  struct Shape : StepShape {
    std::uint16_t accesses = 0;
    std::uint16_t cellChanges = 0;
    bool operator==(const Shape&) const = default;
  };
  /// The indices of an access's first entries in the pools.
  struct Firsts {
    std::uint32_t accesses = 0;
    std::uint32_t cellChanges = 0;
  };
  /// Steps of one warp and one phase, one after the other.
  struct Run {
    std::uint32_t first = 0;
    std::int32_t previousOfWarp = -1;  ///< for the first
    std::uint32_t phase = 0;
    std::uint16_t warp = 0;
  };
  static constexpr std::size_t kBlock = 64;
  /// kBlock steps, one after the other.
  struct Block {
    std::uint64_t haveDetails = 0;  ///< bit i: the i-th has an entry in details_
    std::uint32_t firstDetail = 0;
    std::uint32_t run = 0;  ///< for the first
  };

  static std::uint64_t hashOfShape(const Shape& shape);
  std::uint32_t shapeFor(const Step& step);
  void addDetail(const Step& step);
  std::uint32_t findShape(std::size_t index) const {
    const std::uint32_t high = shapeHigh_.empty() ? 0 : shapeHigh_[index];
    return high << 16U | shapeLow_[index];
  }
  std::uint32_t stepDetail(std::size_t index) const;
  std::size_t makeRun(std::size_t index) const;

  Pages<Shape> shapes_;  ///< from 1 on
  NodeIndex shapeIndex_;
  Pages<std::uint16_t> shapeLow_;   ///< by step: the number of its shape,
  Pages<std::uint16_t> shapeHigh_;  ///< and its upper half, once there are that many shapes
  Pages<Block> blocks_;
  Pages<std::uint32_t>
      details_;  ///< for an access: index in firsts_; else Step::variableSets or shuffleSources
  Pages<Firsts> firsts_;
  Pages<Run> runs_;
  WorkCountPtr work_;
};

/// Over the steps in order, each as a value.
class Steps::Iterator {
 public:
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::input_iterator_tag;  // operator* returns a value, not a reference
  using value_type = Step;
  using difference_type = std::ptrdiff_t;
  using reference = Step;
  /// Holds a step while a member of it is read.
  struct pointer {
    Step step;
    const Step* operator->() const { return &step; }
  };

  Iterator() = default;
  Iterator(const Steps* steps, difference_type index) : steps_(steps), index_(index) {}

  Step operator*() const { return (*steps_)[static_cast<std::size_t>(index_)]; }
  pointer operator->() const { return {**this}; }
  Step operator[](difference_type offset) const { return *(*this + offset); }
  Iterator& operator++() { return *this += 1; }
  Iterator& operator--() { return *this -= 1; }
  Iterator operator++(int) { return {steps_, index_++}; }
  Iterator operator--(int) { return {steps_, index_--}; }
  Iterator& operator+=(difference_type offset) {
    index_ += offset;
    return *this;
  }
  Iterator& operator-=(difference_type offset) { return *this += -offset; }
  friend Iterator operator+(Iterator at, difference_type offset) { return at += offset; }
  friend Iterator operator+(difference_type offset, Iterator at) { return at += offset; }
  friend Iterator operator-(Iterator at, difference_type offset) { return at -= offset; }
  friend difference_type operator-(Iterator a, Iterator b) { return a.index_ - b.index_; }
  bool operator==(const Iterator& other) const { return index_ == other.index_; }
  std::strong_ordering operator<=>(const Iterator& other) const { return index_ <=> other.index_; }

 private:
  const Steps* steps_ = nullptr;
  difference_type index_ = 0;
};

inline Steps::Iterator Steps::begin() const { return {this, 0}; }
inline Steps::Iterator Steps::end() const { return {this, static_cast<std::ptrdiff_t>(size())}; }

/// The values that a step gave one variable in lanes of its warp. The columns have one entry per lane, in the
/// lanes' order.
struct VariableSet {
  std::uint32_t variable = 0;
  LaneMask lanes = 0;
  std::uint32_t previous = kNoIndex;  ///< the warp's previous set of that variable, in any lanes
  std::uint32_t next = kNoIndex;      ///< the next set of the same step
  std::array<std::uint64_t, kMaxLanes> bits;
  std::array<ProvenanceId, kMaxLanes> from;
  std::array<ReadsId, kMaxLanes> reads;

  std::size_t count() const { return static_cast<std::size_t>(std::popcount(lanes)); }
  bool has(unsigned lane) const { return (lanes >> lane & 1U) != 0; }
  /// The entry of one of its lanes.
  std::size_t findKernelEntry(unsigned lane) const {
    return static_cast<std::size_t>(std::popcount(lanes & ((LaneMask{1} << lane) - 1)));
  }
};

/// All values that a trace's steps gave to variables, in few bytes: the lanes of a warp most often get one
/// value, values that count up, or short ones.
class VariableSets {
 public:
  /// Adds what one step set, at least one variable; returns the index of the first, and fills in `next` of
  /// each.
  std::uint32_t append(std::span<VariableSet> ofStep);
  /// Reads the set at that index.
  void read(std::uint32_t index, VariableSet& set) const;
  /// Their size in memory.
  std::size_t bytes() const { return bytes_.bytes(); }

 private:
  Pages<std::uint8_t> bytes_;
  std::vector<std::uint8_t> written_;  ///< used by append(), kept for its next call
};

enum class MemorySpace : std::uint8_t { Shared, Global };

/// A 4-byte memory word of a traced array.
struct Word {
  std::uint32_t bits = 0;
  ProvenanceId from = kNoProvenance;
  bool written = false;  ///< false: nothing has stored here since the block started
  bool operator==(const Word&) const = default;
};

/// Scalar type of an element or a variable, enough for printing it.
using ValueType = Type::Kind;
/// Number of words in an element of that type.
constexpr std::uint32_t splitWords(ValueType type) { return isWide(type) ? 2 : 1; }

/// An array that the kernel reads or writes: a __shared__ array or a buffer argument.
/// Its words are the cells [firstCell, firstCell + cellCount) of ReplayState::cells.
struct TracedArray {
  std::string name;  ///< its name in the source
  MemorySpace space = MemorySpace::Shared;
  ValueType type = ValueType::F32;
  std::uint32_t firstCell = 0;
  std::uint32_t cellCount = 0;   ///< 4-byte words
  std::uint32_t byteOffset = 0;  ///< shared: offset in the block's shared memory (bank = offset / 4 mod 32)
  std::vector<std::uint64_t> extents{};  ///< shared: elements as declared, innermost last; empty if unknown
};

/// A named variable of the kernel, or of a function inlined into it: every thread has its own.
struct TracedVariable {
  std::string name;
  ValueType type = ValueType::I32;
  SourceSpan declared;
  std::int32_t function = -1;  ///< Trace::functions; -1: the kernel's own
  std::string instance{};  ///< that function's instance, with its template arguments: `add<2>`; empty: the
                           ///< kernel's own
  /// The label shown: the name, with its function's name before it if several variables have that name:
  /// `warpReduce: tid`, or `add<2>: tid` if the trace has the function with several template arguments.
  std::string label{};
};

/// One lane's part in a memory access.
struct LaneAccess {
  std::uint8_t lane = 0;
  std::uint8_t bytes = 4;     ///< width of the access
  std::uint32_t cell = 0;     ///< first cell touched
  std::uint32_t address = 0;  ///< byte address in shared memory, or byte offset in its buffer
  Word value;                 ///< the word read or written (first word)
};

struct CellChange {
  std::uint32_t cell = 0;
  Word before;
  Word after;
  ReadsId reads = kNoReads;  ///< the reads behind the stored value, at an element's first word
  std::uint32_t thread = 0;  ///< that stored it
};

/// A variable's value in one thread. Bits are the value's own, zero-extended to 64.
struct VariableValue {
  std::uint64_t bits = 0;
  ProvenanceId from = kNoProvenance;
  bool set = false;
  bool operator==(const VariableValue&) const = default;
};

struct VariableChange {
  std::uint32_t variable = 0;
  std::uint32_t thread = 0;  ///< linear index in the block
  VariableValue after;
  ReadsId reads = kNoReads;  ///< the reads behind the value
};

/// The topic of a phase, for code; its label is for the user.
enum class PhaseKind : std::uint8_t {
  Step,         ///< every thread joins its element and the one stepSize away
  Shuffle,      ///< at no one distance
  Load,         ///< from global memory
  LoadAndJoin,  ///< values of several inputs are made while they are loaded
  Store,        ///< to global memory
  Other,        ///< all else
};

/// The work of a block's threads between two points at which they exchange values: the textbook's "step size
/// k". A phase ends at __syncthreads, and where a warp reads, through memory or registers, a value that
/// another of its lanes produced in this phase (warp-synchronous steps).
struct Phase {
  std::string label;  ///< "load", "add during load", "step size 4", "store", "atomic"
  PhaseKind kind = PhaseKind::Other;
  std::uint32_t firstStep = 0;
  std::uint32_t endStep = 0;   ///< one past its last step
  std::uint32_t stepSize = 0;  ///< k, if every thread reads k elements beyond its own; else 0
  /// The operator by which the phase's values join several inputs: None if there are no such values, Other if
  /// several take part. A sum of products counts as Add.
  Provenance::Kind joins = Provenance::Kind::None;
  std::vector<std::uint32_t> activeThreads;  ///< threads that load, store or exchange in it, sorted
  std::vector<std::uint32_t> cellsRead;      ///< shared cells, sorted
  std::vector<std::uint32_t> cellsWritten;   ///< shared cells, sorted; by stores and atomics
  std::vector<Word> sharedAfter;             ///< every shared cell when it ends
  std::vector<ProvenanceId> exchanged;  ///< by thread: last value it got by shuffle-and-add; can be empty
  Counters counters;                    ///< of this phase
};

/// The fault that ended a block early: its last step, of kind Fault.
struct TraceFault {
  std::uint32_t step = 0;   ///< index
  LaneMask lanes = 0;       ///< the lanes of its warp at fault; 0: none in particular
  std::int32_t array = -1;  ///< Trace::arrays: the accessed one; -1: none of them
  std::int64_t word = 0;    ///< index in 4-byte words, in that array: in bounds if the access is misaligned
  std::string place{};      ///< `s[40]`; can be empty
  std::string sentence{};   ///< complete, with its full stop
};

/// One block's run, replayable forward and back. Shared cells come first in every cell index.
struct Trace {
  Launch launch;
  std::string kernelName;
  std::uint32_t kernelLine = 0;  ///< the line of its head in the text, from 1; 0 if unknown
  Dim3 tracedBlock;              ///< its index in the grid
  std::uint32_t threads = 0;
  std::uint32_t warps = 0;
  std::uint32_t sharedCells = 0;
  std::vector<TracedArray> arrays;        ///< shared ones first
  std::vector<DeviceFunction> functions;  ///< of the text
  std::vector<TracedVariable> variables;
  std::vector<Word> initialCells;
  Steps steps;
  std::vector<Phase> phases;
  /// A step begins a round if its bit is set: one line of the source, of one warp after the other. Only if
  /// warps took turns by line (Turns) are they all of the block's warps.
  Pages<std::uint64_t> roundBits;
  Pages<LaneAccess> accesses;
  Pages<CellChange> cellChanges;
  VariableSets variableSets;
  Pages<std::int8_t>
      shuffleSources;  ///< per lane, -1: none; Shuffle: the lane read; Reduce: the first of those joined
  Provenance provenance;
  Reads reads;
  Counters total;  ///< of this block
  std::optional<TraceFault> fault;

  bool beginsRound(std::uint32_t step) const { return (roundBits[step / 64] >> step % 64 & 1U) != 0; }
  /// The number of rounds that begin before step `step`.
  std::size_t roundsBefore(std::uint32_t step) const;
  /// The first step after `step` that begins a round; steps.size() if none does.
  std::uint32_t nextRound(std::uint32_t step) const;
  /// The last step before `step` that begins a round; 0 if none does.
  std::uint32_t previousRound(std::uint32_t step) const;
  std::uint32_t lanesOfWarp(std::uint32_t warp) const;  ///< lanes that exist: fewer in a partial warp
  std::size_t poolBytes() const;  ///< the memory used by its steps, their pools and the values' origins
};

/// The memory used by a phase.
std::size_t toBytes(const Phase& phase);

/// The array that a cell belongs to, or nullptr.
const TracedArray* arrayOfCell(const Trace& trace, std::uint32_t cell);
/// `s[4]`; the array's name alone for a shared scalar.
std::string cellName(const Trace& trace, std::uint32_t cell);

/// The bits of the element that a cell belongs to, for its first or second word: for a wide element both
/// together. `cells`: as ReplayState::cells, at least up to the end of the array.
std::uint64_t elementBits(const TracedArray& array, std::span<const Word> cells, std::uint32_t cell);

/// The value as text: 6, -3, 0.5, true, 0x1f for a pointer.
std::string formatValue(ValueType type, std::uint64_t bits);

}  // namespace lanescope
