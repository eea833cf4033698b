#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/language/check/checker.h"
#include "sim/language/check/checker_impl.h"
#include "sim/language/check/name_finder.h"

// Functions as values: lambdas, and pointers to functions. A pointer is the digest of a function's text, the
// same in every kernel and file. A call through it compares it with those of all functions of the type, and
// calls the one that it means. The type of a function is a struct without members, whose name is its
// signature.
namespace lanescope::checker {

namespace {

/// From a function's digest and its template arguments.
std::uint64_t computeDigest(std::uint64_t function, std::string_view arguments) {
  for (const char c : arguments) function = (function ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return function;
}

/// True if a pointer may lead to the function, or to an instance of its template.
bool mayBePointedTo(const syntax::Function& function) {
  return function.role == Role::Plain && !function.isKernel && function.diagnostics.empty() &&
         !function.returnsReference && function.returnType.base != "auto" && function.body != nullptr;
}

}  // namespace

/// The type of functions with the first type as the result and the others as parameters.
const Type* Checker::functionType(const std::vector<const Type*>& signature) {
  const Type*& known = functionTypes_[signature];
  if (known != nullptr) return known;
  std::string parameters;
  for (std::size_t i = 1; i < signature.size(); ++i)
    parameters += (i == 1 ? "" : ", ") + signature[i]->name();
  known = kernel_.types->incomplete(fmt::format("{}({})", signature[0]->name(), parameters));
  return known;
}

/// The type that a name with a signature means.
const Type* Checker::functionType(const syntax::TypeName& name) {
  std::vector<const Type*> signature;
  for (const syntax::TypeName& part : *name.signature) {
    if (part.isReference)
      fail(part.span, "pointers to functions with references are not simulated", "take pointers");
    signature.push_back(resolve(part));
  }
  return functionType(signature);
}

/// The signature of a type from functionType(). Null for another type.
const std::vector<const Type*>* Checker::makeSignature(const Type* type) const {
  for (const auto& [signature, known] : functionTypes_) {
    if (known == type) return &signature;
  }
  return nullptr;
}

/// The function's own type. For an instance of a template, with its parameters bound. Null if no pointer may
/// lead to it.
const Type* Checker::typeOfFunction(const syntax::Function& function, const Scope& bound) {
  if (!mayBePointedTo(function) || function.templateParameters.empty() != bound.empty()) return nullptr;
  const Elsewhere elsewhere(*this, {bound});
  std::vector<const Type*> signature{resolve(function.returnType)};
  for (const syntax::Parameter& parameter : function.parameters) {
    if (parameter.type.isReference) return nullptr;
    signature.push_back(parameterType(parameter));
  }
  return functionType(signature);
}

/// The instance that `add<int>` names. Empty unless a template of that name takes these arguments.
std::optional<FunctionInstance> Checker::instanceNamed(std::string_view name,
                                                       const TemplateArguments& arguments, SourceSpan span) {
  std::optional<FunctionInstance> found;
  for (const syntax::Function* const one : unit_.index.named(name)) {
    const syntax::Function& function = *one;
    const bool isPlain = std::ranges::none_of(function.templateParameters, [](const auto& parameter) {
      return parameter.isPack || parameter.isTemplate;
    });
    if (function.templateParameters.empty() || !isPlain) continue;
    attempt([&] {
      BoundArguments given = boundArguments(function.name, function.templateParameters, arguments, span);
      if (const Type* const type = typeOfFunction(function, given.bound))
        found = {&function, std::move(given.arguments), type, computeDigest(function.digest, given.shown)};
    });
    if (found) break;
  }
  return found;
}

/// A pointer to the function whose name was read as a type's. Empty if there is no such function.
std::optional<Symbol> Checker::functionNamed(const syntax::TypeName& name) {
  const bool isPlain = name.pointers == 0 && name.path.empty() && !name.isReference;
  const bool isKnown = isPlain && std::ranges::any_of(unit_.index.named(name.base),
                                                      [](const auto* one) { return !one->isKernel; });
  if (!isKnown) return std::nullopt;
  Symbol symbol;
  symbol.kind = Symbol::Kind::Constant;
  if (name.arguments == nullptr) {
    const syntax::ExpressionPtr named = syntax::makeExpression(SyntaxKind::Name, name.span, name.base);
    const ExpressionPtr address = functionAddress(*named);
    if (address == nullptr) return std::nullopt;
    symbol.type = address->type;
    symbol.bits = address->bits;
    return symbol;
  }
  const auto instance = instanceNamed(name.base, *name.arguments, name.span);
  if (!instance) return std::nullopt;
  pointTo(*instance);
  symbol.type = kernel_.types->pointerTo(instance->type, false, false);
  symbol.bits = instance->digest;
  return symbol;
}

void Checker::pointTo(const FunctionInstance& instance) {
  const bool isKnown = std::ranges::any_of(pointedTo_, [&](const FunctionInstance& known) {
    return known.digest == instance.digest && known.type == instance.type;
  });
  if (!isKnown) pointedTo_.push_back(instance);
}

/// The name of a function without a call: a pointer to it. Null for another name.
ExpressionPtr Checker::functionAddress(const syntax::Expression& node) {
  if (librarySpan_ || node.type) return nullptr;
  std::vector<Callee> functions;
  addFileFunctions(node, node.text, functions);
  for (const Callee& callee : functions) {
    const syntax::Function* const function = callee.function;
    makeReport(function->diagnostics);
    if (!node.templateArguments.empty()) continue;
    if (const Type* const type = typeOfFunction(*function, {}))
      return constant(pointerTo(type), function->digest, node.span);
  }
  if (functions.empty()) return nullptr;
  if (const auto instance = node.templateArguments.empty()
                                ? std::nullopt
                                : instanceNamed(node.text, node.templateArguments, node.span)) {
    pointTo(*instance);
    return constant(kernel_.types->pointerTo(instance->type, false, false), instance->digest, node.span);
  }
  fail(node.span, fmt::format("a pointer to '{}' is not simulated", node.text),
       "point to a __device__ function that has a body and takes no references, of a template with its "
       "arguments");
}

/// The function of that type for a pointer with these bits. Null if it is an instance of a template, or if
/// there is none.
const syntax::Function* Checker::functionAt(std::uint64_t bits, const Type* type) {
  for (const syntax::Function& function : unit_.functions) {
    if (function.digest == bits && typeOfFunction(function, {}) == type) return &function;
  }
  return nullptr;
}

/// The functions that a pointer of the type may lead to, each with its digest.
std::vector<std::pair<Candidate, std::uint64_t>> Checker::listFunctions(
    const Type* type, const std::vector<const Type*>& signature) {
  NameFinder taken(false);
  taken.look(unit_);
  const Elsewhere elsewhere(*this, {});
  for (const syntax::Expression* named : taken.instances) {
    if (const auto instance = instanceNamed(named->text, named->templateArguments, named->span))
      pointTo(*instance);
  }
  std::vector<std::pair<Candidate, std::uint64_t>> found;
  const auto add = [&](const syntax::Function& function, Scope bound, std::uint64_t digest) {
    Candidate one{.callee = {&function}, .function = &function, .bound = std::move(bound)};
    one.parameters.assign(signature.begin() + 1, signature.end());
    specialise(one);
    found.emplace_back(std::move(one), digest);
  };
  for (const syntax::Function& function : unit_.functions) {
    if (taken.names.contains(function.name) && typeOfFunction(function, {}) == type)
      add(function, {}, function.digest);
  }
  for (const FunctionInstance& instance : pointedTo_) {
    if (instance.type != type) continue;
    Scope bound;
    for (std::size_t i = 0; i < instance.arguments.size(); ++i)
      bound.emplace(instance.function->templateParameters[i].name, instance.arguments[i]);
    add(*instance.function, std::move(bound), instance.digest);
  }
  return found;
}

/// A call through a pointer to a function, or through a dereferenced one: of the function whose digest the
/// pointer has. Null for another callee.
ExpressionPtr Checker::callThrough(const syntax::Expression& node, Operand& callee,
                                   std::size_t firstArgument) {
  if (callee.type == nullptr) return nullptr;
  const SourceSpan span = node.span;
  const bool isPointer = callee.type->isPointer();
  const Type* const type = isPointer ? callee.type->element : callee.type;
  if (makeSignature(type) == nullptr || (!isPointer && !callee.glvalue)) return nullptr;
  ExpressionPtr pointer = isPointer ? makeValue(std::move(callee)) : makeAddress(std::move(*callee.glvalue));
  if (pointer->kind == Kind::Constant) {  // the value of a template parameter
    if (const syntax::Function* const function = functionAt(pointer->bits, type))
      return callWith(node, {Callee{function}}, readOperands(node, firstArgument));
  }
  const std::vector<const Type*> signature = *makeSignature(type);
  std::vector<Operand> arguments = readOperands(node, firstArgument);
  if (arguments.size() + 1 != signature.size()) {
    fail(
        span,
        takesText(type->structName, signature.size() - 1, signature.size() - 1, "argument", arguments.size()),
        "give one for each parameter");
  }
  std::uint32_t called = 0;
  Values first = formatList(hold("(function)", std::move(pointer), span, called));
  std::vector<std::uint32_t> held;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    ExpressionPtr argument = argumentFor({}, signature[i + 1], std::move(arguments[i]));
    first.push_back(hold("(argument)", std::move(argument), span, held.emplace_back()));
  }
  const Type* const number = scalar(Type::Kind::U64);
  ExpressionPtr chosen = noCallee(signature[0], span);
  const auto functions = listFunctions(type, signature);
  for (auto one = functions.rbegin(); one != functions.rend(); ++one) {
    ExpressionPtr call = make(Kind::Call, signature[0], span);
    call->index = instantiate(one->first, node);
    for (const std::uint32_t variable : held) call->operands.push_back(wholeVariable(variable, span));
    ExpressionPtr test =
        makeBinary(typed::BinaryOp::Equal, boolType(), convert(wholeVariable(called, span), number),
                   constant(number, one->second, span), span);
    chosen = make(Kind::Conditional, signature[0], span, std::move(test), std::move(call), std::move(chosen));
  }
  for (auto set = first.rbegin(); set != first.rend(); ++set)
    chosen = sequence(span, std::move(*set), std::move(chosen));
  return chosen;
}

std::vector<typed::GlobalSymbol> Checker::addressTables() {
  kernel_.types = std::make_shared<TypeTable>();
  for (const syntax::FileItem& item : unit_.items) {
    if (item.constant == nullptr || !item.diagnostics.empty()) continue;
    if (!item.constant->isDevice && !item.constant->isConstant) continue;
    for (const syntax::Declarator& declarator : item.constant->declarators) {
      if (!pointsAnywhere(declarator.initial.get())) continue;
      try {
        find(declarator.name);
      } catch (const Exhausted&) {  // a kernel that names it says so
        break;
      }
    }
  }
  return std::move(kernel_.symbols);
}

}  // namespace lanescope::checker

