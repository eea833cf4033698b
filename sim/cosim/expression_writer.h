#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/random.h"

namespace lanescope::cosim {

enum class Kind : std::uint8_t { Int, Unsigned, Long, UnsignedLong, Short, UnsignedChar, Float, Double };

inline constexpr std::array<std::string_view, 8> kTypeNames = {
    "int", "unsigned", "long long", "unsigned long long", "short", "unsigned char", "float", "double"};

/// `i0`, `u1`: the kernel's variable number `which`, 0 or 1, of a kind.
std::string variable(Kind kind, unsigned which);

/// Writes random expressions over the variables of a random kernel: C++ defines what each gives.
class ExpressionWriter {
 public:
  /// `seed` names the kernel's helper functions.
  ExpressionWriter(Random& random, std::uint64_t seed) : random_(random), seed_(seed) {}

  /// An expression of that kind, at most that deep.
  std::string value(Kind kind, int depth);
  /// A condition in parentheses.
  std::string condition(int depth);
  Kind anyKind() { return static_cast<Kind>(random_.below(8)); }

 private:
  std::string leaf(Kind kind);
  std::string floatLiteral();
  std::string integerLiteral();
  std::string signedValue(std::string_view type, std::string_view wrapping, int depth);
  std::string unsignedValue(std::string_view type, Kind kind, unsigned width, int depth);
  std::string floatValue(int depth);
  std::string doubleValue(int depth);
  Kind integerKind() { return static_cast<Kind>(random_.below(6)); }

  Random& random_;
  std::uint64_t seed_;
};

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
