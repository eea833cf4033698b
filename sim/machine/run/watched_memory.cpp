#include "sim/machine/run/watched_memory.h"

#include <algorithm>
#include <bit>

namespace lanescope {
namespace {

/// The most instructions of a warp through which a value is followed, and of all values of a runner's blocks.
/// After that it counts as not used.
constexpr std::uint64_t kMostFollowed = std::uint64_t{1} << 16;
constexpr std::uint64_t kMostFollowedInAll = std::uint64_t{1} << 22;

bool storesValue(const Instruction& i) { return isStoring(i.op) || findClass(i.op) == OpClass::StoreAt; }

/// The operand whose value it stores; 4: none.
std::size_t storedOperand(const Instruction& i) { return !storesValue(i) ? 4 : isStoring(i.op) ? 1 : 2; }

/// True if the result has the value of operand `of` as it is, or a part of it.
bool isCopyOf(const Instruction& i, std::size_t of) {
  switch (findClass(i.op)) {
    case OpClass::Move:
    case OpClass::Masked:
    case OpClass::Shuffle: return of == 0;
    case OpClass::Select: return of > 0;
    case OpClass::Unary:
      switch (i.op) {
        case Op::SignExtend8:
        case Op::ZeroExtend8:
        case Op::SignExtend16:
        case Op::ZeroExtend16:
        case Op::I32ToI64:
        case Op::U32ToU64:
        case Op::Truncate64: return true;
        default: return false;
      }
    default: return false;
  }
}

class FateFinder {
 public:
  FateFinder(const Bytecode& code, std::uint32_t load, std::uint32_t elements)
      : code_(code), load_(load), holds_(code) {
    const Instruction& i = code.code[load];
    if (i.op != Op::LoadVector) {
      holds_.set(readOperands(i, code).writes, true);
      return;
    }
    const VectorShape shape = VectorShape::of(i.imm);
    const unsigned each = shape.elementBytes == 8 ? 2 : 1;
    forEachLane(elements, [&](unsigned e) {
      holds_.set({static_cast<std::uint16_t>(i.dst + e * each), each}, true);
    });
  }

  LoadFate run() {
    follow(load_ + 1, static_cast<std::uint32_t>(code_.code.size()));
    const std::vector<Loop> loops = loopsAround(code_, load_);
    isForSomeLanes_ = true;
    if (!loops.empty()) follow(loops.back().top, load_);
    return std::move(fate_);
  }

 private:
  void follow(std::uint32_t from, std::uint32_t to) {
    open_ = 0;
    for (std::uint32_t pc = from; pc < to && !fate_.isUsed; ++pc) {
      const Instruction& i = code_.code[pc];
      if (findClass(i.op) == OpClass::If) ++open_;
      if (i.op == Op::IfEnd && open_ > 0) --open_;
      isForSomeLanes_ = isForSomeLanes_ || choosesLanes(i.op);
      if (i.op == Op::IfElse && open_ == 0) {  // the load is in the other branch
        pc = findIfEnd(pc);
        continue;
      }
      const Operands operands = readOperands(i, code_);
      bool isCopied = false;
      for (std::size_t o = 0; o < 4; ++o) {
        if (!holds_.any(operands.reads[o])) continue;
        if (isCopyOf(i, o)) {
          isCopied = true;
          isForSomeLanes_ = isForSomeLanes_ || findClass(i.op) == OpClass::Select;
          continue;
        }
        if (isForSomeLanes_) fate_.isExact = false;
        if (o == storedOperand(i))
          fate_.stores.push_back({pc, findElements(i)});
        else
          fate_.isUsed = true;
      }
      // The lanes that are not active keep a variable's value.
      if (isCopied || !isMasked(i.op) || !isForSomeLanes_) holds_.set(operands.writes, isCopied);
    }
  }

  /// True if other lanes may run the code behind it, or not all that ran the code before.
  static bool choosesLanes(Op op) {
    return jumps(op) || opensScope(op) || closesScope(op) || op == Op::Park || op == Op::SwitchCase ||
           op == Op::Call || op == Op::Return;
  }

