#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_evaluation.h"

// Implicit conversion sequences and their rank, and conversions as they are done: standard ones, and by
// what classes define ([over.best.ics] 12.2.4.2, [conv] 7.3).
namespace lanescope::checker {

using Rank = Conversion::Rank;

bool Checker::isDerivedPart(const Type* type, const Type* base) const {
  std::uint32_t offset = 0;
  return isDerived(type, base, offset);
}

/// A standard conversion ([over.ics.scs] 12.2.4.2.2), or one by CUDA's own classes.
Conversion Checker::standardConversion(const Operand& operand, const Type* type) const {
  const Type* const from = operand.type;
  Conversion result{.to = type};
  if (from == type) {
    result.rank = Rank::Exact;
  } else if (type->takesGroup(*from)) {
    result.rank = type->count == Type::kAnyGroup ? Rank::Promotion : Rank::Exact;
  } else if (from->isScoped || type->isEnum()) {
    return result;
  } else if (from->isArithmetic() && type->isArithmetic()) {
    result.isToOwnInteger = from->isFixed && from->underlying == type;
    const bool isPromotion = promoted(from) == type || result.isToOwnInteger ||
                             (from->kind == Type::Kind::F32 && type->kind == Type::Kind::F64);
    result.rank = isPromotion ? Rank::Promotion : Rank::Converted;
  } else if (convertsNumbers(*from, *type)) {
    result.isUsers = true;
    result.rank = type->kind == Type::Kind::F32   ? Rank::Exact
                  : type->kind == Type::Kind::F64 ? Rank::Promotion
                                                  : Rank::Converted;
  } else if (from->isStruct()) {
    result.isUsers = convertsExtent(*from, *type);
    if (result.isUsers || isDerivedPart(from, type)) result.rank = Rank::Converted;
  } else if (from->isPointer() && type->kind == Type::Kind::Bool) {
    result.isFromPointer = true;
    result.rank = Rank::Converted;
  } else if (type->isPointer() && operand.isZero && !from->isEnum()) {
    result.rank = Rank::Converted;
  } else if (type->isPointer() && from->isPointer() && (type->elementIsConst || !from->elementIsConst)) {
    if (from->element == type->element || addsConst(from, type)) {
      result.rank = Rank::Exact;
    } else if (type->element->kind == Type::Kind::Void || isDerivedPart(from->element, type->element)) {
      result.rank = Rank::Converted;
    }
  }
  return result;
}

/// The implicit conversion of an argument to the type ([over.best.ics] 12.2.4.2). Those that classes define
/// are left out for an argument of such a conversion.
Conversion Checker::conversion(const Operand& operand, const Type* type, bool mayUseClasses) {
  if (operand.list != nullptr) return listConversion(operand, type);
  Conversion result = standardConversion(operand, type);
  if (result.exists() || !mayUseClasses) return result;
  if (findClass(operand.type) != nullptr || findClass(type) != nullptr)
    classConversion(operand, type, false, result);
  return result;
}

/// The conversion of values in braces ([over.ics.list] 12.2.4.2.6). Those of an aggregate are checked when it
/// is made.
Conversion Checker::listConversion(const Operand& operand, const Type* type) {
  constexpr int kMostTrials = 4;
  const std::vector<syntax::ExpressionPtr>& values = operand.list->operands;
  Conversion result{.isUsers = type->isStruct(), .to = type};
  if (type->isArray() || trials_ >= kMostTrials) {
    result.rank = Rank::Exact;
    return result;
  }
  if (!type->isStruct() && values.size() != 1) {
    if (values.empty()) result.rank = Rank::Exact;
    return result;
  }
  const bool isAggregate = type->isStruct() && !hasConstructors(type);
  if (isAggregate) {
    const std::size_t most = std::max<std::size_t>(1, findLeaves(*type, values.size()).size());
    if (values.size() <= most) result.rank = Rank::Exact;
    return result;
  }
  const Deeper trial(trials_);
  const Temporaries unused(*this, mayEnd_);
  attempt([&] {
    const std::vector<Operand> arguments = readOperands(*operand.list, 0);
    if (!type->isStruct()) {
      result = conversion(arguments[0], type);
      return;
    }
    std::string reason;
    const Choice choice =
        choose(*callOf(findClass(type)->node->name, operand.span), findConstructorsFor(type, arguments),
               arguments, nullptr, reason, values.size() > 1);
    if (!choice.fitting.empty()) result.rank = Rank::Exact;
    result.isAmbiguous = !choice.best;
    if (choice.best) result.by = choice.fitting[*choice.best].function;
  });
  return result;
}

/// The binding of a reference, whose type is that of the pointer in its place ([over.ics.ref] 12.2.4.2.5).
Conversion Checker::referenceConversion(const Operand& operand, const Type* reference, bool isRvalue,
                                        bool mayUseClasses) {
  const Type* const target = reference->element;
  const bool isConst = reference->elementIsConst;
  const Type* const own = operand.list == nullptr ? operand.ownType() : nullptr;
  Conversion result;
  if (own != nullptr && (own == target || isDerivedPart(own, target))) {
    const bool isOfCategory = isRvalue ? !operand.isLvalue() : isConst || operand.isLvalue();
    if (isOfCategory && (isConst || !operand.refersToConst()))
      result.rank = own == target ? Rank::Exact : Rank::Converted;
    result.to = target;
  } else {
    if (mayUseClasses && own != nullptr && findClass(own) != nullptr)
      classConversion(operand, target, false, result, reference, isRvalue);
    if (!result.exists() && (isRvalue || isConst) && !target->isArray())  // a temporary object
      result = conversion(operand, target, mayUseClasses);
  }
  result.isReference = true;
  result.isRvalue = isRvalue;
  result.isConst = isConst;
  return result;
}

/// True for a const object. A __constant__ one is not: for CUDA its type has no const.
bool Checker::isConst(const Operand& object) const {
  return object.refersToConst() && !(object.glvalue && isOfConstantMemory(*object.glvalue));
}

bool Checker::isOfConstantMemory(const Glvalue& glvalue) const {
  const typed::Expression* root = glvalue.address.get();
  while (root != nullptr && root->kind == Kind::PointerAdd) root = root->operands[0].get();
  return root != nullptr && root->kind == Kind::Variable &&
         std::ranges::any_of(kernel_.symbols, [&](const typed::GlobalSymbol& symbol) {
           return symbol.isConstant && symbol.variable == root->index;
         });
}

/// The conversion of the object that a method is called on to the method's implicit parameter
/// ([over.match.funcs.general] 12.2.2.1/4).
Conversion Checker::objectConversion(const Operand& object, const Candidate& candidate) const {
  const syntax::Function& function = *candidate.function;
  // C++20 [over.match.funcs] 12.2.2/4: what using brings is a member of the derived class here.
  const Type* const taken = candidate.callee.isUsed ? object.ownType() : candidate.callee.owner;
  Conversion result{.to = taken, .isReference = true};
  result.isRvalue = function.isForRvalues;
  result.isConst = function.isConst;
  result.isOfObject = !function.isForLvalues && !function.isForRvalues;
  result.isNeutral = function.role == Role::StaticMethod;
  const bool isOfCategory =
      result.isOfObject || result.isNeutral ||
      (function.isForRvalues ? !object.isLvalue() : function.isConst || object.isLvalue());
  if (isOfCategory && (result.isNeutral || function.isConst || !isConst(object)))
    result.rank = object.ownType() == taken ? Rank::Exact : Rank::Converted;
  return result;
}

/// 1 if the first is the better one, -1 if the second is, else 0 ([over.ics.rank] 12.2.4.3).
int Checker::compare(const Conversion& a, const Conversion& b) const {
  const auto better = [](bool isFirst) { return isFirst ? 1 : -1; };
  if (a.isNeutral || b.isNeutral) return 0;
  if (a.isEllipsis || b.isEllipsis) return a.isEllipsis == b.isEllipsis ? 0 : better(b.isEllipsis);
  if (a.isUsers != b.isUsers) return better(b.isUsers);
  if (a.isUsers && (a.isAmbiguous || b.isAmbiguous || a.by != b.by)) return 0;
  if (a.rank != b.rank) return better(a.rank < b.rank);
  if (a.isFromPointer != b.isFromPointer) return better(b.isFromPointer);
  if (a.isToOwnInteger != b.isToOwnInteger && a.rank == Rank::Promotion) return better(a.isToOwnInteger);
  const bool arePointers = a.to->isPointer() && b.to->isPointer();
  const Type* const first = arePointers ? a.to->element : a.to;
  const Type* const second = arePointers ? b.to->element : b.to;
  if (first != second) {
    const bool isToVoid = arePointers && second->kind == Type::Kind::Void;
    if (isToVoid || isDerivedPart(first, second)) return 1;
    const bool isFromVoid = arePointers && first->kind == Type::Kind::Void;
    return isFromVoid || isDerivedPart(second, first) ? -1 : 0;
  }
  if (a.isReference && b.isReference && !a.isOfObject && !b.isOfObject && a.isRvalue != b.isRvalue)
    return better(a.isRvalue);
  if (arePointers && a.to->elementIsConst != b.to->elementIsConst) return better(b.to->elementIsConst);
  if (a.isReference && b.isReference && a.to == b.to && a.isConst != b.isConst) return better(b.isConst);
  return 0;
}

// --- conversions that classes define ---

/// A conversion function as a candidate for a value of the type: of a template, with its parameters bound.
Candidate Checker::conversionCandidate(const Callee& callee, const Type* type) {
  Candidate candidate = memberCandidate(callee);
  const syntax::Function& function = *callee.function;
  if (function.templateParameters.empty()) return candidate;
  Scope own;
  matchesType(function.returnType, {.kind = Symbol::Kind::TypeName, .type = type},
              function.templateParameters, own, &kNoneGiven);
  for (auto& [name, symbol] : own) candidate.bound.insert_or_assign(name, symbol);
  return candidate;
}

/// The constructor or conversion function for a value of the type ([over.match.copy] 12.2.2.5,
/// [over.match.conv] 12.2.2.6). None if there is none, or no best one. An explicit one is for a direct
/// initialization only, and for its own type. With a reference, to what that binds to ([over.match.ref]
/// 12.2.2.7).
std::optional<Candidate> Checker::classConversion(const Operand& operand, const Type* type, bool isDirect,
                                                  Conversion& found, const Type* reference, bool isRvalue) {
  spend(1, operand.span);
  std::vector<Candidate> fitting;  // its conversions: of the operand, and of the result
  for (const Callee& callee : findConversions(operand.type)) {
    if (callee.function->isExplicit && !isDirect) continue;
    attempt([&] {
      Candidate candidate = conversionCandidate(callee, type);
      const Operand made = conversionResult(candidate);
      const bool binds = made.isObject() && made.isMoved == isRvalue && isSameOrDerived(made.type, type);
      if (reference != nullptr && (!binds || (made.isConst && !reference->elementIsConst))) return;
      const Conversion second = standardConversion(made, type);
      const Conversion first = objectConversion(operand, candidate);
      const bool isOwn = !callee.function->isExplicit || second.rank == Rank::Exact;
      if (!isOwn || !first.exists() || !second.exists() || !isMet(candidate)) return;
      candidate.conversions = {first, second};
      fitting.push_back(std::move(candidate));
    });
  }
  const ClassInfo* const info = findClass(type);
  bool isAmbiguous = false;
  if (reference == nullptr && info != nullptr && info->isComplete && hasConstructors(type)) {
    std::vector<Callee> constructors = findConstructors(type);
    std::erase_if(constructors, [](const Callee& one) {
      return one.function->isExplicit || !one.function->diagnostics.empty();
    });
    std::string reason;
    Choice choice =
        choose(*callOf(info->node->name, operand.span), constructors, {&operand, 1}, nullptr, reason, false);
    std::erase_if(choice.fitting, [](const Candidate& one) { return !one.binds; });
    isAmbiguous = choice.fitting.size() > 1 && !choice.best;
    if (!choice.fitting.empty()) {
      fitting.push_back(std::move(choice.fitting[choice.best.value_or(0)]));
      fitting.back().conversions.resize(1);
      fitting.back().conversions.push_back({.rank = Rank::Exact, .to = type});
    }
  }
  if (fitting.empty()) return std::nullopt;
  const auto isBetter = [&](const Candidate& a, const Candidate& b) {
    const int first = compare(a.conversions[0], b.conversions[0]);
    const int second = compare(a.conversions[1], b.conversions[1]);
    if (first != 0 || second != 0) return first >= 0 && (first > 0 || second > 0);
    return !isTemplate(a) && isTemplate(b);
  };
  const auto best = std::ranges::find_if(fitting, [&](const Candidate& one) {
    return std::ranges::all_of(
        fitting, [&](const Candidate& other) { return &one == &other || isBetter(one, other); });
  });
  const bool isKnown = best != fitting.end() && !isAmbiguous;
  found = {.rank = isKnown ? best->conversions[1].rank : Rank::Exact, .isUsers = true, .to = type};
  found.isAmbiguous = !isKnown;
  if (!isKnown) return std::nullopt;
  found.by = best->function;
  return std::move(*best);
}

std::vector<Callee> Checker::findConversions(const Type* type) {
  std::vector<Callee> found;
  if (type == nullptr || findClass(type) == nullptr) return found;
  for (const syntax::Function& method : findClass(type)->node->methods) {
    if (method.role == Role::Conversion && method.diagnostics.empty()) found.push_back({&method, type});
  }
  for (const Field& field : type->fields) {
    if (!field.isBase) continue;
    for (Callee callee : findConversions(field.type)) {
      callee.offset += field.offset;
      found.push_back(callee);
    }
  }
  return found;
}

/// What a conversion function makes: an operand of that type and value category.
Operand Checker::conversionResult(const Candidate& conversion) {
  const Elsewhere elsewhere(*this, {conversion.bound});
  const Symbol made = returned(*conversion.function);
  return {.type = made.type, .isMoved = made.isRvalue, .isPlace = made.isReference, .isConst = made.isConst};
}

/// The value, converted by a conversion function of its class.
ExpressionPtr Checker::convertBy(const Candidate& conversion, Operand operand, SourceSpan span) {
  if (conversion.function->isVirtual)
    fail(span, "a virtual conversion function is not simulated", "write a virtual function with a name");
  const syntax::ExpressionPtr call = callOf(conversion.callee.owner->name() + "'s conversion", span);
  return finishCall(*call, conversion, {}, objectAddress(std::move(operand)));
}

/// The memory that the value was loaded from, if there is any: its address then needs no copy.
Operand Checker::reloaded(ExpressionPtr value) {
  if (value->kind == Kind::Load) {
    Glvalue loaded = behind(std::move(value->operands[0]), value->span);
    loaded.type = value->type;
    return asOperand(std::move(loaded));
  }
  Glvalue glvalue{.type = value->type, .span = value->span};
  if (value->kind != Kind::Variable || kernel_.variables[value->index].name.ends_with(")"))
    return asOperand(std::move(value));
  glvalue.isVariable = true;
  glvalue.variable = value->index;
  glvalue.offset = static_cast<std::uint32_t>(value->scale);
  glvalue.isConst = kernel_.variables[value->index].isConst;
  return asOperand(std::move(glvalue));
}

/// A conversion that a class of the text defines, or to a base. Null if there is none. Takes the operand only
/// if it converts. `isDirect`: as by a cast, which explicit ones are for, too.
ExpressionPtr Checker::classConversion(Operand& operand, const Type* type, SourceSpan span, bool isDirect) {
  const Type* const from = operand.type;
  if (from == nullptr) return nullptr;
  std::uint32_t offset = 0;
  if (isDerived(from, type, offset) || convertsExtent(*from, *type)) {
    ExpressionPtr result = make(Kind::Member, type, span, makeValue(std::move(operand)));
    result->scale = offset;
    return isPolymorphic(type) ? sliced(std::move(result)) : std::move(result);
  }
  const bool isBasePointer = from->isPointer() && type->isPointer() &&
                             (type->elementIsConst || !from->elementIsConst) &&
                             isDerived(from->element, type->element, offset);
  if (isBasePointer)
    return movedUnlessNull(makeValue(std::move(operand)), offset, type->element, type->elementIsConst);
  if (findClass(from) == nullptr && findClass(type) == nullptr) return nullptr;
  Conversion found;
  const std::optional<Candidate> best = classConversion(operand, type, isDirect, found);
  if (found.isAmbiguous) {
    failTyping(span, fmt::format("more than one conversion makes {} of {}", type->name(), from->name()),
               "write the conversion that is meant");
  }
  if (!best) return nullptr;
  if (best->function->role == Role::Constructor)
    return constructed(type, formatList(std::move(operand)), span, true);
  return convertImplicitly(convertBy(*best, std::move(operand), span), type, span);
}

/// The same for a value, which may have been loaded from memory.
ExpressionPtr Checker::classConversion(ExpressionPtr& value, const Type* type, SourceSpan span,
                                       bool isDirect) {
  if (findClass(value->type) == nullptr && findClass(type) == nullptr && !value->type->isPointer() &&
      !value->type->isStruct())
    return nullptr;
  Operand operand = value->type->isStruct() ? reloaded(std::move(value)) : asOperand(std::move(value));
  if (ExpressionPtr converted = classConversion(operand, type, span, isDirect)) return converted;
  value = makeValue(std::move(operand));
  return nullptr;
}

/// The number or pointer that an object of a class converts to, if there is one. Otherwise the value itself.
ExpressionPtr Checker::asScalar(ExpressionPtr value) {
  if (findClass(value->type) == nullptr) return value;
  Operand object = reloaded(std::move(value));
  std::optional<Candidate> best;
  const Type* made = nullptr;
  for (const Callee& callee : findConversions(object.type)) {
    if (callee.function->isExplicit || !callee.function->templateParameters.empty()) continue;
    Candidate candidate = conversionCandidate(callee, nullptr);
    candidate.conversions = {objectConversion(object, candidate)};
    if (!candidate.conversions[0].exists() || !isMet(candidate)) continue;
    const Type* const own = conversionResult(candidate).type;
    if (made != nullptr && made != own && made->isArithmetic() && own->isArithmetic()) {
      failTyping(
          object.span,
          fmt::format("{} converts to {} and to {} here", object.type->name(), made->name(), own->name()),
          "write a cast to the one that is meant");
    }
    if (!best || compare(candidate.conversions[0], best->conversions[0]) > 0) {
      best = std::move(candidate);
      made = own;
    }
  }
  if (!best) return makeValue(std::move(object));
  const SourceSpan span = object.span;
  return convertBy(*best, std::move(object), span);
}

/// An object converted to the type by what its class defines, also explicitly. Null for any other operand.
ExpressionPtr Checker::explicitly(Operand& given, const Type* type, SourceSpan span) {
  return given.type != nullptr && given.type->isStruct() ? classConversion(given, type, span, true) : nullptr;
}

// --- the values ---

ExpressionPtr Checker::convert(ExpressionPtr value, const Type* type) {
  if (value->type == type) return value;
  if ((value->type->isHalf() && type->kind != Type::Kind::Void) || type->isHalf())
    return convertHalf(std::move(value), type);
  const SourceSpan span = value->span;
  return fold(make(Kind::Convert, type, span, std::move(value)));
}

/// True for pointers that differ in const alone, which the second has more of (C++20 [conv.qual] 7.3.6).
bool addsConst(const Type* from, const Type* to) {
  while (from->isPointer() && to->isPointer() && (to->elementIsConst || !from->elementIsConst)) {
    if (from->element == to->element) return true;
    if (!to->elementIsConst) return false;
    from = from->element;
    to = to->element;
  }
  return false;
}

/// A conversion that is implicit in C++. Anything else is a fault.
ExpressionPtr Checker::convertImplicitly(ExpressionPtr value, const Type* type, SourceSpan span) {
  spend(1, span);
  const Type* from = value->type;
  if (type->takesGroup(*from)) return value;
  if (from == type || convertsNumbers(*from, *type)) return convert(std::move(value), type);
  if (from->isPointer() && type->kind == Type::Kind::Bool) return convert(std::move(value), type);
  const bool isNull = value->kind == Kind::Constant && value->bits == 0;
  if (isNull && type->isPointer() && (from->isPointer() || from->isInteger())) return constant(type, 0, span);
  const bool isToVoid = type->isPointer() && type->element->kind == Type::Kind::Void;
  if (from->isPointer() && type->isPointer() &&
      (from->element == type->element || isToVoid || addsConst(from, type))) {
    if (from->elementIsConst && !type->elementIsConst) {
      failTyping(span, fmt::format("{} cannot become {}: it would allow stores", from->name(), type->name()),
                 "declare the pointer const");
    }
    return convert(std::move(value), type);
  }
  if (ExpressionPtr converted = classConversion(value, type, span)) return converted;
  failTyping(span, fmt::format("{} cannot become {} here", from->name(), type->name()),
             "convert it with a cast, or use the matching type");
}

ExpressionPtr Checker::toBool(ExpressionPtr value) {
  if (findClass(value->type) != nullptr) {
    const SourceSpan span = value->span;
    if (ExpressionPtr own = classConversion(value, boolType(), span, true)) return own;
  }
  if ((!value->type->isArithmetic() && !value->type->isPointer() && !value->type->isHalf()) ||
      value->type->isScoped) {
    failTyping(value->span, fmt::format("{} is neither true nor false", value->type->name()),
               "compare it with something");
  }
  return convert(std::move(value), boolType());
}

}  // namespace lanescope::checker
