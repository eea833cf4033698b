#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/language/check/checker_impl.h"
#include "sim/language/parse/file_items.h"

// The choice of a function by C++'s ranking: implicit conversion sequences, compared argument by argument,
// and the partial order of function templates.
namespace lanescope::checker {

namespace {

using Rank = Conversion::Rank;

/// True for `T&&` with a template parameter T of the function that the call does not give: it takes any value
/// category ([temp.deduct.call] 13.10.3.2/3).
bool isForwarding(const syntax::Function& function, const syntax::TypeName& type, std::size_t given) {
  if (!type.isRvalue || type.isConst || type.pointers > 0 || !type.path.empty()) return false;
  const auto own =
      std::ranges::find(function.templateParameters, type.base, &syntax::TemplateParameter::name);
  return own != function.templateParameters.end() && own->isType &&
         static_cast<std::size_t>(own - function.templateParameters.begin()) >= given;
}

bool isTemplate(const Candidate& candidate) {
  return !candidate.function->written().templateParameters.empty();
}

/// True if a concept or a requires clause constrains the function (concepts.cpp).
bool isConstrained(const Candidate& candidate) {
  return std::ranges::any_of(candidate.function->templateParameters, [](const auto& parameter) {
    return parameter.name.starts_with(syntax::kConstraint);
  });
}

/// True if the parameter is an element of a pack.
bool isOfPack(const syntax::Function& function, std::size_t index) {
  const std::vector<syntax::Parameter>& written = function.written().parameters;
  const auto pack = std::ranges::find_if(written, [](const auto& one) { return one.isPack; });
  return pack != written.end() && index >= static_cast<std::size_t>(pack - written.begin());
}

}  // namespace

// --- implicit conversion sequences ---

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
  const std::size_t before = diagnostics_.size();
  const Deeper trial(trials_);
  const Temporaries unused(*this, mayEnd_);
  try {
    const std::vector<Operand> arguments = readOperands(*operand.list, 0);
    if (!type->isStruct()) return conversion(arguments[0], type);
    std::string reason;
    const auto call = syntax::makeExpression(SyntaxKind::Call, operand.span, findClass(type)->node->name);
    const Choice choice =
        choose(*call, findConstructorsFor(type, arguments), arguments, nullptr, reason, values.size() > 1);
    if (!choice.fitting.empty()) result.rank = Rank::Exact;
    result.isAmbiguous = !choice.best;
    if (choice.best) result.by = choice.fitting[*choice.best].function;
  } catch (const CheckFault&) {
    diagnostics_.resize(before);
  }
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
  } else if ((isRvalue || isConst) && !target->isArray()) {  // a temporary object
    result = conversion(operand, target, mayUseClasses);
  } else if (mayUseClasses && own != nullptr && findClass(own) != nullptr) {  // operator T&()
    const std::optional<Candidate> by = classConversion(operand, target, false, result);
    if (!by || !by->function->returnsReference) result.rank = Rank::None;
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
  Candidate candidate;
  candidate.callee = callee;
  candidate.function = callee.function;
  candidate.bound = findClass(callee.owner)->scope;
  bindClassParameters(*callee.function, findClass(callee.owner)->arguments, candidate.bound);
  const syntax::Function& function = *callee.function;
  if (function.templateParameters.empty()) return candidate;
  Scope own;
  deduce(function, function.returnType, type, false, {}, own);
  for (auto& [name, symbol] : own) candidate.bound.insert_or_assign(name, symbol);
  return candidate;
}

