#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/machine/compile/compiled_kernel.h"
#include "sim/machine/run/launch.h"
#include "sim/memory/counters.h"
#include "sim/trace/provenance.h"
#include "sim/trace/reads.h"
#include "sim/trace/steps.h"
#include "sim/trace/variable_sets.h"

namespace lanescope {

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

/// A thread reads `fromCell` and writes `toCell` within one phase, and the value written was made of the
/// value read: an arrow of the ladder.
struct OperandArrow {
  std::uint32_t thread = 0;
  std::uint32_t fromCell = 0;
  std::uint32_t toCell = 0;
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
/// k". A phase ends at __syncthreads, and where a warp reads, through memory or a shuffle, a value that
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
  std::vector<std::uint32_t> activeThreads;  ///< threads that load, store or shuffle in it, sorted
  std::vector<std::uint32_t> cellsRead;      ///< shared cells, sorted
  std::vector<std::uint32_t> cellsWritten;   ///< shared cells, sorted; by stores and atomics
  std::vector<OperandArrow> arrows;          ///< shared cells only; not from a cell to itself
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
  Pages<LaneAccess> accesses;
  Pages<CellChange> cellChanges;
  VariableSets variableSets;
  Pages<std::int8_t> shuffleSources;  ///< per lane: the lane read, -1: none
  Provenance provenance;
  Reads reads;
  Counters total;  ///< of this block
  std::optional<TraceFault> fault;

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
