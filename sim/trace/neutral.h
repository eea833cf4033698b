#pragma once

#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>

#include "sim/machine/compile/bytecode.h"

namespace lanescope {

/// True if a sum, product, minimum or maximum with that operand equals the other one: 0, 1, or a bound of the
/// type; for a difference, the operand on the right. -2^31 + 1 counts as the lower bound of an int too, since
/// kernels write it as the negative of the upper one.
inline bool isNeutral(Op op, std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  const auto narrow = std::bit_cast<float>(word);
  const auto wide = std::bit_cast<double>(bits);
  switch (op) {
    case Op::Add32:
    case Op::Sub32: return word == 0;
    case Op::Add64:
    case Op::Sub64: return bits == 0;
    case Op::AddF32:
    case Op::SubF32: return narrow == 0;
    case Op::AddF64:
    case Op::SubF64: return wide == 0;
    case Op::Mul32: return word == 1;
    case Op::Mul64: return bits == 1;
    case Op::MulF32: return narrow == 1;
    case Op::MulF64: return wide == 1;
    case Op::MinI32: return static_cast<std::int32_t>(word) == std::numeric_limits<std::int32_t>::max();
    case Op::MinU32: return word == std::numeric_limits<std::uint32_t>::max();
    case Op::MinI64: return static_cast<std::int64_t>(bits) == std::numeric_limits<std::int64_t>::max();
    case Op::MinU64: return bits == std::numeric_limits<std::uint64_t>::max();
    case Op::MinF32: return narrow >= FLT_MAX;
    case Op::MinF64: return wide >= DBL_MAX;
    case Op::MaxI32: return static_cast<std::int32_t>(word) <= -std::numeric_limits<std::int32_t>::max();
    case Op::MaxU32: return word == 0;
    case Op::MaxI64: return static_cast<std::int64_t>(bits) <= -std::numeric_limits<std::int64_t>::max();
    case Op::MaxU64: return bits == 0;
    case Op::MaxF32: return narrow <= -FLT_MAX;
    case Op::MaxF64: return wide <= -DBL_MAX;
    default: return false;
  }
}

}  // namespace lanescope
