#include "sim/memory/shared_banks.h"

#include <algorithm>
#include <array>
#include <bit>

#include "sim/memory/lanes.h"

namespace lanescope {
namespace {

constexpr std::size_t kMaxBanks = 32;

std::uint32_t lanesFrom(std::uint32_t first, std::uint32_t count) {
  return (count >= 32 ? ~0u : (1u << count) - 1) << first;
}

/// Different words asked of each bank so far.
class BankTally {
 public:
  explicit BankTally(const MachineModel& machine) : machine_(machine) {}

  /// Adds a word (its number, not its address) and gives its wavefront at the bank: 0 for the first.
  std::uint32_t add(std::uint32_t word) {
    const std::uint32_t bank = word % machine_.banks;
    const std::uint32_t count = counts_[bank];
    for (std::uint32_t wavefront = 0; wavefront < count; ++wavefront) {
      if (words_[bank][wavefront] == word) return wavefront;
    }
    words_[bank][count] = word;
    most_ = std::max(most_, ++counts_[bank]);
    return count;
  }
  std::uint32_t most() const { return most_; }

 private:
  static constexpr std::size_t kMaxWords = 4 * kMaxLanes;  // all words of a 128-bit access
  const MachineModel& machine_;
  std::array<std::uint32_t, kMaxBanks> counts_{};
  std::array<std::array<std::uint32_t, kMaxWords>, kMaxBanks> words_;
  std::uint32_t most_ = 0;
};

/// The common case at once: words of a bank's width, every lane a bank of its own or the bank's one word.
bool isConflictFree(const MachineModel& machine, const SharedRequest& request) {
  std::array<std::uint32_t, kMaxBanks> wordOf;
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

/// How many neighbouring lanes go to the banks together.
std::uint32_t lanesTogether(const MachineModel& machine, const SharedRequest& request) {
  const bool isAtomicByLanes = request.kind == AccessKind::Atomic && request.isResultUsed;
  if (request.bytes <= machine.bankBytes || isAtomicByLanes || machine.sharedRule == SharedRule::OneBroadcast)
    return machine.requestLanes;
  // Wide accesses go in groups of as many lanes as fill one row of the banks.
  const std::uint32_t lanes = std::max(1u, machine.banks * machine.bankBytes / request.bytes);
  const bool merges = machine.sharedRule == SharedRule::Measured && request.kind == AccessKind::Load &&
                      (pairsAgree(request, 1) || pairsAgree(request, 2));
  return std::min(machine.requestLanes, merges ? 2 * lanes : lanes);
}

/// Wavefronts of the lanes in `lanes`: their number. `serve` gets each wavefront and its lane.
template <class F>
std::uint32_t serveByWords(const MachineModel& machine, const SharedRequest& request, std::uint32_t lanes,
                           F serve) {
  BankTally tally(machine);
  forEachLane(lanes, [&](std::uint32_t lane) {
    const std::uint32_t first = request.addresses[lane] / machine.bankBytes;
    const std::uint32_t last = (request.addresses[lane] + request.bytes - 1) / machine.bankBytes;
    for (std::uint32_t word = first; word <= last; ++word) serve(tally.add(word), lane, word);
  });
  return tally.most();
}

/// The same where lanes on one bank are serialized, also those on one word. All words of a lane are in its
/// wavefront.
template <class F>
std::uint32_t serveByLanes(const MachineModel& machine, const SharedRequest& request, std::uint32_t lanes,
                           F serve) {
  std::array<std::uint32_t, kMaxBanks> next{};
  forEachLane(lanes, [&](std::uint32_t lane) {
    const std::uint32_t first = request.addresses[lane] / machine.bankBytes;
    const std::uint32_t last = (request.addresses[lane] + request.bytes - 1) / machine.bankBytes;
    const std::uint32_t wavefront = next[first % machine.banks]++;
    for (std::uint32_t word = first; word <= last; ++word) serve(wavefront, lane, word);
  });
  return *std::ranges::max_element(next);
}

/// One 32-bit request of a half-warp of compute capability 1.x: that of each lane's word number `part`.
template <class F>
std::uint32_t serveByBroadcast(const MachineModel& machine, const SharedRequest& request, std::uint32_t lanes,
                               std::uint32_t part, F serve) {
  const auto addressOf = [&](std::uint32_t lane) {
    return request.addresses[lane] + part * machine.bankBytes;
  };
  const auto wordOf = [&](std::uint32_t lane) { return addressOf(lane) / machine.bankBytes; };
  const bool isLoad = request.kind == AccessKind::Load;
  std::uint32_t step = 0;
  for (std::uint32_t rest = lanes; rest != 0; ++step) {
    std::array<std::int32_t, kMaxBanks> servedBy;
    servedBy.fill(-1);
    const auto first = static_cast<std::uint32_t>(std::countr_zero(rest));
    std::uint32_t served = 0;
    forEachLane(rest, [&](std::uint32_t lane) {
      std::int32_t& owner = servedBy[wordOf(lane) % machine.banks];
      const bool isFree = owner < 0;
      const bool joins = isLoad ? wordOf(lane) == wordOf(first)
                                : request.kind == AccessKind::Store && !isFree &&
                                      addressOf(lane) == addressOf(static_cast<std::uint32_t>(owner));
      if (!isFree && !joins) return;
      if (isFree) owner = static_cast<std::int32_t>(lane);
      served |= 1u << lane;
      serve(step, lane, wordOf(lane));
    });
    rest &= ~served;
  }
  return step;
}

/// All groups of a request in their order: calls `serve` with the number of each wavefront, a lane it serves,
/// the word of it and the number of the group's first wavefront; gives the number of wavefronts. `group` gets
/// each group's lanes.
template <class F, class G>
std::uint32_t serveAll(const MachineModel& machine, const SharedRequest& request, F serve, G group) {
  const std::uint32_t together = lanesTogether(machine, request);
  std::uint32_t wavefronts = 0;
  for (std::uint32_t first = 0; first < machine.warpSize; first += together) {
    const std::uint32_t lanes = request.mask & lanesFrom(first, together);
    if (lanes == 0) continue;
    group(lanes);
    const auto inOrder = [&](std::uint32_t wavefront, std::uint32_t lane, std::uint32_t word) {
      serve(wavefronts + wavefront, lane, word, wavefronts);
    };
    if (request.kind == AccessKind::Atomic && request.isResultUsed) {
      wavefronts += serveByLanes(machine, request, lanes, inOrder);
    } else if (machine.sharedRule == SharedRule::OneBroadcast) {
      const std::uint32_t parts = std::max(1u, request.bytes / machine.bankBytes);
      for (std::uint32_t part = 0; part < parts; ++part)
        wavefronts += serveByBroadcast(machine, request, lanes, part, inOrder);
    } else {
      wavefronts += serveByWords(machine, request, lanes, inOrder);
    }
  }
  return wavefronts;
}

}  // namespace

SharedCost sharedCost(const MachineModel& machine, const SharedRequest& request) {
  if (request.mask == 0) return {};
  const std::uint32_t rowBytes = machine.banks * machine.bankBytes;
  const auto rows = [&](std::uint32_t lanes) {
    return (static_cast<std::uint32_t>(std::popcount(lanes)) * request.bytes + rowBytes - 1) / rowBytes;
  };
  const bool isWhole = machine.requestLanes == machine.warpSize;
  const bool isPlain = isWhole && machine.sharedRule != SharedRule::OneBroadcast &&
                       request.bytes <= machine.bankBytes && !request.isResultUsed;
  SharedCost cost;
  std::uint32_t ideal = isWhole ? rows(request.mask) : 0;
  if (isPlain && isConflictFree(machine, request)) {
    cost.wavefronts = 1;
  } else {
    const auto addIdeal = [&](std::uint32_t lanes) { ideal += isWhole ? 0 : rows(lanes); };
    cost.wavefronts = serveAll(
        machine, request, [](std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t) {}, addIdeal);
  }
  cost.ideal = std::min(cost.wavefronts, ideal) * request.operands;
  cost.wavefronts *= request.operands;
  return cost;
}

std::vector<BankWavefront> bankWavefronts(const MachineModel& machine, const SharedRequest& request) {
  std::vector<BankWavefront> wavefronts;
  const auto serve = [&](std::uint32_t number, std::uint32_t lane, std::uint32_t word, std::uint32_t group) {
    if (number >= wavefronts.size()) wavefronts.resize(number + 1);
    BankWavefront& wavefront = wavefronts[number];
    wavefront.lanes |= 1u << lane;
    wavefront.group = group;
    if (const auto at = std::ranges::lower_bound(wavefront.words, word);
        at == wavefront.words.end() || *at != word)
      wavefront.words.insert(at, word);
  };
  serveAll(machine, request, serve, [](std::uint32_t) {});
  // A compare-and-swap goes over the banks once for each operand.
  const std::size_t once = wavefronts.size();
  for (unsigned operand = 1; operand < request.operands; ++operand) {
    for (std::size_t wavefront = 0; wavefront < once; ++wavefront) {
      wavefronts.push_back(BankWavefront(wavefronts[wavefront]));
      wavefronts.back().group += static_cast<std::uint32_t>(once * operand);
    }
  }
  return wavefronts;
}

}  // namespace lanescope
