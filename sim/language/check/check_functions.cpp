#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/language/check/checker_impl.h"
#include "sim/language/text/counted.h"

namespace lanescope::checker {
namespace {

/// Functions within functions; bounds the checker's own stack.
constexpr std::size_t kMaxCallDepth = 64;

/// True for a reference; a group, which holds nothing, is passed by value all the same.
bool passesAddress(const syntax::Parameter& parameter, const Type& type) {
  return parameter.type.isReference && !type.isGroup();
}

}  // namespace

void Checker::expectArguments(const syntax::Expression& node, std::size_t least, std::size_t most) {
  const std::size_t given = node.operands.size();
  if (given >= least && given <= most) return;
  fail(node.span, takesText(node.text, least, most, "argument", given),
       "see the CUDA C++ Programming Guide for its form");
}

/// The __device__ functions that a call may mean. The library's functions see none of the file's.
std::vector<const syntax::Function*> Checker::functionsNamed(const syntax::Expression& node) {
  std::vector<const syntax::Function*> functions;
  if (librarySpan_) return functions;
  // An own reduce() where cooperative groups' names are used without cg::, unless their operator is passed.
  std::string_view name = node.text;
  const bool takesOperator = !node.operands.empty() && node.operands.back()->text.starts_with("cg::");
  if (name.starts_with("cg::") && !takesOperator) name.remove_prefix(4);
  for (const syntax::Function& function : unit_.functions) {
    if (function.name != name) continue;
    if (function.isKernel) fail(node.span, "a kernel cannot call a kernel", "make it a __device__ function");
    if (!function.diagnostics.empty()) {
      reportOf(function.diagnostics);
      throw CheckFault{};
    }
    functions.push_back(&function);
  }
  return functions;
}

Checker::ExpressionPtr Checker::call(const syntax::Expression& node) {
  const std::vector<const syntax::Function*> functions = functionsNamed(node);
  return functions.empty() ? builtInCall(node) : deviceCall(node, functions);
}

// --- overloads ---

/// What it costs to make the value one of the type: 0 the same, 1 a promotion or const, 2 a conversion,
/// 3 to void*; -1: it cannot be (C++20 [over.ics.rank], simplified).
int Checker::conversionCost(const typed::Expression& value, const Type* type) const {
  const Type* from = value.type;
  if (from == type) return 0;
  if (type->takesGroup(*from)) return type->count == Type::kAnyGroup ? 1 : 0;
  if (from->isArithmetic() && type->isArithmetic()) {
    const bool isPromotion =
        promoted(from) == type || (from->kind == Type::Kind::F32 && type->kind == Type::Kind::F64);
    return isPromotion ? 1 : 2;
  }
  if (convertsNumbers(*from, *type)) return type->kind == Type::Kind::F32 ? 2 : 3;
  if (from->isPointer() && type->kind == Type::Kind::Bool) return 4;
  if (!type->isPointer()) return -1;
  if (value.kind == Kind::Constant && value.bits == 0) return 2;
  if (!from->isPointer() || (from->elementIsConst && !type->elementIsConst)) return -1;
  if (from->element == type->element) return from->elementIsConst == type->elementIsConst ? 0 : 1;
  return type->element->kind == Type::Kind::Void ? 3 : -1;
}

/// Binds the candidate's template and finds its parameters' types and cost; false: it does not fit.
bool Checker::fillCandidate(Candidate& candidate, const syntax::Expression& node, const Values& arguments,
                            std::string& reason) {
  const syntax::Function& function = *candidate.function;
  std::vector<const Type*> types;
  for (const ExpressionPtr& argument : arguments) types.push_back(argument->type);
  const auto needed = static_cast<std::size_t>(
      std::ranges::count_if(function.parameters, [](const auto& p) { return p.initial == nullptr; }));
  const std::size_t most = function.parameters.size();
  if (arguments.size() < needed || arguments.size() > most) {
    reason = takesText(function.name, needed, most, "argument", arguments.size());
    return false;
  }
  reason = bindTemplate(function, node.templateArguments, types, candidate.bound);
  if (!reason.empty()) return false;
  auto callerScopes = std::exchange(scopes_, {candidate.bound});
  try {
    for (const syntax::Parameter& parameter : function.parameters) {
      const Type* type = parameterType(parameter);
      const bool isGroup = parameter.type.isReference && type->element->isGroup();
      candidate.parameters.push_back(isGroup ? type->element : type);
    }
  } catch (const CheckFault&) {
    scopes_ = std::move(callerScopes);
    throw;
  }
  scopes_ = std::move(callerScopes);
  candidate.cost = function.templateParameters.empty() ? 0 : 1;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool isReference = passesAddress(function.parameters[i], *candidate.parameters[i]);
    const Type* wanted = isReference ? candidate.parameters[i]->element : candidate.parameters[i];
    const int cost = conversionCost(*arguments[i], wanted);
    if (cost < 0) {
      reason = fmt::format("{} cannot become {} for the parameter '{}' of {}", arguments[i]->type->name(),
                           wanted->name(), function.parameters[i].name, function.name);
      return false;
    }
    candidate.cost += cost * 4;
    if (wanted->isGroup()) candidate.parameters[i] = arguments[i]->type;  // knows what it is a part of
  }
  return true;
}

