#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_evaluation.h"

// Bit-fields: parts of an unsigned integer. Memory and registers hold the whole integer.
namespace lanescope::checker {

using typed::BinaryOp;

BitRange Checker::bitRange(const syntax::Declarator& declarator, const Type& type) {
  if (!type.isInteger()) fail(declarator.span, "a bit-field is an integer", "write int, unsigned or bool");
  const ExpressionPtr width = asConstant(expression(*declarator.bits));
  const std::int64_t count = width->kind == Kind::Constant && width->type->isInteger()
                                 ? constantValue(*width->type, width->bits)
                                 : -1;
  if (count < 0) fail(declarator.span, "the width of a bit-field is a constant", "write a number");
  if (count > 8 * std::int64_t{type.size}) {
    fail(declarator.span,
         fmt::format("{} has {}, fewer than {}", type.name(), counted(8 * type.size, "bit"), count),
         "use a wider type");
  }
  if (count == 0 && !declarator.name.empty())
    fail(declarator.span, "a bit-field with a name has a bit at least", "remove the name, or write 1");
  return {nullptr, 0, static_cast<std::uint8_t>(count), true};
}

/// Bit-fields that no integer of the struct's own holds: one of its bytes belongs to another field.
void Checker::refuseSplitBits(const Type& type, const syntax::Structure& node) {
  for (const Field& field : type.fields) {
    if (!field.bits.isBits || field.bits.storage != nullptr) continue;
    fail(
        node.span,
        fmt::format("the bit-field {}::{} shares its bytes with another field in a way that is not simulated",
                    node.name, field.name),
        "put the bit-fields side by side, at the beginning of the struct");
  }
}

/// The value of a bit-field of the type: its bits moved down and extended. The operand inside is the promoted
/// value.
ExpressionPtr Checker::bitFieldIn(ExpressionPtr storage, const BitRange& bits, const Type* type) {
  const SourceSpan span = storage->span;
  const bool isWide = bits.storage->size == 8;
  const Type* const plain = scalar(isWide ? Type::Kind::U64 : Type::Kind::U32);
  const unsigned unused = (isWide ? 64u : 32u) - bits.count;
  ExpressionPtr value = convert(std::move(storage), plain);
  const auto shifted = [&](BinaryOp op, unsigned by) {
    if (by == 0) return;
    const Type* const own = value->type;
    value = makeBinary(op, own, std::move(value), constant(own, by, span), span);
  };
  shifted(BinaryOp::ShiftLeft, unused - bits.first);
  if (type->isSigned()) value = convert(std::move(value), scalar(isWide ? Type::Kind::I64 : Type::Kind::I32));
  shifted(BinaryOp::ShiftRight, unused);
  const bool fitsInt = bits.count < 32 || (bits.count == 32 && type->isSigned());
  const Type* promotedType = type->isScoped   ? type
                             : type->isEnum() ? promoted(type)
                             : fitsInt        ? scalar(Type::Kind::I32)
                                              : type;
  if (!fitsInt && bits.count == 32 && type->size <= 4 && !type->isEnum())
    promotedType = scalar(Type::Kind::U32);
  value = convert(std::move(value), promotedType);
  ExpressionPtr result = make(Kind::Convert, type, span, std::move(value));
  result->isBitField = true;
  return result;
}

/// In an expression a bit-field becomes an int if int can hold all its values (C++20 [conv.prom]).
ExpressionPtr promotedBits(ExpressionPtr value) {
  return value != nullptr && value->isBitField ? std::move(value->operands[0]) : std::move(value);
}

/// The integer with the bit-field's value in its bits.
ExpressionPtr Checker::withBits(ExpressionPtr storage, const BitRange& bits, ExpressionPtr value) {
  const SourceSpan span = value->span;
  const bool isWide = bits.storage->size == 8;
  const Type* const plain = scalar(isWide ? Type::Kind::U64 : Type::Kind::U32);
  const std::uint64_t all = bits.count == 64 ? UINT64_MAX : (std::uint64_t{1} << bits.count) - 1;
  const std::uint64_t every = isWide ? UINT64_MAX : UINT32_MAX;
  const auto both = [&](BinaryOp op, ExpressionPtr a, ExpressionPtr b) {
    return fold(makeBinary(op, plain, std::move(a), std::move(b), span));
  };
  ExpressionPtr own = both(BinaryOp::And, convert(std::move(value), plain), constant(plain, all, span));
  own = both(BinaryOp::ShiftLeft, std::move(own), constant(plain, bits.first, span));
  ExpressionPtr rest = both(BinaryOp::And, convert(std::move(storage), plain),
                            constant(plain, ~(all << bits.first) & every, span));
  return fold(convert(both(BinaryOp::Or, std::move(rest), std::move(own)), bits.storage));
}

ExpressionPtr Checker::storeBits(Glvalue target, ExpressionPtr value, SourceSpan span) {
  const BitRange bits = std::exchange(target.bits, {});
  const Type* const type = std::exchange(target.type, bits.storage);
  if (target.isVariable) {
    ExpressionPtr next = withBits(load(makeCopy(target)), bits, std::move(value));
    return bitFieldIn(setVariable(target.variable, target.offset, bits.storage, std::move(next), span), bits,
                      type);
  }
  ExpressionPtr given = make(Kind::Held, type, span);
  given->index = 1;
  ExpressionPtr next = withBits(make(Kind::Held, bits.storage, span), bits, std::move(given));
  ExpressionPtr result =
      make(Kind::Update, bits.storage, span, std::move(value), std::move(target.address), std::move(next));
  return bitFieldIn(std::move(result), bits, type);
}

}  // namespace lanescope::checker
