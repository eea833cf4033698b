#include "sim/trace/hazard_detector.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/machine/compile/operations.h"
#include "sim/machine/run/lane_rules.h"
#include "sim/memory/address.h"
#include "sim/memory/machine_model.h"

namespace lanescope {

void UndefinedLanes::reset(std::uint32_t registers) {
  if (anyUndefined_ || undefined_.size() != registers) undefined_.assign(registers, 0);
  anyUndefined_ = false;
}

std::uint32_t UndefinedLanes::syncTo(const WarpState& warp, const Instruction& i, unsigned warpSize) {
  if (isShuffle(i.op)) {
    shuffle(warp, i, warpSize);
    return 0;
  }
  if (!anyUndefined_ || isControl(i.op)) return 0;
  const unsigned operands = operandCount(i);
  const std::uint32_t a = operands > 0 ? undefined_[i.a] : 0;
  const std::uint32_t b = operands > 1 ? undefined_[i.b] : 0;
  const std::uint32_t c = operands > 2 ? undefined_[i.c] : 0;
  if (isAccess(i.op)) {
    if (!isStoring(i.op)) undefined_[i.dst] &= ~warp.active;  // memory itself counts as defined
    return (a | b | c) & warp.active;
  }
  if (i.op == Op::Select32 || i.op == Op::Select64) {
    const LaneU32* test = warp.lanes<LaneU32>(i.a);
    std::uint32_t yes = 0;
    for (unsigned lane = 0; lane < kMaxLanes; ++lane)
      yes |= static_cast<std::uint32_t>(test[lane] != 0) << lane;
    undefined_[i.dst] = a | (yes & b) | (~yes & c);
  } else if (isMasked(i.op)) {
    undefined_[i.dst] = (undefined_[i.dst] & ~warp.active) | (a & warp.active);
  } else if (isExchange(i)) {
    // A vote, or a reduction, of lanes that hold an undefined value gives all of them an undefined one.
    undefined_[i.dst] = (a & warp.active) != 0 ? warp.active : 0;
  } else {
    undefined_[i.dst] = a | b | c;
  }
  return 0;
}

void UndefinedLanes::shuffle(const WarpState& warp, const Instruction& i, unsigned warpSize) {
  const LaneU32* operand = warp.lanes<LaneU32>(i.b);
  const LaneU32* width = warp.lanes<LaneU32>(i.c);
  const std::uint32_t before = undefined_[i.a];
  std::uint32_t read = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    const unsigned source = lane::shuffleSource(shuffleKind(i), lane, operand[lane], width[lane], warpSize);
    const bool isPresent = source == lane || (warp.active >> source & 1u) != 0;
    if (!isPresent || (before >> source & 1u) != 0) read |= 1u << lane;
    if (!isPresent && (warp.active >> lane & 1u) != 0) {
      anyUndefined_ = true;
      shufflePc_ = warp.pc - 1;
    }
  }
  undefined_[i.dst] = read;
}

namespace {

constexpr std::size_t kMostOverlaps = 16;  // pairs of instructions; they only decide on the advice
constexpr std::size_t kMostGroups = 4096;  // gathered, of which the most severe are reported
/// A block may exceed the limit of accesses by this factor before the rest of it is left out.
constexpr std::uint64_t kAccessPatience = 4;
/// Instructions checked at most, per access in the limit on accesses.
constexpr std::uint64_t kInstructionsPerAccess = 64;

/// True if it depends on the previous value in memory.
bool needsValue(const Instruction& i) {
  return isLoading(i.op) || (i.op == Op::Atomic && AtomicShape::of(i.imm).op != typed::AtomicOp::Exchange);
}

/// True if the value read only decides if stores are done.
bool decidesOnStores(const std::vector<Instruction>& code, const LoadUses& uses) {
  return uses.onlyDecides() && uses.operandIn.empty() && !uses.guarded.empty() &&
         std::ranges::all_of(uses.guarded, [&](std::uint32_t pc) { return isStoring(code[pc].op); });
}

}  // namespace