Candidate Checker::chooseFunction(const syntax::Expression& node,
                                  const std::vector<const syntax::Function*>& functions,
                                  const Values& arguments) {
  std::vector<Candidate> fitting;
  std::string reason;
  for (const syntax::Function* function : functions) {
    Candidate candidate;
    candidate.function = function;
    if (fillCandidate(candidate, node, arguments, reason)) fitting.push_back(std::move(candidate));
  }
  if (fitting.empty()) {
    if (functions.size() > 1) reason = fmt::format("no {} takes these arguments", node.text);
    fail(node.span, reason, fmt::format("see where {} is declared", node.text));
  }
  const auto best = std::ranges::min_element(fitting, {}, &Candidate::cost);
  if (std::ranges::count(fitting, best->cost, &Candidate::cost) > 1) {
    fail(node.span, fmt::format("more than one {} fits these arguments equally well", node.text),
         "convert an argument to say which one is meant");
  }
  return std::move(*best);
}

// --- calls ---

Checker::ExpressionPtr Checker::deviceCall(const syntax::Expression& node,
                                           const std::vector<const syntax::Function*>& functions) {
  Values arguments;
  for (const syntax::ExpressionPtr& operand : node.operands) {
    const bool isList = operand->kind == syntax::Expression::Kind::List;
    if (isList) fail(operand->span, "values in braces have no place here", "name their type: float2{…}");
    arguments.push_back(value(*operand));
  }
  return callWith(node, functions, std::move(arguments));
}

Checker::ExpressionPtr Checker::callWith(const syntax::Expression& node,
                                         const std::vector<const syntax::Function*>& functions,
                                         Values arguments) {
  const Candidate candidate = chooseFunction(node, functions, arguments);
  const syntax::Function& function = *candidate.function;
  if (underWay_.size() > kMaxCallDepth) {
    fail(node.span, fmt::format("functions call functions more than {} deep", kMaxCallDepth),
         "call fewer within each other");
  }
  const std::uint32_t index = instantiate(candidate, node);
  const typed::Function& instance = kernel_.functions[index];
  const Type* type =
      instance.returnsValue ? kernel_.variables[instance.result].type : scalar(Type::Kind::Void);
  ExpressionPtr result = make(Kind::Call, type, node.span);
  result->index = index;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const syntax::Parameter& parameter = function.parameters[i];
    const syntax::Expression* given = i < node.operands.size() ? node.operands[i].get() : nullptr;
    ExpressionPtr argument = given != nullptr ? std::move(arguments[i]) : nullptr;
    if (given == nullptr) {
      given = parameter.initial.get();
      auto callerScopes = std::exchange(scopes_, {candidate.bound});
      argument = initialValue(*given, candidate.parameters[i], parameter.span);
      scopes_ = std::move(callerScopes);
    }
    result->operands.push_back(argumentFor(parameter, candidate.parameters[i], given, std::move(argument)));
  }
  return result;
}

