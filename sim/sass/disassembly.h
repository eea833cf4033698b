#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/sass/machine_code.h"

namespace lanescope {

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
