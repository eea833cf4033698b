#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/language/check/typed_tree.h"
#include "sim/machine/compile/operations.h"
#include "sim/machine/run/lane_rules.h"
#include "sim/machine/run/observer.h"
#include "sim/machine/run/warp_state.h"
#include "sim/machine/run/watched_memory.h"
#include "sim/memory/access_costs.h"
#include "sim/memory/address.h"

namespace lanescope {

/// Detects that a warp only waits for other threads: it is at an instruction at which it was a moment ago,
/// with the same lanes and the same values in all its registers. It checks rarely, and less often the longer
/// the warp runs; a warp that it misses only waits longer.
class WaitProbe {
 public:
  explicit WaitProbe(std::uint32_t registers)
      : bytes_(std::size_t{registers} * kMaxLanes * sizeof(std::uint32_t)) {}

  static constexpr std::uint64_t kBatch = 4096;  ///< instructions between two calls of look(), at most

  /// The warp continues; returns the number of instructions until look() is to be called.
  std::uint64_t begin(const WarpState& warp) {
    isLooking_ = false;
    batches_ = 0;
    next_ = warp.waits ? 1 : kFirst;
    return warp.waits ? kResumed : kBatch;
  }

  /// The number of instructions until the next call; 0: the warp waits.
  std::uint64_t look(const WarpState& warp) {
    if (!isLooking_) {
      if (warp.active == 0) return 1;  // between the two sides of an if
      if (++batches_ < next_) return kBatch;
      next_ = batches_ + std::min(batches_, kMostBatches);
      keep(warp);
      return 1;
    }
    if (isSame(warp)) return 0;
    isLooking_ = ++looked_ < kWindow;
    return isLooking_ ? 1 : kBatch;
  }

 private:
  static constexpr std::uint64_t kResumed = 64;
  static constexpr std::uint64_t kWindow = 256;  ///< the most instructions in a loop that waits
  static constexpr std::uint64_t kFirst = 4;     ///< the batch after which it first looks
  static constexpr std::uint64_t kMostBatches = 256;

  void keep(const WarpState& warp) {
    isLooking_ = true;
    looked_ = 0;
    pc_ = warp.pc;
    active_ = warp.active;
    calls_ = warp.calls();
    registers_.resize(bytes_);
    std::memcpy(registers_.data(), warp.registers, bytes_);
  }

  bool isSame(const WarpState& warp) const {
    return warp.pc == pc_ && warp.active == active_ && warp.calls() == calls_ &&
           std::memcmp(registers_.data(), warp.registers, bytes_) == 0;
  }

  std::size_t bytes_;
  bool isLooking_ = false;
  std::uint64_t batches_ = 0;
  std::uint64_t next_ = 1;
  std::uint64_t looked_ = 0;
  std::uint32_t pc_ = 0;
  std::uint32_t active_ = 0;
  std::size_t calls_ = 0;
  std::vector<std::byte> registers_;
};

// The most common access in kernels: lane l at some address + l * its size.

/// True when every lane, active or not, has lane 0's value.
inline bool isUniform(const LaneU64* values) {
  std::uint64_t differing = 0;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) differing |= values[lane] ^ values[0];
  return differing == 0;
}

/// True when lane l, active or not, has lane 0's value + l.
inline bool isConsecutive(const LaneU32* values) {
  const std::uint32_t first = values[0];
  std::uint32_t differing = 0;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) differing |= (values[lane] - lane) ^ first;
  return differing == 0;
}

inline bool isContiguous(std::uint32_t mask) {
  const std::uint32_t low = mask >> std::countr_zero(mask);
  return (low & (low + 1)) == 0;
}

/// The costs of such accesses on a machine, computed without a loop over the lanes. The rules stay in
/// sharedCost and globalSectors: if a probe of them disagrees, this class is not used.
class UnitCosts {
 public:
  /// Without `isProbing` nothing applies.
  UnitCosts(const MachineModel& machine, bool isProbing) : sectorBytes_(machine.sectorBytes) {
    if (!isProbing) return;
    isSharedFree_ = machine.warpSize == kMaxLanes && probeShared(machine);
    isSectorCount_ = std::has_single_bit(sectorBytes_) && probeGlobal(machine);
  }

