#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/language/parse/parser_impl.h"

// Enumerations, and `using enum`.
namespace lanescope::syntax {

void Parser::enumeration(Unit& result, bool isTypedef) {
  Enumeration type;
  type.span = consume().span;
  type.isScoped = accept("class") || accept("struct");
  type.underlying.base = "int";
  type.space = space_;
  if (!peek().is("{") && !peek().is(":")) {
    const Token name = identifier("the name of the enum");
    type.name = declaredName(name);
    type.span = name.span;
    if (inBlock()) declareLocal(name.text, true);
  }
  type.isFixed = type.isScoped || peek().is(":");
  if (accept(":")) type.underlying = typeName();
  if (type.isFixed && !type.name.empty() && accept(";")) return;  // its definition follows
  expect("{", "to begin the enum");
  while (!peek().is("}")) {
    Declarator enumerator;
    const Token name = identifier("the name of an enumerator");
    enumerator.name = type.isScoped ? std::string(name.text) : declaredName(name);
    enumerator.span = name.span;
    if (accept("=")) enumerator.initial = conditional();
    if (inBlock() && !type.isScoped) declareLocal(name.text);
    type.enumerators.push_back(std::move(enumerator));
    if (!accept(",")) break;
  }
  expect("}", "to end the enum");
  std::string other;
  if (isTypedef) other = declaredName(identifier("the enum's name"));
  if (type.name.empty()) std::swap(type.name, other);
  const bool hasVariables = !isTypedef && !peek().is(";");  // enum Mode {…} mode;
  if (hasVariables && type.name.empty()) type.name = fmt::format("(enum {})", type.span.begin);
  if (inBlock() && !type.name.empty()) declareLocal(type.name, true);
  if (!hasVariables) expect(";", "after the enum");
  FileItem item;
  if (!type.name.empty()) item.names = {type.name};
  for (const Declarator& enumerator : type.enumerators) {
    if (!type.isScoped) item.names.push_back(enumerator.name);
    if (!type.name.empty()) item.names.push_back(type.name + "::" + std::string(lastName(enumerator.name)));
  }
  if (type.isScoped) {
    for (const Declarator& enumerator : type.enumerators) scopedEnums_[type.name].push_back(enumerator.name);
  }
  item.enumeration = std::move(type);
  TypeName named;
  named.base = item.enumeration->name;
  result.items.push_back(std::move(item));
  if (!other.empty() && other != named.base) alias(result, other, named, lastSpan());
  if (!hasVariables) return;
  if (isFileScope()) {  // they are the host's
    if (peek().kind != TokenKind::Identifier) expect(";", "after the enum");
    return;
  }
  named.span = lastSpan();
  declaredWithType_ = makeStatement(Statement::Kind::Declaration, named.span);
  declarators(*declaredWithType_, named);
}

/// `using enum Mode;`: constants with the names of its enumerators. An enum without `class` has them already.
void Parser::usingEnum(Unit& result) {
  consume();
  const Meaning meant = meaning(peek(), true);
  const Token name = identifier("the name of the enum");
  if (peek().is("::") || !meant.isType) {
    fail(name.span, "'using enum' is simulated for enums at file scope and of the function alone",
         "write the enumerators with their class, as Mode::kSum");
  }
  expect(";", "after using enum");
  const auto scoped = scopedEnums_.find(meant.spelled);
  if (scoped == scopedEnums_.end()) return;
  FileItem& item = result.items.emplace_back();
  item.names = scoped->second;
  item.constant = std::make_unique<Statement>();
  item.constant->kind = Statement::Kind::Declaration;
  item.constant->span = name.span;
  item.constant->isConstexpr = true;
  item.constant->type.base = meant.spelled;
  item.constant->type.binding = bindingOf(meant);
  item.constant->type.span = name.span;
  for (const std::string& each : scoped->second) {
    if (inBlock()) declareLocal(each);
    Declarator& constant = item.constant->declarators.emplace_back();
    constant.name = each;
    constant.span = name.span;
    constant.initial =
        makeExpression(Expression::Kind::Name, name.span, item.constant->type.base + "::" + each);
    constant.initial->type = item.constant->type;
    if (isFileScope()) ownNames_.declare(space_, each, static_cast<Place>(at_), false, false);
    constant.initial->binding = item.constant->type.binding;
  }
}

// Structs, classes and unions with their members.

/// A struct, a class or a union, and the variables or names that are declared with it.
void Parser::structure(Unit& result, bool isTypedef, std::vector<TemplateParameter> parameters) {
  const Token tag = consume();
  Structure type;
  type.isUnion = tag.is("union");
  type.templateParameters = std::move(parameters);
  type.pack = tag.pack;
  type.alignment = alignment();
  if (peek().is("__attribute__") && peek(3).is("packed")) {
    consume();
    expect("(", "after the attribute");
    skipToClosing();
    type.pack = 1;
  }
  type.span = tag.span;
  type.space = space_;
  Token plain;
  if (!peek().is("{") && !peek().is(":")) {
    const Token name = plain = identifier("the name of the struct");
    type.name = declaredName(name);
    type.span = name.span;
    if (inBlock()) declareLocal(name.text, true);
    if (accept("<")) type.specialised = std::make_shared<std::vector<TemplateArgument>>(templateArguments());
    accept("final");
    if (accept(";")) {  // declared before its definition
      if (type.templateParameters.empty()) return;
      type.isDefined = false;  // a template that only has specializations
      FileItem item;
      item.names = {type.name};
      item.structure = std::move(type);
      result.items.push_back(std::move(item));
      return;
    }
  }
  if (accept(":")) bases(type);
  members(type, plain.text, tag.is("class"));
  if (peek().is("__align__") || peek().is("__attribute__")) {
    fail(peek().span, "an alignment behind the struct is not simulated", "write struct __align__(16) Name");
  }
  if (isTypedef && type.name.empty() && !peek().is("*")) type.name = declaredName(peek());
  const bool isAnonymous = type.name.empty();
  if (isAnonymous) type.name = fmt::format("(struct {})", type.span.begin);
  TypeName named;
  named.base = type.name;
  named.span = type.span;
  if (inBlock()) declareLocal(type.name, true);
  FileItem item;
  item.names = {type.name};
  item.structure = std::move(type);
  result.items.push_back(std::move(item));
  if (isTypedef) return typedefNames(result, named);
  if (peek().is(";") && !isAnonymous) return expect(";", "after the struct");
  if (isFileScope() && !peek().is(";")) {
    if (peek().kind != TokenKind::Identifier) expect(";", "after the struct");
    return;  // struct {…} options; is the host's
  }
  declaredWithType_ = makeStatement(Statement::Kind::Declaration, named.span);
  if (accept(";")) {  // an anonymous union: its members are those of the struct around it
    declaredWithType_->type = named;
    declaredWithType_->declarators.emplace_back().span = named.span;
    if (classDepth_ == 0) declaredWithType_ = nullptr;
    return;
  }
  declarators(*declaredWithType_, named);
}

/// `typedef struct P {…} P, *PointerToP;`
void Parser::typedefNames(Unit& result, const TypeName& named) {
  do {
    TypeName other = named;
    while (accept("*")) addPointer(other.pointers);
    const Token name = identifier("the struct's name");
    if (declaredName(name) != named.base || other.pointers > 0)
      alias(result, declaredName(name), std::move(other), name.span);
  } while (accept(","));
  expect(";", "after the struct");
}

void Parser::bases(Structure& type) {
  do {
    while (accept("public") || accept("private") || accept("protected")) {
    }
    if (peek().is("virtual")) fail(peek().span, "virtual bases are not simulated", "inherit without virtual");
    type.bases.push_back(baseType());
  } while (accept(","));
}

/// The scope of a class while its members are read.
class Parser::ClassScope {
 public:
  ClassScope(Parser& parser, ClassNames& names)
      : parser_(parser),
        scopes_(parser.scopes_.size()),
        references_(parser.referencesBefore_.size()),
        end_(parser.end_),
        endToken_(parser.endToken_) {
    ++parser_.classDepth_;
    const bool isDependent = parser.inTemplate();
    parser.scopes_.push_back({NameScope::Kind::Class, {}, {}, &names, isDependent});
  }
  ~ClassScope() {
    --parser_.classDepth_;
    parser_.scopes_.resize(scopes_);
    for (auto& changed = parser_.referencesBefore_; changed.size() > references_; changed.pop_back()) {
      const auto& [name, before] = changed.back();
      if (before) parser_.referenceTypes_[name] = *before;
      if (!before) parser_.referenceTypes_.erase(name);
    }
    parser_.end_ = end_;
    parser_.endToken_ = endToken_;
  }
  ClassScope(const ClassScope&) = delete;
  ClassScope& operator=(const ClassScope&) = delete;
  std::size_t end() const { return end_; }

