#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/language/parse/file_items.h"
#include "sim/language/parse/parser_impl.h"
#include "sim/language/text/scanner.h"

// Parameters of templates.
namespace lanescope::syntax {

/// The name of a template parameter. One without gets a name that no text can write.
void Parser::templateName(std::size_t number, TemplateParameter& parameter) {
  parameter.isPack = accept("...");
  const bool isUnnamed = peek().is(",") || peek().is(">") || peek().is("=");
  parameter.name = isUnnamed ? fmt::format("(parameter {})", number)
                             : std::string(identifier("the name of a template parameter").text);
}

/// True for `typename T` and `typename = void`, not for the value in `typename std::enable_if<…>::type = 0`.
bool Parser::isTypeParameter() const {
  if (!peek().is("typename") && !peek().is("class")) return false;
  const Token& after = peek(1).kind == TokenKind::Identifier ? peek(2) : peek(1);
  return !after.is("<") && !after.is("::");
}

void Parser::templateParameters(std::vector<TemplateParameter>& parameters) {
  expect("<", "after template");
  scopes_.push_back({.kind = NameScope::Kind::Template});
  while (!peek().is(">")) {
    TemplateParameter parameter;
    if (accept("template")) {  // template <typename> class Op
      parameter.isTemplate = true;
      at_ += angleTokens(0);
    }
    if (isTypeParameter()) {
      ++at_;
      parameter.isType = true;
      templateName(parameters.size() + 1, parameter);
      scopes_.back().names[parameter.name] = {true, parameter.isTemplate, true};
      if (accept("=")) parameter.defaultType = typeName();
    } else {
      parameter.valueType = typeName();
      if (isFunctionPointer(0)) {  // float (*F)(float)
        const Token name = functionPointer(parameter.valueType, nullptr);
        parameter.name =
            name.text.empty() ? fmt::format("(parameter {})", parameters.size() + 1) : std::string(name.text);
      } else {
        templateName(parameters.size() + 1, parameter);
      }
      scopes_.back().names[parameter.name] = {false, false, true};
      if (accept("=")) {
        const bool before = std::exchange(inTemplateArguments_, true);
        parameter.defaultValue = conditional();
        inTemplateArguments_ = before;
      }
    }
    parameters.push_back(std::move(parameter));
    if (!accept(",")) break;
  }
  expectTemplateEnd("after the template parameters");
}

namespace {

/// Words of a declaration that can be behind its `const`, or anywhere among the words of its type.
bool isSpecifier(const Token& token) {
  constexpr std::array<std::string_view, 14> kSpecifiers{
      "static",          "constexpr", "extern",       "__device__", "__constant__",
      "__shared__",      "inline",    "__managed__",  "__global__", "__inline__",
      "__forceinline__", "__host__",  "__noinline__", "register"};
  return token.kind == TokenKind::Identifier && std::ranges::count(kSpecifiers, token.text) > 0;
}

}  // namespace

/// `double extern __shared__ s[]`: specifiers are in any order ([dcl.spec]), and nvcc takes `float*
/// __shared__ p` too. Moves those that are behind or within the type's words before them.
void Parser::hoistSpecifiers() {
  const auto at = [&](std::size_t ahead) {
    return tokens_.begin() + static_cast<std::ptrdiff_t>(at_ + ahead);
  };
  std::size_t front = 0;
  for (std::size_t next = 0; next < end_ - std::min(at_, end_);) {
    if (isSpecifier(peek(next))) {
      std::rotate(at(front), at(next), at(next + 1));
      ++front;
      ++next;
    } else if (const std::size_t words = typeTokens(next); words > 0) {
      next += words;
    } else if (peek(next).is("alignas") || peek(next).is("__align__")) {
      next += 1 + roundTokens(next + 1);
    } else if (peek(next).is("*") && next > 0) {
      ++next;
    } else {
      return;
    }
  }
}

// --- file scope ---

/// Attributes that can be before a function's or variable's type, and between it and the name.
void Parser::topLevel(const ItemRange& range, Unit& result) {
  if (range.kind == ItemRange::Kind::Member) return memberDefinition(result);
  Function function;
  function.place = static_cast<Place>(at_);
  if (accept("template")) templateParameters(function.templateParameters);
  function.isSpecialisation = tokens_[range.begin].is("template") && function.templateParameters.empty();
  hoistSpecifiers();
  if (!function.templateParameters.empty() || tokens_[range.begin].is("template")) {
    if (range.kind == ItemRange::Kind::Type) {
      declareType(result, std::move(function.templateParameters));
      return;
    }
  } else if (declareType(result)) {
    return;
  }
  rejectOutside();
  Attributes seen;
  const std::size_t begin = at_;
  attributes(function, seen);
  const SourceSpan start = tokens_[begin].span;
  const bool isOfDevice = seen.isDevice || seen.isConstant || seen.isShared || seen.isConstexpr;
  if (range.kind == ItemRange::Kind::Variable && !isOfDevice && !isTypeStart(0)) hostVariable(range);
  const bool isDefined = isOfDevice && isClassKey(peek()) && !isElaborated(0);
  if (isDefined) structure(result, false, {});
  if (isDefined && peek().kind == TokenKind::End) return;
  TypeName type;
  if (isDefined) {  // __constant__ struct Options {…} options;
    type.base = result.items.back().structure->name;
    type.span = start;
  } else {
    type = typeName();
  }
  attributes(function, seen);
  if (range.kind == ItemRange::Kind::Kernel || range.kind == ItemRange::Kind::Function) {
    function.returnsReference = std::exchange(type.isReference, false);
    function.returnType = std::move(type);
    function.isConstexpr = seen.isConstexpr;
    functionRest(function);
    if (function.body != nullptr) result.functions.push_back(std::move(function));
    return;
  }
  if (peek(1).is("(") && seen.isDevice && !holdsValues(tokens_, at_ + 1)) {  // __device__ float f(float);
    if (function.templateParameters.empty()) result.declared.insert(declaredName(peek()));
    function.returnsReference = std::exchange(type.isReference, false);
    function.returnType = std::move(type);
    try {
      functionRest(function);
      result.functions.push_back(std::move(function));
    } catch (const SyntaxFault&) {  // the definition has it, too
      diagnostics_.clear();
    }
    return;
  }
  if (!isOfDevice && !seen.isConstant && !type.isConst) hostVariable(range);
  auto statement = std::make_unique<Statement>();
  statement->kind = Statement::Kind::Declaration;
  statement->isDevice = seen.isDevice && !seen.isConstexpr;
  statement->isConstexpr = !statement->isDevice && !seen.isConstant && !seen.isShared;
  statement->isConstant = seen.isConstant;
  statement->isShared = seen.isShared;
  statement->isExtern = seen.isExtern;
  statement->span = start;
  declarators(*statement, type);
  FileItem& item = result.items.emplace_back();
  for (const Declarator& declarator : statement->declarators) item.names.push_back(declarator.name);
  item.isTemplate = range.isTemplate;
  if (item.isTemplate && (seen.isDevice || seen.isConstant) && !seen.isConstexpr) {
    fail(start, "a template of a variable in the device's memory is not simulated",
         "make it constexpr, or declare the variables one by one");
  }
  item.templateParameters = std::move(function.templateParameters);
  item.specialised = statement->declarators.front().specialised;
  item.constant = std::move(statement);
}

void Parser::hostVariable(const ItemRange& range) {
  const std::string name(range.names.empty() ? std::string_view("it") : range.names.back());
  fail(tokens_[range.begin].span,
       fmt::format("'{}' is a variable of the host, which a kernel cannot read", name),
       "pass it as an argument, or make it constexpr, __constant__ or __device__");
}

void Parser::attributes(Function& function, Attributes& seen) {
  while (true) {
    if (accept("__global__")) {
      function.isKernel = true;
    } else if (accept("__device__") || accept("__managed__")) {
      seen.isDevice = true;
    } else if (accept("constexpr")) {
      seen.isConstexpr = true;
    } else if (accept("__constant__")) {
      seen.isConstant = true;
    } else if (accept("__shared__")) {
      seen.isShared = true;
    } else if (accept("extern")) {
      seen.isExtern = true;
      if (peek().kind == TokenKind::String) consume();
    } else if (accept("__launch_bounds__")) {
      expect("(", "after the attribute");
      function.launchBound = conditional();
      skipToClosing();
    } else if (accept("__attribute__") || accept("__maxnreg__") || accept("__cluster_dims__")) {
      expect("(", "after the attribute");
      skipToClosing();
    } else if (skipAttribute()) {
      continue;
    } else if (ExpressionPtr given = alignment()) {
      seen.alignments.push_back(std::move(given));
    } else if (accept("static")) {
      seen.isStatic = true;
    } else if (accept("explicit")) {
      function.isExplicit = true;
    } else if (accept("friend")) {
      function.role = Function::Role::Friend;
    } else if (accept("virtual")) {
      function.isVirtual = true;
    } else if (!accept("__host__") && !accept("inline") && !accept("__inline__") && !accept("__inline") &&
               !accept("__forceinline__") && !accept("__noinline__")) {
      return;
    }
  }
}

/// Skips `[[nodiscard]]` and other attributes. False if there is none.
bool Parser::skipAttribute() {
  if (!peek().is("[") || !peek(1).is("[")) return false;
  while (peek().kind != TokenKind::End && !(peek().is("]") && peek(1).is("]"))) consume();
  at_ = std::min(at_ + 2, end_);
  return true;
}

/// A struct, enum, alias or namespace. False if none begins here.
bool Parser::declareType(Unit& result, std::vector<TemplateParameter> parameters) {
  if (isClassKey(peek())) {
    structure(result, false, std::move(parameters));
  } else if (peek().is("enum")) {
    enumeration(result, false);
  } else if (peek().is("namespace") || peek().is("using")) {
    namespaceOrUsing(result, std::move(parameters));
  } else if (accept("typedef")) {
    if (isClassKey(peek()) && !isElaborated(0)) {
      structure(result, true, {});
    } else if (peek().is("enum")) {
      enumeration(result, true);
    } else {
      typedefRest(result);
    }
  } else {
    return false;
  }
  return true;
}

/// `typedef unsigned int uint, *pointer;`
void Parser::typedefRest(Unit& result) {
  const TypeName base = baseType();
  do {
    TypeName type = base;
    pointers(type);
    const bool isPointer = isFunctionPointer(0);
    const Token name = isPointer ? functionPointer(type, nullptr) : identifier("the type's new name");
    const std::string spelled = declaredName(name);
    if (peek().is("(")) {
      fail(peek().span, "a typedef of a function is not simulated", "write the type out at each use");
    }
    if (peek().is("[")) type.extents = fixedExtents();
    alias(result, spelled, std::move(type), name.span);
  } while (accept(","));
  expect(";", "after the typedef");
}

/// Adds one `*`. Their number is limited, since functions recurse over a type.
void Parser::addPointer(std::uint32_t& count) {
  if (++count > kMaxPointers) fail(lastSpan(), "more than 16 '*' in a type are not simulated", "write fewer");
}

void Parser::alias(Unit& result, const std::string& name, TypeName type, SourceSpan span) {
  const bool isPlain = type.pointers == 0 && type.extents == nullptr && type.signature == nullptr;
  ClassNames* const members = isPlain && type.of == nullptr ? classNamed(type) : nullptr;
  if (inBlock()) declareLocal(name, true).members = members;
  if (isFileScope() && members != nullptr) classes_.emplace(name, members);
  if (!scopes_.empty() && scopes_.back().members != nullptr)
    scopes_.back().members->names[name].members = members;
  if (type.isReference) {
    const auto known = referenceTypes_.find(name);
    referencesBefore_.emplace_back(
        name, known == referenceTypes_.end() ? std::nullopt : std::optional(known->second));
    referenceTypes_.insert_or_assign(name, type);
  }
  FileItem item;
  item.alias = Alias{name, std::move(type), span};
  item.names = {name};
  result.items.push_back(std::move(item));
}

namespace {

/// The namespace that the token names, with its qualifier.
std::string pathOf(const Token& token) {
  if (token.qualifier.empty()) return std::string(token.text);
  return fmt::format("{}{}{}", token.qualifier, token.qualifier == "::" ? "" : "::", token.text);
}

}  // namespace

/// `namespace cg = cooperative_groups;`, `using namespace cooperative_groups;`, `using T = float;`
void Parser::namespaceOrUsing(Unit& result, std::vector<TemplateParameter> parameters) {
  const SourceSpan span = peek().span;
  if (consume().is("namespace")) {
    if (peek(1).is("=") && peek(3).is(";")) {
      const Token name = consume();
      if (groupSpaces_.contains(peek(1).text)) groupSpaces_.emplace(name.text);
      const auto of = names_->findSpace(pathOf(peek(1)), space_, localUsings());
      if (of && inBlock()) scopes_.back().usings.push_back({space_, *of, std::string(name.text)});
      at_ += 3;
      return;
    }
    fail(span, "namespaces are not in the subset that is simulated", "put the kernel at file scope");
  }
  if (accept("namespace")) {
    if (groupSpaces_.contains(peek().text)) usesGroups_ = true;
    if (inBlock()) {
      const auto of = names_->findSpace(pathOf(peek()), space_, localUsings());
      if (of) scopes_.back().usings.push_back({space_, *of, {}, static_cast<Place>(at_)});
    }
    while (peek().kind != TokenKind::End && !accept(";"))
      consume();  // other values are unknown: names report it
    return;
  }
  if (peek().is("enum")) return usingEnum(result);
  if (namespaceTokens(0) > 0) {  // using cooperative_groups::reduce;
    at_ += 2;
    consume();
    usesGroups_ = true;
    return expect(";", "after using");
  }
  if (!peek(1).is("=")) {  // using std::min; using detail::f;
    const Meaning meant = meaning(peek());
    if (inBlock() && meant.of == Meaning::Of::File && !peek().qualifier.empty()) {
      const auto known = scopes_.back().names.find(std::string(peek().text));
      std::optional<FileNames::Found> before;  // of another using declaration in the same block
      if (known != scopes_.back().names.end()) before = known->second.file;
      LocalName& local = declareLocal(peek().text, meant.isType);
      local.isTemplate = meant.isTemplate;
      local.file = meant.file;
      if (before)
        local.file->homes.insert(local.file->homes.end(), before->homes.begin(), before->homes.end());
    }
    while (peek().kind != TokenKind::End && !accept(";")) consume();
    return;
  }
  const Token name = identifier("the type's new name");
  expect("=", "after the type's new name");
  TypeName type = typeName();
  alias(result, declaredName(name), std::move(type), name.span);
  result.items.back().alias->templateParameters = std::move(parameters);
  expect(";", "after using");
}

ExpressionPtr Parser::alignment() {
  const bool isKeyword = accept("alignas");
  if (!isKeyword && !accept("__align__")) return nullptr;
  expect("(", "after the alignment");
  ExpressionPtr result;
  if (isTypeStart(0)) {  // alignas(float4)
    result = makeExpression(Expression::Kind::SizeOf, peek().span, "alignof");
    result->type = typeName();
  } else {
    result = conditional();
  }
  expect(")", "after the alignment");
  return result;
}

Parameter Parser::parameter() {
  Parameter result;
  result.type = typeName();
  result.span = peek().span;
  result.isPack = accept("...");
  const bool isArray = isArrayDeclarator(0);     // float (&a)[4]
  const bool isFunction = isFunctionPointer(0);  // float (*f)(float)
  std::vector<ExpressionPtr> extents;            // float (*table[])(float): a pointer to its first
  const Token inside = isArray      ? arrayDeclarator(result.type)
                       : isFunction ? functionPointer(result.type, &extents)
                                    : Token{};
  if (extents.size() > 1)
    fail(result.span, "a parameter that is an array of arrays of pointers to functions is not simulated",
         "name the pointers' type with using");
  if (!extents.empty()) addPointer(result.type.pointers);
  if (inside.kind == TokenKind::Identifier ||
      (!isArray && !isFunction && peek().kind == TokenKind::Identifier)) {
    const Token name = isArray || isFunction ? inside : identifier("a parameter's name");
    result.name = name.text;
    result.span = name.span;
    if (inBlock())
      declareLocal(result.name).isDependent = result.type.isDependent || result.type.base == "auto";
  }
  parameterExtents(result.type);
  if (accept("=")) result.initial = peek().is("{") ? list() : assignment();
  return result;
}

/// Name, parameters and body.
void Parser::functionRest(Function& function) {
  const Token name = peek().is("operator") ? consume() : identifier("the name of a function");
  if (!name.qualifier.empty()) {  // float a::f(float x) {…}
    space_ = names_->findSpace(name.qualifier, space_, localUsings()).value_or(space_);
  }
  function.name = name.is("operator") ? operatorName()
                  : function.isKernel ? std::string(name.text)
                                      : names_->spelled(space_, name.text);
  function.space = space_;
  function.span = name.span;
  functionName_ = name.text;
  if (name.is("operator")) {
    hasOperators_ = true;
    ownNames_.declare(space_, function.name, function.place, false, !function.templateParameters.empty());
  }
  if (function.isSpecialisation && accept("<")) function.specialised = templateArguments();
  pushBlock();
  if (!function.templateParameters.empty()) templates_.emplace(name.text);
  functionParameters(function);
  functionTail(function);
}

void Parser::functionParameters(Function& function) {
  expect("(", "after the function's name");
  if (accept(")")) return;
  if (peek().is("void") && peek(1).is(")")) consume();
  while (!peek().is(")")) {
    function.hasEllipsis = accept("...");
    if (function.hasEllipsis) break;
    Parameter one = parameter();
    if (one.type.base == "auto") {  // adds a template parameter
      TemplateParameter type;
      type.isType = true;
      type.name = fmt::format("(auto {})", function.parameters.size() + 1);
      type.isPack = one.isPack;
      one.type.base = type.name;
      function.templateParameters.push_back(std::move(type));
    }
    function.parameters.push_back(std::move(one));
    if (!accept(",")) break;
  }
  expect(")", "after the parameters");
}

/// The part behind the parameters: `const`, `-> float`, initial values of members, the body.
void Parser::functionTail(Function& function) {
  while (true) {
    if (accept("const")) {
      function.isConst = true;
    } else if (accept("override") || accept("final")) {
      function.isVirtual = true;
    } else if (accept("&")) {  // the object that the method is called on
      function.isForLvalues = true;
    } else if (accept("&&")) {
      function.isForRvalues = true;
    } else if (accept("noexcept")) {
      if (accept("(")) skipToClosing();
    } else if (accept(kRequires)) {
      if (function.role == Function::Role::Destructor)
        fail(lastSpan(), "a destructor with a requires clause is not simulated", "remove the clause");
      expect("(", "before the constraint");
      function.constraint = conditional();
      expect(")", "after the constraint");
    } else if (accept("->")) {
      function.returnType = typeName();
      function.returnsReference = std::exchange(function.returnType.isReference, false);
    } else if (!accept("mutable") && !accept("__device__") && !accept("__host__") && !accept("constexpr")) {
      break;
    }
  }
  if (accept("=")) {
    function.isDefaulted = accept("default");
    function.isPure = function.isVirtual && peek().kind == TokenKind::Integer && peek().text == "0";
    if (function.isPure) consume();
    function.isDeleted = !function.isDefaulted && !function.isPure && accept("delete");
    return expect(";", "after the function");
  }
  if (accept(";")) return;
  if (accept(":")) memberInitials(function);
  if (!peek().is("{")) expect("{", "to begin the function's body");
  function.body = block();
}

StatementPtr Parser::declaration() {
  StatementPtr result = makeStatement(Statement::Kind::Declaration, peek().span);
  hoistSpecifiers();
  TypeName ahead;  // volatile __shared__ float s[32]
  while (true) {
    qualifiers(ahead);
    if (accept("extern")) {
      result->isExtern = true;
    } else if (accept("__shared__")) {
      result->isShared = true;
    } else if (accept("constexpr")) {
      result->isConstexpr = true;
    } else if (peek().is("__align__") || peek().is("alignas")) {
      alignment();
    } else if (accept("static")) {
      result->isStatic = true;
    } else if (!accept("register")) {
      break;
    }
  }
  TypeName type = baseType();
  type.isConst |= ahead.isConst;
  type.isVolatile |= ahead.isVolatile;
  declarators(*result, type);
  return result;
}

void Parser::declarators(Statement& statement, const TypeName& type) {
  statement.type = type;
  do {
    statement.declarators.push_back(declarator());
    const Declarator& declared = statement.declarators.back();
    const bool isDeduced = type.base == "auto" && declared.initial != nullptr;
    if (declared.isFunction) {
      statement.declarators.pop_back();
    } else if (inBlock() && declared.bindings.empty() && !declared.name.empty())
      declareLocal(declared.name).isDependent =
          type.isDependent || (isDeduced && declared.initial->isDependent);
  } while (accept(","));
  statement.span.end = lastSpan().end;
  expect(";", "to end the declaration");
}

Declarator Parser::declarator() {
  Declarator result;
  while (ExpressionPtr own = alignment()) result.alignments.push_back(std::move(own));
  pointers(result);
  if (peek().is("[")) {
    boundNames(result);
    if (!peek().is("{")) expect("=", "before what the names are bound to");
    result.initial = peek().is("{") ? list() : initializer();
    return result;
  }
  const bool isOfClass = std::exchange(readsField_, false);
  if (isOfClass && peek().is(":")) {  // padding
    result.span = peek().span;
    bitWidth(result);
    readsField_ = true;
    return result;
  }
  const bool isArray = isArrayDeclarator(0);
  const bool isFunction = isFunctionPointer(0);
  if (isArray) result.array.emplace();
  if (isFunction) result.function.emplace();
  const Token name = isArray      ? arrayDeclarator(*result.array)
                     : isFunction ? functionPointer(*result.function, &result.extents)
                                  : identifier("the name of a variable");
  if (isArray) result.isReference = result.array->isReference;
  result.name = declaredName(name);
  result.span = name.span;
  while (ExpressionPtr own = alignment()) result.alignments.push_back(std::move(own));
  if (inBlock()) declareLocal(result.name);
  if (isFileScope() && meaning(name).isTemplate && accept("<"))
    result.specialised = std::make_shared<std::vector<TemplateArgument>>(templateArguments());
  while (accept("[")) {
    if (result.extents.size() >= kMaxExtents)
      fail(lastSpan(), "arrays of more than 16 dimensions are not simulated", "use fewer");
    result.extents.push_back(peek().is("]") ? nullptr : expression());
    expect("]", "after the array's extent");
  }
  if (isOfClass && peek().is(":")) bitWidth(result);
  readsField_ = isOfClass;
  if (inBlock() && isParameterList()) {
    localFunction(result);
  } else if (accept("=")) {
    result.isCopied = true;
    result.initial = initializer();
  } else if (peek().is("{")) {
    result.initial = list();
  } else if (accept("(")) {
    ExpressionPtr values = makeExpression(Expression::Kind::List, lastSpan());
    arguments(*values, ")");
    const bool isOne = values->operands.size() == 1;
    result.initial = isOne ? std::move(values->operands[0]) : finish(std::move(values));
  }
  return result;
}

/// True at the `(` of `int f(int);` within a function, and of `int f(const T& x);`.
bool Parser::isParameterList() const {
  if (!peek().is("(") || typeTokens(1) == 0) return false;
  std::size_t next = 1 + typeTokens(1);
  while (peek(next).is("*") || peek(next).is("&") || peek(next).is("&&") || peek(next).is("const")) ++next;
  return peek(next).is(",") || peek(next).is(")") || peek(next).kind == TokenKind::Identifier;
}

/// `int f(int);` within a function: to the end of the block the name means only that function
/// ([basic.lookup.argdep]).
void Parser::localFunction(Declarator& declared) {
  Function function;
  pushBlock();
  functionParameters(function);
  scopes_.pop_back();
  for (const Parameter& parameter : function.parameters) {
    if (parameter.initial != nullptr)
      fail(parameter.span, "a default argument of a function that is declared in a block is not simulated",
           "give it at the declaration outside of functions");
  }
  declared.isFunction = true;
  FileNames::Found found = names_->lookUp(declared.name, space_, kAnywhere, {});
  std::erase_if(found.homes, [&](const Home& home) { return home.space != space_; });
  for (Home& home : found.homes) home.parameters = parameterText(function);
  LocalName& local = declareLocal(declared.name);
  local.file = std::move(found);
  local.endsSearch = true;
}

void Parser::bitWidth(Declarator& field) {
  expect(":", "before the width of a bit-field");
  field.bits = conditional();
}

/// `[x, y]`, behind `auto` and its `&`.
void Parser::boundNames(Declarator& result) {
  result.span = peek().span;
  result.name = fmt::format("(bound {})", result.span.begin);
  expect("[", "before the bound names");
  do {
    const Token name = identifier("the name of a variable");
    Declarator& bound = result.bindings.emplace_back();
    bound.name = name.text;
    bound.span = name.span;
    if (inBlock()) declareLocal(bound.name);
  } while (accept(","));
  expect("]", "after the bound names");
  result.span.end = lastSpan().end;
}

}  // namespace lanescope::syntax
