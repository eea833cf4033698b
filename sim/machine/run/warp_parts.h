#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <vector>

#include "sim/machine/compile/op_classes.h"
#include "sim/machine/run/warp_state.h"

namespace lanescope {

/// Words of lane registers, aligned for the host's vectors.
struct FreeAligned {
  static constexpr std::size_t kAlignment = 64;
  void operator()(std::uint32_t* words) const { ::operator delete[](words, std::align_val_t{kAlignment}); }
  static std::unique_ptr<std::uint32_t[], FreeAligned> allocate(std::size_t words) {
    return std::unique_ptr<std::uint32_t[], FreeAligned>(static_cast<std::uint32_t*>(
        ::operator new[](words * sizeof(std::uint32_t), std::align_val_t{kAlignment})));
  }
};

/// Lanes of a warp that continue without the others of it. Since Volta each thread makes progress, even if
/// others of its warp wait for it (CUDA Programming Guide, "Independent Thread Scheduling"): lanes that left
/// a loop, and hold the lock that the lanes in it wait for. While any other warp can continue, they wait for
/// the others as usual; then they become a part, a state of their own with the same index, until both meet at
/// a barrier or a warp-wide operation or one of them ends.
class WarpParts {
 public:
  WarpParts(const Bytecode& code, std::size_t frameWords) : code_(code), frameWords_(frameWords) {}

  void clear() { parts_.clear(); }
  bool empty() const { return parts_.empty(); }
  template <class Action>
  void each(const Action& action) {
    for (Part& part : parts_) action(part.state);
  }

  /// Lets the lanes that wait for the active ones of a waiting warp continue: lanes at the end of the
  /// innermost if, loop or function. False if there are none.
  bool split(WarpState& warp) {
    const std::optional<Waiting> waiting = waitingLanes(warp);
    if (!waiting) return false;
    const auto [lanes, pc, frame] = *waiting;
    Part& part = parts_.emplace_back();
    part.registers = FreeAligned::allocate(frameWords_);
    std::memcpy(part.registers.get(), warp.registers, frameWords_ * sizeof(std::uint32_t));
    part.frames.assign(warp.frames, warp.frames + code_.scopeDepth + 1);
    WarpState& state = part.state;
    state = warp;
    state.registers = part.registers.get();
    state.frames = part.frames.data();
    state.pc = pc;
    state.depth = frame + 1;
    state.present = lanes;
    state.active = 0;
    state.gone = code_.code[pc].op == Op::ScopeEnd ? warp.gone & lanes : 0;
    state.status = WarpStatus::Ready;
    state.waits = false;
    for (std::uint32_t f = 0; f < warp.depth; ++f) {
      state.frames[f].saved &= lanes;
      state.frames[f].other &= lanes;
      warp.frames[f].saved &= ~lanes;
      warp.frames[f].other &= ~lanes;
    }
    warp.gone &= ~lanes;
    warp.present &= ~lanes;
    warp.isPart = state.isPart = true;
    return true;
  }

  /// Unites parts that wait at one place, and parts that have ended with the rest of their warps.
  void join(std::span<WarpState> warps) {
    for (std::size_t p = 0; p < parts_.size();) {
      WarpState& part = parts_[p].state;
      WarpState* const other = partner(part, warps);
      if (other == nullptr) {
        ++p;
        continue;
      }
      if (part.status == WarpStatus::Done)
        end(part, *other);
      else
        unite(part, *other);
      const std::uint32_t index = part.index;
      parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(p));
      resumeAlone(warps[index]);
      p = 0;
    }
    for (WarpState& warp : warps) {
      if (warp.status == WarpStatus::Done) resumeAlone(warp);
    }
  }

  /// Called when no warp can continue: parts that wait for the rest of their warp at a warp-wide operation do
  /// it without. False if there are none.
  bool pass(std::span<WarpState> warps) {
    bool any = false;
    const auto let = [&](WarpState& state) {
      if (!state.meets) return;
      state.meets = false;
      state.passes = any = true;
    };
    for (WarpState& warp : warps) let(warp);
    each(let);
    return any;
  }

