#pragma once

#include <cstdint>
#include <optional>

#include "sim/language/check/typed_tree.h"

namespace lanescope {

/// Replaces operators over constants by their value, with C++'s arithmetic, as a compiler does before the
/// kernel runs. Integers, booleans and conversions. Floating arithmetic is left to the run.
typed::ExpressionPtr fold(typed::ExpressionPtr expression);

/// The operator's result for operands with these bits (`second`: for operators with two operands). Empty if
/// fold() would leave the operator.
std::optional<std::uint64_t> foldedBits(const typed::Expression& node, std::uint64_t first,
                                        std::uint64_t second);

/// The bits of `value` as a constant of `type` (integers wrap, floats round).
std::uint64_t constantBits(const Type& type, std::int64_t value);
/// A constant's value as a signed 64-bit integer (an unsigned 64-bit one wraps).
std::int64_t constantValue(const Type& type, std::uint64_t bits);
std::uint64_t floatingBits(const Type& type, double value);
double floatingValue(const Type& type, std::uint64_t bits);

}  // namespace lanescope
