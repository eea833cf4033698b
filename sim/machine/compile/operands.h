#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

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

/// The registers an instruction reads and the ones it writes. If an instruction's shape decides, the most it
/// may touch. A masked write keeps the other lanes: it counts as a read as well.
struct Operands {
  std::array<RegisterRange, 5> reads{};  ///< a, b, c, d, and dst if it keeps lanes
  RegisterRange writes;

  bool readsAny(RegisterRange range) const {
    for (const RegisterRange& read : reads) {
      if (read.overlaps(range)) return true;
    }
    return false;
  }
};

Operands readOperands(const Instruction& instruction, const Bytecode& code);

/// A set of a kernel's registers.
class RegisterMarks {
 public:
  explicit RegisterMarks(const Bytecode& code) : marked_(code.registers + 1) {}

  void set(RegisterRange range, bool value) {
    for (std::uint32_t r = range.first; r < range.first + range.count && r < marked_.size(); ++r)
      marked_[r] = value;
  }
  bool any(RegisterRange range) const {
    for (std::uint32_t r = range.first; r < range.first + range.count && r < marked_.size(); ++r) {
      if (marked_[r]) return true;
    }
    return false;
  }
  bool hasAny(std::span<const RegisterRange> ranges) const {
    return std::ranges::any_of(ranges, [this](RegisterRange range) { return any(range); });
  }
  /// Marks all registers that the other has marked; true if one was not marked already.
  bool merge(const RegisterMarks& other) {
    bool hasChanged = false;
    for (std::size_t r = 0; r < marked_.size(); ++r) {
      if (!other.marked_[r] || marked_[r]) continue;
      marked_[r] = true;
      hasChanged = true;
    }
    return hasChanged;
  }

 private:
  std::vector<bool> marked_;
};

}  // namespace lanescope