HazardDetector::HazardDetector(const Launch& launch, const PreparedLaunch& prepared,
                               const HazardOptions& options, std::function<void()> whenOver)
    : launch_(launch),
      prepared_(prepared),
      accessLimit_(std::min<std::uint64_t>(options.accessLimit, AccessRef::kMaxAccess / kAccessPatience - 1)),
      reportLimit_(options.reportLimit),
      accesses_(1),
      instructionsLeft_(options.accessLimit * kInstructionsPerAccess),
      whenOver_(std::move(whenOver)),
      shared_(static_cast<std::size_t>(prepared.sharedBytes)),
      hasSignals_(std::ranges::any_of(
          prepared.code().code, [](const Instruction& i) { return i.op == Op::Fence || isVolatile(i); })),
      splits_(prepared.code().code.size(), false),
      views_(findSharedViews(prepared)),
      bases_(views_.size()),
      uses_(prepared.code()),
      mayGuess_(prepared.code().code.size(), false),
      stored_(prepared.code().code.size()) {
  const std::vector<Instruction>& code = prepared.code().code;
  const bool hasCas = std::ranges::any_of(code, isCompareSwap);
  for (std::uint32_t pc = 0; pc < code.size(); ++pc)
    mayGuess_[pc] = isLoading(code[pc].op) && (hasCas || decidesOnStores(code, uses_.of(pc)));
  for (const Instruction& i : prepared.code().code)
    lineOfPc_.push_back(launch.source->findLine(prepared.code().sites[i.site]));
  for (std::size_t b = 0; b < prepared.memory.bufferCount(); ++b)
    buffers_.emplace_back(prepared.memory.buffer(b).size());
}

void HazardDetector::blockBegins(const Bytecode& /*code*/, Dim3 block, std::span<const WarpState> warps,
                                 const MemoryView& memory) {
  block_ = linear(block, launch_.grid);
  blockFirst_ = phaseFirst_ = static_cast<std::uint32_t>(accesses_.size());
  blockStarts_.emplace_back(blockFirst_, block_);
  phase_ = 0;
  memory_ = memory;
  warps_ = warps;
  order_.assign(warps.size(), {});
  undefined_.resize(warps.size());
  for (UndefinedLanes& undefined : undefined_) undefined.reset(prepared_.code().registers);
  iterations_.assign(warps.size(), 0);
  barrierPc_.assign(warps.size(), 0);
  fellOff_.assign(warps.size(), 0);
  shuffleStep_.assign(warps.size(), Finding::kNoStep);
  fenced_.assign(warps.size(), 0);
  acquired_.clear();
  locked_.assign(warps.size() * launch_.machine.warpSize, {});
  unlocked_.clear();
  signals_.blockBegins(warps.size());
  fenceAt_.assign(warps.size() * launch_.machine.warpSize, 0);
  found_.clear();
  checked_.blockBegins();
}

void HazardDetector::happened(const WarpState& warp, const Instruction& i, const Event& event) {
  switch (event.kind) {
    case StepKind::Branch: return branched(warp, i, event);
    case StepKind::BlockBarrier: barrierPc_[warp.index] = findPc(i); return;
    case StepKind::Exit: fellOff_[warp.index] = warp.active; return;
    default:
      if (isAccess(event.kind)) accessed(warp, i, event);
  }
}

