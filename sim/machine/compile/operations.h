#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/language/check/lane_functions.h"
#include "sim/machine/compile/bytecode.h"

/// The properties of each operation: the rows of opcodes.def, and what follows from them.
namespace lanescope {

/// The source of an operation's result (see opcodes.def).
enum class Origin : std::uint8_t {
  None,
  Copy,
  Add,
  Subtract,
  Multiply,
  Minimum,
  Maximum,
  Select,
  Memory,
  Exchange,
  Other
};

/// The class of an operation.
enum class OpClass : std::uint8_t {
  Move,
  Masked,  ///< writes the active lanes of its result only
  Binary,
  Compare,
  Select,
  Unary,
  Offset,  ///< an address from another
  Load,
  Store,
  Atomic,
  Shuffle,
  Vote,
  Math,
  Bits,
  If,       ///< the rest decide what runs next, and give no value: narrows the mask; may jump to imm
  Loop,     ///< the same for a loop
  Jump,     ///< may jump to imm
  Control,  ///< scopes, barriers and other operations of a whole warp
  LoadAt,   ///< fused: an Offset and a Load
  StoreAt,  ///< fused: an Offset and a Store
};

struct OpInfo {
  Origin origin;
  OpClass group;
  // How many registers each names: 0 is none, the constants below leave it to imm.
  std::uint8_t dst, a, b, c, d;

  static constexpr std::uint8_t kStack = 251;    ///< as many as imm says
  static constexpr std::uint8_t kLane = 252;     ///< as many as an operand of a lane function has
  static constexpr std::uint8_t kVector = 253;   ///< as many as a VectorShape has
  static constexpr std::uint8_t kBarrier = 254;  ///< one if the barrier votes
  static constexpr std::uint8_t kPrint = 255;    ///< two for each value printed
};

inline constexpr std::array kOpInfo = [] {
  constexpr std::uint8_t L = OpInfo::kLane;
  constexpr std::uint8_t V = OpInfo::kVector;
  constexpr std::uint8_t B = OpInfo::kBarrier;
  constexpr std::uint8_t P = OpInfo::kPrint;
  constexpr std::uint8_t K = OpInfo::kStack;
  constexpr std::uint8_t I32 = 1, U32 = 1, F32 = 1, I64 = 2, U64 = 2, F64 = 2;
  return std::array{
#define OP(name, origin, group, dst, a, b, c, d) OpInfo{Origin::origin, OpClass::group, dst, a, b, c, d},
#include "sim/machine/compile/opcodes.def"
  };
}();

constexpr const OpInfo& findInfo(Op op) { return kOpInfo[static_cast<std::size_t>(op)]; }
constexpr OpClass findClass(Op op) { return findInfo(op).group; }
constexpr Origin opOrigin(Op op) { return findInfo(op).origin; }

constexpr bool isLoading(Op op) { return findClass(op) == OpClass::Load; }
constexpr bool isStoring(Op op) { return findClass(op) == OpClass::Store; }

/// True if it reads or writes memory that other threads may see.
constexpr bool isAccess(Op op) { return isLoading(op) || isStoring(op) || op == Op::Atomic; }

/// A load or store of a volatile object, whose d is 1: a strong operation in PTX (PTX ISA, "Memory
/// Consistency Model", ld.volatile and st.volatile).
constexpr bool isVolatile(const Instruction& i) { return (isLoading(i.op) || isStoring(i.op)) && i.d != 0; }

constexpr bool isShuffle(Op op) { return findClass(op) == OpClass::Shuffle; }

/// Exchanges registers among the lanes of a warp that Instruction::d names. __activemask() names none: it
/// returns the currently active lanes.
constexpr bool isExchange(const Instruction& i) {
  return isShuffle(i.op) || (findClass(i.op) == OpClass::Vote &&
                             ExchangeShape::of(i.imm).kind != static_cast<int>(typed::VoteOp::ActiveMask));
}

/// Joins the numbers of the lanes: a __reduce_*_sync.
constexpr bool isReduction(const Instruction& i) {
  return findClass(i.op) == OpClass::Vote &&
         isReduction(static_cast<typed::VoteOp>(ExchangeShape::of(i.imm).kind));
}

/// True for an exchange whose operand a (takesWide) or whose result (givesWide) is 64 bits wide.
constexpr bool takesWide(Op op) { return findInfo(op).a == 2; }
constexpr bool givesWide(Op op) { return findInfo(op).dst == 2; }

/// True for operations at which the lanes of a warp wait for each other.
constexpr bool isConvergencePoint(const Instruction& i) { return isExchange(i) || i.op == Op::WarpBarrier; }

constexpr typed::ShuffleKind shuffleKind(const Instruction& i) {
  return static_cast<typed::ShuffleKind>(ExchangeShape::of(i.imm).kind);
}

/// opensScope(): lanes that diverge here reconverge at the end of the same statement; closesScope(): that
/// end.
constexpr bool opensScope(Op op) {
  return findClass(op) == OpClass::If || op == Op::ScopeBegin || op == Op::SwitchBegin;
}
constexpr bool closesScope(Op op) { return op == Op::IfEnd || op == Op::ScopeEnd || op == Op::SwitchEnd; }

/// Decides what runs next and gives no value.
constexpr bool isControl(Op op) {
  const OpClass group = findClass(op);
  return group == OpClass::If || group == OpClass::Loop || group == OpClass::Jump ||
         group == OpClass::Control;
}

/// Jumps to imm, always or if no lane is left.
constexpr bool jumps(Op op) { return isControl(op) && findClass(op) != OpClass::Control; }

constexpr bool isMasked(Op op) { return findClass(op) == OpClass::Masked; }

/// Inactive lanes keep their old values in the result.
constexpr bool keepsLanes(Op op) {
  switch (findClass(op)) {
    case OpClass::Masked:
    case OpClass::Atomic:
    case OpClass::Shuffle:
    case OpClass::Vote:
    case OpClass::Math:
    case OpClass::Bits: return true;
    default: return false;
  }
}

/// How many of a, b and c an operation reads; not for control operations. A vector's further registers and
/// the values that an atomic returns are left out; operands that a function lacks name register 0, a
/// parameter.
constexpr unsigned operandCount(const Instruction& i) {
  if (i.op == Op::Atomic) return AtomicShape::of(i.imm).op == typed::AtomicOp::CompareSwap ? 3 : 2;
  const OpInfo& info = findInfo(i.op);
  if (info.a == OpInfo::kLane) return kLaneFunctions[static_cast<std::size_t>(i.imm)].count();
  return unsigned{info.a > 0} + unsigned{info.b > 0} + unsigned{info.c > 0};
}

constexpr bool isCompareSwap(const Instruction& i) {
  return i.op == Op::Atomic && AtomicShape::of(i.imm).op == typed::AtomicOp::CompareSwap;
}

/// Adds floating values in an unspecified order.
constexpr bool sumsFloats(const Instruction& i) {
  if (i.op != Op::Atomic) return false;
  const AtomicShape shape = AtomicShape::of(i.imm);
  return shape.op == typed::AtomicOp::Add && shape.type >= Type::Kind::F32 && shape.type <= Type::Kind::BF16;
}

/// True if it shows the kernel the order it runs in: the old value of an atomic, __activemask().
constexpr bool tellsOrder(const Instruction& i) {
  if (i.op == Op::Atomic) return AtomicShape::of(i.imm).isResultUsed;
  return findClass(i.op) == OpClass::Vote && !isExchange(i);
}

/// Consecutive 32-bit lane registers.
struct RegisterRange {
  std::uint16_t first = 0;
  std::uint32_t count = 0;

