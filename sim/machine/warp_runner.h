#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <optional>

#include "sim/machine/hooks.h"
#include "sim/machine/lane_operations.h"
#include "sim/memory/address.h"
#include "sim/memory/global_sectors.h"

namespace lanescope {

/// What ended a launch early, for a sentence to be made of.
struct Fault {
  enum class Kind : std::uint8_t {
    OutOfBounds,
    Misaligned,
    MixedSpaces,
    DivergentBarrier,
    StepLimit,
    Stopped
  } kind;
  std::uint32_t site = 0;
  std::uint32_t warp = 0;
  std::uint32_t lane = 0;
  std::uint32_t lanes = 0;  ///< DivergentBarrier: those that reached it
  std::uint64_t address = 0;
  std::uint8_t bytes = 0;
  bool isStore = false;
};

/// What the threads that simulate a launch share.
struct RunControl {
  std::uint64_t instructionLimit = 0;
  std::stop_token stop;
  std::atomic<std::uint64_t> instructions{0};
  std::atomic<bool> failed{false};  ///< another thread met a fault
};

/// Runs one warp at a time through the bytecode: one dispatch a warp, 32 lanes of work in it.
template <class Hooks>
class WarpRunner {
 public:
  WarpRunner(const Bytecode& code, const MachineModel& machine, RunControl& control, Hooks& hooks)
      : code_(code), machine_(machine), control_(control), hooks_(hooks) {}

  void enterBlock(const MemoryView& memory) { memory_ = memory; }

  /// Runs until a barrier, a pause or the end. Status tells which; a Fault ends the launch.
  std::optional<Fault> run(WarpState& warp);

 private:
  static constexpr std::uint64_t kBatch = 4096;  ///< instructions between looks at the shared control

  Fault fault(Fault::Kind kind, const WarpState& warp, const Instruction& i) const {
    return {.kind = kind, .site = i.site, .warp = warp.index};
  }

  std::optional<Fault> charge(const WarpState& warp, const Instruction& i, std::uint64_t count) {
    const std::uint64_t total = control_.instructions.fetch_add(count, std::memory_order_relaxed) + count;
    if (total > control_.instructionLimit) return fault(Fault::Kind::StepLimit, warp, i);
    if (control_.stop.stop_requested() || control_.failed.load(std::memory_order_relaxed)) {
      return fault(Fault::Kind::Stopped, warp, i);
    }
    return std::nullopt;
  }

  /// Finds the bytes of every active lane; false and fault_ set where one leads nowhere.
  bool locate(const WarpState& warp, const Instruction& i, const LaneU64* addresses, unsigned bytes,
              bool isStore) {
    std::uint64_t tag = ~std::uint64_t{0};
    std::span<std::byte> region;
    isShared_ = isShared(addresses[std::countr_zero(warp.active)]);
    for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint64_t address = addresses[lane];
      if (address >> kOffsetBits != tag) {
        tag = address >> kOffsetBits;
        const bool shared = isShared(address);
        region = shared
                     ? memory_.shared
                     : (tag - 1 < memory_.buffers.size() ? memory_.buffers[tag - 1] : std::span<std::byte>());
        if (shared != isShared_)
          return accessFault(Fault::Kind::MixedSpaces, warp, i, lane, address, bytes, isStore);
      }
      const std::uint64_t offset = address & kOffsetMask;
      if (offset + bytes > region.size()) {
        return accessFault(Fault::Kind::OutOfBounds, warp, i, lane, address, bytes, isStore);
      }
      if (offset % bytes != 0)
        return accessFault(Fault::Kind::Misaligned, warp, i, lane, address, bytes, isStore);
      bytes_[lane] = region.data() + offset;
    }
    return true;
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
    if (warp.active == 0) return true;
    const LaneU64* addresses = warp.lanes<LaneU64>(i.a);
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
    if (warp.active == 0) return true;
    const LaneU64* addresses = warp.lanes<LaneU64>(i.a);
    if (!locate(warp, i, addresses, sizeof(Memory), true)) return false;
    keepAddresses(warp, addresses);
    const Register* value = warp.lanes<Register>(i.b);
    for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const auto narrow = static_cast<Memory>(value[lane]);
      std::memcpy(bytes_[lane], &narrow, sizeof narrow);
    }
    tellAccess(warp, i, AccessKind::Store, sizeof(Memory), i.b);
    return true;
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

