#include "sim/memory/access_costs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "sim/memory/machine_model.h"

namespace lanescope {
namespace {

constexpr std::size_t kMaxBanks = 32;

std::uint32_t lanesFrom(std::uint32_t first, std::uint32_t count) {
  return (count >= 32 ? ~0u : (1u << count) - 1) << first;
}

/// Different words requested from each bank so far.
class BankTally {
 public:
  explicit BankTally(const MachineModel& machine) : machine_(machine) {}

  /// Adds a word (its number, not its address). Returns its wavefront at the bank: 0 for the first.
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

/// The common case in one pass: words of a bank's width, and every lane has its own bank or the bank's one
/// word.
bool isConflictFree(const MachineModel& machine, const SharedRequest& request) {
  if (request.mask == ~0u) {
    // Consecutive words, no more than there are banks, are in different banks: then no bank need be looked
    // at. A broadcast is such an access, a row of words, a part of one for each half of the warp.
    const std::uint32_t* const addresses = request.addresses.data();
    std::uint32_t differing = 0;
    for (std::size_t lane = 0; lane < kMaxLanes; ++lane) differing |= addresses[lane] ^ addresses[0];
    const std::uint32_t rowBytes = machine.banks * machine.bankBytes;
    if (std::has_single_bit(rowBytes) && differing < rowBytes) return true;
    const auto [low, high] = std::minmax_element(addresses, addresses + kMaxLanes);
    if (*high / machine.bankBytes - *low / machine.bankBytes < machine.banks) return true;
  }
  std::array<std::uint32_t, kMaxBanks> findShownWord;
  std::uint32_t used = 0;
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t word =
        request.addresses[static_cast<std::size_t>(std::countr_zero(rest))] / machine.bankBytes;
    const std::uint32_t bank = word % machine.banks;
    const std::uint32_t bit = 1u << bank;
    if ((used & bit) != 0 && findShownWord[bank] != word) return false;
    used |= bit;
    findShownWord[bank] = word;
  }
  return true;
}

/// True if the partner at `distance` of each of `lanes` is not in `lanes` or requests the same address.
bool pairsAgree(const SharedRequest& request, std::uint32_t lanes, std::uint32_t distance) {
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t partner = lane ^ distance;
    if ((lanes >> partner & 1u) != 0 && request.addresses[lane] != request.addresses[partner]) return false;
  }
  return true;
}

/// The number of adjacent lanes that are served together. For wide accesses, as many as fill one row of the
/// banks.
std::uint32_t lanesTogether(const MachineModel& machine, unsigned bytes) {
  if (bytes <= machine.bankBytes || machine.sharedRule == SharedRule::OneBroadcast)
    return machine.requestLanes;
  return std::min(machine.requestLanes, std::max(1u, machine.banks * machine.bankBytes / bytes));
}

bool isLoopRequest(const MachineModel& machine, const SharedRequest& request) {
  return request.kind == AccessKind::Atomic && isLoop(machine, request.atomic);
}

/// Passes of an access over the banks: one per operand for a compare-and-swap.
std::uint32_t readOperands(const SharedRequest& request) {
  return request.kind == AccessKind::Atomic && request.atomic == SharedAtomic::CompareSwap ? 2 : 1;
}

/// Rows of the banks that the bytes of this number of lanes fill.
std::uint32_t countRows(const MachineModel& machine, unsigned bytes, std::uint32_t lanes) {
  const std::uint32_t rowBytes = machine.banks * machine.bankBytes;
  return (lanesIn(lanes) * bytes + rowBytes - 1) / rowBytes;
}

/// Ignores the served lanes.
constexpr auto kUnseen = [](auto&&...) {};

/// Returns the number of wavefronts of the lanes in `lanes`. `serve` gets each wavefront and its lane.
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

/// The same if lanes on one bank are serialized, even on the same word. All words of a lane are in its
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

/// One 32-bit request of a half-warp of compute capability 1.x: word number `part` of each lane.
template <class F>
std::uint32_t serveByBroadcast(const MachineModel& machine, const SharedRequest& request, std::uint32_t lanes,
                               std::uint32_t part, F serve) {
  const auto makeAddress = [&](std::uint32_t lane) {
    return request.addresses[lane] + part * machine.bankBytes;
  };
  const auto findShownWord = [&](std::uint32_t lane) { return makeAddress(lane) / machine.bankBytes; };
  const bool isLoad = request.kind == AccessKind::Load;
  std::uint32_t step = 0;
  for (std::uint32_t rest = lanes; rest != 0; ++step) {
    std::array<std::int32_t, kMaxBanks> servedBy;
    servedBy.fill(-1);
    const auto first = static_cast<std::uint32_t>(std::countr_zero(rest));
    std::uint32_t served = 0;
    forEachLane(rest, [&](std::uint32_t lane) {
      std::int32_t& owner = servedBy[findShownWord(lane) % machine.banks];
      const bool isFree = owner < 0;
      const bool joins = isLoad ? findShownWord(lane) == findShownWord(first)
                                : request.kind == AccessKind::Store && !isFree &&
                                      makeAddress(lane) == makeAddress(static_cast<std::uint32_t>(owner));
      if (!isFree && !joins) return;
      if (isFree) owner = static_cast<std::int32_t>(lane);
      served |= 1u << lane;
      serve(step, lane, findShownWord(lane));
    });
    rest &= ~served;
  }
  return step;
}

/// The lanes that are served together from `first` on: two groups of a load if they merge.
std::uint32_t groupFrom(const MachineModel& machine, const SharedRequest& request, std::uint32_t first,
                        std::uint32_t together, bool mayMerge) {
  const std::uint32_t merged = request.mask & lanesFrom(first, 2 * together);
  const bool merges = mayMerge && first % (2 * together) == 0 &&
                      (pairsAgree(request, merged, 1) || pairsAgree(request, merged, 2)) &&
                      serveByWords(machine, request, merged, kUnseen) == 1;
  return merges ? merged : request.mask & lanesFrom(first, together);
}

/// All groups of a request in order, in one pass over the banks. Calls `serve` with the number of each
/// wavefront, a lane it serves, its word and the number of the group's first wavefront. Returns the number of
/// wavefronts. `group` gets each group's lanes.
template <class F, class G>
std::uint32_t serveAll(const MachineModel& machine, const SharedRequest& request, F serve, G group) {
  const std::uint32_t together = lanesTogether(machine, request.bytes);
  const bool mayMerge = request.kind == AccessKind::Load && machine.sharedRule == SharedRule::Measured &&
                        together < machine.requestLanes;
  std::uint32_t wavefronts = 0;
  std::uint32_t done = 0;
  for (std::uint32_t first = 0; first < machine.warpSize; first += together) {
    const std::uint32_t lanes = groupFrom(machine, request, first, together, mayMerge) & ~done;
    if (lanes == 0) continue;
    done |= lanes;
    group(lanes);
    const auto inOrder = [&](std::uint32_t wavefront, std::uint32_t lane, std::uint32_t word) {
      serve(wavefronts + wavefront, lane, word, wavefronts);
    };
    if (request.kind == AccessKind::Atomic && request.atomic != SharedAtomic::Increment) {
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

/// The lowest lane of each bank, or of each word.
std::uint32_t lowestLanes(const MachineModel& machine, const SharedRequest& request, std::uint32_t lanes,
                          bool isOfWord) {
  std::array<std::uint32_t, kMaxLanes> taken{};
  std::size_t count = 0;
  std::uint32_t lowest = 0;
  forEachLane(lanes, [&](std::uint32_t lane) {
    const std::uint32_t word = request.addresses[lane] / machine.bankBytes;
    const std::uint32_t place = isOfWord ? word : word % machine.banks;
    const auto end = taken.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::find(taken.begin(), end, place) != end) return;
    taken[count++] = place;
    lowest |= 1u << lane;
  });
  return lowest;
}

/// A loop's compare-and-swap (ATOMS.CAST.SPIN) by `lanes`, with `serve` as for serveAll(). Adds its cost and
/// returns the lanes whose update succeeded.
template <class F>
std::uint32_t spin(const MachineModel& machine, const SharedRequest& request, SharedCost& cost, F serve) {
  const std::uint32_t together = lanesTogether(machine, request.bytes);
  const std::uint32_t before = cost.wavefronts;
  std::uint32_t ended = 0;
  for (std::uint32_t first = 0; first < machine.warpSize; first += together) {
    const std::uint32_t lanes = request.mask & lanesFrom(first, together);
    if (lanes == 0) continue;
    const std::uint32_t lowest = lowestLanes(machine, request, lanes, false);
    for (unsigned operand = 0; operand < 2; ++operand, ++cost.wavefronts) {
      forEachLane(lowest, [&](std::uint32_t lane) {
        const std::uint32_t word = request.addresses[lane] / machine.bankBytes;
        const std::uint32_t last = (request.addresses[lane] + request.bytes - 1) / machine.bankBytes;
        for (std::uint32_t each = word; each <= last; ++each)
          serve(cost.wavefronts, lane, each, cost.wavefronts);
      });
    }
    ended |= lowest;
  }
  // If lanes of two groups update one word, the later one finds a value that it did not load.
  cost.ideal += std::min(cost.wavefronts - before, 2 * countRows(machine, request.bytes, request.mask));
  return lowestLanes(machine, request, ended, true);
}

/// An atomic in a loop, all of its iterations, with `serve` as for serveAll().
template <class F>
SharedCost serveLoop(const MachineModel& machine, const SharedRequest& request, F serve) {
  SharedCost cost;
  const bool isNarrow = request.atomic == SharedAtomic::NarrowLoop;
  const auto from = [&](std::uint32_t start) {
    return [&serve, start](std::uint32_t wavefront, std::uint32_t lane, std::uint32_t word,
                           std::uint32_t group) { serve(start + wavefront, lane, word, start + group); };
  };
  SharedRequest rest = request;
  for (bool isFirst = true; rest.mask != 0; isFirst = false) {
    const std::uint32_t rows = countRows(machine, rest.bytes, rest.mask);
    if (isFirst || !isNarrow) {
      rest.kind = AccessKind::Load;
      const std::uint32_t loads = serveAll(machine, rest, from(cost.wavefronts), kUnseen);
      cost.loads += loads;
      cost.wavefronts += loads;
      cost.ideal += std::min(loads, rows);
    }
    rest.kind = AccessKind::Atomic;
    if (isNarrow) {
      for (unsigned operand = 0; operand < 2; ++operand)
        cost.wavefronts += serveAll(machine, rest, from(cost.wavefronts), kUnseen);
      cost.ideal += 2 * rows;
      rest.mask &= ~lowestLanes(machine, rest, rest.mask, true);
    } else {
      rest.mask &= ~spin(machine, rest, cost, serve);
    }
  }
  return cost;
}

}  // namespace

bool isLoop(const MachineModel& machine, SharedAtomic atomic) {
  return machine.sharedRule == SharedRule::Measured &&
         (atomic == SharedAtomic::Loop || atomic == SharedAtomic::NarrowLoop);
}

SharedCost sharedCost(const MachineModel& machine, const SharedRequest& request) {
  if (request.mask == 0) return {};
  if (isLoopRequest(machine, request)) return serveLoop(machine, request, kUnseen);
  const bool isWhole = machine.requestLanes == machine.warpSize;
  const bool isByWords = request.kind != AccessKind::Atomic || request.atomic == SharedAtomic::Increment;
  const bool isPlain = isWhole && machine.sharedRule != SharedRule::OneBroadcast &&
                       request.bytes <= machine.bankBytes && isByWords;
  SharedCost cost;
  std::uint32_t ideal = isWhole ? countRows(machine, request.bytes, request.mask) : 0;
  if (isPlain && isConflictFree(machine, request)) {
    cost.wavefronts = 1;
  } else {
    const auto addIdeal = [&](std::uint32_t lanes) {
      ideal += isWhole ? 0 : countRows(machine, request.bytes, lanes);
    };
    cost.wavefronts = serveAll(machine, request, kUnseen, addIdeal);
  }
  cost.ideal = std::min(cost.wavefronts, ideal) * readOperands(request);
  cost.wavefronts *= readOperands(request);
  return cost;
}

SharedCost spinCost(const MachineModel& machine, const SharedRequest& request, std::uint32_t& through) {
  SharedCost cost;
  through = spin(machine, request, cost, kUnseen);
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
  if (isLoopRequest(machine, request)) {
    serveLoop(machine, request, serve);
    return wavefronts;
  }
  serveAll(machine, request, serve, kUnseen);
  const std::size_t once = wavefronts.size();
  for (unsigned operand = 1; operand < readOperands(request); ++operand) {
    for (std::size_t wavefront = 0; wavefront < once; ++wavefront) {
      wavefronts.push_back(BankWavefront(wavefronts[wavefront]));
      wavefronts.back().group += static_cast<std::uint32_t>(once * operand);
    }
  }
  return wavefronts;
}

namespace {

/// True if every lane k in `lanes` of the half-warp at `first` is at word k of an aligned segment.
bool isInOrder(const MachineModel& machine, std::span<const std::uint64_t> addresses, std::uint32_t lanes,
               std::uint32_t first, unsigned bytes) {
  if (bytes < 4) return false;
  const auto anyLane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const std::uint64_t offset = std::uint64_t{anyLane - first} * bytes;
  const std::uint64_t segment = std::min<std::uint64_t>(std::uint64_t{machine.requestLanes} * bytes, 128);
  if (addresses[anyLane] < offset || (addresses[anyLane] - offset) % segment != 0) return false;
  const std::uint64_t base = addresses[anyLane] - offset;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (addresses[lane] != base + std::uint64_t{lane - first} * bytes) return false;
  }
  return true;
}

std::uint32_t transfersInOrderOrOneByOne(const MachineModel& machine,
                                         std::span<const std::uint64_t> addresses, std::uint32_t mask,
                                         unsigned bytes) {
  std::uint32_t sectors = 0;
  const std::uint32_t half = machine.requestLanes >= 32 ? ~0u : (1u << machine.requestLanes) - 1;
  for (std::uint32_t first = 0; first < machine.warpSize; first += machine.requestLanes) {
    const std::uint32_t lanes = mask & (half << first);
    if (lanes == 0) continue;
    sectors += isInOrder(machine, addresses, lanes, first, bytes)
                   ? machine.requestLanes * bytes / machine.sectorBytes
                   : static_cast<std::uint32_t>(std::popcount(lanes));
  }
  return sectors;
}

}  // namespace

std::uint32_t globalSectors(const MachineModel& machine, std::span<const std::uint64_t> addresses,
                            std::uint32_t mask, unsigned bytes) {
  if (machine.globalRule == GlobalRule::InOrderOrOneByOne)
    return transfersInOrderOrOneByOne(machine, addresses, mask, bytes);
  const std::uint64_t size = machine.sectorBytes;
  const bool shifts = std::has_single_bit(size);  // a division would be most of the work
  const auto shift = static_cast<unsigned>(std::countr_zero(size));
  const auto sectorOf = [&](std::uint64_t address) { return shifts ? address >> shift : address / size; };
  // Lanes' addresses mostly rise: then a sector is new exactly if it is past the last one.
  std::uint64_t last = 0;
  std::uint32_t count = 0;
  bool rising = true;
  for (std::uint32_t rest = mask; rest != 0 && rising; rest &= rest - 1) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(std::countr_zero(rest))];
    const std::uint64_t begin = sectorOf(address);
    const std::uint64_t end = sectorOf(address + bytes - 1) + 1;
    if (begin + 1 < last) rising = false;
    if (end > last) {
      count += static_cast<std::uint32_t>(end - std::max(begin, last));
      last = end;
    }
  }
  if (rising) return count;

  std::array<std::uint64_t, 2 * kMaxLanes> sectors;
  std::size_t used = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(std::countr_zero(rest))];
    sectors[used++] = sectorOf(address);
    sectors[used++] = sectorOf(address + bytes - 1);
  }
  std::sort(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(used));
  return static_cast<std::uint32_t>(
      std::unique(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(used)) - sectors.begin());
}