 private:
  Parser& parser_;
  std::size_t scopes_;      ///< number of them
  std::size_t references_;  ///< number of changes
  std::size_t end_;
  Token endToken_;
};

/// The members between the braces. The bodies of functions come last: they may use members that are declared
/// below them.
void Parser::members(Structure& type, std::string_view plainName, bool isPrivate) {
  const DepthGuard guard(*this);
  const SourceSpan open = peek().span;
  expect("{", "to begin the struct");
  const ClassItems split = splitMembers(tokens_, at_, isPrivate);
  const ClassScope scope(*this, declareMembers(type, plainName, split));
  std::vector<FileItem> types;
  for (const bool isFunction : {false, true}) {
    for (const ItemRange& item : split.items) {
      if ((item.kind == ItemRange::Kind::Function) == isFunction) member(item, type, types);
    }
  }
  type.types = std::make_shared<std::vector<FileItem>>(std::move(types));
  at_ = split.end;
  end_ = scope.end();
  if (peek().kind == TokenKind::End) fail(open, "this '{' has no '}'", "close the struct");
  expect("}", "to end the struct");
}

/// `using Base::f;`: the base's members of that name are members of the class, too ([namespace.udecl]).
void Parser::memberUsing(Structure& type) {
  consume();
  do {
    accept("typename");
    const Meaning meant = meaning(peek());
    TypeName base;
    base.span = peek().span;
    base.base = meant.spelled;
    base.binding = bindingOf(meant);
    consume();
    typeRest(base, base.base, meant.isTemplate);
    if (base.path.empty()) fail(peek().span, "expected the name of a member", "write Base::name");
    std::string name = std::move(base.path.back());
    base.path.pop_back();
    type.usings.emplace_back(std::move(base), name == "operator" ? operatorName() : std::move(name));
  } while (accept(","));
  expect(";", "after using");
}

void Parser::member(const ItemRange& range, Structure& type, std::vector<FileItem>& types) {
  using Kind = ItemRange::Kind;
  if (range.kind == Kind::Host) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (tokens_[i].is("virtual") || tokens_[i].is("override")) type.hasVirtual = true;
      if (tokens_[i].is("{")) break;
    }
    for (const std::string_view name : range.names)
      type.hostMethods.emplace(name == lastName(type.name) ? std::string_view(type.name) : name);
    return;
  }
  at_ = range.begin;
  end_ = range.end;
  const std::uint32_t last = tokens_[range.end - 1].span.end;
  endToken_.span = {last, last};
  const std::size_t scopes = scopes_.size();
  if (range.kind == Kind::Function) {
    method(range, type);
  } else if (range.kind == Kind::Variable) {
    field(range, type);
  } else if (!accept("static_assert")) {
    if (range.isTemplate)
      fail(peek().span, "a template of a type within a class is not simulated", "declare it at file scope");
    if (peek().is("using") && !peek(1).is("enum") && !peek(2).is("=")) return memberUsing(type);
    Unit unit;
    std::vector<ExpressionPtr> alignments;  // alignas(8) struct {…} field;
    while (ExpressionPtr given = alignment()) alignments.push_back(std::move(given));
    declareType(unit);
    for (FileItem& item : unit.items) types.push_back(std::move(item));
    if (declaredWithType_ != nullptr) {
      declaredWithType_->alignments = std::move(alignments);
      type.fields.push_back(std::move(declaredWithType_));
    }
  }
  scopes_.resize(scopes);
}

