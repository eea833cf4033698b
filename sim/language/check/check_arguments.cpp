// Passing arguments to parameters, and binding references.
#include <fmt/format.h>

#include <utility>

#include "sim/language/check/checker_impl.h"

namespace lanescope::checker {

/// The value passed for a parameter: the converted argument, or the address of the glvalue if the parameter
/// is a reference.
Checker::ExpressionPtr Checker::argumentFor(const syntax::Parameter& parameter, const Type* type,
                                            Operand operand) {
  if (passesAddress(parameter, *type)) return referenceTo(type, std::move(operand), parameter.type.isRvalue);
  const SourceSpan span = operand.span;
  if (operand.list != nullptr) return construct(type, *operand.list);
  return passed(std::move(operand), type, span);
}

/// A value of the type for a parameter or a result. An object is made by its copy constructor if its class
/// has one.
Checker::ExpressionPtr Checker::passed(Operand operand, const Type* type, SourceSpan span) {
  if (operand.glvalue && operand.type == type && hasCopyConstructor(type))
    return constructed(type, formatList(std::move(operand)), span);
  const bool isCopy = operand.glvalue && operand.type == type && isPolymorphic(type);
  ExpressionPtr value = convertImplicitly(makeValue(std::move(operand)), type, span);
  return isCopy ? sliced(std::move(value)) : std::move(value);
}

/// The address of the argument, as a pointer, for a reference of the type.
Checker::ExpressionPtr Checker::referenceTo(const Type* type, Operand operand, bool isRvalue) {
  const SourceSpan span = operand.span;
  if (operand.glvalue && operand.glvalue->bits.storage != nullptr)
    operand = asOperand(load(std::move(*operand.glvalue)));
  const Type* referred = type->element;
  std::uint32_t offset = 0;
  if (operand.glvalue) {
    const Glvalue& target = *operand.glvalue;
    const bool isBase = target.type != referred && isDerived(target.type, referred, offset);
    if (target.type == referred || isBase) {
      if (target.isConst && !type->elementIsConst) {
        fail(span, "this is const, but the reference would allow stores", "make the reference const");
      }
      ExpressionPtr address = makeAddress(std::move(*operand.glvalue));
      if (isBase) address = moved(std::move(address), offset, referred, type->elementIsConst);
      address->type = type;
      return address;
    }
  }
  if (!type->elementIsConst && !isRvalue) {
    fail(span, fmt::format("a reference to {} needs a variable of that type", referred->name()),
         "pass a variable, or make the reference const");
  }
  ExpressionPtr value = operand.list != nullptr
                            ? construct(referred, *operand.list)
                            : convertImplicitly(makeValue(std::move(operand)), referred, span);
  Glvalue made = materialised(std::move(value));
  made.address->type = type;
  return std::move(made.address);
}

}  // namespace lanescope::checker
