#include "sim/language/checker.h"

#include <fmt/format.h>

#include "sim/language/checker_impl.h"
#include "sim/language/constant_folding.h"

namespace lanescope {
namespace checker {

constexpr std::uint64_t kMaxSharedBytes = 227 * 1024;  // of a block on compute capability 9.0
constexpr std::size_t kMaxVariables = 4096;

void Checker::fail(SourceSpan span, std::string message, std::string hint) {
  diagnostics_.push_back({std::move(message), std::move(hint), span});
  throw CheckFault{};
}

void Checker::declare(const std::string& name, SourceSpan span, Symbol symbol) {
  if (!scopes_.back().emplace(name, symbol).second) {
    fail(span, fmt::format("'{}' is declared twice in this block", name), "rename one of them");
  }
}

const Symbol* Checker::find(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->find(name); found != scope->end()) return &found->second;
  }
  return nullptr;
}

const Type* Checker::resolve(const syntax::TypeName& name, std::uint32_t morePointers) {
  const Type* type = kernel_.types->named(name.base);
  if (type == nullptr) {
    const Symbol* symbol = find(name.base);
    if (symbol != nullptr && symbol->kind == Symbol::Kind::TypeParameter) type = symbol->type;
  }
  if (type == nullptr) {
    fail(name.span, fmt::format("the type '{}' is not in the subset that is simulated", name.base),
         "use bool, char, short, int, unsigned, long long, size_t, float or double");
  }
  if (name.isReference) {
    fail(name.span, "references are not in the subset that is simulated", "pass the value or a pointer");
  }
  for (std::uint32_t i = 0; i < name.pointers + morePointers; ++i) {
    type = kernel_.types->pointerTo(type, i == 0 && name.isConst, i == 0 && name.isVolatile);
  }
  return type;
}

std::uint32_t Checker::addVariable(const std::string& name, const Type* type, SourceSpan span, bool isConst) {
  if (kernel_.variables.size() >= kMaxVariables) {
    fail(span, fmt::format("more than {} variables", kMaxVariables), "split the kernel");
  }
  kernel_.variables.push_back({name, type, span, isConst});
  return static_cast<std::uint32_t>(kernel_.variables.size() - 1);
}

void Checker::bindTemplateArguments(const syntax::Function& function,
                                    const std::vector<syntax::TemplateArgument>& arguments, SourceSpan span) {
  const auto& parameters = function.templateParameters;
  if (arguments.size() != parameters.size()) {
    fail(span,
         fmt::format("{} takes {} template argument{}, but {} {} given", function.name, parameters.size(),
                     parameters.size() == 1 ? "" : "s", arguments.size(),
                     arguments.size() == 1 ? "is" : "are"),
         parameters.empty() ? "leave out the <…>" : fmt::format("write {}<…>", function.name));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Symbol symbol;
    if (parameters[i].isType != arguments[i].type.has_value()) {
      fail(span,
           fmt::format("template argument {} of {} must be a {}", i + 1, function.name,
                       parameters[i].isType ? "type" : "constant"),
           fmt::format("it is for {}", parameters[i].name));
    }
    if (parameters[i].isType) {
      symbol.kind = Symbol::Kind::TypeParameter;
      symbol.type = resolve(*arguments[i].type);
    } else {
      symbol.kind = Symbol::Kind::Constant;
      symbol.type = resolve(parameters[i].valueType);
      const ExpressionPtr bound = fold(convert(expression(*arguments[i].value), symbol.type));
      if (bound->kind != Kind::Constant) {
        fail(span, fmt::format("template argument {} of {} is no constant", i + 1, function.name),
             "write a number");
      }
      symbol.bits = bound->bits;
    }
    declare(parameters[i].name, span, symbol);
  }
}

/// The kernel's name comes from outside the text: what is wrong with it is shown at the kernel.
void Checker::bindKernelArguments(const syntax::Function& kernel, const syntax::Expression& name) {
  const std::size_t before = diagnostics_.size();
  try {
    bindTemplateArguments(kernel, name.templateArguments, kernel.span);
  } catch (const CheckFault&) {
    for (std::size_t i = before; i < diagnostics_.size(); ++i) {
      if (diagnostics_[i].span == kernel.span) continue;
      diagnostics_[i].message = fmt::format("in the kernel's name: {}", diagnostics_[i].message);
      diagnostics_[i].span = kernel.span;
    }
    throw;
  }
}

