#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sim/host/program.h"

namespace lanescope::cli {

/// Adds the options of `run`.
void addRunOptions(CLI::App& command, host::ProgramOptions& options);

/// Runs the program; the process ends with it. Gives a status where it cannot begin. Of options.arguments,
/// source files that are there join the program, and what is behind a `--` joins its arguments.
int runCommand(host::ProgramOptions options, const std::vector<std::string>& behindDashes);

}  // namespace lanescope::cli
