#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <optional>

#include "sim/language/print_format.h"
#include "sim/machine/hooks.h"
#include "sim/machine/lane_functions.h"
#include "sim/machine/lane_operations.h"
#include "sim/machine/unit_access.h"
#include "sim/memory/address.h"
#include "sim/memory/global_sectors.h"

namespace lanescope {

/// What ended a launch early, for a sentence to be made of.
struct Fault {
  enum class Kind : std::uint8_t {
    OutOfBounds,
    Misaligned,
    ForeignLocal,  ///< local memory of another thread
    EndedLocal,    ///< a local variable whose scope the thread has left
    MixedSpaces,
    DivergentBarrier,
    AssertionFailed,
    ShuffleWidth,
    TileTooWide,
    StepLimit,
    Stopped
  } kind;
  std::uint32_t site = 0;
  std::uint32_t warp = 0;
  std::uint32_t lane = 0;
  std::uint32_t lanes = 0;    ///< DivergentBarrier: those that reached it
  std::uint64_t address = 0;  ///< ShuffleWidth: the width; TileTooWide: the tile's threads
  std::uint8_t bytes = 0;
  bool isStore = false;
  bool isOfBlock = false;  ///< StepLimit: that of one block, not of the launch
};

/// What one thread printed by one call of printf.
struct Printed {
  std::uint64_t block = 0;   ///< linear index
  std::uint32_t thread = 0;  ///< linear index in the block
  std::uint32_t site = 0;
  std::string text;
};

/// What the threads that simulate a launch share.
struct RunControl {
  std::uint64_t instructionLimit = 0;
  std::uint64_t blockLimit = UINT64_MAX;  ///< instructions of one block
  std::stop_token stop;
  std::atomic<std::uint64_t> instructions{0};
  std::atomic<bool> failed{false};  ///< another thread met a fault
};

/// Runs one warp at a time through the bytecode: one dispatch a warp, 32 lanes of work in it.
template <class Hooks>
class WarpRunner {
 public:
  WarpRunner(const Bytecode& code, const MachineModel& machine, RunControl& control, Hooks& hooks)
      : code_(code),
        machine_(machine),
        control_(control),
        hooks_(hooks),
        unitCosts_(machine, Hooks::kCounts) {}

  void enterBlock(const MemoryView& memory, std::uint64_t block) {
    memory_ = memory;
    block_ = block;
    blockInstructions_ = 0;
  }
  /// What was printed so far, by block in the order they ran; the first kMaxPrinted calls.
  std::vector<Printed>& printed() { return printed_; }

  /// Runs until a barrier, a pause or the end. Status tells which; a Fault ends the launch.
  std::optional<Fault> run(WarpState& warp);

 private:
  static constexpr std::size_t kMaxPrinted = 10'000;
  static constexpr std::uint64_t kBatch = 4096;  ///< instructions between looks at the shared control

  Fault fault(Fault::Kind kind, const WarpState& warp, const Instruction& i) const {
    return {.kind = kind, .site = i.site, .warp = warp.index};
  }

  std::optional<Fault> charge(const WarpState& warp, const Instruction& i, std::uint64_t count) {
    const std::uint64_t total = control_.instructions.fetch_add(count, std::memory_order_relaxed) + count;
    blockInstructions_ += count;
    const bool isPastBlock = blockInstructions_ > control_.blockLimit;
    if (isPastBlock || total > control_.instructionLimit) {
      Fault limit = fault(Fault::Kind::StepLimit, warp, i);
      limit.isOfBlock = isPastBlock;
      return limit;
    }
    if (control_.stop.stop_requested() || control_.failed.load(std::memory_order_relaxed)) {
      return fault(Fault::Kind::Stopped, warp, i);
    }
    return std::nullopt;
  }

  /// Finds the bytes of every active lane; false and fault_ set where one leads nowhere.
  bool locate(const WarpState& warp, const Instruction& i, const LaneU64* addresses, unsigned bytes,
              bool isStore) {
    std::uint64_t tag = ~std::uint64_t{0};
    Region region;
    isShared_ = isShared(addresses[std::countr_zero(warp.active)]);
    for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint64_t address = addresses[lane];
      if (address >> kOffsetBits != tag) {
        tag = address >> kOffsetBits;
        region = regionOf(address);
        if (isShared(address) != isShared_)
          return accessFault(Fault::Kind::MixedSpaces, warp, i, lane, address, bytes, isStore);
      }
      const std::uint64_t offset = address & kOffsetMask;
      if (offset < region.begin || offset + bytes > region.end) {
        return accessFault(Fault::Kind::OutOfBounds, warp, i, lane, address, bytes, isStore);
      }
      if (offset % bytes != 0)
        return accessFault(Fault::Kind::Misaligned, warp, i, lane, address, bytes, isStore);
      bytes_[lane] = region.bytes + offset;
    }
    return true;
  }