void Checker::fileConstants() {
  for (const syntax::StatementPtr& constant : unit_.constants) declaration(*constant);
}

typed::Kernel Checker::check(const syntax::Function& kernel, const syntax::Expression& name) {
  kernel_.types = std::make_shared<TypeTable>();
  kernel_.name = kernel.name;
  try {
    pushScope();
    fileConstants();
    pushScope();
    bindKernelArguments(kernel, name);
    underWay_.push_back(&kernel);
    returnType_ = resolve(kernel.returnType);
    if (returnType_->kind != Type::Kind::Void) {
      fail(kernel.returnType.span, "a kernel returns nothing", "write __global__ void");
    }
    pushScope();
    for (const syntax::Parameter& parameter : kernel.parameters) {
      const Type* type = resolve(parameter.type);
      const bool isConst = parameter.type.isConst && !type->isPointer();
      const std::uint32_t variable = addVariable(parameter.name, type, parameter.span, isConst);
      kernel_.parameters.push_back(variable);
      if (!parameter.name.empty()) {
        declare(parameter.name, parameter.span, {Symbol::Kind::Variable, variable, type, 0});
      }
    }
    kernel_.body = block(*kernel.body);
  } catch (const CheckFault&) {
    // The diagnostic is already there.
  }
  return std::move(kernel_);
}

typed::StatementPtr Checker::makeStatement(typed::Statement::Kind kind, SourceSpan span) {
  auto statement = std::make_unique<typed::Statement>();
  statement->kind = kind;
  statement->span = span;
  return statement;
}

typed::StatementPtr Checker::block(const syntax::Statement& node) {
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::Block, node.span);
  pushScope();
  for (const syntax::StatementPtr& child : node.body) {
    try {
      result->body.push_back(statement(*child));
    } catch (const CheckFault&) {
      if (diagnostics_.size() >= 20) throw;
    }
  }
  popScope();
  return result;
}

typed::StatementPtr Checker::statement(const syntax::Statement& node) {
  using SyntaxKind = syntax::Statement::Kind;
  switch (node.kind) {
    case SyntaxKind::Empty: return makeStatement(typed::Statement::Kind::Block, node.span);
    case SyntaxKind::Block: return block(node);
    case SyntaxKind::Declaration: return declaration(node);
    case SyntaxKind::If: return ifStatement(node);
    case SyntaxKind::For:
    case SyntaxKind::While:
    case SyntaxKind::Do: return loop(node);
    case SyntaxKind::Return: return returnStatement(node);
    case SyntaxKind::Break:
    case SyntaxKind::Continue: {
      const bool isBreak = node.kind == SyntaxKind::Break;
      if (loopDepth_ == 0) {
        fail(node.span, fmt::format("'{}' stands outside a loop", isBreak ? "break" : "continue"),
             "remove it");
      }
      return makeStatement(isBreak ? typed::Statement::Kind::Break : typed::Statement::Kind::Continue,
                           node.span);
    }
    case SyntaxKind::Expression: break;
  }
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::Expression, node.span);
  result->expression = expression(*node.expression);
  return result;
}

std::uint64_t Checker::constantExtent(const syntax::Expression& node) {
  const ExpressionPtr extent = fold(expression(node));
  if (extent->kind != Kind::Constant || !extent->type->isInteger() ||
      constantValue(*extent->type, extent->bits) <= 0) {
    fail(node.span, "an array's extent must be a positive constant",
         "use a number, a constexpr constant or a template parameter");
  }
  return static_cast<std::uint64_t>(constantValue(*extent->type, extent->bits));
}

