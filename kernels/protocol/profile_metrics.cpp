#include "kernels/protocol/profile_metrics.h"

#include <algorithm>
#include <array>
#include <span>

#include "sim/memory/device_memory.h"

namespace lanescope {
namespace {

/// A metric and the names that Nsight Compute's versions have for it, the usual one first.
struct ProfileMetricInfo {
  ProfileMetric metric;
  std::array<std::string_view, 4> names;  ///< empty past the last
};

constexpr ProfileMetricInfo kMetrics[] = {
    {ProfileMetric::Duration, {"gpu__time_duration.sum", "gpu__time_duration.avg"}},
    {ProfileMetric::Dram,
     {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
      "dram__throughput.avg.pct_of_peak_sustained_elapsed"}},
    {ProfileMetric::L2,
     {"lts__throughput.avg.pct_of_peak_sustained_elapsed",
      "lts__t_sectors.avg.pct_of_peak_sustained_elapsed"}},
    {ProfileMetric::L1,
     {"l1tex__throughput.avg.pct_of_peak_sustained_active",
      "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"}},
    {ProfileMetric::Shared,
     {"l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_active"}},
    {ProfileMetric::IssueSlots,
     {"sm__inst_issued.avg.pct_of_peak_sustained_active",
      "smsp__issue_active.avg.pct_of_peak_sustained_active",
      "sm__inst_issued.avg.pct_of_peak_sustained_elapsed",
      "smsp__inst_issued.avg.pct_of_peak_sustained_active"}},
    {ProfileMetric::Registers, {"launch__registers_per_thread"}},
    {ProfileMetric::SharedDynamic, {"launch__shared_mem_per_block_dynamic"}},
    {ProfileMetric::SharedStatic, {"launch__shared_mem_per_block_static"}},
    {ProfileMetric::TheoreticalOccupancy, {"sm__maximum_warps_per_active_cycle_pct"}},
    {ProfileMetric::AchievedOccupancy, {"sm__warps_active.avg.pct_of_peak_sustained_active"}},
    {ProfileMetric::LimitBlocks, {"launch__occupancy_limit_blocks"}},
    {ProfileMetric::LimitRegisters, {"launch__occupancy_limit_registers"}},
    {ProfileMetric::LimitShared, {"launch__occupancy_limit_shared_mem"}},
    {ProfileMetric::LimitWarps, {"launch__occupancy_limit_warps"}},
    {ProfileMetric::Waves, {"launch__waves_per_multiprocessor"}},
};

}  // namespace

std::uint64_t hashText(std::string_view text) {
  return fnv1a(std::as_bytes(std::span(text.data(), text.size())));
}

bool isProfileMetric(std::string_view name) {
  if (name.empty()) return false;
  const auto isNamed = [name](const ProfileMetricInfo& info) {
    return std::ranges::find(info.names, name) != info.names.end();
  };
  return std::ranges::any_of(kMetrics, isNamed) ||
         (name.starts_with("sm__inst_executed_pipe_") && name.ends_with(".avg.pct_of_peak_sustained_active"));
}

std::optional<double> findMetric(const ProfileMessage& profile, ProfileMetric metric) {
  const auto* const info = std::ranges::find(kMetrics, metric, &ProfileMetricInfo::metric);
  for (const std::string_view name : info->names) {
    for (const MeasuredMetric& measured : profile.metrics) {
      if (!name.empty() && measured.name == name && measured.value) return measured.value;
    }
  }
  return std::nullopt;
}

}  // namespace lanescope
