#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/machine/compile/operations.h"
#include "sim/machine/run/prepare.h"
#include "sim/machine/run/warp_dispatch.h"
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

/// Runs the blocks of a launch, one after the other, on one host thread. Frames are made once and used by
/// every block. `code` is the prepared kernel's own, or the result of fused().
template <class Hooks>
class BlockRunner {
 public:
  BlockRunner(const Launch& launch, const Bytecode& code, PreparedLaunch& prepared, RunControl& control,
              Hooks& hooks)
      : launch_(launch),
        code_(code),
        prepared_(prepared),
        hooks_(hooks),
        runner_(code, launch.machine, control, hooks),
        startValues_(makeStartValues(code, prepared, Hooks::kObserves)),
        frameWords_(std::size_t{code.registers} * kMaxLanes),
        parts_(code, frameWords_) {
    countWork(launch.work, &WorkCount::runners);
    const unsigned warpSize = launch.machine.warpSize;
    const auto threads = static_cast<std::size_t>(launch.block.count());
    warps_.resize((threads + warpSize - 1) / warpSize);
    registers_ = FreeAligned::allocate(warps_.size() * frameWords_);
    std::fill_n(registers_.get(), warps_.size() * frameWords_, 0u);
    frames_.resize(warps_.size() * (code.scopeDepth + 1));
    localBytes_ = std::size_t{code.localBytes} * kMaxLanes;
    local_.resize(warps_.size() * localBytes_);
    if (code.makesCalls) stacks_.resize(warps_.size());
    const std::uint64_t unit = launch.paddedTo == 0 ? 1 : kSharedUnit;
    shared_.resize(static_cast<std::size_t>((prepared.sharedBytes + unit - 1) / unit * unit));
    for (std::size_t b = 0; b < prepared.memory.bufferCount(); ++b)
      buffers_.push_back(prepared.memory.buffer(b));
    unwatched_ = buffers_;
    for (std::size_t b = 0; b < prepared.watched.size(); ++b) {
      if (prepared.watched[b].isAny()) unwatched_[b] = {};
    }
    for (std::size_t w = 0; w < warps_.size(); ++w) setUp(w);
  }

  /// The output of the blocks so far.
  PrintedLines& printed() { return runner_.printed(); }

  /// True if the block waits for the others of a cooperative launch.
  bool waitsForGrid() const {
    return parts_.empty() && std::ranges::any_of(warps_, [](const WarpState& warp) {
             return warp.status == WarpStatus::AtGridBarrier;
           });
  }
  /// That barrier opens: resume() continues from there.
  void passGrid() {
    for (WarpState& warp : warps_) {
      if (warp.status == WarpStatus::AtGridBarrier) warp.status = WarpStatus::Ready;
    }
  }
  /// True if all warps of the block only wait for writes of other blocks.
  bool stalls() const { return stalls_; }
  /// The launch ends by another block's fault: observers receive nothing more from a block that still stalls.
  void abandon() {
    if constexpr (Hooks::kObserves) {
      if (stalls_) hooks_.observer->tell(&Observer::blockEnds);
    }
    stalls_ = false;
  }

  /// Runs one block to its end, to a barrier of the grid, or until it stalls. A Fault ends the launch.
  std::optional<Fault> run(Dim3 block) {
    enter(block);
    return runWarpsOn();
  }
  /// Continues a block that stalled, or that waited at a barrier of the grid.
  std::optional<Fault> resume() {
    runner_.nextTurn();
    return runWarpsOn();
  }

 protected:  // OrderRunner makes its own schedule
  std::optional<Fault> runWarpsOn() {
    const std::optional<Fault> fault = runWarps();
    if constexpr (Hooks::kCounts) {
      if (fault && fault->kind != Fault::Kind::Stopped) {
        hooks_.count(fault->site, {.kind = StepKind::Fault,
                                   .warpSize = launch_.machine.warpSize,
                                   .active = warps_[fault->warp].active});
      }
    }
    if constexpr (Hooks::kObserves) {
      if (fault) hooks_.observer->tell(&Observer::faulted, warps_[fault->warp], *fault);
      if (fault || !stalls_) hooks_.observer->tell(&Observer::blockEnds);
    }
    return fault;
  }

