#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/protocol/bench_rules.h"

namespace lanescope {

/// The runs of a command line: one for each scope, type of element, N and number of blocks.
struct BenchOptions {
  std::vector<std::string> strategies;
  std::vector<std::string> sizes{"2^24"};
  std::vector<std::string> caches{"cold"};
  std::vector<std::string> scopes{"kernel"};
  std::vector<std::string> elements{"float"};
  std::uint32_t block = 256;
  std::vector<std::string> blocks;             ///< or
  std::vector<std::string> elementsPerThread;  ///< one of the two, or neither
  std::uint32_t maxSamples = 40;
  double minSeconds = 0;
};

/// Adds the options that the worker and its clients share; `minSeconds` has no option here.
void addBenchOptions(CLI::App& command, BenchOptions& options);

/// The requests, numbered from 1. The error is one sentence.
Result<std::vector<BenchRequest>> makeRequests(const BenchOptions& options);

}  // namespace lanescope
