#include "app/analysis/footprint.h"

#include <bit>

#include "sim/memory/address.h"

namespace lanescope {

void Footprint::mark(std::uint64_t address, AccessKind kind) {
  const std::uint64_t name = address >> kOffsetBits;
  if (name == 0 || isShared(address) || isLocal(address)) return;
  if (name >= marks_.size()) marks_.resize(name + 1);
  std::vector<std::uint8_t>& buffer = marks_[name];
  const std::uint64_t sector = (address & kOffsetMask) / kSectorBytes;
  if (sector >= buffer.size()) buffer.resize(std::bit_ceil(sector + 1));
  std::uint8_t& bits = buffer[sector];
  const auto set = [&](Mark one) {
    const auto bit = static_cast<std::uint8_t>(1U << one);
    if ((bits & bit) != 0) return;
    bits = static_cast<std::uint8_t>(bits | bit);
    ++counts_[one];
  };
  if (kind != AccessKind::Store && bits == 0) set(kRead);
  if (kind != AccessKind::Load) set(kWritten);
}

void Footprint::happened(const WarpState&, const Instruction&, const Event& event) {
  if (!isGlobal(event.kind)) return;  // the constant cache may have kept a constant
  std::uint64_t last = 0;             // lanes side by side touch the same sector: no buffer has this one
  for (std::uint32_t lanes = event.active; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t address = event.addresses[std::countr_zero(lanes)];
    if (address / kSectorBytes != last) mark(address, toAccessKind(event.kind));
    last = address / kSectorBytes;
  }
}

}  // namespace lanescope