  std::optional<Fault> runWarps() {
    stalls_ = false;
    while (true) {
      bool anyPaused = false;
      bool anyAtBarrier = false;
      bool anyMoved = false;  // a warp did more than wait
      std::optional<Fault> fault;
      const auto advance = [&](WarpState& warp) {
        const bool resumes = warp.status == WarpStatus::Paused && resuming_ && !warp.meets;
        if (!fault && (warp.status == WarpStatus::Ready || resumes)) {
          const bool waited = warp.waits;
          fault = runner_.run(warp);
          anyMoved |= !waited || !warp.waits;
        }
        anyPaused |= warp.status == WarpStatus::Paused;
        anyAtBarrier |= warp.status == WarpStatus::AtBarrier;
      };
      if (takesTurns()) {
        advanceByLine(advance, fault);
      } else {
        for (WarpState& warp : warps_) {
          advance(warp);
          if (fault) break;
        }
      }
      if (fault) return fault;
      parts_.each(advance);
      if (fault) return fault;
      if (!parts_.empty()) parts_.join(warps_);
      if (!anyPaused && !anyAtBarrier) break;
      // Paused warps continue first; a barrier opens when no warp is left that could still reach it.
      if constexpr (Hooks::kObserves) hooks_.observer->tell(&Observer::allWait, !anyPaused);
      resuming_ = anyPaused;
      if (anyMoved) idleTurns_ = 0;
      if (anyPaused && !anyMoved) {
        if (++idleTurns_ >= patience_ && resumeInParts()) continue;
        stalls_ = true;
        break;
      }
      if (anyPaused) continue;
      openBarrier(warps_);
      parts_.each([this](WarpState& part) { openBarrier(std::span(&part, 1)); });
    }
    return std::nullopt;
  }

  bool takesTurns() const {
    if constexpr (Hooks::kObserves) return hooks_.observer->takesTurnsByLine();
    return false;
  }

  /// Every warp runs until it waits, one line of the source per turn. The next turn is that of the warp which
  /// has jumped back least often since it waited, and of these of the one that is first in the code: so warps
  /// that skip a branch wait for those that take it.
  void advanceByLine(const auto& advance, const std::optional<Fault>& fault) {
    if constexpr (Hooks::kObserves) {
      /// A warp that takes more turns may wait for another's write, and is to be found out (WaitProbe).
      constexpr std::uint32_t kMostTurns = 4096;
      struct Progress {
        WarpState* warp;
        std::uint32_t jumps = 0;
        std::uint32_t turns = 0;
      };
      std::vector<Progress> running;
      for (WarpState& warp : warps_) {
        const bool resumes = warp.status == WarpStatus::Paused && resuming_ && !warp.meets;
        if (warp.status == WarpStatus::Ready || resumes)
          running.push_back({&warp});
        else
          advance(warp);
      }
      while (!running.empty() && !fault) {
        const auto next = std::ranges::min_element(
            running, {}, [](const Progress& each) { return std::pair(each.jumps, each.warp->pc); });
        WarpState& warp = *next->warp;
        hooks_.observer->beginTurn(code_.code.data(), warp.pc, warp.waits || ++next->turns > kMostTurns);
        advance(warp);
        next->jumps += hooks_.observer->hasJumpedBack() ? 1 : 0;
        if (warp.status != WarpStatus::Ready) running.erase(next);
      }
    }
  }

  /// If no thread of the launch has done anything but wait for long, lanes continue without the rest of their
  /// warp. False if none can.
  bool resumeInParts() {
    bool any = false;
    for (WarpState& warp : warps_) {
      if (warp.waits && warp.status == WarpStatus::Paused) any |= parts_.split(warp);
    }
    any = any || parts_.pass(warps_);
    if (any) patience_ = 1;  // and without delay from now on
    return any;
  }

  /// Every warp that waits continues, with the outcome of the vote if the barrier takes one.
  void openBarrier(std::span<WarpState> warps) {
    std::uint32_t count = 0;
    bool all = true;
    for (const WarpState& warp : warps) {
      if (warp.status != WarpStatus::AtBarrier) continue;
      count += static_cast<std::uint32_t>(std::popcount(warp.votes));
      all = all && warp.votes == warp.active;
    }
    for (WarpState& warp : warps) {
      if (warp.status != WarpStatus::AtBarrier) continue;
      warp.status = WarpStatus::Ready;
      const Instruction& barrier = code_.code[warp.barrierPc];
      const auto vote = static_cast<typed::BarrierVote>(barrier.imm);
      if (vote == typed::BarrierVote::None) continue;
      const std::uint32_t any = count > 0 ? 1 : 0;
      const std::uint32_t outcome = vote == typed::BarrierVote::Count ? count
                                    : vote == typed::BarrierVote::And ? std::uint32_t{all}
                                                                      : any;
      broadcast(warp, barrier.dst, false, outcome);
    }
  }

