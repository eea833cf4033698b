#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace lanescope::cli {

/// The options of `lanescope-cli experiment`.
struct ExperimentCommandOptions {
  std::string id;  ///< empty: list them
  bool simulate = false;
  bool isLive = false;  ///< --worker was given
  std::string worker;
  std::string recording;  ///< a file; if empty, the one that ships
  std::uint32_t maxSamples = 40;
  bool json = false;
};

CLI::App* addExperimentCommand(CLI::App& app, ExperimentCommandOptions& options);

/// Lists the experiments, or prints the times or counters of one. Returns the exit status: 0 done; 1 the
/// worker failed, a kernel failed, a result is wrong, or there are no times; 2 wrong usage.
int experimentCommand(const ExperimentCommandOptions& options);

}  // namespace lanescope::cli
