#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/machine/run/lane_rules.h"

namespace lanescope::lane {
namespace {

using Words = std::array<std::uint32_t, 5>;

constexpr std::uint32_t kWeyl = 362437;  ///< the increment of d

Words next(const Words& v) {
  const std::uint32_t t = v[0] ^ (v[0] >> 2);
  return {v[1], v[2], v[3], v[4], v[4] ^ (v[4] << 4) ^ t ^ (t << 1)};
}

/// A step is linear: a state's image is the XOR of its bits' images.
class Steps {
 public:
  explicit Steps(Words (*step)(const Words&)) {
    for (std::size_t bit = 0; bit < kBits; ++bit) ofBit_[bit] = step(unit(bit));
  }
  /// Twice as many.
  static Steps twice(const Steps& steps) {
    Steps result(steps);
    for (Words& words : result.ofBit_) words = steps(words);
    return result;
  }

  Words operator()(const Words& v) const {
    Words sum{};
    for (std::size_t word = 0; word < v.size(); ++word) {
      for (std::uint32_t rest = v[word]; rest != 0; rest &= rest - 1) {
        const Words& added = ofBit_[32 * word + static_cast<std::size_t>(std::countr_zero(rest))];
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] ^= added[i];
      }
    }
    return sum;
  }

 private:
  static constexpr std::size_t kBits = 160;
  static Words unit(std::size_t bit) {
    Words words{};
    words[bit / 32] = 1u << bit % 32;
    return words;
  }
  std::array<Words, kBits> ofBit_;
};

/// 2^i steps.
const Steps& powerOfTwo(std::size_t i) {
  static constexpr std::size_t kPowers = 67 + 64;
  static const std::vector<Steps> kSteps = [] {
    std::vector<Steps> steps;
    steps.reserve(kPowers);
    steps.emplace_back(next);
    while (steps.size() < kPowers) steps.push_back(Steps::twice(steps.back()));
    return steps;
  }();
  return kSteps[i];
}

/// `times` * 2^power steps.
Words advanced(Words v, std::uint64_t times, std::size_t power) {
  for (std::uint64_t rest = times; rest != 0; rest &= rest - 1)
    v = powerOfTwo(power + static_cast<std::size_t>(std::countr_zero(rest)))(v);
  return v;
}

constexpr std::size_t kSequence = 67;  ///< two sequences are 2^67 steps apart

struct State {
  std::uint64_t seed = 0;
  std::uint64_t sequence = 0;
  std::uint64_t offset = 0;
  Words v{};
  std::uint32_t d = 0;
  bool isKnown = false;

  bool matchesName(std::uint64_t otherSeed, std::uint64_t otherSequence, std::uint64_t otherOffset) const {
    return isKnown && seed == otherSeed && sequence == otherSequence && offset == otherOffset;
  }
};

/// The state that curand_init makes of the seed.
State scrambled(std::uint64_t seed) {
  const std::uint32_t low = 1099087573u * (static_cast<std::uint32_t>(seed) ^ 0xaad26b49u);
  const std::uint32_t high = 2591861531u * (static_cast<std::uint32_t>(seed >> 32) ^ 0xf7dcefddu);
  State state;
  state.seed = seed;
  state.v = {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low};
  state.d = 6615241u + high + low;
  return state;
}

/// Threads mostly ask for consecutive sequences of one seed, six words of each. The latest states are kept,
/// and the next sequence is one jump from the previous one.
const State& findState(std::uint64_t seed, std::uint64_t sequence, std::uint64_t offset) {
  static thread_local std::array<State, 64> kept;
  State& state = kept[sequence % kept.size()];
  if (state.matchesName(seed, sequence, offset)) return state;
  const State& before = kept[(sequence - 1) % kept.size()];
  if (sequence > 0 && before.matchesName(seed, sequence - 1, offset)) {
    state = before;
    state.v = powerOfTwo(kSequence)(state.v);
  } else {
    state = scrambled(seed);
    state.v = advanced(advanced(state.v, sequence, kSequence), offset, 0);
    state.d += kWeyl * static_cast<std::uint32_t>(offset);
  }
  state.sequence = sequence;
  state.offset = offset;
  state.isKnown = true;
  return state;
}

}  // namespace

