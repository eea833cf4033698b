#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sim/host/program.h"

namespace lanescope::cli {

/// Adds the options of `run`.
void addRunOptions(CLI::App& command, host::ProgramOptions& options);

/// Runs the program; the process ends with it. Returns a status if it cannot begin. Existing source files in
/// options.arguments are added to the program, and the words behind `--` to its arguments.
int runCommand(host::ProgramOptions options, const std::vector<std::string>& behindDashes);

}  // namespace lanescope::cli