  /// The offsets that an address may have by the object it was formed from; none where it names no object.
  struct Region {
    std::byte* bytes = nullptr;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  Region regionOf(std::uint64_t address) const {
    if (isShared(address)) {
      const std::uint64_t object = sharedObject(address);
      if (object >= memory_.sharedObjects.size()) return {};
      const SharedExtent extent = memory_.sharedObjects[object];
      return {memory_.shared.data(), extent.begin, extent.end};
    }
    const std::uint64_t buffer = (address >> kOffsetBits) - 1;
    if (buffer >= memory_.buffers.size()) return {};
    return {memory_.buffers[buffer].data(), 0, memory_.buffers[buffer].size()};
  }

  bool accessFault(Fault::Kind kind, const WarpState& warp, const Instruction& i, std::size_t lane,
                   std::uint64_t address, unsigned bytes, bool isStore) {
    fault_ = fault(kind, warp, i);
    fault_.lane = static_cast<std::uint32_t>(lane);
    fault_.address = address;
    fault_.bytes = static_cast<std::uint8_t>(bytes);
    fault_.isStore = isStore;
    return false;
  }

  template <class Memory, class Register>
  bool load(const WarpState& warp, const Instruction& i) {
    return warp.active == 0 || loadFrom<Memory, Register>(warp, i, warp.lanes<LaneU64>(i.a));
  }

  template <class Memory, class Register>
  bool loadFrom(const WarpState& warp, const Instruction& i, const LaneU64* addresses) {
    if (isLocal(addresses[std::countr_zero(warp.active)]))
      return loadLocal<Memory, Register>(warp, i, addresses);
    if (!locate(warp, i, addresses, sizeof(Memory), false)) return false;
    keepAddresses(warp, addresses);
    Register* dst = warp.lanes<Register>(i.dst);
    for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      Memory value;
      std::memcpy(&value, bytes_[lane], sizeof value);
      dst[lane] = static_cast<Register>(value);
    }
    tellAccess(warp, i, AccessKind::Load, sizeof(Memory), i.dst);
    return true;
  }

  template <class Memory, class Register>
  bool store(const WarpState& warp, const Instruction& i) {
    return warp.active == 0 || storeTo<Memory, Register>(warp, i, warp.lanes<LaneU64>(i.a), i.b);
  }

