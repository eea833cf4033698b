#include "app/analysis/cost.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "kernels/strategies/shape.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr double kLeastPiece = 0.01;  ///< of the whole: smaller ones are drawn as the rest
constexpr std::size_t kMostRoles = 256;

std::string_view lineOf(std::string_view text, std::uint32_t number) {
  for (std::uint32_t line = 1; line < number && !text.empty(); ++line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  text = text.substr(0, text.find('\n'));
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

double sumOf(const LineAmounts& amounts) {
  return std::accumulate(amounts.begin(), amounts.end(), 0.0,
                         [](double all, const auto& one) { return all + one.second; });
}

/// Nsight Compute counts an inlined instruction in several lines, so that only instructions add up.
LineAmounts amountsOf(const LaunchProfile& profile, std::uint64_t ProfileCounts::*count) {
  LineAmounts amounts;
  for (const ProfileInstruction& one : profile.instructions)
    amounts[one.line] += static_cast<double>(one.counts.*count);
  if (!profile.instructions.empty()) return amounts;
  for (const ProfileLine& one : profile.lines) amounts[one.line] += static_cast<double>(one.counts.*count);
  return amounts;
}

std::vector<CostPiece> makePieces(const LineAmounts& amounts, std::string_view text,
                                  const std::map<std::uint32_t, LineRole>& roles) {
  const double all = sumOf(amounts);
  std::vector<CostPiece> pieces;
  if (all <= 0) return pieces;
  double rest = 0;
  std::size_t lines = 0;
  for (const auto& [line, amount] : amounts) {
    if (amount <= 0) continue;
    if (line == 0 || amount < kLeastPiece * all) {
      rest += amount / all;
      ++lines;
      continue;
    }
    const auto role = roles.find(line);
    pieces.push_back({line, role == roles.end() ? LineRole::Other : role->second, amount / all,
                      std::string(lineOf(text, line))});
  }
  std::ranges::stable_sort(pieces, {}, &CostPiece::role);
  if (rest > 0) pieces.push_back({0, LineRole::Other, rest, lines == 1 ? "the rest" : "other lines"});
  return pieces;
}

/// What each line has of the work that makes the floor, if the text's operations tell.
LineAmounts workOf(const FloorReport& report, RateUnit unit) {
  LineAmounts work;
  if (unit == RateUnit::Issue) {
    if (report.issued) {
      for (const LineSlots& one : report.issued->lines) work[one.line] += one.slots;
    }
    return work;
  }
  if (!report.counts.operations) return work;
  const auto isOf = [unit](OperationKind kind) {
    switch (kind) {
      case OperationKind::GlobalLoad:
      case OperationKind::GlobalStore:
      case OperationKind::GlobalAtomic: return unit == RateUnit::Dram || unit == RateUnit::L2;
      case OperationKind::SharedLoad:
      case OperationKind::SharedStore:
      case OperationKind::SharedAtomic: return unit == RateUnit::Shared;
      default: return false;
    }
  };
  for (const OperationCount& one : *report.counts.operations) {
    if (isOf(one.kind)) work[one.line] += static_cast<double>(one.executions) * one.bytes;
  }
  return work;
}

std::optional<CostSetting> findSetting(TextProfiles& profiles, const CostSubject& subject) {
  if (const TextProfile* const own = profiles.of(subject.text)) return settingOf(*own);
  if (subject.floors != nullptr)
    return CostSetting{subject.floors->gpu.gpu, subject.floors->n, subject.floors->threads};
  return std::nullopt;
}

std::string notProfiled(std::string_view title) {
  return fmt::format("{} was not profiled: Profile does it, on a connected GPU with Nsight Compute.", title);
}

}  // namespace

CostSetting settingOf(const TextProfile& profile) {
  const ProfileMessage& kernel = profile.profile->kernel;
  return {profile.origin.substr(0, profile.origin.rfind(", ")), kernel.n,
          kernel.block[0] * kernel.block[1] * kernel.block[2]};
}

LineAmounts timeByLine(const LaunchProfile& profile) { return amountsOf(profile, &ProfileCounts::samples); }

LineAmounts instructionsByLine(const LaunchProfile& profile) {
  return amountsOf(profile, &ProfileCounts::executed);
}

std::string settingText(const CostSetting& setting) {
  std::string text = setting.gpu;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (setting.n != 0) add("N = " + sizeText(setting.n));
  if (setting.threads != 0) add(counted(setting.threads, "thread") + " per block");
  return text;
}

double CostChart::mostUs() const {
  double most = 0;
  for (const KernelCost& kernel : kernels) most = std::max(most, kernel.us);
  return most;
}

const CostCharts::Roles& CostCharts::roles(std::string_view text, const std::string& kernel) {
  if (roles_.size() > kMostRoles) roles_.clear();
  const auto [found, isNew] = roles_.try_emplace({hashText(text), kernel});
  if (isNew) found->second = findLineRoles(text, kernel);
  return found->second;
}

std::vector<CostPiece> CostCharts::pieces(const TextProfile& profile, std::string_view text) {
  return makePieces(timeByLine(*profile.profile), text, roles(text, profile.profile->kernel.kernel));
}

KernelCost CostCharts::measured(const TextProfile& profile, const CostSubject& subject) {
  return {subject.title,
          CostBasis::Measured,
          profile.diagnosis.durationUs,
          pieces(profile, subject.text),
          profile.origin,
          false};
}

KernelCost CostCharts::predicted(const FloorReport& report, const CostSubject& subject) {
  KernelCost cost{subject.title, CostBasis::Predicted, report.floors.us(), {}, {}, false};
  const UnitFloor* const longest = report.floors.longest();
  if (longest == nullptr) return cost;
  cost.origin = std::string(unitName(longest->unit));
  const double launch = cost.us > 0 ? report.floors.launchUs / cost.us : 0;
  const LineAmounts work = workOf(report, longest->unit);
  if (sumOf(work) > 0)
    cost.pieces = makePieces(work, subject.text, roles(subject.text, report.counts.kernel));
  else
    cost.pieces = {{0, LineRole::Other, 1, cost.origin}};
  for (CostPiece& piece : cost.pieces) piece.share *= 1 - launch;
  if (launch > 0) cost.pieces.push_back({0, LineRole::Other, launch, "the launch"});
  return cost;
}

void CostCharts::add(CostChart& chart, TextProfiles& profiles, const CostSubject& subject) {
  const TextProfile* const own = profiles.of(subject.text);
  if (own != nullptr && own->diagnosis.durationUs > 0) {
    if (settingOf(*own) == chart.setting) chart.kernels.push_back(measured(*own, subject));
    return;
  }
  if (subject.floors == nullptr || subject.floors->floors.us() <= 0) return;
  const CostSetting here{subject.floors->gpu.gpu, subject.floors->n, subject.floors->threads};
  if (here == chart.setting) chart.kernels.push_back(predicted(*subject.floors, subject));
}

CostChart CostCharts::ofChapter(TextProfiles& profiles, const CostSubject& subject) {
  CostChart chart;
  const auto setting = findSetting(profiles, subject);
  if (!setting) {
    chart.note = notProfiled(subject.title);
    return chart;
  }
  chart.setting = *setting;
  bool isAdded = false;
  const auto addSubject = [&] {
    isAdded = true;
    const std::size_t before = chart.kernels.size();
    add(chart, profiles, subject);
    if (chart.kernels.size() > before)
      chart.kernels.back().isCurrent = true;
    else if (subject.floors == nullptr || subject.floors->floors.us() <= 0)
      chart.note = fmt::format("The profile of {} has no time.", subject.title);
  };
  const TextProfile* other = nullptr;  // the last that is not on this scale
  for (const Strategy& strategy : strategies()) {
    if (subject.strategy == nullptr || strategy.chapter != subject.strategy->chapter) continue;
    if (&strategy == subject.strategy && subject.text == strategy.source) {
      addSubject();
      continue;
    }
    const std::size_t before = chart.kernels.size();
    add(chart, profiles, {&strategy, strategy.title, strategy.source, nullptr});
    if (chart.kernels.size() == before && profiles.of(strategy.source) != nullptr)
      other = profiles.of(strategy.source);
    if (&strategy == subject.strategy) addSubject();
  }
  if (!isAdded) addSubject();
  if (other != nullptr && chart.note.empty())
    chart.note = fmt::format("Not on this scale: kernels of the chapter that were profiled with {}.",
                             settingText(settingOf(*other)));
  return chart;
}

CostChart CostCharts::ofTwo(TextProfiles& profiles, const CostSubject& left, const CostSubject& right) {
  CostChart chart;
  auto setting = findSetting(profiles, left);
  if (!setting) setting = findSetting(profiles, right);
  if (!setting) {
    chart.note = "Neither side was profiled.";
    return chart;
  }
  chart.setting = *setting;
  for (const CostSubject* side : {&left, &right}) {
    const std::size_t before = chart.kernels.size();
    add(chart, profiles, *side);
    if (chart.kernels.size() == before)
      chart.note = fmt::format("{} was not profiled on this scale.", side->title);
    else
      chart.kernels.back().isCurrent = side == &left;
  }
  return chart;
}

CostChart CostCharts::ofStrategies(TextProfiles& profiles, const std::vector<const Strategy*>& strategies) {
  CostChart chart;
  for (const Strategy* strategy : strategies) {
    const TextProfile* const own = profiles.of(strategy->source);
    if (own != nullptr && chart.kernels.empty()) chart.setting = settingOf(*own);
    const std::size_t before = chart.kernels.size();
    add(chart, profiles, {strategy, strategy->title, strategy->source, nullptr});
    if (chart.kernels.size() > before) continue;
    chart.note += (chart.note.empty() ? "" : " ") +
                  fmt::format("{} {}.", strategy->title,
                              own == nullptr ? "was not profiled" : "was profiled over another N");
  }
  return chart;
}

}  // namespace lanescope
