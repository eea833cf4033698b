#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/arguments.h"

namespace lanescope::cli {

/// The options of `lanescope-cli sass`, besides its launch.
struct SassOptions {
  std::string architecture = "sm_90";
  std::string recording;  ///< of profiles, with its machine code; if empty, a local toolkit, or the recording
                          ///< that ships
  std::string measured;   ///< a file with a hardware's counters; can be empty
  bool explain = false;
  bool json = false;
};

void addSassOptions(CLI::App& command, SassOptions& options);

/// Prints a kernel's machine code line by line, and with --explain the instructions that the compiler made of
/// the text's accesses. Returns the exit status: 0 done, 1 no machine code is available or the kernel failed,
/// 2 wrong usage.
int sassCommand(const LaunchRequest& request, const SassOptions& options);

}  // namespace lanescope::cli
