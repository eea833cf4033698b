#pragma once

#include <bit>
#include <limits>

#include "sim/language/check/typed_tree.h"

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