/// The constructor or conversion function for a value of the type ([over.match.copy] 12.2.2.5,
/// [over.match.conv] 12.2.2.6). None if there is none, or no best one. An explicit one is for a direct
/// initialization only, and for its own type.
std::optional<Candidate> Checker::classConversion(const Operand& operand, const Type* type, bool isDirect,
                                                  Conversion& found) {
  spend(1, operand.span);
  std::vector<Candidate> fitting;  // its conversions: of the operand, and of the result
  for (const Callee& callee : findConversions(operand.type)) {
    if (callee.function->isExplicit && !isDirect) continue;
    const std::size_t before = diagnostics_.size();
    try {
      Candidate candidate = conversionCandidate(callee, type);
      const Operand made{.type = conversionType(candidate)};
      const Conversion second = standardConversion(made, type);
      const Conversion first = objectConversion(operand, candidate);
      const bool isOwn = !callee.function->isExplicit || second.rank == Rank::Exact;
      if (!isOwn || !first.exists() || !second.exists()) continue;
      candidate.conversions = {first, second};
      fitting.push_back(std::move(candidate));
    } catch (const CheckFault&) {
      diagnostics_.resize(before);
    }
  }
  const ClassInfo* const info = findClass(type);
  bool isAmbiguous = false;
  if (info != nullptr && info->isComplete && hasConstructors(type)) {
    std::vector<Callee> constructors = findConstructors(type);
    std::erase_if(constructors, [](const Callee& one) {
      return one.function->isExplicit || !one.function->diagnostics.empty();
    });
    const auto call = syntax::makeExpression(SyntaxKind::Call, operand.span, info->node->name);
    std::string reason;
    Choice choice = choose(*call, constructors, {&operand, 1}, nullptr, reason, false);
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

// --- candidates ---

/// Binds the candidate's template, and finds its parameters' types and the conversions to them. False if it
/// does not fit.
bool Checker::fillCandidate(Candidate& candidate, const syntax::Expression& node, Operands arguments,
                            const Operand* object, std::string& reason, bool mayUseClasses) {
  const syntax::Function& written = *candidate.function;
  std::vector<const Type*> types;
  for (const Operand& argument : arguments) types.push_back(argument.type);
  if (candidate.callee.owner != nullptr) {
    const ClassInfo& info = *findClass(candidate.callee.owner);
    candidate.bound = info.scope;
    bindClassParameters(written, info.arguments, candidate.bound);
    // A lambda's `auto` has the name that one of a lambda around it has.
    for (const syntax::TemplateParameter& own : written.templateParameters) candidate.bound.erase(own.name);
  }
  candidate.function = withPacks(written, node.templateArguments, types, candidate.bound, node.span);
  if (candidate.function == nullptr) {
    reason = fmt::format("{} takes more than {}", written.name, counted(arguments.size(), "argument"));
    return false;
  }
  const syntax::Function& function = *candidate.function;
  const auto needed = static_cast<std::size_t>(
      std::ranges::count_if(function.parameters, [](const auto& p) { return p.initial == nullptr; }));
  const std::size_t most = function.hasEllipsis ? SIZE_MAX : function.parameters.size();
  if (arguments.size() < needed || arguments.size() > most) {
    reason = takesText(function.name, needed, std::max(needed, function.parameters.size()), "argument",
                       arguments.size());
    return false;
  }
  const bool isOnObject = function.role == Role::Method || function.role == Role::StaticMethod;
  if (object != nullptr && isOnObject) {
    candidate.conversions.push_back(objectConversion(*object, candidate));
    if (!candidate.conversions.back().exists()) {
      reason = !function.isConst && isConst(*object)
                   ? fmt::format("{} is not const, but what it is called on is", function.name)
                   : fmt::format("{} is not for what it is called on", function.name);
      return false;
    }
  }
  bindHeadPacks(function, true, candidate.bound);  // defaults of the template's parameters may fold them
  reason = bindTemplate(function, node.templateArguments, arguments, candidate.bound);
  if (!reason.empty()) return false;
  {
    const Elsewhere elsewhere(*this, {candidate.bound});
    for (const syntax::Parameter& parameter : function.parameters) {
      const Type* type = parameterType(parameter);
      const bool isGroup = parameter.type.isReference && type->element->isGroup();
      candidate.parameters.push_back(isGroup ? type->element : type);
    }
  }
  for (std::size_t i = 0; i < std::min(arguments.size(), function.parameters.size()); ++i) {
    if (!isForwarding(function, function.parameters[i].type, node.templateArguments.size())) continue;
    Symbol& symbol = candidate.bound.at(function.parameters[i].type.base);
    symbol.isReference = symbol.isReference || arguments[i].isLvalue();
  }
  return fillParameters(candidate, arguments, reason, mayUseClasses);
}

/// The conversions of the arguments to the parameters.
bool Checker::fillParameters(Candidate& candidate, Operands arguments, std::string& reason,
                             bool mayUseClasses) {
  const syntax::Function& function = *candidate.function;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i >= function.parameters.size()) {
      candidate.conversions.push_back({.rank = Rank::Converted, .isEllipsis = true});
      continue;
    }
    const syntax::Parameter& parameter = function.parameters[i];
    const Type* const type = candidate.parameters[i];
    const auto bound = candidate.bound.find(parameter.type.base);
    const bool isCollapsed = bound != candidate.bound.end() && bound->second.isReference;  // T&& with T = X&
    const bool isReference = passesAddress(parameter, *type);
    const bool isRvalue = isReference && parameter.type.isRvalue && !isCollapsed;
    Conversion made = isReference ? referenceConversion(arguments[i], type, isRvalue, mayUseClasses)
                                  : conversion(arguments[i], type, mayUseClasses);
    const Type* const wanted = isReference ? type->element : type;
    if (!made.exists() && isReference && !isRvalue) {  // if there is only this function, its call reports it
      made = conversion(arguments[i], wanted, mayUseClasses);
      candidate.binds = false;
    }
    if (!made.exists()) {
      const std::string given = arguments[i].type != nullptr ? arguments[i].type->name() : "a list in braces";
      reason = isRvalue && arguments[i].isLvalue()
                   ? fmt::format("the parameter '{}' of {} takes what is made for the call, or std::move(x)",
                                 parameter.name, function.name)
                   : fmt::format("{} cannot become {} for the parameter '{}' of {}", given, wanted->name(),
                                 parameter.name, function.name);
      return false;
    }
    candidate.conversions.push_back(made);
    if (wanted->isGroup()) candidate.parameters[i] = arguments[i].type;  // the value has the parent group
  }
  return true;
}