/// A class of the C++ library that kernels cannot use, as the type of a member: its name, and the size of an
/// object in words of 64 bits, in libstdc++'s layout on a 64-bit machine. Skips its tokens. Empty if there is
/// another type.
std::optional<TypeName> Parser::hostClass() {
  static const std::map<std::string_view, std::uint32_t> kWords = {{"string", 4},
                                                                   {"vector", 3},
                                                                   {"unique_ptr", 1},
                                                                   {"shared_ptr", 2},
                                                                   {"weak_ptr", 2},
                                                                   {"list", 3},
                                                                   {"map", 6},
                                                                   {"set", 6},
                                                                   {"multimap", 6},
                                                                   {"multiset", 6},
                                                                   {"unordered_map", 7},
                                                                   {"deque", 10},
                                                                   {"unordered_set", 7},
                                                                   {"queue", 10},
                                                                   {"stack", 10},
                                                                   {"function", 4},
                                                                   {"mutex", 5},
                                                                   {"thread", 1},
                                                                   {"string_view", 2},
                                                                   {"mt19937", 625},
                                                                   {"ofstream", 64},
                                                                   {"ifstream", 65},
                                                                   {"condition_variable", 6}};
  const std::size_t skipped = peek().is("std") && peek(1).is("::") ? 2 : 0;
  const auto found = kWords.find(peek(skipped).text);
  const bool isOfBits =
      peek(skipped).is("vector") && peek(skipped + 1).is("<") && peek(skipped + 2).is("bool");
  const bool isOwn = skipped == 0 && meaning(peek()).isType;
  if (found == kWords.end() || isOfBits || isOwn) return std::nullopt;
  TypeName type;
  type.base = fmt::format("std::{}", found->first);
  type.hostWords = found->second;
  type.span = peek().span;
  at_ += skipped + 1;
  at_ += angleTokens(0);
  return type;
}

