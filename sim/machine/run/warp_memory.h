#pragma once

#include <algorithm>
#include <atomic>
#include <utility>

#include "sim/machine/run/warp_runner.h"
#include "sim/machine/run/wrapped_index.h"

/// A warp's accesses to its threads' own memory: WarpRunner's loads and stores of local variables.
namespace lanescope {

template <class Hooks>
inline std::byte* WarpRunner<Hooks>::localByte(const WarpState& warp, const Instruction& i, std::size_t lane,
                                               std::uint64_t address, unsigned bytes, bool isStore) {
  const FoundLocal found = findLocal(code_, localIndex(address));
  const std::size_t local = found.local;
  const std::uint64_t offset = address & kOffsetMask;
  Fault::Kind kind{};
  if (!isLocal(address)) {
    kind = Fault::Kind::MixedSpaces;
  } else if (local >= code_.locals.size() || offset + bytes > code_.locals[local].type->size) {
    kind = Fault::Kind::OutOfBounds;
  } else if (offset % bytes != 0) {
    kind = Fault::Kind::Misaligned;
  } else if (localThread(address) != warp.index * machine_.warpSize + lane) {
    kind = Fault::Kind::ForeignLocal;
  } else if (found.call > warp.calls() || hasEnded(warp, code_.locals[local], lane)) {
    kind = Fault::Kind::EndedLocal;
  } else {
    const std::uint64_t at = found.byteOffset + offset;
    return warp.local + (at / 4 * kMaxLanes + lane) * 4 + at % 4;
  }
  failAt(kind, warp, i, lane, address, bytes, isStore);
  return nullptr;
}

template <class Hooks>
inline bool WarpRunner<Hooks>::hasEnded(const WarpState& warp, const LocalVariable& local, std::size_t lane) {
  return local.endedRegister != LocalVariable::kNoRegister &&
         warp.lanes<LaneU32>(local.endedRegister)[lane] != 0;
}

template <class Hooks>
inline typename WarpRunner<Hooks>::LocalWindow WarpRunner<Hooks>::localWindow(const WarpState& warp,
                                                                              std::uint64_t address,
                                                                              unsigned bytes) const {
  LocalWindow window;
  const FoundLocal found = findLocal(code_, localIndex(address));
  const std::size_t local = found.local;
  if (local >= code_.locals.size() || code_.locals[local].type->size < bytes || found.call > warp.calls())
    return window;
  const LocalVariable& variable = code_.locals[local];
  window.start = ofThread(localBase(localIndex(address)), std::uint64_t{warp.index} * machine_.warpSize);
  window.offsets = variable.type->size - bytes + 1;
  window.bytes = warp.local + std::size_t{found.byteOffset} * kMaxLanes;
  if (variable.endedRegister != LocalVariable::kNoRegister)
    window.ended = warp.lanes<LaneU32>(variable.endedRegister);
  return window;
}

template <class Hooks>
template <class Memory>
inline std::byte* WarpRunner<Hooks>::localPlace(const LocalWindow& window, const WarpState& warp,
                                                const Instruction& i, std::size_t lane, bool isStore) {
  const std::uint64_t offset = addresses_[lane] - ofThread(window.start, lane);
  const bool isPlain = offset < window.offsets && offset % sizeof(Memory) == 0;
  if (isPlain && (window.ended == nullptr || window.ended[lane] == 0))
    return window.bytes + (offset / 4 * kMaxLanes + lane) * 4 + offset % 4;
  return localByte(warp, i, lane, addresses_[lane], sizeof(Memory), isStore);
}

template <class Hooks>
template <bool kStores, class Memory>
inline void WarpRunner<Hooks>::moveLocal(std::byte* at, Memory& value) {
  constexpr std::size_t kPiece = std::min<std::size_t>(sizeof(Memory), 4);
  for (std::size_t done = 0; done < sizeof(Memory); done += kPiece, at += 4 * kMaxLanes) {
    std::byte* const piece = reinterpret_cast<std::byte*>(&value) + done;
    std::memcpy(kStores ? at : piece, kStores ? piece : at, kPiece);
  }
}

template <class Hooks>
template <class Memory, class Register>
inline bool WarpRunner<Hooks>::loadLocal(const WarpState& warp, const Instruction& i,
                                         const LaneU64* addresses) {
  std::memcpy(addresses_.data(), addresses, sizeof addresses_);
  const LocalWindow window = localWindow(warp, addresses_[firstLane(warp)], sizeof(Memory));
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    std::byte* const at = localPlace<Memory>(window, warp, i, lane, false);
    if (at == nullptr) return false;
    Memory value;
    moveLocal<false>(at, value);
    warp.lanes<Register>(i.dst)[lane] = static_cast<Register>(value);
  }
  tellLocal<AccessKind::Load>(warp, i, sizeof(Memory), i.dst);
  return true;
}