  /// 4 bytes per lane in shared memory: one wavefront for any mask and alignment.
  bool isSharedFree() const { return isSharedFree_; }
  /// True if the sectors are all those from the first byte to the last.
  bool isSectorCount() const { return isSectorCount_; }
  std::uint32_t sectors(std::uint64_t firstByte, std::uint64_t lastByte) const {
    const auto shift = static_cast<unsigned>(std::countr_zero(sectorBytes_));
    return static_cast<std::uint32_t>((lastByte >> shift) - (firstByte >> shift) + 1);
  }

 private:
  static bool probeShared(const MachineModel& machine) {
    std::array<std::uint32_t, kMaxLanes> addresses;
    for (std::uint32_t start = 0; start < kMaxLanes; ++start) {
      for (std::uint32_t lane = 0; lane < kMaxLanes; ++lane) addresses[lane] = 4 * (start + lane);
      for (const AccessKind kind : {AccessKind::Load, AccessKind::Store}) {
        const SharedCost cost = sharedCost(machine, {addresses, ~0u, 4, kind});
        if (cost.wavefronts != 1 || cost.ideal != 1) return false;
      }
    }
    return true;
  }
  bool probeGlobal(const MachineModel& machine) const {
    std::array<std::uint64_t, kMaxLanes> addresses;
    for (const unsigned bytes : {4u, 8u}) {
      for (std::uint64_t start = 0; start < 256; start += bytes) {
        for (unsigned lane = 0; lane < kMaxLanes; ++lane)
          addresses[lane] = start + std::uint64_t{bytes} * lane;
        for (const std::uint32_t mask : {~0u, 0xffffu, 0x7u, 0x10000u, 0xff000000u}) {
          const unsigned low = static_cast<unsigned>(std::countr_zero(mask));
          const unsigned high = 31 - static_cast<unsigned>(std::countl_zero(mask));
          if (globalSectors(machine, addresses, mask, bytes) !=
              sectors(addresses[low], addresses[high] + bytes - 1))
            return false;
        }
      }
    }
    return true;
  }

  std::uint32_t sectorBytes_;
  bool isSharedFree_ = false;
  bool isSectorCount_ = false;
};

/// The value of clock(): the warp instructions of the block. A loop that only waits for it would take minutes
/// in the simulator instead of milliseconds on a GPU, so that time passes faster from the block's 16,384th
/// reading on: each then adds a 64th of what the clock shows.
class BlockClock {
 public:
  std::uint64_t read(std::uint64_t instructions) {
    const std::uint64_t now = instructions + ahead_;
    if (++readings_ > kPatience) ahead_ += now / 64;
    return now;
  }

 private:
  static constexpr std::uint64_t kPatience = 16'384;
  std::uint64_t readings_ = 0;
  std::uint64_t ahead_ = 0;
};

/// Runs one warp at a time through the bytecode: one dispatch per warp for 32 lanes of work.
template <class Hooks>
class WarpRunner {
 public:
  WarpRunner(const Bytecode& code, const MachineModel& machine, RunControl& control, Hooks& hooks)
      : code_(code),
        machine_(machine),
        control_(control),
        hooks_(hooks),
        watch_(code, control),
        printed_(control.printedCalls),
        probe_(code.registers),
        unitCosts_(machine, Hooks::kCounts && !Hooks::kObserves) {}

  void enterBlock(const MemoryView& memory, std::uint64_t block) {
    memory_ = memory;
    watch_.enterBlock(memory.watched, block);
    block_ = block;
    turn_ = 0;
    blockInstructions_ = 0;
    clock_ = {};
  }
  /// The block continues after others of the launch have run.
  void nextTurn() { ++turn_; }
  /// The newest output so far, by block in the order they ran.
  PrintedLines& printed() { return printed_; }

  /// Runs until a barrier, a pause or the end, or until the warp only waits for others: a pause too. Status
  /// says which; a Fault ends the launch.
  std::optional<Fault> run(WarpState& warp);