/// What is passed for a parameter: the value converted, or for a reference the address of the place.
Checker::ExpressionPtr Checker::argumentFor(const syntax::Parameter& parameter, const Type* type,
                                            const syntax::Expression* node, ExpressionPtr value) {
  const SourceSpan span = node->span;
  if (!passesAddress(parameter, *type)) return convertImplicitly(std::move(value), type, span);
  const Type* referred = type->element;
  if (isPlace(*node)) {
    Place target = place(*node);
    if (target.type == referred) {
      if (target.isConst && !type->elementIsConst) {
        fail(span, "this is const, but the reference would allow stores", "make the reference const");
      }
      ExpressionPtr address = addressOf(std::move(target));
      address->type = type;
      return address;
    }
  }
  if (!type->elementIsConst) {
    fail(span, fmt::format("a reference to {} needs a variable of that type", referred->name()),
         "pass a variable, or make the reference const");
  }
  if (value == nullptr) value = this->value(*node);
  const std::uint32_t temporary = addVariable("(temporary)", referred, span, false);
  kernel_.variables[temporary].isAddressed = true;
  value = convertImplicitly(std::move(value), referred, span);
  ExpressionPtr address = make(Kind::LocalAddress, type, span);
  address->index = temporary;
  return make(Kind::Sequence, type, span, setVariable(temporary, 0, referred, std::move(value), span),
              std::move(address));
}

std::uint32_t Checker::instantiate(const Candidate& candidate, const syntax::Expression& node) {
  const syntax::Function& function = *candidate.function;
  std::string key = fmt::format("{}@{}", function.name, function.span.begin);
  std::optional<LibraryCall> library;
  if (isOfLibrary(function)) {
    library.emplace(*this, node.span);
    key += fmt::format("@{}", librarySpan_->begin);  // its lines are those of the call
  }
  for (const auto& [name, symbol] : candidate.bound)
    key +=
        fmt::format("|{}:{}{}:{}", name, symbol.isConst ? "const " : "", fmt::ptr(symbol.type), symbol.bits);
  for (const Type* parameter : candidate.parameters) {
    if (parameter->isGroup()) key += fmt::format("|{}", fmt::ptr(parameter));
  }
  if (const auto known = instances_.find(key); known != instances_.end()) return known->second;
  if (std::ranges::count(underWay_, key) > 0) {  // f<3> may call f<2>
    fail(node.span,
         fmt::format("{} calls itself: recursion is not in the subset that is simulated", function.name),
         "write a loop");
  }

  auto callerScopes = std::exchange(scopes_, {candidate.bound, {}});
  std::string callerName = std::exchange(functionName_, nameOf(candidate));
  const Type* callerReturn = returnType_;
  const std::uint32_t callerResult = resultVariable_;
  const int callerLoops = std::exchange(loopDepth_, 0);
  const int callerSwitches = std::exchange(switchDepth_, 0);
  underWay_.push_back(key);
  const auto leave = [&] {
    underWay_.pop_back();
    functionName_ = std::move(callerName);
    returnType_ = callerReturn;
    resultVariable_ = callerResult;
    loopDepth_ = callerLoops;
    switchDepth_ = callerSwitches;
    scopes_ = std::move(callerScopes);
  };
  typed::Function instance;
  try {
    instance = functionBody(candidate);
  } catch (const CheckFault&) {
    leave();
    throw;
  }
  leave();
  if (kernel_.functions.size() >= 4096) fail(node.span, "more than 4,096 functions", "split the kernel");
  const auto index = static_cast<std::uint32_t>(kernel_.functions.size());
  kernel_.functions.push_back(std::move(instance));
  instances_[key] = index;
  return index;
}

/// The body of a function in the scopes that are open: its variables join the kernel's.
typed::Function Checker::functionBody(const Candidate& candidate) {
  const syntax::Function& function = *candidate.function;
  typed::Function instance;
  instance.name = function.name;
  returnType_ = resolve(function.returnType);
  instance.returnsValue = returnType_->kind != Type::Kind::Void;
  if (instance.returnsValue) {
    resultVariable_ = addVariable(function.name + "()", returnType_, function.span, false);
    instance.result = resultVariable_;
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const syntax::Parameter& parameter = function.parameters[i];
    const Type* type = candidate.parameters[i];
    const std::uint32_t variable = addVariable(parameter.name, type, parameter.span, false);
    instance.parameters.push_back(variable);
    if (parameter.name.empty()) continue;
    const bool isReference = passesAddress(parameter, *type);
    declare(parameter.name, parameter.span, {Symbol::Kind::Variable, variable, type, 0, isReference, false});
  }
  instance.body = block(*function.body);
  return instance;
}

}  // namespace lanescope::checker