template <class Hooks>
template <class Memory, class Register>
inline bool WarpRunner<Hooks>::storeLocal(const WarpState& warp, const Instruction& i,
                                          const LaneU64* addresses, std::uint16_t from) {
  std::memcpy(addresses_.data(), addresses, sizeof addresses_);
  const LocalWindow window = localWindow(warp, addresses_[firstLane(warp)], sizeof(Memory));
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    std::byte* const at = localPlace<Memory>(window, warp, i, lane, true);
    if (at == nullptr) return false;
    auto value = static_cast<Memory>(warp.lanes<Register>(from)[lane]);
    moveLocal<true>(at, value);
  }
  tellLocal<AccessKind::Store>(warp, i, sizeof(Memory), from);
  return true;
}

template <class Hooks>
template <AccessKind kKind>
inline void WarpRunner<Hooks>::tellLocal(const WarpState& warp, const Instruction& i, unsigned bytes,
                                         std::uint16_t reg) {
  const Event event{.kind = StepKind::Assign,
                    .bytes = static_cast<std::uint8_t>(bytes),
                    .valueRegister = reg,
                    .active = warp.active,
                    .addresses = addresses_.data()};
  if constexpr (kKind == AccessKind::Store) {
    tell(warp, i, event);
  } else if constexpr (Hooks::kObserves) {
    hooks_.observer->tell(&Observer::localLoaded, warp, i, event);
  }
}

// A warp's accesses to shared and global memory: WarpRunner's loads, stores and atomics.

template <class Hooks>
inline bool WarpRunner<Hooks>::locate(const WarpState& warp, const Instruction& i, const LaneU64* addresses,
                                      unsigned bytes, bool isStore) {
  std::uint64_t tag = ~std::uint64_t{0};
  Region region;
  isShared_ = isShared(addresses[std::countr_zero(warp.active)]);
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const std::uint64_t address = addresses[lane];
    if (address >> kOffsetBits != tag || tag == memory_.heapBuffer + 1) {  // each block has its own bounds
      tag = address >> kOffsetBits;
      region = findRegion(address, memory_.buffers);
      if (isShared(address) != isShared_)
        return failAt(Fault::Kind::MixedSpaces, warp, i, lane, address, bytes, isStore);
    }
    const std::uint64_t offset = address & kOffsetMask;
    const bool isOutside = offset < region.begin || offset + bytes > region.end;
    if (isOutside && !isInPadding(address, region, bytes)) {
      return failAt(Fault::Kind::OutOfBounds, warp, i, lane, address, bytes, isStore);
    }
    if (offset % bytes != 0) return failAt(Fault::Kind::Misaligned, warp, i, lane, address, bytes, isStore);
    if (isOutside) {
      if (!hasTolerated_) {
        failAt(Fault::Kind::OutOfBounds, warp, i, lane, address, bytes, isStore);
        tolerate(fault_);
      }
      isPast_ = true;
    }
    bytes_[lane] = region.bytes + offset;
  }
  if (watch_.isOn() && !isShared_) watch_.accessed(warp, i, addresses, bytes);
  return true;
}