 private:
#if defined(__x86_64__)
  /// The same loop with vectors of 32 bytes. A multiplication and an addition stay two operations.
  [[gnu::target("avx2,fma")]] std::optional<Fault> runWide(WarpState& warp) { return dispatch(warp); }
#endif
  [[gnu::always_inline]] std::optional<Fault> dispatch(WarpState& warp);

  /// The bytecode instructions that take about as long as one thread's printf.
  static constexpr std::uint64_t kPrintWork = 32;

  static Fault::Kind assertFault(typed::AssertKind kind) {
    switch (kind) {
      case typed::AssertKind::Assertion: break;
      case typed::AssertKind::Trap: return Fault::Kind::Trapped;
      case typed::AssertKind::NoCallee: return Fault::Kind::NoCallee;
    }
    return Fault::Kind::AssertionFailed;
  }
  Fault fault(Fault::Kind kind, const WarpState& warp, const Instruction& i) const {
    return {.kind = kind, .site = i.site, .warp = warp.index};
  }

  /// Where the lanes that a barrier misses have left the code around it: a break or its like, or the test of
  /// a loop; kNoLoop if they are in another branch.
  std::uint32_t findLeft(const WarpState& warp, const Instruction& i) const {
    const std::uint32_t missing = warp.present & ~warp.exited() & ~warp.active;
    std::uint32_t inBranch = 0;
    for (std::uint32_t f = 1; f < warp.depth; ++f) inBranch |= warp.frames[f].other;
    const auto pc = static_cast<std::uint32_t>(&i - code_.code.data());
    if ((missing & inBranch) == 0) {
      const auto loop = loopAround(code_, pc, pc);
      return loop ? loop->site : Fault::kNoLoop;
    }
    if ((missing & ~warp.gone) != 0) return Fault::kNoLoop;
    for (std::uint32_t at = pc; at-- > 0;) {
      const Instruction& park = code_.code[at];
      const std::uint32_t frame = warp.base + static_cast<std::uint32_t>(park.imm);
      if (park.op == Op::Park && frame < warp.depth && (warp.frames[frame].other & missing) != 0)
        return park.site;
    }
    return Fault::kNoLoop;
  }

  std::optional<Fault> charge(const WarpState& warp, const Instruction& i, std::uint64_t count) {
    const std::uint64_t total = control_.instructions.fetch_add(count, std::memory_order_relaxed) + count;
    blockInstructions_ += count;
    const bool isPastBlock = blockInstructions_ > control_.blockLimit;
    if (isPastBlock || total > control_.instructionLimit) {
      Fault limit = fault(Fault::Kind::StepLimit, warp, i);
      limit.isOfBlock = isPastBlock;
      const auto pc = static_cast<std::uint32_t>(&i - code_.code.data());
      if (const auto loop = loopAround(code_, pc, pc)) limit.loop = loop->site;
      return limit;
    }
    if (control_.stop.stop_requested() || control_.failed.load(std::memory_order_relaxed)) {
      return fault(Fault::Kind::Stopped, warp, i);
    }
    return std::nullopt;
  }

  /// Finds the bytes of every active lane; false and fault_ set if an address leads nowhere.
  bool locate(const WarpState& warp, const Instruction& i, const LaneU64* addresses, unsigned bytes,
              bool isStore);

  /// The offsets that an address may have by the object it was formed from; none if it names no object.
  struct Region {
    std::byte* bytes = nullptr;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  /// True for memory behind an array or a buffer that a GPU allocates with it (Launch::paddedTo).
  bool isInPadding(std::uint64_t address, const Region& region, unsigned bytes) const {
    const std::uint64_t unit = control_.paddedTo;
    if (unit == 0 || region.end == 0) return false;
    if (isShared(address)) return (address & kOffsetMask) + bytes <= memory_.shared.size();
    return (address & kOffsetMask) + bytes <= (region.end + unit - 1) / unit * unit;
  }

  /// Records a fault that a GPU passes over: the first one in this thread's blocks is enough.
  void tolerate(const Fault& fault) {
    if (!std::exchange(hasTolerated_, true)) control_.tolerate(fault, block_);
  }

