#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/worker/profile_messages.h"
#include "sim/machine/compile/compiled_kernel.h"
#include "sim/machine/run/simulate.h"
#include "sim/memory/step_kind.h"

namespace lanescope {

/// One instruction that the compiler made.
struct MachineInstruction {
  std::uint32_t line = 0;      ///< of the text, from 1; 0: of none, as code of a header
  std::uint32_t address = 0;   ///< bytes from the kernel's start
  std::string sass;            ///< `@!P2 LDS R4, [R7+0x4]`
  bool isInLoop = false;       ///< it may be executed again without a new launch
  std::uint64_t executed = 0;  ///< by warps of a whole launch, where that was measured
  bool operator==(const MachineInstruction&) const = default;
};

/// A kernel as the compiler made it.
struct MachineCode {
  std::string kernel;        ///< `name` or `name<128>`
  std::string architecture;  ///< `sm_90`; empty where a recording does not say
  std::string origin;        ///< where it comes from, always to be shown with it: `nvcc 13.0, nvdisasm`
  bool isMeasured = false;   ///< `executed` was counted by a GPU
  bool knowsLoops = true;    ///< `isInLoop` is known
  std::vector<MachineInstruction> instructions;  ///< in the order of the code
};

/// An access of a machine instruction to shared or global memory.
struct MachineAccess {
  StepKind kind = StepKind::SharedLoad;  ///< one of the six accesses
  unsigned bytes = 4;                    ///< of a lane
  bool isResultUsed = false;             ///< atomics: it gives the old value back
  bool isPredicated = false;
  bool isGeneric = false;  ///< the pointer's space is decided as the kernel runs; `kind` says global
  bool operator==(const MachineAccess&) const = default;
};

/// `LDG.E.128`: what the instruction does, without its predicate and operands.
std::string_view opcodeOf(std::string_view sass);

/// What an instruction asks of shared or global memory; nothing where it asks nothing of them.
std::optional<MachineAccess> accessOf(std::string_view sass);

/// The machine code that a profile recorded; nothing where it has none.
std::optional<MachineCode> machineCodeOf(const LaunchProfile& profile, const std::string& origin);

/// How many machine instructions each line has, by line; those of no line under 0.
std::map<std::uint32_t, std::uint32_t> instructionsPerLine(const MachineCode& code);

/// How often the warps of a launch execute each line, by line: the warp instructions that the simulator
/// counted there over those that the text has there. Lines that it did not execute are left out.
std::map<std::uint32_t, double> executionsPerLine(const CompiledKernel& kernel,
                                                  std::span<const LineCounters> lines);

/// What a line needs of the schedulers.
struct LineSlots {
  std::uint32_t line = 0;
  std::uint32_t instructions = 0;  ///< machine instructions that it has
  double executions = 0;           ///< by warps, of the line
  double slots = 0;                ///< warp instructions issued for it
};

/// The issue slots of a launch of `warps` warps, line by line: where they were measured, those; else each
/// machine instruction times the executions of its line, but of one outside every loop at most one per warp,
/// so that a loop which the compiler unrolled counts once. What is of no line in the text is executed once
/// per warp at most and is counted under 0.
std::vector<LineSlots> issueSlots(const MachineCode& code, const std::map<std::uint32_t, double>& executions,
                                  std::uint64_t warps);

}  // namespace lanescope