void Parser::field(const ItemRange& range, Structure& type) {
  Function none;
  Attributes seen;
  hoistSpecifiers();
  attributes(none, seen);
  const bool isMutable = accept("mutable");
  readsField_ = false;
  StatementPtr field = makeStatement(Statement::Kind::Declaration, peek().span);
  field->isMutable = isMutable;
  field->isPrivate = range.isPrivate;
  const std::optional<TypeName> hostType = hostClass();
  const TypeName base = hostType ? *hostType : baseType();
  const bool isConstant = seen.isStatic || seen.isConstexpr;
  field->isConstexpr = isConstant;
  field->alignments = std::move(seen.alignments);
  if (isConstant && !seen.isConstexpr && !base.isConst) {
    for (const std::string_view name : range.names) type.hostMethods.emplace(name);
    return;  // a static variable is the host's
  }
  attributes(none, seen);
  readsField_ = true;
  declarators(*field, base);
  readsField_ = false;
  if (hostType) {
    for (Declarator& declarator : field->declarators) declarator.initial = nullptr;  // the host's
  }
  type.hasPrivateFields = type.hasPrivateFields || (range.isPrivate && !isConstant);
  (isConstant ? type.constants : type.fields).push_back(std::move(field));
}

/// The operator's name with the word `operator`: `operator+`, `operator()`. For a conversion `operator`.
std::string Parser::operatorName() {
  std::string name = "operator";
  if (peek().is("(") && peek(1).is(")")) {
    at_ += 2;
    return name + "()";
  }
  if (peek().is("new") || peek().is("delete"))
    fail(peek().span, fmt::format("an operator {} of a class is not simulated", peek().text),
         "use that of the device's heap");
  while (peek().kind == TokenKind::Punctuator && !peek().is("(") && !peek().is(";")) name += consume().text;
  return name;
}

void Parser::method(const ItemRange& range, Structure& type) {
  Function& function = type.methods.emplace_back();
  function.role = Function::Role::Method;
  function.isPrivate = range.isPrivate;
  if (!range.names.empty()) function.name = range.names.back();
  function.span = peek().span;
  std::vector<Diagnostic> outer = std::exchange(diagnostics_, {});
  const int depth = depth_;
  const bool isArgument = std::exchange(inTemplateArguments_, false);
  const std::size_t scopes = scopes_.size();
  function.space = space_;
  function.place = static_cast<Place>(at_);
  try {
    if (accept("template")) templateParameters(function.templateParameters);
    Attributes seen;
    hoistSpecifiers();
    attributes(function, seen);
    if (function.role == Function::Role::Method && seen.isStatic)
      function.role = Function::Role::StaticMethod;
    methodRest(function, type.name);
  } catch (const SyntaxFault&) {
  }
  if (function.role == Function::Role::Friend) friends_.insert(function.name);
  scopes_.resize(scopes);
  depth_ = depth;
  inTemplateArguments_ = isArgument;
  function.diagnostics = std::exchange(diagnostics_, std::move(outer));
  type.hasVirtual = type.hasVirtual || function.isVirtual;
}