  /// The start of an array, if the active lanes' accesses are all in that one, and aligned; else nullptr.
  /// Leaves isShared_. A lane's byte is at the offset of its address.
  template <class Memory>
  std::byte* arrayOfAll(const WarpState& warp, const LaneU64* addresses);

  /// Empty for a buffer that is watched, unless it is to be found in `buffers`, which has all of them.
  Region findRegion(std::uint64_t address, std::span<const std::span<std::byte>> buffers) const;
  Region findRegion(std::uint64_t address) const { return findRegion(address, memory_.unwatched); }
  bool isConstantMemory(std::uint64_t address) const;
  /// True if every active lane's address, of those kept, is in constant memory.
  bool readsConstants(const WarpState& warp) const;

  /// Sets fault_; false.
  bool failAt(Fault::Kind kind, const WarpState& warp, const Instruction& i, std::size_t lane,
              std::uint64_t address = 0, unsigned bytes = 0, bool isStore = false);

  template <class Memory, class Register>
  bool load(const WarpState& warp, const Instruction& i) {
    return warp.active == 0 || loadFrom<Memory, Register>(warp, i, warp.lanes<LaneU64>(i.a));
  }

  template <class Memory, class Register>
  bool loadFrom(const WarpState& warp, const Instruction& i, const LaneU64* addresses);

  template <class Memory, class Register>
  bool store(const WarpState& warp, const Instruction& i) {
    return warp.active == 0 || storeTo<Memory, Register>(warp, i, warp.lanes<LaneU64>(i.a), i.b);
  }

  template <class Memory, class Register>
  bool storeTo(const WarpState& warp, const Instruction& i, const LaneU64* addresses, std::uint16_t from);

  /// LoadAt and StoreAt: the address is base + index * scale. Adjacent lanes at adjacent addresses are
  /// checked, copied and counted at once; all other accesses go lane by lane.
  template <class Value, class Index>
  bool loadAt(const WarpState& warp, const Instruction& i);

  template <class Value, class Index>
  bool storeAt(const WarpState& warp, const Instruction& i);

  template <class Index>
  void findAddresses(const WarpState& warp, const Instruction& i);

  /// The element of the lowest active lane if the active lanes access adjacent elements and all of them are
  /// inside one array; else nullptr. Leaves isShared_ and unitAddress_, the element's address.
  template <class Value, class Index>
  std::byte* unitBytes(const WarpState& warp, const Instruction& i);

  template <class Value>
  static void moveUnit(std::uint32_t active, std::byte* to, const std::byte* from);

  template <AccessKind kKind, class Value>
  void tellUnit(const WarpState& warp, const Instruction& i);

  /// The result of a load may overwrite the register that held its addresses.
  void keepAddresses(const LaneU64* addresses);

  /// The operands of an atomic.
  static SharedAtomic toSharedAtomic(const Instruction& i);

  template <AccessKind kKind>
  void tellAccess(const WarpState& warp, const Instruction& i, unsigned bytes, std::uint16_t reg,
                  bool isResultUsed = false);

  /// The byte at an address of the lane's own memory; null and fault_ set if there is none.
  std::byte* localByte(const WarpState& warp, const Instruction& i, std::size_t lane, std::uint64_t address,
                       unsigned bytes, bool isStore);

  static bool hasEnded(const WarpState& warp, const LocalVariable& local, std::size_t lane);

  /// One variable in the local memory of a warp's threads, looked up once for all lanes.
  struct LocalWindow {
    std::uint64_t start = 0;         ///< its address in the warp's first thread
    std::uint64_t offsets = 0;       ///< at which an access may begin; 0: there is no such variable
    std::byte* bytes = nullptr;      ///< its first byte
    const LaneU32* ended = nullptr;  ///< 1 in lanes in which it has ended; null if it cannot
  };
  LocalWindow localWindow(const WarpState& warp, std::uint64_t address, unsigned bytes) const;

  /// localByte() of a lane's address, through the window if the address is in it.
  template <class Memory>
  std::byte* localPlace(const LocalWindow& window, const WarpState& warp, const Instruction& i,
                        std::size_t lane, bool isStore);