void HazardDetector::accessed(const WarpState& warp, const Instruction& i, const Event& event) {
  if (gaveUp_ || isOver_) return;
  const AccessKind kind = toAccessKind(event.kind);
  const bool isOfShared = isShared(event.kind);
  LaneAccess access;
  access.id = static_cast<std::uint32_t>(accesses_.size());
  access.warp = warp.index;
  access.kind = kind;
  access.isShared = isOfShared;
  access.bytes = event.bytes;
  access.needsValue = needsValue(i);
  accesses_.push_back({findPc(i), phase_, order_[warp.index].time(), iterations_[warp.index],
                       findStep(warp, i), static_cast<std::uint16_t>(warp.index), kind});
  if (kind == AccessKind::Load) noteBound(warp, event.active);
  if (isOfShared && !views_.empty() && views_[findPc(i)].base != SharedView::kNone)
    bases_[findPc(i)] = warp.lanes<LaneU64>(views_[findPc(i)].base)[std::countr_zero(event.active)];
  gaveUp_ = accesses_.size() > accessLimit_ * kAccessPatience;
  forEachLane(event.active, [&](unsigned lane) {
    access.lane = lane;
    access.address = event.addresses[lane];
    if (kind == AccessKind::Store) access.value = storedValue(warp, i, lane);
    // If a heap block is freed and allocated again, another thread gets it without a race.
    const std::size_t buffer = isOfShared ? 0 : bufferIndex(access.address);
    if (isOfShared || buffer != memory_.heapBuffer) look(access, isOfShared ? shared_ : buffers_[buffer]);
    noteUse(access);
    const bool isAtomic = kind == AccessKind::Atomic;
    if (!isAtomic && !isVolatile(i)) return;
    const bool isFound = isAtomic ? event.isResultUsed : kind == AccessKind::Load;
    const bool isGiven = kind != AccessKind::Load;
    if (!isOfShared) handOver(access, isFound, isGiven);
    if (hasSignals_) noteSignal(access, isFound, isGiven);
    if (isAtomic) noteLock(access, AtomicShape::of(i.imm));
  });
}

void HazardDetector::look(const LaneAccess& access, ShadowMemory& shadow) {
  shadow.fit(access.bytes);
  const unsigned cellBytes = shadow.cellBytes();
  bool reported = false;  // one report per access, not one per cell
  LaneAccess part = access;
  if (cellBytes < 4) part.bytes = cellBytes;
  for (unsigned at = 0; at < access.bytes && access.kind == AccessKind::Store; at += cellBytes) {
    const ShadowCell& cell = shadow.at((access.address + at) & kOffsetMask);
    part.isSameValue &= storedBits(access, at, cellBytes) == cell.bits;
  }
  for (unsigned at = 0; at < access.bytes; at += cellBytes) {
    part.address = access.address + at;
    const std::uint32_t bits = storedBits(access, at, cellBytes);
    reported |= lookAtCell(part, shadow.at(part.address & kOffsetMask), bits, reported);
  }
}

bool HazardDetector::lookAtCell(const LaneAccess& access, ShadowCell& cell, std::uint32_t bits,
                                bool reported) {
  const bool isAtomic = access.kind == AccessKind::Atomic;
  const bool isLoad = access.kind == AccessKind::Load;
  const HazardKind afterWrite = isLoad ? HazardKind::ReadAfterWrite : HazardKind::WriteAfterWrite;
  const auto check = [&](HazardKind kind, AccessRef earlier, bool sameValue) {
    if (reported || !earlier) return;
    const HazardScope scope = relation(earlier, access);
    if (scope == HazardScope::Thread || changesNothing(earlier, access, cell, bits)) return;
    if (areSignals(earlier, access, scope, sameValue)) return;
    reported = report(kind, earlier, scope, access, sameValue);
  };
  const bool isUnwritten = access.isShared && cell.writer.access() < blockFirst_ &&
                           cell.updater.access() < blockFirst_ && access.needsValue;
  if (isUnwritten && !reported)
    reported = report(HazardKind::UninitializedShared, {}, HazardScope::Thread, access, false);
  if (!views_.empty() && access.isShared && !isAtomic) noteOverlap(cell.writer, access);
  const bool isSameStore = access.kind == AccessKind::Store && access.isSameValue;
  // The value left first may also come last, and is another value.
  if (isSameStore) check(afterWrite, cell.overwritten, false);
  check(afterWrite, cell.writer, isSameStore);
  if (!isAtomic || isOfBlockOnly(cell.updater, access)) check(afterWrite, cell.updater, false);
  if (isLoad) {
    noteReader(cell, access);
    cell.become(bits);
    return reported;
  }
  check(HazardKind::WriteAfterRead, cell.reader, false);
  check(HazardKind::WriteAfterRead, cell.otherReader, false);
  const auto races = [&](AccessRef earlier) { return relation(earlier, access) != HazardScope::Thread; };
  if (!isAtomic && cell.bits != bits && races(cell.writer)) {
    cell.overwritten = cell.writer;
  } else if (cell.overwritten && !races(cell.overwritten)) {
    cell.overwritten = {};
  }
  (isAtomic ? cell.updater : cell.writer) = AccessRef(access.id, access.lane);
  cell.become(bits);
  return reported;
}

