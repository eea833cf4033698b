#include "sim/machine/run/watched_memory.h"

#include <algorithm>
#include <bit>

namespace lanescope {
namespace {

bool storesValue(const Instruction& i) { return isStoring(i.op) || findClass(i.op) == OpClass::StoreAt; }

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
      if (i.op == Op::IfElse && open_ == 0) {  // the load is in the other branch
        pc = findIfEnd(pc);
        continue;
      }
      const Operands operands = readOperands(i, code_);
      bool isCopied = false;
      // Only as much as certain lanes hold: those that keep a register, or select it, may not be among them.
      for (std::size_t o = 0; o < 4; ++o) {
        if (!holds_.any(operands.reads[o])) continue;
        if (storesValue(i) && o == (isStoring(i.op) ? 1u : 2u)) {
          fate_.stores.push_back({pc, findElements(i)});
        } else if (isCopyOf(i, o)) {
          isCopied = findClass(i.op) != OpClass::Select || holds_.any(operands.reads[3 - o]);
        } else {
          fate_.isUsed = true;
        }
      }
      holds_.set(operands.writes, isCopied);
    }
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
  unsigned open_ = 0;  ///< ifs that have begun since
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
    foundUnwritten(warp, i, same, elements, addresses[first] + skipped);
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
                                 std::uint32_t elements, std::uint64_t address) {
  const auto [known, isNew] = fates_.try_emplace({findPc(i), elements});
  LoadFate& fate = known->second;
  if (isNew && i.op == Op::Atomic) fate.isUsed = true;
  if (isNew && i.op != Op::Atomic) fate = findLoadFate(code_, findPc(i), elements);
  if (!fate.isUsed) {
    for (const LoadFate::Store& store : fate.stores) {
      auto& carried = carried_[{warp.index, store.pc}];
      forEachLane(store.elements, [&](unsigned e) { carried[e % kMostElements] |= lanes; });
    }
    return;
  }
  const auto [reported, isFirst] = reported_.try_emplace(i.site, block_);
  if (!isFirst && reported->second <= block_) return;
  reported->second = block_;
  Fault fault{.kind = Fault::Kind::Unwritten, .site = i.site, .warp = warp.index};
  fault.lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  fault.address = address;
  control_.foundUnwritten(fault, block_);
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
