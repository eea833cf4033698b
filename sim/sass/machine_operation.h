#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sass/machine_code.h"

namespace lanescope {

inline constexpr unsigned kZeroRegister = 255;    ///< RZ
inline constexpr unsigned kZeroUniform = 63;      ///< URZ
inline constexpr unsigned kTruePredicate = 7;     ///< PT, UPT
inline constexpr std::size_t kMostOperands = 12;  ///< of an instruction

/// The modifiers in an opcode, after its points: `IMAD.WIDE.U32` has WIDE and U32. Any others do not change
/// the result here.
enum class Modifier : std::uint8_t {
#define MODIFIER(name) k##name,
#include "sim/sass/modifiers.def"
  Count
};

enum class OperandKind : std::uint8_t {
  Register,
  Uniform,
  Predicate,
  UniformPredicate,
  Immediate,
  Real,      ///< a number with a fraction, or without `0x`
  Constant,  ///< c[bank][offset]
  Address,   ///< [R2.64+0x4], and desc[UR4][...]
  Special,   ///< SR_TID.X
  Barrier,   ///< B0
  Other,
};

struct MachineOperand {
  OperandKind kind = OperandKind::Other;
  bool isNegative = false;
  bool isInverted = false;  ///< `~R2`, `!P0`
  bool isAbsolute = false;
  std::uint8_t half = 0;  ///< 1: its low 16 bits, twice (`.H0_H0`); 2: its high ones
  unsigned number = 0;    ///< of a register, predicate or barrier; the bank of a constant
  std::uint32_t bits = 0;
  double real = 0;
  unsigned base = kZeroRegister;    ///< of an address, or the index of a constant
  unsigned uniform = kZeroUniform;  ///< added
  unsigned scale = 1;               ///< of the base
  std::int64_t offset = 0;
  std::string text;  ///< of a special register, and of others
};

struct MachineWarp;
struct MachineOperation;
/// Executes an instruction of a warp for the lanes of `mask`, which is not empty.
using MachineAction = void (*)(MachineWarp& warp, const MachineOperation& operation, std::uint32_t mask);

/// The effect of an instruction on the warp's flow, if it is not a plain computation.
enum class FlowKind : std::uint8_t {
  None,
  Ignored,
  Branch,
  DivergentBranch,  ///< BRA.DIV: taken by a warp that is not whole
  Exit,
  Call,
  Return,
  Announce,     ///< BSSY
  Reconverge,   ///< BSYNC
  Leave,        ///< BREAK
  WarpBarrier,  ///< WARPSYNC
  BlockBarrier,
};

/// A machine instruction, read.
struct MachineOperation {
  std::string name;  ///< `IMAD`
  std::bitset<static_cast<std::size_t>(Modifier::Count)> modifiers;
  unsigned guard = kTruePredicate;
  bool isGuardUniform = false;
  bool isGuardInverted = false;
  bool isWidening = false;  ///< F2F to 64 bits
  bool isBrain = false;     ///< of bfloat16 values
  std::vector<MachineOperand> operands;
  std::optional<MachineOperand> destination;  ///< a register
  std::vector<MachineOperand> results;        ///< predicates
  std::vector<MachineOperand> sources;        ///< without the predicates after them
  std::vector<MachineOperand> conditions;     ///< those
  std::optional<std::size_t> target;          ///< index of an instruction
  std::optional<MachineAccess> access;
  FlowKind flow = FlowKind::None;
  MachineAction action = nullptr;  ///< null: of the flow, of memory, or unknown

  bool has(Modifier one) const { return modifiers[static_cast<std::size_t>(one)]; }
  /// A source by its number; one of kind Other if there are fewer.
  const MachineOperand& source(std::size_t number) const;
};

/// Reads `@!P2 LDS R4, [R7+UR4+0x4]`. An unreadable part makes an operand of kind Other.
MachineOperation parseOperation(std::string_view sass);

}  // namespace lanescope
