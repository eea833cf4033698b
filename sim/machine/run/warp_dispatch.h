#pragma once

#include <functional>

#include "sim/machine/run/lane_calls.h"
#include "sim/machine/run/warp_calls.h"
#include "sim/machine/run/warp_exchange.h"
#include "sim/machine/run/warp_local_memory.h"
#include "sim/machine/run/warp_memory.h"

namespace lanescope {

/// The dispatch loop: long because it is the table of all operations.
template <class Hooks>
[[gnu::always_inline]] inline std::optional<Fault> WarpRunner<Hooks>::dispatch(WarpState& warp) {
  const Instruction* const code = code_.code.data();
  std::uint64_t done = 0;
  bool resumed = warp.status == WarpStatus::Paused;
  warp.status = WarpStatus::Ready;
  std::uint64_t batch = probe_.begin(warp);
  warp.waits = false;
  while (true) {
    const Instruction& i = code[warp.pc];
    if constexpr (Hooks::kObserves) {
      if (!resumed && hooks_.observer->pausesBefore(warp, i)) {
        warp.status = WarpStatus::Paused;
        return charge(warp, i, done);
      }
      resumed = false;
    }
    if (++done == batch) {
      if (done >= WaitProbe::kBatch) {
        if (auto stopped = charge(warp, i, std::exchange(done, 0))) return stopped;
      }
      const std::uint64_t more = probe_.look(warp);
      if (more == 0) {
        warp.status = WarpStatus::Paused;
        warp.waits = true;
        return charge(warp, i, done);
      }
      batch = done + more;
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
  case Op::name: if (!load<Element, Lane##To>(warp, i)) return fault_; break;
#define STORE(name, From, Element) \
  case Op::name: if (!store<Element, Lane##From>(warp, i)) return fault_; break;
#define LOAD_AT(name, To, Index) \
  case Op::name: if (!loadAt<Lane##To, Lane##Index>(warp, i)) return fault_; break;
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
          if (control_.paddedTo == 0) return divergent;
          note(divergent);
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