/// Throws if the return type of a template makes no sense with the arguments.
void Checker::checkReturnType(const Candidate& candidate) {
  const syntax::Function& function = *candidate.function;
  const syntax::TypeName& returned = function.returnType;
  if (returned.path.empty() && returned.arguments == nullptr && returned.of == nullptr) return;
  const Elsewhere elsewhere(*this, {candidate.bound, {}});
  if (returned.of == nullptr) {
    resolve(returned);
    return;
  }
  const auto unevaluated = [&](const Type* type) {
    const auto [known, isNew] = unevaluated_.try_emplace(type, 0);
    if (isNew) known->second = addVariable("(unevaluated)", type, function.span, false);
    return known->second;
  };
  const Type* const owner = candidate.callee.owner;
  if (owner != nullptr) {
    classScopes_ = {owner};
    const Type* const pointer = kernel_.types->pointerTo(owner, function.isConst, false);
    if (function.role != Role::StaticMethod) this_ = ThisObject{unevaluated(pointer), pointer};
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const syntax::Parameter& parameter = function.parameters[i];
    const Type* const type = candidate.parameters[i];
    if (parameter.name.empty()) continue;
    declare(parameter.name, parameter.span,
            {Symbol::Kind::Variable, unevaluated(type), type, 0, passesAddress(parameter, *type), false});
  }
  bindHeadPacks(function, false, scope());
  bool isReference = false;
  declaredOperand(returned, isReference);
}

/// True if the candidate fits. A template does not if its head makes no sense with the arguments
/// ([temp.deduct] 13.10.3/8).
bool Checker::fits(Candidate& candidate, const syntax::Expression& node, Operands arguments,
                   const Operand* object, std::string& reason, bool mayUseClasses) {
  if (candidate.function->templateParameters.empty())
    return fillCandidate(candidate, node, arguments, object, reason, mayUseClasses);
  const std::size_t before = diagnostics_.size();
  try {
    if (!fillCandidate(candidate, node, arguments, object, reason, mayUseClasses)) return false;
    checkReturnType(candidate);
    return true;
  } catch (const CheckFault&) {
    if (hasUnknownName(before)) throw;
    reason = diagnostics_.size() > before ? diagnostics_.back().message
                                          : fmt::format("{} does not fit", candidate.callee.function->name);
    diagnostics_.resize(before);
    return false;
  }
}

