#pragma once

#include <algorithm>
#include <functional>

#include "sim/machine/run/lane_rules.h"
#include "sim/machine/run/warp_memory.h"
#include "sim/machine/run/warp_runner.h"

/// Calls of functions that can call themselves, on the warp's stack; and the device's heap.
namespace lanescope {

template <class Hooks>
inline void WarpRunner<Hooks>::push(const WarpState& warp, const Instruction& i) {
  const LaneU32* const from = warp.lanes<LaneU32>(i.a);
  std::vector<std::uint32_t>& saved = warp.stack->saved;
  saved.insert(saved.end(), from, from + static_cast<std::size_t>(i.imm) * kMaxLanes);
}

template <class Hooks>
inline void WarpRunner<Hooks>::pop(const WarpState& warp, const Instruction& i) {
  std::vector<std::uint32_t>& saved = warp.stack->saved;
  const std::size_t words = static_cast<std::size_t>(i.imm) * kMaxLanes;
  std::copy(saved.end() - static_cast<std::ptrdiff_t>(words), saved.end(), warp.lanes<LaneU32>(i.dst));
  saved.resize(saved.size() - words);
}

/// Makes room for one more call; false and fault_ set past the bound.
template <class Hooks>
inline bool WarpRunner<Hooks>::enterCall(WarpState& warp, const Instruction& i) {
  CallStack& stack = *warp.stack;
  const std::size_t calls = stack.returns.size() + 1;
  const std::size_t bytes = calls * (sizeof(ReturnPoint) + code_.frameBytes) +
                            stack.saved.size() / kMaxLanes * sizeof(std::uint32_t);
  const std::size_t frameLocals = code_.locals.size() - code_.firstFrameLocal;
  if (bytes > kMaxStackBytes || code_.firstFrameLocal + calls * frameLocals > kMaxLocals) {
    return failAt(Fault::Kind::StackOverflow, warp, i, firstLane(warp), calls);
  }
  stack.returns.push_back({warp.pc, warp.base});
  warp.base = warp.depth;
  warp.pc = static_cast<std::uint32_t>(i.imm);
  if (stack.frames.size() < warp.depth + code_.scopeDepth + 1) {
    stack.frames.resize(2 * (warp.depth + code_.scopeDepth + 1));
    warp.frames = stack.frames.data();
  }
  if (code_.frameBytes == 0) return true;
  const std::size_t local = (code_.localBytes + calls * code_.frameBytes) * kMaxLanes;
  if (stack.local.size() < local) {
    stack.local.resize(2 * local);
    warp.local = stack.local.data();
  }
  // A call finds in its variables the values that an earlier one left, as on a GPU, but here they are zero.
  std::fill_n(warp.local + local - std::size_t{code_.frameBytes} * kMaxLanes,
              std::size_t{code_.frameBytes} * kMaxLanes, std::byte{0});
  return true;
}

template <class Hooks>
inline void WarpRunner<Hooks>::frameAddress(const WarpState& warp, const Instruction& i) const {
  const std::size_t frameLocals = code_.locals.size() - code_.firstFrameLocal;
  const std::uint64_t address =
      static_cast<std::uint64_t>(i.imm) + (std::uint64_t{warp.calls() - 1} * frameLocals << kOffsetBits);
  LaneU64* const dst = warp.lanes<LaneU64>(i.dst);
  for (unsigned lane = 0; lane < kMaxLanes; ++lane)
    dst[lane] = ofThread(address, std::uint64_t{warp.index} * machine_.warpSize + lane);
}

template <class Hooks>
inline void WarpRunner<Hooks>::allocate(const WarpState& warp, const Instruction& i) {
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const auto offset = memory_.heap->allocate(warp.lanes<LaneU64>(i.a)[lane]);
    warp.lanes<LaneU64>(i.dst)[lane] = offset ? bufferBase(memory_.heapBuffer) + *offset : 0;
  }
}

