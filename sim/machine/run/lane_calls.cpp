#include "sim/machine/run/lane_calls.h"

#include <bit>
#include <cfenv>
#include <cmath>

#include "sim/machine/run/lane_rules.h"
#include "sim/machine/run/xorwow.h"

namespace lanescope {
namespace {

/// The value of a type as a register holds it: narrow integers are extended to 32 bits.
template <Type::Kind kKind>
struct LaneValue;
#define LANE_VALUE(kind, Value, Register) \
  template <>                             \
  struct LaneValue<Type::Kind::kind> {    \
    using Held = Value;                   \
    using Lane = Register;                \
  };
LANE_VALUE(Bool, bool, LaneU32)
LANE_VALUE(I8, std::int8_t, LaneI32)
LANE_VALUE(U8, std::uint8_t, LaneU32)
LANE_VALUE(I16, std::int16_t, LaneI32)
LANE_VALUE(U16, std::uint16_t, LaneU32)
LANE_VALUE(I32, std::int32_t, LaneI32)
LANE_VALUE(U32, std::uint32_t, LaneU32)
LANE_VALUE(I64, std::int64_t, LaneI64)
LANE_VALUE(U64, std::uint64_t, LaneU64)
LANE_VALUE(F32, float, LaneF32)
LANE_VALUE(F64, double, LaneF64)
LANE_VALUE(F16, Half, LaneU32)
LANE_VALUE(BF16, BFloat16, LaneU32)
#undef LANE_VALUE

template <Type::Kind kKind>
typename LaneValue<kKind>::Held held(const WarpState& warp, std::uint16_t reg, unsigned lane) {
  using Here = LaneValue<kKind>;
  return lane::fromRegister<typename Here::Held>(warp.lanes<typename Here::Lane>(reg)[lane]);
}

template <Type::Kind kTo, class Rule>
void inActiveLanes(const WarpState& warp, const Instruction& i, Rule rule) {
  using There = LaneValue<kTo>;
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const auto value = static_cast<typename There::Held>(rule(lane));
    warp.lanes<typename There::Lane>(i.dst)[lane] = lane::toRegister<typename There::Lane>(value);
  }
}

}  // namespace

// clang-format off
#define OPERAND(From, reg) held<Type::Kind::From>(warp, i.reg, lane)
#define CALL(To, ...)                                             \
  [](const WarpState& warp, const Instruction& i) {               \
    inActiveLanes<Type::Kind::To>(warp, i, [&](unsigned lane) { __VA_ARGS__ }); \
  },
#define OF1(name, To, A, ...) CALL(To, \
  const auto a = OPERAND(A, a); return __VA_ARGS__;)
#define OF2(name, To, A, B, ...) CALL(To, \
  const auto a = OPERAND(A, a); const auto b = OPERAND(B, b); return __VA_ARGS__;)
#define OF3(name, To, A, B, C, ...) CALL(To, \
  const auto a = OPERAND(A, a); const auto b = OPERAND(B, b); const auto c = OPERAND(C, c); return __VA_ARGS__;)
// clang-format on
const std::array<LaneCall, kLaneFunctions.size()> kLaneCalls = {
#include "sim/language/check/lane_functions.def"
};
#undef CALL
#undef OPERAND

}  // namespace lanescope