// --- the best of them ---

/// True if the parameters of `b` can be deduced from those of `a` with a type of its own in place of each of
/// its template parameters ([temp.deduct.partial] 13.10.3.5).
bool Checker::isAsSpecial(const Candidate& a, const Candidate& b, std::size_t arguments) {
  const auto scopeOf = [&](const Candidate& one) {
    const Type* const owner = one.callee.owner;
    Scope scope = owner != nullptr ? findClass(owner)->scope : Scope{};
    if (owner != nullptr) bindClassParameters(*one.function, findClass(owner)->arguments, scope);
    return scope;
  };
  std::size_t used = 0;
  const auto bindRest = [&](const syntax::Function& function, Scope& scope) {
    for (const syntax::TemplateParameter& parameter : function.templateParameters) {
      if (placeholders_.size() <= used)
        placeholders_.push_back(kernel_.types->incomplete(fmt::format("(type {})", used)));
      Symbol symbol{.kind = Symbol::Kind::TypeName, .type = placeholders_[used]};
      if (!parameter.isType) {
        symbol.kind = Symbol::Kind::Constant;
        symbol.type = scalar(Type::Kind::I32);
        symbol.bits = 0x7f000000 + used;
      }
      used += scope.emplace(parameter.name, symbol).second ? 1 : 0;
    }
  };
  const auto targetOf = [&](const syntax::Parameter& parameter) {
    const Type* const type = parameterType(parameter);
    return parameter.type.isReference ? type->element : type;
  };
  const std::size_t before = diagnostics_.size();
  try {
    std::vector<const Type*> types;
    std::vector<bool> areConst;
    {
      Scope own = scopeOf(a);
      for (const auto& parameter : a.function->templateParameters) own.erase(parameter.name);
      bindRest(*a.function, own);
      const Elsewhere elsewhere(*this, {std::move(own)});
      for (std::size_t i = 0; i < arguments; ++i) types.push_back(targetOf(a.function->parameters[i]));
    }
    Scope bound = scopeOf(b);
    for (const auto& parameter : b.function->templateParameters) bound.erase(parameter.name);
    for (std::size_t i = 0; i < arguments; ++i) {
      if (isOfPack(*a.function, i) && !isOfPack(*b.function, i)) return false;
      if (!deduce(*b.function, b.function->parameters[i].type, types[i], false, {}, bound)) return false;
    }
    bindRest(*b.function, bound);
    const Elsewhere elsewhere(*this, {std::move(bound)});
    for (std::size_t i = 0; i < arguments; ++i) {
      if (targetOf(b.function->parameters[i]) != types[i]) return false;
    }
    return true;
  } catch (const CheckFault&) {
    diagnostics_.resize(before);
    return false;
  }
}

/// 1 if the first template is the more specialised one, -1 if the second is, else 0 ([temp.func.order]
/// 13.7.6.3).
int Checker::compareTemplates(const Candidate& a, const Candidate& b, std::size_t arguments) {
  const bool isFirst = isAsSpecial(a, b, arguments);
  const bool isSecond = isAsSpecial(b, a, arguments);
  if (isFirst != isSecond) return isFirst ? 1 : -1;
  if (!isFirst) return 0;
  int order = 0;
  for (std::size_t i = 0; i < arguments; ++i) {  // T& before T&&, const T& before T&
    const syntax::TypeName& first = a.function->parameters[i].type;
    const syntax::TypeName& second = b.function->parameters[i].type;
    if (!first.isReference || !second.isReference) continue;
    const int own = first.isRvalue != second.isRvalue ? (second.isRvalue ? 1 : -1)
                    : first.isConst != second.isConst ? (first.isConst ? 1 : -1)
                                                      : 0;
    if (order * own < 0) return 0;
    order = own != 0 ? own : order;
  }
  if (order != 0) return order;
  const auto hasPack = [](const Candidate& one) {
    return std::ranges::any_of(one.function->written().parameters, [](const auto& p) { return p.isPack; });
  };
  if (hasPack(a) != hasPack(b)) return hasPack(b) ? 1 : -1;
  if (isConstrained(a) != isConstrained(b)) return isConstrained(a) ? 1 : -1;
  return 0;
}

