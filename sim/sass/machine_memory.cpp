#include "sim/sass/machine_warp.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/memory/access_costs.h"
#include "sim/memory/address.h"

namespace lanescope {
namespace {

using M = Modifier;

constexpr std::size_t kMostSharedBytes = 228u << 10;  // of a block, on a GPU of compute capability 9.0

unsigned bytesOfOperation(const MachineOperation& operation) {
  if (operation.has(M::kU8) || operation.has(M::kS8)) return 1;
  if (operation.has(M::kU16) || operation.has(M::kS16)) return 2;
  if (operation.has(M::k128)) return 16;
  return operation.has(M::k64) ? 8 : 4;
}

bool isSharedKind(StepKind kind) {
  return kind == StepKind::SharedLoad || kind == StepKind::SharedStore || kind == StepKind::SharedAtomic;
}

constexpr const char* kUnknownForm = "it has an access of a form that is not known here";

/// True if there are registers for all values that are loaded or stored.
bool hasRegisters(const MachineOperation& operation, unsigned bytes) {
  const bool isLoad = operation.name.starts_with("LD");
  if (isLoad && (!operation.destination || operation.destination->kind != OperandKind::Register))
    return false;
  const bool isStore = operation.name.starts_with("ST");
  if (isStore && operation.source(1).kind != OperandKind::Register) return false;
  const unsigned words = std::max(1u, bytes / 4);
  const auto fits = [&](const MachineOperand& one) {
    return one.number == kZeroRegister || one.number + words <= kZeroRegister;
  };
  return (!operation.destination || fits(*operation.destination)) && (!isStore || fits(operation.source(1)));
}

/// The addresses that the lanes ask for.
LaneWide computeAddresses(MachineWarp& warp, const MachineOperand& operand, bool isGlobal) {
  LaneWide addresses{};
  const LaneWords& base = warp.registers[operand.base];
  const bool isNarrow = operand.text == "U32" || !isGlobal;
  const bool hasUniform = operand.uniform != kZeroUniform;
  std::uint64_t uniform = hasUniform ? warp.uniforms[operand.uniform] : 0;
  if (hasUniform && isGlobal && operand.uniform + 1 < kZeroUniform)
    uniform |= std::uint64_t{warp.uniforms[operand.uniform + 1]} << 32;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    std::uint64_t address = std::uint64_t{base[lane]} * operand.scale;
    if (!isNarrow && operand.base != kZeroRegister)
      address |= std::uint64_t{warp.registers[operand.base + 1][lane]} << 32;
    address += uniform + static_cast<std::uint64_t>(operand.offset);
    addresses[lane] = isGlobal ? address : address & 0xffffffffu;
  }
  if (isGlobal && operand.base == kZeroRegister && !hasUniform) warp.failed = true;
  return addresses;
}

template <class T>
T combined(const MachineOperation& operation, T old, T value) {
  if (operation.has(M::kEXCH)) return value;
  if (operation.has(M::kMIN)) return std::min(old, value);
  if (operation.has(M::kMAX)) return std::max(old, value);
  if constexpr (std::is_integral_v<T>) {
    if (operation.has(M::kAND)) return old & value;
    if (operation.has(M::kOR)) return old | value;
    if (operation.has(M::kXOR)) return old ^ value;
    if (operation.has(M::kINC)) return old >= value ? 0 : old + 1;
    if (operation.has(M::kDEC)) return old == 0 || old > value ? value : old - 1;
    if (operation.has(M::kADD))
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) +
                            static_cast<std::make_unsigned_t<T>>(value));
  }
  return old + value;
}

/// The value in memory after an atomic that found `old`.
std::uint64_t updated(const MachineOperation& operation, unsigned bytes, std::uint64_t old,
                      std::uint64_t value) {
  const auto narrow = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits); };
  if (operation.has(M::kF64))
    return std::bit_cast<std::uint64_t>(
        combined(operation, std::bit_cast<double>(old), std::bit_cast<double>(value)));
  if (operation.has(M::kF32))
    return std::bit_cast<std::uint32_t>(
        combined(operation, std::bit_cast<float>(narrow(old)), std::bit_cast<float>(narrow(value))));
  if (bytes == 8 && operation.has(M::kS64))
    return static_cast<std::uint64_t>(
        combined(operation, static_cast<std::int64_t>(old), static_cast<std::int64_t>(value)));
  if (bytes == 8) return combined(operation, old, value);
  if (operation.has(M::kS32))
    return static_cast<std::uint32_t>(combined(operation, static_cast<std::int32_t>(narrow(old)),
                                               static_cast<std::int32_t>(narrow(value))));
  return combined(operation, narrow(old), narrow(value));
}

