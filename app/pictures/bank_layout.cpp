#include "app/pictures/bank_layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

#include <fmt/format.h>

#include "app/pictures/bank_scene.h"
#include "app/pictures/base/scene_builder.h"
#include "app/base/element_noun.h"
#include "sim/base/words.h"

namespace lanescope {
namespace {

// The wavefront that serves each lane: the last one if the lane needs several.
std::array<std::uint32_t, kMaxLanes> wavefrontsByLane(const BankUse& use) {
  std::array<std::uint32_t, kMaxLanes> wavefront{};
  for (std::uint32_t number = 0; number < use.wavefronts.size(); ++number) {
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((use.wavefronts[number].lanes >> lane & 1U) != 0) wavefront[lane] = number;
    }
  }
  return wavefront;
}

// The words of a wavefront that some lane requests: a wide bank also holds others.
std::vector<std::uint32_t> askedIn(const BankWavefront& wavefront, const BankUse& use,
                                   const MachineModel& machine) {
  std::vector<std::uint32_t> asked;
  for (const std::uint32_t served : wavefront.words) {
    for (const std::uint32_t word : use.words[served % machine.banks]) {
      if (word / wordsPerBank(machine) == served) asked.push_back(word);
    }
  }
  return asked;
}

// `8 words`, `8 doubles (16 words)`.
std::string askedText(const Trace& trace, const Step& step, std::uint32_t words) {
  const auto accesses = laneAccesses(trace, step);
  const TracedArray* array = accesses.empty() ? nullptr : arrayOfCell(trace, accesses.front().cell);
  const bool isElement = array != nullptr && isWide(array->type) && accesses.front().bytes == 8;
  if (!isElement) return counted(words, "word");
  return fmt::format("{} ({})", counted(words / 2, elementNoun(array->type)), counted(words, "word"));
}

std::string banksText(const MachineModel& machine, std::uint32_t banks) {
  const std::string text = counted(banks, "bank");
  return machine.bankBytes == 4 ? text : text + fmt::format(" of {} bytes", machine.bankBytes);
}

// `, in 2 requests, one each half warp` if a warp's lanes do not all go to the banks together.
std::string requestsText(const BankRequest& request, const MachineModel& machine) {
  if (machine.requestLanes >= machine.warpSize) return {};
  std::uint32_t groups = 0;  // a bit each
  for (const LaneDemand& demand : request.lanes) groups |= 1U << demand.lane / machine.requestLanes;
  const auto count = static_cast<std::uint32_t>(std::popcount(groups));
  if (count < 2) return {};
  const std::string part = 2 * machine.requestLanes == machine.warpSize
                               ? "half warp"
                               : std::to_string(machine.requestLanes) + " lanes";
  return fmt::format(", in {}, one each {}", counted(count, "request"), part);
}

}  // namespace

BankRequest bankRequest(const Trace& trace, const Step& step) {
  BankRequest request;
  if (!isShared(step.kind)) return request;
  const MachineModel& machine = trace.launch.machine;
  const BankUse use = computeBankUse(trace, step);
  const auto wavefront = wavefrontsByLane(use);
  for (const LaneAccess& access : laneAccesses(trace, step)) {
    LaneDemand& demand = request.lanes.emplace_back();
    demand.lane = access.lane;
    demand.thread = step.warp * machine.warpSize + access.lane;
    demand.cell = access.cell;
    demand.word = access.address / 4;
    demand.words = std::max(1U, access.bytes / 4U);
    demand.bank = access.address / machine.bankBytes % machine.banks;
    demand.wavefront = wavefront[access.lane];
  }
  for (const BankWavefront& each : use.wavefronts)
    request.wordsOfWavefront.push_back(askedIn(each, use, machine));
  request.degree = use.degree;
  request.words = use.wordCount;
  request.banks = use.bankCount;
  request.wavefronts = step.wavefronts;
  request.ideal = step.idealWavefronts;
  std::ranges::sort(request.lanes, {},
                    [](const LaneDemand& d) { return std::tuple(d.bank, d.wavefront, d.lane); });
  return request;
}

