#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/language/check/checker_impl.h"
#include "sim/language/check/device_library.h"

// Calls of functions: arguments, references, and the instance of a function that a call needs.
namespace lanescope::checker {

/// The value passed for a parameter: the converted argument, or the address of the glvalue if the parameter
/// is a reference.
ExpressionPtr Checker::argumentFor(const syntax::Parameter& parameter, const Type* type, Operand operand) {
  if (passesAddress(parameter, *type)) return referenceTo(type, std::move(operand), parameter.type.isRvalue);
  const SourceSpan span = operand.span;
  return passed(std::move(operand), type, span);
}

/// A value of the type for a parameter, a variable or a result. An object is made by its copy constructor if
/// its class has one.
ExpressionPtr Checker::passed(Operand operand, const Type* type, SourceSpan span) {
  if (operand.list != nullptr) return construct(type, *operand.list);
  const bool isPart = operand.type != type && isDerivedPart(operand.type, type);
  if ((isPart || (operand.isObject() && operand.type == type)) && choosesCopy(type, CopyBy::Construction))
    return constructed(type, formatList(std::move(operand)), span);
  if (!isPart && operand.type != type) {
    if (ExpressionPtr converted = classConversion(operand, type, span)) return converted;
  }
  return plainCopy(std::move(operand), type, span);
}

/// The same without constructors.
ExpressionPtr Checker::plainCopy(Operand operand, const Type* type, SourceSpan span) {
  const bool isCopy = operand.isObject() && operand.type == type && isPolymorphic(type);
  ExpressionPtr value = convertImplicitly(makeValue(std::move(operand)), type, span);
  return isCopy ? sliced(std::move(value)) : std::move(value);
}

/// The address of the argument, as a pointer, for a reference of the type.
ExpressionPtr Checker::referenceTo(const Type* type, Operand operand, bool isRvalue) {
  const SourceSpan span = operand.span;
  if (operand.glvalue && operand.glvalue->bits.storage != nullptr)
    operand = asOperand(load(std::move(*operand.glvalue)));
  const Type* referred = type->element;
  operand = asPlace(std::move(operand));
  const bool isOther = operand.list == nullptr && findClass(operand.ownType()) != nullptr &&
                       !isSameOrDerived(operand.ownType(), referred);
  if (isOther) {  // operator T&()
    Conversion found;
    if (const auto by = classConversion(operand, referred, false, found, type, isRvalue))
      operand = asOperand(convertBy(*by, std::move(operand), span));
  }
  std::uint32_t offset = 0;
  const bool isLvalueOnly = !type->elementIsConst && !isRvalue;
  const bool isOfDerived =
      !operand.glvalue && operand.type != nullptr && isDerivedPart(operand.type, referred);
  if (isOfDerived && !isLvalueOnly)  // the whole object is kept ([dcl.init.ref] 9.4.4/5)
    operand = asOperand(materialised(makeValue(std::move(operand))));
  if (operand.glvalue && !(isLvalueOnly && operand.isMoved)) {
    const Glvalue& target = *operand.glvalue;
    const bool isBase = target.type != referred && isDerived(target.type, referred, offset);
    if (target.type == referred || isBase) {
      if (target.isConst && !type->elementIsConst) {
        failTyping(span, "this is const, but the reference would allow stores", "make the reference const");
      }
      ExpressionPtr address = makeAddress(std::move(*operand.glvalue));
      if (isBase) address = moved(std::move(address), offset, referred, type->elementIsConst);
      address->type = type;
      return address;
    }
  }
  if (isLvalueOnly) {
    failTyping(span, fmt::format("a reference to {} needs a variable of that type", referred->name()),
               "pass a variable, or make the reference const");
  }
  ExpressionPtr value = passed(std::move(operand), referred, span);
  Glvalue object = materialised(std::move(value));
  object.address->type = type;
  return std::move(object.address);
}

namespace {

/// Nesting of functions. Limits the checker's own stack.
constexpr std::size_t kMaxCallDepth = 64;

}  // namespace

void Checker::expectArguments(const syntax::Expression& node, std::size_t least, std::size_t most) {
  const std::size_t given = node.operands.size();
  if (given >= least && given <= most) return;
  fail(node.span, takesText(node.text, least, most, "argument", given),
       "see the CUDA C++ Programming Guide for its form");
}

ExpressionPtr Checker::call(const syntax::Expression& node) {
  const Symbol* const symbol = find(node);
  const bool isValue =
      symbol != nullptr && symbol->kind != Symbol::Kind::Template && symbol->kind != Symbol::Kind::TypeName;
  if (isValue) {  // an object with operator()
    if (symbol->kind == Symbol::Kind::Unchecked) throw CheckFault{};
    Operand callee = symbol->kind == Symbol::Kind::Constant
                         ? asOperand(constant(symbol->type, symbol->bits, node.span))
                         : asOperand(symbolGlvalue(*symbol, node));
    return invokeOperand(node, std::move(callee), 0);
  }
  if (node.type) return scopedCall(node);
  std::vector<Callee> functions = functionsNamed(node);
  std::optional<std::vector<Operand>> arguments;
  const std::string_view plain = syntax::lastName(node.text);
  const bool isOfClass = !functions.empty() && functions[0].owner != nullptr;
  const bool mayBeOfArguments = unit_.names.isDeclared(plain) || unit_.friends.contains(plain);
  if (!node.isQualified && !librarySpan_ && !isOfClass && mayBeOfArguments) {
    arguments = readOperands(node, 0);
    addFunctionsOfArguments(node, node.text, *arguments, functions);
    for (const Callee& callee : functions) refuseFaulty(callee.function->diagnostics);
  }
  if (node.isTemplateId)  // f<>(x) is of a template ([temp.arg.explicit])
    std::erase_if(functions,
                  [](const Callee& callee) { return callee.function->templateParameters.empty(); });
  if (functions.empty()) {
    if (arguments) keepChecked(node, std::move(*arguments));
    return builtInCall(node);
  }
  if (!arguments) arguments = readOperands(node, 0);
  const bool hidesOthers = isOfClass || (node.isInner && node.binding == syntax::Binding::File);
  if (!hidesOthers && isBuiltIn(node.text)) return overloadOfBuiltIn(node, functions, std::move(*arguments));
  std::optional<Operand> object;
  if (isOfClass && this_) object = thisOperand(node.span);
  while (object && object->type->field("(this)") != nullptr &&
         methodsNamed(object->type, node, node.text).empty())
    object = outerObject(std::move(*object), node.span);
  return callWith(node, functions, std::move(*arguments), std::move(object));
}

// --- calls ---

std::vector<Operand> Checker::readOperands(const syntax::Expression& written, std::size_t first) {
  const syntax::Expression& node = expandedPacks(written);
  std::vector<Operand> operands;
  for (std::size_t i = first; i < node.operands.size(); ++i) {
    operands.push_back(operand(*node.operands[i]));
    const Operand& last = operands.back();
    if (last.list == nullptr && last.type->kind == Type::Kind::Void)
      failTyping(last.span, "this has no value", "use a function that returns one");
  }
  return operands;
}

/// A call of the function that fits the arguments best. For a method, on the object.
ExpressionPtr Checker::callWith(const syntax::Expression& node, const std::vector<Callee>& functions,
                                std::vector<Operand> arguments, std::optional<Operand> object,
                                bool isQualified) {
  spend(1, node.span);
  const Candidate candidate = chooseFunction(node, functions, arguments, object ? &*object : nullptr);
  if (object && !isQualified && isVirtualCall(candidate, *object))
    return virtualCall(node, candidate, std::move(arguments), std::move(*object));
  ExpressionPtr address;
  if (candidate.function->role == Role::Method) {
    if (!object) {
      fail(node.span, fmt::format("{} needs an object of its class", candidate.function->name),
           "write object.method(…)");
    }
    address = objectAddress(std::move(*object));
  }
  return finishCall(node, candidate, std::move(arguments), std::move(address));
}

/// The call of a chosen function, on the object at the address.
ExpressionPtr Checker::finishCall(const syntax::Expression& node, const Candidate& candidate,
                                  std::vector<Operand> arguments, ExpressionPtr object) {
  const syntax::Function& function = *candidate.function;
  if (inProgress_.size() > kMaxCallDepth) {
    fail(node.span, fmt::format("functions call functions more than {} deep", kMaxCallDepth),
         "call fewer within each other");
  }
  const std::uint32_t index = instantiate(candidate, node);
  const typed::Function& instance = kernel_.functions[index];
  const bool returnsReference = instance.returnsReference;
  const bool returnsRvalue = instance.returnsRvalue;
  const Type* type = instance.returnsValue ? kernel_.variables[instance.result].type : voidType();
  ExpressionPtr result = make(Kind::Call, type, node.span);
  result->index = index;
  result->isRightFirst = node.kind == SyntaxKind::Assign;
  if (object != nullptr) {
    const bool isConst = object->type->elementIsConst;
    result->operands.push_back(
        moved(std::move(object), candidate.callee.offset, candidate.callee.owner, isConst));
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const syntax::Parameter& parameter = function.parameters[i];
    if (i < arguments.size()) {
      result->operands.push_back(argumentFor(parameter, candidate.parameters[i], std::move(arguments[i])));
      continue;
    }
    const Elsewhere elsewhere(*this, {candidate.bound});
    result->operands.push_back(argumentFor(parameter, candidate.parameters[i], operand(*parameter.initial)));
  }
  for (std::size_t i = function.parameters.size(); i < arguments.size(); ++i) {  // f(...) ignores them
    ExpressionPtr unused = makeValue(std::move(arguments[i]));
    if (unused->kind != Kind::Variable && unused->kind != Kind::Constant && unused->kind != Kind::Load &&
        unused->kind != Kind::Make)
      fail(node.span, "an argument for '...' that does something is not simulated", "name its value before");
  }
  result->isConst = type->isStruct() && function.returnType.isConst && function.returnType.pointers == 0;
  if (!returnsReference) return function.isConstexpr ? foldedCall(std::move(result)) : std::move(result);
  return referred(std::move(result), returnsRvalue);
}

/// The target of the reference that a function returned.
ExpressionPtr Checker::referred(ExpressionPtr reference, bool isRvalue) {
  const SourceSpan span = reference->span;
  const Type* const type = reference->type->element;
  ExpressionPtr target = make(Kind::Load, type, span, std::move(reference));
  target->isGlvalue = true;
  target->isXvalue = isRvalue;
  return target;
}

/// The result of a constexpr function if its arguments are known, as a compiler finds it. Otherwise the call.
ExpressionPtr Checker::foldedCall(ExpressionPtr call) {
  call = fold(std::move(call));
  const bool isKnown = std::ranges::all_of(call->operands, [](const ExpressionPtr& operand) {
    return operand->kind == Kind::Constant && operand->type->isArithmetic();
  });
  if (!isKnown || !call->type->isArithmetic()) return call;
  const std::optional<std::uint64_t> bits = ConstantEvaluator(kernel_, foldingSteps_).computeBits(*call);
  return bits ? constant(call->type, *bits, call->span) : std::move(call);
}

// Instances of functions: each is read once per kernel and set of template arguments.

namespace {

/// True if the function's return type is known only from its body.
bool isDeduced(const syntax::Function& function) {
  return (function.returnType.base == "auto" || function.returnType.base == "decltype") &&
         function.returnType.of == nullptr && function.returnType.pointers == 0;
}

}  // namespace

std::uint32_t Checker::instantiate(const Candidate& candidate, const syntax::Expression& node) {
  const syntax::Function& function = *candidate.function;
  std::string key =
      fmt::format("{}@{}@{}", function.name, fmt::ptr(&function.written()), fmt::ptr(candidate.callee.owner));
  // The library has no lines that a reader could look at: its places are those of the call.
  const bool isLibrary = isOfLibrary(function);
  const Restored places(librarySpan_, isLibrary ? librarySpan_.value_or(node.span) : librarySpan_);
  if (isLibrary) key += fmt::format("@{}", librarySpan_->begin);
  for (const syntax::TemplateParameter& parameter : function.templateParameters) {
    const auto bound = candidate.bound.find(parameter.name);
    if (bound == candidate.bound.end()) continue;
    const Symbol& symbol = bound->second;
    key += fmt::format("|{}", makeKey(parameter.name, {symbol}));
  }
  for (std::size_t i = 0; i < candidate.parameters.size(); ++i) {
    const Type* const parameter = candidate.parameters[i];
    if (parameter->isGroup() || function.parameters[i].type.isRvalue)
      key += fmt::format("|{}", fmt::ptr(parameter));
  }
  if (const auto known = instances_.find(key); known != instances_.end()) {
    if (std::ranges::count(inProgress_, key) > 0 && isDeduced(function)) {
      fail(node.span, fmt::format("{} calls itself before its return type is known", function.name),
           "write its return type in place of auto");
    }
    if (const auto faults = instanceFaults_.find(known->second); faults != instanceFaults_.end())
      makeReport(faults->second);
    return known->second;
  }
  refuseFaulty(function.diagnostics);
  if (function.written().body == nullptr && !function.isDefaulted) {
    fail(node.span, fmt::format("{} is declared, but not defined in this file", instanceName(candidate)),
         "write its body");
  }
  if (kernel_.functions.size() >= 4096) fail(node.span, "more than 4,096 functions", "split the kernel");
  const auto index = static_cast<std::uint32_t>(kernel_.functions.size());
  kernel_.functions.emplace_back();
  instances_[key] = index;  // before its body is read, since it may call itself
  const std::string name = instanceName(candidate);
  // Functions of the text that the library calls, such as constructors, see the text's names.
  const Restored ownText(librarySpan_, isLibrary ? librarySpan_ : std::nullopt);
  const Elsewhere elsewhere(*this, {candidate.bound, {}});
  functionName_ = name;
  const Restored ofBody(substitutions_, 0);
  inProgress_.push_back(key);
  const std::size_t before = diagnostics_.size();
  try {
    functionBody(candidate, index);
  } catch (const CheckFault&) {
    instances_.erase(key);
    inProgress_.pop_back();
    throw;
  }
  inProgress_.pop_back();
  if (diagnostics_.size() > before) instanceFaults_[index] = faultsSince(before);
  return index;
}

/// The body of a function in the open scopes: its variables join the kernel's. A call needs some facts before
/// the body is checked, since the body may contain such a call.
void Checker::functionBody(const Candidate& candidate, std::uint32_t index) {
  const syntax::Function& function = *candidate.function;
  spend(1, function.span);
  typed::Function instance;
  instance.name = function.name;
  instance.isForRuns =
      function.role == Role::Plain && !function.written().isConstexpr && !isOfLibrary(function);
  const bool isNamed = function.returnType.of == nullptr;  // not by the parameters: decltype(x)
  const auto readReturnType = [&] {
    const Symbol meant = returned(function);
    returnsReference_ = meant.isReference;
    returnsRvalue_ = meant.isRvalue;
    returnType_ = returnsReference_ ? pointerTo(meant) : meant.type;
    if (returnType_->kind != Type::Kind::Void) resultVariable_ = addResult(function.name, function.span);
  };
  returnsReference_ = function.returnsReference;
  returnsRvalue_ = function.returnType.isRvalue;
  returnType_ = isDeduced(function) ? nullptr : voidType();
  if (function.role != Role::Constructor && function.role != Role::Destructor && isNamed &&
      !isDeduced(function))
    readReturnType();
  const Type* const owner = candidate.callee.owner;
  if (owner != nullptr) {
    classScopes_ = {owner};
    const bool isOnObject = function.role == Role::Method || function.role == Role::Constructor ||
                            function.role == Role::Destructor || function.role == Role::Conversion;
    if (isOnObject) {
      const Type* const type = pointerTo(owner, function.isConst);
      this_ = ThisObject{addVariable("this", type, function.span, true), type};
      instance.parameters.push_back(this_->variable);
    }
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const syntax::Parameter& parameter = function.parameters[i];
    const Type* type = candidate.parameters[i];
    const bool isReference = passesAddress(parameter, *type);
    const bool isConst = !isReference && !parameter.name.empty() && isConstType(parameter.type);
    instance.parameters.push_back(
        declareVariable(parameter.name, parameter.span, type, isConst, isReference,
                        isReference && takesRvalues(parameter.type, candidate.bound)));
    if (!isReference) noteAlive(parameter.name);
  }
  bindHeadPacks(function, false, scope());
  if (!isNamed) readReturnType();
  firstLocal_ = static_cast<std::uint32_t>(kernel_.variables.size());
  if (returnType_ != nullptr) noteResult(instance);
  kernel_.functions[index] = instance.head();
  StatementPtr initials;
  const bool isCopy = function.isDefaulted && !function.parameters.empty();
  if (isCopy || function.role == Role::Constructor)
    initials = makeStatement(StatementKind::Block, function.span);
  if (isCopy) {
    copyMembers(function, instance.parameters.back(), *initials);
  } else if (initials != nullptr) {
    memberInitials(function.written(), *initials);
  }
  const syntax::StatementPtr& body = function.written().body;
  instance.body = body != nullptr ? block(*body) : makeStatement(StatementKind::Block, function.span);
  if (initials != nullptr) instance.body->body.insert(instance.body->body.begin(), std::move(initials));
  endObjects(0, {function.span.end, function.span.end}, *instance.body);
  if (returnType_ == nullptr) returnType_ = voidType();
  noteResult(instance);
  kernel_.functions[index] = std::move(instance);
}

void Checker::noteResult(typed::Function& instance) const {
  instance.returnsValue = returnType_->kind != Type::Kind::Void;
  instance.returnsReference = returnsReference_ && instance.returnsValue;
  instance.returnsRvalue = returnsRvalue_;
  if (instance.returnsValue) instance.result = resultVariable_;
}

/// The variable that holds the function's result.
std::uint32_t Checker::addResult(const std::string& name, SourceSpan span) {
  const std::uint32_t result = addVariable(name + "()", returnType_, span, false);
  kernel_.variables[result].isAddressed = false;  // it is always written and read as a whole
  return result;
}

}  // namespace lanescope::checker
