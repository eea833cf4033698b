// Virtual functions. Instead of C++'s pointer to the table of its class, an object has the number of the
// class, the same in every kernel. A call compares it with the numbers of the text's classes and calls the
// function of the class that matches.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/language/check/checker_impl.h"

namespace lanescope::checker {
namespace {

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
ExpressionPtr Checker::marked(const Type* type, const typed::Expression& address, SourceSpan span) {
  const Type* const number = scalar(Type::Kind::U64);
  ExpressionPtr result;
  for (const std::uint32_t offset : numberOffsets(type)) {
    ExpressionPtr store = make(Kind::Store, number, span, moved(makeCopy(address), offset, number, false),
                               constant(number, classNumber(*type, offset), span));
    result = sequence(span, std::move(result), std::move(store));
  }
  return result;
}

/// From here on the object of the constructor has its class, no longer its base.
StatementPtr Checker::markClass(SourceSpan span) {
  const ExpressionPtr address = wholeVariable(this_->variable, span);
  return expressionStatement(marked(this_->type->element, *address, span), span);
}

/// The object that is given, or its base part, as an object of its static type.
ExpressionPtr Checker::sliced(ExpressionPtr part) {
  const Type* const type = part->type;
  const SourceSpan span = part->span;
  const Type* const number = scalar(Type::Kind::U64);
  std::uint32_t variable = 0;
  ExpressionPtr set = hold("(base)", std::move(part), span, variable);
  ExpressionPtr result = wholeVariable(variable, span);
  for (const std::uint32_t offset : numberOffsets(type)) {
    ExpressionPtr mark =
        setVariable(variable, offset, number, constant(number, classNumber(*type, offset), span), span);
    result = sequence(span, std::move(mark), std::move(result));
  }
  return sequence(span, std::move(set), std::move(result));
}

/// Assigns an object to a glvalue whose object may be one of a derived class. It keeps its class.
ExpressionPtr Checker::storeObject(Glvalue target, ExpressionPtr object, SourceSpan span) {
  const Type* const type = target.type;
  const Type* const number = scalar(Type::Kind::U64);
  std::uint32_t held = 0;
  ExpressionPtr first = hold("(object)", std::move(object), span, held);
  if (!target.isVariable) {
    std::uint32_t pointed = 0;
    ExpressionPtr address = hold("(address)", std::move(target.address), span, pointed);
    first = sequence(span, std::move(address), std::move(first));
    target.address = wholeVariable(pointed, span);
  }
  ExpressionPtr result = storeInto(makeCopy(target), wholeVariable(held, span), span);
  for (const std::uint32_t offset : numberOffsets(type)) {
    ExpressionPtr known = load(part(makeCopy(target), {.type = number, .offset = offset}, span));
    result = sequence(span, setVariable(held, offset, number, std::move(known), span), std::move(result));
  }
  return sequence(span, std::move(first), std::move(result));
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
  if (node.kind == SyntaxKind::New && node.type->arguments != nullptr &&
      classTemplates_.contains(node.type->base)) {
    const Elsewhere elsewhere(*this, {});
    attempt([&] { resolve(*node.type); });  // it may name a template's own parameters
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
    if (info.isComplete && info.faults.empty()) splitParts(type, base, 0, parts);
    for (const std::uint32_t part : parts) found.push_back({type, part});
  }
  std::ranges::sort(found, {},
                    [](const ClassPart& one) { return std::pair(one.type->structName, one.offset); });
  return found;
}

/// In place of a call that returns the type: no function is the one that is meant.
ExpressionPtr Checker::noCallee(const Type* result, SourceSpan span) {
  ExpressionPtr trap = makeTrap(typed::AssertKind::NoCallee, span);
  if (result->kind == Type::Kind::Void) return trap;
  const Kind kind = result->isStruct() ? Kind::Make : Kind::Constant;
  return sequence(span, std::move(trap), make(kind, result, span));
}

/// The number of the class of the object whose address the variable has.
ExpressionPtr Checker::classIn(std::uint32_t held, std::uint32_t offset, SourceSpan span) {
  const Type* const number = scalar(Type::Kind::U64);
  return make(Kind::Load, number, span, moved(wholeVariable(held, span), offset, number, true));
}

/// The value for an object of the class if the number says that it is one, else the other.
ExpressionPtr Checker::ifClass(ExpressionPtr number, const ClassPart& one, ExpressionPtr yes,
                               ExpressionPtr no) {
  const SourceSpan span = number->span;
  const Type* const type = yes->type;
  ExpressionPtr own = constant(number->type, classNumber(*one.type, one.offset), span);
  ExpressionPtr test =
      makeBinary(typed::BinaryOp::Equal, boolType(), std::move(number), std::move(own), span);
  return make(Kind::Conditional, type, span, std::move(test), std::move(yes), std::move(no));
}

/// The pointer in the variable, moved to the start of the object that is deleted through one of its bases.
ExpressionPtr Checker::wholeObject(std::uint32_t held, SourceSpan span) {
  const Type* const pointer = kernel_.variables[held].type;
  ExpressionPtr result = wholeVariable(held, span);
  for (const ClassPart& one : listClasses(pointer->element)) {
    if (one.offset == 0) continue;
    ExpressionPtr whole =
        moved(wholeVariable(held, span), -std::int64_t{one.offset}, pointer->element, false);
    whole->type = pointer;
    result = ifClass(classIn(held, 0, span), one, std::move(whole), std::move(result));
  }
  return result;
}

/// A call of one class's function. `held` are variables with the address of the object's part that the call
/// names, and with the arguments.
ExpressionPtr Checker::callOfClass(const syntax::Expression& node, const Callee& callee, std::uint32_t part,
                                   const Candidate& candidate, const std::vector<std::uint32_t>& held,
                                   const Type* result) {
  Candidate own = memberCandidate(callee);
  own.parameters = candidate.parameters;
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

ExpressionPtr Checker::virtualCall(const syntax::Expression& node, const Candidate& candidate,
                                   std::vector<Operand> arguments, Operand object) {
  const SourceSpan span = node.span;
  const Type* const owner = candidate.callee.owner;
  const syntax::Function& function = *candidate.function;
  std::vector<std::uint32_t> held(1);
  ExpressionPtr address = objectAddress(std::move(object));
  const bool isConst = address->type->elementIsConst;
  Values first = formatList(
      hold("(object)", moved(std::move(address), candidate.callee.offset, owner, isConst), span, held[0]));
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const bool isGiven = i < arguments.size();
    const Elsewhere elsewhere(*this, isGiven ? scopes_ : std::vector<Scope>{candidate.bound});
    ExpressionPtr argument =
        argumentFor(function.parameters[i], candidate.parameters[i],
                    isGiven ? std::move(arguments[i]) : operand(*function.parameters[i].initial));
    first.push_back(hold("(argument)", std::move(argument), span, held.emplace_back()));
  }
  std::uint32_t known = 0;
  first.push_back(hold("(class)", classIn(held[0], owner->field(kClassField)->offset, span), span, known));
  const Type* result = nullptr;
  Symbol made;
  {
    const Elsewhere elsewhere(*this, {candidate.bound});
    made = returned(function);
    result = made.isReference ? pointerTo(made) : made.type;
  }
  ExpressionPtr chosen = noCallee(result, span);
  for (const ClassPart& one : listClasses(owner)) {
    const std::optional<Callee> callee = overriderOfPart(candidate, one.type, 0, one.offset);
    if (!callee) continue;
    ExpressionPtr call = callOfClass(node, *callee, one.offset, candidate, held, result);
    chosen = ifClass(wholeVariable(known, span), one, std::move(call), std::move(chosen));
  }
  if (node.kind == SyntaxKind::Assign) std::swap(first[0], first[1]);
  for (auto set = first.rbegin(); set != first.rend(); ++set)
    chosen = sequence(span, std::move(*set), std::move(chosen));
  return made.isReference ? referred(std::move(chosen), made.isRvalue) : std::move(chosen);
}

/// The functions that make the class abstract ([class.abstract] 11.7.4).
std::vector<Callee> Checker::pureFunctions(const Type* type) {
  std::vector<Callee> found;
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return found;
  for (const Field& field : type->fields) {
    if (!field.isBase) continue;
    for (const Callee& one : pureFunctions(field.type)) found.push_back(one);
  }
  for (const syntax::Function& method : info->node->methods) {
    const Callee own{&method, type};
    std::erase_if(found, [&](const Callee& one) {
      return one.function->name == method.name && hasSameParameters(one, own);
    });
    if (method.isPure) found.push_back(own);
  }
  return found;
}

void Checker::refuseAbstract(const Type* type, SourceSpan span) {
  if (!isPolymorphic(type)) return;
  const std::vector<Callee> pure = pureFunctions(type);
  if (pure.empty()) return;
  failTyping(span, fmt::format("{} is abstract: its {} has no body", type->name(), pure[0].function->name),
             "make an object of a class that derives from it");
}

}  // namespace lanescope::checker
