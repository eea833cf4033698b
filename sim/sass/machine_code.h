#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/memory/counters.h"

namespace lanescope {

/// The place of a variable at file scope in machine code.
struct ConstantVariable {
  unsigned bank = 0;         ///< 3: the variable itself, of __constant__; 4: its address
  std::uint64_t offset = 0;  ///< bytes into the bank
  std::string name;          ///< without its namespaces
  std::uint64_t addend = 0;  ///< of an address
};

/// A kernel's contents of a cubin's constant banks.
struct CubinConstants {
  std::vector<ConstantVariable> variables;
  std::vector<std::byte> literals;  ///< bank 2: numbers of the kernel that instructions cannot hold
};

/// Reads them from an ELF file of 64 bits; malformed parts are left out. `symbol` is the kernel's.
CubinConstants readConstants(std::span<const std::byte> cubin, std::string_view symbol);

/// Bytes of an instruction from compute capability 7.0 on.
inline constexpr std::uint32_t kInstructionBytes = 16;
inline constexpr std::uint32_t kNoTarget = UINT32_MAX;

/// One instruction that the compiler made.
struct MachineInstruction {
  std::uint32_t line = 0;            ///< of the text, from 1; 0: of none, as code of a header
  std::uint32_t address = 0;         ///< bytes from the kernel's start
  std::string sass{};                ///< `@!P2 LDS R4, [R7+0x4]`
  bool isInLoop = false;             ///< it may be executed again without a new launch
  std::uint64_t executed = 0;        ///< by warps of a whole launch, if measured
  std::uint32_t target = kNoTarget;  ///< the address that it may branch to
  bool isCold =
      false;  ///< only reached by a warp whose lanes arrive at a shuffle or a vote at different times
  bool operator==(const MachineInstruction&) const = default;
};

/// A kernel as the compiler made it.
struct MachineCode {
  std::string kernel;        ///< `name` or `name<128>`
  std::string architecture;  ///< `sm_90`; empty if a recording does not say
  std::string origin;        ///< its source, always to be shown with it: `nvcc 13.0, nvdisasm`
  bool isMeasured = false;   ///< `executed` was counted by a GPU
  bool knowsLoops = true;    ///< `isInLoop` is known
  std::vector<MachineInstruction> instructions;  ///< in the order of the code
  CubinConstants constants{};                    ///< if known
};

/// An access of a machine instruction to shared or global memory.
struct MachineAccess {
  StepKind kind = StepKind::SharedLoad;  ///< one of the six accesses
  unsigned bytes = 4;                    ///< of a lane
  bool isResultUsed = false;             ///< atomics: it gives the old value back
  bool isPredicated = false;
  bool isGeneric = false;  ///< the pointer's space is decided at run time; `kind` is then global
  bool operator==(const MachineAccess&) const = default;
};

/// `LDG.E.128`: the instruction without its predicate and operands.
std::string_view parseOpcode(std::string_view sass);

/// The access of an instruction to shared or global memory; nullopt if it accesses neither.
std::optional<MachineAccess> parseAccess(std::string_view sass);

/// True if it adds, subtracts or multiplies floating-point values of 32 or 64 bits.
bool isFloatingArithmetic(std::string_view opcode);

/// The kind of a branch, beside its target.
struct Way {
  bool goesOn = true;      ///< to the next one, for some lanes
  bool isUnknown = false;  ///< to a place that is not in its text, as a call
  bool ends = false;       ///< a straight piece of code: it may go elsewhere
};
Way parseWay(std::string_view sass);

/// Gives code whose branches lead to addresses in a GPU's memory targets from the kernel's start, and finds
/// its loops (markFlow): its last instruction, a branch to itself, says where in the memory that was. Of code
/// without such an instruction `knowsLoops` stays false: any instruction may be in a loop.
void bringToStart(MachineCode& code);

/// A function of a disassembly.
struct DisassembledFunction {
  std::string symbol;  ///< as the linker knows it: `_Z8baselinePKfPf`
  std::vector<MachineInstruction> instructions;
};

/// Reads the output of `nvdisasm -c -g` (or -gi) and of `cuobjdump -sass`; the latter has no lines. An
/// instruction's line is the innermost one in the file named `textFile` (its name without folders): inlined
/// code has the line that it was written on, code of a header the line that calls it. Text in another form
/// gives no functions. Text between instructions is skipped.
std::vector<DisassembledFunction> parseDisassembly(std::string_view text, std::string_view textFile);

/// Marks cold code: instructions that only BRA.DIV leads to. Then marks the instructions of loops: those from
/// the target of a branch back to that branch, in code that is not cold.
void markFlow(std::vector<MachineInstruction>& instructions);

/// The function that is the kernel `name` or `name<128>`; nullptr if there is none, or if template arguments
/// do not decide between several.
const DisassembledFunction* findKernel(const std::vector<DisassembledFunction>& functions,
                                       std::string_view kernel);

/// A symbol as C++ writes it, without its parameters: `completely_unrolled<64>`; the symbol itself if it is
/// not a C++ one.
std::string readableName(const std::string& symbol);

}  // namespace lanescope
