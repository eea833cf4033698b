#pragma once

#include <algorithm>

#include "sim/machine/run/warp_runner.h"

/// A warp's accesses to its threads' own memory: WarpRunner's loads and stores of local variables.
namespace lanescope {

template <class Hooks>
inline std::byte* WarpRunner<Hooks>::localByte(const WarpState& warp, const Instruction& i, std::size_t lane,
                                               std::uint64_t address, unsigned bytes, bool isStore) {
  const FoundLocal found = findLocal(code_, localIndex(address));
  const std::uint64_t local = found.local;
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
  const std::uint64_t local = found.local;
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

}  // namespace lanescope
