#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "sim/language/check/bit_functions.h"
#include "sim/language/check/typed_tree.h"
#include "sim/machine/run/lane_operations.h"
#include "sim/machine/run/lane_rules.h"

/// Functions of one lane's values that are not operators: mathematics, atomics.
namespace lanescope::lane {

/// If the device's result differs, functions.def says by how much.
template <class T>
inline T math(typed::MathOp op, T a, T b, T c) {
  switch (op) {
// clang-format off
#define MATH(name, op, operands, rule) case typed::MathOp::op: return static_cast<T>(rule);
// clang-format on
#define PREDICATE(name, op, rule) case typed::MathOp::op:
#include "sim/language/check/functions.def"
    break;
  }
  return a;
}

template <class T>
inline bool test(typed::MathOp op, T a) {
#define PREDICATE(name, predicate, rule) \
  if (op == typed::MathOp::predicate) return rule;
#include "sim/language/check/functions.def"
  return false;
}

/// A reduction's result for two lanes.
inline std::uint32_t reduced(typed::VoteOp op, bool isSigned, std::uint32_t a, std::uint32_t b) {
  const bool less = isSigned ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
  switch (op) {
// clang-format off
#define REDUCTION(name, op, origin, rule) case typed::VoteOp::op: return rule;
// clang-format on
#include "sim/language/check/functions.def"
    default: return 0;
  }
}

/// The value that an atomic stores when it finds `old`; `other` is the new value of a compare-and-swap.
template <class T>
inline T atomicResult(typed::AtomicOp op, T old, T operand, T other) {
  if constexpr (!std::is_integral_v<T>) {
    return op == typed::AtomicOp::Add ? old + operand : operand;  // Add and Exchange are all there are
  } else {
    using Unsigned = std::make_unsigned_t<T>;
    switch (op) {
// clang-format off
#define ATOMIC(name, op, origin, rule) case typed::AtomicOp::op: return static_cast<T>(rule);
// clang-format on
#include "sim/language/check/functions.def"
    }
    return old;
  }
}

}  // namespace lanescope::lane