/// Two arrays overlap if what one wrote is read through another, as a number of another kind; or if two
/// threads write one place through both, with no barrier between.
void HazardDetector::noteOverlap(AccessRef earlier, const LaneAccess& now) {
  if (!earlier || earlier.access() < blockFirst_ || overlaps_.size() >= kMostOverlaps) return;
  const std::uint32_t first = accesses_[earlier.access()].pc;
  const std::uint32_t second = accesses_[now.id].pc;
  const auto isKnown = [this](std::uint32_t pc) { return views_[pc].base != SharedView::kNone; };
  if (!isKnown(first) || !isKnown(second) || bases_[first] == bases_[second]) return;
  const bool isRead = now.kind == AccessKind::Load && areOfOtherKind(views_[first], views_[second]);
  const bool isWrite = now.kind == AccessKind::Store && first != second &&
                       views_[first].base != views_[second].base &&
                       relation(earlier, now) != HazardScope::Thread;
  const bool isNew = std::ranges::none_of(
      overlaps_, [&](const SharedOverlap& known) { return known.first == first && known.second == second; });
  if ((isRead || isWrite) && isNew) overlaps_.push_back({first, second, now.address});
}

/// True if the two are atomics of different blocks, one of them an atomicAdd_block() or its like.
bool HazardDetector::isOfBlockOnly(AccessRef earlier, const LaneAccess& now) const {
  if (!earlier || earlier.access() >= blockFirst_ || now.isShared || now.kind != AccessKind::Atomic)
    return false;
  const auto isOfBlock = [&](std::uint32_t access) {
    const Instruction& i = prepared_.code().code[accesses_[access].pc];
    return i.op == Op::Atomic && AtomicShape::of(i.imm).isOfBlock;
  };
  return isOfBlock(earlier.access()) || isOfBlock(now.id);
}

/// How far apart two unordered accesses are; Thread if they are ordered.
HazardScope HazardDetector::relation(AccessRef earlier, const LaneAccess& now) const {
  if (!earlier) return HazardScope::Thread;
  if (earlier.access() < blockFirst_)
    return now.isShared || isHandedOver(earlier, now.address) ? HazardScope::Thread : HazardScope::Grid;
  if (earlier.access() < phaseFirst_) return HazardScope::Thread;
  const Access& access = accesses_[earlier.access()];
  if (isUnlocked(earlier, now)) return HazardScope::Thread;
  if (access.warp != now.warp) {
    const bool isPublished = signals_.isPublished(earlier.access(), access.warp, now.warp);
    return isPublished ? HazardScope::Thread : HazardScope::Block;
  }
  if (earlier.lane() == now.lane) return HazardScope::Thread;
  const bool isOrdered = order_[now.warp].isOrdered(earlier.lane(), access.time, now.lane);
  return isOrdered ? HazardScope::Thread : HazardScope::Warp;
}

