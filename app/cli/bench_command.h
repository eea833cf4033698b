#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "kernels/protocol/bench_options.h"

namespace lanescope::cli {

/// The options of `lanescope-cli bench`.
struct BenchCommandOptions {
  BenchOptions runs;
  std::string worker;
  bool json = false;
  bool csv = false;
};

void addBenchCommandOptions(CLI::App& command, BenchCommandOptions& options);

/// Runs the worker and prints its measurements, and a line of progress if stderr is a terminal. Returns the
/// exit status: 0 done, 1 the worker failed or a result is wrong, 2 wrong usage. Control-C cancels the run.
int benchCommand(const BenchCommandOptions& options);

}  // namespace lanescope::cli