  void tellAccess(const WarpState& warp, const Instruction& i, AccessKind kind, unsigned bytes,
                  std::uint16_t reg) {
    if constexpr (Hooks::kCounts) {
      AccessEvent event;
      event.kind = kind;
      event.isShared = isShared_;
      event.bytes = static_cast<std::uint8_t>(bytes);
      event.active = warp.active;
      event.addresses = addresses_.data();
      event.valueRegister = reg;
      if (isShared_) {
        event.sharedCost = sharedCost(machine_, {offsets_, warp.active, bytes, kind});
      } else {
        event.sectors = globalSectors(machine_, addresses_, warp.active, bytes);
      }
      hooks_.access(event);
      if constexpr (Hooks::kObserves) hooks_.observer->accessDone(warp, i, event);
    }
  }

  template <class T>
  void shuffle(const WarpState& warp, const Instruction& i) {
    if (warp.active == 0) return;
    const T* value = warp.lanes<T>(i.a);
    const LaneU32* operand = warp.lanes<LaneU32>(i.b);
    const LaneU32* width = warp.lanes<LaneU32>(i.c);
    std::array<T, kMaxLanes> result;
    std::array<std::int8_t, kMaxLanes> sources;
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      unsigned source = lane;
      if (lane < machine_.warpSize) {
        source = lane::shuffleSource(static_cast<typed::ShuffleKind>(i.imm), lane, operand[lane], width[lane],
                                     machine_.warpSize);
      }
      // What an inactive lane holds is undefined; here a lane then keeps its own value.
      if ((warp.active >> source & 1u) == 0) source = lane;
      sources[lane] = static_cast<std::int8_t>(source);
      result[lane] = value[source];
    }
    std::memcpy(warp.lanes<T>(i.dst), result.data(), sizeof result);
    if constexpr (Hooks::kCounts) {
      hooks_.step(warp.active);
      ++hooks_.counters.shuffles;
      if constexpr (Hooks::kObserves) hooks_.observer->shuffled(warp, i, sources.data());
    }
  }

  void tellBranch(const WarpState& warp, const Instruction& i, std::uint32_t active, std::uint32_t taken) {
    if constexpr (Hooks::kCounts) {
      if (active == 0) return;
      hooks_.branch(active, taken);
      if constexpr (Hooks::kObserves) hooks_.observer->branchDecided(warp, i, active, taken);
    }
  }

  std::uint32_t lanesThatHold(const WarpState& warp, std::uint16_t reg) const {
    const LaneU32* test = warp.lanes<LaneU32>(reg);
    std::uint32_t mask = 0;
    for (unsigned lane = 0; lane < kMaxLanes; ++lane)
      mask |= static_cast<std::uint32_t>(test[lane] != 0) << lane;
    return mask & warp.active;
  }

  void tellSet(const WarpState& warp, const Instruction& i) {
    if constexpr (Hooks::kCounts) {
      if (warp.active == 0) return;
      hooks_.step(warp.active);
      if constexpr (Hooks::kObserves) hooks_.observer->variableSet(warp, i);
    }
  }

  const Bytecode& code_;
  const MachineModel& machine_;
  RunControl& control_;
  Hooks& hooks_;
  MemoryView memory_;
  bool isShared_ = false;
  Fault fault_{};
  std::array<std::byte*, kMaxLanes> bytes_{};
  std::array<std::uint64_t, kMaxLanes> addresses_{};
  std::array<std::uint32_t, kMaxLanes> offsets_{};
};

}  // namespace lanescope