template <class Hooks>
inline bool WarpRunner<Hooks>::release(const WarpState& warp, const Instruction& i) {
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const std::uint64_t address = warp.lanes<LaneU64>(i.a)[lane];
    if (address == 0) continue;
    const bool isOfHeap = bufferIndex(address) == memory_.heapBuffer;
    const auto released =
        isOfHeap ? memory_.heap->release(address & kOffsetMask) : DeviceHeap::Release::Never;
    if (released == DeviceHeap::Release::Done) continue;
    const bool isTwice = released == DeviceHeap::Release::Twice;
    return failAt(isTwice ? Fault::Kind::FreedTwice : Fault::Kind::NeverAllocated, warp, i, lane, address);
  }
  return true;
}

// Exchanges between the lanes of a warp, WarpRunner's shuffles and votes; and operations done lane by lane.

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
  // Before the result, which may replace the operand.
  notifyObserver(isReduction(op) ? StepKind::Reduce : StepKind::Vote, warp, i);
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
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
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
        line.text += formatPrintedText(conversion, format.strings[static_cast<std::size_t>(bits)]);
      } else {
        const auto text = textAt(warp, i, lane, bits);
        if (!text) return false;
        line.text += formatPrintedText(conversion, *text);
      }
      line.text += format.texts[v + 1];
    }
    printed_.add(std::move(line));
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

