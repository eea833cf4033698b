#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>
#include <utility>

#include "sim/memory/small_float.h"
#include "sim/sass/machine_warp.h"

/// Instructions on floating values.
namespace lanescope {
namespace real_code {
namespace {

using Operation = MachineOperation;
using M = Modifier;

float toFloat(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t computeBits(float value) { return std::bit_cast<std::uint32_t>(value); }
double toDouble(std::uint64_t bits) { return std::bit_cast<double>(bits); }
std::uint64_t computeBits(double value) { return std::bit_cast<std::uint64_t>(value); }

float flushed(const Operation& operation, float value) {
  return operation.has(M::kFTZ) && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value)
                                                                          : value;
}

template <class F>
void eachFloat(MachineWarp& warp, const Operation& operation, std::uint32_t mask, F f) {
  std::array<LaneWords, 3> rooms{};
  std::array<const LaneWords*, 3> values{&rooms[0], &rooms[1], &rooms[2]};
  for (std::size_t i = 0; i < std::min<std::size_t>(3, operation.sources.size()); ++i)
    values[i] = &warp.real(operation.sources[i], rooms[i]);
  LaneWords results{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const auto in = [&](std::size_t i) { return flushed(operation, toFloat((*values[i])[lane])); };
    float result = flushed(operation, f(in(0), in(1), in(2)));
    if (operation.has(M::kSAT)) result = std::isnan(result) ? 0.0F : std::clamp(result, 0.0F, 1.0F);
    results[lane] = computeBits(result);
  }
  warp.set(*operation.destination, results, mask);
}

template <class F>
void eachDouble(MachineWarp& warp, const Operation& operation, std::uint32_t mask, F f) {
  std::array<LaneWide, 3> values{};
  for (std::size_t i = 0; i < std::min<std::size_t>(3, operation.sources.size()); ++i)
    values[i] = warp.wideReal(operation.sources[i]);
  LaneWide results{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane)
    results[lane] =
        computeBits(f(toDouble(values[0][lane]), toDouble(values[1][lane]), toDouble(values[2][lane])));
  warp.setWide(*operation.destination, results, mask);
}

void addFloats(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  eachFloat(warp, operation, mask, [](float a, float b, float) { return a + b; });
}
void multiplyFloats(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  eachFloat(warp, operation, mask, [](float a, float b, float) { return a * b; });
}
void fuseFloats(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  eachFloat(warp, operation, mask, [](float a, float b, float c) { return std::fma(a, b, c); });
}
void addDoubles(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  eachDouble(warp, operation, mask, [](double a, double b, double) { return a + b; });
}
void multiplyDoubles(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  eachDouble(warp, operation, mask, [](double a, double b, double) { return a * b; });
}
void fuseDoubles(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  eachDouble(warp, operation, mask, [](double a, double b, double c) { return std::fma(a, b, c); });
}

/// The least if the condition holds, else the most; the number if the other operand is not a number.
void extremeFloat(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  const std::uint32_t least = operation.conditions.empty() ? ~0u : warp.lanes(operation.conditions[0]);
  std::array<LaneWords, 2> rooms;
  const LaneWords& a = warp.real(operation.source(0), rooms[0]);
  const LaneWords& b = warp.real(operation.source(1), rooms[1]);
  LaneWords results{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const float x = flushed(operation, toFloat(a[lane]));
    const float y = flushed(operation, toFloat(b[lane]));
    results[lane] = computeBits((least >> lane & 1u) != 0 ? std::fmin(x, y) : std::fmax(x, y));
  }
  warp.set(*operation.destination, results, mask);
}

bool compares(const Operation& operation, double a, double b) {
  const bool isUnordered = std::isnan(a) || std::isnan(b);
  if (operation.has(M::kNUM)) return !isUnordered;
  if (operation.has(M::kNAN)) return isUnordered;
  if (operation.has(M::kLT)) return a < b;
  if (operation.has(M::kLE)) return a <= b;
  if (operation.has(M::kGT)) return a > b;
  if (operation.has(M::kGE)) return a >= b;
  if (operation.has(M::kEQ)) return a == b;
  if (operation.has(M::kNE)) return !isUnordered && a != b;
  if (operation.has(M::kLTU)) return !(a >= b);
  if (operation.has(M::kLEU)) return !(a > b);
  if (operation.has(M::kGTU)) return !(a <= b);
  if (operation.has(M::kGEU)) return !(a < b);
  if (operation.has(M::kEQU)) return isUnordered || a == b;
  return a != b;  // NEU
}

void compareReal(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  std::uint32_t holds = 0;
  if (operation.name == "DSETP") {
    const LaneWide a = warp.wideReal(operation.source(0));
    const LaneWide b = warp.wideReal(operation.source(1));
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if (compares(operation, toDouble(a[lane]), toDouble(b[lane]))) holds |= 1u << lane;
    }
  } else {
    std::array<LaneWords, 2> rooms;
    const LaneWords& a = warp.real(operation.source(0), rooms[0]);
    const LaneWords& b = warp.real(operation.source(1), rooms[1]);
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if (compares(operation, flushed(operation, toFloat(a[lane])), flushed(operation, toFloat(b[lane]))))
        holds |= 1u << lane;
    }
  }
  combinePredicates(warp, operation, holds, mask);
}

/// True if a quotient needs the slow path: operands or result near the ends of the range.
void checkDivision(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  std::array<LaneWords, 2> rooms;
  const LaneWords& a = warp.real(operation.source(0), rooms[0]);
  const LaneWords& b = warp.real(operation.source(1), rooms[1]);
  std::uint32_t isSlow = 0;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const int top = static_cast<int>(a[lane] >> 23 & 0xffu);
    const int bottom = static_cast<int>(b[lane] >> 23 & 0xffu);
    // A zero takes it too, as counted on an H200.
    const bool isFast =
        bottom > 1 && bottom < 253 && top > 24 && top != 255 && top - bottom < 126 && top - bottom > -125;
    if (!isFast) isSlow |= 1u << lane;
  }
  warp.setPredicate(operation.results[0], isSlow, mask);
}