  std::uint32_t findIfEnd(std::uint32_t pc) const {
    for (unsigned open = 1; open > 0;) {
      const Op op = code_.code[++pc].op;
      if (findClass(op) == OpClass::If) ++open;
      if (op == Op::IfEnd) --open;
    }
    return pc;
  }

  /// The elements of the stored value that it is.
  std::uint32_t findElements(const Instruction& i) const {
    if (i.op != Op::StoreVector) return 1;
    const VectorShape shape = VectorShape::of(i.imm);
    const unsigned each = shape.elementBytes == 8 ? 2 : 1;
    std::uint32_t elements = 0;
    for (unsigned e = 0; e < shape.elements; ++e) {
      if (holds_.any({static_cast<std::uint16_t>(i.b + e * each), each})) elements |= 1u << e;
    }
    return elements;
  }

  const Bytecode& code_;
  std::uint32_t load_;
  unsigned open_ = 0;            ///< ifs that have begun since
  bool isForSomeLanes_ = false;  ///< the code may be another lane's, or a register only some lanes' copy
  RegisterMarks holds_;
  LoadFate fate_;
};

}  // namespace

LoadFate findLoadFate(const Bytecode& code, std::uint32_t pc, std::uint32_t elements) {
  return FateFinder(code, pc, elements).run();
}

void MemoryWatch::accessed(const WarpState& warp, const Instruction& i, const LaneU64* addresses,
                           unsigned bytes) {
  const bool isAtomic = i.op == Op::Atomic;
  const bool onlyWrites = isAtomic && AtomicShape::of(i.imm).op == typed::AtomicOp::Exchange &&
                          !AtomicShape::of(i.imm).isResultUsed;
  if (!storesValue(i) && !onlyWrites) loaded(warp, i, addresses, bytes);
  if (storesValue(i) || isAtomic) stored(warp, i, addresses, bytes);
}

void MemoryWatch::loaded(const WarpState& warp, const Instruction& i, const LaneU64* addresses,
                         unsigned bytes) {
  std::uint32_t unwritten = 0;
  forEachRun(warp.active, addresses, bytes,
             [&](const WatchedBytes& watched, std::uint64_t begin, std::uint64_t count) {
               noteAccess(watched);
               if (watched.loaded != nullptr) watched.loaded->add(begin, count);
               if (watched.written != nullptr && !watched.written->hasAll(begin, count))
                 unwritten = warp.active;
             });
  if (unwritten != 0) {
    unwritten = 0;
    forEachLane(warp.active, [&](unsigned lane) {
      const WatchedBytes* const watched = find(addresses[lane]);
      const bool isKnown = watched == nullptr || watched->written == nullptr ||
                           watched->written->hasAll(addresses[lane] & kOffsetMask, bytes);
      if (!isKnown) unwritten |= 1u << lane;
    });
  }
  if (!carried_.empty()) forget(warp, findPc(i));
  while (unwritten != 0) {  // lanes with the same elements together
    const auto first = static_cast<unsigned>(std::countr_zero(unwritten));
    const std::uint32_t elements = unwrittenElements(i, addresses[first]);
    std::uint32_t same = 0;
    forEachLane(unwritten, [&](unsigned lane) {
      if (unwrittenElements(i, addresses[lane]) == elements) same |= 1u << lane;
    });
    const std::uint64_t skipped = i.op == Op::LoadVector
                                      ? std::uint64_t{VectorShape::of(i.imm).elementBytes} *
                                            static_cast<unsigned>(std::countr_zero(elements))
                                      : 0;
    foundUnwritten(warp, i, same, elements, addresses, skipped);
    unwritten &= ~same;
  }
}

/// The elements of a vector that were never written; the first of anything else.
std::uint32_t MemoryWatch::unwrittenElements(const Instruction& i, std::uint64_t address) const {
  if (i.op != Op::LoadVector) return 1;
  const VectorShape shape = VectorShape::of(i.imm);
  std::uint32_t elements = 0;
  for (unsigned e = 0; e < shape.elements; ++e) {
    const std::uint64_t offset = (address & kOffsetMask) + std::uint64_t{e} * shape.elementBytes;
    if (!find(address)->written->hasAll(offset, shape.elementBytes)) elements |= 1u << e;
  }
  return elements;
}

/// The active lanes load another value.
void MemoryWatch::forget(const WarpState& warp, std::uint32_t load) {
  for (auto fate = fates_.lower_bound({load, 0}); fate != fates_.end() && fate->first.first == load; ++fate) {
    for (const LoadFate::Store& store : fate->second.stores) {
      const auto carried = carried_.find({warp.index, store.pc});
      if (carried == carried_.end()) continue;
      for (std::uint32_t& lanes : carried->second) lanes &= ~warp.active;
    }
  }
}

void MemoryWatch::foundUnwritten(const WarpState& warp, const Instruction& i, std::uint32_t lanes,
                                 std::uint32_t elements, const LaneU64* addresses, std::uint64_t skipped) {
  const auto [known, isNew] = fates_.try_emplace({findPc(i), elements});
  LoadFate& fate = known->second;
  if (isNew && i.op == Op::Atomic) fate.isUsed = true;
  if (isNew && i.op != Op::Atomic) fate = findLoadFate(code_, findPc(i), elements);
  if (fate.isExact && !fate.isUsed) {
    for (const LoadFate::Store& store : fate.stores) {
      auto& carried = carried_[{warp.index, store.pc}];
      forEachLane(store.elements, [&](unsigned e) { carried[e % kMostElements] |= lanes; });
    }
    return;
  }
  Load load{.fault = {.kind = Fault::Kind::Unwritten, .site = i.site, .warp = warp.index}};
  forEachLane(lanes, [&](unsigned lane) { load.addresses[lane] = addresses[lane] + skipped; });
  if (fate.isExact)
    report(load, lanes);
  else
    hold(warp, i, lanes, elements, load);
}

/// Of its lanes, these use the value.
void MemoryWatch::report(Load load, std::uint32_t lanes) {
  const auto [reported, isFirst] = reported_.try_emplace(load.fault.site, block_);
  if (!isFirst && reported->second <= block_) return;
  reported->second = block_;
  load.fault.lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  load.fault.address = load.addresses[load.fault.lane];
  control_.foundUnwritten(load.fault, block_);
}

/// The load's registers are followed from here on.
void MemoryWatch::hold(const WarpState& warp, const Instruction& i, std::uint32_t lanes,
                       std::uint32_t elements, const Load& load) {
  const auto reported = reported_.find(load.fault.site);
  if (reported != reported_.end() && reported->second <= block_) return;
  if (followedInstructions_ >= kMostFollowedInAll) return;
  current_ = &followed_[warp.index];
  current_->instructions = 0;
  const auto known = std::ranges::find_if(
      current_->loads, [&](const Load& each) { return each.fault.site == load.fault.site; });
  const auto number = static_cast<std::size_t>(known - current_->loads.begin());
  if (known == current_->loads.end())
    current_->loads.push_back(load);
  else
    forEachLane(lanes, [&](unsigned lane) { known->addresses[lane] = load.addresses[lane]; });
  const RegisterRange writes = readOperands(i, code_).writes;
  const unsigned each = i.op == Op::LoadVector && VectorShape::of(i.imm).elementBytes < 8 ? 1 : 2;
  for (std::uint32_t r = 0; r < writes.count; ++r) {
    const bool isHeld = i.op != Op::LoadVector || (elements >> (r / each) & 1u) != 0;
    if (isHeld) add({writes.first + r, lanes, number});
  }
}

void MemoryWatch::resume(const WarpState& warp) {
  const auto followed = followed_.find(warp.index);
  current_ = followed == followed_.end() ? nullptr : &followed->second;
}

void MemoryWatch::follow(const WarpState& warp, const Instruction& i) {
  const Operands operands = readOperands(i, code_);
  const std::vector<Held> before = current_->held;
  for (Held& each : current_->held) {
    if (operands.writes.overlaps({static_cast<std::uint16_t>(each.reg), 1})) each.lanes &= ~warp.active;
  }
  for (const Held& each : before) {
    for (std::size_t o = 0; o < 4; ++o) {
      if (operands.reads[o].overlaps({static_cast<std::uint16_t>(each.reg), 1}))
        followInto(warp, i, o, operands.reads[o], each, operands.writes);
    }
  }
  std::erase_if(current_->held, [](const Held& each) { return each.lanes == 0; });
  ++followedInstructions_;
  const bool isEnough =
      ++current_->instructions >= kMostFollowed || followedInstructions_ >= kMostFollowedInAll;
  if (!current_->held.empty() && !isEnough) return;
  followed_.erase(warp.index);
  current_ = nullptr;
}

/// The instruction reads a register that is followed.
void MemoryWatch::followInto(const WarpState& warp, const Instruction& i, std::size_t operand,
                             RegisterRange read, const Held& held, RegisterRange writes) {
  std::uint32_t lanes = held.lanes & warp.active;
  if (lanes == 0 || i.op == Op::Push) return;
  if (operand == storedOperand(i)) {
    const bool isWide = i.op == Op::StoreVector && VectorShape::of(i.imm).elementBytes == 8;
    const std::size_t element = i.op == Op::StoreVector ? (held.reg - read.first) / (isWide ? 2 : 1) : 0;
    carried_[{warp.index, findPc(i)}][element % kMostElements] |= lanes;
    return;
  }
  if (!isCopyOf(i, operand)) {
    report(current_->loads[held.load], lanes);
    for (Held& each : current_->held) each.lanes = each.load == held.load ? 0 : each.lanes;
    return;
  }
  if (findClass(i.op) == OpClass::Select) {
    const LaneU32* const condition = warp.lanes<LaneU32>(i.a);
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((condition[lane] != 0) != (operand == 1)) lanes &= ~(1u << lane);
    }
  }
  // The lanes that a value comes from are known only once it is exchanged.
  if (findClass(i.op) == OpClass::Shuffle && lanes != warp.active) return;
  for (std::uint32_t r = 0; r < writes.count; ++r) add({writes.first + r, lanes, held.load});
}

