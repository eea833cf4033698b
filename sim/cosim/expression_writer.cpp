#include "sim/cosim/expression_writer.h"

#include <array>

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

std::string_view LanguageParts::atFileScope() {
  return "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n"
         R"(
__constant__ unsigned table@[8] = {3u, 1u, 4u, 1u, 5u, 9u, 2u, 6u};
__constant__ struct Weights@ { float scale; int offset; } weights@ = {0.5f, -7};
__device__ constexpr int factorial@(int n) { return n <= 1 ? 1 : n * factorial@(n - 1); }
struct Fraction@ {
  int top, bottom;
  static constexpr int kMost = 1000;
  __device__ Fraction@() : top(1), bottom(2) {}
  __device__ Fraction@(int t, int b) : top(t % kMost), bottom((b & 63) + 1) {}
  __device__ Fraction@ operator+(const Fraction@& other) const {
    return Fraction@(top * other.bottom + other.top * bottom, bottom + other.bottom);
  }
  __device__ Fraction@& operator+=(const Fraction@& other) {
    top = (top + other.top) % kMost;
    bottom = ((bottom ^ other.bottom) & 63) + 1;
    return *this;
  }
  __device__ friend bool operator<(const Fraction@& a, const Fraction@& b) { return a.top * b.bottom < b.top * a.bottom; }
  __device__ explicit operator float() const { return (float)top / (float)bottom; }
};
struct Shape@ {
  int size;
  __device__ explicit Shape@(int s) : size(s) {}
  __device__ virtual int area() const { return size; }
  __device__ int twice() const { return 2 * area(); }
};
struct Square@ : Shape@ {
  __device__ explicit Square@(int s) : Shape@(s) {}
  __device__ int area() const override { return size * size; }
};
struct Ring@ final : Square@ {
  int hole;
  __device__ Ring@(int s, int h) : Square@(s), hole(h) {}
  __device__ int area() const override { return Square@::area() - hole; }
};
struct Packed@ { unsigned low : 5; int middle : 7; unsigned high : 20; };
union Word@ { unsigned whole; unsigned short halves[2]; unsigned char bytes[4]; };
template <class T> struct Holder@ {
  T held;
  __device__ static T twice(T x) { return x + x; }
  template <class U> __device__ T with(U other) const { return held ^ (T)other; }
};
template <> struct Holder@<int> {
  int held;
  __device__ static int twice(int x) { return x / 2 - 1; }
};
template <class... T> __device__ unsigned total@(T... x) { return (7u + ... + (unsigned)x); }
__device__ unsigned sumOf@(unsigned a, unsigned b) { return a + b * 3u; }
__device__ unsigned lessOf@(unsigned a, unsigned b) { return a - (b >> 3); }
typedef unsigned (*Operation@)(unsigned, unsigned);
__device__ Operation@ operations@[2] = {sumOf@, lessOf@};
__device__ unsigned steps@(unsigned n) { return n < 2u ? n + 1u : steps@(n - 1u) + 3u * steps@(n - 2u); }
__device__ half small@(half x) { return __hmax(__hmin(x, __float2half(100.0f)), __float2half(-100.0f)); }
__device__ __nv_bfloat16 small@(__nv_bfloat16 x) {
  return __hmax(__hmin(x, __float2bfloat16(1000.0f)), __float2bfloat16(-1000.0f));
}
)";
}

std::string_view LanguageParts::variables() {
  return R"(Fraction@ fr(i0, i1);
Packed@ pk = {3u, -5, tid};
Word@ wd;
wd.whole = gid * 2654435761u;
half hf = __float2half_rn((float)(tid % 37u) * 0.3f), hg = __float2half(-2.5f);
half2 hh = __halves2half2(hg, hf);
__nv_bfloat16 bf = __float2bfloat16((float)tid * 1.7f);
)";
}

std::string_view LanguageParts::intoSum() {
  return R"(sum = sum * 31u + (unsigned)fr.top * 7u + (unsigned)fr.bottom;
sum = sum * 31u + pk.low + (unsigned)pk.middle * 3u + pk.high * 5u + wd.whole;
sum = sum * 31u + __half_as_ushort(hf) + __half_as_ushort(hg) * 3u + __bfloat16_as_ushort(bf) * 7u;
sum = sum * 31u + __half_as_ushort(__low2half(hh)) + __half_as_ushort(__high2half(hh)) * 5u;
)";
}