template <class Hooks>
template <class Memory>
inline std::byte* WarpRunner<Hooks>::arrayOfAll(const WarpState& warp, const LaneU64* addresses) {
  constexpr std::uint64_t kSize = sizeof(Memory);
  const std::uint64_t first = addresses[firstLane(warp)];
  const Region region = findRegion(first);
  if (region.end - region.begin < kSize) return nullptr;
  const std::uint64_t begin = (first & ~kOffsetMask) + region.begin;
  const std::uint64_t last = region.end - region.begin - kSize;
  std::uint64_t outside = 0;  // its sign tells if the address is before the array or behind it
  std::uint64_t low = 0;
  const auto look = [&](std::size_t lane) {
    const std::uint64_t at = addresses[lane] - begin;
    outside |= at | (last - at);
    low |= addresses[lane];
  };
  if (warp.active == ~0u) {
    for (std::size_t lane = 0; lane < kMaxLanes; ++lane) look(lane);
  } else {
    for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1)
      look(static_cast<std::size_t>(std::countr_zero(rest)));
  }
  if (outside >> 63 != 0 || low % kSize != 0) return nullptr;
  isShared_ = isShared(first);
  return region.bytes;
}

template <class Hooks>
inline typename WarpRunner<Hooks>::Region WarpRunner<Hooks>::findRegion(
    std::uint64_t address, std::span<const std::span<std::byte>> buffers) const {
  if (isShared(address)) {
    const std::size_t object = sharedObject(address);
    if (object >= memory_.sharedObjects.size()) return {};
    const SharedExtent extent = memory_.sharedObjects[object];
    return {memory_.shared.data(), extent.begin, extent.end};
  }
  const std::size_t buffer = bufferIndex(address);
  if (buffer >= buffers.size()) return {};
  if (buffer == memory_.heapBuffer) {
    const DeviceHeap::Extent block = memory_.heap->blockAt(address & kOffsetMask);
    return {buffers[buffer].data(), block.begin, block.end};
  }
  return {buffers[buffer].data(), 0, buffers[buffer].size()};
}

template <class Hooks>
inline bool WarpRunner<Hooks>::isConstantMemory(std::uint64_t address) const {
  if (!memory_.hasConstantMemory) return false;
  const std::size_t buffer = bufferIndex(address);
  return buffer < memory_.bufferNames.size() && memory_.bufferNames[buffer].isConstantMemory;
}

template <class Hooks>
inline bool WarpRunner<Hooks>::readsConstants(const WarpState& warp) const {
  if (!memory_.hasConstantMemory) return false;
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
    if (!isConstantMemory(addresses_[static_cast<std::size_t>(std::countr_zero(rest))])) return false;
  }
  return true;
}

template <class Hooks>
inline bool WarpRunner<Hooks>::failAt(Fault::Kind kind, const WarpState& warp, const Instruction& i,
                                      std::size_t lane, std::uint64_t address, unsigned bytes, bool isStore) {
  fault_ = fault(kind, warp, i);
  fault_.lane = static_cast<std::uint32_t>(lane);
  fault_.address = address;
  fault_.bytes = static_cast<std::uint8_t>(bytes);
  fault_.isStore = isStore;
  if (kind == Fault::Kind::OutOfBounds) fault_.wrapped = findWrapped(code_, warp, i, lane);
  return false;
}

template <class Hooks>
template <class Memory, class Register>
inline bool WarpRunner<Hooks>::loadFrom(const WarpState& warp, const Instruction& i,
                                        const LaneU64* addresses) {
  if (isLocal(addresses[std::countr_zero(warp.active)]))
    return loadLocal<Memory, Register>(warp, i, addresses);
  Register* dst = warp.lanes<Register>(i.dst);
  if (const std::byte* const bytes = arrayOfAll<Memory>(warp, addresses)) {
    keepAddresses(addresses);
    const auto load = [&](std::size_t lane) {
      Memory value;
      std::memcpy(&value, bytes + (addresses[lane] & kOffsetMask), sizeof value);
      dst[lane] = static_cast<Register>(value);
    };
    if (warp.active == ~0u) {
      for (std::size_t lane = 0; lane < kMaxLanes; ++lane) load(lane);
    } else {
      for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1)
        load(static_cast<std::size_t>(std::countr_zero(rest)));
    }
    tellAccess<AccessKind::Load>(warp, i, sizeof(Memory), i.dst);
    return true;
  }
  if (!locate(warp, i, addresses, sizeof(Memory), false)) return false;
  keepAddresses(addresses);
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    Memory value;
    std::memcpy(&value, bytes_[lane], sizeof value);
    dst[lane] = static_cast<Register>(value);
  }
  tellAccess<AccessKind::Load>(warp, i, sizeof(Memory), i.dst);
  return true;
}

