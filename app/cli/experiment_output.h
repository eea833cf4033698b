#pragma once

#include <string>
#include <vector>

#include "app/analysis/experiment_times.h"
#include "app/analysis/experiment_profiles.h"
#include "sim/memory/counters.h"

namespace lanescope::cli {

/// Every experiment: id, title, kernels.
std::string experimentsText();
/// `lanescope.experiments/1`.
std::string experimentsJson();

/// An experiment's times: a row for each kernel, then each change's effect, everything else equal, then the
/// limit of each kernel that was profiled.
std::string timesText(const ExperimentTimes& times, const ExperimentProfiles& profiles);
/// `lanescope.experiment/1`.
std::string timesJson(const ExperimentTimes& times, const ExperimentProfiles& profiles);

/// The simulator's counters: a row for each kernel, in the order of `variants`.
std::string countersText(const Experiment& experiment, const std::vector<Variant>& variants,
                         const std::vector<Counters>& counters);
/// `lanescope.experiment/1`, with counters instead of times.
std::string countersJson(const Experiment& experiment, const std::vector<Variant>& variants,
                         const std::vector<Counters>& counters);

}  // namespace lanescope::cli
