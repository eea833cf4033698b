#pragma once

#include "sim/machine/run/fused_lanes.h"
#include "sim/machine/run/warp_runner.h"

/// Exchanges between the lanes of a warp, WarpRunner's shuffles and votes; and operations done lane by lane.
namespace lanescope {

template <class Hooks>
template <class T>
inline void WarpRunner<Hooks>::vote(const WarpState& warp, const Instruction& i) {
  if (warp.active == 0) return;
  const ExchangeShape shape = ExchangeShape::of(i.imm);
  const auto op = static_cast<typed::VoteOp>(shape.kind);
  std::array<std::uint32_t, kMaxLanes> result{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if ((warp.active >> lane & 1u) == 0) continue;
    const std::uint32_t mask =
        op == typed::VoteOp::ActiveMask ? warp.active : warp.lanes<LaneU32>(i.d)[lane] & warp.active;
    result[lane] = computeVote<T>(op, shape.isSigned, mask, warp.lanes<T>(i.a), lane);
  }
  notifyObserver(StepKind::Vote, warp, i);  // before the result, which may replace the operand
  std::memcpy(warp.lanes<LaneU32>(i.dst), result.data(), sizeof result);
}

template <class Hooks>
template <class T>
inline std::uint32_t WarpRunner<Hooks>::computeVote(typed::VoteOp op, bool isSigned, std::uint32_t mask,
                                                    const T* values, unsigned own) {
  using typed::VoteOp;
  if (op == VoteOp::ActiveMask) return mask;
  std::uint32_t holding = 0;
  bool isFirst = true;
  std::uint32_t total = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const auto value = static_cast<std::uint32_t>(values[lane]);
    const bool matches = op == VoteOp::MatchAny || op == VoteOp::MatchAll;
    if (matches ? values[lane] == values[own] : value != 0) holding |= 1u << lane;
    total = std::exchange(isFirst, false) ? value : lane::reduced(op, isSigned, total, value);
  }
  if (op == VoteOp::Any) return holding != 0 ? 1 : 0;
  if (op == VoteOp::All) return holding == mask ? 1 : 0;
  if (op == VoteOp::MatchAll) return holding == mask ? mask : 0;
  return op == VoteOp::Ballot || op == VoteOp::MatchAny ? holding : total;
}

template <class Hooks>
template <class T>
inline void WarpRunner<Hooks>::math(const WarpState& warp, const Instruction& i) {
  const auto op = static_cast<typed::MathOp>(i.imm);
  if (op == typed::MathOp::Fma) {
    lane::fusedMultiplyAdd(warp.lanes<T>(i.a), warp.lanes<T>(i.b), warp.lanes<T>(i.c), warp.lanes<T>(i.dst));
    return;
  }
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const T a = warp.lanes<T>(i.a)[lane];
    if (typed::isTest(op)) {
      warp.lanes<LaneU32>(i.dst)[lane] = lane::test(op, a);
    } else {
      warp.lanes<T>(i.dst)[lane] = lane::math<T>(op, a, warp.lanes<T>(i.b)[lane], warp.lanes<T>(i.c)[lane]);
    }
  }
}

template <class Hooks>
template <class T>
inline void WarpRunner<Hooks>::bits(const WarpState& warp, const Instruction& i) {
  const auto op = static_cast<typed::BitOp>(i.imm);
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const T value = lane::bits<T>(op, warp.lanes<T>(i.a)[lane]);
    if (op == typed::BitOp::Reverse) {
      warp.lanes<T>(i.dst)[lane] = value;
    } else {
      warp.lanes<LaneU32>(i.dst)[lane] = static_cast<std::uint32_t>(value);
    }
  }
}

template <class Hooks>
inline std::optional<std::string> WarpRunner<Hooks>::textAt(const WarpState& warp, const Instruction& i,
                                                            std::size_t lane, std::uint64_t address) {
  constexpr std::size_t kMostCharacters = 4096;
  if (address == 0) return "(null)";
  std::string text;
  while (text.size() < kMostCharacters) {
    const std::uint64_t at = address + text.size();
    const std::byte* byte = nullptr;
    if (isLocal(at)) {
      byte = localByte(warp, i, lane, at, 1, false);
    } else {
      const Region region = findRegion(at);
      const std::uint64_t offset = at & kOffsetMask;
      if (offset >= region.begin && offset < region.end) {
        byte = region.bytes + offset;
      } else {
        failAt(Fault::Kind::OutOfBounds, warp, i, lane, at, 1, false);
      }
    }
    if (byte == nullptr) return std::nullopt;
    if (*byte == std::byte{0}) break;
    text += static_cast<char>(*byte);
  }
  return text;
}

template <class Hooks>
inline bool WarpRunner<Hooks>::print(const WarpState& warp, const Instruction& i) {
  const typed::PrintFormat& format = code_.formats[static_cast<std::size_t>(i.imm)];
  for (std::uint32_t rest = warp.active; rest != 0 && printed_.size() < kMaxPrinted; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    Printed line{block_, warp.index * machine_.warpSize + lane, i.site, turn_, format.texts[0]};
    std::vector<std::int64_t> widths;
    for (std::size_t v = 0; v < format.conversions.size(); ++v) {
      const auto reg = static_cast<std::uint16_t>(i.a + 2 * v);
      const std::uint64_t bits = warp.lanes<LaneU64>(reg)[lane];
      if (format.conversions[v] == "*") {
        widths.push_back(static_cast<std::int32_t>(bits));
        line.text += format.texts[v + 1];
        continue;
      }
      const std::string conversion = withWidths(format.conversions[v], widths);
      widths.clear();
      if (conversion.back() != 's') {
        line.text += formatPrinted(conversion, *format.types[v], bits);
      } else if (!format.types[v]->isPointer()) {
        line.text += formatPrintedText(conversion, format.strings[bits]);
      } else {
        const auto text = textAt(warp, i, lane, bits);
        if (!text) return false;
        line.text += formatPrintedText(conversion, *text);
      }
      line.text += format.texts[v + 1];
    }
    printed_.push_back(std::move(line));
  }
  notifyObserver(StepKind::Print, warp, i);
  return true;
}

template <class Hooks>
template <class T>
inline bool WarpRunner<Hooks>::shuffle(const WarpState& warp, const Instruction& i) {
  if (warp.active == 0) return true;
  const T* value = warp.lanes<T>(i.a);
  const LaneU32* operand = warp.lanes<LaneU32>(i.b);
  const LaneU32* width = warp.lanes<LaneU32>(i.c);
  const auto kind = static_cast<typed::ShuffleKind>(ExchangeShape::of(i.imm).kind);
  std::array<T, kMaxLanes> result;
  std::array<std::int8_t, kMaxLanes> sources;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    unsigned source = lane;
    if (lane < machine_.warpSize && (warp.active >> lane & 1u) != 0) {
      if (!std::has_single_bit(width[lane]) || width[lane] > kMaxLanes)
        return failAt(Fault::Kind::ShuffleWidth, warp, i, lane, width[lane]);
      source = lane::shuffleSource(kind, lane, operand[lane], width[lane], machine_.warpSize);
    }
    // An inactive lane's value is undefined; here a lane then keeps its own value.
    if ((warp.active >> source & 1u) == 0) source = lane;
    sources[lane] = static_cast<std::int8_t>(source);
    result[lane] = value[source];
  }
  std::memcpy(warp.lanes<T>(i.dst), result.data(), sizeof result);
  tell(warp, i, {.kind = StepKind::Shuffle, .active = warp.active, .sources = sources.data()});
  return true;
}

}  // namespace lanescope
