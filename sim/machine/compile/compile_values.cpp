#include <algorithm>
#include <set>

#include "sim/machine/compile/compiler_impl.h"
#include "sim/memory/address.h"

namespace lanescope::compiler {
namespace {

bool changesVariables(const typed::Expression& node) {
  return node.kind == Kind::SetVariable || std::ranges::any_of(node.operands, [](const auto& operand) {
           return operand != nullptr && changesVariables(*operand);
         });
}

VectorShape findShape(const Type& vector) {
  const Type& element = *vector.fields[0].type;
  return {static_cast<std::uint8_t>(element.size), static_cast<std::uint8_t>(vector.fields.size()),
          element.isSigned()};
}

}  // namespace

/// A type's scalar parts, each with its register from the first.
const std::vector<Part>& Compiler::parts(const Type& type) {
  const auto [entry, isNew] = parts_.try_emplace(&type);
  if (isNew) {
    std::uint32_t reg = 0;
    for (const Leaf& leaf : findLeaves(type)) {
      entry->second.push_back({leaf.type, leaf.offset, reg});
      reg += leaf.type->isWide() ? 2 : 1;
    }
  }
  return entry->second;
}

std::uint32_t Compiler::width(const Type& type) {
  const std::vector<Part>& all = parts(type);
  return all.empty() ? 0 : all.back().reg + (all.back().type->isWide() ? 2 : 1);
}

/// Copies every part of a value of the type.
void Compiler::copy(Op narrow, Op wide, SourceSpan span, const Type& type, Reg dst, Reg from) {
  for (const Part& part : parts(type)) {
    emit(part.type->isWide() ? wide : narrow, span, static_cast<Reg>(dst + part.reg),
         static_cast<Reg>(from + part.reg));
  }
}

/// Registers from the start of a value of the type to the part at the offset.
Compiler::Reg Compiler::partAt(const Type& type, std::uint32_t byteOffset) {
  for (const Part& part : parts(type)) {
    if (part.byteOffset >= byteOffset) return static_cast<Reg>(part.reg);
  }
  return 0;
}

Compiler::Reg Compiler::localAddress(std::uint32_t local, std::uint64_t byteOffset) {
  const std::uint64_t address = localBase(local) + byteOffset;
  if (local >= out_.firstFrameLocal) {
    const Reg reg = allocate(true);
    emit(Op::FrameAddress, out_.sites.back(), reg, 0, 0, 0, static_cast<std::int64_t>(address));
    return reg;
  }
  const auto [known, isNew] = localAddresses_.try_emplace(address, Reg{0});
  if (!isNew) return known->second;
  known->second = allocatePinned(true);
  out_.localAddresses.push_back({known->second, address});
  return known->second;
}

Compiler::Reg Compiler::makeStruct(const Expression& node) {
  const Reg dst = allocateRegisters(width(*node.type));
  Reg next = dst;
  for (const typed::ExpressionPtr& operand : node.operands) {
    const Reg value = expression(*operand);
    copy(Op::Move32, Op::Move64, operand->span, *operand->type, next, value);
    next = static_cast<Reg>(next + width(*operand->type));
  }
  if (!node.operands.empty()) return dst;
  for (const Part& part : parts(*node.type)) {
    const bool isWide = part.type->isWide();
    emit(isWide ? Op::Move64 : Op::Move32, node.span, static_cast<Reg>(dst + part.reg),
         constantRegister(0, isWide));
  }
  return dst;
}

Compiler::Reg Compiler::member(const Expression& node) {
  const Expression& object = *node.operands[0];
  const Reg base = expression(object);
  return static_cast<Reg>(base + partAt(*object.type, static_cast<std::uint32_t>(node.scale)));
}

Compiler::Reg Compiler::variable(const Expression& node) {
  const Home& home = homes_[node.index];
  const auto offset = static_cast<std::uint32_t>(node.scale);
  const typed::Variable& variable = kernel_.variables[node.index];
  if (variable.isAddressed) return load(node, *node.type, localAddress(home.local, offset));
  return static_cast<Reg>(home.reg + partAt(*variable.type, offset));
}

Compiler::Reg Compiler::moved(SourceSpan span, Reg address, std::uint32_t bytes) {
  if (bytes == 0) return address;
  const Reg dst = allocate(true);
  emit(Op::OffsetI32, span, dst, address, constantRegister(1, false), 0, bytes);
  return dst;
}

/// Loads a value: a vector in one access, a struct part by part.
Compiler::Reg Compiler::load(const Expression& node, const Type& type, Reg address) {
  static constexpr std::array<Op, 4> kNarrow = {Op::LoadU8, Op::LoadI8, Op::LoadU16, Op::LoadI16};
  if (type.isVector) {
    const Reg dst = allocateRegisters(width(type));
    emit(Op::LoadVector, node.span, dst, address, 0, 0, findShape(type).packed());
    out_.code.back().d = node.isVolatile ? 1 : 0;
    return dst;
  }
  if (type.isStruct()) {
    const Reg dst = allocateRegisters(width(type));
    for (const Part& part : parts(type)) {
      const std::uint32_t mark = next_;
      const Reg value = load(node, *part.type, moved(node.span, address, part.byteOffset));
      emit(part.type->isWide() ? Op::Move64 : Op::Move32, node.span, static_cast<Reg>(dst + part.reg), value);
      next_ = mark;
    }
    return dst;
  }
  Op op = type.isWide() ? Op::Load64 : Op::Load32;
  if (type.size < 4) op = kNarrow[(type.size == 2 ? 2u : 0u) + (type.isSigned() ? 1u : 0u)];
  const Reg dst = allocate(type.isWide());
  emit(op, node.span, dst, address);
  out_.code.back().d = node.isVolatile ? 1 : 0;
  return dst;
}

void Compiler::emitStore(SourceSpan span, const Type& type, Reg address, Reg value, bool isVolatile) {
  static constexpr std::array<Op, 4> kStores = {Op::Store8, Op::Store16, Op::Store32, Op::Store64};
  if (type.isVector) {
    emit(Op::StoreVector, span, 0, address, value, 0, findShape(type).packed());
    out_.code.back().d = isVolatile ? 1 : 0;
    return;
  }
  for (const Part& part : parts(type)) {
    const std::uint32_t mark = next_;
    const std::uint32_t size = part.type->size;
    const std::size_t which = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
    emit(kStores[which], span, 0, moved(span, address, part.byteOffset), static_cast<Reg>(value + part.reg));
    out_.code.back().d = isVolatile ? 1 : 0;
    next_ = mark;
  }
}

/// The value of what is evaluated first: if it is a variable that the next one changes (`a[i++] = i`,
/// `n << (n = 2)`), a copy.
Compiler::Reg Compiler::settled(Reg first, const Type& type, const Expression& next) {
  if (first >= variableEnd_ || !changesVariables(next)) return first;
  const Reg dst = allocateRegisters(width(type));
  copy(Op::Move32, Op::Move64, next.span, type, dst, first);
  return dst;
}

Compiler::Reg Compiler::store(const Expression& node) {
  const Expression& right = *node.operands[1];
  const Reg value = settled(expression(right), *right.type, *node.operands[0]);
  const Reg address = expression(*node.operands[0]);
  emitStore(node.span, *node.type, address, value, node.isVolatile);
  return value;
}

Compiler::Reg Compiler::update(const Expression& node) {
  const Expression* right = node.operands[0].get();
  const Reg held = right == nullptr ? Reg{0} : settled(expression(*right), *right->type, *node.operands[1]);
  const Reg address = expression(*node.operands[1]);
  const Reg old = load(node, *node.type, address);
  held_.push_back({old, held});
  const Reg value = expression(*node.operands[2]);
  held_.pop_back();
  emitStore(node.span, *node.type, address, value, node.isVolatile);
  return node.yieldsOld ? old : value;
}

/// Sets a variable, or a part of it, in the active lanes.
void Compiler::assign(std::uint32_t variable, std::uint32_t byteOffset, const Type& type, Reg value,
                      SourceSpan span) {
  const Home& home = homes_[variable];
  const typed::Variable& declared = kernel_.variables[variable];
  if (declared.isAddressed) {
    emitStore(span, type, localAddress(home.local, byteOffset), value);
    return;
  }
  const Reg first = static_cast<Reg>(home.reg + partAt(*declared.type, byteOffset));
  const auto& all = parts(*declared.type);
  std::uint32_t index = home.firstVariable;
  for (const Part& part : all) {
    if (part.byteOffset >= byteOffset) break;
    ++index;
  }
  for (const Part& part : parts(type)) {
    emit(part.type->isWide() ? Op::Set64 : Op::Set32, span, static_cast<Reg>(first + part.reg),
         static_cast<Reg>(value + part.reg), 0, 0, index++);
  }
}

Compiler::Reg Compiler::setVariable(const Expression& node) {
  const typed::Variable& variable = kernel_.variables[node.index];
  const auto offset = static_cast<std::uint32_t>(node.scale);
  const Reg value = expression(*node.operands[0]);
  const Home& home = homes_[node.index];
  Reg old = 0;
  if (node.yieldsOld) {
    if (variable.isAddressed) {
      old = load(node, *node.type, localAddress(home.local, offset));
    } else {
      old = allocateRegisters(width(*node.type));
      const Reg held = static_cast<Reg>(home.reg + partAt(*variable.type, offset));
      copy(Op::Move32, Op::Move64, node.span, *node.type, old, held);
    }
  }
  assign(node.index, offset, *node.type, value, node.span);
  if (node.yieldsOld) return old;
  return variable.isAddressed ? value : static_cast<Reg>(home.reg + partAt(*variable.type, offset));
}

namespace {

/// True if an atomic adds the constant 1. atomicInc does if it never wraps.
bool addsOne(const typed::Expression& atomic) {
  const typed::Expression* operand = atomic.operands[1].get();
  while (operand->kind == typed::Expression::Kind::Convert) operand = operand->operands[0].get();
  if (operand->kind != typed::Expression::Kind::Constant) return false;
  const auto value = static_cast<std::uint32_t>(operand->bits);
  return (atomic.atomic == typed::AtomicOp::Add && value == 1) ||
         (atomic.atomic == typed::AtomicOp::Increment && value == UINT32_MAX);
}

}  // namespace

Compiler::Reg Compiler::atomic(const Expression& node, bool isResultUsed) {
  const Reg address = expression(*node.operands[0]);
  const Reg operand = expression(*node.operands[1]);
  const Reg other = node.operands.size() > 2 ? expression(*node.operands[2]) : Reg{0};
  const AtomicShape shape{node.atomic, node.type->kind, isResultUsed, addsOne(node), node.isOfGroup};
  out_.isOrderSensitive = out_.isOrderSensitive || isResultUsed || node.type->isFloating() ||
                          node.type->isHalf() || node.atomic >= typed::AtomicOp::Exchange;
  return result(Op::Atomic, node, node.type->isWide(), address, operand, other, shape.packed());
}

/// Lowers an expression whose value a caller drops: an atomic that the function returns is a reduction then,
/// as in its caller.
void Compiler::effects(const Expression& node) {
  if (OwnStack::isLow()) throw TooLarge{true};
  const auto isPlain = [](const Expression& operand) {
    return operand.kind == Expression::Kind::Constant || operand.kind == Expression::Kind::Variable;
  };
  switch (node.kind) {
    case Expression::Kind::SetVariable:
    case Expression::Kind::Convert:
    case Expression::Kind::Negate: return effects(*node.operands[0]);
    case Expression::Kind::Binary:
      if (isPlain(*node.operands[1])) return effects(*node.operands[0]);
      break;
    case Expression::Kind::Atomic: atomic(node, false); return;
    case Expression::Kind::Call: call(node, false); return;
    default: break;
  }
  expression(node);
}

Compiler::Reg Compiler::call(const Expression& node, bool isResultUsed) {
  if (isRecursive(node.index)) return callRecursive(node);
  const typed::Function& function = kernel_.functions[node.index];
  std::vector<Reg> arguments(node.operands.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    // An argument may be a variable that a later argument changes.
    const std::size_t next = node.isRightFirst ? arguments.size() - 1 - i : i;
    const typed::ExpressionPtr& argument = node.operands[next];
    const Reg value = expression(*argument);
    const bool mayChange = value < variableEnd_ && node.operands.size() > 1;
    Reg kept = value;
    if (mayChange && std::ranges::any_of(node.operands, [](const auto& o) { return changesVariables(*o); })) {
      kept = allocateRegisters(width(*argument->type));
      copy(Op::Move32, Op::Move64, argument->span, *argument->type, kept, value);
    }
    arguments[next] = kept;
  }
  for (const std::uint32_t parameter : function.parameters) setEnded(parameter, false, node.span);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    assign(function.parameters[i], 0, *node.operands[i]->type, arguments[i], node.operands[i]->span);
  }
  const std::uint32_t callerScope = std::exchange(functionScope_, depth_);
  const bool isCallerDropped = std::exchange(isResultDropped_, !isResultUsed);
  auto callerBreaks = std::exchange(breakScopes_, {});
  auto callerContinues = std::exchange(continueScopes_, {});
  openScope(Op::ScopeBegin, node.span);
  body(*function.body);
  closeScope(Op::ScopeEnd, node.span);
  endVariables(*function.body);
  for (const std::uint32_t parameter : function.parameters) setEnded(parameter, true, node.span);
  functionScope_ = callerScope;
  isResultDropped_ = isCallerDropped;
  breakScopes_ = std::move(callerBreaks);
  continueScopes_ = std::move(callerContinues);
  if (!function.returnsValue || !isResultUsed) return 0;
  const Type& type = *kernel_.variables[function.result].type;
  const Home& home = homes_[function.result];
  const Reg kept = allocateRegisters(width(type));  // the next call writes the variable again
  copy(Op::Move32, Op::Move64, node.span, type, kept, home.reg);
  return kept;
}

// Functions that can call themselves, directly or not: each is lowered once, behind the kernel. A caller
// saves on the warp's stack the values that it needs afterwards: the registers of its temporaries and, if it
// may be called again before it continues, those of its own variables.

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
  std::vector<Reg> values(node.operands.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t next = node.isRightFirst ? values.size() - 1 - i : i;
    const typed::ExpressionPtr& argument = node.operands[next];
    const Reg value = expression(*argument);
    values[next] = allocateRegisters(width(*argument->type));
    copy(Op::Move32, Op::Move64, argument->span, *argument->type, values[next], value);
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