SharedAtomic toSharedAtomic(const MachineOperation& operation) {
  if (operation.has(M::kPOPC)) return SharedAtomic::Increment;
  if (operation.has(M::kCAST)) return SharedAtomic::Loop;
  return operation.has(M::kCAS) ? SharedAtomic::CompareSwap : SharedAtomic::Native;
}

}  // namespace

MachineMemory::MachineMemory(PreparedLaunch& prepared, const MachineModel& machine, std::uint32_t sharedBegin)
    : prepared_(prepared), machine_(machine), sharedBegin_(sharedBegin), shared_(kMostSharedBytes) {}

void MachineMemory::beginBlock() {
  std::ranges::fill(shared_, std::byte{0});
  local_.clear();
  updatedBy_.clear();
}

std::byte* MachineMemory::at(std::uint64_t address, unsigned bytes, bool isSharedAccess) {
  if (isSharedAccess) {
    const std::uint64_t offset = address - sharedBegin_;
    if (address >= sharedBegin_ && offset + bytes <= shared_.size()) return shared_.data() + offset;
  } else {
    const std::size_t buffer = bufferIndex(address);
    const std::uint64_t offset = address & kOffsetMask;
    if (buffer < prepared_.memory.bufferCount() && offset + bytes <= prepared_.memory.buffer(buffer).size())
      return prepared_.memory.buffer(buffer).data() + offset;
  }
  why_ = "it accesses memory that the launch does not have";
  return nullptr;
}

void MachineMemory::load(MachineWarp& warp, const MachineOperation& operation, const Request& request,
                         bool isSharedAccess) {
  const bool isSigned = operation.has(M::kS8) || operation.has(M::kS16);
  const unsigned words = std::max(1u, request.bytes / 4);
  const unsigned destination = operation.destination->number;
  forEachLane(request.mask, [&](unsigned lane) {
    const std::byte* const from = at(request.addresses[lane], request.bytes, isSharedAccess);
    if (from == nullptr || destination == kZeroRegister) return;
    std::array<std::uint32_t, 4> values{};
    std::memcpy(values.data(), from, request.bytes);
    if (isSigned) {
      const unsigned unused = 32 - 8 * request.bytes;
      values[0] = static_cast<std::uint32_t>(static_cast<std::int32_t>(values[0] << unused) >> unused);
    }
    for (unsigned i = 0; i < words; ++i) warp.registers[destination + i][lane] = values[i];
  });
}

void MachineMemory::store(MachineWarp& warp, const MachineOperation& operation, const Request& request,
                          bool isSharedAccess) {
  const MachineOperand& source = operation.source(1);
  const unsigned words = std::max(1u, request.bytes / 4);
  forEachLane(request.mask, [&](unsigned lane) {
    std::byte* const to = at(request.addresses[lane], request.bytes, isSharedAccess);
    if (to == nullptr) return;
    std::array<std::uint32_t, 4> values{};
    for (unsigned i = 0; i < words; ++i)
      values[i] = source.number == kZeroRegister ? 0 : warp.registers[source.number + i][lane];
    std::memcpy(to, values.data(), request.bytes);
  });
}

void MachineMemory::update(MachineWarp& warp, const MachineOperation& operation, const Request& request,
                           bool isSharedAccess, std::uint32_t through) {
  const bool isSwap = operation.has(M::kCAS) || operation.has(M::kCAST);
  LaneWide compared{};
  LaneWide values{};
  const auto read = [&](const MachineOperand& operand) {
    if (request.bytes == 8) return warp.wide(operand);
    LaneWide all{};
    LaneWords room;
    std::ranges::copy(warp.whole(operand, room), all.begin());
    return all;
  };
  if (operation.sources.size() > 1) values = read(operation.sources[1]);
  if (isSwap) {
    compared = values;
    values = read(operation.source(2));
  }
  forEachLane(request.mask, [&](unsigned lane) {
    std::byte* const place = at(request.addresses[lane], request.bytes, isSharedAccess);
    if (place == nullptr) return;
    std::uint64_t old = 0;
    std::memcpy(&old, place, request.bytes);
    const bool goesThrough = (through >> lane & 1u) != 0;
    std::uint64_t now = operation.has(M::kPOPC) ? old + 1 : 0;
    if (isSwap) {
      now = old == compared[lane] && goesThrough ? values[lane] : old;
    } else if (!operation.has(M::kPOPC)) {
      now = updated(operation, request.bytes, old, values[lane]);
    }
    std::memcpy(place, &now, request.bytes);
    const bool isCast = operation.has(M::kCAST);
    if (isCast && goesThrough && old != compared[lane]) depends_ = true;
    if (!operation.destination || operation.destination->number == kZeroRegister) return;
    const std::uint64_t given = isCast ? std::uint64_t{goesThrough && old == compared[lane]} : old;
    const unsigned destination = operation.destination->number;
    warp.registers[destination][lane] = static_cast<std::uint32_t>(given);
    if (request.bytes == 8 && !isCast)
      warp.registers[destination + 1][lane] = static_cast<std::uint32_t>(given >> 32);
  });
}

