#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "kernels/protocol/launch_options.h"

/// The commands of `lanescope-gpu` for Nsight Compute, and the command that it runs.
namespace lanescope {

/// Adds `counters` and its options to the program's.
CLI::App* addCountersCommand(CLI::App& app, LaunchOptions& options);

/// Adds `profile` and its options.
CLI::App* addProfileCommand(CLI::App& app, LaunchOptions& options);

/// Reads a request, `counters`, `profile` or `compile-run`, from a file's first line and launches its kernel
/// once (edited_kernel.h): this runs under Nsight Compute. The text of a `profile` is compiled with its line
/// numbers, and must be beside the request under the name from profiledFile.
std::optional<Error> launchOnceFrom(const std::string& path);

}  // namespace lanescope