 private:
  struct Part {
    WarpState state;
    std::unique_ptr<std::uint32_t[], FreeAligned> registers;
    std::vector<MaskFrame> frames;
  };
  /// Lanes, the instruction at which they wait for the others, and its frame.
  struct Waiting {
    std::uint32_t lanes = 0;
    std::uint32_t pc = 0;
    std::uint32_t frame = 0;
  };

  std::optional<Waiting> waitingLanes(const WarpState& warp) const {
    if (warp.stack != nullptr || warp.depth == 0 || warp.active == 0) return std::nullopt;
    std::uint32_t frame = warp.depth - 1;
    std::uint32_t inner = 0;  // ifs and scopes opened on the way
    for (std::uint32_t pc = warp.pc; pc < code_.code.size() && frame > 0; ++pc) {
      const Op op = code_.code[pc].op;
      const MaskFrame& masks = warp.frames[frame];
      if (opensScope(op)) {
        ++inner;
      } else if (inner == 0 && op == Op::IfElse && (masks.other & ~warp.active) != 0) {
        return Waiting{masks.other & ~warp.active, pc, frame};
      } else if (closesScope(op) && inner > 0) {
        --inner;
      } else if (closesScope(op)) {
        std::uint32_t lanes = masks.saved & ~warp.gone;
        if (op == Op::ScopeEnd) lanes |= masks.other;
        if (op == Op::SwitchEnd) lanes &= ~masks.other;
        if ((lanes & ~warp.active) != 0) return Waiting{lanes & ~warp.active, pc, frame};
        --frame;
      }
    }
    return std::nullopt;
  }

  static bool isAtMeeting(const WarpState& state) {
    return state.meets || state.status == WarpStatus::AtBarrier || state.status == WarpStatus::AtGridBarrier;
  }

  /// The part that this one can be united with; null if it is to continue alone.
  WarpState* partner(const WarpState& part, std::span<WarpState> warps) {
    WarpState& whole = warps[part.index];
    if (part.status == WarpStatus::Done) return &whole;
    const auto fits = [&](const WarpState& state) {
      return &state != &part && state.index == part.index && isAtMeeting(state) && state.pc == part.pc &&
             state.depth == part.depth && state.status == part.status;
    };
    if (!isAtMeeting(part)) return nullptr;
    if (fits(whole)) return &whole;
    for (Part& other : parts_) {
      if (fits(other.state)) return &other.state;
    }
    return nullptr;
  }

  /// Its lanes have ended: the warp no longer waits for them.
  static void end(const WarpState& part, WarpState& whole) {
    whole.present |= part.present;
    whole.frames[0].other |= part.present;
    whole.gone |= part.present;
  }

  void unite(const WarpState& part, WarpState& with) const {
    for (std::size_t reg = 0; reg < frameWords_; reg += kMaxLanes) {
      for (std::uint32_t rest = part.present; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        with.registers[reg + lane] = part.registers[reg + lane];
      }
    }
    for (std::uint32_t f = 0; f < part.depth; ++f) {
      with.frames[f].saved |= part.frames[f].saved;
      with.frames[f].other |= part.frames[f].other;
    }
    with.present |= part.present;
    with.active |= part.active;
    with.gone |= part.gone;
    with.votes |= part.votes;
  }

  /// The only unfinished state of a warp waits for no other.
  void resumeAlone(WarpState& whole) {
    WarpState* left = whole.status == WarpStatus::Done ? nullptr : &whole;
    for (Part& part : parts_) {
      if (part.state.index != whole.index) continue;
      if (left != nullptr) return;
      left = &part.state;
    }
    if (left != nullptr) left->isPart = left->meets = false;
  }

  const Bytecode& code_;
  std::size_t frameWords_;
  std::deque<Part> parts_;
};

}  // namespace lanescope
