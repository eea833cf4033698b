#include "app/analysis/floors.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/analysis/launch_counts.h"
#include "app/base/whole.h"

namespace lanescope {
namespace {

double share(double part, double whole) { return whole == 0 ? 0 : part / whole; }

/// Sectors that DRAM has to move.
std::optional<double> dramSectors(const LaunchCounts& counts, const GpuRates& gpu, CacheState cache) {
  if (!counts.readSectors || !counts.writtenSectors) return std::nullopt;
  const double kept = static_cast<double>(gpu.l2Bytes) / static_cast<double>(Footprint::kSectorBytes);
  const auto read = static_cast<double>(*counts.readSectors);
  const auto written = static_cast<double>(*counts.writtenSectors);
  if (cache == CacheState::Cold) return read + std::max(0.0, written - kept);
  return std::max(0.0, read + written - kept);
}

std::optional<double> l2Sectors(const LaunchCounts& counts) {
  if (!counts.readSectors || !counts.storedSectors) return std::nullopt;
  return static_cast<double>(*counts.readSectors + *counts.storedSectors);
}

class FloorList {
 public:
  explicit FloorList(const GpuRates& gpu) : gpu_(gpu) {}

  /// `part` of the GPU takes part in it; `missing`: why there is no amount.
  void add(RateUnit unit, const std::optional<double>& amount, double part, const std::string& missing) {
    const UnitRate* const rate = gpu_.find(unit);
    const std::string name(unitName(unit));
    if (!amount) {
      floors.unknown.push_back(name + ": " + missing);
    } else if (rate == nullptr) {
      floors.unknown.push_back(name + ": the rate of " + gpu_.gpu + " is neither measured nor published");
    } else if (*amount > 0) {
      floors.units.push_back({unit, *amount / (rate->perUs * part), *amount, *rate});
    }
  }

  Floors floors;

