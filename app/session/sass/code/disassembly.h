#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/sass/code/machine_code.h"

namespace lanescope {

/// A function of a disassembly.
struct DisassembledFunction {
  std::string symbol;  ///< as the linker knows it: `_Z8baselinePKfPf`
  std::vector<MachineInstruction> instructions;
};

/// Reads what `nvdisasm -c -g` (or -gi) and `cuobjdump -sass` print, of which the latter has no lines. An
/// instruction's line is the innermost one in the file whose name, without its folders, is `textFile`:
/// inlined code has the line that it was written on, code of a header the one that calls it. Text in another
/// form gives no functions, and what is between instructions is passed over.
std::vector<DisassembledFunction> parseDisassembly(std::string_view text, std::string_view textFile);

/// Marks what is cold: what only BRA.DIV leads to. Then marks the instructions of loops: those from the
/// target of a branch back to that branch, of code that is not cold.
void markFlow(std::vector<MachineInstruction>& instructions);

/// The function that is the kernel `name` or `name<128>`; nullptr where none is, or where template arguments
/// do not decide between several.
const DisassembledFunction* findKernel(const std::vector<DisassembledFunction>& functions,
                                       std::string_view kernel);

/// A symbol as C++ writes it, without its parameters: `completely_unrolled<64>`; the symbol itself where
/// it is none of C++.
std::string readableName(const std::string& symbol);

}  // namespace lanescope
