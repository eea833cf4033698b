// Virtual functions. Where C++ has a pointer to the table of its class, an object has the number of the
// class, the same in every kernel; a call compares it with those of the classes of the text, and calls what
// is theirs.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sim/language/check/checker_impl.h"

namespace lanescope::checker {
namespace {

/// A value of the type that nobody reads.
typed::ExpressionPtr nothing(const Type* type, SourceSpan span) {
  auto result = std::make_unique<typed::Expression>();
  result->kind = type->isStruct() ? typed::Expression::Kind::Make : typed::Expression::Kind::Constant;
  result->type = type;
  result->span = span;
  return result;
}

}  // namespace

bool Checker::isPolymorphic(const Type* type) const {
  return type->isStruct() && type->field(kClassField) != nullptr;
}

/// The value of a variable, all of it.
Checker::ExpressionPtr Checker::wholeVariable(std::uint32_t index, SourceSpan span) {
  ExpressionPtr result = make(Kind::Variable, kernel_.variables[index].type, span);
  result->index = index;
  return result;
}

/// The field with the number of the class, unless its first base has it.
void Checker::addClassNumber(const syntax::Structure& node, std::vector<Field>& fields, ClassInfo& info) {
  std::size_t bases = 0;
  for (const Field& field : fields) bases += isPolymorphic(field.type) ? 1 : 0;
  if (bases > 1 || (bases == 1 && !isPolymorphic(fields.front().type))) {
    fail(node.span, fmt::format("{} has a base with virtual functions that is not its first", node.name),
         "inherit from one class with virtual functions, and name it first");
  }
  if (!node.hasVirtual || bases > 0) return;
  Field number;
  number.name = kClassField;
  number.type = scalar(Type::Kind::U64);
  fields.insert(fields.begin(), std::move(number));
  info.declared.insert(info.declared.begin(), nullptr);
}

/// FNV-1a, 64 bits, of the class's name; never 0.
std::uint64_t Checker::classNumber(const Type& type) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : type.structName) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash | 1;
}

/// The default constructor of a class that declares none.
const syntax::Function& Checker::implicitConstructor(const syntax::Structure& node) {
  syntax::Function& function = implicitConstructors_[&node];
  function.role = Role::Constructor;
  function.name = node.name;
  function.span = node.span;
  function.isDefaulted = true;
  return function;
}

/// From here on the object of the constructor is one of its class, and no more of its base.
typed::StatementPtr Checker::markClass(SourceSpan span) {
  const Type* const type = this_->type->element;
  const Type* const number = scalar(Type::Kind::U64);
  ExpressionPtr address = make(Kind::Variable, this_->type, span);
  address->index = this_->variable;
  address = moved(std::move(address), type->field(kClassField)->offset, number, false);
  return expressionStatement(
      make(Kind::Store, number, span, std::move(address), constant(number, classNumber(*type), span)), span);
}

/// The object that is given, or its base part, as an object of its static type.
Checker::ExpressionPtr Checker::sliced(ExpressionPtr part) {
  const Type* const type = part->type;
  const SourceSpan span = part->span;
  const Type* const number = scalar(Type::Kind::U64);
  const std::uint32_t variable = addVariable("(base)", type, span, false);
  ExpressionPtr mark = setVariable(variable, type->field(kClassField)->offset, number,
                                   constant(number, classNumber(*type), span), span);
  ExpressionPtr object = wholeVariable(variable, span);
  return make(Kind::Sequence, type, span, setVariable(variable, 0, type, std::move(part), span),
              make(Kind::Sequence, type, span, std::move(mark), std::move(object)));
}

/// Assigns an object to a place whose object may be one of a derived class: it remains one.
Checker::ExpressionPtr Checker::storeObject(Place target, ExpressionPtr object, SourceSpan span) {
  const Type* const type = target.type;
  const Type* const number = scalar(Type::Kind::U64);
  const std::uint32_t offset = type->field(kClassField)->offset;
  const std::uint32_t held = addVariable("(object)", type, span, false);
  ExpressionPtr first = setVariable(held, 0, type, std::move(object), span);
  ExpressionPtr value = wholeVariable(held, span);
  ExpressionPtr classOfTarget;
  ExpressionPtr store;
  if (target.isVariable) {
    Place part;
    part.isVariable = true;
    part.variable = target.variable;
    part.offset = target.offset + offset;
    part.type = number;
    part.span = span;
    classOfTarget = load(std::move(part));
    store = setVariable(target.variable, target.offset, type, std::move(value), span);
  } else {
    const Type* const pointer = target.address->type;
    const std::uint32_t place = addVariable("(place)", pointer, span, false);
    const auto address = [&] { return wholeVariable(place, span); };
    first = make(Kind::Sequence, type, span, setVariable(place, 0, pointer, std::move(target.address), span),
                 std::move(first));
    classOfTarget = make(Kind::Load, number, span, moved(address(), offset, number, true));
    store = make(Kind::Store, type, span, address(), std::move(value));
  }
  ExpressionPtr mark = setVariable(held, offset, number, std::move(classOfTarget), span);
  return make(Kind::Sequence, type, span, std::move(first),
              make(Kind::Sequence, type, span, std::move(mark), std::move(store)));
}