  /// Turns in which a block only waits, before its warps are split.
  static constexpr std::uint32_t kPatience = 1024;

  /// Sets the values that stay the same for every block: constants, thread indices, extents.
  void setUp(std::size_t w) {
    const unsigned warpSize = launch_.machine.warpSize;
    WarpState& warp = warps_[w];
    warp.index = static_cast<std::uint32_t>(w);
    warp.registers = registers_.get() + w * frameWords_;
    warp.local = local_.data() + w * localBytes_;
    warp.frames = frames_.data() + w * (code_.scopeDepth + 1);
    if (code_.makesCalls) giveStack(warp, stacks_[w]);
    const std::uint64_t first = w * warpSize;
    const auto lanes =
        static_cast<unsigned>(std::min<std::uint64_t>(warpSize, launch_.block.count() - first));
    warp.present = lanes == 32 ? ~0u : (1u << lanes) - 1;
    for (const ConstantRegister& constant : code_.constants)
      broadcast(warp, constant.reg, constant.isWide, constant.bits);
    for (const StartValue& value : startValues_.once) broadcast(warp, value.reg, value.isWide, value.bits);
    for (const LocalAddressRegister& local : code_.localAddresses) {
      for (unsigned lane = 0; lane < kMaxLanes; ++lane)
        warp.lanes<LaneU64>(local.reg)[lane] = ofThread(local.address, first + std::min(lane, lanes - 1));
    }
    for (const BuiltInRegister& builtIn : code_.builtIns) {
      for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
        warp.lanes<LaneU32>(builtIn.reg)[lane] =
            builtInValue(builtIn.builtIn, first + std::min(lane, lanes - 1));
      }
    }
  }

  /// Each warp has its own memory for its calls.
  void giveStack(WarpState& warp, CallStack& stack) const {
    warp.stack = &stack;
    stack.frames.resize(code_.scopeDepth + 1);
    stack.local.resize(localBytes_);
    warp.frames = stack.frames.data();
    warp.local = stack.local.data();
  }

  std::uint32_t builtInValue(typed::BuiltIn builtIn, std::uint64_t thread) const {
    const Dim3 index = unlinear(thread, launch_.block);
    switch (builtIn) {
      case typed::BuiltIn::ThreadX: return index.x;
      case typed::BuiltIn::ThreadY: return index.y;
      case typed::BuiltIn::ThreadZ: return index.z;
      case typed::BuiltIn::ThreadRank: return static_cast<std::uint32_t>(thread);
      default: return computeExtent(launch_, builtIn).value_or(0);  // block indices: enter() sets them
    }
  }

  static void broadcast(const WarpState& warp, std::uint16_t reg, bool isWide, std::uint64_t bits) {
    if (isWide) {
      std::fill_n(warp.lanes<LaneU64>(reg), kMaxLanes, bits);
    } else {
      std::fill_n(warp.lanes<LaneU32>(reg), kMaxLanes, static_cast<std::uint32_t>(bits));
    }
  }

  /// Back to the code's beginning, with all present lanes; its registers stay.
  static void begin(WarpState& warp) {
    warp.pc = 0;
    warp.active = warp.present;
    warp.gone = 0;
    warp.depth = 0;
    warp.status = WarpStatus::Ready;
    warp.waits = warp.isPart = warp.meets = warp.passes = false;
    if (warp.stack == nullptr) return;
    warp.base = 0;
    warp.stack->returns.clear();
    warp.stack->saved.clear();
    std::ranges::fill(warp.stack->local, std::byte{0});
  }

  void enter(Dim3 block) {
    std::fill(shared_.begin(), shared_.end(), std::byte{0});
    std::fill(local_.begin(), local_.end(), std::byte{0});
    parts_.clear();
    idleTurns_ = 0;
    for (WarpState& warp : warps_) {
      begin(warp);
      for (const BuiltInRegister& builtIn : code_.builtIns) {
        if (builtIn.builtIn == typed::BuiltIn::BlockX) broadcast(warp, builtIn.reg, false, block.x);
        if (builtIn.builtIn == typed::BuiltIn::BlockY) broadcast(warp, builtIn.reg, false, block.y);
        if (builtIn.builtIn == typed::BuiltIn::BlockZ) broadcast(warp, builtIn.reg, false, block.z);
      }
      for (const StartValue& value : startValues_.eachBlock)
        broadcast(warp, value.reg, value.isWide, value.bits);
    }
    resuming_ = false;
    const MemoryView memory{shared_,
                            buffers_,
                            prepared_.sharedObjects,
                            prepared_.bufferNames,
                            prepared_.heap.get(),
                            prepared_.heapBuffer,
                            prepared_.hasConstantMemory,
                            unwatched_,
                            prepared_.watched};
    runner_.enterBlock(memory, linear(block, launch_.grid));
    if constexpr (Hooks::kObserves)
      hooks_.observer->tell(&Observer::blockBegins, code_, block, warps_, memory);
  }

  const Launch& launch_;
  const Bytecode& code_;
  PreparedLaunch& prepared_;
  Hooks& hooks_;
  WarpRunner<Hooks> runner_;
  StartValues startValues_;
  std::vector<WarpState> warps_;
  std::vector<MaskFrame> frames_;
  std::vector<CallStack> stacks_;
  std::unique_ptr<std::uint32_t[], FreeAligned> registers_;
  std::size_t frameWords_;
  WarpParts parts_;
  std::uint32_t idleTurns_ = 0;
  std::uint32_t patience_ = kPatience;
  std::vector<std::byte> shared_;
  std::vector<std::byte> local_;
  std::size_t localBytes_ = 0;
  std::vector<std::span<std::byte>> buffers_;
  std::vector<std::span<std::byte>> unwatched_;  ///< MemoryView
  bool resuming_ = false;
  bool stalls_ = false;
};

