#pragma once

#include <algorithm>

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
      static_cast<std::uint64_t>(i.imm) + ((warp.calls() - 1) * frameLocals << kOffsetBits);
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
    const bool isOfHeap = (address >> kOffsetBits) - 1 == memory_.heapBuffer;
    const auto released =
        isOfHeap ? memory_.heap->release(address & kOffsetMask) : DeviceHeap::Release::Never;
    if (released == DeviceHeap::Release::Done) continue;
    const bool isTwice = released == DeviceHeap::Release::Twice;
    return failAt(isTwice ? Fault::Kind::FreedTwice : Fault::Kind::NeverAllocated, warp, i, lane, address);
  }
  return true;
}

}  // namespace lanescope
