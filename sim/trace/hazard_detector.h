#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/language/check/typed_tree.h"
#include "sim/machine/compile/bytecode.h"
#include "sim/machine/run/observer.h"
#include "sim/machine/run/prepare.h"
#include "sim/machine/run/warp_state.h"
#include "sim/trace/hazards.h"
#include "sim/trace/shadow_memory.h"
#include "sim/trace/shared_views.h"

namespace lanescope {

/// The uses of the value that one of a kernel's loads gives: followed through the registers in the order of
/// the code, and once more through the loops around it.
struct LoadUses {
  /// The only comparison that decides, with its other operand.
  struct Test {
    Op op = Op::Eq32;
    std::uint16_t other = 0;   ///< register, which has its value when the load is done
    bool isRightSide = false;  ///< the loaded value is the operand b
  };

  bool decides = false;               ///< which code each lane runs
  bool decidesLoop = false;           ///< if they leave a loop around the load
  bool isStored = false;              ///< or goes to memory through an atomic that is not in `operandIn`
  bool isOther = false;               ///< an address, exchanged, printed
  std::set<std::uint32_t> operandIn;  ///< atomics with it as an operand
  std::set<std::uint32_t> guarded;    ///< stores and atomics that it decides on
  std::optional<Test> test;

  /// True if only control flow and the operands of atomics depend on it.
  bool onlyDecides() const { return !isStored && !isOther; }
  /// True if the word is a signal: a thread waits for a value of it, or tests it.
  bool isSignal() const { return decidesLoop || (decides && onlyDecides() && operandIn.empty()); }
};

/// The uses of each requested load; computed once.
class UsesOfLoads {
 public:
  explicit UsesOfLoads(const Bytecode& code) : code_(code) {}
  const LoadUses& of(std::uint32_t pc);

 private:
  const Bytecode& code_;
  std::map<std::uint32_t, LoadUses> known_;
};

/// True if the comparison holds for the value; with 32 bits.
bool holds(const LoadUses::Test& test, std::uint32_t value, std::uint32_t other);

/// Follows values that shuffles read from inactive lanes through a warp's registers. Reading such a value is
/// harmless; storing it, or branching on it, is not ("If the target thread is inactive, the retrieved value
/// is undefined": CUDA Programming Guide, "Warp Shuffle Functions").
class UndefinedLanes {
 public:
  /// A block begins: everything is defined.
  void reset(std::uint32_t registers);

  /// Called after an instruction that is not a branch: the lanes that stored an undefined value or used it as
  /// an address.
  std::uint32_t syncTo(const WarpState& warp, const Instruction& i, unsigned warpSize);
  /// The lanes of `active` that decide on an undefined value in register `test`.
  std::uint32_t decide(std::uint16_t test, std::uint32_t active) const {
    return anyUndefined_ ? undefined_[test] & active : 0;
  }
  /// The shuffle that last read from an inactive lane.
  std::uint32_t shufflePc() const { return shufflePc_; }

 private:
  void shuffle(const WarpState& warp, const Instruction& i, unsigned warpSize);

  bool anyUndefined_ = false;
  std::uint32_t shufflePc_ = 0;
  std::vector<std::uint32_t> undefined_;  ///< by register: lanes
};

/// A hazard in the machine's terms; hazard_text.cpp makes sentences of it.
struct Finding {
  struct Side {
    std::uint32_t pc = 0;
    AccessKind kind = AccessKind::Load;
    std::uint64_t block = 0;  ///< linear
    std::uint32_t warp = 0;
    std::uint32_t lane = 0;
    std::uint32_t phase = 0;
    std::uint32_t iteration = 0;  ///< jumps back of the warp until then
    std::uint32_t step = kNoStep;
  };
  static constexpr std::uint32_t kNoStep = UINT32_MAX;
  HazardKind kind = HazardKind::ReadAfterWrite;
  HazardSeverity severity = HazardSeverity::Error;
  HazardScope scope = HazardScope::Thread;
  std::uint64_t address = 0;
  bool hasEarlier = false;
  bool isAtOnce = false;         ///< two lanes of one warp instruction
  bool inOneIteration = false;   ///< one example of it has both sides in the same iteration and interval
  bool inTwoIterations = false;  ///< one example of it has its sides in different iterations
  bool sameValue = false;        ///< WriteAfterWrite: both left the same bits
  bool isOfBlock = false;        ///< both are atomics, but one is one only within its block
  bool isLocked = false;         ///< between them a lock was released, without a fence, and taken
  bool isSignalled = false;      ///< between them a volatile flag was set, without a fence, and found
  std::uint32_t lanes = 0;       ///< MissingLanes, MissedBarrier: the missing ones
  std::uint32_t mask = 0;        ///< MissingLanes: of the later side
  std::uint32_t callers = 0;     ///< MissingLanes: all that run it together
  Side earlier{};
  Side later{};
  std::uint64_t count = 1;
};

/// Observes blocks one after the other and keeps a shadow of shared and global memory. Rules: HazardOptions.
class HazardDetector final : public Observer {
 public:
  /// `whenOver` is called once the detector has checked the maximum of instructions.
  HazardDetector(const Launch& launch, const PreparedLaunch& prepared, const HazardOptions& options,
                 std::function<void()> whenOver = {});

