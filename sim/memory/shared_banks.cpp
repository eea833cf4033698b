#include "sim/memory/shared_banks.h"

#include <algorithm>
#include <array>
#include <bit>

namespace lanescope {
namespace {

/// Different words asked of each bank so far.
class BankTally {
 public:
  explicit BankTally(const MachineModel& machine) : machine_(machine) {}

  /// Adds a word (its number, not its address) and gives its turn at the bank: 0 for the first.
  std::uint32_t add(std::uint32_t word) {
    const std::uint32_t bank = word % machine_.banks;
    const std::uint32_t count = counts_[bank];
    for (std::uint32_t turn = 0; turn < count; ++turn) {
      if (words_[bank][turn] == word) return turn;
    }
    words_[bank][count] = word;
    most_ = std::max(most_, ++counts_[bank]);
    return count;
  }
  std::uint32_t most() const { return most_; }

 private:
  static constexpr std::size_t kMaxBanks = 32;
  static constexpr std::size_t kMaxWords = 2 * kMaxLanes;  // both words of a 64-bit access
  const MachineModel& machine_;
  std::array<std::uint32_t, kMaxBanks> counts_{};
  std::array<std::array<std::uint32_t, kMaxWords>, kMaxBanks> words_;
  std::uint32_t most_ = 0;
};

/// The common case at once: 32-bit words, every lane a bank of its own or the bank's one word.
bool isConflictFree(const MachineModel& machine, const SharedRequest& request) {
  std::array<std::uint32_t, 32> wordOf;
  std::uint32_t used = 0;
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t word =
        request.addresses[static_cast<std::size_t>(std::countr_zero(rest))] / machine.bankBytes;
    const std::uint32_t bank = word % machine.banks;
    const std::uint32_t bit = 1u << bank;
    if ((used & bit) != 0 && wordOf[bank] != word) return false;
    used |= bit;
    wordOf[bank] = word;
  }
  return true;
}

/// Wavefronts of the lanes in `lanes` alone, over all the words each touches.
std::uint32_t groupWavefronts(const MachineModel& machine, const SharedRequest& request,
                              std::uint32_t lanes) {
  BankTally tally(machine);
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint32_t address = request.addresses[static_cast<std::size_t>(std::countr_zero(rest))];
    const std::uint32_t first = address / machine.bankBytes;
    const std::uint32_t last = (address + request.bytes - 1) / machine.bankBytes;
    for (std::uint32_t word = first; word <= last; ++word) tally.add(word);
  }
  return tally.most();
}

/// True when every active lane's partner at `distance` is inactive or asks for the same address.
bool pairsAgree(const SharedRequest& request, std::uint32_t distance) {
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t partner = lane ^ distance;
    if ((request.mask >> partner & 1u) != 0 && request.addresses[lane] != request.addresses[partner])
      return false;
  }
  return true;
}

/// The most lanes that ask one bank, of the same word or not.
std::uint32_t lanesOnOneBank(const MachineModel& machine, const SharedRequest& request) {
  std::array<std::uint32_t, 32> lanes{};
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t address = request.addresses[static_cast<std::size_t>(std::countr_zero(rest))];
    ++lanes[address / machine.bankBytes % machine.banks];
  }
  return *std::ranges::max_element(lanes);
}

}  // namespace

SharedCost sharedCost(const MachineModel& machine, const SharedRequest& request) {
  if (request.mask == 0) return {};
  SharedCost cost;
  const auto active = static_cast<std::uint32_t>(std::popcount(request.mask));
  const std::uint32_t rowBytes = machine.banks * machine.bankBytes;
  const std::uint32_t bytes = request.bytes;
  if (request.kind == AccessKind::Atomic && request.isResultUsed) {
    cost.wavefronts = lanesOnOneBank(machine, request);
  } else if (bytes <= machine.bankBytes) {
    cost.wavefronts = machine.banks <= 32 && isConflictFree(machine, request)
                          ? 1
                          : groupWavefronts(machine, request, request.mask);
  } else {
    // Wide accesses go in groups of as many lanes as fill one row of the banks.
    std::uint32_t groupLanes = std::max(1u, machine.warpSize * machine.bankBytes / bytes);
    const bool merges =
        request.kind == AccessKind::Load && (pairsAgree(request, 1) || pairsAgree(request, 2));
    if (merges) groupLanes *= 2;
    const std::uint32_t groupMask = groupLanes >= 32 ? ~0u : (1u << groupLanes) - 1;
    for (std::uint32_t first = 0; first < machine.warpSize; first += groupLanes) {
      const std::uint32_t lanes = request.mask & (groupMask << first);
      if (lanes != 0) cost.wavefronts += groupWavefronts(machine, request, lanes);
    }
  }
  cost.ideal = std::min(cost.wavefronts, (active * bytes + rowBytes - 1) / rowBytes) * request.operands;
  cost.wavefronts *= request.operands;
  return cost;
}

std::vector<BankPass> bankPasses(const MachineModel& machine, const SharedRequest& request) {
  std::vector<BankPass> passes;
  BankTally tally(machine);
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t turn = tally.add(request.addresses[lane] / machine.bankBytes);
    if (turn >= passes.size()) passes.resize(turn + 1);
    passes[turn].lanes |= 1u << lane;
  }
  return passes;
}

}  // namespace lanescope
