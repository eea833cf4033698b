#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>

#include "sim/language/check/type.h"
#include "sim/language/check/typed_tree.h"

/// The rows of lane_functions.def as a table.
namespace lanescope {

struct LaneFunction {
  std::string_view name;
  Type::Kind result = Type::Kind::Void;
  std::array<Type::Kind, 3> operands{};  ///< Void: no such operand
  constexpr unsigned count() const {
    unsigned given = 0;
    while (given < operands.size() && operands[given] != Type::Kind::Void) ++given;
    return given;
  }
};

/// In the order of their numbers, which instructions use. Clang does not deduce the extent of such a long
/// std::array.
inline constexpr auto kLaneFunctions = std::to_array<LaneFunction>({
#define OF1(name, To, A, ...) LaneFunction{#name, Type::Kind::To, {Type::Kind::A}},
#define OF2(name, To, A, B, ...) LaneFunction{#name, Type::Kind::To, {Type::Kind::A, Type::Kind::B}},
#define OF3(name, To, A, B, C, ...) \
  LaneFunction{#name, Type::Kind::To, {Type::Kind::A, Type::Kind::B, Type::Kind::C}},
#include "sim/language/check/lane_functions.def"
});

}  // namespace lanescope

namespace lanescope::lane {

template <class T>
inline T reversed(T a) {
  T result = 0;
  for (int bit = 0; bit < std::numeric_limits<T>::digits; ++bit) {
    result = static_cast<T>(result << 1 | (a >> bit & 1u));
  }
  return result;
}

/// For an unsigned integer of 32 or 64 bits.
template <class T>
inline T bits(typed::BitOp op, T a) {
  switch (op) {
// clang-format off
#define BITS(name, op, rule) case typed::BitOp::op: return static_cast<T>(rule);
// clang-format on
#include "sim/language/check/functions.def"
  }
  return 0;
}

}  // namespace lanescope::lane
