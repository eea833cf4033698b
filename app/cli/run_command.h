#pragma once

#include <CLI/CLI.hpp>

#include "sim/host/program.h"

namespace lanescope::cli {

/// Adds the options of `run`.
void addRunOptions(CLI::App& command, host::ProgramOptions& options);

/// Runs the program; the process ends with it. Gives a status where it cannot begin.
int runCommand(const host::ProgramOptions& options);

}  // namespace lanescope::cli