/// True for a function of the name and with the parameters of the candidate.
bool Checker::overrides(const Candidate& known, const syntax::Function& method, const Type* owner) {
  const syntax::Function& function = *known.function;
  if (method.name != function.name || method.role != Role::Method || method.isConst != function.isConst ||
      !method.templateParameters.empty() || method.parameters.size() != known.parameters.size())
    return false;
  const Elsewhere elsewhere(*this, {classOf(owner)->scope});
  for (std::size_t i = 0; i < method.parameters.size(); ++i) {
    if (parameterType(method.parameters[i]) != known.parameters[i]) return false;
  }
  return true;
}

/// True where the function, or one of a base that it overrides, is virtual.
bool Checker::isVirtual(const Candidate& candidate, const Type* type) {
  for (const syntax::Function& method : classOf(type)->node->methods) {
    if (method.isVirtual && overrides(candidate, method, type)) return true;
  }
  return std::ranges::any_of(type->fields, [&](const Field& field) {
    return field.isBase && isPolymorphic(field.type) && isVirtual(candidate, field.type);
  });
}

/// The class of a variable is known; behind a pointer or a reference it is not.
bool Checker::isVirtualCall(const Candidate& candidate, const Operand& object) {
  const Type* const owner = candidate.callee.owner;
  const bool isOfObject =
      owner != nullptr && candidate.function->role == Role::Method && isPolymorphic(owner);
  return isOfObject && object.place && !object.place->isVariable && isVirtual(candidate, owner);
}

/// What the function is for objects of the type: its own, or the nearest base's; none where it is pure.
std::optional<Callee> Checker::overrider(const Candidate& candidate, const Type* type, std::uint32_t offset) {
  for (const syntax::Function& method : classOf(type)->node->methods) {
    if (!overrides(candidate, method, type)) continue;
    if (method.body == nullptr && method.diagnostics.empty()) return std::nullopt;
    return Callee{&method, type, offset};
  }
  for (const Field& field : type->fields) {
    if (!field.isBase || classOf(field.type) == nullptr) continue;
    if (auto found = overrider(candidate, field.type, offset + field.offset)) return found;
  }
  return std::nullopt;
}

/// Makes the classes known that `new Stack<int>` asks for, also where another kernel does.
void Checker::resolveMade(const syntax::Expression& node) {
  if (node.kind == syntax::Expression::Kind::New && node.type->arguments != nullptr &&
      classTemplates_.contains(node.type->base)) {
    const Elsewhere elsewhere(*this, {});
    try {
      resolve(*node.type);
    } catch (const CheckFault&) {  // of a template's own parameters
    }
  }
  for (const syntax::ExpressionPtr& operand : node.operands) {
    if (operand != nullptr) resolveMade(*operand);
  }
}

void Checker::resolveMade(const syntax::Statement& node) {
  for (const syntax::Expression* one : {node.condition.get(), node.step.get(), node.expression.get()}) {
    if (one != nullptr) resolveMade(*one);
  }
  for (const syntax::Declarator& declarator : node.declarators) {
    if (declarator.initial != nullptr) resolveMade(*declarator.initial);
  }
  for (const syntax::StatementPtr& child : node.body) {
    if (child != nullptr) resolveMade(*child);
  }
}

/// The class and those that derive from it, of the text and of its templates as far as they are in use or
/// made by new.
std::vector<const Type*> Checker::classesOf(const Type* base) {
  const std::size_t before = diagnostics_.size();
  for (const syntax::FileItem& item : unit_.items) {
    const bool mayDerive = item.structure && item.diagnostics.empty() && !item.structure->bases.empty() &&
                           item.structure->templateParameters.empty() && !item.structure->specialised;
    if (mayDerive) find(item.structure->name);
  }
  for (const syntax::Function& function : unit_.functions) {
    if (function.body != nullptr) resolveMade(*function.body);
  }
  diagnostics_.resize(before);  // of classes that this call may not be of
  std::vector<const Type*> found;
  for (const auto& [type, info] : classes_) {
    std::uint32_t offset = 0;
    if (info.isComplete && !info.isFaulty && (type == base || isDerived(type, base, offset)) && offset == 0)
      found.push_back(type);
  }
  std::ranges::sort(found, {}, &Type::structName);
  return found;
}