  static std::size_t firstLane(const WarpState& warp) {
    return static_cast<std::size_t>(std::countr_zero(warp.active));
  }

  /// Copies between a lane's own memory, whose words lie kMaxLanes apart, and a value.
  template <bool kStores, class Memory>
  static void moveLocal(std::byte* at, Memory& value);

  template <class Memory, class Register>
  bool loadLocal(const WarpState& warp, const Instruction& i, const LaneU64* addresses);

  template <class Memory, class Register>
  bool storeLocal(const WarpState& warp, const Instruction& i, const LaneU64* addresses, std::uint16_t from);

  template <AccessKind kKind>
  void tellLocal(const WarpState& warp, const Instruction& i, unsigned bytes, std::uint16_t reg);

  /// One access of several elements per lane: LoadVector and StoreVector.
  template <AccessKind kKind>
  bool moveVector(const WarpState& warp, const Instruction& i);

  void moveElements(const WarpState& warp, const Instruction& i, VectorShape shape, std::size_t lane,
                    bool isStore, bool local);

  /// The reason the run ends at a warp-wide operation that was not done: a fault, or a part that waits for
  /// the rest.
  [[gnu::noinline, gnu::cold]] std::optional<Fault> stopped(WarpState& warp, const Instruction& i,
                                                            std::uint64_t done) {
    if (!warp.meets) return fault_;
    --warp.pc;
    warp.status = WarpStatus::Paused;
    return charge(warp, i, done);
  }

  /// True if a part of a warp has to wait for the others before this operation.
  [[gnu::noinline, gnu::cold]] static bool meetsRest(WarpState& warp) {
    warp.meets = warp.active != 0 && !std::exchange(warp.passes, false);
    return warp.meets;
  }

  /// A tile's threads exchange within one warp; false and fault_ set if the machine's warp is too narrow.
  /// Also false for a part of a warp that has to wait for the others.
  bool tileFits(WarpState& warp, const Instruction& i) {
    if (warp.isPart && meetsRest(warp)) [[unlikely]]
      return false;
    const unsigned threads = ExchangeShape::of(i.imm).tileThreads;
    if (threads <= machine_.warpSize || warp.active == 0) return true;
    return failAt(Fault::Kind::TileTooWide, warp, i, firstLane(warp), threads);
  }

  bool atomic(const WarpState& warp, const Instruction& i) {
    switch (AtomicShape::of(i.imm).type) {
      case Type::Kind::I32: return atomicAs<std::int32_t, LaneI32>(warp, i);
      case Type::Kind::F32: return atomicAs<float, LaneF32>(warp, i);
      case Type::Kind::F64: return atomicAs<double, LaneF64>(warp, i);
      case Type::Kind::I8: return atomicAs<std::int8_t, LaneI32>(warp, i);
      case Type::Kind::Bool:
      case Type::Kind::U8: return atomicAs<std::uint8_t, LaneU32>(warp, i);
      case Type::Kind::I16: return atomicAs<std::int16_t, LaneI32>(warp, i);
      case Type::Kind::U16: return atomicAs<std::uint16_t, LaneU32>(warp, i);
      case Type::Kind::F16: return atomicAs<Half, LaneU32>(warp, i);
      case Type::Kind::BF16: return atomicAs<BFloat16, LaneU32>(warp, i);
      case Type::Kind::I64: return atomicAs<std::int64_t, LaneI64>(warp, i);
      case Type::Kind::U64: return atomicAs<std::uint64_t, LaneU64>(warp, i);
      default: return atomicAs<std::uint32_t, LaneU32>(warp, i);
    }
  }

  /// Lanes are serialized, lowest first. Blocks may run on several host threads: global words are exchanged
  /// atomically.
  template <class T, class Register>
  bool atomicAs(const WarpState& warp, const Instruction& i);

  /// Votes over the active lanes in each lane's mask.
  template <class T>
  void vote(const WarpState& warp, const Instruction& i);

  template <class T>
  static std::uint32_t computeVote(typed::VoteOp op, bool isSigned, std::uint32_t mask, const T* values,
                                   unsigned own);