void Checker::declareShared(const syntax::Statement& node, const syntax::Declarator& declarator) {
  typed::SharedArray array;
  array.name = declarator.name;
  array.element = resolve(node.type, declarator.pointers);
  if (declarator.initial != nullptr) {
    fail(declarator.span, "shared memory cannot have an initial value", "let a thread store it");
  }
  const Type* type = array.element;
  array.isDynamic = node.isExtern;
  if (node.isExtern) {
    if (declarator.extents.size() != 1 || declarator.extents[0] != nullptr) {
      fail(declarator.span, "dynamic shared memory is declared with []",
           fmt::format("write extern __shared__ {} {}[];", node.type.base, declarator.name));
    }
    type = kernel_.types->arrayOf(type, 0);
  } else {
    array.count = 1;
    for (const syntax::ExpressionPtr& extent : declarator.extents) {
      if (extent == nullptr) {
        fail(declarator.span, "a static shared array needs its extent", "write the number of elements");
      }
      const std::uint64_t count = constantExtent(*extent);
      if (count > kMaxSharedBytes || array.count * count * array.element->size > kMaxSharedBytes) {
        fail(declarator.span, "more shared memory than a block can have", "227 KiB are the most");
      }
      array.extents.push_back(count);
      array.count *= count;
    }
    for (auto extent = array.extents.rbegin(); extent != array.extents.rend(); ++extent) {
      type = kernel_.types->arrayOf(type, *extent);
    }
    std::uint64_t& offset = kernel_.staticSharedBytes;
    offset = (offset + array.element->size - 1) / array.element->size * array.element->size;
    array.byteOffset = static_cast<std::uint32_t>(offset);
    offset += array.count * array.element->size;
    if (offset > kMaxSharedBytes) {
      fail(declarator.span, "more shared memory than a block can have", "227 KiB are the most");
    }
  }
  const auto index = static_cast<std::uint32_t>(kernel_.sharedArrays.size());
  kernel_.sharedArrays.push_back(std::move(array));
  declare(declarator.name, declarator.span, {Symbol::Kind::SharedArray, index, type, 0});
}

typed::StatementPtr Checker::declareLocal(const syntax::Statement& node,
                                          const syntax::Declarator& declarator) {
  if (!declarator.extents.empty()) {
    fail(declarator.span, "arrays in a thread's own memory are not in the subset that is simulated",
         "use separate variables, or shared memory");
  }
  if (declarator.isReference) {
    fail(declarator.span, "references are not in the subset that is simulated", "use the variable itself");
  }
  ExpressionPtr initial = declarator.initial == nullptr ? nullptr : expression(*declarator.initial);
  const Type* type = nullptr;
  if (node.type.base == "auto") {
    if (initial == nullptr) fail(declarator.span, "auto needs an initial value", "write = value");
    type = initial->type;
  } else {
    type = resolve(node.type, declarator.pointers);
  }
  if (type->kind == Type::Kind::Void) fail(declarator.span, "a variable cannot be void", "give it a type");
  if (initial != nullptr) initial = fold(convertImplicitly(std::move(initial), type, declarator.span));
  const bool isConst = (node.type.isConst || node.isConstexpr) && !type->isPointer();
  if (node.isConstexpr) {
    if (initial == nullptr || initial->kind != Kind::Constant) {
      fail(declarator.span,
           fmt::format("'{}' is constexpr, but its value is not a constant", declarator.name),
           "write const in place of constexpr");
    }
    declare(declarator.name, declarator.span, {Symbol::Kind::Constant, 0, type, initial->bits});
    return nullptr;
  }
  const std::uint32_t variable = addVariable(declarator.name, type, declarator.span, isConst);
  declare(declarator.name, declarator.span, {Symbol::Kind::Variable, variable, type, 0});
  if (initial == nullptr) return nullptr;
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::Expression, declarator.span);
  const SourceSpan span{declarator.span.begin, initial->span.end};
  result->expression = make(Kind::SetVariable, type, span, std::move(initial));
  result->expression->index = variable;
  return result;
}

typed::StatementPtr Checker::declaration(const syntax::Statement& node) {
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::Block, node.span);
  for (const syntax::Declarator& declarator : node.declarators) {
    if (node.isShared) {
      declareShared(node, declarator);
    } else if (typed::StatementPtr local = declareLocal(node, declarator)) {
      result->body.push_back(std::move(local));
    }
  }
  return result;
}

typed::StatementPtr Checker::ifStatement(const syntax::Statement& node) {
  ExpressionPtr test = fold(condition(*node.condition));
  if (test->kind == Kind::Constant) {  // decided by the compiler: no branch is left
    const std::size_t chosen = test->bits != 0 ? 0 : 1;
    if (chosen < node.body.size()) return statement(*node.body[chosen]);
    return makeStatement(typed::Statement::Kind::Block, node.span);
  }
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::If, node.span);
  result->expression = std::move(test);
  for (const syntax::StatementPtr& branch : node.body) {
    pushScope();
    result->body.push_back(statement(*branch));
    popScope();
  }
  return result;
}