/// A member function from its type on, defined in or outside its class.
void Parser::methodRest(Function& function, const std::string& className) {
  Attributes seen;
  const bool isConstructor = (peek().is(className) || peek().is(lastName(className))) && peek(1).is("(");
  if (accept("~")) {
    function.role = Function::Role::Destructor;
    consume();
    function.name = "~" + className;
  } else if (isConstructor) {
    function.role = Function::Role::Constructor;
    consume();
    function.name = className;
  } else if (accept("operator")) {
    function.role = Function::Role::Conversion;
    function.name = "operator";
    function.returnType = typeName();
  } else {
    function.returnType = typeName();
    attributes(function, seen);
    if (accept("operator")) {
      function.name = operatorName();
    } else {
      function.name = identifier("the name of a function").text;
    }
  }
  function.returnsReference = std::exchange(function.returnType.isReference, false);
  function.span = lastSpan();
  if (!function.templateParameters.empty()) templates_.insert(function.name);
  pushBlock();
  functionParameters(function);
  functionTail(function);
  scopes_.pop_back();
}

/// `: x(1), Base{a}`
void Parser::memberInitials(Function& function) {
  do {
    MemberInitial initial;
    initial.span = peek().span;
    const Meaning meant = meaning(peek());
    const Token name = identifier("the name of a member");
    initial.name.base = meant.isType ? meant.spelled : std::string(name.text);
    if (meant.isType) initial.name.binding = bindingOf(meant);
    typeRest(initial.name, initial.name.base, meant.isTemplate);
    if (peek().is("{")) {
      initial.value = list();
    } else {
      expect("(", "after the member's name");
      ExpressionPtr values = makeExpression(Expression::Kind::List, lastSpan());
      arguments(*values, ")");
      initial.value = finish(std::move(values));
    }
    function.initials.push_back(std::move(initial));
  } while (accept(","));
}

/// `template <class T> __device__ T Vec<T>::length() const {…}`
void Parser::memberDefinition(Unit& result) {
  MemberDefinition definition;
  Function& function = definition.function;
  function.role = Function::Role::Method;
  function.isSpecialisation = peek().is("template") && peek(2).is(">");
  if (accept("template")) templateParameters(function.classParameters);
  if (accept("template")) templateParameters(function.templateParameters);
  Attributes seen;
  hoistSpecifiers();
  attributes(function, seen);
  // The class's name ends at the last '::' before the parameters.
  std::size_t open = at_;
  std::size_t colons = 0;
  for (; open < end_ && !tokens_[open].is("{"); ++open) {
    if (tokens_[open].is("operator")) break;
    if (tokens_[open].is("(")) break;
    if (tokens_[open].is("::")) colons = open;
  }
  std::size_t owner = colons > 0 ? colons - 1 : at_;
  for (int depth = 0; owner > at_; --owner) {
    depth += tokens_[owner].is(">") ? 1 : tokens_[owner].is("<") ? -1 : 0;
    if (depth == 0 && tokens_[owner].kind == TokenKind::Identifier) break;
  }
  std::size_t first = owner;
  while (first >= at_ + 2 && tokens_[first - 1].is("::")) {  // Outer::Inner::f, Outer<T>::Inner::f
    first -= 2;
    for (int depth = 0; first > at_; --first) {
      depth += tokens_[first].is(">") ? 1 : tokens_[first].is("<") ? -1 : 0;
      if (depth == 0 && tokens_[first].kind == TokenKind::Identifier) break;
    }
  }
  if (first > at_) {
    function.returnType = typeName();
    function.returnsReference = std::exchange(function.returnType.isReference, false);
    attributes(function, seen);
  }
  const Meaning outer = meaning(tokens_[first], true);
  definition.className = first == owner ? outer.spelled : std::string(tokens_[owner].text);
  if (first != owner) definition.outerName = outer.spelled;
  if (!outer.file.homes.empty()) space_ = outer.file.homes.front().space;
  function.space = space_;
  function.place = static_cast<Place>(at_);
  ClassNames* members = outer.members;
  for (std::size_t t = first; members != nullptr; ++t) {
    scopes_.push_back({NameScope::Kind::Class, {}, {}, members, inTemplate()});
    while (t < owner && !tokens_[t].is("::")) ++t;
    if (t >= owner) break;
    const auto inner = members->names.find(tokens_[t + 1].text);
    members = inner != members->names.end() ? inner->second.members : nullptr;
  }
  const TypeName returned = function.returnType;
  const bool returnsReference = function.returnsReference;
  at_ = owner + 1;
  if (accept("<")) definition.arguments = templateArguments();
  at_ = colons + 1;
  if (returned.base.empty()) {
    methodRest(function, definition.className);
  } else {
    const Token name = peek().is("operator") ? consume() : identifier("the name of a function");
    function.name = name.is("operator") ? operatorName() : std::string(name.text);
    function.span = name.span;
    if (function.isSpecialisation && accept("<")) function.specialised = templateArguments();
    function.returnsReference = returnsReference;
    pushBlock();
    functionParameters(function);
    functionTail(function);
  }
  result.members.push_back(std::move(definition));
}