  /// The source of the steps of the next block's accesses; nullptr: it is not traced. The source must receive
  /// each instruction before the detector does.
  void traceWith(const StepSource* steps) { steps_ = steps; }

  void blockBegins(const Bytecode& code, Dim3 block, std::span<const WarpState> warps,
                   const MemoryView& memory) override;
  void allWait(bool atBarrier) override;
  void happened(const WarpState& warp, const Instruction& i, const Event& event) override;
  void instructionDone(const WarpState& warp, const Instruction& i) override;

  /// At most as many groups as the options allow, the most severe first; groups beyond are counted.
  struct Findings {
    std::vector<Finding> kept;
    std::uint64_t omitted = 0;
    std::vector<bool> splits{};  ///< by instruction: lanes of a warp went both ways there
    std::vector<SharedOverlap> overlaps{};
  };
  Findings findings() const;
  std::uint32_t phase() const { return phase_; }
  /// True once the limit of accesses or instructions is reached.
  bool isSpent() const { return isOver_ || accesses_.size() > accessLimit_; }
  /// True if a block had more instructions: the rest of it was left out.
  bool isOver() const { return isOver_; }
  /// True if a block had so many more accesses that the rest of them was left out.
  bool gaveUp() const { return gaveUp_; }

 private:
  void accessed(const WarpState& warp, const Instruction& i, const Event& event);
  void branched(const WarpState& warp, const Instruction& i, const Event& event);
  struct Access {
    std::uint32_t pc = 0;
    std::uint32_t phase = 0;
    std::uint32_t time = 0;  ///< of its warp
    std::uint32_t iteration = 0;
    std::uint32_t step = Finding::kNoStep;
    std::uint16_t warp = 0;
    AccessKind kind = AccessKind::Load;
    bool hasBound = false;    ///< a load whose value is tested: all lanes with the same other value
    std::uint32_t bound = 0;  ///< that value
  };
  /// One lane's part in the current access.
  struct LaneAccess {
    std::uint64_t address = 0;
    std::array<std::uint64_t, 2> value{};  ///< stores: the value stored by the lane
    std::uint32_t id = 0;
    std::uint32_t warp = 0;
    unsigned lane = 0;
    unsigned bytes = 4;  ///< of the access, or of a cell if that has fewer
    AccessKind kind = AccessKind::Load;
    bool isShared = false;
    bool needsValue = false;  ///< depends on the previous value
    bool isSameValue = true;  ///< stores: memory already had the value
  };

  std::uint32_t findPc(const Instruction& i) const {
    return static_cast<std::uint32_t>(&i - prepared_.code().code.data());
  }
  std::uint32_t findStep(const WarpState& warp, const Instruction& i) const {
    return steps_ == nullptr ? Finding::kNoStep : steps_->findStep(warp, i);
  }
  void look(const LaneAccess& access, ShadowMemory& shadow);
  bool lookAtCell(const LaneAccess& access, ShadowCell& cell, std::uint32_t bits, bool reported);
  HazardScope relation(AccessRef earlier, const LaneAccess& now) const;
  int distance(AccessRef earlier, const LaneAccess& now) const;
  void noteOverlap(AccessRef earlier, const LaneAccess& now);
  bool isOfBlockOnly(AccessRef earlier, const LaneAccess& now) const;
  void noteReader(ShadowCell& cell, const LaneAccess& now) const;
  bool report(HazardKind kind, AccessRef earlier, HazardScope scope, const LaneAccess& now, bool sameValue);
  void reportUndefined(const WarpState& warp, const Instruction& i, std::uint32_t lanes);
  void checkMask(const WarpState& warp, const Instruction& i, std::uint16_t maskRegister);
  std::uint32_t storedBits(const LaneAccess& access, unsigned at, unsigned cellBytes) const;
  Finding::Side findSide(AccessRef access) const;
  Finding::Side findSide(const WarpState& warp, std::uint32_t pc, std::uint32_t lane) const;
  void add(const Finding& finding);
  void handOver(const LaneAccess& access, bool isFound, bool isGiven);
  bool isHandedOver(AccessRef earlier, std::uint64_t address) const;
  void noteLock(const LaneAccess& atomic, AtomicShape shape);
  bool isUnlocked(AccessRef earlier, const LaneAccess& now) const;
  bool isUnlockedUnfenced(AccessRef earlier, const LaneAccess& now) const;
  void noteSignal(const LaneAccess& access, bool isFound, bool isGiven);
  bool isSignalledUnfenced(AccessRef earlier, const LaneAccess& now) const;
  // hazard_rules.cpp: unordered pairs that do no harm
  bool areSignals(AccessRef earlier, const LaneAccess& now, HazardScope scope, bool sameValue) const;
  bool changesNothing(AccessRef earlier, const LaneAccess& now, const ShadowCell& cell,
                      std::uint32_t bits) const;
  void noteBound(const WarpState& warp, std::uint32_t active);
  void noteUse(const LaneAccess& access);
  bool isRechecked(std::uint32_t load, const Finding::Side& write, std::uint64_t address) const;
  bool isGuess(const Finding& finding) const;
  std::size_t findThread(std::uint32_t warp, unsigned lane) const {
    return std::size_t{warp} * launch_.machine.warpSize + lane;
  }
  std::size_t findBlock(AccessRef access) const;
  static std::array<std::uint64_t, 2> storedValue(const WarpState& warp, const Instruction& i, unsigned lane);