int HazardDetector::distance(AccessRef earlier, const LaneAccess& now) const {
  // Until a write comes, a handover may still order the two.
  if (earlier && earlier.access() < blockFirst_ && !now.isShared) return static_cast<int>(HazardScope::Grid);
  return static_cast<int>(relation(earlier, now));
}

void HazardDetector::noteReader(ShadowCell& cell, const LaneAccess& now) const {
  if (distance(cell.reader, now) >= distance(cell.otherReader, now) &&
      !(cell.reader.access() >= blockFirst_ && cell.reader.lane() == now.lane &&
        accesses_[cell.reader.access()].warp == now.warp)) {
    cell.otherReader = cell.reader;
  }
  cell.reader = AccessRef(now.id, now.lane);
}

/// Blocks have no order, regardless of which ran first here, with one exception: accesses of a block before
/// __threadfence() and an atomic, or a volatile store, are visible to a block whose own atomic on that word
/// came later and whose result it tests, or its volatile load (CUDA Programming Guide, "Memory Fence
/// Functions": the last block to finish).
void HazardDetector::handOver(const LaneAccess& access, bool isFound, bool isGiven) {
  const bool isAtomic = access.kind == AccessKind::Atomic;
  if (isFound && (isAtomic || released_.contains(access.address))) acquired_.insert(access.address);
  if (isFound && signalled_.contains(access.address)) found_.insert(access.address);
  if (!isGiven) return;
  const std::size_t block = blockStarts_.size() - 1;
  if ((fenced_[access.warp] >> access.lane & 1u) != 0) released_[access.address][block] = access.id;
  if (!isAtomic) signalled_[access.address][block] = access.id;
}

/// The same rule between the warps of a block, with `__threadfence_block()` as a sufficient fence.
void HazardDetector::noteSignal(const LaneAccess& access, bool isFound, bool isGiven) {
  if (isFound) signals_.acquire(access.address, access.warp);
  if (!isGiven) return;
  const std::uint32_t fenced = fenceAt_[findThread(access.warp, access.lane)];
  const bool isAtomic = access.kind == AccessKind::Atomic;
  if (fenced != 0 || !isAtomic) signals_.release(access.address, access.warp, fenced, access.id);
}

/// True if a volatile flag would have ordered the two, with a fence before it was set.
bool HazardDetector::isSignalledUnfenced(AccessRef earlier, const LaneAccess& now) const {
  if (!earlier) return false;
  const Access& access = accesses_[earlier.access()];
  if (earlier.access() >= blockFirst_)
    return access.warp != now.warp && signals_.isSignalled(earlier.access(), access.warp, now.warp);
  const std::size_t block = findBlock(earlier);
  return std::ranges::any_of(found_, [&](std::uint64_t word) {
    const auto& signals = signalled_.at(word);
    const auto until = signals.find(block);
    return until != signals.end() && earlier.access() <= until->second;
  });
}

bool HazardDetector::isHandedOver(AccessRef earlier, std::uint64_t address) const {
  if (acquired_.empty()) return false;
  if (acquired_.contains(address) && accesses_[earlier.access()].kind == AccessKind::Atomic) return true;
  const std::size_t block = findBlock(earlier);
  return std::ranges::any_of(acquired_, [&](std::uint64_t word) {
    const auto releases = released_.find(word);
    if (releases == released_.end()) return false;
    const auto until = releases->second.find(block);
    return until != releases->second.end() && earlier.access() <= until->second;
  });
}

/// A lock as textbooks write it: `while (atomicCAS(&lock, 0, 1) != 0);` takes it, or `while
/// (atomicExch(&lock, 1));`, and atomicExch() behind __threadfence() gives it back.
void HazardDetector::noteLock(const LaneAccess& atomic, AtomicShape shape) {
  const std::size_t thread = findThread(atomic.warp, atomic.lane);
  const bool isExchange = shape.op == typed::AtomicOp::Exchange;
  const bool isTaken = shape.op == typed::AtomicOp::CompareSwap || (isExchange && shape.isResultUsed);
  if (isTaken) locked_[thread] = {atomic.address, atomic.id};
  const bool isFenced = (fenced_[atomic.warp] >> atomic.lane & 1u) != 0;
  if (!isExchange || shape.isResultUsed) return;
  if (isFenced)
    unlocked_[atomic.address][thread] = atomic.id;
  else if (locked_[thread].first == atomic.address)
    unfenced_[atomic.address][{block_, thread}] = atomic.id;
}

