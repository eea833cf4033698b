#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "app/export/run_title.h"
#include "sim/machine/run/launch.h"

namespace lanescope::cli {

/// The options for reading a .cu file.
struct TextOptions {
  std::vector<std::string> definitions;         ///< of -D
  std::vector<std::string> includeDirectories;  ///< of -I
};

/// The parameters of `simulate` and `trace`, as written.
struct LaunchRequest {
  std::string target;  ///< a strategy's id, or a .cu file
  TextOptions text;
  std::string kernel;
  std::string grid;  ///< X[,Y[,Z]]; empty: 1
  std::string block;
  std::uint64_t dynamicSharedBytes = 0;
  bool hasDynamicShared = false;
  bool isCooperative = false;
  std::vector<std::string> symbols;
  std::vector<std::string> arguments;
  std::string machine = "nvidia";
  std::uint64_t n = 0;                ///< strategies: elements; 0: not given
  std::uint64_t blocks = 0;           ///< strategies: M, block sums; 0: not given
  std::string element;                ///< strategies: the type of element; empty: float
  std::string op;                     ///< strategies: the operator; empty: the first
  std::uint64_t maxInstructions = 0;  ///< 0: the default
};

/// `-D NAME[=VALUE]`, repeated; anything other than a name is refused as wrong usage.
void addDefinitions(CLI::App& command, std::vector<std::string>& definitions);

/// `-I DIR`, repeated.
void addIncludeDirectories(CLI::App& command, std::vector<std::string>& directories);

/// Adds both sets of options, for a command that takes a file.
void addTextOptions(CLI::App& command, TextOptions& options);

/// A .cu file with the files that it includes, also from directories of headers, and with the definitions
/// before it. The errors are those of readKernelFile().
Result<std::shared_ptr<const SourceText>> textOfFile(const std::string& path,
                                                     const TextOptions& options = {});

/// Turns a request into a launch. Errors, one sentence each: neither a strategy nor a readable file;
/// an extent, argument or machine that cannot be read; a strategy's own (see makeLaunch).
Result<Launch> launchFrom(const LaunchRequest& request);

/// The title of that launch's run. `traced`: the block that was recorded, or nullptr for all of them.
RunTitle makeTitle(const LaunchRequest& request, const Launch& launch, const Dim3* traced,
                   std::string_view kernelName);

}  // namespace lanescope::cli
