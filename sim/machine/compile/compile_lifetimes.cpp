// Ends the lifetimes of local variables, so that a pointer that outlives its variable is reported. Only
// variables whose address is stored have marks: an array that is indexed by its name needs none, nor does a
// variable that a function takes by reference and only reads and writes.
#include "sim/machine/compile/compiler_impl.h"

namespace lanescope::compiler {

void Compiler::findEscaping() {
  escapes_.assign(kernel_.variables.size(), false);
  keeps_.assign(kernel_.variables.size(), false);
  // A function that passes its parameter on may be found after its callers.
  for (std::vector<bool> before; before != keeps_;) {
    before = keeps_;
    findEscaping(*kernel_.body);
    for (const typed::Function& function : kernel_.functions) {
      if (function.body != nullptr) findEscaping(*function.body);
    }
  }
}

void Compiler::findEscaping(const typed::Statement& node) {
  if (node.expression != nullptr) findEscaping(*node.expression, false);
  if (node.step != nullptr) findEscaping(*node.step, false);
  for (const typed::StatementPtr& child : node.body) findEscaping(*child);
}

/// `isFollowed`: the value is an address that is used at once, or by a function that does not store it.
void Compiler::findEscaping(const Expression& node, bool isFollowed) {
  if (node.kind == Kind::LocalAddress && !isFollowed) escapes_[node.index] = true;
  const bool isTaken =
      node.kind == Kind::LocalAddress;  // of a parameter: the function can reach everything through it
  if (isTaken || (node.kind == Kind::Variable && !isFollowed)) keeps_[node.index] = true;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    if (node.operands[i] == nullptr) continue;
    bool isAddress = false;
    switch (node.kind) {
      case Kind::Load:
      case Kind::Store:
      case Kind::Atomic: isAddress = i == 0; break;
      case Kind::Update: isAddress = i == 1; break;
      case Kind::Call: isAddress = !keeps_[kernel_.functions[node.index].parameters[i]]; break;
      case Kind::PointerAdd: isAddress = i == 0 && isFollowed; break;
      case Kind::Sequence: isAddress = i == 1 && isFollowed; break;
      default: break;
    }
    findEscaping(*node.operands[i], isAddress);
  }
}

namespace {

void leaveOutNested(const typed::Statement& block, std::vector<bool>& isOwn) {
  for (const typed::StatementPtr& child : block.body) {
    if (child->firstVariable == child->endVariable) leaveOutNested(*child, isOwn);
    for (std::uint32_t v = child->firstVariable; v < child->endVariable; ++v) isOwn[v] = false;
  }
}

}  // namespace

/// Marks a variable, in the active lanes, as ended or as begun.
void Compiler::setEnded(std::uint32_t variable, bool hasEnded, SourceSpan span) {
  const std::uint32_t local = homes_[variable].local;
  if (!escapes_[variable] || local == VariableRegister::kInRegister || isOfFrame(variable)) return;
  std::uint16_t& mark = out_.locals[local].endedRegister;
  if (mark == LocalVariable::kNoRegister) mark = allocatePinned(false);
  emit(Op::Merge32, span, mark, constantRegister(hasEnded ? 1 : 0, false));
}

/// A block's own variables; variables of nested blocks begin with their blocks.
void Compiler::beginVariables(const typed::Statement& block) {
  std::vector<bool> isOwn(block.endVariable, true);
  leaveOutNested(block, isOwn);
  for (std::uint32_t v = block.firstVariable; v < block.endVariable; ++v)
    if (isOwn[v]) setEnded(v, false, block.span);
}

/// After a block, and at each place that reunites lanes that left it early with the others.
void Compiler::endVariables(const typed::Statement& block) {
  for (std::uint32_t v = block.firstVariable; v < block.endVariable; ++v) setEnded(v, true, block.span);
}

}  // namespace lanescope::compiler
