#include "app/scene/bank_layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

#include <fmt/format.h>

#include "app/scene/bank_scene.h"
#include "app/scene/scene_builder.h"
#include "sim/memory/shared_banks.h"

namespace lanescope {
namespace {

// Which pass serves each lane: its last, where it needs several.
std::array<std::uint32_t, kMaxLanes> passesByLane(const Trace& trace, const Step& step) {
  std::array<std::uint32_t, kMaxLanes> pass{};
  const std::vector<LaneMask> passes = passesOf(trace, step);
  for (std::uint32_t number = 0; number < passes.size(); ++number) {
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((passes[number] >> lane & 1U) != 0) pass[lane] = number;
    }
  }
  return pass;
}

}  // namespace

BankRequest bankRequest(const Trace& trace, const Step& step) {
  BankRequest request;
  if (!isShared(step.kind)) return request;
  const MachineModel& machine = trace.launch.machine;
  const auto pass = passesByLane(trace, step);
  std::vector<std::uint32_t> words;
  for (const LaneAccess& access : accessesOf(trace, step)) {
    LaneDemand& demand = request.lanes.emplace_back();
    demand.lane = access.lane;
    demand.thread = step.warp * machine.warpSize + access.lane;
    demand.cell = access.cell;
    demand.word = access.address / machine.bankBytes;
    demand.words = std::max(1U, (access.bytes + machine.bankBytes - 1) / machine.bankBytes);
    demand.bank = demand.word % machine.banks;
    demand.pass = pass[access.lane];
    for (std::uint32_t word = 0; word < demand.words; ++word) words.push_back(demand.word + word);
  }
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  request.degree.assign(machine.banks, 0);
  for (const std::uint32_t word : words) ++request.degree[word % machine.banks];
  request.words = static_cast<std::uint32_t>(words.size());
  request.banks =
      static_cast<std::uint32_t>(std::ranges::count_if(request.degree, [](unsigned d) { return d > 0; }));
  request.passes = step.wavefronts;
  request.ideal = step.idealWavefronts;
  std::ranges::sort(request.lanes, {},
                    [](const LaneDemand& d) { return std::tuple(d.bank, d.pass, d.lane); });
  return request;
}

std::uint32_t wordOfCell(const Trace& trace, std::uint32_t cell) {
  for (const TracedArray& array : trace.arrays) {
    if (array.space != MemorySpace::Shared || cell < array.firstCell ||
        cell >= array.firstCell + array.cellCount)
      continue;
    return (array.byteOffset + 4 * (cell - array.firstCell)) / trace.launch.machine.bankBytes;
  }
  return cell;
}

std::uint32_t sharedWords(const Trace& trace) {
  std::uint32_t bytes = 0;
  for (const TracedArray& array : trace.arrays) {
    if (array.space == MemorySpace::Shared) bytes = std::max(bytes, array.byteOffset + 4 * array.cellCount);
  }
  const unsigned width = trace.launch.machine.bankBytes;
  return (bytes + width - 1) / width;
}

std::string describeStep(const Trace& trace, const Step& step) {
  const std::string code =
      trace.launch.source == nullptr ? std::string() : oneLine(trace.launch.source->slice(step.span), 60);
  const std::string warp = fmt::format("warp {}", step.warp);
  const auto count = [](LaneMask mask) { return static_cast<unsigned>(std::popcount(mask)); };
  const unsigned active = count(step.active);
  switch (step.kind) {
    case StepKind::SharedLoad:
    case StepKind::SharedStore:
    case StepKind::SharedAtomic: {
      const BankRequest request = bankRequest(trace, step);
      const std::string_view verb = step.kind == StepKind::SharedLoad    ? "read"
                                    : step.kind == StepKind::SharedStore ? "written"
                                                                         : "updated";
      return fmt::format("{} {} by {}: {} asked of {}, {}, ideal {}", code, verb, warp,
                         counted(request.words, "word"), counted(request.banks, "bank"),
                         counted(request.passes, "pass"), request.ideal);
    }
    case StepKind::GlobalLoad:
    case StepKind::GlobalStore:
    case StepKind::GlobalAtomic: {
      const std::string_view verb = step.kind == StepKind::GlobalLoad    ? "read from"
                                    : step.kind == StepKind::GlobalStore ? "written to"
                                                                         : "updated in";
      return fmt::format("{} {} global memory by {}: {} in {}", code, verb, warp,
                         counted(step.accesses.count, "word"), counted(step.sectors, "sector"));
    }
    case StepKind::Shuffle:
      return fmt::format("{}: {} of {} hand values over, register to register", code, counted(active, "lane"),
                         warp);
    case StepKind::Branch: {
      const unsigned taken = count(step.taken & step.active);
      if (taken == active)
        return fmt::format("{}: true for all {} active in {}", code, counted(active, "lane"), warp);
      if (taken == 0)
        return fmt::format("{}: false for all {} active in {}", code, counted(active, "lane"), warp);
      return fmt::format("{}: {} diverges, true for {} and false for {}", code, warp, counted(taken, "lane"),
                         active - taken);
    }
    case StepKind::Assign:
      return fmt::format("{}: {} of {}, registers only", code, counted(active, "lane"), warp);
    case StepKind::BlockBarrier:
      return fmt::format("{} comes to {}: all go on when all are there", warp,
                         code.empty() ? "the barrier" : code);
    case StepKind::WarpBarrier: return fmt::format("{}: the lanes of {} wait for each other", code, warp);
    case StepKind::Exit: return fmt::format("{} is done", warp);
  }
  return {};
}

}  // namespace lanescope