  bool overlaps(RegisterRange other) const {
    return first < other.first + other.count && other.first < first + count;
  }
};

/// The registers an instruction reads and the ones it writes. If an instruction's shape decides, the most it
/// may touch. A masked write keeps the other lanes: it counts as a read as well.
struct Operands {
  std::array<RegisterRange, 5> reads{};  ///< a, b, c, d, and dst if it keeps lanes
  RegisterRange writes;

  bool readsAny(RegisterRange range) const {
    for (const RegisterRange& read : reads) {
      if (read.overlaps(range)) return true;
    }
    return false;
  }
};

Operands readOperands(const Instruction& instruction, const Bytecode& code);

/// A set of a kernel's registers.
class RegisterMarks {
 public:
  explicit RegisterMarks(const Bytecode& code) : marked_(code.registers + 1) {}

  void set(RegisterRange range, bool value) {
    for (std::uint32_t r = range.first; r < range.first + range.count && r < marked_.size(); ++r)
      marked_[r] = value;
  }
  bool any(RegisterRange range) const {
    for (std::uint32_t r = range.first; r < range.first + range.count && r < marked_.size(); ++r) {
      if (marked_[r]) return true;
    }
    return false;
  }
  bool hasAny(std::span<const RegisterRange> ranges) const {
    return std::ranges::any_of(ranges, [this](RegisterRange range) { return any(range); });
  }
  /// Marks all registers that the other has marked; true if one was not marked already.
  bool merge(const RegisterMarks& other) {
    bool hasChanged = false;
    for (std::size_t r = 0; r < marked_.size(); ++r) {
      if (!other.marked_[r] || marked_[r]) continue;
      marked_[r] = true;
      hasChanged = true;
    }
    return hasChanged;
  }

 private:
  std::vector<bool> marked_;
};

class SourceText;

/// A loop in bytecode: the instructions [top, end], of which the last jumps back.
struct Loop {
  std::uint32_t top = 0;
  std::uint32_t end = 0;
  std::uint32_t site = 0;  ///< of its keyword
};

/// The innermost loop that has both instructions in it, `low` <= `high`.
std::optional<Loop> loopAround(const Bytecode& code, std::uint32_t low, std::uint32_t high);

/// The loops that have the instruction in them, the innermost first.
std::vector<Loop> loopsAround(const Bytecode& code, std::uint32_t pc);

/// ` in the loop on line 5, inside that on line 2`; empty if there is none.
std::string loopsText(const SourceText& source, const Bytecode& code, const std::vector<Loop>& loops);

}  // namespace lanescope