std::uint32_t xorwowWord(std::uint64_t seed, std::uint64_t sequence, std::uint64_t offset, std::size_t word) {
  const State& state = findState(seed, sequence, offset);
  return word < state.v.size() ? state.v[word] : state.d;
}

std::uint32_t xorwowAdvanced(std::uint64_t words, std::uint64_t times, std::uint64_t place) {
  Words v{};
  const auto first = static_cast<std::size_t>(std::min<std::uint64_t>(place >> 16, v.size() - 1));
  v[first] = static_cast<std::uint32_t>(words);
  if (first + 1 < v.size()) v[first + 1] = static_cast<std::uint32_t>(words >> 32);
  const std::size_t power = std::min<std::size_t>(place & 0xff, kSequence);
  return advanced(v, times, power)[std::min<std::size_t>(place >> 8 & 0xff, v.size() - 1)];
}

}  // namespace lanescope::lane

namespace lanescope {
namespace {

/// The value of a type as a register holds it: narrow integers are extended to 32 bits.
template <Type::Kind kKind>
struct LaneValue;
#define LANE_VALUE(kind, Value, Register) \
  template <>                             \
  struct LaneValue<Type::Kind::kind> {    \
    using Held = Value;                   \
    using Lane = Register;                \
  };
LANE_VALUE(Bool, bool, LaneU32)
LANE_VALUE(I8, std::int8_t, LaneI32)
LANE_VALUE(U8, std::uint8_t, LaneU32)
LANE_VALUE(I16, std::int16_t, LaneI32)
LANE_VALUE(U16, std::uint16_t, LaneU32)
LANE_VALUE(I32, std::int32_t, LaneI32)
LANE_VALUE(U32, std::uint32_t, LaneU32)
LANE_VALUE(I64, std::int64_t, LaneI64)
LANE_VALUE(U64, std::uint64_t, LaneU64)
LANE_VALUE(F32, float, LaneF32)
LANE_VALUE(F64, double, LaneF64)
LANE_VALUE(F16, Half, LaneU32)
LANE_VALUE(BF16, BFloat16, LaneU32)
#undef LANE_VALUE

template <Type::Kind kKind>
typename LaneValue<kKind>::Held held(const WarpState& warp, std::uint16_t reg, unsigned lane) {
  using Here = LaneValue<kKind>;
  return lane::fromRegister<typename Here::Held>(warp.lanes<typename Here::Lane>(reg)[lane]);
}

template <Type::Kind kTo, class Rule>
void inActiveLanes(const WarpState& warp, const Instruction& i, Rule rule) {
  using There = LaneValue<kTo>;
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const auto value = static_cast<typename There::Held>(rule(lane));
    warp.lanes<typename There::Lane>(i.dst)[lane] = lane::toRegister<typename There::Lane>(value);
  }
}

}  // namespace

// clang-format off
#define OPERAND(From, reg) held<Type::Kind::From>(warp, i.reg, lane)
#define CALL(To, ...)                                             \
  [](const WarpState& warp, const Instruction& i) {               \
    inActiveLanes<Type::Kind::To>(warp, i, [&](unsigned lane) { __VA_ARGS__ }); \
  },
#define OF1(name, To, A, ...) CALL(To, \
  const auto a = OPERAND(A, a); return __VA_ARGS__;)
#define OF2(name, To, A, B, ...) CALL(To, \
  const auto a = OPERAND(A, a); const auto b = OPERAND(B, b); return __VA_ARGS__;)
#define OF3(name, To, A, B, C, ...) CALL(To, \
  const auto a = OPERAND(A, a); const auto b = OPERAND(B, b); const auto c = OPERAND(C, c); return __VA_ARGS__;)
// clang-format on
const std::array<LaneCall, kLaneFunctions.size()> kLaneCalls = {
#include "sim/language/check/lane_functions.def"
};
#undef CALL
#undef OPERAND

}  // namespace lanescope
