#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sim/machine/compile/operations.h"
#include "sim/machine/run/warp_state.h"
#include "sim/memory/address.h"
#include "sim/memory/byte_set.h"

namespace lanescope {

/// What becomes of a loaded value: a copy of it may be stored, and it may be used for anything else.
struct LoadFate {
  struct Store {
    std::uint32_t pc = 0;
    std::uint32_t elements = 1;  ///< of a vector, those that it becomes
  };
  bool isUsed = false;        ///< computed with, compared, an address, printed
  bool isExact = true;        ///< all lanes do the same; else only a run tells which of them use the value
  std::vector<Store> stores;  ///< that store it as it is
};

/// The fate of the registers that the load at `pc` writes, of a vector those of the elements in `elements`:
/// followed through the code in its order, and once more through the loops around it.
LoadFate findLoadFate(const Bytecode& code, std::uint32_t pc, std::uint32_t elements);

/// Notes the accesses of one runner's warps to the watched buffers: which bytes they load and store, and the
/// loads of bytes that were never written. Such a load alone is no fault: a copy of the value leaves its
/// target unwritten, too, and only another use is reported (RunControl::foundUnwritten). If it depends on the
/// lane what becomes of the value, it is followed through the warp's registers, instruction by instruction.
class MemoryWatch {
 public:
  MemoryWatch(const Bytecode& code, RunControl& control) : code_(code), control_(control) {}

  void enterBlock(std::span<const WatchedBytes> watched, std::uint64_t block) {
    watched_ = watched;
    block_ = block;
    carried_.clear();
    followed_.clear();
    current_ = nullptr;
  }
  bool isOn() const { return !watched_.empty(); }
  /// One access of a warp to global memory, of `bytes` per lane.
  void accessed(const WarpState& warp, const Instruction& i, const LaneU64* addresses, unsigned bytes);

  /// The warp continues.
  void resume(const WarpState& warp);
  /// True if a value of the current warp is followed: each of its instructions is to be given to follow()
  /// before it is done.
  bool isFollowing() const { return current_ != nullptr; }
  void follow(const WarpState& warp, const Instruction& i);

 private:
  /// A register whose value, in some lanes, is a copy of one that was never written.
  struct Held {
    std::uint32_t reg = 0;
    std::uint32_t lanes = 0;
    std::size_t load = 0;  ///< of Followed::loads
  };
  struct Load {
    Fault fault;
    std::array<std::uint64_t, kMaxLanes> addresses{};  ///< by lane
  };
  /// The registers of a warp that are followed.
  struct Followed {
    std::vector<Held> held;
    std::vector<Load> loads;
    std::uint64_t instructions = 0;  ///< since the last of these loads
  };
  void hold(const WarpState& warp, const Instruction& i, std::uint32_t lanes, std::uint32_t elements,
            const Load& load);
  void followInto(const WarpState& warp, const Instruction& i, std::size_t operand, RegisterRange read,
                  const Held& held, RegisterRange writes);
  void add(const Held& held);
  void report(Load load, std::uint32_t lanes);
  void loaded(const WarpState& warp, const Instruction& i, const LaneU64* addresses, unsigned bytes);
  void stored(const WarpState& warp, const Instruction& i, const LaneU64* addresses, unsigned bytes);
  std::uint32_t unwrittenElements(const Instruction& i, std::uint64_t address) const;
  void foundUnwritten(const WarpState& warp, const Instruction& i, std::uint32_t lanes,
                      std::uint32_t elements, const LaneU64* addresses, std::uint64_t skipped);
  void forget(const WarpState& warp, std::uint32_t load);
  const WatchedBytes* find(std::uint64_t address) const {
    const std::size_t buffer = bufferIndex(address);
    return buffer < watched_.size() ? &watched_[buffer] : nullptr;
  }
  /// Calls f(watched, offset, count) for the bytes of these lanes: lanes side by side, or at one place, at
  /// once.
  template <class F>
  void forEachRun(std::uint32_t lanes, const LaneU64* addresses, unsigned bytes, const F& f) const {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    const auto flush = [&] {
      const WatchedBytes* const watched = begin == end ? nullptr : find(begin);
      if (watched != nullptr) f(*watched, begin & kOffsetMask, end - begin);
    };
    forEachLane(lanes, [&](unsigned lane) {
      const std::uint64_t at = addresses[lane];
      if (at >= begin && at + bytes <= end) return;
      if (at == end) {
        end += bytes;
        return;
      }
      flush();
      begin = at;
      end = at + bytes;
    });
    flush();
  }
  static void noteAccess(const WatchedBytes& watched) {
    if (watched.isAccessed == nullptr) return;
    const std::atomic_ref<bool> isAccessed(*watched.isAccessed);
    if (!isAccessed.load(std::memory_order_relaxed)) isAccessed.store(true, std::memory_order_relaxed);
  }
  std::uint32_t findPc(const Instruction& i) const {
    return static_cast<std::uint32_t>(&i - code_.code.data());
  }

  const Bytecode& code_;
  RunControl& control_;
  std::span<const WatchedBytes> watched_;
  std::uint64_t block_ = 0;
  static constexpr std::size_t kMostElements = 16;  ///< of a vector
  /// By warp and store: for each element the lanes whose value was never written.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::array<std::uint32_t, kMostElements>> carried_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, LoadFate> fates_;  ///< by load and elements
  std::map<std::uint32_t, std::uint64_t> reported_;                    ///< by site: the lowest block
  std::map<std::uint32_t, Followed> followed_;                         ///< by warp
  Followed* current_ = nullptr;             ///< of the current warp; null: none of its values is followed
  std::uint64_t followedInstructions_ = 0;  ///< of all warps
};

}  // namespace lanescope