void transcendental(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  if (operation.has(M::kRCP64H) || operation.has(M::kRSQ64H)) {
    LaneWords room;
    const LaneWords& highs = warp.real(operation.source(0), room);
    LaneWords results{};
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      const double value = toDouble(std::uint64_t{highs[lane]} << 32);
      const double result = operation.has(M::kRCP64H) ? 1 / value : 1 / std::sqrt(value);
      results[lane] = static_cast<std::uint32_t>(computeBits(result) >> 32);
    }
    return warp.set(*operation.destination, results, mask);
  }
  constexpr double kTurn = 6.283185307179586;
  eachFloat(warp, operation, mask, [&](float a, float, float) {
    if (operation.has(M::kRCP)) return 1.0F / a;
    if (operation.has(M::kRSQ)) return 1.0F / std::sqrt(a);
    if (operation.has(M::kSQRT)) return std::sqrt(a);
    if (operation.has(M::kEX2)) return std::exp2(a);
    if (operation.has(M::kLG2)) return std::log2(a);
    if (operation.has(M::kSIN)) return static_cast<float>(std::sin(a * kTurn));
    if (operation.has(M::kCOS)) return static_cast<float>(std::cos(a * kTurn));
    if (!operation.has(M::kTANH)) warp.failed = true;
    return std::tanh(a);
  });
}

/// I2F, I2FP: the type of the result is F32 or F64, the other one the operand's.
void wholeToReal(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  const MachineOperand& source = operation.source(0);
  const bool isWideSource = operation.has(M::kS64) || operation.has(M::kU64);
  const bool isUnsigned =
      operation.has(M::kU32) || operation.has(M::kU64) || operation.has(M::kU8) || operation.has(M::kU16);
  LaneWide values{};
  if (isWideSource) {
    values = warp.wide(source);
  } else {
    LaneWords room;
    const LaneWords& words = warp.whole(source, room);
    const unsigned unused = operation.has(M::kU8) || operation.has(M::kS8)     ? 24
                            : operation.has(M::kU16) || operation.has(M::kS16) ? 16
                                                                               : 0;
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      const std::uint32_t moved = words[lane] << unused;
      values[lane] =
          isUnsigned ? moved >> unused
                     : static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(moved) >> unused});
    }
  }
  const auto real = [&](std::uint64_t value) {
    return isUnsigned ? static_cast<long double>(value)
                      : static_cast<long double>(static_cast<std::int64_t>(value));
  };
  if (operation.has(M::kF64)) {
    LaneWide results{};
    for (unsigned lane = 0; lane < kMaxLanes; ++lane)
      results[lane] = computeBits(static_cast<double>(real(values[lane])));
    return warp.setWide(*operation.destination, results, mask);
  }
  LaneWords results{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane)
    results[lane] = computeBits(static_cast<float>(real(values[lane])));
  warp.set(*operation.destination, results, mask);
}