template <class Hooks>
template <class Memory, class Register>
inline bool WarpRunner<Hooks>::storeTo(const WarpState& warp, const Instruction& i, const LaneU64* addresses,
                                       std::uint16_t from) {
  if (isLocal(addresses[std::countr_zero(warp.active)]))
    return storeLocal<Memory, Register>(warp, i, addresses, from);
  const Register* value = warp.lanes<Register>(from);
  if (std::byte* const bytes = arrayOfAll<Memory>(warp, addresses)) {
    keepAddresses(addresses);
    for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const auto narrow = static_cast<Memory>(value[lane]);
      std::memcpy(bytes + (addresses[lane] & kOffsetMask), &narrow, sizeof narrow);
    }
    tellAccess<AccessKind::Store>(warp, i, sizeof(Memory), from);
    return true;
  }
  if (!locate(warp, i, addresses, sizeof(Memory), true)) return false;
  keepAddresses(addresses);
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const auto narrow = static_cast<Memory>(value[lane]);
    std::memcpy(bytes_[lane], &narrow, sizeof narrow);
  }
  tellAccess<AccessKind::Store>(warp, i, sizeof(Memory), from);
  return true;
}

template <class Hooks>
template <class Value, class Index>
inline bool WarpRunner<Hooks>::loadAt(const WarpState& warp, const Instruction& i) {
  if (warp.active == 0) return true;
  Value* const dst = warp.lanes<Value>(i.dst);
  if (const std::byte* const from = unitBytes<Value, Index>(warp, i)) {
    moveUnit<Value>(warp.active, reinterpret_cast<std::byte*>(dst + std::countr_zero(warp.active)), from);
    tellUnit<AccessKind::Load, Value>(warp, i);
    return true;
  }
  findAddresses<Index>(warp, i);
  return loadFrom<Value, Value>(warp, i, computed_.data());
}

template <class Hooks>
template <class Value, class Index>
inline bool WarpRunner<Hooks>::storeAt(const WarpState& warp, const Instruction& i) {
  if (warp.active == 0) return true;
  if (std::byte* const to = unitBytes<Value, Index>(warp, i)) {
    const Value* const from = warp.lanes<Value>(i.c) + std::countr_zero(warp.active);
    moveUnit<Value>(warp.active, to, reinterpret_cast<const std::byte*>(from));
    tellUnit<AccessKind::Store, Value>(warp, i);
    return true;
  }
  findAddresses<Index>(warp, i);
  return storeTo<Value, Value>(warp, i, computed_.data(), i.c);
}

template <class Hooks>
template <class Index>
inline void WarpRunner<Hooks>::findAddresses(const WarpState& warp, const Instruction& i) {
  const LaneU64* base = warp.lanes<LaneU64>(i.a);
  const Index* index = warp.lanes<Index>(i.b);
  const auto scale = static_cast<std::uint64_t>(i.imm);
  if (std::has_single_bit(scale)) {
    const auto shift = static_cast<unsigned>(std::countr_zero(scale));
    for (unsigned lane = 0; lane < kMaxLanes; ++lane)
      computed_[lane] =
          base[lane] + (static_cast<std::uint64_t>(static_cast<std::int64_t>(index[lane])) << shift);
    return;
  }
  for (unsigned lane = 0; lane < kMaxLanes; ++lane)
    computed_[lane] = base[lane] + static_cast<std::uint64_t>(static_cast<std::int64_t>(index[lane])) * scale;
}

