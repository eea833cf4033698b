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

/// Scalar type of an element or a variable, enough to print it.
using ValueType = Type::Kind;
/// Words that an element of that type takes.
constexpr std::uint32_t wordsOf(ValueType type) { return isWide(type) ? 2 : 1; }

/// An array that the kernel reads or writes: a __shared__ array or a buffer argument.
/// Its words are the cells [firstCell, firstCell + cellCount) of ReplayState::cells.
struct TracedArray {
  std::string name;  ///< as the source calls it
  MemorySpace space = MemorySpace::Shared;
  ValueType type = ValueType::F32;
  std::uint32_t firstCell = 0;
  std::uint32_t cellCount = 0;   ///< 4-byte words
  std::uint32_t byteOffset = 0;  ///< shared: offset in the block's shared memory (bank = offset / 4 mod 32)
  std::vector<std::uint64_t> extents{};  ///< shared: elements as declared, innermost last; empty: not known
};

/// A named variable of the kernel, or of a function inlined into it: every thread has its own.
struct TracedVariable {
  std::string name;
  ValueType type = ValueType::I32;
  SourceSpan declared;
  std::int32_t function = -1;  ///< Trace::functions; -1: the kernel's own
  std::string
      instance{};  ///< of that function, with its template arguments: `add<2>`; empty: the kernel's own
  /// As it is shown: the name; a function's with its own before it, where the name alone would mean several
  /// variables: `warpReduce: tid`, or `add<2>: tid` where it is there with several template arguments.
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
  ReadsId reads = kNoReads;  ///< what the value stored was made of, at an element's first word
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
  ReadsId reads = kNoReads;  ///< what the value was made of
};

/// A thread reads `fromCell` and writes `toCell` within one phase, and what it writes was made of what it
/// read: an arrow of the ladder.
struct OperandArrow {
  std::uint32_t thread = 0;
  std::uint32_t fromCell = 0;
  std::uint32_t toCell = 0;
};

/// What a phase is about, for all who must know; its label says it to people.
enum class PhaseKind : std::uint8_t {
  Step,         ///< every thread joins its element and the one stepSize away
  Shuffle,      ///< at no one distance
  Load,         ///< from global memory
  LoadAndJoin,  ///< values of several inputs are made as they are loaded
  Store,        ///< to global memory
  Other,        ///< all else
};

/// What the threads of a block do between two points where they exchange values: the textbook's
/// "step size k". A phase ends at __syncthreads, and where a warp reads through memory or a
/// shuffle what another of its lanes produced in this phase (warp-synchronous steps).
struct Phase {
  std::string label;  ///< "load", "add during load", "step size 4", "store", "atomic"
  PhaseKind kind = PhaseKind::Other;
  std::uint32_t firstStep = 0;
  std::uint32_t endStep = 0;   ///< one past its last step
  std::uint32_t stepSize = 0;  ///< k, where every thread reads k elements beyond its own; else 0
  /// The operator by which the phase's values join several inputs: None where there are no such values, Other
  /// where several take part. A sum of products is of Add.
  Provenance::Kind joins = Provenance::Kind::None;
  std::vector<std::uint32_t> activeThreads;  ///< those that load, store or shuffle in it, sorted
  std::vector<std::uint32_t> cellsRead;      ///< shared cells, sorted
  std::vector<std::uint32_t> cellsWritten;   ///< shared cells, sorted; by stores and atomics
  std::vector<OperandArrow> arrows;          ///< shared cells only; not from a cell to itself
  std::vector<Word> sharedAfter;             ///< every shared cell when it ends
  std::vector<ProvenanceId> exchanged;  ///< by thread: last value it got by shuffle-and-add; may be empty
  Counters counters;                    ///< of this phase
};

/// What ended a block early: its last step, of kind Fault.
struct TraceFault {
  std::uint32_t step = 0;   ///< index
  LaneMask lanes = 0;       ///< of its warp, that are at fault; 0: none in particular
  std::int32_t array = -1;  ///< Trace::arrays: what was accessed; -1: none of them
  std::int64_t word = 0;    ///< of 4 bytes, in that array: in bounds where the access is misaligned
  std::string place{};      ///< `s[40]`; may be empty
  std::string sentence{};   ///< whole, with its full stop
};

/// One block's run, replayable forward and back. Shared cells come first in every cell index.
struct Trace {
  Launch launch;
  std::string kernelName;
  std::uint32_t kernelLine = 0;  ///< where its head is in the text, from 1; 0: not known
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

  std::uint32_t lanesOfWarp(std::uint32_t warp) const;  ///< lanes that are there: fewer in a partial warp
  std::size_t poolBytes() const;  ///< what its steps, their pools and the values' origins hold in memory
};

/// What a phase holds in memory.
std::size_t bytesOf(const Phase& phase);

/// The array that a cell belongs to, or nullptr.
const TracedArray* arrayOfCell(const Trace& trace, std::uint32_t cell);
/// `s[4]`; the array's name alone for a shared scalar.
std::string cellName(const Trace& trace, std::uint32_t cell);

/// The bits of the element that a cell is of, be it its first word or its second: of a wide one both
/// together. `cells`: as ReplayState::cells, at least up to the end of the array.
std::uint64_t elementBits(const TracedArray& array, std::span<const Word> cells, std::uint32_t cell);

/// The value as a person writes it: 6, -3, 0.5, true, 0x1f for a pointer.
std::string formatValue(ValueType type, std::uint64_t bits);

}  // namespace lanescope