/// Compiled once, in execution.cpp.
extern template class BlockRunner<NoHooks>;

/// The most blocks of so many threads that a GPU runs at once: 132 multiprocessors of 2,048 threads and 32
/// blocks.
inline std::uint64_t mostResidentBlocks(std::uint64_t threads) {
  return std::clamp<std::uint64_t>(132 * 2048 / std::max<std::uint64_t>(threads, 1), 132, 132 * 32);
}

/// The blocks that one host thread has begun. One runs to its end before the next one begins, unless it waits
/// for others: it then stays, as it would on a GPU, and continues later.
template <class Hooks>
class ResidentBlocks {
 public:
  ResidentBlocks(const Launch& launch, const Bytecode& code, PreparedLaunch& prepared, RunControl& control,
                 Hooks& hooks)
      : launch_(launch), code_(code), prepared_(prepared), control_(control), hooks_(hooks) {}

  bool anyWaits() const { return !waiting_.empty(); }
  bool isFull() const { return waiting_.size() >= mostResidentBlocks(launch_.block.count()); }

  /// Runs a block to its end, or until it waits.
  std::optional<LaunchFault> begin(std::uint64_t block) {
    if (!free_) free_ = std::make_unique<Runner>(launch_, code_, prepared_, control_, hooks_);
    const Dim3 index = unlinear(block, launch_.grid);
    if (const auto fault = free_->run(index)) return LaunchFault{*fault, index};
    if (free_->stalls()) waiting_.push_back({index, std::move(free_)});
    return std::nullopt;
  }

  /// Each waiting block continues, to its end or until it waits again.
  std::optional<LaunchFault> resume() {
    if (free_) receive(*free_);
    for (Waiting& each : waiting_) {
      if (const auto fault = each.runner->resume()) return LaunchFault{*fault, each.block};
      if (each.runner->stalls()) continue;
      receive(*each.runner);
      free_ = std::move(each.runner);
    }
    std::erase_if(waiting_, [](const Waiting& each) { return each.runner == nullptr; });
    return std::nullopt;
  }

  /// The output of the blocks that have ended. Call it once.
  PrintedLines& printed() {
    if (free_) receive(*free_);
    return printed_;
  }

 private:
  using Runner = BlockRunner<Hooks>;
  struct Waiting {
    Dim3 block;
    std::unique_ptr<Runner> runner;
  };

  void receive(Runner& runner) { printed_.take(runner.printed()); }

  const Launch& launch_;
  const Bytecode& code_;
  PreparedLaunch& prepared_;
  RunControl& control_;
  Hooks& hooks_;
  std::unique_ptr<Runner> free_;  ///< that none of the waiting blocks uses
  std::vector<Waiting> waiting_;
  PrintedLines printed_{control_.printedCalls};
};

/// Compiled once, in execution.cpp.
extern template class ResidentBlocks<NoHooks>;

}  // namespace lanescope
