#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/language/check/typed_tree.h"

namespace lanescope {

/// Runs the calls in a constant expression: constexpr functions and constructors, with their loops and
/// variables ([expr.const]). Its memory holds the variables of the calls and the kernel's const variables at
/// file scope.
class ConstantEvaluator {
 public:
  static constexpr int kMostSteps = 1 << 20;

  explicit ConstantEvaluator(const typed::Kernel& kernel) : kernel_(kernel) {}

  /// The expression's value as it is in memory. Empty if it depends on a value known only at run time, or
  /// takes more than kMostSteps. Pointers in it are for makeAddress().
  std::optional<std::vector<std::byte>> toBytes(const typed::Expression& expression);
  /// The same for a scalar: bits as in a Constant.
  std::optional<std::uint64_t> computeBits(const typed::Expression& expression);
  /// The same in at most `steps`. Subtracts the steps it uses.
  std::optional<std::uint64_t> computeBits(const typed::Expression& expression, int& steps);

  /// The target of a pointer that is not null. Empty if its variable ended with the evaluation.
  static std::optional<typed::SymbolAddress> makeAddress(std::uint64_t pointer);

 private:
  const typed::Kernel& kernel_;
};

}  // namespace lanescope