double rounded(const Operation& operation, double value) {
  if (operation.has(M::kTRUNC)) return std::trunc(value);
  if (operation.has(M::kFLOOR)) return std::floor(value);
  if (operation.has(M::kCEIL)) return std::ceil(value);
  return std::nearbyint(value);
}

/// F2I, and FRND, which gives a floating-point value.
LaneWide realOperand(MachineWarp& warp, const Operation& operation) {
  if (operation.has(M::kF64)) return warp.wideReal(operation.source(0));
  LaneWords room;
  const LaneWords& words = warp.real(operation.source(0), room);
  LaneWide values{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane)
    values[lane] = computeBits(static_cast<double>(flushed(operation, toFloat(words[lane]))));
  return values;
}

void realToWhole(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  const LaneWide values = realOperand(warp, operation);
  const bool isWide = operation.has(M::kS64) || operation.has(M::kU64);
  const bool isUnsigned = operation.has(M::kU32) || operation.has(M::kU64);
  LaneWide results{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const double value = rounded(operation, toDouble(values[lane]));
    const double least = isUnsigned ? 0 : -std::ldexp(1.0, isWide ? 63 : 31);
    const double most = std::ldexp(1.0, (isWide ? 64 : 32) - (isUnsigned ? 0 : 1));
    std::uint64_t result = 0;
    if (std::isnan(value)) {
      result = isWide ? std::uint64_t{1} << 63 : 0;
    } else if (value >= most) {
      result = isUnsigned ? ~std::uint64_t{0} : isWide ? ~std::uint64_t{0} >> 1 : 0x7fffffffu;
    } else if (value <= least) {
      result = isUnsigned ? 0 : static_cast<std::uint64_t>(static_cast<std::int64_t>(least));
    } else {
      result = isUnsigned ? static_cast<std::uint64_t>(value)
                          : static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    }
    results[lane] = result;
  }
  if (isWide) return warp.setWide(*operation.destination, results, mask);
  LaneWords words{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) words[lane] = static_cast<std::uint32_t>(results[lane]);
  warp.set(*operation.destination, words, mask);
}

void roundReal(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  const LaneWide values = realOperand(warp, operation);
  LaneWide results{};
  LaneWords words{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const double value = rounded(operation, toDouble(values[lane]));
    results[lane] = computeBits(value);
    words[lane] = computeBits(static_cast<float>(value));
  }
  if (operation.has(M::kF64)) return warp.setWide(*operation.destination, results, mask);
  warp.set(*operation.destination, words, mask);
}

/// F2F between 32 and 64 bits: F2F.F64.F32 widens, F2F.F32.F64 narrows.
void realToReal(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  if (!operation.has(M::kF32) || !operation.has(M::kF64)) {
    warp.failed = true;
    return;
  }
  if (operation.isWidening) {
    LaneWords room;
    const LaneWords& words = warp.real(operation.source(0), room);
    LaneWide results{};
    for (unsigned lane = 0; lane < kMaxLanes; ++lane)
      results[lane] = computeBits(static_cast<double>(toFloat(words[lane])));
    return warp.setWide(*operation.destination, results, mask);
  }
  const LaneWide values = warp.wideReal(operation.source(0));
  LaneWords results{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane)
    results[lane] = computeBits(static_cast<float>(toDouble(values[lane])));
  warp.set(*operation.destination, results, mask);
}

