// Virtual functions. Instead of C++'s pointer to the table of its class, an object has the number of the
// class, the same in every kernel. A call compares it with the numbers of the text's classes and calls the
// function of the class that matches.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/language/check/checker_impl.h"

namespace lanescope::checker {
namespace {

/// An unused value of the type.
typed::ExpressionPtr nothing(const Type* type, SourceSpan span) {
  auto result = std::make_unique<typed::Expression>();
  result->kind = type->isStruct() ? typed::Expression::Kind::Make : typed::Expression::Kind::Constant;
  result->type = type;
  result->span = span;
  return result;
}

void numberOffsets(const Type* type, std::uint32_t at, std::vector<std::uint32_t>& offsets) {
  for (const Field& field : type->fields) {
    if (field.name == kClassField) offsets.push_back(at + field.offset);
    if (field.isBase && isPolymorphic(field.type)) numberOffsets(field.type, at + field.offset, offsets);
  }
}

/// The offsets of the base in objects of the type, which can be the base itself.
void splitParts(const Type* type, const Type* base, std::uint32_t offset, std::vector<std::uint32_t>& parts) {
  if (type == base) parts.push_back(offset);
  for (const Field& field : type->fields) {
    if (field.isBase) splitParts(field.type, base, offset + field.offset, parts);
  }
}

}  // namespace

bool isPolymorphic(const Type* type) { return type->isStruct() && type->field(kClassField) != nullptr; }

/// The field with the number of the class, unless its first base has it.
void Checker::addClassNumber(const syntax::Structure& node, std::vector<Field>& fields, ClassInfo& info) {
  const bool hasOne =
      std::ranges::any_of(fields, [&](const Field& field) { return isPolymorphic(field.type); });
  if (hasOne && !isPolymorphic(fields.front().type)) {
    fail(node.span,
         fmt::format("{} has a base with virtual functions, but its first base has none: the layout of such "
                     "a class is not simulated",
                     node.name),
         "name a base with virtual functions first");
  }
  if (!node.hasVirtual || hasOne) return;
  Field number{.name = std::string(kClassField), .type = scalar(Type::Kind::U64)};
  fields.insert(fields.begin(), std::move(number));
  info.declared.insert(info.declared.begin(), nullptr);
}

/// FNV-1a, 64 bits, of the class's name and of the number's offset in its objects. Never 0.
std::uint64_t classNumber(const Type& type, std::uint32_t offset) {
  std::uint64_t hash = 14695981039346656037u;
  const auto add = [&](std::uint64_t byte) { hash = (hash ^ byte) * 1099511628211u; };
  for (const char c : type.structName) add(static_cast<unsigned char>(c));
  for (; offset > 0; offset >>= 8) add(offset & 0xff);
  return hash | 1;
}

/// The offsets of the class's numbers in its objects: one at their start, one in each other base that has
/// virtual functions and is not a first base.
std::vector<std::uint32_t> numberOffsets(const Type* type) {
  std::vector<std::uint32_t> offsets;
  numberOffsets(type, 0, offsets);
  return offsets;
}

/// Makes the object at the address one of the type, in place of another class that it had as a part.
Checker::ExpressionPtr Checker::marked(const Type* type, const typed::Expression& address, SourceSpan span) {
  const Type* const number = scalar(Type::Kind::U64);
  ExpressionPtr result;
  for (const std::uint32_t offset : numberOffsets(type)) {
    ExpressionPtr store = make(Kind::Store, number, span, moved(makeCopy(address), offset, number, false),
                               constant(number, classNumber(*type, offset), span));
    result = result == nullptr ? std::move(store)
                               : make(Kind::Sequence, number, span, std::move(result), std::move(store));
  }
  return result;
}

/// From here on the object of the constructor has its class, no longer its base.
typed::StatementPtr Checker::markClass(SourceSpan span) {
  const ExpressionPtr address = wholeVariable(this_->variable, span);
  return expressionStatement(marked(this_->type->element, *address, span), span);
}

/// The object that is given, or its base part, as an object of its static type.
Checker::ExpressionPtr Checker::sliced(ExpressionPtr part) {
  const Type* const type = part->type;
  const SourceSpan span = part->span;
  const Type* const number = scalar(Type::Kind::U64);
  const std::uint32_t variable = addVariable("(base)", type, span, false);
  ExpressionPtr result = wholeVariable(variable, span);
  for (const std::uint32_t offset : numberOffsets(type)) {
    ExpressionPtr mark =
        setVariable(variable, offset, number, constant(number, classNumber(*type, offset), span), span);
    result = make(Kind::Sequence, type, span, std::move(mark), std::move(result));
  }
  return make(Kind::Sequence, type, span, setVariable(variable, 0, type, std::move(part), span),
              std::move(result));
}

/// Assigns an object to a glvalue whose object may be one of a derived class. It keeps its class.
Checker::ExpressionPtr Checker::storeObject(Glvalue target, ExpressionPtr object, SourceSpan span) {
  const Type* const type = target.type;
  const Type* const number = scalar(Type::Kind::U64);
  const std::uint32_t held = addVariable("(object)", type, span, false);
  ExpressionPtr first = setVariable(held, 0, type, std::move(object), span);
  std::uint32_t pointed = 0;  // a variable with the target's address
  if (!target.isVariable) {
    const Type* const pointer = target.address->type;
    pointed = addVariable("(address)", pointer, span, false);
    first = make(Kind::Sequence, type, span,
                 setVariable(pointed, 0, pointer, std::move(target.address), span), std::move(first));
  }
  ExpressionPtr value = wholeVariable(held, span);
  ExpressionPtr result = target.isVariable
                             ? setVariable(target.variable, target.offset, type, std::move(value), span)
                             : make(Kind::Store, type, span, wholeVariable(pointed, span), std::move(value));
  for (const std::uint32_t offset : numberOffsets(type)) {
    ExpressionPtr known;
    if (target.isVariable) {
      Glvalue part;
      part.isVariable = true;
      part.variable = target.variable;
      part.offset = target.offset + offset;
      part.type = number;
      part.span = span;
      known = load(std::move(part));
    } else {
      known = make(Kind::Load, number, span, moved(wholeVariable(pointed, span), offset, number, true));
    }
    result = make(Kind::Sequence, type, span, setVariable(held, offset, number, std::move(known), span),
                  std::move(result));
  }
  return make(Kind::Sequence, type, span, std::move(first), std::move(result));
}

/// True for a function with the name and the parameters of the candidate.
bool Checker::overrides(const Candidate& known, const syntax::Function& method, const Type* owner) {
  const syntax::Function& function = *known.function;
  if (method.name != function.name || method.role != Role::Method || method.isConst != function.isConst ||
      !method.templateParameters.empty() || method.parameters.size() != known.parameters.size())
    return false;
  const Elsewhere elsewhere(*this, {findClass(owner)->scope});
  for (std::size_t i = 0; i < method.parameters.size(); ++i) {
    if (parameterType(method.parameters[i]) != known.parameters[i]) return false;
  }
  return true;
}

/// True if the function, or one of a base that it overrides, is virtual.
bool Checker::isVirtual(const Candidate& candidate, const Type* type) {
  for (const syntax::Function& method : findClass(type)->node->methods) {
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
  return isOfObject && object.glvalue && !object.glvalue->isVariable && isVirtual(candidate, owner);
}

/// The function for objects of the type: its own, or the nearest base's. None if it is pure.
std::optional<Callee> Checker::overrider(const Candidate& candidate, const Type* type, std::uint32_t offset) {
  for (const syntax::Function& method : findClass(type)->node->methods) {
    if (!overrides(candidate, method, type)) continue;
    if (method.body == nullptr && method.diagnostics.empty()) return std::nullopt;
    return Callee{&method, type, offset};
  }
  for (const Field& field : type->fields) {
    if (!field.isBase || findClass(field.type) == nullptr) continue;
    if (auto found = overrider(candidate, field.type, offset + field.offset)) return found;
  }
  return std::nullopt;
}

/// The same for the base of the type that begins at `part` of its objects: the function of a class between
/// the two comes before those of the base. `offset`: of the type in the whole object.
std::optional<Callee> Checker::overriderOfPart(const Candidate& candidate, const Type* type,
                                               std::uint32_t offset, std::uint32_t part) {
  const Type* const owner = candidate.callee.owner;
  const auto own = std::ranges::find_if(findClass(type)->node->methods, [&](const syntax::Function& method) {
    return overrides(candidate, method, type);
  });
  if (type == owner || own != findClass(type)->node->methods.end()) return overrider(candidate, type, offset);
  for (const Field& field : type->fields) {
    std::vector<std::uint32_t> parts;
    if (field.isBase) splitParts(field.type, owner, offset + field.offset, parts);
    if (std::ranges::count(parts, part) > 0)
      return overriderOfPart(candidate, field.type, offset + field.offset, part);
  }
  return std::nullopt;
}

/// Declares the classes that `new Stack<int>` needs, even if it is in another kernel.
void Checker::resolveAllocated(const syntax::Expression& node) {
  if (node.kind == syntax::Expression::Kind::New && node.type->arguments != nullptr &&
      classTemplates_.contains(node.type->base)) {
    const Elsewhere elsewhere(*this, {});
    try {
      resolve(*node.type);
    } catch (const CheckFault&) {  // of a template's own parameters
    }
  }
  for (const syntax::ExpressionPtr& operand : node.operands) {
    if (operand != nullptr) resolveAllocated(*operand);
  }
}

/// The class and the classes that derive from it, each with its offset in the class. These are classes of the
/// text, and of its templates as far as they are in use or made by new.
std::vector<ClassPart> Checker::listClasses(const Type* base) {
  const std::size_t before = diagnostics_.size();
  for (const syntax::FileItem& item : unit_.items) {
    const bool mayDerive = item.structure && item.diagnostics.empty() && !item.structure->bases.empty() &&
                           item.structure->templateParameters.empty() && !item.structure->specialised;
    if (mayDerive) find(item.structure->name);
  }
  for (const syntax::Function& function : unit_.functions) {
    syntax::forEachExpression(function.body.get(), [this](const syntax::Expression* one) {
      if (one != nullptr) resolveAllocated(*one);
    });
  }
  diagnostics_.resize(before);  // of classes that this call may not be of
  std::vector<ClassPart> found;
  for (const auto& [type, info] : classes_) {
    std::vector<std::uint32_t> parts;
    if (info.isComplete && !info.isFaulty) splitParts(type, base, 0, parts);
    for (const std::uint32_t part : parts) found.push_back({type, part});
  }
  std::ranges::sort(found, {},
                    [](const ClassPart& one) { return std::pair(one.type->structName, one.offset); });
  return found;
}

/// The pointer in the variable, moved to the start of the object that is deleted through one of its bases.
Checker::ExpressionPtr Checker::wholeObject(std::uint32_t held, SourceSpan span) {
  const Type* const pointer = kernel_.variables[held].type;
  const Type* const number = scalar(Type::Kind::U64);
  ExpressionPtr result = wholeVariable(held, span);
  for (const ClassPart& one : listClasses(pointer->element)) {
    if (one.offset == 0) continue;
    ExpressionPtr test =
        make(Kind::Binary, scalar(Type::Kind::Bool), span,
             make(Kind::Load, number, span, moved(wholeVariable(held, span), 0, number, true)),
             constant(number, classNumber(*one.type, one.offset), span));
    test->op = typed::BinaryOp::Equal;
    ExpressionPtr whole =
        moved(wholeVariable(held, span), -std::int64_t{one.offset}, pointer->element, false);
    whole->type = pointer;
    ExpressionPtr either = make(Kind::Conditional, pointer, span, std::move(test), std::move(whole));
    either->operands.push_back(std::move(result));
    result = std::move(either);
  }
  return result;
}

/// A call of one class's function. `held` are variables with the address of the object's part that the call
/// names, and with the arguments.
Checker::ExpressionPtr Checker::callOfClass(const syntax::Expression& node, const Callee& callee,
                                            std::uint32_t part, const Candidate& candidate,
                                            const std::vector<std::uint32_t>& held, const Type* result) {
  Candidate own;
  own.callee = callee;
  own.function = callee.function;
  own.bound = findClass(callee.owner)->scope;
  own.parameters = candidate.parameters;
  bindClassParameters(*callee.function, findClass(callee.owner)->arguments, own.bound);
  const std::uint32_t index = instantiate(own, node);
  ExpressionPtr call = make(Kind::Call, result, node.span);
  call->index = index;
  for (const std::uint32_t variable : held) {
    ExpressionPtr value = wholeVariable(variable, node.span);
    if (call->operands.empty())
      value = moved(std::move(value), std::int64_t{callee.offset} - std::int64_t{part}, callee.owner,
                    callee.function->isConst);
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
    if (function.returnsReference)
      result = kernel_.types->pointerTo(result, isConstType(function.returnType), false);
  }
  ExpressionPtr chosen =
      make(Kind::Assert, scalar(Type::Kind::Void), span, constant(scalar(Type::Kind::Bool), 0, span));
  chosen->index = static_cast<std::uint32_t>(typed::AssertKind::NoCallee);
  if (result->kind != Type::Kind::Void)
    chosen = make(Kind::Sequence, result, span, std::move(chosen), nothing(result, at(span)));
  for (const auto& [type, part] : listClasses(owner)) {
    const std::optional<Callee> callee = overriderOfPart(candidate, type, 0, part);
    if (!callee) continue;
    ExpressionPtr test = make(Kind::Binary, scalar(Type::Kind::Bool), span, variable(classOfObject),
                              constant(number, classNumber(*type, part), span));
    test->op = typed::BinaryOp::Equal;
    ExpressionPtr either = make(Kind::Conditional, result, span, std::move(test),
                                callOfClass(node, *callee, part, candidate, held, result));
    either->operands.push_back(std::move(chosen));
    chosen = std::move(either);
  }
  for (auto set = first.rbegin(); set != first.rend(); ++set)
    chosen = make(Kind::Sequence, result, span, std::move(*set), std::move(chosen));
  return function.returnsReference ? referred(candidate, std::move(chosen)) : std::move(chosen);
}

}  // namespace lanescope::checker
