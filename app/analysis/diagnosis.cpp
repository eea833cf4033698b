#include "app/analysis/diagnosis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "kernels/protocol/bench_rules.h"

namespace lanescope {
namespace {

using enum StallGroup;

constexpr std::array kReasons{
    StallReason{"long_sb", "Stall Long Scoreboard", "waits for global memory",
                "The warp waits for a load from global, local or texture memory.", Global},
    StallReason{"lg", "Stall LG Throttle", "waits for a place in global memory's queue",
                "The queue of loads and stores to global and local memory is full.", Global},
    StallReason{"tex", "Stall TEX Throttle", "waits for a place in the texture unit's queue",
                "The queue of the texture unit is full.", Global},
    StallReason{"imc", "Stall IMC Miss", "waits for a constant",
                "A constant, such as a kernel's argument, is not in its cache.", Global},
    StallReason{
        "short_sb", "Stall Short Scoreboard", "waits for shared memory (or a special unit)",
        "The warp waits for shared memory, or for another unit behind the same queue: a shuffle, or a "
        "special function, as a division of integers uses.",
        Shared},
    StallReason{"mio", "Stall MIO Throttle", "waits for a place in shared memory's queue",
                "The queue of shared memory, shuffles and special functions is full.", Shared},
    StallReason{"barrier", "Stall Barrier", "waits at the barrier",
                "The warp waits at a barrier for other warps of its block.", Barrier},
    StallReason{"membar", "Stall Membar", "waits at a memory fence",
                "The warp waits until its earlier writes can be seen.", Barrier},
    StallReason{"wait", "Stall Wait", "computes: a fixed latency",
                "The warp waits for the fixed latency of its own previous instruction.", Latency},
    StallReason{"math", "Stall Math Pipe Throttle", "waits for a busy arithmetic pipe",
                "The pipe that the instruction needs is taken by other warps.", Latency},
    StallReason{"gmma", "Stall GMMA", "waits for the tensor cores", "The warp waits for a matrix operation.",
                Latency},
    StallReason{"dispatch", "Stall Dispatch Stall", "waits for the dispatcher",
                "The dispatcher holds the warp's instruction back, as for conflicts in the register file.",
                Latency},
    StallReason{"no_inst", "Stall No Instruction", "waits for its next instruction",
                "The instruction is not in the cache yet: after a jump, or at the start.", Code},
    StallReason{"branch_resolving", "Stall Branch Resolving", "waits for a branch's target",
                "The warp waits for the target of a branch and for the program counter.", Code},
    StallReason{"not_selected", "Stall Not Selected", "issue slots taken by others",
                "The warp was ready, but the scheduler issued another.", Slots},
    StallReason{"selected", "Selected", "is issued", "The warp issued an instruction.", Issued},
    StallReason{"drain", "Stall Drain", "waits for its stores before it ends",
                "The warp has ended but for its stores.", Other},
    StallReason{"sleep", "Stall Sleeping", "sleeps", "All of the warp's threads are asleep or yield.", Other},
    StallReason{"sleeping", "Stall Sleeping", "sleeps", "All of the warp's threads are asleep or yield.",
                Other},
    StallReason{"misc", "Stall Misc", "waits for another reason", "A reason of the hardware's own.", Other},
};

}  // namespace

std::span<const StallReason> stallReasons() { return kReasons; }

StallReason toStallReason(std::string_view id) {
  const auto* const found = std::ranges::find(kReasons, id, &StallReason::id);
  return found != kReasons.end()
             ? *found
             : StallReason{"", "", "waits for another reason", "A reason that is not known here.", Other};
}

std::string_view stallGroupWords(StallGroup group) {
  switch (group) {
    case Global: return "waits for global memory";
    case Shared: return "waits for shared memory";
    case Barrier: return "waits at the barrier";
    case Latency: return "computes: a fixed latency";
    case Code: return "waits for its next instruction";
    case Slots: return "issue slots taken by others";
    case Issued: return "is issued";
    case Other: break;
  }
  return "other reasons";
}

namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::uint64_t countWarps(const ProfileMessage& kernel) {
  std::uint64_t blocks = 1;
  std::uint64_t threads = 1;
  for (const std::uint32_t extent : kernel.grid) blocks *= extent;
  for (const std::uint32_t extent : kernel.block) threads *= extent;
  return blocks * ((threads + kWarpThreads - 1) / kWarpThreads);
}

/// The line of that number, without the blanks around it.
std::string lineText(std::string_view text, std::uint32_t number) {
  for (std::uint32_t line = 1; line < number && !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  text = text.substr(0, text.find('\n'));
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin));
}

