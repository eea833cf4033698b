#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/protocol.h"
#include "sim/memory/launch_spec.h"

namespace lanescope {

/// For options that take a count, read by parseSize() (`1024`, `2^10`), from `least` to `most`. Pass it to
/// transform(); the option's number then is that count.
inline CLI::Validator sizeFrom(std::uint64_t least, std::uint64_t most) {
  const auto read = [least, most](std::string& text) -> std::string {
    const auto size = parseSize(text);
    if (!size) return "'" + printable(text, 40) + "' is not a size; write a number such as 1024 or 2^10";
    if (*size < least || *size > most)
      return text + " is not from " + std::to_string(least) + " to " + std::to_string(most);
    text = std::to_string(*size);
    return {};
  };
  return CLI::Validator(read, "", "size");
}

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

/// The options of `lanescope-gpu experiment`.
struct ExperimentOptions {
  std::vector<std::string> ids;    ///< empty: every experiment
  std::vector<std::string> sizes;  ///< numbers of elements; empty: each experiment's own
  std::uint32_t maxSamples = 40;
  std::string record;
};

/// Adds `experiment` and its options to the program's.
CLI::App* addExperimentCommand(CLI::App& app, ExperimentOptions& options);

/// The requests, by id and then by size, numbered from 1. The error is one sentence: an unknown id, an
/// invalid size.
Result<std::vector<ExperimentRequest>> makeExperimentRequests(const ExperimentOptions& options);

/// Adds the options that say a launch, the same in every command: --kernel, --grid, --block, --dynamic-shared
/// and --arg.
void addLaunchOptions(CLI::App& command, LaunchSpec& launch);

/// The options of `lanescope-gpu counters` and `profile`: launches of strategies or of a text, by hand.
struct LaunchOptions {
  std::vector<std::string> targets{};  ///< ids of strategies and experiments, or one file
  std::string n = "2^20";
  LaunchSpec spec{};  ///< for a strategy only its block counts, which is one number
};

/// The same with --n, for a command that takes strategies and files; `targets` is the command's own.
void addLaunchOptions(CLI::App& command, LaunchOptions& options);

/// The threads per block of a strategy; the error is one sentence.
Result<std::uint32_t> readStrategyThreads(const LaunchSpec& spec);

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