template <class Hooks>
template <class Value, class Index>
inline std::byte* WarpRunner<Hooks>::unitBytes(const WarpState& warp, const Instruction& i) {
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
  const std::uint64_t first = base[low] + static_cast<std::uint64_t>(static_cast<std::int64_t>(index[low])) *
                                              static_cast<std::uint64_t>(i.imm);
  isShared_ = isShared(first);
  const Region region = findRegion(first);
  const std::uint64_t offset = first & kOffsetMask;
  if (offset % kSize != 0 || offset < region.begin || offset + (high - low + 1) * kSize > region.end)
    return nullptr;
  unitAddress_ = first;
  return region.bytes + offset;
}

template <class Hooks>
template <class Value>
inline void WarpRunner<Hooks>::moveUnit(std::uint32_t active, std::byte* to, const std::byte* from) {
  if (active == ~0u) {
    std::memcpy(to, from, kMaxLanes * sizeof(Value));
    return;
  }
  for (std::uint32_t rest = active >> std::countr_zero(active); rest != 0; rest &= rest - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(rest)) * sizeof(Value);
    std::memcpy(to + at, from + at, sizeof(Value));
  }
}

template <class Hooks>
template <AccessKind kKind, class Value>
inline void WarpRunner<Hooks>::tellUnit(const WarpState& warp, const Instruction& i) {
  if constexpr (Hooks::kCounts) {
    if (isShared_ && sizeof(Value) == 4 && unitCosts_.isSharedFree()) {
      Event event{.kind = toStepKind(kKind, true), .active = warp.active};
      event.wavefronts = event.idealWavefronts = 1;
      tell(warp, i, event);
    } else if (!isShared_ && unitCosts_.isSectorCount() && isContiguous(warp.active) &&
               !(kKind == AccessKind::Load && isConstantMemory(unitAddress_))) {
      const auto bytes = static_cast<unsigned>(std::popcount(warp.active)) * sizeof(Value);
      Event event{.kind = toStepKind(kKind, false), .active = warp.active};
      event.sectors = unitCosts_.sectors(unitAddress_, unitAddress_ + bytes - 1);
      tell(warp, i, event);
    } else {
      const auto low = static_cast<unsigned>(std::countr_zero(warp.active));
      for (unsigned lane = 0; lane < kMaxLanes; ++lane)
        computed_[lane] = unitAddress_ + (std::uint64_t{lane} - low) * sizeof(Value);
      keepAddresses(computed_.data());
      tellAccess<kKind>(warp, i, sizeof(Value), i.dst);
    }
  }
}

template <class Hooks>
inline void WarpRunner<Hooks>::keepAddresses(const LaneU64* addresses) {
  if constexpr (!Hooks::kCounts) return;
  if (isShared_) {  // those of inactive lanes mean nothing
    for (std::size_t lane = 0; lane < kMaxLanes; ++lane)
      offsets_[lane] = static_cast<std::uint32_t>(addresses[lane] & kOffsetMask);
    if constexpr (!Hooks::kObserves) return;
  }
  std::memcpy(addresses_.data(), addresses, sizeof addresses_);
}

template <class Hooks>
inline SharedAtomic WarpRunner<Hooks>::toSharedAtomic(const Instruction& i) {
  if (i.op != Op::Atomic) return {};
  const AtomicShape shape = AtomicShape::of(i.imm);
  if (shape.op == typed::AtomicOp::CompareSwap) return SharedAtomic::CompareSwap;
  if (shape.op == typed::AtomicOp::Exchange) return SharedAtomic::Native;
  switch (shape.type) {
    case Type::Kind::I32:
    case Type::Kind::U32:
      return shape.addsOne && !shape.isResultUsed ? SharedAtomic::Increment : SharedAtomic::Native;
    case Type::Kind::Bool:
    case Type::Kind::I8:
    case Type::Kind::U8:
    case Type::Kind::I16:
    case Type::Kind::U16:
    case Type::Kind::F16:
    case Type::Kind::BF16: return SharedAtomic::NarrowLoop;
    default: return SharedAtomic::Loop;
  }
}

