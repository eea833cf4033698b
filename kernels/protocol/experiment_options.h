#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "kernels/protocol/experiment_rules.h"

namespace lanescope {

/// The options of `lanescope-gpu experiment`.
struct ExperimentOptions {
  std::vector<std::string> ids;  ///< empty: every experiment
  std::uint32_t maxSamples = 40;
  std::string record;
};

/// Adds `experiment` and its options to the program's.
CLI::App* addExperimentCommand(CLI::App& app, ExperimentOptions& options);

/// The requests, numbered from 1. The error is one sentence: an unknown id.
Result<std::vector<ExperimentRequest>> makeExperimentRequests(const ExperimentOptions& options);

}  // namespace lanescope
