#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_evaluation.h"
#include "sim/language/text/scanner.h"

// Declarations in functions, arrays, and loops over a range.
namespace lanescope::checker {
namespace {

constexpr std::uint64_t kMostCopied =
    4096;  ///< bytes of an array that names are bound to, with a separate store for each element

std::uint64_t roundedUp(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

}  // namespace

StatementPtr Checker::declaration(const syntax::Statement& node) {
  StatementPtr result = makeStatement(StatementKind::Block, node.span);
  const Type* deducedBefore = nullptr;
  for (const syntax::Declarator& declarator : node.declarators) {
    if (node.isShared) {
      declareShared(node, declarator);
      continue;
    }
    const bool isSymbol = node.isDevice || node.isConstant || (isFileScope() && !declarator.extents.empty());
    if (isSymbol && node.isExtern && declarator.initial == nullptr)
      failElsewhere(declarator.span, fmt::format("'{}' is a variable of another file", declarator.name));
    if (isSymbol) {
      declareSymbol(node, declarator, arrayType(node, declarator, kMaxSymbolBytes));
      continue;
    }
    if (node.isExtern) fail(declarator.span, "only shared memory can be extern here", "remove extern");
    if (node.isStatic && declareStatic(node, declarator)) continue;
    const bool isWhole = declarator.extents.empty() && !declarator.array;
    const bool mayDeduce = isWhole && !declarator.isReference && declarator.pointers == 0;
    const Type* const deduced = mayDeduce ? deducedClass(node.type, declarator.initial.get()) : nullptr;
    const bool isReference =
        declarator.isReference || (deduced == nullptr && node.type.base != "auto" &&
                                   meaning(syntax::findType(node.type, declarator)).isReference);
    const bool isPlain = isWhole && !isReference;
    if (deducedBefore != nullptr && deduced != nullptr && deduced != deducedBefore) {
      fail(
          declarator.span,
          fmt::format("{} is {} here, and {} before", node.type.base, deduced->name(), deducedBefore->name()),
          "declare them one by one");
    }
    deducedBefore = deduced;
    const bool isArray =
        !declarator.extents.empty() || (isPlain && node.type.base != "auto" && deduced == nullptr &&
                                        resolve(syntax::findType(node.type, declarator))->isArray());
    std::optional<Glvalue> copied;  // auto [x, y] = array
    if (isPlain && !declarator.bindings.empty() && declarator.initial->kind != SyntaxKind::List)
      copied = arrayNamed(*declarator.initial);
    StatementPtr local = isReference ? declareReference(node, declarator)
                         : copied    ? declareCopy(node, declarator, std::move(*copied))
                         : isArray   ? declareArray(node, declarator)
                                     : declareLocal(node, declarator, deduced);
    if (local != nullptr) result->body.push_back(std::move(local));
    if (!isReference) noteAlive(declarator.name);
    if (!declarator.bindings.empty()) bindNames(declarator, *result);
  }
  return result;
}

/// The array that an expression names. None for another value, which is kept for its use.
std::optional<Glvalue> Checker::arrayNamed(const syntax::Expression& node) {
  Operand named = operand(node);
  if (named.glvalue && named.glvalue->type->isArray()) return std::move(named.glvalue);
  keep(node, std::move(named));
  return std::nullopt;
}

/// The array that structured bindings refer to, a copy of another.
StatementPtr Checker::declareCopy(const syntax::Statement& node, const syntax::Declarator& declarator,
                                  Glvalue from) {
  expectParts(*from.type, declarator);
  const Type* element = from.type;
  while (element->isArray()) element = element->element;
  if (from.type->size > kMostCopied)
    fail(declarator.span, fmt::format("copies of {} for names are not simulated", from.type->name()),
         "write auto&");
  Glvalue to{.isVariable = true, .type = from.type, .span = declarator.span};
  to.isConst = node.type.isConst || from.isConst;
  to.variable = declareVariable(declarator.name, declarator.span, from.type, to.isConst);
  StatementPtr result = makeStatement(StatementKind::Block, declarator.span);
  if (!from.isVariable) {  // its address is found once
    std::uint32_t held = 0;
    ExpressionPtr set = hold("(address)", std::move(from.address), declarator.span, held);
    result->body.push_back(expressionStatement(std::move(set), declarator.span));
    from.address = wholeVariable(held, declarator.span);
  }
  copyParts(from, to, CopyBy::Construction, false, declarator.span, *result);
  return result;
}

namespace {

/// True for an array and for std::array, whose parts are its elements.
bool hasElements(const Type& type) { return type.isArray() || type.structName.starts_with("std::array<"); }

}  // namespace

void Checker::expectParts(const Type& type, const syntax::Declarator& declarator) {
  const std::uint64_t parts = type.isArray()      ? type.count
                              : hasElements(type) ? type.fields[0].type->count
                              : type.isStruct()   ? type.fields.size()
                                                  : 0;
  if (parts == declarator.bindings.size()) return;
  fail(declarator.span,
       fmt::format(
           "{} has {}, and {} bound", type.name(), counted(parts, "part"),
           counted(declarator.bindings.size(), "name") + (declarator.bindings.size() == 1 ? " is" : " are")),
       "give each part a name");
}

/// Each name of `auto [x, y] = pair` refers to a part of the variable that holds the whole.
void Checker::bindNames(const syntax::Declarator& declarator, typed::Statement& into) {
  const syntax::ExpressionPtr whole =
      syntax::makeExpression(SyntaxKind::Name, declarator.span, declarator.name);
  const Operand held = operand(*whole);
  const Type* const type = held.glvalue ? held.glvalue->type : held.type;
  expectParts(*type, declarator);
  syntax::Statement reference;
  reference.kind = syntax::Statement::Kind::Declaration;
  reference.type.base = "auto";
  for (std::size_t i = 0; i < declarator.bindings.size(); ++i) {
    syntax::Declarator bound;
    bound.name = declarator.bindings[i].name;
    bound.span = declarator.bindings[i].span;
    bound.isReference = true;
    const bool isArray = hasElements(*type);
    bound.initial = isArray ? syntax::makeExpression(SyntaxKind::Index, bound.span)
                            : syntax::makeExpression(SyntaxKind::Member, bound.span, type->fields[i].name);
    std::vector<syntax::ExpressionPtr>& operands = bound.initial->operands;
    operands.push_back(syntax::makeExpression(SyntaxKind::Name, bound.span, declarator.name));
    if (isArray)
      operands.push_back(syntax::makeExpression(SyntaxKind::Integer, bound.span, std::to_string(i)));
    into.body.push_back(declareReference(reference, bound));
    scope().at(bound.name).isBinding = true;
  }
}

void Checker::declareShared(const syntax::Statement& node, const syntax::Declarator& declarator) {
  const Type* type = resolve(syntax::findType(node.type, declarator));
  typed::SharedArray array;
  array.name = declarator.name;
  array.element = type;
  while (array.element->isArray()) array.element = array.element->element;
  if (declarator.initial != nullptr) {
    fail(declarator.span, "shared memory cannot have an initial value", "let a thread store it");
  }
  if (array.element->size == 0) fail(declarator.span, "shared memory needs a type with a size", "use float");
  if (!node.isExtern && doesAtBegin(array.element)) {
    fail(declarator.span,
         fmt::format("{} in shared memory has a constructor that does something", array.element->name()),
         "give the struct no default constructor or an empty one, and let a thread store its values");
  }
  array.isDynamic = node.isExtern;
  if (node.isExtern) {
    if (declarator.extents.size() != 1 || declarator.extents[0] != nullptr) {
      fail(declarator.span, "dynamic shared memory is declared with []",
           fmt::format("write extern __shared__ {} {}[];", node.type.base, declarator.name));
    }
    type = kernel_.types->findArray(array.element, 0);
  } else {
    type = arrayType(node, declarator, kMaxSharedBytes);
    for (const Type* part = type; part->isArray(); part = part->element) array.extents.push_back(part->count);
    array.count = type->size / array.element->size;
    std::uint64_t& offset = kernel_.staticSharedBytes;
    offset = roundedUp(offset, array.element->alignment);
    array.byteOffset = static_cast<std::uint32_t>(offset);
    offset += type->size;
    if (offset > kMaxSharedBytes)
      fail(declarator.span, "more shared memory than a block can have", "227 KiB are the most");
  }
  const auto index = static_cast<std::uint32_t>(kernel_.sharedArrays.size());
  kernel_.sharedArrays.push_back(std::move(array));
  Symbol symbol{.kind = Symbol::Kind::SharedArray, .index = index, .type = type};
  symbol.isVolatile = isVolatile(node, declarator);
  declare(declarator.name, declarator.span, symbol);
}

/// The initial value of `auto`: a copy.
ExpressionPtr Checker::copied(Operand given, SourceSpan span) {
  const Type* const type = given.type;
  const bool isValue = type != nullptr && type->kind != Type::Kind::Void;
  return isValue ? passed(std::move(given), type, span) : makeValue(std::move(given));
}

/// True for a const variable, also by the name of its type.
bool Checker::isConstVariable(const syntax::Statement& node, const syntax::Declarator& declarator,
                              const Type* deduced) {
  if (node.type.base == "auto" || deduced != nullptr)
    return node.type.isConst && node.type.pointers + declarator.pointers == 0;
  return isConstType(syntax::findType(node.type, declarator));
}

/// The number of `int x(object);` and `int x{object};`, which explicit conversions may give.
ExpressionPtr Checker::directValue(const syntax::Expression& node, const Type* type) {
  const bool isOne = node.kind == SyntaxKind::List && node.operands.size() == 1 && !node.expands;
  const syntax::Expression& written = isOne ? *node.operands[0] : node;
  if (written.kind == SyntaxKind::List) return initialValue(node, type, node.span);
  Operand given = operand(written);
  if (ExpressionPtr converted = explicitly(given, type, node.span)) return converted;
  return passed(std::move(given), type, node.span);
}

/// `deduced`: the class whose template arguments follow from the values. Null if the type is written out.
StatementPtr Checker::declareLocal(const syntax::Statement& node, const syntax::Declarator& declarator,
                                   const Type* deduced) {
  ExpressionPtr initial;
  const Type* type = nullptr;
  if (node.type.base == "auto") {
    if (declarator.initial == nullptr || declarator.initial->kind == SyntaxKind::List) {
      fail(declarator.span, "'auto' needs an initial value", "write = value");
    }
    initial = copied(operand(*declarator.initial), declarator.initial->span);
    type = initial->type;
    if (type->kind == Type::Kind::Void) fail(declarator.span, "a variable cannot be void", "give it a type");
    if (declarator.pointers > 0 && !type->isPointer()) {
      fail(declarator.span, fmt::format("auto* needs a pointer, not {}", type->name()), "write auto");
    }
  } else {
    type = deduced != nullptr ? deduced : resolve(syntax::findType(node.type, declarator));
  }
  if (isFileScope() && type->isStruct() && !type->isOfHost) {
    declareSymbol(node, declarator, type);
    return nullptr;
  }
  if (node.type.base != "auto") {
    if (!isFileScope() && (!node.isConstexpr || declarator.initial == nullptr) && needsConstruction(type))
      return declareObject(node, type, declarator);
    if (declarator.initial != nullptr) {
      const bool isDirect = !declarator.isCopied && type->isArithmetic() && !type->isFixed;
      initial = isDirect ? directValue(*declarator.initial, type)
                         : initialValue(*declarator.initial, type, declarator.span);
    }
    if (type->isGroup() && initial == nullptr) fail(declarator.span, "a group needs its value", "write = …");
    if (type->isGroup()) type = initial->type;  // the value has the parent group
  }
  if (type->kind == Type::Kind::Void) fail(declarator.span, "a variable cannot be void", "give it a type");
  const bool isConstant = node.isConstexpr || node.isStatic;
  if (initial != nullptr) initial = isConstant ? asConstant(std::move(initial)) : fold(std::move(initial));
  const bool isConst = isConstant ? !type->isPointer() : isConstVariable(node, declarator, deduced);
  const bool isKnown = initial != nullptr && initial->kind == Kind::Constant;
  if (isConstant && (isKnown || isFileScope() || !type->isStruct())) {
    if (!isKnown && node.isStatic)
      fail(declarator.span, "a static variable begins with a constant", "give it one");
    if (!isKnown) {
      fail(declarator.span,
           fmt::format("'{}' is constexpr, but its value is not a constant", declarator.name),
           isFileScope() ? "write a number" : "write const in place of constexpr");
    }
    declare(declarator.name, declarator.span, {Symbol::Kind::Constant, 0, type, initial->bits, false, true});
    return nullptr;
  }
  const std::uint32_t variable = declareVariable(declarator.name, declarator.span, type, isConst);
  // C++ allows a const variable with a constant value in a constant expression.
  if (isConst && isKnown && type->isInteger()) {
    scope()[declarator.name] = {Symbol::Kind::Constant, variable, type, initial->bits, false, true};
    scope()[declarator.name].isStored = true;
  }
  if (initial == nullptr) return nullptr;
  const SourceSpan span{declarator.span.begin, initial->span.end};
  StatementPtr result = makeStatement(StatementKind::Expression, declarator.span);
  result->expression = setVariable(variable, 0, type, std::move(initial), span);
  return result;
}

/// True for a string literal, in braces or not, as the initial value of an array of characters (C++20
/// [dcl.init.string] 9.4.3).
bool isText(const Type& type, const syntax::Expression& node) {
  const bool isOne = node.kind == SyntaxKind::List && node.operands.size() == 1;
  const syntax::Expression& text = isOne ? *node.operands[0] : node;
  return text.kind == SyntaxKind::String && type.isArray() && type.element->size == 1 &&
         type.element->isInteger();
}

/// A string literal that begins an array of characters, as a list of them. Any other value is unchanged.
const syntax::Expression* Checker::spelled(const Type& type, const syntax::Expression* node) {
  if (node == nullptr || !isText(type, *node)) return node;
  const syntax::Expression& text = node->kind == SyntaxKind::List ? *node->operands[0] : *node;
  const std::string characters = unquoted(text.text) + '\0';
  syntax::ExpressionPtr list = syntax::makeExpression(SyntaxKind::List, text.span);
  countCopied(characters.size(), text.span);
  for (const char c : characters) {
    list->operands.push_back(syntax::makeExpression(
        SyntaxKind::Integer, text.span, fmt::format("'\\x{:02x}'", static_cast<unsigned char>(c))));
  }
  made_.push_back(std::move(list));
  return made_.back().get();
}

StatementPtr Checker::declareArray(const syntax::Statement& node, const syntax::Declarator& declarator) {
  const Type* type = arrayType(node, declarator, kMaxLocalBytes);
  const bool isConst = node.type.isConst || node.isConstexpr;
  const std::uint32_t variable = declareVariable(declarator.name, declarator.span, type, isConst);
  const syntax::Expression* const initial = declarator.initial.get();
  if (initial == nullptr && !needsConstruction(type)) return nullptr;
  if (initial != nullptr && initial->kind != SyntaxKind::List && !isText(*type, *initial))
    fail(initial->span, "an array's values need braces", "write = {…}");
  const SourceSpan span = initial != nullptr ? initial->span : declarator.span;
  StatementPtr result = makeStatement(StatementKind::Block, declarator.span);
  storeParts(Glvalue{.isVariable = true, .variable = variable, .type = type, .span = span}, initial, span,
             *result);
  return result;
}

StatementPtr Checker::declareReference(const syntax::Statement& node, const syntax::Declarator& declarator) {
  if (declarator.initial == nullptr)
    fail(declarator.span, "a reference needs what it refers to", "write = x");
  if (!declarator.extents.empty()) {
    fail(declarator.span, "references to arrays are not in the subset that is simulated", "use a pointer");
  }
  Operand referred = asPlace(operand(*declarator.initial));
  const bool isMade = !referred.glvalue;
  Symbol type{.kind = Symbol::Kind::TypeName, .isConst = node.type.isConst};
  type.isRvalue = declarator.isRvalue && !referred.isLvalue();
  if (node.type.base == "auto") {
    if (isMade && (referred.value == nullptr || (!type.isConst && !declarator.isRvalue)))
      fail(declarator.span, "this has no place to refer to", "write auto x");
    type.type = referred.ownType();
    type.isConst = type.isConst || (!isMade && referred.glvalue->isConst);
  } else {
    type = meaning(syntax::findType(node.type, declarator));
  }
  ExpressionPtr address =
      referenceTo(pointerTo(type), std::move(referred), declarator.isRvalue || type.isRvalue);
  const std::uint32_t variable =
      declareVariable(declarator.name, declarator.span, address->type, false, true, type.isRvalue);
  if (isMade && !temporaries_.empty() && needsDestruction(kernel_.variables[temporaries_.back()].type)) {
    alive_.push_back(temporaries_.back());  // it lives as long as the reference ([class.temporary] 6.7.7/6)
    temporaries_.pop_back();
  }
  const SourceSpan span{declarator.span.begin, declarator.initial->span.end};
  StatementPtr result = makeStatement(StatementKind::Expression, declarator.span);
  result->expression = setVariable(variable, std::move(address), span);
  return result;
}

// Loops over a range.

/// Declares the name as a reference to the range of a loop, in the open scope.
void Checker::declareHeld(const std::string& name, const Type* pointer, Operand range,
                          typed::Statement& into) {
  const SourceSpan span = range.span;
  std::uint32_t variable = 0;
  ExpressionPtr set = hold(name, referenceTo(pointer, std::move(range)), span, variable);
  scope().insert_or_assign(name, Symbol{Symbol::Kind::Variable, variable, set->type, 0, true, false});
  into.body.push_back(expressionStatement(std::move(set), span));
}

/// Declares the array of a loop as `(range)` in the open scope. An array with a name is used directly. For
/// any other the loop holds a reference.
void Checker::declareRange(const syntax::Statement& node, Operand range, typed::Statement& into) {
  const Symbol* const named = node.expression->kind == SyntaxKind::Name ? find(*node.expression) : nullptr;
  if (named != nullptr) {
    scope().insert_or_assign("(range)", *named);
    return;
  }
  const Type* const pointer = kernel_.types->pointerTo(range.glvalue->type, range.glvalue->isConst, false);
  declareHeld("(range)", pointer, std::move(range), into);
}

/// `for (T x : array)`: a loop over an index. Its body begins with `T x = array[index]`.
void Checker::indexLoop(const syntax::Statement& node, Operand range, typed::Statement& outer,
                        typed::Statement& loop) {
  const std::uint64_t count = range.glvalue->type->count;
  if (count == 0) fail(node.expression->span, "the extent of this array is the launch's", "loop to a count");
  declareRange(node, std::move(range), outer);
  const Type* const type = scalar(Type::Kind::I32);
  const std::uint32_t index = addVariable("(index)", type, node.span, false);
  scope().insert_or_assign("(index)", Symbol{Symbol::Kind::Variable, index, type, 0, false, false});
  const auto use = [&] { return wholeVariable(index, node.span); };
  outer.body.push_back(
      expressionStatement(setVariable(index, 0, type, constant(type, 0, node.span), node.span), node.span));
  loop.expression = operate("<", use(), constant(type, count, node.span), node.span);
  loop.step =
      setVariable(index, 0, type, operate("+", use(), constant(type, 1, node.span), node.span), node.span);
}

/// `for (T x : object)`: a loop from object.begin() to object.end(). `(range)` is the current position. The
/// body begins with `(range)[(index)]`, which means `*(range)`.
void Checker::iteratorLoop(const syntax::Statement& node, Operand range, typed::Statement& outer,
                           typed::Statement& loop) {
  const SourceSpan span = node.expression->span;
  const bool isConst = range.glvalue && range.glvalue->isConst;
  if (!range.glvalue) range = asOperand(materialised(std::move(range.value)));
  const Type* const pointer = pointerTo(range.type, isConst);
  declareHeld("(object)", pointer, std::move(range), outer);
  const auto named = [&](std::string_view name) {
    return syntax::makeExpression(SyntaxKind::Name, span, name);
  };
  for (const auto& [variable, method] : {std::pair{"(range)", "begin"}, std::pair{"(end)", "end"}}) {
    syntax::Statement declared;
    declared.kind = syntax::Statement::Kind::Declaration;
    declared.span = declared.type.span = span;
    declared.type.base = "auto";
    syntax::Declarator& declarator = declared.declarators.emplace_back();
    declarator.name = variable;
    declarator.span = span;
    declarator.initial = syntax::makeExpression(SyntaxKind::MemberCall, span, method);
    declarator.initial->operands.push_back(named("(object)"));
    if (StatementPtr checked = declaration(declared)) outer.body.push_back(std::move(checked));
  }
  scope().insert_or_assign("(index)",
                           Symbol{Symbol::Kind::Constant, 0, scalar(Type::Kind::I32), 0, false, false});
  const auto differs = syntax::makeExpression(SyntaxKind::Binary, span, "!=");
  differs->operands.push_back(named("(range)"));
  differs->operands.push_back(named("(end)"));
  loop.expression = condition(*differs);
  const auto next = syntax::makeExpression(SyntaxKind::Unary, span, "++");
  next->operands.push_back(named("(range)"));
  loop.step = expression(*next);
  discard(*loop.step);
}

/// `for (int x : {1, 2, 4})`: an array of the values, of the type of the first.
Operand Checker::listedRange(const syntax::Expression& written, typed::Statement& into) {
  const syntax::Expression& list = expandedPacks(written);
  const Type* const element = list.operands.empty() ? nullptr : operand(*list.operands[0]).type;
  if (element == nullptr || element->size == 0)
    fail(list.span, "a loop over values in braces needs values of one type", "write a number in the braces");
  const Type* const type = kernel_.types->findArray(element, list.operands.size());
  Glvalue array{.isVariable = true, .type = type, .isConst = true, .span = list.span};
  array.variable = addVariable("(list)", type, list.span, true);
  storeParts(makeCopy(array), &list, list.span, into);
  return asOperand(std::move(array));
}

/// A loop over an array, or from begin() to end() of an object.
StatementPtr Checker::rangeLoop(const syntax::Statement& node) {
  constexpr auto kBlock = StatementKind::Block;
  return scoped(kBlock, node.span, node.span, [&](typed::Statement& outer) {
    StatementPtr loop = makeStatement(StatementKind::Loop, node.span);
    Operand range = node.expression->kind == SyntaxKind::List ? listedRange(*node.expression, outer)
                                                              : operand(*node.expression);
    if (range.glvalue && range.glvalue->type->isArray()) {
      indexLoop(node, std::move(range), outer, *loop);
    } else if (range.type != nullptr && range.type->isStruct()) {
      iteratorLoop(node, std::move(range), outer, *loop);
    } else {
      fail(node.expression->span,
           "a loop over a range needs an array, whose extent is known, or an object with begin() and end()",
           "write for (int i = 0; i < n; ++i)");
    }
    const LoopScope inLoop(*this);
    loop->body.push_back(scoped(kBlock, node.span, node.span, [&](typed::Statement& body) {
      for (const syntax::StatementPtr& part : node.body) {
        if (StatementPtr checked = statement(*part)) body.body.push_back(std::move(checked));
      }
    }));
    outer.body.push_back(std::move(loop));
  });
}

}  // namespace lanescope::checker
