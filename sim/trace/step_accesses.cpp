#include "sim/trace/step_accesses.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace lanescope {

bool isSerialAtomic(const Step& step) {
  return step.kind == StepKind::SharedAtomic && step.sharedAtomic != SharedAtomic::Increment;
}
bool isSharedLoop(const MachineModel& machine, const Step& step) {
  return step.kind == StepKind::SharedAtomic && isLoop(machine, step.sharedAtomic);
}

std::span<const LaneAccess> laneAccesses(const Trace& trace, const Step& step) {
  return trace.accesses.run(step.accesses);
}

std::span<const CellChange> stepChanges(const Trace& trace, const Step& step) {
  return trace.cellChanges.run(step.cellChanges);
}

bool isOfMemory(const Trace& trace, const Read& read) {
  return trace.steps[read.step].kind != StepKind::Shuffle;
}

namespace {

std::vector<BankWavefront> findBankWavefronts(const Trace& trace, const Step& step) {
  std::array<std::uint32_t, kMaxLanes> addresses{};
  SharedRequest request;
  for (const LaneAccess& access : laneAccesses(trace, step)) {
    addresses[access.lane] = access.address;
    request.mask |= LaneMask{1} << access.lane;
    request.bytes = access.bytes;
  }
  request.addresses = std::span(addresses).first(trace.launch.machine.warpSize);
  request.kind = toAccessKind(step.kind);
  request.atomic = step.sharedAtomic;
  return bankWavefronts(trace.launch.machine, request);
}

}  // namespace

std::vector<std::uint32_t> wordsTouched(const Trace& trace, const Step& step) {
  std::vector<std::uint32_t> words;
  for (const LaneAccess& access : laneAccesses(trace, step)) {
    const std::uint32_t last = (access.address + std::max<std::uint32_t>(access.bytes, 1) - 1) / 4;
    for (std::uint32_t word = access.address / 4; word <= last; ++word) words.push_back(word);
  }
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

std::uint32_t wordsPerBank(const MachineModel& machine) { return std::max(machine.bankBytes / 4, 1U); }

bool diverges(const Step& step) {
  const LaneMask taken = step.taken & step.active;
  return step.kind == StepKind::Branch && taken != 0 && taken != step.active;
}

bool conflicts(const Step& step) { return isShared(step.kind) && step.wavefronts > step.idealWavefronts; }

BankUse computeBankUse(const Trace& trace, const Step& step) {
  BankUse use;
  if (!isShared(step.kind)) return use;
  const MachineModel& machine = trace.launch.machine;
  use.wavefronts = findBankWavefronts(trace, step);
  use.words.resize(machine.banks);
  use.degree.assign(machine.banks, 0);
  for (const std::uint32_t word : wordsTouched(trace, step)) {
    use.words[word / wordsPerBank(machine) % machine.banks].push_back(word);
    ++use.wordCount;
  }
  use.bankCount = static_cast<std::uint32_t>(
      std::ranges::count_if(use.words, [](const auto& words) { return !words.empty(); }));
  std::vector<unsigned> ofGroup;
  for (std::uint32_t number = 0; number < use.wavefronts.size(); ++number) {
    const BankWavefront& wavefront = use.wavefronts[number];
    if (wavefront.group == number) {
      ofGroup.assign(machine.banks, 0);
      ++use.groups;
    }
    for (const std::uint32_t word : wavefront.words) {
      unsigned& degree = use.degree[word % machine.banks];
      degree = std::max(degree, ++ofGroup[word % machine.banks]);
    }
  }
  return use;
}

std::uint32_t countConstantAddresses(const Trace& trace, const Step& step) {
  if (step.kind != StepKind::ConstantLoad) return 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;  // cell and byte: of two variables too
  for (const LaneAccess& access : laneAccesses(trace, step)) places.emplace(access.cell, access.address);
  return static_cast<std::uint32_t>(places.size());
}

std::vector<std::uint32_t> sectorsTouched(const Trace& trace, const Step& step) {
  std::vector<std::uint32_t> sectors;
  if (!isGlobal(step.kind)) return sectors;
  const std::uint32_t bytes = trace.launch.machine.sectorBytes;
  for (const LaneAccess& access : laneAccesses(trace, step)) {
    const std::uint32_t last = (access.address + std::max<std::uint32_t>(access.bytes, 1) - 1) / bytes;
    for (std::uint32_t sector = access.address / bytes; sector <= last; ++sector) sectors.push_back(sector);
  }
  std::ranges::sort(sectors);
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
  return sectors;
}

}  // namespace lanescope