  template <class T>
  void math(const WarpState& warp, const Instruction& i);

  template <class T>
  void bits(const WarpState& warp, const Instruction& i);

  bool print(const WarpState& warp, const Instruction& i);

  /// The text at a lane's address, up to its NUL; nullopt and fault_ set if there is none.
  std::optional<std::string> textAt(const WarpState& warp, const Instruction& i, std::size_t lane,
                                    std::uint64_t address);

  template <class T>
  bool shuffle(const WarpState& warp, const Instruction& i);

  // warp_dispatch.h: the heap, and functions that can call themselves
  static void push(const WarpState& warp, const Instruction& i);
  static void pop(const WarpState& warp, const Instruction& i);
  bool enterCall(WarpState& warp, const Instruction& i);
  void frameAddress(const WarpState& warp, const Instruction& i) const;
  void allocate(const WarpState& warp, const Instruction& i);
  bool release(const WarpState& warp, const Instruction& i);

  /// Tells the counters and the observers.
  [[gnu::always_inline]] void tell(const WarpState& warp, const Instruction& i, Event event) {
    if constexpr (Hooks::kCounts) {
      event.warpSize = machine_.warpSize;
      hooks_.count(i.site, event);
      if constexpr (Hooks::kObserves) {  // who observes knows the buffers' own bytes
        if (!std::exchange(isPast_, false)) hooks_.observer->tell(&Observer::happened, warp, i, event);
      }
    }
  }
  void tellBranch(const WarpState& warp, const Instruction& i, std::uint32_t active, std::uint32_t taken) {
    if (active != 0) tell(warp, i, {.kind = StepKind::Branch, .active = active, .taken = taken});
  }
  /// Does nothing if no lane is active.
  void notifyObserver(StepKind kind, const WarpState& warp, const Instruction& i) {
    if (warp.active != 0) tell(warp, i, {.kind = kind, .active = warp.active});
  }

  std::uint32_t lanesThatHold(const WarpState& warp, std::uint16_t reg) const {
    return lane::computeMask(warp.lanes<LaneU32>(reg), warp.lanes<LaneU32>(reg),
                             [](auto a, auto) { return a != 0; }) &
           warp.active;
  }

  void beginIf(WarpState& warp, const Instruction& i, std::uint32_t taken) {
    const std::uint32_t active = warp.active;
    warp.frames[warp.depth++] = {active, active & ~taken};
    warp.active = taken;
    tellBranch(warp, i, active, taken);
    if (taken == 0) warp.pc = static_cast<std::uint32_t>(i.imm);
  }

  void testLoop(WarpState& warp, const Instruction& i, std::uint32_t taken) {
    const std::uint32_t active = warp.active;
    warp.active = taken;
    tellBranch(warp, i, active, taken);
    if (taken == 0) warp.pc = static_cast<std::uint32_t>(i.imm);
  }

  const Bytecode& code_;
  const MachineModel& machine_;
  RunControl& control_;
  Hooks& hooks_;
  MemoryView memory_;
  std::uint64_t block_ = 0;
  std::uint32_t turn_ = 0;               ///< how often the block has continued
  std::uint64_t blockInstructions_ = 0;  ///< of the block so far
  MemoryWatch watch_;
  BlockClock clock_;
  PrintedLines printed_;
  bool isShared_ = false;
  bool isPast_ = false;  ///< the access reaches a buffer's padding
  bool hasTolerated_ = false;
  Fault fault_{};
  std::array<std::byte*, kMaxLanes> bytes_{};
  std::array<std::uint64_t, kMaxLanes> addresses_{};
  std::array<std::uint32_t, kMaxLanes> offsets_{};
  WaitProbe probe_;
  UnitCosts unitCosts_;
  std::uint64_t unitAddress_ = 0;
  alignas(64) std::array<std::uint64_t, kMaxLanes> computed_{};
};

/// Compiled once, in execution.cpp: the loop is long.
extern template std::optional<Fault> WarpRunner<NoHooks>::run(WarpState& warp);

}  // namespace lanescope
