#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "sim/machine/compile/bytecode.h"

namespace lanescope {

/// What a kernel does with the value that one of its loads gives: followed through the registers in the order
/// of the code, and once more through the loops around it.
struct LoadUses {
  /// The only comparison that decides, with what it is compared with.
  struct Test {
    Op op = Op::Eq32;
    std::uint16_t other = 0;   ///< register, which has its value when the load is done
    bool isRightSide = false;  ///< the loaded value is the operand b
  };

  bool decides = false;               ///< which lanes run what
  bool decidesLoop = false;           ///< when they leave a loop that the load is in
  bool isStored = false;              ///< or goes to memory through another atomic than those in `operandOf`
  bool isOther = false;               ///< an address, exchanged, printed
  std::set<std::uint32_t> operandOf;  ///< atomics that it goes into
  std::set<std::uint32_t> guarded;    ///< stores and atomics that run or do not by what it decides
  std::optional<Test> test;

  /// Nothing but what runs depends on it, and what atomics are given.
  bool onlyDecides() const { return !isStored && !isOther; }
  /// The word is a signal: a thread waits for what it will be, or asks what it is.
  bool isSignal() const { return decidesLoop || (decides && onlyDecides() && operandOf.empty()); }
};

/// Of each load that is asked for; found out once.
class UsesOfLoads {
 public:
  explicit UsesOfLoads(const Bytecode& code) : code_(code) {}
  const LoadUses& of(std::uint32_t pc);

 private:
  const Bytecode& code_;
  std::map<std::uint32_t, LoadUses> known_;
};

/// Whether the comparison holds of the value; of 32 bits.
bool holds(const LoadUses::Test& test, std::uint32_t value, std::uint32_t other);

}  // namespace lanescope
