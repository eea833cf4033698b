#include "sim/machine/run/block_entry.h"

#include <algorithm>

#include "sim/machine/compile/op_classes.h"
#include "sim/machine/compile/operands.h"

namespace lanescope {
namespace {

bool isWritten(const std::vector<Operands>& operands, RegisterRange range) {
  return std::ranges::any_of(operands, [&](const Operands& o) { return o.writes.overlaps(range); });
}

/// True if the variable is set before any branch, and before any read.
bool isSetFirst(const Bytecode& code, const std::vector<Operands>& operands, RegisterRange range) {
  for (std::size_t i = 0; i < code.code.size(); ++i) {
    const Instruction& instruction = code.code[i];
    const bool isSet = instruction.op == Op::Set32 || instruction.op == Op::Set64;
    if (isSet && instruction.dst == range.first)
      return !operands[i].reads[0].overlaps(range) && operands[i].writes.count == range.count;
    const bool isStraight = !isControl(instruction.op) || instruction.op == Op::ScopeBegin;
    if (!isStraight || operands[i].readsAny(range)) return false;
  }
  return false;
}

}  // namespace

StartValues makeStartValues(const Bytecode& code, const PreparedLaunch& prepared, bool isObserved) {
  std::vector<Operands> operands;
  operands.reserve(code.code.size());
  for (const Instruction& instruction : code.code) operands.push_back(readOperands(instruction, code));
  StartValues values;
  for (const VariableRegister& variable : code.variables) {
    if (variable.local == VariableRegister::kInRegister)
      values.once.push_back({variable.reg, variable.type->isWide(), 0});
  }
  const std::vector<const VariableRegister*> parameters = parameterParts(code);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const VariableRegister& parameter = *parameters[p];
    std::erase_if(values.once, [&](const StartValue& value) { return value.reg == parameter.reg; });
    values.once.push_back({parameter.reg, parameter.type->isWide(), prepared.parameterBits[p]});
  }
  for (const StartValue& value : values.once) {
    const RegisterRange range{value.reg, value.isWide ? 2u : 1u};
    if (isWritten(operands, range) && (isObserved || !isSetFirst(code, operands, range)))
      values.eachBlock.push_back(value);
  }
  return values;
}

}  // namespace lanescope
