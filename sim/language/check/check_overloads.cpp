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

/// True if a concept or a requires clause constrains the function (concepts.cpp).
bool isConstrained(const Candidate& candidate) {
  return candidate.function->written().constraint != nullptr ||
         std::ranges::any_of(candidate.function->templateParameters, [](const auto& parameter) {
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

/// A member function of a class as a candidate, which sees the names of the class.
Candidate Checker::memberCandidate(const Callee& callee) const {
  const ClassInfo& info = *findClass(callee.owner);
  Candidate candidate{.callee = callee, .function = callee.function, .bound = info.scope};
  bindClassParameters(*callee.function, info.arguments, candidate.bound);
  return candidate;
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
    candidate.bound = memberCandidate(candidate.callee).bound;
    // A lambda's `auto` has the name that one of a lambda around it has.
    for (const syntax::TemplateParameter& own : written.templateParameters) candidate.bound.erase(own.name);
  }
  candidate.function = withPacks(written, node.templateArguments, types, candidate.bound, node.span);
  if (candidate.function == nullptr) {
    reason = fmt::format("{} takes more than {}", written.name, counted(arguments.size(), "argument"));
    return false;
  }
  const syntax::Function& function = *candidate.function;
  const auto needed = static_cast<std::size_t>(std::ranges::count_if(function.parameters, [&](const auto& p) {
    return p.initial == nullptr || candidate.callee.isOfBlock;
  }));
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
  if (!fillParameters(candidate, arguments, reason, mayUseClasses)) return false;
  if (!isMet(candidate)) reason = fmt::format("what {} requires is not so here", function.name);
  return reason.empty();
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
    const bool isReference = passesAddress(parameter, *type);
    const bool isRvalue = isReference && takesRvalues(parameter.type, candidate.bound);
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
    meaning(returned);
    return;
  }
  declareUnevaluated(candidate);
  meaning(returned);
}

/// Declares the parameters, and the object of a method, for operands that are not evaluated.
void Checker::declareUnevaluated(const Candidate& candidate) {
  const syntax::Function& function = *candidate.function;
  const auto unevaluated = [&](const Type* type) {
    const auto [known, isNew] = unevaluated_.try_emplace(type, 0);
    if (isNew) known->second = addVariable("(unevaluated)", type, function.span, false);
    return known->second;
  };
  const Type* const owner = candidate.callee.owner;
  if (owner != nullptr) {
    classScopes_ = {owner};
    const Type* const pointer = pointerTo(owner, function.isConst);
    if (function.role != Role::StaticMethod) this_ = ThisObject{unevaluated(pointer), pointer};
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const syntax::Parameter& parameter = function.parameters[i];
    const Type* const type = candidate.parameters[i];
    if (parameter.name.empty()) continue;
    Symbol symbol{Symbol::Kind::Variable, unevaluated(type), type, 0, passesAddress(parameter, *type), false};
    symbol.isRvalue = symbol.isReference && takesRvalues(parameter.type, candidate.bound);
    declare(parameter.name, parameter.span, symbol);
  }
  bindHeadPacks(function, false, scope());
}

/// True unless a requires clause behind the function's parameters is not met.
bool Checker::isMet(const Candidate& candidate) {
  const std::shared_ptr<syntax::Expression>& clause = candidate.function->written().constraint;
  if (clause == nullptr) return true;
  const Elsewhere elsewhere(*this, {candidate.bound, {}});
  declareUnevaluated(candidate);
  return isMet(*clause);
}

/// An operand of && and || that makes no sense is not met, rather than a fault
/// ([temp.constr.atomic] 13.5.2.3).
bool Checker::isMet(const syntax::Expression& constraint) {
  if (constraint.text == "&&" && constraint.kind == SyntaxKind::Binary)
    return isMet(*constraint.operands[0]) && isMet(*constraint.operands[1]);
  if (constraint.text == "||" && constraint.kind == SyntaxKind::Binary)
    return isMet(*constraint.operands[0]) || isMet(*constraint.operands[1]);
  ExpressionPtr value;
  if (!attemptTyping([&] { value = asConstant(toBool(expression(constraint))); })) return false;
  if (value->kind != Kind::Constant)
    fail(constraint.span, "this constraint is not a constant", "use constants");
  return value->bits != 0;
}

/// True if the candidate fits. A template does not if its head makes no sense with the arguments
/// ([temp.deduct] 13.10.3/8).
bool Checker::fits(Candidate& candidate, const syntax::Expression& node, Operands arguments,
                   const Operand* object, std::string& reason, bool mayUseClasses) {
  if (candidate.function->templateParameters.empty())
    return fillCandidate(candidate, node, arguments, object, reason, mayUseClasses);
  const Deeper deeper(substitutions_);
  bool isFilled = false;
  reason = fmt::format("{} does not fit", candidate.callee.function->name);
  const bool makesSense = attemptTyping(
      [&] {
        isFilled = fillCandidate(candidate, node, arguments, object, reason, mayUseClasses);
        if (isFilled) checkReturnType(candidate);
      },
      &reason);
  return makesSense && isFilled;
}

// --- the best of them ---

/// True if the parameters of `b` can be deduced from those of `a` with a type of its own in place of each of
/// its template parameters ([temp.deduct.partial] 13.10.3.5).
bool Checker::isAsSpecial(const Candidate& a, const Candidate& b, std::size_t arguments) {
  const auto scopeOf = [&](const Candidate& one) {
    Scope scope;
    if (one.callee.owner != nullptr) scope = memberCandidate({one.function, one.callee.owner}).bound;
    for (const syntax::TemplateParameter& parameter : one.function->templateParameters)
      scope.erase(parameter.name);
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
  bool isSo = false;
  attempt([&] {
    std::vector<const Type*> types;
    {
      Scope own = scopeOf(a);
      bindRest(*a.function, own);
      const Elsewhere elsewhere(*this, {std::move(own)});
      for (std::size_t i = 0; i < arguments; ++i) types.push_back(targetOf(a.function->parameters[i]));
    }
    Scope bound = scopeOf(b);
    for (std::size_t i = 0; i < arguments; ++i) {
      if (isOfPack(*a.function, i) && !isOfPack(*b.function, i)) return;
      if (!matchesType(b.function->parameters[i].type, {.kind = Symbol::Kind::TypeName, .type = types[i]},
                       b.function->templateParameters, bound, &kNoneGiven))
        return;
    }
    bindRest(*b.function, bound);
    const Elsewhere elsewhere(*this, {std::move(bound)});
    std::size_t same = 0;
    while (same < arguments && targetOf(b.function->parameters[same]) == types[same]) ++same;
    isSo = same == arguments;
  });
  return isSo;
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
  if (isTemplate(a)) return a.conversions.size() == b.conversions.size() ? compareTemplates(a, b, most) : 0;
  if (isConstrained(a) == isConstrained(b) || a.parameters != b.parameters) return 0;
  return isConstrained(a) ? 1 : -1;
}

/// The functions that fit, and the best one. With an object, methods are called on it. Without one, a method
/// is an operator, whose object is its first operand.
Choice Checker::choose(const syntax::Expression& node, const std::vector<Callee>& functions,
                       Operands arguments, const Operand* object, std::string& reason, bool mayUseClasses) {
  Choice result;
  const bool isOperator = object == nullptr && node.text.starts_with("operator");
  for (const Callee& callee : functions) {
    Candidate candidate{.callee = callee, .function = callee.function};
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
    failTyping(node.span, fmt::format("more than one {} fits these arguments equally well", node.text),
               "convert an argument to say which one is meant");
  }
  Candidate& best = choice.fitting[*choice.best];
  refuseSecret(best.function->isPrivate, best.function->name, node.span);
  if (best.function->isDeleted)
    failTyping(node.span, fmt::format("{} is deleted for these arguments", best.function->name),
               "use another one");
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
  failTyping(node.span, reason, fmt::format("see the declaration of {}", name));
}

}  // namespace lanescope::checker