std::uint32_t wordOfCell(const Trace& trace, std::uint32_t cell) {
  for (const TracedArray& array : trace.arrays) {
    if (array.space != MemorySpace::Shared || cell < array.firstCell ||
        cell >= array.firstCell + array.cellCount)
      continue;
    return array.byteOffset / 4 + cell - array.firstCell;
  }
  return cell;
}

std::uint32_t sharedWords(const Trace& trace) {
  std::uint32_t bytes = 0;
  for (const TracedArray& array : trace.arrays) {
    if (array.space == MemorySpace::Shared) bytes = std::max(bytes, array.byteOffset + 4 * array.cellCount);
  }
  return (bytes + 3) / 4;
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
      return fmt::format("{} {} by {}{}: {} asked of {}, {}, ideal {}{}", code, verb, warp,
                         requestsText(request, trace.launch.machine), askedText(trace, step, request.words),
                         banksText(trace.launch.machine, request.banks),
                         counted(request.wavefronts, "wavefront"), request.ideal,
                         request.wavefronts > 1 && !request.conflicts() ? ", no conflict" : "");
    }
    case StepKind::GlobalLoad:
    case StepKind::GlobalStore:
    case StepKind::GlobalAtomic: {
      const std::string_view verb = step.kind == StepKind::GlobalLoad    ? "read from"
                                    : step.kind == StepKind::GlobalStore ? "written to"
                                                                         : "updated in";
      // An atomic counts more sectors than it touches if lanes share a word: contentionText() explains that.
      const auto sectors = step.kind == StepKind::GlobalAtomic
                               ? static_cast<std::uint32_t>(sectorsTouched(trace, step).size())
                               : std::uint32_t{step.sectors};
      return fmt::format("{} {} global memory by {}: {} in {}", code, verb, warp,
                         askedText(trace, step, static_cast<std::uint32_t>(wordsTouched(trace, step).size())),
                         counted(sectors, "sector"));
    }
    case StepKind::ConstantLoad: {
      const std::uint32_t addresses = countConstantAddresses(trace, step);
      const std::string_view how = addresses == 1 ? ", a broadcast" : ", serialized";
      return fmt::format("{} read from constant memory by {}: {} for {}{}", code, warp,
                         counted(addresses, "address"), counted(active, "lane"), how);
    }
    case StepKind::Shuffle:
      return fmt::format("{}: {} of {} read registers of other lanes", code, counted(active, "lane"), warp);
    case StepKind::Vote:
      return fmt::format("{}: {} of {} make one result of their values", code, counted(active, "lane"), warp);
    case StepKind::Branch: {
      const unsigned taken = count(step.taken & step.active);
      const std::string all = active == 1 ? "the one lane" : fmt::format("all {} lanes", active);
      if (taken == active) return fmt::format("{}: true for {} active in {}", code, all, warp);
      if (taken == 0) return fmt::format("{}: false for {} active in {}", code, all, warp);
      return fmt::format("{}: {} diverges, true for {} and false for {}", code, warp, counted(taken, "lane"),
                         active - taken);
    }
    case StepKind::Assign:
      return fmt::format("{}: {} of {}, registers only", code, counted(active, "lane"), warp);
    case StepKind::BlockBarrier:
      return fmt::format("{} reaches {}: the block continues once every warp has", warp,
                         code.empty() ? "the barrier" : code);
    case StepKind::WarpBarrier: return fmt::format("{}: the lanes of {} wait for each other", code, warp);
    case StepKind::Print: return fmt::format("{}: printed by {} of {}", code, counted(active, "lane"), warp);
    case StepKind::Exit: return fmt::format("{} is done", warp);
    case StepKind::Fault: {
      std::string what = trace.fault ? trace.fault->sentence : code;
      if (what.ends_with('.')) what.pop_back();  // as all of these
      return what;
    }
  }
  return {};
}

}  // namespace lanescope
