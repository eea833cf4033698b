#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::cli {

/// What `lanescope-cli bench` was asked for.
struct BenchOptions {
  std::vector<std::string> strategies;
  std::vector<std::string> sizes{"2^24"};
  std::vector<std::string> caches{"cold"};
  std::vector<std::string> scopes{"kernel"};
  std::vector<std::string> elements{"float"};
  std::uint32_t block = 256;
  std::uint32_t maxSamples = 40;
  std::string worker;
  bool json = false;
  bool csv = false;
};

void addBenchOptions(CLI::App& command, BenchOptions& options);

/// Runs the worker and prints what it measured; a line of progress on a terminal's stderr. Returns the exit
/// status: 0 done, 1 the worker failed or a result is wrong, 2 wrong usage. Control-C cancels the run.
int benchCommand(const BenchOptions& options);

}  // namespace lanescope::cli
