#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sim/language/check/typed_tree.h"
#include "sim/machine/run/lane_operations.h"

/// Functions of one lane's values that are not operators: mathematics, bits, atomics.
namespace lanescope::lane {

/// Mathematical functions. Square root, fused multiply-add and the rounding functions are exact, as on
/// the device; rsqrt is rounded once (the device's is within 2 ulp); the others are the host's, within
/// an ulp or two of the device's (CUDA Programming Guide, "Mathematical Functions").
template <class T>
inline T math(typed::MathOp op, T a, T b, T c) {
  using typed::MathOp;
  switch (op) {
    case MathOp::Abs: return std::fabs(a);
    case MathOp::Sqrt: return std::sqrt(a);
    case MathOp::Rsqrt: return static_cast<T>(1.0 / std::sqrt(static_cast<double>(a)));
    case MathOp::Exp: return std::exp(a);
    case MathOp::Exp2: return std::exp2(a);
    case MathOp::Log: return std::log(a);
    case MathOp::Log2: return std::log2(a);
    case MathOp::Log10: return std::log10(a);
    case MathOp::Sin: return std::sin(a);
    case MathOp::Cos: return std::cos(a);
    case MathOp::Tan: return std::tan(a);
    case MathOp::Tanh: return std::tanh(a);
    case MathOp::Floor: return std::floor(a);
    case MathOp::Ceil: return std::ceil(a);
    case MathOp::Trunc: return std::trunc(a);
    case MathOp::Round: return std::round(a);
    case MathOp::Rint: return std::nearbyint(a);
    case MathOp::Pow: return std::pow(a, b);
    case MathOp::Fmod: return std::fmod(a, b);
    case MathOp::Hypot: return std::hypot(a, b);
    case MathOp::CopySign: return std::copysign(a, b);
    case MathOp::Fma: return std::fma(a, b, c);
    case MathOp::IsNan:
    case MathOp::IsInf: break;  // WarpRunner::math() makes integers of these
  }
  return a;
}

/// __popc, __ffs, __clz, __brev of an unsigned integer of 32 or 64 bits.
template <class T>
inline T bits(typed::BitOp op, T a) {
  constexpr int kBits = std::numeric_limits<T>::digits;
  switch (op) {
    case typed::BitOp::PopCount: return static_cast<T>(std::popcount(a));
    case typed::BitOp::FindFirstSet: return a == 0 ? 0 : static_cast<T>(std::countr_zero(a) + 1);
    case typed::BitOp::CountLeadingZeros: return static_cast<T>(std::countl_zero(a));
    case typed::BitOp::Reverse: {
      T reversed = 0;
      for (int bit = 0; bit < kBits; ++bit) reversed = static_cast<T>(reversed << 1 | (a >> bit & 1u));
      return reversed;
    }
  }
  return 0;
}

/// What an atomic stores where it found `old`; `other` is the new value of a compare-and-swap.
template <class T>
inline T atomicResult(typed::AtomicOp op, T old, T operand, T other) {
  using typed::AtomicOp;
  if constexpr (std::is_floating_point_v<T>) {
    return op == AtomicOp::Add ? old + operand : operand;  // Add and Exchange are all there are
  } else {
    using Unsigned = std::make_unsigned_t<T>;
    switch (op) {
      case AtomicOp::Add: return static_cast<T>(static_cast<Unsigned>(old) + static_cast<Unsigned>(operand));
      case AtomicOp::Minimum: return std::min(old, operand);
      case AtomicOp::Maximum: return std::max(old, operand);
      case AtomicOp::And: return old & operand;
      case AtomicOp::Or: return old | operand;
      case AtomicOp::Xor: return old ^ operand;
      case AtomicOp::Exchange: return operand;
      case AtomicOp::CompareSwap: return old == operand ? other : old;
      case AtomicOp::Increment: return old >= operand ? 0 : static_cast<T>(old + 1);
      case AtomicOp::Decrement: return old == 0 || old > operand ? operand : static_cast<T>(old - 1);
    }
    return old;
  }
}

}  // namespace lanescope::lane
