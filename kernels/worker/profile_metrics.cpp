#include "kernels/worker/profile_metrics.h"

#include <algorithm>
#include <array>
#include <span>

#include "sim/memory/device_memory.h"

namespace lanescope {
namespace {

using Names = std::string_view;

constexpr Names kDuration[] = {"gpu__time_duration.sum", "gpu__time_duration.avg"};
constexpr Names kDram[] = {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
                           "dram__throughput.avg.pct_of_peak_sustained_elapsed"};
constexpr Names kL2[] = {"lts__throughput.avg.pct_of_peak_sustained_elapsed",
                         "lts__t_sectors.avg.pct_of_peak_sustained_elapsed"};
constexpr Names kL1[] = {"l1tex__throughput.avg.pct_of_peak_sustained_active",
                         "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"};
constexpr Names kShared[] = {"l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
                             "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed",
                             "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_active"};
constexpr Names kIssueSlots[] = {"sm__inst_issued.avg.pct_of_peak_sustained_active",
                                 "smsp__issue_active.avg.pct_of_peak_sustained_active",
                                 "sm__inst_issued.avg.pct_of_peak_sustained_elapsed",
                                 "smsp__inst_issued.avg.pct_of_peak_sustained_active"};
constexpr Names kRegisters[] = {"launch__registers_per_thread"};
constexpr Names kSharedDynamic[] = {"launch__shared_mem_per_block_dynamic"};
constexpr Names kSharedStatic[] = {"launch__shared_mem_per_block_static"};
constexpr Names kTheoretical[] = {"sm__maximum_warps_per_active_cycle_pct"};
constexpr Names kAchieved[] = {"sm__warps_active.avg.pct_of_peak_sustained_active"};
constexpr Names kLimitBlocks[] = {"launch__occupancy_limit_blocks"};
constexpr Names kLimitRegisters[] = {"launch__occupancy_limit_registers"};
constexpr Names kLimitShared[] = {"launch__occupancy_limit_shared_mem"};
constexpr Names kLimitWarps[] = {"launch__occupancy_limit_warps"};
constexpr Names kWaves[] = {"launch__waves_per_multiprocessor"};

/// A metric and the names that Nsight Compute's versions have for it, the usual one first.
struct ProfileMetricInfo {
  ProfileMetric metric;
  std::span<const std::string_view> names;
};

constexpr std::array kMetrics{
    ProfileMetricInfo{ProfileMetric::Duration, kDuration},
    ProfileMetricInfo{ProfileMetric::Dram, kDram},
    ProfileMetricInfo{ProfileMetric::L2, kL2},
    ProfileMetricInfo{ProfileMetric::L1, kL1},
    ProfileMetricInfo{ProfileMetric::Shared, kShared},
    ProfileMetricInfo{ProfileMetric::IssueSlots, kIssueSlots},
    ProfileMetricInfo{ProfileMetric::Registers, kRegisters},
    ProfileMetricInfo{ProfileMetric::SharedDynamic, kSharedDynamic},
    ProfileMetricInfo{ProfileMetric::SharedStatic, kSharedStatic},
    ProfileMetricInfo{ProfileMetric::TheoreticalOccupancy, kTheoretical},
    ProfileMetricInfo{ProfileMetric::AchievedOccupancy, kAchieved},
    ProfileMetricInfo{ProfileMetric::LimitBlocks, kLimitBlocks},
    ProfileMetricInfo{ProfileMetric::LimitRegisters, kLimitRegisters},
    ProfileMetricInfo{ProfileMetric::LimitShared, kLimitShared},
    ProfileMetricInfo{ProfileMetric::LimitWarps, kLimitWarps},
    ProfileMetricInfo{ProfileMetric::Waves, kWaves},
};

}  // namespace

std::uint64_t textHashOf(std::string_view text) {
  return fnv1a(std::as_bytes(std::span(text.data(), text.size())));
}

bool isProfileMetric(std::string_view name) {
  const auto isNamed = [name](const ProfileMetricInfo& info) {
    return std::ranges::find(info.names, name) != info.names.end();
  };
  return std::ranges::any_of(kMetrics, isNamed) ||
         (name.starts_with("sm__inst_executed_pipe_") && name.ends_with(".avg.pct_of_peak_sustained_active"));
}

std::optional<double> metricOf(const ProfileMessage& profile, ProfileMetric metric) {
  const auto* const info = std::ranges::find(kMetrics, metric, &ProfileMetricInfo::metric);
  for (const std::string_view name : info->names) {
    for (const MeasuredMetric& measured : profile.metrics) {
      if (measured.name == name && measured.value) return measured.value;
    }
  }
  return std::nullopt;
}

}  // namespace lanescope