/// Two values of 16 bits: the operand's, or two numbers, the high one first. `source` is then behind them.
std::pair<LaneWords, LaneWords> readHalves(MachineWarp& warp, const Operation& operation,
                                           std::size_t& source) {
  const auto wide = [&](std::uint32_t half) {
    const auto real =
        operation.isBrain ? SmallFloat<8>::ofBits(half).value() : SmallFloat<5>::ofBits(half).value();
    return computeBits(static_cast<float>(real));
  };
  LaneWords highs{};
  LaneWords lows{};
  const MachineOperand& operand = operation.source(source++);
  if (operand.kind == OperandKind::Real && source < operation.sources.size() &&
      operation.sources[source].kind == OperandKind::Real) {
    highs.fill(computeBits(static_cast<float>(operand.real)));
    lows.fill(computeBits(static_cast<float>(operation.sources[source++].real)));
    return {highs, lows};
  }
  LaneWords room;
  const LaneWords& words = warp.raw(operand, room);
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    std::uint32_t word = words[lane];
    if (operand.isAbsolute) word &= 0x7fff7fffu;
    if (operand.isNegative) word ^= 0x80008000u;
    highs[lane] = wide(word >> 16);
    lows[lane] = wide(word & 0xffffu);
  }
  return {highs, lows};
}

/// HADD2, HMUL2, HFMA2; with .F32 the low value alone, as a float.
void halves(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  std::size_t source = 0;
  const auto a = readHalves(warp, operation, source);
  const auto b = readHalves(warp, operation, source);
  std::pair<LaneWords, LaneWords> c{};
  if (operation.name == "HFMA2") c = readHalves(warp, operation, source);
  const auto computed = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    if (operation.name == "HADD2") return double{toFloat(x)} + double{toFloat(y)};
    return std::fma(double{toFloat(x)}, double{toFloat(y)}, double{toFloat(z)});
  };
  const auto narrow = [&](double value) -> std::uint32_t {
    return operation.isBrain ? SmallFloat<8>::rounded(value).bits : SmallFloat<5>::rounded(value).bits;
  };
  LaneWords results{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const double low = computed(a.second[lane], b.second[lane], c.second[lane]);
    const double high = computed(a.first[lane], b.first[lane], c.first[lane]);
    results[lane] =
        operation.has(M::kF32) ? computeBits(static_cast<float>(low)) : narrow(high) << 16 | narrow(low);
  }
  warp.set(*operation.destination, results, mask);
}

/// F2FP: two floats as two values of 16 bits, the first one high.
void packHalves(MachineWarp& warp, const Operation& operation, std::uint32_t mask) {
  std::array<LaneWords, 2> rooms;
  const LaneWords& high = warp.real(operation.source(0), rooms[0]);
  const LaneWords& low = warp.real(operation.source(1), rooms[1]);
  const auto narrow = [&](std::uint32_t bits) -> std::uint32_t {
    const double value = toFloat(bits);
    return operation.isBrain ? SmallFloat<8>::rounded(value).bits : SmallFloat<5>::rounded(value).bits;
  };
  LaneWords results{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane)
    results[lane] = narrow(high[lane]) << 16 | narrow(low[lane]);
  warp.set(*operation.destination, results, mask);
}

struct NamedAction {
  std::string_view name;
  MachineAction action;
};

constexpr auto kActions = std::to_array<NamedAction>(
    {{"FADD", addFloats},       {"FMUL", multiplyFloats}, {"FFMA", fuseFloats},     {"DADD", addDoubles},
     {"DMUL", multiplyDoubles}, {"DFMA", fuseDoubles},    {"FMNMX", extremeFloat},  {"FSETP", compareReal},
     {"DSETP", compareReal},    {"FCHK", checkDivision},  {"MUFU", transcendental}, {"I2F", wholeToReal},
     {"I2FP", wholeToReal},     {"F2I", realToWhole},     {"FRND", roundReal},      {"F2F", realToReal},
     {"HADD2", halves},         {"HMUL2", halves},        {"HFMA2", halves},        {"F2FP", packHalves}});

}  // namespace
}  // namespace real_code

MachineAction findRealAction(const MachineOperation& operation) {
  const auto found = std::ranges::find(real_code::kActions, operation.name, &real_code::NamedAction::name);
  return found == real_code::kActions.end() ? nullptr : found->action;
}

}  // namespace lanescope