/// 1 if the first is the better function, -1 if the second is, else 0 ([over.match.best] 12.2.4).
int Checker::compare(const Candidate& a, const Candidate& b, std::size_t arguments) {
  bool isFirst = false;
  bool isSecond = false;
  // A friend or a function beside methods has its first argument in place of their object.
  for (std::size_t i = 0; i < std::min(a.conversions.size(), b.conversions.size()); ++i) {
    const int order = compare(a.conversions[i], b.conversions[i]);
    isFirst = isFirst || order > 0;
    isSecond = isSecond || order < 0;
  }
  if (isFirst != isSecond) return isFirst ? 1 : -1;
  if (isFirst) return 0;
  if (isTemplate(a) != isTemplate(b)) return isTemplate(b) ? 1 : -1;
  const std::size_t most =
      std::min({arguments, a.function->parameters.size(), b.function->parameters.size()});
  return isTemplate(a) && a.conversions.size() == b.conversions.size() ? compareTemplates(a, b, most) : 0;
}

/// The functions that fit, and the best one. With an object, methods are called on it. Without one, a method
/// is an operator, whose object is its first operand.
Choice Checker::choose(const syntax::Expression& node, const std::vector<Callee>& functions,
                       Operands arguments, const Operand* object, std::string& reason, bool mayUseClasses) {
  Choice result;
  const bool isOperator = object == nullptr && node.text.starts_with("operator");
  for (const Callee& callee : functions) {
    Candidate candidate;
    candidate.callee = callee;
    candidate.function = callee.function;
    const bool isOwn = isOperator && callee.function->role == Role::Method;
    const Operands own = isOwn ? arguments.subspan(1) : arguments;
    if (fits(candidate, node, own, isOwn ? &arguments[0] : object, reason, mayUseClasses))
      result.fitting.push_back(std::move(candidate));
  }
  std::vector<Candidate>& fitting = result.fitting;
  if (std::ranges::any_of(fitting, &Candidate::binds))  // if there is only one, the call reports the fault
    std::erase_if(fitting, [](const Candidate& candidate) { return !candidate.binds; });
  for (std::size_t i = 0; i < fitting.size() && !result.best; ++i) {
    const auto isWorse = [&](const Candidate& other) {
      return &other == &fitting[i] || compare(fitting[i], other, arguments.size()) > 0;
    };
    if (std::ranges::all_of(fitting, isWorse)) result.best = i;
  }
  return result;
}

/// The function that fits best. None if none fits, with the reason.
std::optional<Candidate> Checker::bestCandidate(const syntax::Expression& node,
                                                const std::vector<Callee>& functions, Operands arguments,
                                                const Operand* object, std::string& reason) {
  Choice choice = choose(node, functions, arguments, object, reason);
  if (choice.fitting.empty()) return std::nullopt;
  if (!choice.best) {
    fail(node.span, fmt::format("more than one {} fits these arguments equally well", node.text),
         "convert an argument to say which one is meant");
  }
  Candidate& best = choice.fitting[*choice.best];
  specialise(best);
  return std::move(best);
}

Candidate Checker::chooseFunction(const syntax::Expression& node, const std::vector<Callee>& functions,
                                  Operands arguments, const Operand* object) {
  std::string reason;
  std::optional<Candidate> best = bestCandidate(node, functions, arguments, object, reason);
  if (best) return std::move(*best);
  const std::string name = node.text.empty() ? functions[0].function->name : node.text;
  if (functions.size() > 1) reason = fmt::format("no {} takes these arguments", name);
  fail(node.span, reason, fmt::format("see the declaration of {}", name));
}

}  // namespace lanescope::checker
