#pragma once

#include <string>
#include <string_view>

#include "sim/cosim/expression_writer.h"

namespace lanescope::cosim {

/// Statements over the language's further parts, each defined for one thread alone: classes with
/// constructors, operators and virtual functions, templates of classes, packs, unions, bit-fields, half and
/// bfloat16, lambdas, pointers to functions, recursion, constant memory, the device's heap, intrinsics. In
/// every text
/// `@` stands for the kernel's seed.
class LanguageParts {
 public:
  LanguageParts(Random& random, ExpressionWriter& write) : random_(random), write_(write) {}

  /// What a kernel needs at file scope.
  static std::string_view atFileScope();
  /// The kernel's variables of these parts, a line each.
  static std::string_view variables();
  /// Takes them into `sum`, a line each.
  static std::string_view intoSum();

  std::string statement();

 private:
  std::string halves();
  std::string intrinsic();
  std::string unsignedValue(int depth = 2) { return write_.value(Kind::Unsigned, depth); }
  std::string intValue() { return write_.value(Kind::Int, 2); }
  std::string floatValue() { return write_.value(Kind::Float, 2); }

  Random& random_;
  ExpressionWriter& write_;
};

}  // namespace lanescope::cosim
