#include "app/pictures/profile_difference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "app/pictures/why_scene.h"

namespace lanescope {
namespace {

constexpr const char* kNone = "–";

/// The format of a row's numbers, and which of them is better.
struct RowKind {
  const char* unit = "";  ///< after the number
  int digits = 0;
  bool inPoints = false;                ///< a percentage: the difference is in points
  std::optional<bool> lowerIsBetter{};  ///< not set: neither is
};

std::string numberText(const std::optional<double>& value, const RowKind& kind) {
  return value ? fmt::format("{:.{}f}{}", *value, kind.digits, kind.unit) : kNone;
}

CounterDifference findRow(std::string name, std::string meaning, const std::optional<double>& left,
                          const std::optional<double>& right, const RowKind& kind) {
  CounterDifference row{
      std::move(name), std::move(meaning), numberText(left, kind), numberText(right, kind), {}, {},
      Better::Neither};
  if (!left || !right) return row;
  if (row.left == row.right) {
    row.difference = "=";
    return row;
  }
  // Computed from the numbers as shown: 2% and 1% differ by one point.
  const double step = std::pow(10.0, kind.digits);
  const double more = (std::round(*right * step) - std::round(*left * step)) / step;
  row.difference = fmt::format("{}{:.{}f}{}", more < 0 ? "−" : "+", std::abs(more), kind.digits,
                               kind.inPoints ? " pts" : kind.unit);
  if (*left > 0) row.ratio = fmt::format("{:.2f}×", *right / *left);
  if (kind.lowerIsBetter) row.better = (more < 0) == *kind.lowerIsBetter ? Better::Right : Better::Left;
  return row;
}

std::optional<double> positive(double value) { return value > 0 ? std::optional(value) : std::nullopt; }

std::optional<double> readDuration(const ProfileSide& side) {
  return side.profile == nullptr ? std::nullopt : positive(side.profile->diagnosis.durationUs);
}

std::optional<double> computeFloor(const ProfileSide& side) {
  return side.floors == nullptr ? std::nullopt : positive(side.floors->floors.us());
}

std::optional<double> readInstructions(const ProfileSide& side) {
  return side.profile == nullptr ? std::nullopt : positive(side.profile->diagnosis.instructionsPerWarp);
}

std::optional<double> metricIn(const ProfileSide& side, ProfileMetric metric) {
  return side.profile == nullptr ? std::nullopt : findMetric(side.profile->profile->kernel, metric);
}

DifferenceGroup kernelGroup(const ProfileSide& left, const ProfileSide& right) {
  DifferenceGroup group{"kernel", "", {}};
  const RowKind time{" µs", 1, false, true};
  group.rows.push_back(
      findRow("time", "Of the launch, under the profiler", readDuration(left), readDuration(right), time));
  group.rows.push_back(findRow("floor",
                               "The least that launch and the longest unit need, over as many elements",
                               computeFloor(left), computeFloor(right), time));
  group.rows.push_back(findRow("instructions per warp", "Machine instructions per warp",
                               readInstructions(left), readInstructions(right), {"", 1, false, true}));
  struct Row {
    ProfileMetric metric;
    const char* name;
  };
  constexpr std::array<Row, 5> kRows{{{ProfileMetric::Dram, "DRAM, of its peak"},
                                      {ProfileMetric::L2, "L2, of its peak"},
                                      {ProfileMetric::L1, "L1/shared, of its peak"},
                                      {ProfileMetric::IssueSlots, "issue slots, of their peak"},
                                      {ProfileMetric::AchievedOccupancy, "occupancy"}}};
  for (const auto& [metric, name] : kRows) {
    const bool isUnit = metric != ProfileMetric::AchievedOccupancy;
    group.rows.push_back(
        findRow(name, isUnit ? "Percent of the unit's peak" : "Warps per SM, of the most there can be",
                metricIn(left, metric), metricIn(right, metric), {"%", 0, true, {}}));
  }
  return group;
}

std::array<double, kStallGroups> computeShares(const ProfileSide& side) {
  std::array<double, kStallGroups> shares{};
  for (const WhyPart& part : whyParts(side.profile->diagnosis))
    shares[static_cast<std::size_t>(part.group)] = 100 * part.share;
  return shares;
}

DifferenceGroup stallGroup(const ProfileSide& left, const ProfileSide& right) {
  DifferenceGroup group{"warps' time", "", {}};
  if (left.profile == nullptr || right.profile == nullptr) return group;
  const auto ours = computeShares(left);
  const auto theirs = computeShares(right);
  for (std::size_t i = 0; i < kStallGroups; ++i) {
    group.rows.push_back(findRow(std::string(stallGroupWords(static_cast<StallGroup>(i))),
                                 "Share of the warps' time, of all samples", ours[i], theirs[i],
                                 {"%", 0, true, {}}));
  }
  return group;
}

}  // namespace

std::vector<DifferenceGroup> profileDifferences(const ProfileSide& left, const ProfileSide& right) {
  return {kernelGroup(left, right), stallGroup(left, right)};
}

std::vector<std::string> costliestLines(const ProfileSide& side, std::size_t most) {
  std::vector<std::string> rows;
  if (side.profile == nullptr) return rows;
  for (const LineShare& line : side.profile->diagnosis.lines) {
    if (rows.size() == most || line.counts.samples == 0) break;
    rows.push_back(fmt::format("line {}, {:.0f}%: {}", line.line, 100 * line.share, line.text));
  }
  return rows;
}

}  // namespace lanescope