/// The dispatch loop: long because it is the table of all operations.
template <class Hooks>
[[gnu::always_inline]] inline std::optional<Fault> WarpRunner<Hooks>::dispatch(WarpState& warp) {
  const Instruction* const code = code_.code.data();
  std::uint64_t done = 0;
  bool resumed = warp.status == WarpStatus::Paused;
  warp.status = WarpStatus::Ready;
  std::uint64_t probeAt = probe_.begin(warp);
  watch_.resume(warp);
  std::uint64_t batch = watch_.isFollowing() ? 1 : probeAt;
  warp.waits = false;
  while (true) {
    const Instruction& i = code[warp.pc];
    if constexpr (Hooks::kObserves) {
      if (!resumed && hooks_.observer->pausesBefore(warp, i)) {
        warp.status = WarpStatus::Paused;
        return charge(warp, i, done);
      }
      if (hooks_.observer->isTurnOver(warp, i)) return charge(warp, i, done);  // still ready
      resumed = false;
    }
    if (++done == batch) {
      if (done == probeAt) {
        if (done >= WaitProbe::kBatch) {
          if (auto stopped = charge(warp, i, std::exchange(done, 0))) return stopped;
        }
        const std::uint64_t more = probe_.look(warp);
        if (more == 0) {
          warp.status = WarpStatus::Paused;
          warp.waits = true;
          return charge(warp, i, done);
        }
        probeAt = done + more;
      }
      if (watch_.isFollowing()) watch_.follow(warp, i);
      batch = watch_.isFollowing() ? done + 1 : probeAt;
    }
    ++warp.pc;
    switch (i.op) {
// clang-format off
#define UNARY(name, origin, From, To, rule) \
  case Op::name: lane::unary<Lane##From, Lane##To>(warp, i, [](auto a) { return rule; }); break;
#define BINARY(name, origin, From, To, rule) \
  case Op::name: lane::binary<Lane##From, Lane##To>(warp, i, [](auto a, auto b) { return rule; }); break;
#define COMPARE(name, From, rule) BINARY(name, None, From, U32, rule)
#define OFFSET(name, Index) \
  case Op::name: lane::offset<Lane##Index>(warp, i); break;
#define LOAD(name, To, Element) \
  case Op::name: \
    if (!load<Element, Lane##To>(warp, i)) return fault_; \
    if (watch_.isFollowing()) batch = done + 1; \
    break;
#define STORE(name, From, Element) \
  case Op::name: if (!store<Element, Lane##From>(warp, i)) return fault_; break;
#define LOAD_AT(name, To, Index) \
  case Op::name: \
    if (!loadAt<Lane##To, Lane##Index>(warp, i)) return fault_; \
    if (watch_.isFollowing()) batch = done + 1; \
    break;
#define STORE_AT(name, From, Index) \
  case Op::name: if (!storeAt<Lane##From, Lane##Index>(warp, i)) return fault_; break;
#define HOLDING(From, test) \
  (warp.active & lane::computeMask(warp.lanes<Lane##From>(i.a), warp.lanes<Lane##From>(i.b), test))
#define BRANCH(name, From, test) \
  case Op::If##name: beginIf(warp, i, HOLDING(From, test)); break; \
  case Op::Loop##name: testLoop(warp, i, HOLDING(From, test)); break;
// clang-format on
#include "sim/machine/compile/opcodes.def"
#undef HOLDING

      case Op::Move32: lane::unary<LaneU32, LaneU32>(warp, i, [](auto a) { return a; }); break;
      case Op::Move64: lane::unary<LaneU64, LaneU64>(warp, i, [](auto a) { return a; }); break;
      case Op::Merge32: lane::masked<LaneU32>(warp, i); break;
      case Op::Merge64: lane::masked<LaneU64>(warp, i); break;
      case Op::Set32:
        lane::masked<LaneU32>(warp, i);
        notifyObserver(StepKind::Assign, warp, i);
        break;
      case Op::Set64:
        lane::masked<LaneU64>(warp, i);
        notifyObserver(StepKind::Assign, warp, i);
        break;

      case Op::Select32: lane::select<LaneU32>(warp, i); break;
      case Op::Select64: lane::select<LaneU64>(warp, i); break;

      case Op::PointerDifference: {
        const LaneI64* a = warp.lanes<LaneI64>(i.a);
        const LaneI64* b = warp.lanes<LaneI64>(i.b);
        LaneI64* dst = warp.lanes<LaneI64>(i.dst);
        for (unsigned lane = 0; lane < kMaxLanes; ++lane) dst[lane] = (a[lane] - b[lane]) / i.imm;
        break;
      }

      case Op::LoadVector:
        if (!moveVector<AccessKind::Load>(warp, i)) return fault_;
        if (watch_.isFollowing()) batch = done + 1;
        break;
      case Op::StoreVector:
        if (!moveVector<AccessKind::Store>(warp, i)) return fault_;
        break;
      case Op::Atomic:
        if (!atomic(warp, i)) return fault_;
        break;
      case Op::Shuffle32:
        if (!tileFits(warp, i) || !shuffle<LaneU32>(warp, i)) return stopped(warp, i, done);
        break;
      case Op::Shuffle64:
        if (!tileFits(warp, i) || !shuffle<LaneU64>(warp, i)) return stopped(warp, i, done);
        break;
      case Op::Vote32:
        if (!tileFits(warp, i)) return stopped(warp, i, done);
        vote<LaneU32>(warp, i);
        break;
      case Op::Vote64:
        if (!tileFits(warp, i)) return stopped(warp, i, done);
        vote<LaneU64>(warp, i);
        break;
      case Op::MathF32: math<LaneF32>(warp, i); break;
      case Op::MathF64: math<LaneF64>(warp, i); break;
      case Op::Bits32: bits<LaneU32>(warp, i); break;
      case Op::Bits64: bits<LaneU64>(warp, i); break;
      case Op::LaneCall32:
      case Op::LaneCall64: kLaneCalls[static_cast<std::size_t>(i.imm)](warp, i); break;
      case Op::Clock:
        std::fill_n(warp.lanes<LaneU64>(i.dst), kMaxLanes, clock_.read(blockInstructions_ + done));
        break;
      case Op::Allocate: allocate(warp, i); break;
      case Op::Release:
        if (!release(warp, i)) return fault_;
        break;
      case Op::Print:
        if (!print(warp, i)) return fault_;
        if (auto stopped = charge(warp, i, kPrintWork * static_cast<unsigned>(std::popcount(warp.active))))
          return stopped;
        break;
      case Op::Assert: {
        const std::uint32_t failing = warp.active & ~lanesThatHold(warp, i.a);
        if (failing == 0) break;
        failAt(assertFault(static_cast<typed::AssertKind>(i.imm)), warp, i,
               static_cast<std::size_t>(std::countr_zero(failing)));
        return fault_;
      }

      case Op::Jump: warp.pc = static_cast<std::uint32_t>(i.imm); break;
      case Op::JumpIfNone:
        if (warp.active == 0) warp.pc = static_cast<std::uint32_t>(i.imm);
        break;
      case Op::IfBegin: beginIf(warp, i, lanesThatHold(warp, i.a)); break;
      case Op::IfElse:
        warp.active = warp.frames[warp.depth - 1].other;
        if (warp.active == 0) warp.pc = static_cast<std::uint32_t>(i.imm);
        break;
      case Op::IfEnd: warp.active = warp.frames[--warp.depth].saved & ~warp.gone; break;
      case Op::ScopeBegin: warp.frames[warp.depth++] = {warp.active, 0}; break;
      case Op::ScopeEnd: {
        const MaskFrame& frame = warp.frames[--warp.depth];
        warp.gone &= ~frame.other;
        warp.active = frame.saved & ~warp.gone;
        break;
      }
      case Op::LoopTest: testLoop(warp, i, lanesThatHold(warp, i.a)); break;
      case Op::SwitchBegin:
        warp.frames[warp.depth++] = {warp.active, warp.active};
        warp.active = 0;
        break;
      case Op::SwitchCase: {
        MaskFrame& frame = warp.frames[warp.depth - 1];
        const std::uint32_t through = std::exchange(warp.active, frame.other);
        const std::uint32_t entering = lanesThatHold(warp, i.a);
        tellBranch(warp, i, frame.other, entering);
        frame.other &= ~entering;
        warp.active = through | entering;
        break;
      }
      case Op::SwitchEnd: warp.active = warp.frames[--warp.depth].saved & ~warp.gone; break;
      case Op::Park:
        warp.frames[warp.base + static_cast<std::uint32_t>(i.imm)].other |= warp.active;
        warp.gone |= warp.active;
        warp.active = 0;
        break;
      case Op::WarpBarrier:
        if (!tileFits(warp, i)) return stopped(warp, i, done);
        notifyObserver(StepKind::WarpBarrier, warp, i);
        break;
      case Op::Fence: break;
      case Op::GridBarrier:
      case Op::BlockBarrier: {
        if (warp.active == 0) break;
        if (warp.active != (warp.present & ~warp.exited())) {
          Fault divergent = fault(Fault::Kind::DivergentBarrier, warp, i);
          divergent.lanes = warp.active;
          divergent.leftBy = findLeft(warp, i);
          if (control_.paddedTo == 0) return divergent;
          tolerate(divergent);
        }
        warp.status = i.op == Op::GridBarrier ? WarpStatus::AtGridBarrier : WarpStatus::AtBarrier;
        warp.barrierPc = warp.pc - 1;
        if (i.imm != 0) warp.votes = lanesThatHold(warp, i.a);
        notifyObserver(StepKind::BlockBarrier, warp, i);
        if constexpr (Hooks::kObserves) hooks_.observer->tell(&Observer::instructionDone, warp, i);
        return charge(warp, i, done);
      }
      case Op::Push: push(warp, i); break;
      case Op::Pop: pop(warp, i); break;
      case Op::Call:
        if (!enterCall(warp, i)) return fault_;
        break;
      case Op::Return:
        warp.pc = warp.stack->returns.back().pc;
        warp.base = warp.stack->returns.back().base;
        warp.stack->returns.pop_back();
        break;
      case Op::FrameAddress: frameAddress(warp, i); break;
      case Op::Exit:
        warp.status = WarpStatus::Done;
        tell(warp, i, {.kind = StepKind::Exit, .active = warp.active});
        return charge(warp, i, done);
    }
    if constexpr (Hooks::kObserves) hooks_.observer->tell(&Observer::instructionDone, warp, i);
  }
}

template <class Hooks>
std::optional<Fault> WarpRunner<Hooks>::run(WarpState& warp) {
#if defined(__x86_64__)
  if constexpr (!Hooks::kObserves) {
    static const bool kIsWide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (kIsWide) return runWide(warp);
  }
#endif
  return dispatch(warp);
}

}  // namespace lanescope