template <class Hooks>
template <AccessKind kKind>
inline void WarpRunner<Hooks>::tellAccess(const WarpState& warp, const Instruction& i, unsigned bytes,
                                          std::uint16_t reg, bool isResultUsed) {
  if constexpr (Hooks::kCounts) {
    Event event{.isResultUsed = isResultUsed,
                .bytes = static_cast<std::uint8_t>(bytes),
                .valueRegister = reg,
                .active = warp.active,
                .addresses = addresses_.data()};
    // The compiler knows each kind: what other kinds count costs nothing.
    if (isShared_) {
      event.kind = toStepKind(kKind, true);
      event.sharedAtomic = toSharedAtomic(i);
      const SharedCost cost = sharedCost(machine_, {offsets_, warp.active, bytes, kKind, event.sharedAtomic});
      event.wavefronts = cost.wavefronts;
      event.idealWavefronts = cost.ideal;
      event.loadWavefronts = cost.loads;
      tell(warp, i, event);
    } else if (kKind == AccessKind::Load && readsConstants(warp)) {
      event.kind = StepKind::ConstantLoad;
      event.constantAddresses = constantAddresses(addresses_, warp.active);
      tell(warp, i, event);
    } else {
      event.kind = toStepKind(kKind, false);
      event.sectors = kKind == AccessKind::Atomic ? reductionSectors(machine_, addresses_, warp.active, bytes)
                                                  : globalSectors(machine_, addresses_, warp.active, bytes);
      tell(warp, i, event);
    }
  }
}

template <class Hooks>
template <AccessKind kKind>
inline bool WarpRunner<Hooks>::moveVector(const WarpState& warp, const Instruction& i) {
  if (warp.active == 0) return true;
  constexpr bool isStore = kKind == AccessKind::Store;
  const VectorShape shape = VectorShape::of(i.imm);
  std::memcpy(addresses_.data(), warp.lanes<LaneU64>(i.a), sizeof addresses_);
  const bool local = isLocal(addresses_[static_cast<std::size_t>(std::countr_zero(warp.active))]);
  if (!local) {
    if (!locate(warp, i, warp.lanes<LaneU64>(i.a), shape.bytes(), isStore)) return false;
    keepAddresses(warp.lanes<LaneU64>(i.a));
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
  if (local) {
    tellLocal<kKind>(warp, i, shape.bytes(), reg);
  } else {
    tellAccess<kKind>(warp, i, shape.bytes(), reg);
  }
  return true;
}

template <class Hooks>
inline void WarpRunner<Hooks>::moveElements(const WarpState& warp, const Instruction& i, VectorShape shape,
                                            std::size_t lane, bool isStore, bool local) {
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

template <class Hooks>
template <class T, class Register>
inline bool WarpRunner<Hooks>::atomicAs(const WarpState& warp, const Instruction& i) {
  if (warp.active == 0) return true;
  using Narrow = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
  using Wide = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  using Bits = std::conditional_t<sizeof(T) <= 2, Narrow, Wide>;
  const AtomicShape shape = AtomicShape::of(i.imm);
  const LaneU64* addresses = warp.lanes<LaneU64>(i.a);
  if (!locate(warp, i, addresses, sizeof(T), true)) return false;
  keepAddresses(addresses);
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const auto operand = lane::fromRegister<T>(warp.lanes<Register>(i.b)[lane]);
    const auto other = shape.op == typed::AtomicOp::CompareSwap
                           ? lane::fromRegister<T>(warp.lanes<Register>(i.c)[lane])
                           : T{};
    const std::atomic_ref<Bits> word(*reinterpret_cast<Bits*>(bytes_[lane]));
    Bits old = word.load(std::memory_order_relaxed);
    while (!word.compare_exchange_weak(
        old, std::bit_cast<Bits>(lane::atomicResult<T>(shape.op, std::bit_cast<T>(old), operand, other)),
        std::memory_order_relaxed)) {
    }
    warp.lanes<Register>(i.dst)[lane] = lane::toRegister<Register>(std::bit_cast<T>(old));
  }
  tellAccess<AccessKind::Atomic>(warp, i, sizeof(T), i.dst, shape.isResultUsed);
  return true;
}

}  // namespace lanescope
