#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/language/check/typed_tree.h"
#include "sim/memory/machine_model.h"

namespace lanescope {

enum class Op : std::uint16_t {
#define OP(name, ...) name,
#include "sim/machine/compile/opcodes.def"
#undef OP
};

struct Instruction {
  Op op = Op::Exit;
  std::uint16_t dst = 0;
  std::uint16_t a = 0;
  std::uint16_t b = 0;
  std::uint16_t c = 0;
  std::uint16_t d = 0;
  std::uint32_t site = 0;  ///< index into Bytecode::sites
  std::int64_t imm = 0;
};

/// The imm of LoadVector and StoreVector: elements of 1, 2, 4 or 8 bytes.
struct VectorShape {
  std::uint8_t elementBytes = 4;
  std::uint8_t elements = 1;
  bool isSigned = false;  ///< narrow elements extend with their sign

  unsigned bytes() const { return unsigned{elementBytes} * elements; }
  std::int64_t packed() const { return elementBytes | elements << 8 | (isSigned ? 1 << 16 : 0); }
  static constexpr VectorShape of(std::int64_t imm) {
    return {static_cast<std::uint8_t>(imm), static_cast<std::uint8_t>(imm >> 8), (imm >> 16 & 1) != 0};
  }
};

/// The imm of Atomic.
struct AtomicShape {
  typed::AtomicOp op = typed::AtomicOp::Add;
  Type::Kind type = Type::Kind::U32;
  bool isResultUsed = false;
  bool addsOne = false;    ///< the constant 1, by any operation
  bool isOfBlock = false;  ///< other blocks do not see it as one operation

  std::int64_t packed() const {
    return static_cast<int>(op) | static_cast<int>(type) << 8 | (isResultUsed ? 1 << 16 : 0) |
           (addsOne ? 1 << 17 : 0) | (isOfBlock ? 1 << 18 : 0);
  }
  static constexpr AtomicShape of(std::int64_t imm) {
    return {static_cast<typed::AtomicOp>(imm & 0xff), static_cast<Type::Kind>(imm >> 8 & 0xff),
            (imm >> 16 & 1) != 0, (imm >> 17 & 1) != 0, (imm >> 18 & 1) != 0};
  }
};

/// The imm of shuffles, votes and warp barriers: the ShuffleKind or VoteOp; isOfGroup if the mask is a
/// group's, which stands for its active lanes; and the threads of its tile.
struct ExchangeShape {
  int kind = 0;
  bool isOfGroup = false;
  bool isSigned = false;         ///< votes: the value is a signed number
  std::uint8_t tileThreads = 0;  ///< 0: of no tile

