#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/diagnostic.h"
#include "sim/language/typed_tree.h"

namespace lanescope {

enum class Op : std::uint16_t {
#define OP(name, origin) name,
#include "sim/machine/opcodes.def"
#undef OP
};

/// Where an operation's result comes from (see opcodes.def).
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

inline constexpr std::array kOrigins = {
#define OP(name, origin) Origin::origin,
#include "sim/machine/opcodes.def"
#undef OP
};

constexpr Origin originOf(Op op) { return kOrigins[static_cast<std::size_t>(op)]; }
std::string_view opName(Op op);

struct Instruction {
  Op op = Op::Exit;
  std::uint16_t dst = 0;
  std::uint16_t a = 0;
  std::uint16_t b = 0;
  std::uint16_t c = 0;
  std::uint16_t d = 0;     ///< shuffles: the mask
  std::uint32_t site = 0;  ///< index into Bytecode::sites
  std::int64_t imm = 0;
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

struct VariableRegister {
  std::string name;
  const Type* type = nullptr;
  std::uint16_t reg = 0;
  SourceSpan declared;
};

/// A kernel ready to run: instructions over registers, and what the registers start with.
struct Bytecode {
  std::string kernelName;
  std::vector<Instruction> code;
  std::vector<SourceSpan> sites;
  std::vector<ConstantRegister> constants;
  std::vector<BuiltInRegister> builtIns;
  std::vector<VariableRegister> variables;
  std::vector<std::uint32_t> parameters;  ///< indices into variables
  std::vector<typed::SharedArray> sharedArrays;
  std::uint64_t staticSharedBytes = 0;
  std::uint32_t registers = 0;   ///< 32-bit lane registers a warp needs
  std::uint32_t scopeDepth = 0;  ///< scopes and ifs that are open at once, at most
  std::shared_ptr<TypeTable> types;
};

/// Lowers a checked kernel. Error: a kernel that needs more registers than an instruction can name.
Result<Bytecode> compile(typed::Kernel kernel);

}  // namespace lanescope