/// A call of one class's function; `held` are variables with the object's address and the arguments.
Checker::ExpressionPtr Checker::callOfClass(const syntax::Expression& node, const Callee& callee,
                                            const Candidate& candidate,
                                            const std::vector<std::uint32_t>& held, const Type* result) {
  Candidate own;
  own.callee = callee;
  own.function = callee.function;
  own.bound = classOf(callee.owner)->scope;
  own.parameters = candidate.parameters;
  bindClassParameters(*callee.function, classOf(callee.owner)->arguments, own.bound);
  const std::uint32_t index = instantiate(own, node);
  ExpressionPtr call = make(Kind::Call, result, node.span);
  call->index = index;
  for (const std::uint32_t variable : held) {
    ExpressionPtr value = make(Kind::Variable, kernel_.variables[variable].type, node.span);
    value->index = variable;
    if (call->operands.empty())
      value = moved(std::move(value), callee.offset, callee.owner, callee.function->isConst);
    call->operands.push_back(std::move(value));
  }
  return call;
}

Checker::ExpressionPtr Checker::virtualCall(const syntax::Expression& node, const Candidate& candidate,
                                            std::vector<Operand> arguments, Operand object) {
  const SourceSpan span = node.span;
  const Type* const owner = candidate.callee.owner;
  const syntax::Function& function = *candidate.function;
  std::vector<ExpressionPtr> first;
  std::vector<std::uint32_t> held;
  const auto hold = [&](std::string_view name, ExpressionPtr value) {
    const Type* const type = value->type;
    const std::uint32_t variable = addVariable(std::string(name), type, span, false);
    first.push_back(setVariable(variable, 0, type, std::move(value), span));
    return variable;
  };
  ExpressionPtr address = objectAddress(std::move(object));
  const bool isConst = address->type->elementIsConst;
  held.push_back(hold("(object)", moved(std::move(address), candidate.callee.offset, owner, isConst)));
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const bool isGiven = i < arguments.size();
    const Elsewhere elsewhere(*this, isGiven ? scopes_ : std::vector<Scope>{candidate.bound});
    held.push_back(hold("(argument)", argumentFor(function.parameters[i], candidate.parameters[i],
                                                  isGiven ? std::move(arguments[i])
                                                          : operand(*function.parameters[i].initial))));
  }
  const auto variable = [&](std::uint32_t index) { return wholeVariable(index, span); };
  const Type* const number = scalar(Type::Kind::U64);
  const std::uint32_t classOfObject =
      hold("(class)", make(Kind::Load, number, span,
                           moved(variable(held[0]), owner->field(kClassField)->offset, number, true)));
  const Type* result = nullptr;
  {
    const Elsewhere elsewhere(*this, {candidate.bound});
    result = resolve(function.returnType);
    if (function.returnsReference) {
      const bool isConstResult = function.returnType.isConst && function.returnType.pointers == 0;
      result = kernel_.types->pointerTo(result, isConstResult, false);
    }
  }
  ExpressionPtr chosen =
      make(Kind::Assert, scalar(Type::Kind::Void), span, constant(scalar(Type::Kind::Bool), 0, span));
  chosen->index = 1;
  if (result->kind != Type::Kind::Void)
    chosen = make(Kind::Sequence, result, span, std::move(chosen), nothing(result, at(span)));
  for (const Type* const type : classesOf(owner)) {
    const std::optional<Callee> callee = overrider(candidate, type, 0);
    if (!callee) continue;
    ExpressionPtr test = make(Kind::Binary, scalar(Type::Kind::Bool), span, variable(classOfObject),
                              constant(number, classNumber(*type), span));
    test->op = typed::BinaryOp::Equal;
    ExpressionPtr either = make(Kind::Conditional, result, span, std::move(test),
                                callOfClass(node, *callee, candidate, held, result));
    either->operands.push_back(std::move(chosen));
    chosen = std::move(either);
  }
  for (auto set = first.rbegin(); set != first.rend(); ++set)
    chosen = make(Kind::Sequence, result, span, std::move(*set), std::move(chosen));
  if (!function.returnsReference) return chosen;
  ExpressionPtr referred = make(Kind::Load, result->element, span, std::move(chosen));
  referred->isPlace = true;
  return referred;
}

}  // namespace lanescope::checker
