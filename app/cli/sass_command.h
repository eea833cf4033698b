#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/arguments.h"

namespace lanescope::cli {

/// What `lanescope-cli sass` was asked for, beside its launch.
struct SassOptions {
  std::string architecture = "sm_90";
  std::string recording;  ///< of profiles: its machine code; empty: a local toolkit, or the one that ships
  std::string measured;   ///< a file with a hardware's counters; empty: none
  bool explain = false;
  bool json = false;
};

void addSassOptions(CLI::App& command, SassOptions& options);

/// Prints a kernel's machine code line by line, and with --explain what the compiler made of the text's
/// accesses. Returns the exit status: 0 done, 1 no machine code could be had or the kernel failed, 2 wrong
/// usage.
int sassCommand(const LaunchRequest& request, const SassOptions& options);

}  // namespace lanescope::cli