std::uint32_t reductionSectors(const MachineModel& machine, std::span<const std::uint64_t> addresses,
                               std::uint32_t mask, unsigned bytes) {
  std::array<std::uint64_t, kMaxLanes> words;
  std::size_t used = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
    words[used++] = addresses[static_cast<std::size_t>(std::countr_zero(rest))] / bytes;
  std::sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(used));
  std::uint32_t total = 0;
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < used;) {
    std::size_t end = i;
    while (end < used && words[end] == words[i]) ++end;
    most = std::max(most, static_cast<std::uint32_t>(end - i));
    const bool sectorEnds =
        end == used || words[end] * bytes / machine.sectorBytes != words[i] * bytes / machine.sectorBytes;
    if (sectorEnds) total += std::exchange(most, 0);
    i = end;
  }
  return total;
}

std::uint32_t constantAddresses(std::span<const std::uint64_t> addresses, std::uint32_t mask) {
  std::array<std::uint64_t, kMaxLanes> asked;
  std::size_t used = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
    asked[used++] = addresses[static_cast<std::size_t>(std::countr_zero(rest))];
  const auto end = asked.begin() + static_cast<std::ptrdiff_t>(used);
  std::sort(asked.begin(), end);
  return static_cast<std::uint32_t>(std::unique(asked.begin(), end) - asked.begin());
}

}  // namespace lanescope
