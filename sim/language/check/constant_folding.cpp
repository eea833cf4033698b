#include "sim/language/check/constant_folding.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace lanescope {
namespace {

using typed::BinaryOp;
using Kind = typed::Expression::Kind;

bool isUnsigned64(const Type& type) { return type.kind == Type::Kind::U64; }

std::optional<std::int64_t> combine(const Type& type, BinaryOp op, std::int64_t a, std::int64_t b) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  const bool wide = isUnsigned64(type);
  const std::uint64_t width = type.size * 8;
  // The count has the type of the left side here. A negative count is a large one.
  const std::uint64_t shift = width == 32 ? static_cast<std::uint32_t>(ub) : ub;
  switch (op) {
    case BinaryOp::Add: return static_cast<std::int64_t>(ua + ub);
    case BinaryOp::Subtract: return static_cast<std::int64_t>(ua - ub);
    case BinaryOp::Multiply: return static_cast<std::int64_t>(ua * ub);
    case BinaryOp::Divide:
    case BinaryOp::Remainder: {
      if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
      if (wide) return static_cast<std::int64_t>(op == BinaryOp::Divide ? ua / ub : ua % ub);
      return op == BinaryOp::Divide ? a / b : a % b;
    }
    case BinaryOp::And: return a & b;
    case BinaryOp::Or: return a | b;
    case BinaryOp::Xor: return a ^ b;
    case BinaryOp::ShiftLeft: return shift < width ? static_cast<std::int64_t>(ua << shift) : 0;
    case BinaryOp::ShiftRight:
      if (wide) return shift < width ? static_cast<std::int64_t>(ua >> shift) : 0;
      return a >> std::min<std::uint64_t>(shift, 63);
    case BinaryOp::Less: return (wide ? ua < ub : a < b) ? 1 : 0;
    case BinaryOp::LessEqual: return (wide ? ua <= ub : a <= b) ? 1 : 0;
    case BinaryOp::Equal: return a == b ? 1 : 0;
    case BinaryOp::NotEqual: return a != b ? 1 : 0;
    case BinaryOp::Minimum: return wide ? static_cast<std::int64_t>(std::min(ua, ub)) : std::min(a, b);
    case BinaryOp::Maximum: return wide ? static_cast<std::int64_t>(std::max(ua, ub)) : std::max(a, b);
  }
  return std::nullopt;
}

/// True if an integer type holds the value cut to a whole number. Beyond its range the machine saturates
/// (narrow types: as int, and then wraps), so the conversion is left to the machine.
bool fits(const Type& type, double value) {
  switch (type.kind) {
    case Type::Kind::I64: return value > -9.0e18 && value < 9.0e18;
    case Type::Kind::U64: return value > -1.0 && value < 9.0e18;
    case Type::Kind::U32: return value > -1.0 && value < 4294967296.0;
    default: return value > -2147483649.0 && value < 2147483648.0;
  }
}

std::optional<std::uint64_t> convert(const Type& from, const Type& to, std::uint64_t bits) {
  if (!from.isArithmetic() || !to.isArithmetic()) return std::nullopt;
  if (from.isFloating()) {
    const double value = floatingValue(from, bits);
    if (to.isFloating()) return floatingBits(to, value);
    if (to.kind == Type::Kind::Bool) return value != 0 ? 1 : 0;
    if (!fits(to, value)) return std::nullopt;
    return constantBits(to, static_cast<std::int64_t>(value));
  }
  const std::int64_t value = constantValue(from, bits);
  if (!to.isFloating()) return constantBits(to, value);
  if (isUnsigned64(from)) return std::nullopt;
  if (to.kind == Type::Kind::F32) {  // one rounding, not two
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  return floatingBits(to, static_cast<double>(value));
}

}  // namespace

double floatingValue(const Type& type, std::uint64_t bits) {
  if (type.kind == Type::Kind::F64) return std::bit_cast<double>(bits);
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

std::optional<std::uint64_t> foldedBits(const typed::Expression& node, std::uint64_t first,
                                        std::uint64_t second) {
  const Type& from = *node.operands[0]->type;
  switch (node.kind) {
    case Kind::Convert: return convert(from, *node.type, first);
    case Kind::LogicalNot: return constantValue(from, first) == 0 ? 1 : 0;
    case Kind::Negate:
      if (node.type->isFloating()) return floatingBits(*node.type, -floatingValue(from, first));
      return constantBits(
          *node.type, static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(constantValue(from, first))));
    case Kind::BitNot: return constantBits(*node.type, ~constantValue(from, first));
    case Kind::LogicalAnd: return (first != 0 && second != 0) ? 1 : 0;
    case Kind::LogicalOr: return (first != 0 || second != 0) ? 1 : 0;
    case Kind::Binary: {
      if (!from.isInteger()) return std::nullopt;
      const auto value =
          combine(from, node.op, constantValue(from, first), constantValue(*node.operands[1]->type, second));
      if (!value) return std::nullopt;
      return constantBits(*node.type, *value);
    }
    default: return std::nullopt;
  }
}

std::uint64_t constantBits(const Type& type, std::int64_t value) {
  switch (type.kind) {
    case Type::Kind::Bool: return value != 0 ? 1 : 0;
    // Narrow integers live in 32-bit registers, extended as their type says.
    case Type::Kind::I8: return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
    case Type::Kind::U8: return static_cast<std::uint8_t>(value);
    case Type::Kind::I16: return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
    case Type::Kind::U16: return static_cast<std::uint16_t>(value);
    case Type::Kind::I32:
    case Type::Kind::U32: return static_cast<std::uint32_t>(value);
    case Type::Kind::F32:
    case Type::Kind::F64: return floatingBits(type, static_cast<double>(value));
    default: return static_cast<std::uint64_t>(value);
  }
}

std::int64_t constantValue(const Type& type, std::uint64_t bits) {
  switch (type.kind) {
    case Type::Kind::I8:
    case Type::Kind::I16:
    case Type::Kind::I32: return static_cast<std::int32_t>(bits);
    default: return static_cast<std::int64_t>(bits);
  }
}

std::uint64_t floatingBits(const Type& type, double value) {
  if (type.kind == Type::Kind::F64) return std::bit_cast<std::uint64_t>(value);
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

typed::ExpressionPtr fold(typed::ExpressionPtr expression) {
  typed::Expression& node = *expression;
  if (node.operands.empty() || node.operands.size() > 2) return expression;
  for (const typed::ExpressionPtr& operand : node.operands) {
    if (operand->kind != Kind::Constant) return expression;
  }
  const std::uint64_t second = node.operands.size() > 1 ? node.operands[1]->bits : 0;
  const std::optional<std::uint64_t> bits = foldedBits(node, node.operands[0]->bits, second);
  if (!bits) return expression;
  auto constant = std::make_unique<typed::Expression>();
  constant->kind = Kind::Constant;
  constant->type = node.type;
  constant->span = node.span;
  constant->bits = *bits;
  return constant;
}

}  // namespace lanescope
