#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "kernels/worker/protocol.h"

namespace lanescope {

/// The options of `lanescope-gpu counters`: a launch of a strategy or of a text, by hand.
struct CountersOptions {
  std::string target;
  std::string kernel;
  std::string n = "2^20";
  std::uint32_t block = 256;
  std::vector<std::uint32_t> grid;
  std::vector<std::uint32_t> blockExtent;
  std::uint64_t dynamicSharedBytes = 0;
  std::vector<std::string> arguments;
};

/// Adds `counters` and its options to the program's.
CLI::App* addCountersCommand(CLI::App& app, CountersOptions& options);

/// The request that the options make, or one sentence on what is wrong with them. `sms`: the GPU's
/// multiprocessors, for strategies that stride over a grid.
Result<CountersRequest> countersRequestOf(const CountersOptions& options, std::uint32_t sms);

/// Reads a request, `counters` or `compile-run`, from a file's first line and launches its kernel once
/// (edited_kernel.h): what `counters` runs under Nsight Compute.
std::optional<Error> launchOnceFrom(const std::string& path);

}  // namespace lanescope
