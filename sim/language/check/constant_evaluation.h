#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/language/check/typed_tree.h"

namespace lanescope {

/// Runs what a constant expression calls: constexpr functions and constructors, with their loops and
/// variables ([expr.const]). Memory is that of the variables of the calls, and of the kernel's const
/// variables at file scope.
class ConstantEvaluator {
 public:
  static constexpr int kMostSteps = 1 << 20;

  explicit ConstantEvaluator(const typed::Kernel& kernel) : kernel_(kernel) {}

  /// The expression's value as it is in memory; nothing where it depends on what only a run knows, or takes
  /// more than kMostSteps. Pointers in it are for addressOf().
  std::optional<std::vector<std::byte>> bytesOf(const typed::Expression& expression);
  /// The same of a scalar: bits as a Constant has them.
  std::optional<std::uint64_t> bitsOf(const typed::Expression& expression);
  /// The same in at most `steps`, of which it takes what it needs.
  std::optional<std::uint64_t> bitsOf(const typed::Expression& expression, int& steps);

  /// Where a pointer leads that is not null; nothing where its variable has ended with the evaluation.
  static std::optional<typed::SymbolAddress> addressOf(std::uint64_t pointer);

 private:
  const typed::Kernel& kernel_;
};

}  // namespace lanescope