  std::int64_t packed() const {
    return kind | (isOfGroup ? 1 << 8 : 0) | (isSigned ? 1 << 9 : 0) | tileThreads << 16;
  }
  static constexpr ExchangeShape of(std::int64_t imm) {
    return {static_cast<int>(imm & 0xff), (imm >> 8 & 1) != 0, (imm >> 9 & 1) != 0,
            static_cast<std::uint8_t>(imm >> 16 & 0xff)};
  }
};

/// A register that starts with the same value in every lane.
struct ConstantRegister {
  std::uint16_t reg = 0;
  bool isWide = false;
  std::uint64_t bits = 0;
};

struct BuiltInRegister {
  std::uint16_t reg = 0;
  typed::BuiltIn builtIn = typed::BuiltIn::ThreadX;
};

/// A scalar variable, or a scalar part of a struct (`v.x`) or of a local array (`a[2]`).
struct VariableRegister {
  std::string name;
  const Type* type = nullptr;
  std::uint16_t reg = 0;
  SourceSpan declared;
  std::uint32_t local = kInRegister;  ///< index into Bytecode::locals, or kInRegister
  std::uint32_t localOffset = 0;      ///< bytes into that local
  std::string function{};             ///< the function it belongs to, `add<2>`; empty: the kernel itself
  static constexpr std::uint32_t kInRegister = UINT32_MAX;
};

/// A variable in the thread's local memory: an array, or one whose address is taken.
struct LocalVariable {
  std::string name;
  const Type* type = nullptr;
  std::uint32_t byteOffset = 0;  ///< in the thread's local memory; a multiple of 16
  SourceSpan declared;
  /// Holds 1 in the lanes that have left the variable's scope; kNoRegister if no pointer to it can outlive
  /// it.
  std::uint16_t endedRegister = kNoRegister;
  static constexpr std::uint16_t kNoRegister = UINT16_MAX;
};

/// A register that starts with an address in each lane's own local memory.
struct LocalAddressRegister {
  std::uint16_t reg = 0;
  std::uint64_t address = 0;  ///< thread 0's
};

/// A kernel ready to run: instructions over registers, and the start values of the registers.
struct Bytecode {
  std::string kernelName;
  std::vector<Instruction> code;
  std::vector<SourceSpan> sites;
  std::vector<ConstantRegister> constants;
  std::vector<BuiltInRegister> builtIns;
  std::vector<VariableRegister> variables;
  std::vector<std::uint32_t> parameters;  ///< indices into variables
  /// Variables at file scope that the kernel names: its last parameters are their addresses.
  std::vector<typed::GlobalSymbol> symbols;
  std::vector<const Type*> parameterTypes;
  std::vector<LocalVariable> locals;
  std::vector<LocalAddressRegister> localAddresses;
  std::uint32_t localBytes = 0;  ///< of local memory per thread, without calls
  bool usesHeap = false;         ///< allocates or frees memory of the device's heap
  bool makesCalls = false;       ///< of functions that can call themselves, directly or not
  /// The locals from here on belong to such functions: each call has its own, `frameBytes` in all, and their
  /// offsets count from the start of that frame.
  std::size_t firstFrameLocal = 0;
  std::uint32_t frameBytes = 0;
  std::vector<typed::PrintFormat> formats;
  /// True with atomics whose outcome depends on the order of blocks: of floats, or with a used result.
  bool isOrderSensitive = false;
  bool callsByValue = false;  ///< through pointers to functions, or virtual functions
  bool meetsGrid = false;     ///< blocks wait for each other: a cooperative launch
  bool readsClock = false;    ///< its results depend on how many instructions were run: they are not fused
  std::vector<typed::SharedArray> sharedArrays;
  std::uint64_t staticSharedBytes = 0;
  /// The most threads of a block: from `__launch_bounds__`, or the limit of any block.
  std::uint64_t mostBlockThreads = kMaxBlockThreads;
  std::uint32_t registers = 0;   ///< 32-bit lane registers per warp
  std::uint32_t scopeDepth = 0;  ///< the most scopes and ifs open at once
  std::shared_ptr<TypeTable> types;
};

/// A variable in local memory by the number in an address: a variable of a function which calls itself has
/// one number for each call that the warp is in.
struct FoundLocal {
  std::size_t local = 0;  ///< index into Bytecode::locals; past its end: none
  std::size_t call = 0;   ///< from 1 on; 0: not in a call
  std::uint32_t byteOffset = 0;
};

inline FoundLocal findLocal(const Bytecode& code, std::size_t number) {
  if (number < code.firstFrameLocal) return {number, 0, code.locals[number].byteOffset};
  const std::size_t each = code.locals.size() - code.firstFrameLocal;
  if (each == 0 || number - code.firstFrameLocal >= SIZE_MAX / 2) return {SIZE_MAX, 0, 0};
  const std::size_t call = (number - code.firstFrameLocal) / each + 1;
  const std::size_t local = code.firstFrameLocal + (number - code.firstFrameLocal) % each;
  return {local, call,
          code.localBytes + static_cast<std::uint32_t>(call - 1) * code.frameBytes +
              code.locals[local].byteOffset};
}

/// The variable at a local address; null if there is none.
const LocalVariable* localAt(const Bytecode& code, std::uint64_t address);

/// Lowers a checked kernel. Error: a kernel that needs more registers than an instruction can name.
Result<Bytecode> compile(typed::Kernel kernel);

}  // namespace lanescope
