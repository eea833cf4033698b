#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/protocol/protocol.h"

namespace lanescope {

/// The options of `lanescope-gpu counters` and `profile`: launches of strategies or of a text, by hand.
struct LaunchOptions {
  std::vector<std::string> targets{};  ///< ids of strategies and experiments, or one file
  std::string kernel{};
  std::string n = "2^20";
  std::uint32_t block = 256;
  std::vector<std::uint32_t> grid{};
  std::vector<std::uint32_t> blockExtent{};
  std::uint64_t dynamicSharedBytes = 0;
  std::vector<std::string> arguments{};
};

/// Adds the options of a launch to a command; `targets` is the command's own.
void addLaunchOptions(CLI::App& command, LaunchOptions& options);

/// The error in `--grid` or `--threads`, which take one to three numbers; empty if they are valid.
std::optional<Error> wrongExtent(const LaunchOptions& options);

/// A launch requested on the command line.
struct NamedLaunch {
  std::string strategy;  ///< its id, or an experiment's kernel as Variant::series; empty for a file's text
  std::uint64_t n = 0;   ///< elements; 0 for a file's text
  TextLaunch launch;
};

/// The launches of the options: `all` for every strategy, an experiment's id for each of its kernels; or one
/// sentence about their error. A strategy that is timed only up to some N (largestN) gets at most that.
/// `sms`: the number of the GPU's multiprocessors, for strategies that stride over a grid.
Result<std::vector<NamedLaunch>> makeLaunches(const LaunchOptions& options, std::uint32_t sms);

}  // namespace lanescope