 private:
  const GpuRates& gpu_;
};

}  // namespace

std::optional<IssuedInstructions> countIssued(const LaunchProfile& profile, const LaunchCounts& profiled,
                                              const LaunchCounts& counts, const std::string& origin) {
  const double moreWarps = share(static_cast<double>(counts.warps), static_cast<double>(profiled.warps));
  double all = 0;
  const auto add = [&](std::uint32_t line, const ProfileCounts& row) {
    const auto executed = static_cast<double>(row.executed);
    const auto there = profiled.lines.find(line);
    // Code of headers, and a line that has no instructions in the text, such as the kernel's signature, is
    // executed once per warp.
    if (line == 0 || there == profiled.lines.end()) {
      all += executed * moreWarps;
      return true;
    }
    const auto here = counts.lines.find(line);
    if (here == counts.lines.end() || !here->second || there->second.value_or(0) == 0) return false;
    all += executed * share(static_cast<double>(*here->second), static_cast<double>(*there->second));
    return true;
  };
  // Nsight Compute counts an inlined instruction in several lines, so that only instructions add up.
  for (const ProfileInstruction& one : profile.instructions) {
    if (!add(one.line, one.counts)) return std::nullopt;
  }
  if (profile.instructions.empty()) {
    for (const ProfileLine& one : profile.lines) {
      if (!add(one.line, one.counts)) return std::nullopt;
    }
  }
  if (all == 0) return std::nullopt;
  return IssuedInstructions{all, "executed instructions per line, as profiled (" + origin + ")"};
}

namespace {

std::optional<IssuedInstructions> issuedBy(const MachineCode& code, std::vector<LineSlots> lines,
                                           std::string_view how) {
  IssuedInstructions issued;
  issued.lines = std::move(lines);
  for (const LineSlots& line : issued.lines) issued.warpInstructions += line.slots;
  if (issued.warpInstructions == 0) return std::nullopt;
  issued.source =
      fmt::format("machine instructions of this text for {} ({}), {}", code.architecture, code.origin, how);
  return issued;
}

}  // namespace

std::optional<IssuedInstructions> countIssued(const MachineCode& code, const LaunchCounts& counts) {
  if (!counts.operations) return std::nullopt;
  return issuedBy(code, issueSlots(code, *counts.operations, counts.warps),
                  "times their executions, estimated from the text's");
}

std::optional<IssuedInstructions> countIssued(const MachineCode& code, const ExecutedCode& executed) {
  return issuedBy(code, executed.lines, "executed by the simulator");
}

Floors computeFloors(const LaunchCounts& counts, const std::optional<IssuedInstructions>& issued,
                     const GpuRates& gpu, CacheState cache, const std::string& noCode) {
  const double sms = std::min(1.0, share(static_cast<double>(counts.blocks), static_cast<double>(gpu.sms)));
  FloorList list(gpu);
  const std::string uneven = "its count does not grow evenly with N, or its blocks wait for each other";
  list.add(RateUnit::Dram, dramSectors(counts, gpu, cache), 1, uneven);
  list.add(RateUnit::L2, l2Sectors(counts), 1, uneven);
  std::optional<double> wavefronts;
  if (counts.sharedWavefronts) wavefronts = static_cast<double>(*counts.sharedWavefronts);
  list.add(RateUnit::Shared, wavefronts, sms, uneven);
  std::optional<double> instructions;
  if (issued) instructions = issued->warpInstructions;
  list.add(RateUnit::Issue, instructions, sms, noCode);
  Floors floors = std::move(list.floors);
  if (const UnitRate* const launch = gpu.find(RateUnit::Launch)) {
    floors.launchUs = launch->us;
  } else {
    floors.unknown.push_back("launch: an empty kernel's time on " + gpu.gpu + " was not measured");
  }
  std::ranges::stable_sort(floors.units, std::ranges::greater{}, &UnitFloor::us);
  return floors;
}

std::string_view unitName(RateUnit unit) {
  switch (unit) {
    case RateUnit::Dram: return "DRAM";
    case RateUnit::L2: return "L2";
    case RateUnit::Shared: return "shared memory";
    case RateUnit::Issue: return "issue slots";
    case RateUnit::Launch: break;
  }
  return "launch";
}

std::string_view unitWork(RateUnit unit) {
  switch (unit) {
    case RateUnit::Dram:
    case RateUnit::L2: return "sectors";
    case RateUnit::Shared: return "wavefronts";
    case RateUnit::Issue: return "warp instructions";
    case RateUnit::Launch: break;
  }
  return "kernels";
}

std::string microseconds(double us) {
  constexpr double kSmall = 0.095;  // a smaller value would be 0.1 or 0.0
  if (us <= 0 || us >= kSmall) return fmt::format("{:.1f}", us);
  return fmt::format("{:.{}f}", us, 1 - toWhole<int>(std::floor(std::log10(us))));
}

std::string floorSentence(const Floors& floors, double measuredUs) {
  const UnitFloor* const longest = floors.longest();
  if (floors.us() == 0) return "No floor is known.";
  std::string parts;
  if (floors.launchUs > 0) parts = microseconds(floors.launchUs) + " µs to launch";
  if (longest != nullptr) {
    parts += fmt::format("{}{} µs that {} alone {}", parts.empty() ? "" : " and ", microseconds(longest->us),
                         unitName(longest->unit), longest->unit == RateUnit::Issue ? "need" : "needs");
  }
  const std::string text = fmt::format("At least {} µs: {}", microseconds(floors.us()), parts);
  if (measuredUs <= 0) return text + ".";
  const bool isOfCode = longest != nullptr && longest->unit == RateUnit::Issue;
  return text + fmt::format(
                    "; measured: {:.1f} µs, so that with these {} it can get {:.2f} times as fast "
                    "at best.",
                    measuredUs, isOfCode ? "instructions" : "accesses", measuredUs / floors.us());
}

std::string waitingSentence(const Floors& floors, double measuredUs, const Diagnosis* diagnosis) {
  if (floors.us() == 0 || measuredUs <= kWaitingRatio * floors.us()) return {};
  const std::string begin = "No unit explains most of the time";
  if (diagnosis == nullptr) return begin + ", and no profile says what is waited for.";
  const auto waits = std::ranges::find_if(diagnosis->stalls, [](const StallShare& stall) {
    return stall.reason.group != StallGroup::Issued && stall.reason.group != StallGroup::Slots;
  });
  if (waits == diagnosis->stalls.end()) return begin + ", and the profile has no reason for it.";
  return fmt::format("{}: a warp most often {} ({:.0f}% of its time).", begin, waits->reason.words,
                     100 * waits->share);
}

namespace {

/// L2's measured read rate on that GPU, in bytes per microsecond; 0 if it was not measured.
double l2BytesPerUs(const std::string& gpu) {
  const auto found = std::ranges::find(shippedGpuRates(), gpu, &GpuRates::gpu);
  const UnitRate* const rate = found == shippedGpuRates().end() ? nullptr : found->find(RateUnit::L2);
  return rate == nullptr ? 0 : rate->perUs * static_cast<double>(Footprint::kSectorBytes);
}

}  // namespace

double sizeFloorUs(double readBytes, double writtenBytes, const BenchData& data, CacheState cache) {
  if (!data.hello() || !data.ceiling() || data.ceiling()->gbps <= 0) return 0;
  const CeilingMessage& ceiling = *data.ceiling();
  const auto kept = static_cast<double>(data.hello()->l2Bytes);
  const bool isCold = cache == CacheState::Cold;
  const double dram = isCold ? readBytes + std::max(0.0, writtenBytes - kept)
                             : std::max(0.0, readBytes + writtenBytes - kept);
  // The launch time of the ceiling's own kernel is not part of its bandwidth.
  const double dramUs = dram * (ceiling.us - ceiling.launchUs) / static_cast<double>(ceiling.bytes);
  const double l2 = l2BytesPerUs(data.hello()->gpu);
  return ceiling.launchUs + std::max(dramUs, l2 > 0 ? (readBytes + writtenBytes) / l2 : 0);
}

}  // namespace lanescope