AccessCost MachineMemory::computeCost(const MachineOperation& operation, const Request& request,
                                      std::uint32_t& through) const {
  AccessCost cost{1, 0, 0, 0};
  const StepKind kind = operation.access->kind;
  if (kind == StepKind::GlobalAtomic) {
    cost.sectors = reductionSectors(machine_, request.addresses, request.mask, request.bytes);
    return cost;
  }
  if (!isSharedKind(kind)) {
    cost.sectors = globalSectors(machine_, request.addresses, request.mask, request.bytes);
    return cost;
  }
  std::array<std::uint32_t, kMaxLanes> offsets{};
  for (unsigned lane = 0; lane < kMaxLanes; ++lane)
    offsets[lane] = static_cast<std::uint32_t>(request.addresses[lane]) - sharedBegin_;
  SharedRequest shared{offsets, request.mask, request.bytes, AccessKind::Load};
  if (kind == StepKind::SharedStore) shared.kind = AccessKind::Store;
  if (kind == StepKind::SharedAtomic) {
    shared.kind = AccessKind::Atomic;
    shared.atomic = toSharedAtomic(operation);
  }
  const bool isCast = kind == StepKind::SharedAtomic && shared.atomic == SharedAtomic::Loop;
  const SharedCost found = isCast ? spinCost(machine_, shared, through) : sharedCost(machine_, shared);
  cost.wavefronts = found.wavefronts;
  cost.ideal = found.ideal;
  return cost;
}

void MachineMemory::local(MachineWarp& warp, const MachineOperation& operation, const Request& request) {
  const bool isLoad = operation.name == "LDL";
  const unsigned words = std::max(1u, request.bytes / 4);
  const unsigned number = isLoad ? operation.destination->number : operation.source(1).number;
  forEachLane(request.mask, [&](unsigned lane) {
    const std::uint64_t thread = std::uint64_t{warp.index} * kMaxLanes + lane;
    const std::uint64_t address = request.addresses[lane];
    const unsigned shift = static_cast<unsigned>(address & 3u) * 8;
    for (unsigned i = 0; i < words; ++i) {
      std::uint32_t& word = local_[{thread, (address & ~std::uint64_t{3}) + 4 * i}];
      const std::uint32_t part = request.bytes >= 4 ? ~0u : ((1u << (8 * request.bytes)) - 1) << shift;
      if (isLoad && number != kZeroRegister) {
        std::uint32_t value = (word & part) >> (request.bytes >= 4 ? 0 : shift);
        if (operation.has(M::kS8)) value = static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
        if (operation.has(M::kS16)) value = static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
        warp.registers[number + i][lane] = value;
      } else if (!isLoad) {
        const std::uint32_t value = number == kZeroRegister ? 0 : warp.registers[number + i][lane];
        word = (word & ~part) | (request.bytes >= 4 ? value : (value << shift & part));
      }
    }
  });
}

AccessCost MachineMemory::access(MachineWarp& warp, const MachineOperation& operation, std::uint32_t mask) {
  const auto address = std::ranges::find(operation.sources, OperandKind::Address, &MachineOperand::kind);
  if (address != operation.sources.begin() || operation.sources.empty()) {
    why_ = kUnknownForm;
    return {};
  }
  Request request{{}, mask, bytesOfOperation(operation)};
  if (operation.access) request.bytes = operation.access->bytes;
  const bool isLocal = !operation.access;
  const bool isSharedAccess = operation.access && isSharedKind(operation.access->kind);
  request.addresses = computeAddresses(warp, *address, !isLocal && !isSharedAccess);
  if (isLocal) {
    if (!hasRegisters(operation, request.bytes)) {
      why_ = kUnknownForm;
      return {};
    }
    local(warp, operation, request);
    return {};
  }
  if (!hasRegisters(operation, request.bytes)) {
    why_ = kUnknownForm;
    return {};
  }
  std::uint32_t through = mask;
  const AccessCost cost = computeCost(operation, request, through);
  switch (operation.access->kind) {
    case StepKind::SharedLoad:
    case StepKind::GlobalLoad: load(warp, operation, request, isSharedAccess); break;
    case StepKind::SharedStore:
    case StepKind::GlobalStore: store(warp, operation, request, isSharedAccess); break;
    default: update(warp, operation, request, isSharedAccess, through); break;
  }
  if (operation.has(M::kCAST)) {
    forEachLane(mask, [&](unsigned lane) {
      const auto [place, isNew] = updatedBy_.try_emplace(request.addresses[lane], warp.index);
      depends_ = depends_ || place->second != warp.index;
    });
  }
  return cost;
}

}  // namespace lanescope
