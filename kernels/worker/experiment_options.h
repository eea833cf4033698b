#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "kernels/worker/experiment_rules.h"

namespace lanescope {

/// What `lanescope-gpu experiment` was asked for.
struct ExperimentOptions {
  std::vector<std::string> ids;  ///< empty: every experiment
  std::uint32_t maxSamples = 40;
  std::string record;
};

/// Adds `experiment` and its options to the program's.
CLI::App* addExperimentCommand(CLI::App& app, ExperimentOptions& options);

/// The requests, numbered from 1. The error is one sentence: an id that is no experiment's.
Result<std::vector<ExperimentRequest>> experimentRequestsOf(const ExperimentOptions& options);

}  // namespace lanescope
