// Functions that can call themselves, directly or not: each is lowered once, behind the kernel. A caller
// saves on the warp's stack the values that it needs afterwards: the registers of its temporaries and, if it
// may be called again before it continues, those of its own variables.
#include <algorithm>
#include <set>

#include "sim/machine/compile/compiler_impl.h"

namespace lanescope::compiler {
namespace {

/// The functions and variables that a function's body names.
struct Named {
  std::set<std::uint32_t> functions;
  std::set<std::uint32_t> variables;

  void look(const typed::Expression* node) {
    if (node == nullptr) return;
    if (node->kind == Kind::Call) functions.insert(node->index);
    if (node->kind == Kind::Variable || node->kind == Kind::LocalAddress || node->kind == Kind::SetVariable)
      variables.insert(node->index);
    for (const typed::ExpressionPtr& operand : node->operands) look(operand.get());
  }
  void look(const typed::Statement* node) {
    if (node == nullptr) return;
    look(node->expression.get());
    look(node->step.get());
    for (const typed::StatementPtr& child : node->body) look(child.get());
  }
};

/// Marks the functions that reach themselves (strongly connected components, after Tarjan).
class CycleFinder {
 public:
  explicit CycleFinder(const std::vector<Named>& named)
      : named_(named), order_(named.size(), 0), low_(named.size(), 0), isOpen_(named.size(), false) {}

  /// Returns, by function, if it can call itself; only functions reached from these are visited.
  std::vector<bool> run(const std::set<std::uint32_t>& called) {
    isInCycle_.assign(named_.size(), false);
    for (const std::uint32_t f : called) {
      if (order_[f] == 0) visit(f);
    }
    return std::move(isInCycle_);
  }

 private:
  void visit(std::uint32_t f) {
    order_[f] = low_[f] = ++count_;
    open_.push_back(f);
    isOpen_[f] = true;
    for (const std::uint32_t callee : named_[f].functions) {
      if (order_[callee] == 0) visit(callee);
      if (isOpen_[callee]) low_[f] = std::min(low_[f], low_[callee]);
    }
    if (low_[f] != order_[f]) return;
    const auto first = std::ranges::find(open_, f);
    const bool isCycle = open_.end() - first > 1 || named_[f].functions.contains(f);
    for (auto member = first; member != open_.end(); ++member) {
      isOpen_[*member] = false;
      isInCycle_[*member] = isCycle;
    }
    open_.erase(first, open_.end());
  }

  const std::vector<Named>& named_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> low_;
  std::vector<bool> isOpen_;
  std::vector<bool> isInCycle_;
  std::vector<std::uint32_t> open_;
  std::uint32_t count_ = 0;
};

}  // namespace

/// Finds the functions that can call themselves, and the variables that each call of one needs anew.
/// Variables of functions inlined into them are left out: they end before the next call.
void Compiler::findRecursive() {
  functions_.resize(kernel_.functions.size());
  ofFrame_.assign(kernel_.variables.size(), false);
  std::vector<Named> named(kernel_.functions.size());
  for (std::size_t f = 0; f < named.size(); ++f) {
    const typed::Function& function = kernel_.functions[f];
    named[f].look(function.body.get());
    named[f].variables.insert(function.parameters.begin(), function.parameters.end());
    if (function.returnsValue) named[f].variables.insert(function.result);
    for (const std::uint32_t outer : kernel_.parameters) named[f].variables.erase(outer);
  }
  Named ofKernel;
  ofKernel.look(kernel_.body.get());
  const std::vector<bool> isInCycle = CycleFinder(named).run(ofKernel.functions);
  for (std::size_t f = 0; f < named.size(); ++f) {
    functions_[f].isRecursive = isInCycle[f];
    if (!isInCycle[f]) continue;
    out_.makesCalls = true;
    functions_[f].variables.assign(named[f].variables.begin(), named[f].variables.end());
    for (const std::uint32_t variable : functions_[f].variables) ofFrame_[variable] = true;
  }
}

Compiler::Reg Compiler::allocatePinnedRegisters(std::uint32_t count) {
  Reg first = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Reg reg = allocatePinned(false);
    if (i == 0) first = reg;
  }
  return first;
}

