#include "sim/cosim/expression_writer.h"

#include <fmt/format.h>

namespace lanescope::cosim {

std::string variable(Kind kind, unsigned which) {
  static constexpr std::string_view kLetters = "iulwhcfd";
  return fmt::format("{}{}", kLetters[static_cast<std::size_t>(kind)], which);
}

std::string ExpressionWriter::value(Kind kind, int depth) {
  if (depth <= 0 || random_.chance(25)) return leaf(kind);
  switch (kind) {
    case Kind::Int: return signedValue("int", "unsigned", depth);
    case Kind::Long: return signedValue("long long", "unsigned long long", depth);
    case Kind::Unsigned: return unsignedValue("unsigned", Kind::Unsigned, 31, depth);
    case Kind::UnsignedLong: return unsignedValue("unsigned long long", Kind::UnsignedLong, 63, depth);
    case Kind::Short: return fmt::format("(short)({})", value(Kind::Int, depth - 1));
    case Kind::UnsignedChar: return fmt::format("(unsigned char)({})", value(Kind::Unsigned, depth - 1));
    case Kind::Float: return floatValue(depth);
    case Kind::Double: return doubleValue(depth);
  }
  return "0";
}

std::string ExpressionWriter::leaf(Kind kind) {
  const bool isFloating = kind >= Kind::Float;
  if (random_.chance(60)) return variable(kind, random_.below(2));
  if (random_.chance(30)) {
    return fmt::format("({})({})", kTypeNames[static_cast<std::size_t>(kind)],
                       isFloating ? floatLiteral() : integerLiteral());
  }
  static constexpr std::array<std::string_view, 6> kUnsigned = {"tid",        "gid", "a[tid & 3u]",
                                                                "blockDim.x", "r.a", "threadIdx.x"};
  if (isFloating)
    return fmt::format("({})({})", kTypeNames[static_cast<std::size_t>(kind)],
                       random_.chance(50) ? "q.y" : "r.c");
  const std::string_view from =
      random_.chance(15) ? "grid2[tid & 1u][tid % 3u]" : kUnsigned[random_.below(kUnsigned.size())];
  return fmt::format("({})({})", kTypeNames[static_cast<std::size_t>(kind)], from);
}

std::string ExpressionWriter::floatLiteral() {
  const auto thousandths = 125 * random_.below(8);
  return fmt::format("{}.{}f", random_.below(100), thousandths);
}

std::string ExpressionWriter::integerLiteral() {
  return fmt::format("{}u", random_.below(2) == 0 ? random_.below(50) : random_.next() & 0xffffffffu);
}

/// Signed arithmetic goes by way of the unsigned type, which wraps.
std::string ExpressionWriter::signedValue(std::string_view type, std::string_view wrapping, int depth) {
  const Kind kind = type == "int" ? Kind::Int : Kind::Long;
  const std::string a = value(kind, depth - 1);
  const std::string b = value(kind, depth - 1);
  const unsigned width = kind == Kind::Int ? 31 : 63;
  switch (random_.below(12)) {
    case 0: return fmt::format("({0})(({1})({2}) + ({1})({3}))", type, wrapping, a, b);
    case 1: return fmt::format("({0})(({1})({2}) - ({1})({3}))", type, wrapping, a, b);
    case 2: return fmt::format("({0})(({1})({2}) * ({1})({3}))", type, wrapping, a, b);
    case 3: return fmt::format("(({}) / ((({}) & 1023) + 1))", a, b);
    case 4: return fmt::format("(({}) % ((({}) & 4095) + 3))", a, b);
    case 5: return fmt::format("(({}) >> (({}) & {}))", a, b, width);
    case 6: return fmt::format("(({}) & ({}) | ~({}))", a, b, a);
    case 7: return fmt::format("min({}, {})", a, b);
    case 8: return fmt::format("max({}, {})", a, b);
    case 9: return fmt::format("({} ? {} : {})", condition(depth - 1), a, b);
    case 10:
      if (kind == Kind::Int) return fmt::format("mix{}({}, {})", seed_, a, b);
      return fmt::format("({})({})", type, value(integerKind(), depth - 1));
    default: return fmt::format("({} / {})", a, 1u << (1 + random_.below(10)));
  }
}

std::string ExpressionWriter::unsignedValue(std::string_view type, Kind kind, unsigned width, int depth) {
  const std::string a = value(kind, depth - 1);
  const std::string b = value(kind, depth - 1);
  const std::string_view ll = kind == Kind::UnsignedLong ? "ll" : "";
  switch (random_.below(16)) {
    case 0: return fmt::format("({} + {})", a, b);
    case 1: return fmt::format("({} - {})", a, b);
    case 2: return fmt::format("({} * {})", a, b);
    case 3: return fmt::format("({} / ({} | 1u))", a, b);
    case 4: return fmt::format("({} % ({} | 1u))", a, b);
    case 5: return fmt::format("({} << ({} & {}u))", a, b, width);
    case 6: return fmt::format("({} >> ({} & {}u))", a, b, width);
    case 7: return fmt::format("(({} ^ {}) & ~({}))", a, b, a);
    case 8: return fmt::format("({})__popc{}({})", type, ll, a);
    case 9: return fmt::format("({})__clz{}({})", type, ll, a);
    case 10: return fmt::format("__brev{}({})", ll, a);
    case 11: return fmt::format("({})__ffs{}({})", type, ll, a);
    case 12: return fmt::format("pick{}<{}>({}, {}, {})", seed_, type, a, b, condition(depth - 1));
    case 13:
      if (kind == Kind::Unsigned) return fmt::format("mix{}({}, {})", seed_, a, b);
      return fmt::format("({})({})", type, value(integerKind(), depth - 1));
    case 14:
      if (kind == Kind::Unsigned) return fmt::format("rotated{}<{}>({})", seed_, 1 + random_.below(31), a);
      return fmt::format("max({}, {})", a, b);
    default: return fmt::format("({})({})", type, value(integerKind(), depth - 1));
  }
}
std::string ExpressionWriter::floatValue(int depth) {
  const std::string a = value(Kind::Float, depth - 1);
  const std::string b = value(Kind::Float, depth - 1);
  switch (random_.below(11)) {
    case 0: return fmt::format("bound{}({} + {})", seed_, a, b);
    case 1: return fmt::format("bound{}({} - {})", seed_, a, b);
    case 2: return fmt::format("bound{}({} * {})", seed_, a, b);
    case 3: return fmt::format("({} / (fabsf({}) + 0.5f))", a, b);
    case 4: return fmt::format("fminf({}, {})", a, b);
    case 5: return fmt::format("sqrtf(fabsf({}))", a);
    case 6: return fmt::format("bound{}(__fmaf_rn({}, {}, 1.25f))", seed_, a, b);
    case 7: return fmt::format("(float)({})", value(integerKind(), depth - 1));
    case 8: return fmt::format("floorf({})", a);
    case 9: return fmt::format("({} ? {} : -({}))", condition(depth - 1), a, b);
    default: return fmt::format("bound{}((float)({}))", seed_, value(Kind::Double, depth - 1));
  }
}

std::string ExpressionWriter::doubleValue(int depth) {
  const std::string a = value(Kind::Double, depth - 1);
  const std::string b = value(Kind::Double, depth - 1);
  switch (random_.below(8)) {
    case 0: return fmt::format("bound{}({} + {})", seed_, a, b);
    case 1: return fmt::format("bound{}({} * {})", seed_, a, b);
    case 2: return fmt::format("({} / (fabs({}) + 0.25))", a, b);
    case 3: return fmt::format("fmax({}, {})", a, b);
    case 4: return fmt::format("sqrt(fabs({}))", a);
    case 5: return fmt::format("bound{}(fma({}, {}, -0.5))", seed_, a, b);
    case 6: return fmt::format("(double)({})", value(integerKind(), depth - 1));
    default: return fmt::format("(double)({})", value(Kind::Float, depth - 1));
  }
}

std::string ExpressionWriter::condition(int depth) {
  static constexpr std::array<std::string_view, 6> kSigns = {"<", "<=", ">", ">=", "==", "!="};
  const Kind kind = anyKind();
  const std::string a = value(kind, depth - 1);
  const std::string b = value(kind, depth - 1);
  const std::string simple = fmt::format("{} {} {}", a, kSigns[random_.below(kSigns.size())], b);
  if (depth <= 0 || random_.chance(60)) return fmt::format("({})", simple);
  if (random_.chance(30)) {
    const auto bit = random_.below(2);
    return fmt::format("((tid & {}u) == {}u)", 1 + random_.below(7), bit);
  }
  const std::string other = condition(depth - 1);
  return fmt::format("({} {} {})", simple, random_.chance(50) ? "&&" : "||", other);
}

}  // namespace lanescope::cosim
