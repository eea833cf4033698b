#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sass/cubin_constants.h"
#include "kernels/protocol/profile_messages.h"
#include "sim/memory/step_kind.h"

namespace lanescope {

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

/// The machine code that a profile recorded; nullopt if it has none. Branches lead to addresses from the
/// kernel's start, as in other machine code. Loops are known if the last instruction, a branch to itself,
/// gives the code's address in GPU memory; otherwise any instruction may be in a loop.
std::optional<MachineCode> readMachineCode(const LaunchProfile& profile, const std::string& origin);

}  // namespace lanescope
