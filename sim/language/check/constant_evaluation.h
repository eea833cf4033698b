#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/language/check/typed_tree.h"

namespace lanescope {

/// Replaces operators over constants by their value, with C++'s arithmetic, as a compiler does before the
/// kernel runs. Integers, booleans and conversions. Floating arithmetic is left to the run.
typed::ExpressionPtr fold(typed::ExpressionPtr expression);

/// The operator's result for operands with these bits (`second`: for operators with two operands). Empty if
/// fold() would leave the operator.
std::optional<std::uint64_t> foldedBits(const typed::Expression& node, std::uint64_t first,
                                        std::uint64_t second);

/// The bits of `value` as a constant of `type` (integers wrap, floats round).
std::uint64_t constantBits(const Type& type, std::int64_t value);
/// A constant's value as a signed 64-bit integer (an unsigned 64-bit one wraps).
std::int64_t constantValue(const Type& type, std::uint64_t bits);
std::uint64_t floatingBits(const Type& type, double value);
double floatingValue(const Type& type, std::uint64_t bits);

/// Runs the calls in a constant expression: constexpr functions and constructors, with their loops and
/// variables ([expr.const]). Its memory holds the variables of the calls and the kernel's const variables at
/// file scope.
class ConstantEvaluator {
 public:
  static constexpr int kMostSteps = 1 << 20;

  /// Subtracts what it needs from `steps`: one for each expression and statement, and for each 32 bytes
  /// that are copied.
  ConstantEvaluator(const typed::Kernel& kernel, int& steps) : kernel_(kernel), steps_(steps) {}

  /// The expression's value as it is in memory. Empty if it depends on a value known only at run time, or
  /// takes more than the steps. Pointers in it are for makeAddress().
  std::optional<std::vector<std::byte>> toBytes(const typed::Expression& expression);
  /// The same for a scalar: bits as in a Constant.
  std::optional<std::uint64_t> computeBits(const typed::Expression& expression);

  /// The target of a pointer that is not null. Empty if its variable ended with the evaluation.
  static std::optional<typed::SymbolAddress> makeAddress(std::uint64_t pointer);

 private:
  const typed::Kernel& kernel_;
  int& steps_;
};

}  // namespace lanescope