namespace lanescope {

std::vector<typed::GlobalSymbol> addressTables(const ParsedText& text) {
  std::vector<Diagnostic> diagnostics;
  std::vector<typed::GlobalSymbol> tables;
  OwnStack::run([&] { tables = checker::Checker(text.unit, diagnostics).addressTables(); });
  return tables;
}

}  // namespace lanescope

namespace lanescope::checker {
// Lambdas: objects of unnamed classes, whose fields are their captures.

/// One captured variable: a field of the lambda, and its value.
void Checker::captureOne(const std::string& name, SourceSpan span, bool isReference, Operand given,
                         std::vector<Field>& fields, Values& values) {
  Field field{.name = name};
  if (isReference) {
    if (!given.glvalue) fail(span, fmt::format("'{}' has no place to refer to", name), "capture it by value");
    const Type* const type = given.glvalue->type;
    const bool isConst = given.glvalue->isConst;
    field.isReference = true;
    field.type = pointerTo(type, isConst);
    values.push_back(referenceTo(field.type, std::move(given)));
  } else {
    if (given.glvalue && given.glvalue->type->isArray()) {
      fail(span, fmt::format("capturing the array '{}' by value is not simulated", name),
           "capture it by reference: [&]");
    }
    field.isConst = given.refersToConst();
    values.push_back(copied(std::move(given), span));
    field.type = values.back()->type;
  }
  fields.push_back(std::move(field));
}

/// The variables that [=] and [&] capture: those of the function around the lambda that its body names.
void Checker::captureAll(const syntax::Closure& closure, std::vector<Field>& fields, Values& values) {
  NameFinder names;
  names.look(closure.structure.methods[0].body.get());
  for (const syntax::Expression* const used : names.found) {
    const auto matchesName = [&](const auto& part) { return part.name == used->text; };
    if (std::ranges::any_of(closure.structure.methods[0].parameters, matchesName)) continue;
    if (std::ranges::any_of(fields, matchesName)) continue;
    if (used->binding == syntax::Binding::File) continue;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto found = scope->find(used->text);
      if (found == scope->end()) continue;
      const bool isOwnField = found->second.kind == Symbol::Kind::Field && this_ && lambdaField(used->text);
      if (found->second.kind == Symbol::Kind::Variable || isOwnField) {
        captureOne(used->text, used->span, closure.byReference,
                   asOperand(symbolGlvalue(found->second, *used)), fields, values);
      }
      break;
    }
  }
}