  const Launch& launch_;
  const PreparedLaunch& prepared_;
  std::uint64_t accessLimit_;
  std::size_t reportLimit_;
  std::vector<std::uint32_t> lineOfPc_;

  std::vector<Access> accesses_;                                      ///< by number; 0 is no access
  std::vector<std::pair<std::uint32_t, std::uint64_t>> blockStarts_;  ///< first access, linear block
  std::uint32_t blockFirst_ = 1;
  std::uint32_t phaseFirst_ = 1;
  std::uint32_t phase_ = 0;
  std::uint64_t block_ = 0;
  bool gaveUp_ = false;
  std::uint64_t instructionsLeft_;
  bool isOver_ = false;
  std::function<void()> whenOver_;
  const StepSource* steps_ = nullptr;

  ShadowMemory shared_;
  std::vector<ShadowMemory> buffers_;
  MemoryView memory_;
  std::span<const WarpState> warps_;
  std::vector<WarpOrder> order_;
  std::vector<UndefinedLanes> undefined_;
  std::vector<std::uint32_t> iterations_;  ///< by warp: jumps back, of all loops
  std::vector<std::uint32_t> barrierPc_;   ///< by warp: its last barrier
  std::vector<std::uint32_t> fenced_;      ///< by warp: lanes that ran __threadfence()
  std::set<std::uint64_t> acquired_;       ///< global words on which the block got an atomic's result
  /// By global word: the last access of each block, by number, before its atomic there after a fence.
  std::unordered_map<std::uint64_t, std::unordered_map<std::size_t, std::uint32_t>> released_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>>
      locked_;  ///< by thread: the address of its last CAS, which
  /// By word, of shared memory too: each thread's last atomicExch() there after a fence.
  std::unordered_map<std::uint64_t, std::unordered_map<std::size_t, std::uint32_t>> unlocked_;
  /// By word of a lock: the last atomicExch() that released it without a fence, by block and thread.
  std::unordered_map<std::uint64_t, std::map<std::pair<std::uint64_t, std::size_t>, std::uint32_t>> unfenced_;
  bool hasSignals_;                     ///< the kernel has volatile accesses or fences
  Signals signals_;                     ///< between the warps of the block
  std::vector<std::uint32_t> fenceAt_;  ///< by thread: the first access behind its last fence; 0: none
  /// By global word: the last volatile store of each block there, by number, fenced or not.
  std::unordered_map<std::uint64_t, std::unordered_map<std::size_t, std::uint32_t>> signalled_;
  std::set<std::uint64_t> found_;  ///< of these stores, the ones that a volatile load of the block found
  std::vector<std::uint32_t> shuffleStep_;  ///< by warp: of its last shuffle from an inactive lane
  std::vector<bool> splits_;                ///< by instruction
  std::vector<SharedView> views_;           ///< by instruction
  std::vector<std::uint64_t> bases_;        ///< by instruction: the address that its view began at last
  std::vector<SharedOverlap> overlaps_;
  std::vector<std::uint32_t> fellOff_;  ///< by warp: lanes that reached the kernel's end without a return

  CheckedReads checked_;
  mutable UsesOfLoads uses_;
  std::vector<bool> mayGuess_;  ///< by instruction: loads that may be guesses
  /// The values stored by an instruction.
  struct Stored {
    std::uint64_t bits = 0;
    bool isSame = true;  ///< all of them that
    bool any = false;
  };
  std::vector<Stored> stored_;                                ///< by instruction
  std::map<std::uint32_t, std::set<std::uint64_t>> objects_;  ///< by atomic: the objects it accessed
  std::vector<Finding> findings_;
  std::unordered_map<std::uint64_t, std::size_t> groups_;
  std::uint64_t omitted_ = 0;
};

}  // namespace lanescope
