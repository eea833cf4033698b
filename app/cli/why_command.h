#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/arguments.h"
#include "kernels/protocol/launch_options.h"

namespace lanescope::cli {

/// The options of `lanescope-cli why`.
struct WhyOptions {
  LaunchOptions launch;   ///< of a live worker; its targets are valid for both
  TextOptions text;       ///< of a file
  std::string recording;  ///< a file; if empty, the one that ships
  std::string worker;     ///< a command: if not empty, profile there instead
  bool isLive = false;    ///< a worker was requested
  bool json = false;
};

void addWhyOptions(CLI::App& command, WhyOptions& options);

/// Prints the parts of a kernel's time; without a target, a table over all strategies of the recording.
/// Returns the exit status: 0 done, 1 the kernel is not in the recording or the worker failed, 2 wrong usage.
int whyCommand(const WhyOptions& options);

}  // namespace lanescope::cli
