#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

/// C++'s arithmetic types on a 64-bit machine, and which values an expression of one can have.
namespace lanescope::random_programs {

enum class Type : std::uint8_t {
  Bool,
  Char,
  SignedChar,
  UnsignedChar,
  Short,
  UnsignedShort,
  Int,
  Unsigned,
  Long,
  UnsignedLong,
  LongLong,
  UnsignedLongLong,
  Float,
  Double
};

struct TypeFacts {
  std::string_view name;
  int bits;
  bool isSigned;
  int rank;  ///< [conv.rank] 6.8.5
};

inline constexpr std::array<TypeFacts, 14> kTypes = {{{"bool", 1, false, 0},
                                                      {"char", 8, true, 1},
                                                      {"signed char", 8, true, 1},
                                                      {"unsigned char", 8, false, 1},
                                                      {"short", 16, true, 2},
                                                      {"unsigned short", 16, false, 2},
                                                      {"int", 32, true, 3},
                                                      {"unsigned", 32, false, 3},
                                                      {"long", 64, true, 4},
                                                      {"unsigned long", 64, false, 4},
                                                      {"long long", 64, true, 5},
                                                      {"unsigned long long", 64, false, 5},
                                                      {"float", 32, true, 6},
                                                      {"double", 64, true, 7}}};

inline const TypeFacts& facts(Type type) { return kTypes[static_cast<std::size_t>(type)]; }
inline bool isFloating(Type type) { return type >= Type::Float; }
inline bool isNarrow(Type type) { return facts(type).bits < 32; }

/// [conv.prom] 7.3.7
inline Type promoted(Type type) { return isNarrow(type) ? Type::Int : type; }

/// The usual arithmetic conversions, [expr.arith.conv] 7.4
inline Type common(Type a, Type b) {
  if (isFloating(a) || isFloating(b)) return a > b ? a : b;
  a = promoted(a);
  b = promoted(b);
  if (facts(a).rank < facts(b).rank) std::swap(a, b);
  if (facts(a).isSigned && !facts(b).isSigned && facts(a).bits == facts(b).bits)
    return static_cast<Type>(static_cast<int>(a) + 1);
  return facts(a).rank == facts(b).rank && !facts(b).isSigned ? b : a;
}

/// The least and the greatest value that an expression may have; not narrower than the truth.
struct Range {
  double low = 0;
  double high = 0;

  double size() const { return std::max(std::fabs(low), std::fabs(high)); }
  bool holds(Range inner) const { return low <= inner.low && inner.high <= high; }
  bool holdsZero() const { return low <= 0 && high >= 0; }
};

/// All values of an integer type. A double does not have those of 64 bits exactly.
inline Range wholeRange(Type type) {
  if (type == Type::Bool) return {0, 1};
  const double power = std::ldexp(1.0, facts(type).bits - (facts(type).isSigned ? 1 : 0));
  return {facts(type).isSigned ? -power : 0, power - 1};
}

/// True if every value of the range is one of the type, with room for rounding; of a floating type if none is
/// large.
inline bool holds(Type type, Range range) {
  if (isFloating(type)) return range.size() <= 1e9;
  Range all = wholeRange(type);
  if (facts(type).bits == 64) all = {all.low / 2, all.high / 2};
  return all.holds(range);
}

/// The values after a conversion: integers wrap. From a floating type the range must fit.
inline Range converted(Range range, Type to) {
  if (to == Type::Bool) return {0, 1};
  if (isFloating(to)) return range;
  const Range cut{std::floor(range.low), std::ceil(range.high)};
  return holds(to, cut) ? cut : wholeRange(to);
}

}  // namespace lanescope::random_programs
