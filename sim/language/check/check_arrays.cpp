// Pointers and references to arrays, and loops over an array.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_folding.h"

namespace lanescope::checker {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;  ///< of an array that is pointed to

}  // namespace

const Type* Checker::arrayOf(const Type* element, const std::vector<syntax::ExpressionPtr>& extents) {
  const Type* type = element;
  for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
    const std::uint64_t count = constantExtent(**extent);
    if (count >= kMostBytes || count * type->size >= kMostBytes)
      fail((*extent)->span, "this array is too large to be simulated", "use a smaller extent");
    type = kernel_.types->arrayOf(type, count);
  }
  return type;
}

/// The array, or pointer to one, that the name makes of what its base and `*` say.
const Type* Checker::withArray(const Type* element, const syntax::TypeName& name, bool isConst) {
  const Type* type = arrayOf(element, *name.extents);
  for (std::uint32_t i = 0; i < name.arrayPointers; ++i)
    type = kernel_.types->pointerTo(type, i == 0 && isConst, i == 0 && name.isVolatile);
  return type;
}

/// Learns from an argument what a pointer or reference to an array says: its extents too.
bool Checker::deduceArray(const syntax::Function& function, const syntax::TypeName& pattern,
                          const Type* argument, const Scope& given, Scope& bound) {
  const Type* type = argument;
  for (std::uint32_t i = 0; i < pattern.arrayPointers; ++i) {
    if (type == nullptr || !type->isPointer()) return true;  // reported where the argument is converted
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

/// Makes the array of a loop known as `(range)` in the scope that is open: an array that is named is meant
/// itself, of another the loop holds a reference.
void Checker::declareRange(const syntax::Statement& node, typed::Statement& into, std::uint64_t& count) {
  Operand range = operand(*node.expression);
  if (!range.place || !range.place->type->isArray()) {
    fail(node.expression->span, "a loop over a range needs an array, whose extent is known",
         "write for (int i = 0; i < n; ++i)");
  }
  const Type* const array = range.place->type;
  count = array->count;
  if (count == 0) fail(node.expression->span, "the extent of this array is the launch's", "loop to a count");
  const Symbol* const named =
      node.expression->kind == syntax::Expression::Kind::Name ? find(node.expression->text) : nullptr;
  if (named != nullptr) {
    scope().insert_or_assign("(range)", *named);
    return;
  }
  const Type* const pointer = kernel_.types->pointerTo(array, range.place->isConst, false);
  ExpressionPtr address = referenceTo(pointer, std::move(range));
  const std::uint32_t variable = addVariable("(range)", address->type, node.expression->span, false);
  scope().insert_or_assign("(range)",
                           Symbol{Symbol::Kind::Variable, variable, address->type, 0, true, false});
  const Type* const type = address->type;
  into.body.push_back(
      expressionStatement(setVariable(variable, 0, type, std::move(address), node.span), node.span));
}

/// `for (T x : array)`: a loop over an index, whose body begins with `T x = array[index]`.
typed::StatementPtr Checker::rangeLoop(const syntax::Statement& node) {
  typed::StatementPtr outer = makeStatement(typed::Statement::Kind::Block, node.span);
  outer->firstVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  pushScope();
  std::uint64_t count = 0;
  declareRange(node, *outer, count);
  const Type* const type = scalar(Type::Kind::I32);
  const std::uint32_t index = addVariable("(index)", type, node.span, false);
  scope().insert_or_assign("(index)", Symbol{Symbol::Kind::Variable, index, type, 0, false, false});
  const auto use = [&] {
    ExpressionPtr held = make(Kind::Variable, type, node.span);
    held->index = index;
    return held;
  };
  outer->body.push_back(
      expressionStatement(setVariable(index, 0, type, constant(type, 0, node.span), node.span), node.span));
  typed::StatementPtr loop = makeStatement(typed::Statement::Kind::Loop, node.span);
  loop->expression = operate("<", use(), constant(type, count, node.span), node.span);
  loop->step =
      setVariable(index, 0, type, operate("+", use(), constant(type, 1, node.span), node.span), node.span);
  ++loopDepth_;
  const int outerSwitches = std::exchange(switchDepth_, 0);
  pushScope();
  typed::StatementPtr body = makeStatement(typed::Statement::Kind::Block, node.span);
  body->firstVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  for (const syntax::StatementPtr& part : node.body) {
    if (typed::StatementPtr checked = statement(*part)) body->body.push_back(std::move(checked));
  }
  body->endVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  popScope();
  switchDepth_ = outerSwitches;
  --loopDepth_;
  loop->body.push_back(std::move(body));
  popScope();
  outer->endVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  outer->body.push_back(std::move(loop));
  return outer;
}

}  // namespace lanescope::checker
