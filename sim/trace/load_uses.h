#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "sim/machine/compile/bytecode.h"

namespace lanescope {

/// The uses of the value that one of a kernel's loads gives: followed through the registers in the order of
/// the code, and once more through the loops around it.
struct LoadUses {
  /// The only comparison that decides, with its other operand.
  struct Test {
    Op op = Op::Eq32;
    std::uint16_t other = 0;   ///< register, which has its value when the load is done
    bool isRightSide = false;  ///< the loaded value is the operand b
  };

  bool decides = false;               ///< which code each lane runs
  bool decidesLoop = false;           ///< if they leave a loop around the load
  bool isStored = false;              ///< or goes to memory through an atomic that is not in `operandIn`
  bool isOther = false;               ///< an address, exchanged, printed
  std::set<std::uint32_t> operandIn;  ///< atomics with it as an operand
  std::set<std::uint32_t> guarded;    ///< stores and atomics that it decides on
  std::optional<Test> test;

  /// True if only control flow and the operands of atomics depend on it.
  bool onlyDecides() const { return !isStored && !isOther; }
  /// True if the word is a signal: a thread waits for a value of it, or tests it.
  bool isSignal() const { return decidesLoop || (decides && onlyDecides() && operandIn.empty()); }
};

/// The uses of each requested load; computed once.
class UsesOfLoads {
 public:
  explicit UsesOfLoads(const Bytecode& code) : code_(code) {}
  const LoadUses& of(std::uint32_t pc);

 private:
  const Bytecode& code_;
  std::map<std::uint32_t, LoadUses> known_;
};

/// True if the comparison holds for the value; with 32 bits.
bool holds(const LoadUses::Test& test, std::uint32_t value, std::uint32_t other);

}  // namespace lanescope