/// True for a capture of the current lambda.
bool Checker::lambdaField(std::string_view name) const {
  const Type* const type = this_->type->element;
  return type->structName.starts_with("(lambda") && type->field(name) != nullptr;
}

/// The object of a lambda: its captured variables with their current values.
ExpressionPtr Checker::lambda(const syntax::Expression& node) {
  const syntax::Closure& closure = *node.closure;
  const syntax::Structure& structure = closure.structure;
  refuseFaulty(structure.methods[0].diagnostics);
  std::vector<Field> fields;
  Values values;
  for (const syntax::Capture& capture : closure.captures) {
    const syntax::ExpressionPtr name = syntax::makeExpression(SyntaxKind::Name, capture.span, capture.name);
    Operand given = operand(capture.initial != nullptr ? *capture.initial : *name);
    const bool isConstant = capture.initial == nullptr && !given.glvalue;
    if (isConstant) continue;  // its value is known without a capture
    captureOne(capture.name, capture.span, capture.isReference, std::move(given), fields, values);
    if (capture.initial != nullptr) fields.back().isConst = false;  // as of `auto`
  }
  if (closure.capturesAll) captureAll(closure, fields, values);
  const bool holdsThis = closure.capturesThis && this_;
  if (holdsThis) {
    Field field{.name = "(this)", .type = this_->type};
    fields.push_back(std::move(field));
    values.push_back(wholeVariable(this_->variable, node.span));
  }
  const std::string around = inProgress_.empty() ? std::string() : inProgress_.back();
  const Type*& known = lambdaTypes_[{&node, around}];
  if (known == nullptr) {
    Type* const closureType = kernel_.types->incomplete(structure.name);
    kernel_.types->complete(*closureType, std::move(fields), {});
    ClassInfo& info = classes_[closureType];
    info.node = &structure;
    info.scope = visibleNames();
    Symbol self{.kind = Symbol::Kind::TypeName, .type = closureType};
    info.scope.insert_or_assign(structure.name, self);
    if (holdsThis) addFieldNames(*this_->type->element, info.scope, true);
    addFieldNames(*closureType, info.scope, false);
    info.isComplete = true;
    known = closureType;
  }
  ExpressionPtr result = make(Kind::Make, known, node.span);
  result->operands = std::move(values);
  return result;
}

}  // namespace lanescope::checker