std::vector<UnitLoad> countUnits(const ProfileMessage& kernel) {
  constexpr std::array<std::pair<ProfileMetric, const char*>, 4> kUnits{
      {{ProfileMetric::Dram, "DRAM"},
       {ProfileMetric::L2, "L2"},
       {ProfileMetric::L1, "L1/shared"},
       {ProfileMetric::IssueSlots, "issue slots"}}};
  std::vector<UnitLoad> units;
  for (const auto& [metric, name] : kUnits) {
    if (const auto percent = findMetric(kernel, metric)) units.push_back({metric, name, *percent});
  }
  std::ranges::stable_sort(units, std::ranges::greater{}, &UnitLoad::percent);
  return units;
}

/// The resource with the lowest limit on the blocks per SM.
std::string findLimit(const ProfileMessage& kernel) {
  constexpr std::array<std::pair<ProfileMetric, const char*>, 4> kLimits{
      {{ProfileMetric::LimitWarps, "the warps per SM"},
       {ProfileMetric::LimitBlocks, "the blocks per SM"},
       {ProfileMetric::LimitRegisters, "registers"},
       {ProfileMetric::LimitShared, "shared memory"}}};
  std::string name;
  double least = 0;
  for (const auto& [metric, word] : kLimits) {
    const auto blocks = findMetric(kernel, metric);
    if (!blocks || (!name.empty() && *blocks >= least)) continue;
    name = word;
    least = *blocks;
  }
  return name.empty() ? name : fmt::format("{} allow {:.0f} blocks per SM", name, least);
}

std::string computeOccupancy(const ProfileMessage& kernel) {
  const auto possible = findMetric(kernel, ProfileMetric::TheoreticalOccupancy);
  const auto achieved = findMetric(kernel, ProfileMetric::AchievedOccupancy);
  if (!possible && !achieved) return {};
  std::string text = "Occupancy";
  if (achieved) text += fmt::format(" {:.0f}% achieved", *achieved);
  if (possible) text += fmt::format("{} {:.0f}% possible", achieved ? " of" : "", *possible);
  const std::string limit = findLimit(kernel);
  if (!limit.empty()) text += ": " + limit;
  return text + ".";
}

/// The unit's part of the diagnosis, without its end; empty if no unit was measured.
std::string unitClause(const Diagnosis& diagnosis) {
  const UnitLoad* const unit = diagnosis.nearestUnit();
  if (unit == nullptr) return {};
  const bool isPlural = unit->metric == ProfileMetric::IssueSlots;
  const std::string nearness =
      fmt::format("at {:.0f}% of {} peak", unit->percent, isPlural ? "their" : "its");
  switch (findLimiter(unit->percent)) {
    case Limiter::Unit:
      return fmt::format("{} {} the kernel, {}", unit->name, isPlural ? "limit" : "limits", nearness);
    case Limiter::UnitAndLatency:
      return fmt::format("{}, {}, and latency limit the kernel", unit->name, nearness);
    case Limiter::Latency: break;
  }
  return fmt::format("No unit is near its peak (the nearest: {}, at {:.0f}%), so latency limits the kernel",
                     unit->name, unit->percent);
}