namespace {

bool isSame(const TypeName& a, const TypeName& b) {
  return a.pointers == b.pointers && a.isReference == b.isReference && a.isConst == b.isConst;
}

bool isSameArgument(const TemplateArgument& a, const std::vector<TemplateParameter>& ofA,
                    const TemplateArgument& b, const std::vector<TemplateParameter>& ofB) {
  const auto isSameName = [&](const std::string& one, const std::string& other) {
    const auto first = std::ranges::find(ofA, one, &TemplateParameter::name);
    const auto second = std::ranges::find(ofB, other, &TemplateParameter::name);
    if (first == ofA.end() || second == ofB.end())
      return first == ofA.end() && second == ofB.end() && one == other;
    return first - ofA.begin() == second - ofB.begin();
  };
  if (a.type.has_value() != b.type.has_value()) return false;
  if (!a.type) return a.value != nullptr && b.value != nullptr && isSameName(a.value->text, b.value->text);
  if (!isSame(*a.type, *b.type) || !isSameName(a.type->base, b.type->base)) return false;
  const auto& inA = a.type->arguments;
  const auto& inB = b.type->arguments;
  if (inA == nullptr || inB == nullptr) return inA == inB;
  return std::ranges::equal(
      *inA, *inB, [&](const auto& one, const auto& other) { return isSameArgument(one, ofA, other, ofB); });
}

/// True if the definition is one of a member of this class or specialisation: `int Vec<T*>::size()`.
bool isOf(const MemberDefinition& definition, const Structure& type) {
  if (type.name != definition.className) return false;
  const std::vector<TemplateParameter>& own = definition.function.classParameters;
  if (type.specialised != nullptr) {
    return std::ranges::equal(definition.arguments, *type.specialised,
                              [&](const auto& one, const auto& other) {
                                return isSameArgument(one, own, other, type.templateParameters);
                              });
  }
  return std::ranges::all_of(definition.arguments, [&](const TemplateArgument& one) {
    const std::string& name = one.type ? one.type->base : one.value->text;
    return std::ranges::count(own, name, &TemplateParameter::name) > 0 &&
           (!one.type || one.type->pointers == 0);
  });
}

/// Gives a specialised member what its template declares for it.
void completeSpecialisation(const Structure& type, Function& given) {
  for (const Function& function : type.methods) {
    if (function.name != given.name || function.parameters.size() != given.parameters.size()) continue;
    given.role = function.role;
    given.isExplicit = function.isExplicit;
    given.isVirtual = function.isVirtual;
  }
}

/// Adds the body of a definition to a function that its class only declares.
bool define(Structure& type, MemberDefinition& definition) {
  if (type.types != nullptr) {
    for (FileItem& item : *type.types) {
      if (item.structure && define(*item.structure, definition)) return true;
    }
  }
  if (!isOf(definition, type)) return false;
  Function& given = definition.function;
  for (const bool isExact : {true, false}) {
    for (Function& function : type.methods) {
      const bool isDeclared = function.name == given.name && function.body == nullptr &&
                              function.parameters.size() == given.parameters.size() &&
                              function.isConst == given.isConst &&
                              (function.constraint == nullptr) == (given.constraint == nullptr);
      if (!isDeclared) continue;
      bool fits = true;
      for (std::size_t i = 0; i < given.parameters.size(); ++i) {
        const TypeName& own = function.parameters[i].type;
        fits = fits && isSame(own, given.parameters[i].type) &&
               (!isExact || own.base == given.parameters[i].type.base);
      }
      if (!fits) continue;
      for (std::size_t i = 0; i < given.parameters.size(); ++i)
        given.parameters[i].initial = std::move(function.parameters[i].initial);
      given.role = function.role;
      given.isExplicit = function.isExplicit;
      given.isVirtual = function.isVirtual;
      function = std::move(given);
      return true;
    }
  }
  return false;
}

}  // namespace