/// True if the earlier thread of the block released a lock after its access, and this one took it then.
bool HazardDetector::isUnlocked(AccessRef earlier, const LaneAccess& now) const {
  const auto& [lock, taken] = locked_[findThread(now.warp, now.lane)];
  const auto releases = unlocked_.find(lock);
  if (taken == 0 || releases == unlocked_.end()) return false;
  const auto release = releases->second.find(findThread(accesses_[earlier.access()].warp, earlier.lane()));
  return release != releases->second.end() && earlier.access() < release->second && release->second < taken;
}

/// True if isUnlocked() would hold, for any block, with a fence.
bool HazardDetector::isUnlockedUnfenced(AccessRef earlier, const LaneAccess& now) const {
  if (!earlier || unfenced_.empty()) return false;
  const auto& [lock, taken] = locked_[findThread(now.warp, now.lane)];
  const auto releases = unfenced_.find(lock);
  if (taken == 0 || releases == unfenced_.end()) return false;
  const std::uint64_t block = blockStarts_[findBlock(earlier)].second;
  const auto release =
      releases->second.find({block, findThread(accesses_[earlier.access()].warp, earlier.lane())});
  return release != releases->second.end() && earlier.access() < release->second && release->second < taken;
}

/// The number of its block, in the order of the run.
std::size_t HazardDetector::findBlock(AccessRef access) const {
  const auto start = std::upper_bound(blockStarts_.begin(), blockStarts_.end(), access.access(),
                                      [](std::uint32_t id, const auto& begin) { return id < begin.first; });
  return static_cast<std::size_t>(start - blockStarts_.begin()) - 1;
}

/// The value that a lane stores, as bytes in memory; 16 bytes are two values.
std::array<std::uint64_t, 2> HazardDetector::storedValue(const WarpState& warp, const Instruction& i,
                                                         unsigned lane) {
  std::array<std::uint64_t, 2> value{};
  if (i.op != Op::StoreVector) {
    value[0] = i.op == Op::Store64 ? warp.lanes<LaneU64>(i.b)[lane] : warp.lanes<LaneU32>(i.b)[lane];
    return value;
  }
  const VectorShape shape = VectorShape::of(i.imm);
  for (unsigned e = 0, at = 0; e < shape.elements; ++e, at += shape.elementBytes) {
    const bool isWide = shape.elementBytes == 8;
    const auto reg = static_cast<std::uint16_t>(i.b + e * (isWide ? 2 : 1));
    const std::uint64_t bits = isWide ? warp.lanes<LaneU64>(reg)[lane] : warp.lanes<LaneU32>(reg)[lane];
    std::memcpy(reinterpret_cast<std::byte*>(value.data()) + at, &bits, shape.elementBytes);
  }
  return value;
}

/// The bits that a lane stored in a cell. Memory itself has only the value of the instruction's last lane.
std::uint32_t HazardDetector::storedBits(const LaneAccess& access, unsigned at, unsigned cellBytes) const {
  if (access.kind == AccessKind::Store) {
    const std::uint64_t bits = access.value[at / 8] >> (8 * (at % 8));
    return static_cast<std::uint32_t>(cellBytes == 4 ? bits : bits & 0xffu);
  }
  const std::uint64_t address = access.address;
  const std::span<const std::byte> region =
      access.isShared ? memory_.shared : memory_.buffers[bufferIndex(address)];
  std::uint32_t bits = 0;
  std::memcpy(&bits, region.data() + (address & kOffsetMask) + at, cellBytes);
  return bits;
}