void MemoryWatch::add(const Held& held) {
  const auto known = std::ranges::find_if(
      current_->held, [&](const Held& each) { return each.reg == held.reg && each.load == held.load; });
  if (known == current_->held.end())
    current_->held.push_back(held);
  else
    known->lanes |= held.lanes;
}

void MemoryWatch::stored(const WarpState& warp, const Instruction& i, const LaneU64* addresses,
                         unsigned bytes) {
  std::array<std::uint32_t, kMostElements>* unwritten = nullptr;
  if (!carried_.empty()) {
    const auto carried = carried_.find({warp.index, findPc(i)});
    if (carried != carried_.end()) unwritten = &carried->second;
  }
  forEachRun(warp.active, addresses, bytes,
             [&](const WatchedBytes& watched, std::uint64_t begin, std::uint64_t count) {
               noteAccess(watched);
               if (watched.stored != nullptr) watched.stored->add(begin, count);
               if (watched.written != nullptr) watched.written->add(begin, count);
             });
  if (unwritten == nullptr) return;
  const std::uint64_t each = i.op == Op::StoreVector ? VectorShape::of(i.imm).elementBytes : bytes;
  forEachLane(warp.active, [&](unsigned lane) {
    const WatchedBytes* const watched = find(addresses[lane]);
    if (watched == nullptr || watched->written == nullptr) return;
    const std::uint64_t offset = addresses[lane] & kOffsetMask;
    for (std::size_t e = 0; e < bytes / each; ++e) {
      if (((*unwritten)[e % kMostElements] >> lane & 1u) != 0)
        watched->written->remove(offset + e * each, each);
    }
  });
  // The register may have another value when the store runs again.
  for (std::uint32_t& lanes : *unwritten) lanes &= ~warp.active;
}

}  // namespace lanescope
