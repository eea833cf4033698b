#pragma once

#include <array>

#include "sim/machine/compile/bytecode.h"

namespace lanescope {

/// Consecutive 32-bit lane registers.
struct RegisterRange {
  std::uint16_t first = 0;
  std::uint32_t count = 0;

  bool overlaps(RegisterRange other) const {
    return first < other.first + other.count && other.first < first + count;
  }
};

/// The registers an instruction reads and the ones it writes. Where an instruction's shape decides, the
/// most it may touch. A masked write keeps the other lanes: it counts as a read as well.
struct Operands {
  std::array<RegisterRange, 5> reads{};  ///< a, b, c, d, and dst where it keeps lanes
  RegisterRange writes;

  bool readsAny(RegisterRange range) const {
    for (const RegisterRange& read : reads) {
      if (read.overlaps(range)) return true;
    }
    return false;
  }
};

Operands operandsOf(const Instruction& instruction, const Bytecode& code);

}  // namespace lanescope
