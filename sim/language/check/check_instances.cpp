// Instances of functions: each is read once per kernel and set of template arguments.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/device_library.h"

namespace lanescope::checker {
namespace {

/// True if the function's return type is known only from its body.
bool isDeduced(const syntax::Function& function) {
  return (function.returnType.base == "auto" || function.returnType.base == "decltype") &&
         function.returnType.pointers == 0;
}

/// Removes the last function from the list of those being checked.
class InProgress {
 public:
  explicit InProgress(std::vector<std::string>& keys) : keys_(keys) {}
  ~InProgress() { keys_.pop_back(); }
  InProgress(const InProgress&) = delete;
  InProgress& operator=(const InProgress&) = delete;

 private:
  std::vector<std::string>& keys_;
};

}  // namespace

std::uint32_t Checker::instantiate(const Candidate& candidate, const syntax::Expression& node) {
  const syntax::Function& function = *candidate.function;
  std::string key =
      fmt::format("{}@{}@{}", function.name, fmt::ptr(&function.written()), fmt::ptr(candidate.callee.owner));
  std::optional<LibraryCall> library;
  if (isOfLibrary(function)) {
    library.emplace(static_cast<CheckerState&>(*this), node.span);
    key += fmt::format("@{}", librarySpan_->begin);  // its lines are those of the call
  }
  for (const syntax::TemplateParameter& parameter : function.templateParameters) {
    const auto bound = candidate.bound.find(parameter.name);
    if (bound == candidate.bound.end()) continue;
    const Symbol& symbol = bound->second;
    key += fmt::format("|{}:{}{}{}:{}{}", parameter.name, symbol.isConst ? "const " : "",
                       fmt::ptr(symbol.type), symbol.isReference ? "&" : "", symbol.bits,
                       symbol.templateName != nullptr ? *symbol.templateName : std::string());
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
    return known->second;
  }
  refuseFaulty(function.diagnostics);
  if (function.written().body == nullptr && !function.isDefaulted) {
    fail(node.span, fmt::format("{} is declared, but not defined in this file", nameFor(candidate)),
         "write its body");
  }
  if (kernel_.functions.size() >= 4096) fail(node.span, "more than 4,096 functions", "split the kernel");
  const auto index = static_cast<std::uint32_t>(kernel_.functions.size());
  kernel_.functions.emplace_back();
  instances_[key] = index;  // before its body is read, since it may call itself
  const std::string name = nameFor(candidate);
  const OwnText ownText(*this, library.has_value());
  const Elsewhere elsewhere(*this, {candidate.bound, {}});
  functionName_ = name;
  inProgress_.push_back(key);
  const InProgress end(inProgress_);
  try {
    functionBody(candidate, index);
  } catch (const CheckFault&) {
    instances_.erase(key);
    throw;
  }
  return index;
}

/// The body of a function in the open scopes: its variables join the kernel's. A call needs some facts before
/// the body is checked, since the body may contain such a call.
void Checker::functionBody(const Candidate& candidate, std::uint32_t index) {
  const syntax::Function& function = *candidate.function;
  typed::Function instance;
  instance.name = function.name;
  instance.isForRuns = function.role == syntax::Function::Role::Plain && !function.written().isConstexpr &&
                       !isOfLibrary(function);
  returnsReference_ = function.returnsReference;
  returnType_ = scalar(Type::Kind::Void);
  if (function.role != syntax::Function::Role::Constructor &&
      function.role != syntax::Function::Role::Destructor)
    returnType_ = isDeduced(function) ? nullptr : resolve(function.returnType);
  if (returnsReference_ && !isDeduced(function)) {
    returnType_ = kernel_.types->pointerTo(returnType_, refersToConst(function.returnType), false);
  }
  if (returnType_ != nullptr && returnType_->kind != Type::Kind::Void)
    resultVariable_ = addResult(function.name, function.span);
  const Type* const owner = candidate.callee.owner;
  if (owner != nullptr) {
    classScopes_ = {owner};
    const bool isOnObject = function.role == syntax::Function::Role::Method ||
                            function.role == syntax::Function::Role::Constructor ||
                            function.role == syntax::Function::Role::Destructor ||
                            function.role == syntax::Function::Role::Conversion;
    if (isOnObject) {
      const Type* const type = kernel_.types->pointerTo(owner, function.isConst, false);
      this_ = ThisObject{addVariable("this", type, function.span, true), type};
      instance.parameters.push_back(this_->variable);
    }
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const syntax::Parameter& parameter = function.parameters[i];
    const Type* type = candidate.parameters[i];
    const std::uint32_t variable = addVariable(parameter.name, type, parameter.span, false);
    instance.parameters.push_back(variable);
    if (parameter.name.empty()) continue;
    const bool isReference = passesAddress(parameter, *type);
    declare(parameter.name, parameter.span, {Symbol::Kind::Variable, variable, type, 0, isReference, false});
    if (!isReference) noteAlive(parameter.name);
  }
  firstLocal_ = static_cast<std::uint32_t>(kernel_.variables.size());
  bindHeadPacks(function, false, scope());
  if (returnType_ != nullptr) noteResult(instance);
  kernel_.functions[index] = instance.head();
  typed::StatementPtr initials;
  if (function.role == syntax::Function::Role::Constructor) {
    initials = makeStatement(typed::Statement::Kind::Block, function.span);
    memberInitials(function.written(), *initials);
  }
  const syntax::StatementPtr& body = function.written().body;
  instance.body =
      body != nullptr ? block(*body) : makeStatement(typed::Statement::Kind::Block, function.span);
  if (initials != nullptr) instance.body->body.insert(instance.body->body.begin(), std::move(initials));
  endObjects(0, {function.span.end, function.span.end}, *instance.body);
  if (returnType_ == nullptr) returnType_ = scalar(Type::Kind::Void);
  noteResult(instance);
  kernel_.functions[index] = std::move(instance);
}

void Checker::noteResult(typed::Function& instance) const {
  instance.returnsValue = returnType_->kind != Type::Kind::Void;
  instance.returnsReference = returnsReference_ && instance.returnsValue;
  if (instance.returnsValue) instance.result = resultVariable_;
}

/// The variable that holds the function's result.
std::uint32_t Checker::addResult(const std::string& name, SourceSpan span) {
  const std::uint32_t result = addVariable(name + "()", returnType_, span, false);
  kernel_.variables[result].isAddressed = false;  // it is always written and read as a whole
  return result;
}

}  // namespace lanescope::checker