  template <class Memory, class Register>
  bool storeTo(const WarpState& warp, const Instruction& i, const LaneU64* addresses, std::uint16_t from) {
    if (isLocal(addresses[std::countr_zero(warp.active)]))
      return storeLocal<Memory, Register>(warp, i, addresses, from);
    if (!locate(warp, i, addresses, sizeof(Memory), true)) return false;
    keepAddresses(warp, addresses);
    const Register* value = warp.lanes<Register>(from);
    for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const auto narrow = static_cast<Memory>(value[lane]);
      std::memcpy(bytes_[lane], &narrow, sizeof narrow);
    }
    tellAccess(warp, i, AccessKind::Store, sizeof(Memory), from);
    return true;
  }

  /// LoadAt and StoreAt: the address is base + index * scale. Neighbouring lanes at neighbouring places
  /// are checked, moved and counted at once; all else goes lane by lane.
  template <class Value, class Index>
  bool loadAt(const WarpState& warp, const Instruction& i) {
    if (warp.active == 0) return true;
    Value* const dst = warp.lanes<Value>(i.dst);
    if (const std::byte* const from = unitBytes<Value, Index>(warp, i)) {
      moveUnit<Value>(warp.active, reinterpret_cast<std::byte*>(dst + std::countr_zero(warp.active)), from);
      tellUnit<Value>(warp, i, AccessKind::Load);
      return true;
    }
    findAddresses<Index>(warp, i);
    return loadFrom<Value, Value>(warp, i, computed_.data());
  }

  template <class Value, class Index>
  bool storeAt(const WarpState& warp, const Instruction& i) {
    if (warp.active == 0) return true;
    if (std::byte* const to = unitBytes<Value, Index>(warp, i)) {
      const Value* const from = warp.lanes<Value>(i.c) + std::countr_zero(warp.active);
      moveUnit<Value>(warp.active, to, reinterpret_cast<const std::byte*>(from));
      tellUnit<Value>(warp, i, AccessKind::Store);
      return true;
    }
    findAddresses<Index>(warp, i);
    return storeTo<Value, Value>(warp, i, computed_.data(), i.c);
  }

  template <class Index>
  void findAddresses(const WarpState& warp, const Instruction& i) {
    const LaneU64* base = warp.lanes<LaneU64>(i.a);
    const Index* index = warp.lanes<Index>(i.b);
    const auto scale = static_cast<std::uint64_t>(i.imm);
    for (unsigned lane = 0; lane < kMaxLanes; ++lane)
      computed_[lane] =
          base[lane] + static_cast<std::uint64_t>(static_cast<std::int64_t>(index[lane])) * scale;
  }

  /// The element of the lowest active lane when the active lanes ask for neighbours and all of them are
  /// inside one array; else nullptr. Leaves isShared_ and unitAddress_, the element's address.
  template <class Value, class Index>
  std::byte* unitBytes(const WarpState& warp, const Instruction& i) {
    constexpr std::uint64_t kSize = sizeof(Value);
    const auto low = static_cast<unsigned>(std::countr_zero(warp.active));
    const unsigned high = 31 - static_cast<unsigned>(std::countl_zero(warp.active));
    const LaneU64* base = warp.lanes<LaneU64>(i.a);
    const Index* index = warp.lanes<Index>(i.b);
    if (low != high) {
      if (i.imm != static_cast<std::int64_t>(kSize) || !isUniform(base) ||
          !isConsecutive(warp.lanes<LaneU32>(i.b)) || index[high] < index[low])
        return nullptr;
    }
    const std::uint64_t first =
        base[low] +
        static_cast<std::uint64_t>(static_cast<std::int64_t>(index[low])) * static_cast<std::uint64_t>(i.imm);
    isShared_ = isShared(first);
    const Region region = regionOf(first);
    const std::uint64_t offset = first & kOffsetMask;
    if (offset % kSize != 0 || offset < region.begin || offset + (high - low + 1) * kSize > region.end)
      return nullptr;
    unitAddress_ = first;
    return region.bytes + offset;
  }

  template <class Value>
  static void moveUnit(std::uint32_t active, std::byte* to, const std::byte* from) {
    if (active == ~0u) {
      std::memcpy(to, from, kMaxLanes * sizeof(Value));
      return;
    }
    for (std::uint32_t rest = active >> std::countr_zero(active); rest != 0; rest &= rest - 1) {
      const auto at = static_cast<std::size_t>(std::countr_zero(rest)) * sizeof(Value);
      std::memcpy(to + at, from + at, sizeof(Value));
    }
  }

  template <class Value>
  void tellUnit(const WarpState& warp, const Instruction& i, AccessKind kind) {
    if constexpr (Hooks::kCounts) {
      if (isShared_ && sizeof(Value) == 4 && unitCosts_.isSharedFree()) {
        hooks_.shared(i.site, warp.active, kind, {1, 1});
      } else if (!isShared_ && unitCosts_.isSectorCount() && isContiguous(warp.active)) {
        const auto bytes = static_cast<unsigned>(std::popcount(warp.active)) * sizeof(Value);
        hooks_.global(i.site, warp.active, kind, unitCosts_.sectors(unitAddress_, unitAddress_ + bytes - 1));
      } else {
        const auto low = static_cast<unsigned>(std::countr_zero(warp.active));
        for (unsigned lane = 0; lane < kMaxLanes; ++lane)
          computed_[lane] = unitAddress_ + (std::uint64_t{lane} - low) * sizeof(Value);
        keepAddresses(warp, computed_.data());
        tellAccess(warp, i, kind, sizeof(Value), i.dst);
      }
    }
  }

  /// The result of a load may overwrite the register that held its addresses.
  void keepAddresses(const WarpState& warp, const LaneU64* addresses) {
    if constexpr (!Hooks::kCounts) return;
    if (isShared_) {
      for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        offsets_[lane] = static_cast<std::uint32_t>(addresses[lane] & kOffsetMask);
      }
      if constexpr (!Hooks::kObserves) return;
    }
    std::memcpy(addresses_.data(), addresses, sizeof addresses_);
  }

  /// Operands that an atomic carries to memory.
  static unsigned operandsOf(const Instruction& i) {
    const bool isCompareSwap =
        i.op == Op::Atomic && AtomicShape::of(i.imm).op == typed::AtomicOp::CompareSwap;
    return isCompareSwap ? 2 : 1;
  }

  void tellAccess(const WarpState& warp, const Instruction& i, AccessKind kind, unsigned bytes,
                  std::uint16_t reg, bool isResultUsed = false) {
    if constexpr (Hooks::kCounts) {
      AccessEvent event;
      event.kind = kind;
      event.isShared = isShared_;
      event.bytes = static_cast<std::uint8_t>(bytes);
      event.active = warp.active;
      event.addresses = addresses_.data();
      event.valueRegister = reg;
      event.isResultUsed = isResultUsed;
      if (isShared_) {
        event.sharedCost =
            sharedCost(machine_, {offsets_, warp.active, bytes, kind, isResultUsed, operandsOf(i)});
      } else if (kind == AccessKind::Atomic) {
        event.sectors = reductionSectors(machine_, addresses_, warp.active, bytes);
      } else {
        event.sectors = globalSectors(machine_, addresses_, warp.active, bytes);
      }
      if (isShared_) {
        hooks_.shared(i.site, warp.active, kind, event.sharedCost);
      } else {
        hooks_.global(i.site, warp.active, kind, event.sectors, isResultUsed);
      }
      if constexpr (Hooks::kObserves) hooks_.observer->accessDone(warp, i, event);
    }
  }

  /// Where a byte of the lane's own memory is; null and fault_ set where nothing is.
  std::byte* localByte(const WarpState& warp, const Instruction& i, std::size_t lane, std::uint64_t address,
                       unsigned bytes, bool isStore) {
    const std::uint64_t local = localIndex(address);
    const std::uint64_t offset = address & kOffsetMask;
    if (!isLocal(address)) {
      accessFault(Fault::Kind::MixedSpaces, warp, i, lane, address, bytes, isStore);
    } else if (local >= code_.locals.size() || offset + bytes > code_.locals[local].type->size) {
      accessFault(Fault::Kind::OutOfBounds, warp, i, lane, address, bytes, isStore);
    } else if (offset % bytes != 0) {
      accessFault(Fault::Kind::Misaligned, warp, i, lane, address, bytes, isStore);
    } else if (localThread(address) != warp.index * machine_.warpSize + lane) {
      accessFault(Fault::Kind::ForeignLocal, warp, i, lane, address, bytes, isStore);
    } else if (hasEnded(warp, code_.locals[local], lane)) {
      accessFault(Fault::Kind::EndedLocal, warp, i, lane, address, bytes, isStore);
    } else {
      const std::uint64_t at = code_.locals[local].byteOffset + offset;
      return warp.local + (at / 4 * kMaxLanes + lane) * 4 + at % 4;
    }
    return nullptr;
  }

  static bool hasEnded(const WarpState& warp, const LocalVariable& local, std::size_t lane) {
    return local.endedRegister != LocalVariable::kNoRegister &&
           warp.lanes<LaneU32>(local.endedRegister)[lane] != 0;
  }

  /// Copies between a lane's own memory, whose words lie kMaxLanes apart, and a value.
  template <bool kStores, class Memory>
  static void moveLocal(std::byte* at, Memory& value) {
    constexpr std::size_t kPiece = std::min<std::size_t>(sizeof(Memory), 4);
    for (std::size_t done = 0; done < sizeof(Memory); done += kPiece, at += 4 * kMaxLanes) {
      std::byte* const piece = reinterpret_cast<std::byte*>(&value) + done;
      std::memcpy(kStores ? at : piece, kStores ? piece : at, kPiece);
    }
  }

  template <class Memory, class Register>
  bool loadLocal(const WarpState& warp, const Instruction& i, const LaneU64* addresses) {
    std::memcpy(addresses_.data(), addresses, sizeof addresses_);
    for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      std::byte* const at = localByte(warp, i, lane, addresses_[lane], sizeof(Memory), false);
      if (at == nullptr) return false;
      Memory value;
      moveLocal<false>(at, value);
      warp.lanes<Register>(i.dst)[lane] = static_cast<Register>(value);
    }
    tellLocal(warp, i, AccessKind::Load, sizeof(Memory), i.dst);
    return true;
  }

  template <class Memory, class Register>
  bool storeLocal(const WarpState& warp, const Instruction& i, const LaneU64* addresses, std::uint16_t from) {
    std::memcpy(addresses_.data(), addresses, sizeof addresses_);
    for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      std::byte* const at = localByte(warp, i, lane, addresses_[lane], sizeof(Memory), true);
      if (at == nullptr) return false;
      auto value = static_cast<Memory>(warp.lanes<Register>(from)[lane]);
      moveLocal<true>(at, value);
    }
    if constexpr (Hooks::kCounts) hooks_.step(i.site, warp.active);
    tellLocal(warp, i, AccessKind::Store, sizeof(Memory), from);
    return true;
  }

  void tellLocal(const WarpState& warp, const Instruction& i, AccessKind kind, unsigned bytes,
                 std::uint16_t reg) {
    if constexpr (Hooks::kObserves) {
      AccessEvent event;
      event.kind = kind;
      event.bytes = static_cast<std::uint8_t>(bytes);
      event.active = warp.active;
      event.addresses = addresses_.data();
      event.valueRegister = reg;
      hooks_.observer->localAccessDone(warp, i, event);
    }
  }

  /// One access of several elements a lane: LoadVector and StoreVector.
  bool moveVector(const WarpState& warp, const Instruction& i, bool isStore) {
    if (warp.active == 0) return true;
    const VectorShape shape = VectorShape::of(i.imm);
    std::memcpy(addresses_.data(), warp.lanes<LaneU64>(i.a), sizeof addresses_);
    const bool local = isLocal(addresses_[static_cast<std::size_t>(std::countr_zero(warp.active))]);
    if (!local) {
      if (!locate(warp, i, warp.lanes<LaneU64>(i.a), shape.bytes(), isStore)) return false;
      keepAddresses(warp, warp.lanes<LaneU64>(i.a));
    }
    for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      if (local) {
        bytes_[lane] = localByte(warp, i, lane, addresses_[lane], shape.bytes(), isStore);
        if (bytes_[lane] == nullptr) return false;
      }
      moveElements(warp, i, shape, lane, isStore, local);
    }
    const std::uint16_t reg = isStore ? i.b : i.dst;
    const AccessKind kind = isStore ? AccessKind::Store : AccessKind::Load;
    if (local) {
      tellLocal(warp, i, kind, shape.bytes(), reg);
    } else {
      tellAccess(warp, i, kind, shape.bytes(), reg);
    }
    return true;
  }

  void moveElements(const WarpState& warp, const Instruction& i, VectorShape shape, std::size_t lane,
                    bool isStore, bool local) {
    const unsigned size = shape.elementBytes;
    for (unsigned e = 0; e < shape.elements; ++e) {
      const std::size_t offset = std::size_t{e} * size;
      std::byte* const at = bytes_[lane] + (local ? offset / 4 * kMaxLanes * 4 + offset % 4 : offset);
      const auto reg = static_cast<std::uint16_t>((isStore ? i.b : i.dst) + e * (size == 8 ? 2 : 1));
      std::uint64_t value = 0;
      if (isStore) {
        value = size == 8 ? warp.lanes<LaneU64>(reg)[lane] : warp.lanes<LaneU32>(reg)[lane];
        if (size == 8 && local) {
          moveLocal<true>(at, value);
        } else {
          std::memcpy(at, &value, size);
        }
        continue;
      }
      if (size == 8 && local) {
        moveLocal<false>(at, value);
      } else {
        std::memcpy(&value, at, size);
      }
      if (size == 8) {
        warp.lanes<LaneU64>(reg)[lane] = value;
      } else {
        const unsigned unused = 32 - 8 * size;
        const auto raised = static_cast<std::uint32_t>(value) << unused;
        warp.lanes<LaneU32>(reg)[lane] =
            shape.isSigned ? static_cast<std::uint32_t>(static_cast<std::int32_t>(raised) >> unused)
                           : raised >> unused;
      }
    }
  }

  /// A tile's threads exchange within one warp; false and fault_ set where the machine's is too narrow.
  bool tileFits(const WarpState& warp, const Instruction& i) {
    const unsigned threads = ExchangeShape::of(i.imm).tileThreads;
    if (threads <= machine_.warpSize || warp.active == 0) return true;
    fault_ = fault(Fault::Kind::TileTooWide, warp, i);
    fault_.lane = static_cast<std::uint32_t>(std::countr_zero(warp.active));
    fault_.address = threads;
    return false;
  }

  bool atomic(const WarpState& warp, const Instruction& i) {
    switch (AtomicShape::of(i.imm).type) {
      case Type::Kind::I32: return atomicAs<std::int32_t, LaneI32>(warp, i);
      case Type::Kind::F32: return atomicAs<float, LaneF32>(warp, i);
      case Type::Kind::F64: return atomicAs<double, LaneF64>(warp, i);
      case Type::Kind::I64: return atomicAs<std::int64_t, LaneI64>(warp, i);
      case Type::Kind::U64: return atomicAs<std::uint64_t, LaneU64>(warp, i);
      default: return atomicAs<std::uint32_t, LaneU32>(warp, i);
    }
  }

  /// Lanes go one after the other, lowest first. Blocks may run on several host threads: global words
  /// are exchanged atomically.
  template <class T, class Register>
  bool atomicAs(const WarpState& warp, const Instruction& i) {
    if (warp.active == 0) return true;
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    const AtomicShape shape = AtomicShape::of(i.imm);
    const LaneU64* addresses = warp.lanes<LaneU64>(i.a);
    if (!locate(warp, i, addresses, sizeof(T), true)) return false;
    keepAddresses(warp, addresses);
    for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const T operand = warp.lanes<Register>(i.b)[lane];
      const T other = shape.op == typed::AtomicOp::CompareSwap ? warp.lanes<Register>(i.c)[lane] : T{};
      const std::atomic_ref<Bits> word(*reinterpret_cast<Bits*>(bytes_[lane]));
      Bits old = word.load(std::memory_order_relaxed);
      while (!word.compare_exchange_weak(
          old, std::bit_cast<Bits>(lane::atomicResult<T>(shape.op, std::bit_cast<T>(old), operand, other)),
          std::memory_order_relaxed)) {
      }
      warp.lanes<Register>(i.dst)[lane] = std::bit_cast<T>(old);
    }
    tellAccess(warp, i, AccessKind::Atomic, sizeof(T), i.dst, shape.isResultUsed);
    return true;
  }

  /// Votes over the lanes of each lane's mask that are active.
  template <class T>
  void vote(const WarpState& warp, const Instruction& i) {
    if (warp.active == 0) return;
    const ExchangeShape shape = ExchangeShape::of(i.imm);
    const auto op = static_cast<typed::VoteOp>(shape.kind);
    std::array<std::uint32_t, kMaxLanes> result{};
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((warp.active >> lane & 1u) == 0) continue;
      const std::uint32_t mask =
          op == typed::VoteOp::ActiveMask ? warp.active : warp.lanes<LaneU32>(i.d)[lane] & warp.active;
      result[lane] = voteOf<T>(op, shape.isSigned, mask, warp.lanes<T>(i.a), lane);
    }
    std::memcpy(warp.lanes<LaneU32>(i.dst), result.data(), sizeof result);
    if constexpr (Hooks::kCounts) hooks_.step(i.site, warp.active);
    if constexpr (Hooks::kObserves) hooks_.observer->voted(warp, i);
  }

  template <class T>
  static std::uint32_t voteOf(typed::VoteOp op, bool isSigned, std::uint32_t mask, const T* values,
                              unsigned own) {
    using typed::VoteOp;
    if (op == VoteOp::ActiveMask) return mask;
    std::uint32_t holding = 0;
    bool isFirst = true;
    std::uint32_t total = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const auto value = static_cast<std::uint32_t>(values[lane]);
      if (op == VoteOp::MatchAny ? values[lane] == values[own] : value != 0) holding |= 1u << lane;
      total = std::exchange(isFirst, false) ? value : reduced(op, isSigned, total, value);
    }
    if (op == VoteOp::Any) return holding != 0 ? 1 : 0;
    if (op == VoteOp::All) return holding == mask ? 1 : 0;
    return op <= VoteOp::MatchAny ? holding : total;
  }

  static std::uint32_t reduced(typed::VoteOp op, bool isSigned, std::uint32_t a, std::uint32_t b) {
    using typed::VoteOp;
    const bool less = isSigned ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
    switch (op) {
      case VoteOp::ReduceAdd: return a + b;
      case VoteOp::ReduceMinimum: return less ? a : b;
      case VoteOp::ReduceMaximum: return less ? b : a;
      case VoteOp::ReduceAnd: return a & b;
      case VoteOp::ReduceOr: return a | b;
      default: return a ^ b;
    }
  }

  template <class T>
  void math(const WarpState& warp, const Instruction& i) {
    const auto op = static_cast<typed::MathOp>(i.imm);
    const bool isTest = op == typed::MathOp::IsNan || op == typed::MathOp::IsInf;
    for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const T a = warp.lanes<T>(i.a)[lane];
      if (isTest) {
        warp.lanes<LaneU32>(i.dst)[lane] = op == typed::MathOp::IsNan ? std::isnan(a) : std::isinf(a);
      } else {
        warp.lanes<T>(i.dst)[lane] = lane::math<T>(op, a, warp.lanes<T>(i.b)[lane], warp.lanes<T>(i.c)[lane]);
      }
    }
  }

  template <class T>
  void bits(const WarpState& warp, const Instruction& i) {
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

  void print(const WarpState& warp, const Instruction& i) {
    const typed::PrintFormat& format = code_.formats[static_cast<std::size_t>(i.imm)];
    for (std::uint32_t rest = warp.active; rest != 0 && printed_.size() < kMaxPrinted; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      Printed line{block_, warp.index * machine_.warpSize + lane, i.site, format.texts[0]};
      for (std::size_t v = 0; v < format.conversions.size(); ++v) {
        const auto reg = static_cast<std::uint16_t>(i.a + 2 * v);
        line.text += formatPrinted(format.conversions[v], *format.types[v], warp.lanes<LaneU64>(reg)[lane]);
        line.text += format.texts[v + 1];
      }
      printed_.push_back(std::move(line));
    }
    if constexpr (Hooks::kCounts) {
      if (warp.active != 0) hooks_.step(i.site, warp.active);
    }
  }

  template <class T>
  bool shuffle(const WarpState& warp, const Instruction& i) {
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
        if (!std::has_single_bit(width[lane]) || width[lane] > kMaxLanes) {
          fault_ = fault(Fault::Kind::ShuffleWidth, warp, i);
          fault_.lane = lane;
          fault_.address = width[lane];
          return false;
        }
        source = lane::shuffleSource(kind, lane, operand[lane], width[lane], machine_.warpSize);
      }
      // What an inactive lane holds is undefined; here a lane then keeps its own value.
      if ((warp.active >> source & 1u) == 0) source = lane;
      sources[lane] = static_cast<std::int8_t>(source);
      result[lane] = value[source];
    }
    std::memcpy(warp.lanes<T>(i.dst), result.data(), sizeof result);
    if constexpr (Hooks::kCounts) {
      hooks_.shuffle(i.site, warp.active);
      if constexpr (Hooks::kObserves) hooks_.observer->shuffled(warp, i, sources.data());
    }
    return true;
  }

  void tellBranch(const WarpState& warp, const Instruction& i, std::uint32_t active, std::uint32_t taken) {
    if constexpr (Hooks::kCounts) {
      if (active == 0) return;
      hooks_.branch(i.site, active, taken);
      if constexpr (Hooks::kObserves) hooks_.observer->branchDecided(warp, i, active, taken);
    }
  }

  std::uint32_t lanesThatHold(const WarpState& warp, std::uint16_t reg) const {
    return lane::maskOf(warp.lanes<LaneU32>(reg), warp.lanes<LaneU32>(reg),
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

  void tellSet(const WarpState& warp, const Instruction& i) {
    if constexpr (Hooks::kCounts) {
      if (warp.active == 0) return;
      hooks_.step(i.site, warp.active);
      if constexpr (Hooks::kObserves) hooks_.observer->variableSet(warp, i);
    }
  }

  const Bytecode& code_;
  const MachineModel& machine_;
  RunControl& control_;
  Hooks& hooks_;
  MemoryView memory_;
  std::uint64_t block_ = 0;
  std::uint64_t blockInstructions_ = 0;  ///< that the block ran so far
  std::vector<Printed> printed_;
  bool isShared_ = false;
  Fault fault_{};
  std::array<std::byte*, kMaxLanes> bytes_{};
  std::array<std::uint64_t, kMaxLanes> addresses_{};
  std::array<std::uint32_t, kMaxLanes> offsets_{};
  UnitCosts unitCosts_;
  std::uint64_t unitAddress_ = 0;
  alignas(64) std::array<std::uint64_t, kMaxLanes> computed_{};
};

}  // namespace lanescope