std::string makeSentence(const Diagnosis& diagnosis) {
  std::string text = unitClause(diagnosis);
  if (!text.empty() && text[0] == 'i') text[0] = 'I';
  const LineShare* const costliest = diagnosis.costliestLine();
  if (costliest == nullptr) return text.empty() ? "No line was sampled." : text + "; no line was sampled.";
  const LineShare& line = *costliest;
  text += fmt::format("{}ine {} takes {:.0f}% of the warps' time", text.empty() ? "L" : "; l", line.line,
                      100 * line.share);
  if (const StallShare* const stall = line.mainStall())
    text += fmt::format(", most often \"{}\" ({:.0f}% of the line)", stall->reason.words, 100 * stall->share);
  return text + ".";
}

}  // namespace

Limiter findLimiter(double percent) {
  constexpr double kSaturated = 80;
  constexpr double kLow = 60;
  const double shown = std::round(percent);
  if (shown >= kSaturated) return Limiter::Unit;
  return shown >= kLow ? Limiter::UnitAndLatency : Limiter::Latency;
}

std::string_view limiterWords(Limiter limiter) {
  switch (limiter) {
    case Limiter::Unit: return "the unit";
    case Limiter::UnitAndLatency: return "the unit and latency";
    case Limiter::Latency: break;
  }
  return "latency";
}

std::vector<StallShare> stallShares(const ProfileCounts& counts) {
  std::vector<StallShare> shares;
  shares.reserve(counts.stalls.size());
  for (const StallCount& stall : counts.stalls) {
    shares.push_back(
        {toStallReason(stall.reason), stall.reason, stall.samples, ratio(stall.samples, counts.samples)});
  }
  std::ranges::stable_sort(shares, std::ranges::greater{}, &StallShare::samples);
  return shares;
}

const StallShare* LineShare::mainStall() const {
  const auto waits = [](const StallShare& one) { return one.reason.group != StallGroup::Issued; };
  const auto found = std::find_if(stalls.begin(), stalls.end(), waits);
  return found == stalls.end() ? nullptr : &*found;
}

Diagnosis diagnose(const LaunchProfile& profile, std::string_view text) {
  Diagnosis diagnosis;
  ProfileCounts all;
  std::map<std::string, std::uint64_t> reasons;
  const auto add = [&](const ProfileCounts& counts) {
    all.samples += counts.samples;
    all.executed += counts.executed;
    for (const StallCount& stall : counts.stalls) reasons[stall.reason] += stall.samples;
  };
  // Nsight Compute counts an inlined instruction in several lines, so that only instructions add up.
  std::uint64_t ofHeaders = 0;
  for (const ProfileInstruction& instruction : profile.instructions) {
    add(instruction.counts);
    if (instruction.line == 0) ofHeaders += instruction.counts.samples;
  }
  if (profile.instructions.empty()) {
    for (const ProfileLine& line : profile.lines) add(line.counts);
  }
  for (const auto& [reason, samples] : reasons) all.stalls.push_back({reason, samples});
  diagnosis.samples = all.samples;
  diagnosis.stalls = stallShares(all);
  diagnosis.outside = ratio(ofHeaders, all.samples);
  const std::uint64_t warps = countWarps(profile.kernel);
  for (const ProfileLine& line : profile.lines) {
    if (line.counts.samples == 0 && line.counts.executed == 0) continue;
    diagnosis.lines.push_back({line.line, lineText(text, line.line), ratio(line.counts.samples, all.samples),
                               ratio(line.counts.executed, warps), line.counts, stallShares(line.counts)});
  }
  const auto countSamples = [](const LineShare& line) { return line.counts.samples; };
  std::ranges::stable_sort(diagnosis.lines, std::ranges::greater{}, countSamples);
  diagnosis.executed = all.executed;
  diagnosis.instructionsPerWarp = ratio(all.executed, warps);
  diagnosis.units = countUnits(profile.kernel);
  diagnosis.durationUs = findMetric(profile.kernel, ProfileMetric::Duration).value_or(0) / 1000;
  diagnosis.occupancy = computeOccupancy(profile.kernel);
  diagnosis.sentence = makeSentence(diagnosis);
  return diagnosis;
}

}  // namespace lanescope