void Parser::attachDefinitions(Unit& unit) {
  for (MemberDefinition& definition : unit.members) {
    for (FileItem& item : unit.items) {
      const bool mayHaveIt =
          item.structure && (definition.outerName.empty() || item.structure->name == definition.outerName);
      if (!mayHaveIt) continue;
      if (definition.function.isSpecialisation) {
        if (item.structure->name == definition.className)
          completeSpecialisation(*item.structure, definition.function);
      } else if (define(*item.structure, definition)) {
        break;
      }
    }
  }
}

// Lambdas: a class with their captures and the operator of their body.

void Parser::capture(Closure& closure) {
  if (accept("=")) {
    closure.capturesAll = closure.capturesThis = true;
    return;
  }
  if (peek().is("&") && (peek(1).is(",") || peek(1).is("]"))) {
    consume();
    closure.capturesAll = closure.byReference = closure.capturesThis = true;
    return;
  }
  if (accept("this")) {
    closure.capturesThis = true;
    return;
  }
  if (peek().is("*") && peek(1).is("this"))
    fail(peek().span, "capturing *this is not simulated", "capture the members that the lambda needs");
  Capture one;
  one.isReference = accept("&");
  const Token name = identifier("the name of a variable");
  one.name = name.text;
  one.span = name.span;
  if (accept("=")) {
    one.initial = assignment();
    declareLocal(one.name);
  }
  closure.captures.push_back(std::move(one));
}

/// `[=](float x) { return x * a; }`: a class with operator().
ExpressionPtr Parser::lambda() {
  const DepthGuard guard(*this);
  ExpressionPtr result = makeExpression(Expression::Kind::Lambda, peek().span);
  auto closure = std::make_shared<Closure>();
  expect("[", "to begin the lambda");
  const std::size_t scopes = scopes_.size();
  pushBlock();
  while (!peek().is("]")) {
    capture(*closure);
    if (!accept(",")) break;
  }
  expect("]", "after what the lambda captures");
  const bool isArgument = std::exchange(inTemplateArguments_, false);
  Structure& type = closure->structure;
  type.name = fmt::format("(lambda {})", result->span.begin);
  type.span = result->span;
  Function& function = type.methods.emplace_back();
  function.role = Function::Role::Method;
  function.name = "operator()";
  function.span = result->span;
  function.returnType.base = "auto";
  function.returnType.span = result->span;
  function.space = space_;
  type.space = space_;
  result->isDependent = inTemplate();
  pushBlock();
  while (accept("__device__") || accept("__host__")) {
  }
  if (peek().is("(")) functionParameters(function);
  function.isConst = true;
  for (std::size_t i = 0; !peek(i).is("{") && peek(i).kind != TokenKind::End; ++i) {
    if (peek(i).is("mutable")) function.isConst = false;
  }
  const bool isConst = function.isConst;
  functionTail(function);
  function.isConst = isConst;
  scopes_.resize(scopes);
  inTemplateArguments_ = isArgument;
  result->closure = std::move(closure);
  return ended(std::move(result));
}

}  // namespace lanescope::syntax
