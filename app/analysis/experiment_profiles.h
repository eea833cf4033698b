#pragma once

#include <string>
#include <vector>

#include "app/analysis/profile_recording.h"
#include "kernels/strategies/variant.h"

namespace lanescope {

/// The limiter of each kernel of an experiment, from recorded profiles.
struct ExperimentProfiles {
  std::string source;                ///< the GPU and the day: `NVIDIA H200, 2026-11-23`
  std::vector<std::string> clauses;  ///< one for each variant, as limitClause(); empty if none was recorded
};

/// The unit nearest to its peak and the stall that takes most of the warps' time: `DRAM at 74% of its peak;
/// 88% of the warps' time: "waits for global memory"`.
std::string limitClause(const LaunchProfile& profile);

/// The profiles of these kernels: a variant's is the one recorded under its series of exactly its text.
ExperimentProfiles readProfiles(const std::vector<Variant>& variants, const ProfileRecording& recording);

/// The recording of the experiments' profiles that ships with the program. The error says that it is missing.
Result<ProfileRecording> shippedExperimentProfiles();

}  // namespace lanescope
