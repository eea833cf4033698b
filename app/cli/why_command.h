#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/arguments.h"
#include "kernels/worker/launch_options.h"

namespace lanescope::cli {

/// What `lanescope-cli why` was asked for.
struct WhyOptions {
  LaunchOptions launch;   ///< of a live worker; its targets are of either
  TextOptions text;       ///< of a file
  std::string recording;  ///< a file; empty: the one that ships
  std::string worker;     ///< a command: profile there instead
  bool isLive = false;    ///< whether a worker was asked for
  bool json = false;
};

void addWhyOptions(CLI::App& command, WhyOptions& options);

/// Prints where a kernel's time goes; without a target, a table over all strategies of the recording. Returns
/// the exit status: 0 done, 1 nothing was recorded of it or the worker failed, 2 wrong usage.
int whyCommand(const WhyOptions& options);

}  // namespace lanescope::cli
