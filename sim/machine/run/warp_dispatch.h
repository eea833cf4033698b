#pragma once

#include <functional>

#include "sim/machine/run/warp_exchange.h"
#include "sim/machine/run/warp_local_memory.h"
#include "sim/machine/run/warp_memory.h"

namespace lanescope {

/// The dispatch loop: long because it is the table of what every operation does.
template <class Hooks>
std::optional<Fault> WarpRunner<Hooks>::run(WarpState& warp) {
  const Instruction* const code = code_.code.data();
  std::uint64_t done = 0;
  bool resumed = warp.status == WarpStatus::Paused;
  warp.status = WarpStatus::Ready;
  while (true) {
    const Instruction& i = code[warp.pc];
    if constexpr (Hooks::kObserves) {
      if (!resumed && hooks_.observer->pausesBefore(warp, i)) {
        warp.status = WarpStatus::Paused;
        return charge(warp, i, done);
      }
      resumed = false;
    }
    if (++done == kBatch) {
      done = 0;
      if (auto stopped = charge(warp, i, kBatch)) return stopped;
    }
    ++warp.pc;
    switch (i.op) {
      case Op::Move32: lane::unary<LaneU32, LaneU32>(warp, i, [](auto a) { return a; }); break;
      case Op::Move64: lane::unary<LaneU64, LaneU64>(warp, i, [](auto a) { return a; }); break;
      case Op::Merge32: lane::masked<LaneU32>(warp, i); break;
      case Op::Merge64: lane::masked<LaneU64>(warp, i); break;
      case Op::Set32:
        lane::masked<LaneU32>(warp, i);
        tellSet(warp, i);
        break;
      case Op::Set64:
        lane::masked<LaneU64>(warp, i);
        tellSet(warp, i);
        break;

#define LANES(op, From, To, value)                                         \
  case Op::op:                                                             \
    lane::binary<From, To>(warp, i, [](auto a, auto b) { return value; }); \
    break;
#define BOTH_INTEGERS(op, value) LANES(op##32, LaneU32, LaneU32, value) LANES(op##64, LaneU64, LaneU64, value)
#define FLOATS(op, value) LANES(op##F32, LaneF32, LaneF32, value) LANES(op##F64, LaneF64, LaneF64, value)
// clang-format off
#define FOUR_INTEGERS(op, value) \
  LANES(op##I32, LaneI32, LaneI32, value) LANES(op##U32, LaneU32, LaneU32, value) \
  LANES(op##I64, LaneI64, LaneI64, value) LANES(op##U64, LaneU64, LaneU64, value)
#define COMPARE(op, value) \
  LANES(op##I32, LaneI32, LaneU32, value) LANES(op##U32, LaneU32, LaneU32, value) \
  LANES(op##I64, LaneI64, LaneU32, value) LANES(op##U64, LaneU64, LaneU32, value) \
  LANES(op##F32, LaneF32, LaneU32, value) LANES(op##F64, LaneF64, LaneU32, value)
        // clang-format on
        BOTH_INTEGERS(Add, a + b)
        BOTH_INTEGERS(Sub, a - b)
        BOTH_INTEGERS(Mul, a * b)
        BOTH_INTEGERS(And, a & b)
        BOTH_INTEGERS(Or, a | b)
        BOTH_INTEGERS(Xor, a ^ b)
        FLOATS(Add, a + b)
        FLOATS(Sub, a - b)
        FLOATS(Mul, a * b)
        FLOATS(Div, a / b)
        FOUR_INTEGERS(Div, lane::divide(a, b))
        FOUR_INTEGERS(Rem, lane::remainder(a, b))
        FOUR_INTEGERS(Min, lane::minimum(a, b))
        FOUR_INTEGERS(Max, lane::maximum(a, b))
        FLOATS(Min, lane::minimum(a, b))
        FLOATS(Max, lane::maximum(a, b))
        LANES(Shl32, LaneU32, LaneU32, b < 32 ? a << b : 0u)
        LANES(Shl64, LaneU64, LaneU64, b < 64 ? a << b : std::uint64_t{0})
        LANES(ShrU32, LaneU32, LaneU32, b < 32 ? a >> b : 0u)
        LANES(ShrU64, LaneU64, LaneU64, b < 64 ? a >> b : std::uint64_t{0})
        LANES(ShrI32, LaneI32, LaneI32, a >> std::min(static_cast<std::uint32_t>(b), 31u))
        LANES(ShrI64, LaneI64, LaneI64, a >> std::min(static_cast<std::uint64_t>(b), std::uint64_t{63}))
        COMPARE(Lt, a < b)
        COMPARE(Le, a <= b)
        LANES(Eq32, LaneU32, LaneU32, a == b)
        LANES(Eq64, LaneU64, LaneU32, a == b)
        LANES(EqF32, LaneF32, LaneU32, a == b)
        LANES(EqF64, LaneF64, LaneU32, a == b)
        LANES(Ne32, LaneU32, LaneU32, a != b)
        LANES(Ne64, LaneU64, LaneU32, a != b)
        LANES(NeF32, LaneF32, LaneU32, a != b)
        LANES(NeF64, LaneF64, LaneU32, a != b)
#undef COMPARE
#undef FOUR_INTEGERS
#undef FLOATS
#undef BOTH_INTEGERS
#undef LANES
      case Op::Select32: lane::select<LaneU32>(warp, i); break;
      case Op::Select64: lane::select<LaneU64>(warp, i); break;

#define LANES(op, From, To, value) \
  case Op::op: lane::unary<From, To>(warp, i, [](auto a) { return value; }); break;
        LANES(NegF32, LaneF32, LaneF32, -a)
        LANES(NegF64, LaneF64, LaneF64, -a)
        LANES(Not32, LaneU32, LaneU32, ~a)
        LANES(Not64, LaneU64, LaneU64, ~a)
        LANES(SignExtend8, LaneU32, LaneI32, static_cast<std::int8_t>(a))
        LANES(ZeroExtend8, LaneU32, LaneU32, static_cast<std::uint8_t>(a))
        LANES(SignExtend16, LaneU32, LaneI32, static_cast<std::int16_t>(a))
        LANES(ZeroExtend16, LaneU32, LaneU32, static_cast<std::uint16_t>(a))
        LANES(I32ToI64, LaneI32, LaneI64, a)
        LANES(U32ToU64, LaneU32, LaneU64, a)
        LANES(Truncate64, LaneU64, LaneU32, static_cast<std::uint32_t>(a))
        LANES(I32ToF32, LaneI32, LaneF32, static_cast<float>(a))
        LANES(U32ToF32, LaneU32, LaneF32, static_cast<float>(a))
        LANES(I64ToF32, LaneI64, LaneF32, static_cast<float>(a))
        LANES(U64ToF32, LaneU64, LaneF32, static_cast<float>(a))
        LANES(I32ToF64, LaneI32, LaneF64, a)
        LANES(U32ToF64, LaneU32, LaneF64, a)
        LANES(I64ToF64, LaneI64, LaneF64, static_cast<double>(a))
        LANES(U64ToF64, LaneU64, LaneF64, static_cast<double>(a))
        LANES(F32ToI32, LaneF32, LaneI32, lane::toInteger<std::int32_t>(a))
        LANES(F32ToU32, LaneF32, LaneU32, lane::toInteger<std::uint32_t>(a))
        LANES(F32ToI64, LaneF32, LaneI64, lane::toInteger<std::int64_t>(a))
        LANES(F32ToU64, LaneF32, LaneU64, lane::toInteger<std::uint64_t>(a))
        LANES(F64ToI32, LaneF64, LaneI32, lane::toInteger<std::int32_t>(a))
        LANES(F64ToU32, LaneF64, LaneU32, lane::toInteger<std::uint32_t>(a))
        LANES(F64ToI64, LaneF64, LaneI64, lane::toInteger<std::int64_t>(a))
        LANES(F64ToU64, LaneF64, LaneU64, lane::toInteger<std::uint64_t>(a))
        LANES(F32ToF64, LaneF32, LaneF64, static_cast<double>(a))
        LANES(F64ToF32, LaneF64, LaneF32, static_cast<float>(a))
#undef LANES

#define OFFSET(op, Index)                                                                                  \
  case Op::op: {                                                                                           \
    const LaneU64* base = warp.lanes<LaneU64>(i.a);                                                        \
    const Index* index = warp.lanes<Index>(i.b);                                                           \
    LaneU64* dst = warp.lanes<LaneU64>(i.dst);                                                             \
    const auto scale = static_cast<std::uint64_t>(i.imm);                                                  \
    for (unsigned lane = 0; lane < kMaxLanes; ++lane)                                                      \
      dst[lane] = base[lane] + static_cast<std::uint64_t>(static_cast<std::int64_t>(index[lane])) * scale; \
    break;                                                                                                 \
  }
        OFFSET(OffsetI32, LaneI32)
        OFFSET(OffsetU32, LaneU32)
        OFFSET(Offset64, LaneI64)
#undef OFFSET
      case Op::PointerDifference: {
        const LaneI64* a = warp.lanes<LaneI64>(i.a);
        const LaneI64* b = warp.lanes<LaneI64>(i.b);
        LaneI64* dst = warp.lanes<LaneI64>(i.dst);
        for (unsigned lane = 0; lane < kMaxLanes; ++lane) dst[lane] = (a[lane] - b[lane]) / i.imm;
        break;
      }

      case Op::LoadI8:
        if (!load<std::int8_t, LaneI32>(warp, i)) return fault_;
        break;
      case Op::LoadU8:
        if (!load<std::uint8_t, LaneU32>(warp, i)) return fault_;
        break;
      case Op::LoadI16:
        if (!load<std::int16_t, LaneI32>(warp, i)) return fault_;
        break;
      case Op::LoadU16:
        if (!load<std::uint16_t, LaneU32>(warp, i)) return fault_;
        break;
      case Op::Load32:
        if (!load<std::uint32_t, LaneU32>(warp, i)) return fault_;
        break;
      case Op::Load64:
        if (!load<std::uint64_t, LaneU64>(warp, i)) return fault_;
        break;
      case Op::Store8:
        if (!store<std::uint8_t, LaneU32>(warp, i)) return fault_;
        break;
      case Op::Store16:
        if (!store<std::uint16_t, LaneU32>(warp, i)) return fault_;
        break;
      case Op::Store32:
        if (!store<std::uint32_t, LaneU32>(warp, i)) return fault_;
        break;
      case Op::Store64:
        if (!store<std::uint64_t, LaneU64>(warp, i)) return fault_;
        break;
      case Op::LoadVector:
        if (!moveVector(warp, i, false)) return fault_;
        break;
      case Op::StoreVector:
        if (!moveVector(warp, i, true)) return fault_;
        break;
      case Op::Atomic:
        if (!atomic(warp, i)) return fault_;
        break;
      case Op::Shuffle32:
        if (!tileFits(warp, i) || !shuffle<LaneU32>(warp, i)) return fault_;
        break;
      case Op::Shuffle64:
        if (!tileFits(warp, i) || !shuffle<LaneU64>(warp, i)) return fault_;
        break;
      case Op::Vote32:
        if (!tileFits(warp, i)) return fault_;
        vote<LaneU32>(warp, i);
        break;
      case Op::Vote64:
        if (!tileFits(warp, i)) return fault_;
        vote<LaneU64>(warp, i);
        break;
      case Op::MathF32: math<LaneF32>(warp, i); break;
      case Op::MathF64: math<LaneF64>(warp, i); break;
      case Op::Bits32: bits<LaneU32>(warp, i); break;
      case Op::Bits64: bits<LaneU64>(warp, i); break;
      case Op::Print: print(warp, i); break;
      case Op::Assert: {
        const std::uint32_t failing = warp.active & ~lanesThatHold(warp, i.a);
        if (failing == 0) break;
        Fault failed = fault(Fault::Kind::AssertionFailed, warp, i);
        failed.lane = static_cast<std::uint32_t>(std::countr_zero(failing));
        return failed;
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
#define BRANCH(op, Lane, test)                                                                        \
  case Op::If##op:                                                                                    \
    beginIf(warp, i, warp.active& lane::maskOf(warp.lanes<Lane>(i.a), warp.lanes<Lane>(i.b), test));  \
    break;                                                                                            \
  case Op::Loop##op:                                                                                  \
    testLoop(warp, i, warp.active& lane::maskOf(warp.lanes<Lane>(i.a), warp.lanes<Lane>(i.b), test)); \
    break;
        BRANCH(LtI32, LaneI32, std::less())
        BRANCH(LtU32, LaneU32, std::less())
        BRANCH(LeI32, LaneI32, std::less_equal())
        BRANCH(LeU32, LaneU32, std::less_equal())
        BRANCH(Eq32, LaneU32, std::equal_to())
        BRANCH(Ne32, LaneU32, std::not_equal_to())
#undef BRANCH
      case Op::LoadAtI32:
        if (!loadAt<LaneU32, LaneI32>(warp, i)) return fault_;
        break;
      case Op::LoadAtU32:
        if (!loadAt<LaneU32, LaneU32>(warp, i)) return fault_;
        break;
      case Op::LoadWideAtI32:
        if (!loadAt<LaneU64, LaneI32>(warp, i)) return fault_;
        break;
      case Op::LoadWideAtU32:
        if (!loadAt<LaneU64, LaneU32>(warp, i)) return fault_;
        break;
      case Op::StoreAtI32:
        if (!storeAt<LaneU32, LaneI32>(warp, i)) return fault_;
        break;
      case Op::StoreAtU32:
        if (!storeAt<LaneU32, LaneU32>(warp, i)) return fault_;
        break;
      case Op::StoreWideAtI32:
        if (!storeAt<LaneU64, LaneI32>(warp, i)) return fault_;
        break;
      case Op::StoreWideAtU32:
        if (!storeAt<LaneU64, LaneU32>(warp, i)) return fault_;
        break;
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
        warp.frames[i.imm].other |= warp.active;
        warp.gone |= warp.active;
        warp.active = 0;
        break;
      case Op::WarpBarrier:
        if (!tileFits(warp, i)) return fault_;
        if constexpr (Hooks::kCounts) {
          if (warp.active != 0) {
            hooks_.step(i.site, warp.active);
            if constexpr (Hooks::kObserves) hooks_.observer->warpBarrierReached(warp, i);
          }
        }
        break;
      case Op::Fence: break;
      case Op::BlockBarrier: {
        if (warp.active == 0) break;
        if (warp.active != (warp.present & ~warp.exited())) {
          Fault divergent = fault(Fault::Kind::DivergentBarrier, warp, i);
          divergent.lanes = warp.active;
          return divergent;
        }
        warp.status = WarpStatus::AtBarrier;
        warp.barrierPc = warp.pc - 1;
        if (i.imm != 0) warp.votes = lanesThatHold(warp, i.a);
        if constexpr (Hooks::kCounts) {
          hooks_.barrier(i.site, warp.active);
          if constexpr (Hooks::kObserves) {
            hooks_.observer->blockBarrierReached(warp, i);
            hooks_.observer->instructionDone(warp, i);
          }
        }
        return charge(warp, i, done);
      }
      case Op::Exit:
        warp.status = WarpStatus::Done;
        if constexpr (Hooks::kObserves) hooks_.observer->warpExited(warp, i);
        return charge(warp, i, done);
    }
    if constexpr (Hooks::kObserves) hooks_.observer->instructionDone(warp, i);
  }
}

}  // namespace lanescope
