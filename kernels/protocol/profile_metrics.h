#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/protocol/profile_messages.h"

namespace lanescope {

/// The metrics of a profile for a whole kernel.
enum class ProfileMetric : std::uint8_t {
  Duration,  ///< nanoseconds
  Dram,      ///< percent of the peak throughput, as are the next ones
  L2,
  L1,      ///< L1 and shared memory's unit as a whole
  Shared,  ///< its data pipe, of shared memory's wavefronts
  IssueSlots,
  Registers,      ///< per thread
  SharedDynamic,  ///< bytes per block
  SharedStatic,
  TheoreticalOccupancy,  ///< percent of the warps that an SM holds
  AchievedOccupancy,
  LimitBlocks,  ///< resident blocks per SM that each would allow
  LimitRegisters,
  LimitShared,
  LimitWarps,
  Waves,  ///< of blocks per SM
};

/// True if a metric of that name is kept: one of ProfileMetric, or a pipe's share of its peak
/// (`sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active`).
bool isProfileMetric(std::string_view name);

/// A metric under any of its names; empty if it was not measured.
std::optional<double> findMetric(const ProfileMessage& profile, ProfileMetric metric);

}  // namespace lanescope
