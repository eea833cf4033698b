#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/arguments.h"
#include "kernels/protocol/launch_options.h"

namespace lanescope::cli {

/// The options of `lanescope-cli floors`.
struct FloorsOptions {
  LaunchOptions launch;
  TextOptions text;
  std::string gpu = "h200";
  std::string cache = "cold";
  bool json = false;
};

void addFloorsOptions(CLI::App& command, FloorsOptions& options);

/// Prints the least time that each unit of a GPU alone would need for a launch, with the measured time beside
/// it. Without a target, prints a table over all strategies. Returns the exit status: 0 done, 1 the kernel
/// failed, 2 wrong usage.
int floorsCommand(const FloorsOptions& options);

}  // namespace lanescope::cli