typed::StatementPtr Checker::loop(const syntax::Statement& node) {
  typed::StatementPtr outer = makeStatement(typed::Statement::Kind::Block, node.span);
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::Loop, node.span);
  pushScope();
  const bool isFor = node.kind == syntax::Statement::Kind::For;
  if (isFor) outer->body.push_back(statement(*node.body[0]));
  if (node.condition != nullptr) result->expression = fold(condition(*node.condition));
  if (result->expression != nullptr && result->expression->kind == Kind::Constant &&
      result->expression->bits != 0) {
    result->expression = nullptr;
  }
  if (node.step != nullptr) result->step = expression(*node.step);
  result->testsAtEnd = node.kind == syntax::Statement::Kind::Do;
  ++loopDepth_;
  result->body.push_back(statement(*node.body[isFor ? 1 : 0]));
  --loopDepth_;
  popScope();
  outer->body.push_back(std::move(result));
  return outer;
}

typed::StatementPtr Checker::returnStatement(const syntax::Statement& node) {
  typed::StatementPtr result = makeStatement(typed::Statement::Kind::Return, node.span);
  const bool wantsValue = returnType_->kind != Type::Kind::Void;
  if (wantsValue != (node.expression != nullptr)) {
    fail(node.span, wantsValue ? "this function must return a value" : "this function returns nothing",
         wantsValue ? "write return value;" : "write return;");
  }
  if (wantsValue) {
    result->expression = make(Kind::SetVariable, returnType_, node.span,
                              convertImplicitly(expression(*node.expression), returnType_, node.span));
    result->expression->index = resultVariable_;
  }
  return result;
}

}  // namespace checker

namespace {

Error diagnosticError(const SourceText& source, std::vector<Diagnostic> diagnostics) {
  Error error;
  for (const Diagnostic& diagnostic : diagnostics) error.message += renderDiagnostic(source, diagnostic);
  if (!error.message.empty()) error.message.pop_back();
  error.diagnostics = std::move(diagnostics);
  return error;
}

std::string listKernels(const syntax::Unit& unit) {
  std::string list;
  for (const syntax::Function& function : unit.functions) {
    if (!function.isKernel) continue;
    list += (list.empty() ? "" : ", ") + function.name + (function.templateParameters.empty() ? "" : "<…>");
  }
  return list;
}

}  // namespace

Result<typed::Kernel> checkKernel(const SourceText& source, std::string_view kernel) {
  std::vector<Diagnostic> diagnostics;
  const syntax::Unit unit = syntax::parse(source, diagnostics);
  if (!diagnostics.empty()) return diagnosticError(source, std::move(diagnostics));
  const std::string list = listKernels(unit);
  if (list.empty()) {
    return Error{fmt::format("{} holds no __global__ kernel.", source.name()),
                 "A kernel begins with __global__ void.",
                 {}};
  }
  if (kernel.empty() && list.find(',') == std::string::npos) {
    kernel = std::string_view(list).substr(0, list.find('<'));
  }
  const SourceText nameText("kernel name", std::string(kernel));
  const syntax::ExpressionPtr name = syntax::parseKernelName(nameText);
  const syntax::Function* chosen = nullptr;
  for (const syntax::Function& function : unit.functions) {
    if (name != nullptr && function.isKernel && function.name == name->text) chosen = &function;
  }
  if (chosen == nullptr) {
    return Error{kernel.empty() ? fmt::format("{} holds several kernels.", source.name())
                                : fmt::format("{} holds no kernel named '{}'.", source.name(), kernel),
                 fmt::format("Choose one of: {}.", list),
                 {}};
  }
  checker::Checker checker(unit, diagnostics);
  typed::Kernel checked = checker.check(*chosen, *name);
  if (!diagnostics.empty()) return diagnosticError(source, std::move(diagnostics));
  checked.name = kernel;
  return checked;
}

std::vector<std::string> kernelNames(const SourceText& source) {
  std::vector<Diagnostic> diagnostics;
  const syntax::Unit unit = syntax::parse(source, diagnostics);
  std::vector<std::string> names;
  for (const syntax::Function& function : unit.functions) {
    if (function.isKernel && diagnostics.empty()) names.push_back(function.name);
  }
  return names;
}

}  // namespace lanescope