bool HazardDetector::report(HazardKind kind, AccessRef earlier, HazardScope scope, const LaneAccess& now,
                            bool sameValue) {
  const bool isAtOnce = earlier.access() == now.id;
  const bool isWarning = sameValue || (scope == HazardScope::Warp && !isAtOnce);
  add({.kind = kind,
       .severity = isWarning ? HazardSeverity::Warning : HazardSeverity::Error,
       .scope = scope,
       .address = now.address,
       .hasEarlier = static_cast<bool>(earlier),
       .isAtOnce = isAtOnce,
       .sameValue = sameValue,
       .isOfBlock = isOfBlockOnly(earlier, now),
       .isLocked = isUnlockedUnfenced(earlier, now),
       .isSignalled = isSignalledUnfenced(earlier, now),
       .earlier = earlier ? findSide(earlier) : Finding::Side{},
       .later = findSide(AccessRef(now.id, now.lane))});
  return true;
}

Finding::Side HazardDetector::findSide(AccessRef access) const {
  const Access& found = accesses_[access.access()];
  return {found.pc,        found.kind,    blockStarts_[findBlock(access)].second,
          found.warp,      access.lane(), found.phase,
          found.iteration, found.step};
}

Finding::Side HazardDetector::findSide(const WarpState& warp, std::uint32_t pc, std::uint32_t lane) const {
  return {pc,
          AccessKind::Load,
          block_,
          warp.index,
          lane,
          phase_,
          iterations_[warp.index],
          findStep(warp, prepared_.code().code[pc])};
}

// The limit applies to reports, not to the findings gathered: earlier guesses and warnings must not hide an
// error.
HazardDetector::Findings HazardDetector::findings() const {
  Findings found{findings_, omitted_, splits_, overlaps_};
  std::erase_if(found.kept, [this](const Finding& finding) { return isGuess(finding); });
  std::ranges::stable_sort(found.kept, std::ranges::greater{}, &Finding::severity);
  if (found.kept.size() > reportLimit_) {
    found.omitted += found.kept.size() - reportLimit_;
    found.kept.resize(reportLimit_);
  }
  return found;
}

/// One group per kind and pair of source lines; it keeps the first of its most severe examples. Errors across
/// blocks are the more severe ones: no barrier of a block helps there.
void HazardDetector::add(const Finding& finding) {
  const std::uint64_t earlierLine = finding.hasEarlier ? lineOfPc_[finding.earlier.pc] : 0;
  const std::uint64_t key =
      static_cast<std::uint64_t>(finding.kind) << 56 | earlierLine << 28 | lineOfPc_[finding.later.pc];
  const bool isSameIteration = finding.hasEarlier && finding.earlier.iteration == finding.later.iteration;
  const bool inOneIteration = isSameIteration && finding.earlier.phase == finding.later.phase;
  const bool inTwoIterations = finding.hasEarlier && !isSameIteration;
  const auto [group, isNew] = groups_.try_emplace(key, findings_.size());
  if (isNew) {
    if (findings_.size() >= kMostGroups) {
      group->second = kMostGroups;
      ++omitted_;
      return;
    }
    findings_.push_back(finding);
    findings_.back().inOneIteration = inOneIteration;
    findings_.back().inTwoIterations = inTwoIterations;
    return;
  }
  if (group->second >= findings_.size()) return;
  Finding& known = findings_[group->second];
  const Finding before = known;
  const bool isOfGrid = finding.scope == HazardScope::Grid && before.scope != HazardScope::Grid;
  if (finding.severity > before.severity || (finding.severity == before.severity && isOfGrid))
    known = finding;
  known.count = before.count + 1;
  known.inOneIteration = inOneIteration || before.inOneIteration;
  known.inTwoIterations = inTwoIterations || before.inTwoIterations;
}

}  // namespace lanescope
