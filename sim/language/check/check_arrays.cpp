// Pointers and references to arrays, and loops over a range.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/language/check/checker_impl.h"

namespace lanescope::checker {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;  ///< of an array behind a pointer

}  // namespace

const Type* Checker::findArray(const Type* element, const std::vector<syntax::ExpressionPtr>& extents) {
  const Type* type = element;
  for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
    const std::uint64_t count = constantExtent(**extent);
    if (count >= kMostBytes || count * type->size >= kMostBytes)
      fail((*extent)->span, "this array is too large to be simulated", "use a smaller extent");
    type = kernel_.types->findArray(type, count);
  }
  return type;
}

/// The array, or pointer to one, that the name has by its base and its `*`.
const Type* Checker::withArray(const Type* element, const syntax::TypeName& name, bool isConst) {
  const Type* type = findArray(element, *name.extents);
  for (std::uint32_t i = 0; i < name.arrayPointers; ++i)
    type = kernel_.types->pointerTo(type, i == 0 && isConst, i == 0 && name.isVolatile);
  return type;
}

/// Deduces the template parameters in a pointer or reference to an array, including its extents, from an
/// argument.
bool Checker::deduceArray(const syntax::Function& function, const syntax::TypeName& pattern,
                          const Type* argument, const Scope& given, Scope& bound) {
  const Type* type = argument;
  for (std::uint32_t i = 0; i < pattern.arrayPointers; ++i) {
    if (type == nullptr || !type->isPointer()) return true;  // reported when the argument is converted
    type = type->element;
  }
  for (const syntax::ExpressionPtr& extent : *pattern.extents) {
    if (type == nullptr || !type->isArray()) return true;
    const auto named =
        std::ranges::find(function.templateParameters, extent->text, &syntax::TemplateParameter::name);
    const bool isParameter = extent->kind == syntax::Expression::Kind::Name &&
                             named != function.templateParameters.end() && !named->isType;
    if (isParameter) {
      const Symbol size{Symbol::Kind::Constant, 0, resolve(named->valueType), type->count, false, false};
      const auto [known, isNew] = bound.emplace(named->name, size);
      if (!isNew && known->second.bits != type->count) return false;
    }
    type = type->element;
  }
  syntax::TypeName element = pattern;
  element.extents = nullptr;
  element.arrayPointers = 0;
  return deduce(function, element, type, given, bound);
}

/// Declares the name as a reference to the range of a loop, in the open scope.
void Checker::declareHeld(const std::string& name, const Type* pointer, Operand range,
                          typed::Statement& into) {
  const SourceSpan span = range.span;
  ExpressionPtr address = referenceTo(pointer, std::move(range));
  const Type* const type = address->type;
  const std::uint32_t variable = addVariable(name, type, span, false);
  scope().insert_or_assign(name, Symbol{Symbol::Kind::Variable, variable, type, 0, true, false});
  into.body.push_back(expressionStatement(setVariable(variable, 0, type, std::move(address), span), span));
}

/// Declares the array of a loop as `(range)` in the open scope. An array with a name is used directly. For
/// any other the loop holds a reference.
void Checker::declareRange(const syntax::Statement& node, Operand range, typed::Statement& into) {
  const Symbol* const named =
      node.expression->kind == syntax::Expression::Kind::Name ? find(node.expression->text) : nullptr;
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
  const Type* const pointer = kernel_.types->pointerTo(range.type, isConst, false);
  declareHeld("(object)", pointer, std::move(range), outer);
  const auto named = [&](std::string_view name) { return syntax::made(SyntaxKind::Name, span, name); };
  for (const auto& [variable, method] : {std::pair{"(range)", "begin"}, std::pair{"(end)", "end"}}) {
    syntax::Statement declared;
    declared.kind = syntax::Statement::Kind::Declaration;
    declared.span = declared.type.span = span;
    declared.type.base = "auto";
    syntax::Declarator& declarator = declared.declarators.emplace_back();
    declarator.name = variable;
    declarator.span = span;
    declarator.initial = syntax::made(SyntaxKind::MemberCall, span, method);
    declarator.initial->operands.push_back(named("(object)"));
    if (typed::StatementPtr checked = declaration(declared)) outer.body.push_back(std::move(checked));
  }
  scope().insert_or_assign("(index)",
                           Symbol{Symbol::Kind::Constant, 0, scalar(Type::Kind::I32), 0, false, false});
  const auto differs = syntax::made(SyntaxKind::Binary, span, "!=");
  differs->operands.push_back(named("(range)"));
  differs->operands.push_back(named("(end)"));
  loop.expression = condition(*differs);
  const auto next = syntax::made(SyntaxKind::Unary, span, "++");
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
  const std::uint32_t variable = addVariable("(list)", type, list.span, true);
  fillArray(variable, type, 0, &list, into);
  Glvalue glvalue{.isVariable = true, .variable = variable, .type = type, .isConst = true, .span = list.span};
  return asOperand(std::move(glvalue));
}

/// A loop over an array, or from begin() to end() of an object.
typed::StatementPtr Checker::rangeLoop(const syntax::Statement& node) {
  typed::StatementPtr outer = makeStatement(typed::Statement::Kind::Block, node.span);
  outer->firstVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  pushScope();
  typed::StatementPtr loop = makeStatement(typed::Statement::Kind::Loop, node.span);
  Operand range = node.expression->kind == syntax::Expression::Kind::List
                      ? listedRange(*node.expression, *outer)
                      : operand(*node.expression);
  if (range.glvalue && range.glvalue->type->isArray()) {
    indexLoop(node, std::move(range), *outer, *loop);
  } else if (range.type != nullptr && range.type->isStruct()) {
    iteratorLoop(node, std::move(range), *outer, *loop);
  } else {
    fail(node.expression->span,
         "a loop over a range needs an array, whose extent is known, or an object with begin() and end()",
         "write for (int i = 0; i < n; ++i)");
  }
  pushScope();
  typed::StatementPtr body = makeStatement(typed::Statement::Kind::Block, node.span);
  body->firstVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  {
    const LoopScope inLoop(*this);
    const std::size_t alive = alive_.size();
    for (const syntax::StatementPtr& part : node.body) {
      if (typed::StatementPtr checked = statement(*part)) body->body.push_back(std::move(checked));
    }
    endObjects(alive, node.span, *body);
  }
  body->endVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  popScope();
  loop->body.push_back(std::move(body));
  popScope();
  outer->endVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  outer->body.push_back(std::move(loop));
  return outer;
}

}  // namespace lanescope::checker