/// The registers of a function's own variables, as ranges.
std::vector<std::pair<Compiler::Reg, std::uint32_t>> Compiler::ownRegisters(std::uint32_t function) {
  std::vector<std::pair<Reg, std::uint32_t>> ranges;
  for (const std::uint32_t v : functions_[function].variables) {
    const typed::Variable& variable = kernel_.variables[v];
    const std::uint32_t count = variable.isAddressed ? 0 : width(*variable.type);
    if (count == 0) continue;
    if (!ranges.empty() && ranges.back().first + ranges.back().second == homes_[v].reg) {
      ranges.back().second += count;
    } else {
      ranges.emplace_back(homes_[v].reg, count);
    }
  }
  return ranges;
}

Compiler::Reg Compiler::callRecursive(const Expression& node) {
  const typed::Function& callee = kernel_.functions[node.index];
  Recursive& known = functions_[node.index];
  std::vector<std::pair<Reg, std::uint32_t>> kept;
  if (function_) kept = ownRegisters(*function_);
  if (next_ > variableEnd_) kept.emplace_back(static_cast<Reg>(variableEnd_), next_ - variableEnd_);
  if (known.calls.empty()) {
    for (const std::uint32_t parameter : callee.parameters)
      known.arguments.push_back(allocatePinnedRegisters(width(*kernel_.variables[parameter].type)));
    if (callee.returnsValue)
      known.result = allocatePinnedRegisters(width(*kernel_.variables[callee.result].type));
  }
  std::vector<Reg> values;
  for (const typed::ExpressionPtr& argument : node.operands) {
    const Reg value = expression(*argument);
    values.push_back(allocateRegisters(width(*argument->type)));
    copy(Op::Move32, Op::Move64, argument->span, *argument->type, values.back(), value);
  }
  // A call without active lanes is skipped: this ends the recursion.
  const std::size_t skip = emit(Op::JumpIfNone, node.span);
  for (const auto& [first, count] : kept) emit(Op::Push, node.span, 0, first, 0, 0, count);
  for (std::size_t i = 0; i < values.size(); ++i)
    copy(Op::Move32, Op::Move64, node.operands[i]->span, *node.operands[i]->type, known.arguments[i],
         values[i]);
  known.calls.push_back(emit(Op::Call, node.span));
  for (auto range = kept.rbegin(); range != kept.rend(); ++range)
    emit(Op::Pop, node.span, range->first, 0, 0, 0, range->second);
  if (function_) tellRestored(*function_, node.span);
  Reg result = 0;
  if (callee.returnsValue) {
    const Type& type = *kernel_.variables[callee.result].type;
    result = allocateRegisters(width(type));
    copy(Op::Move32, Op::Move64, node.span, type, result, known.result);
  }
  land(skip);
  return result;
}

/// Sets each variable to its restored value after a call, for the observers.
void Compiler::tellRestored(std::uint32_t function, SourceSpan span) {
  for (const std::uint32_t v : functions_[function].variables) {
    const typed::Variable& variable = kernel_.variables[v];
    const bool isOwn = !variable.isAddressed && !variable.name.ends_with(")");
    if (isOwn) assign(v, 0, *variable.type, homes_[v].reg, span);
  }
}

/// Lowers the functions that are called and the functions that they call.
void Compiler::recursiveFunctions() {
  for (bool isMore = true; isMore;) {
    isMore = false;
    for (std::uint32_t f = 0; f < functions_.size(); ++f) {
      if (functions_[f].calls.empty() || functions_[f].isDone) continue;
      recursiveFunction(f);
      isMore = true;
    }
  }
  for (const Recursive& function : functions_) {
    for (const std::size_t call : function.calls) out_.code[call].imm = function.entry;
  }
}

void Compiler::recursiveFunction(std::uint32_t index) {
  const typed::Function& function = kernel_.functions[index];
  Recursive& known = functions_[index];
  known.isDone = true;
  known.entry = here();
  function_ = index;
  depth_ = 0;
  next_ = variableEnd_;
  functionScope_ = 0;
  breakScopes_.clear();
  continueScopes_.clear();
  const SourceSpan span = function.body->span;
  openScope(Op::ScopeBegin, span);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const typed::Variable& parameter = kernel_.variables[function.parameters[i]];
    assign(function.parameters[i], 0, *parameter.type, known.arguments[i], parameter.declared);
  }
  body(*function.body);
  closeScope(Op::ScopeEnd, span);
  if (function.returnsValue) {
    const typed::Variable& result = kernel_.variables[function.result];
    copy(Op::Move32, Op::Move64, span, *result.type, known.result, homes_[function.result].reg);
  }
  emit(Op::Return, span);
}

}  // namespace lanescope::compiler