// Each random number is drawn in a statement of its own, as in the generator, or is the only one of its call.
std::string LanguageParts::statement() {
  switch (random_.below(22)) {
    case 0: {
      const std::string top = intValue();
      return fmt::format("fr += Fraction@({}, {});", top, intValue());
    }
    case 1: {
      const std::string top = intValue();
      return fmt::format("fr = fr + Fraction@({}, {}); if (fr < Fraction@(i0, i1)) u0 += 3u;", top,
                         intValue());
    }
    case 2: {
      const std::string size = unsignedValue();
      const std::string other = unsignedValue();
      return fmt::format(
          "{{ Square@ square((int)({} & 63u)); Ring@ ring((int)({} & 63u), 5); "
          "const Shape@* shape = {} ? (const Shape@*)&square : &ring; i0 = shape->area() + ring.twice(); }}",
          size, other, write_.condition(1));
    }
    case 3: {
      const std::string low = unsignedValue();
      const std::string middle = intValue();
      return fmt::format("pk.low = {}; pk.middle = {}; pk.high += {}; i1 ^= pk.middle;", low, middle,
                         unsignedValue());
    }
    case 4: {
      const std::string whole = unsignedValue();
      return fmt::format("wd.whole = {}; wd.bytes[{} & 3u] ^= 0x5a; u1 += wd.halves[1];", whole,
                         unsignedValue(1));
    }
    case 5:
    case 6:
    case 7: return halves();
    case 8: {
      const std::string by = unsignedValue();
      return fmt::format(
          "{{ const unsigned by = {}; auto f = [=](auto x) {{ return x * 3u + by; }}; u0 = f(u1) ^ f({}); }}",
          by, unsignedValue());
    }
    case 9:
      return fmt::format(
          "{{ unsigned kept = 1u; auto add = [&kept, tid](unsigned x) {{ kept = kept * 31u + x + tid; }}; "
          "add({}); "
          "add(u0); u1 = kept; }}",
          unsignedValue());
    case 10: {
      const std::string test = write_.condition(1);
      return fmt::format("{{ Operation@ op = {} ? &sumOf@ : &lessOf@; u0 = op(u1, {}); }}", test,
                         unsignedValue());
    }
    case 11: {
      const std::string which = unsignedValue(1);
      return fmt::format("u1 = operations@[{} & 1u](u0, {});", which, unsignedValue());
    }
    case 12: return fmt::format("for (unsigned& x : a) x = x * 5u + {};", unsignedValue());
    case 13: return "{ auto [top, bottom] = fr; i0 = top * 3 + bottom; }";
    case 14:
      return fmt::format(
          "switch (unsigned z = {}; z % 3u) {{ case 0: u0 += z; break; case 1: u1 ^= z; default: i1 = "
          "(int)(z >> 1); }}",
          unsignedValue());
    case 15: {
      const std::string second = intValue();
      return fmt::format("u0 += total@(u1, {}, (unsigned char)({}));", second, unsignedValue());
    }
    case 16: {
      const std::string first = unsignedValue();
      const std::string second = intValue();
      return fmt::format(
          "u1 ^= Holder@<unsigned>::twice({}) + (unsigned)Holder@<int>::twice({}); "
          "u0 = Holder@<unsigned>{{u1}}.with(l0);",
          first, second);
    }
    case 17: return intrinsic();
    case 18: {
      const unsigned of = 1 + random_.below(9);
      return fmt::format("u0 = steps@({} & 7u) + (unsigned)factorial@({});", unsignedValue(), of);
    }
    case 19:
      return fmt::format("u1 += table@[{} & 7u]; f0 = bound@(f0 * weights@.scale + (float)weights@.offset);",
                         unsignedValue());
    case 20:
      return fmt::format(
          "{{ Fraction@ list[3] = {{Fraction@(), Fraction@(i0, 2), fr}}; fr = list[{} % 3u]; "
          "f1 = bound@(f1 + (float)fr); }}",
          unsignedValue());
    default: {
      if (random_.chance(50)) {
        return fmt::format("{{ int* p = new int[3]{{1, 2, i0}}; i1 = p[{} % 3u]; delete[] p; }}",
                           unsignedValue());
      }
      return fmt::format("{{ float t = {}; unsigned raw; memcpy(&raw, &t, 4); u0 ^= raw; }}", floatValue());
    }
  }
}

std::string LanguageParts::halves() {
  const std::string given = floatValue();
  switch (random_.below(9)) {
    case 0: return fmt::format("hf = small@(hf * small@(__float2half({})));", given);
    case 1: return fmt::format("hg = small@(__hfma(hf, small@(__float2half_rn({})), hg));", given);
    case 2: return "hf = small@(hg / (__habs(hf) + __float2half(0.5f)));";
    case 3: return fmt::format("hg = small@(hg - small@(__float2half_rz({})));", given);
    case 4: return "hh = __hadd2(hh, __halves2half2(hf, hg)); hh = __hmul2(hh, __float2half2_rn(0.25f));";
    case 5:
      return fmt::format("if (hf < hg) f0 = bound@(__half2float(hf) + {}); else i0 = __half2int_rn(hg);",
                         given);
    case 6: return fmt::format("bf = small@(bf * small@(__float2bfloat16_rn({})));", given);
    case 7: return fmt::format("bf = small@(bf + small@(__float2bfloat16({})));", given);
    default: return "f1 = bound@(__bfloat162float(bf) * 0.5f + __low2float(hh)); hf = __hneg(hf);";
  }
}

std::string LanguageParts::intrinsic() {
  static constexpr std::array<std::string_view, 18> kOfTwo = {
      "__umulhi",  "__vadd4",    "__vsub2",      "__vaddus4",  "__vsubss2",    "__vavgu4",
      "__vmaxs2",  "__vminu4",   "__vabsdiffu4", "__vcmpgtu4", "__vsadu4",     "__vseteq4",
      "__vaddss2", "__vcmplts2", "__uhadd",      "__urhadd",   "__vabsdiffs2", "__vhaddu4"};
  static constexpr std::array<std::string_view, 6> kOfThree = {
      "__byte_perm", "__funnelshift_l", "__funnelshift_r", "__funnelshift_lc", "__dp4a", "__usad"};
  const std::string a = unsignedValue();
  const std::string b = unsignedValue();
  if (random_.chance(60)) return fmt::format("u0 = {}({}, {});", kOfTwo[random_.below(kOfTwo.size())], a, b);
  if (random_.chance(70))
    return fmt::format("u1 = {}({}, {}, u0);", kOfThree[random_.below(kOfThree.size())], a, b);
  return fmt::format(
      "i0 = __mulhi(i1, (int)({})) ^ __float2int_rz(bound@({})) ^ __double2int_rn(bound@(d0));", a,
      floatValue());
}

}  // namespace lanescope::cosim
