#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/analysis/report.h"
#include "app/export/data_files.h"
#include "app/launch/kernel_signature.h"
#include "kernels/protocol/worker_options.h"
#include "sim/base/diagnostic.h"
#include "sim/host/program.h"
#include "sim/machine/run/launch.h"

namespace lanescope::cli {

enum ExitStatus { kDone = 0, kFailed = 1, kWrongUsage = 2 };

/// Prints the error and returns the status. A launch that is impossible is wrong usage. A text that does not
/// parse and a run that ends in a fault or at a limit are the kernel's failure.
inline int complain(const Error& error, ExitStatus status) {
  fmt::print(stderr, "{}{}{}\n", error.message, error.hint.empty() ? "" : " ", error.hint);
  return error.isOfRun || !error.diagnostics.empty() ? kFailed : status;
}

/// Writes to standard output; kFailed if that is impossible.
inline int printed(std::string_view text) {
  const bool isWritten =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return isWritten ? kDone : kFailed;
}

/// The report's fields as JSON, or its text.
inline int printed(const Report& report, bool json) { return printed(json ? report.json() : report.text()); }

/// The options for reading a .cu file.
struct TextOptions {
  std::vector<std::string> definitions;         ///< of -D
  std::vector<std::string> includeDirectories;  ///< of -I
};

/// The options of `simulate`, `trace` and others that simulate one launch, as written.
struct LaunchRequest {
  std::string target;  ///< a strategy's id, or a .cu file
  TextOptions text;
  LaunchSpec launch{};
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

/// The arguments of a launch in the parameters' order: `n=1000` and `x:ones:8` name theirs. Error: there are
/// more or fewer than parameters, with a line to copy.
Result<std::vector<std::string>> argumentsOf(const LaunchSpec& spec,
                                             const std::shared_ptr<const SourceText>& source);

/// ` --arg f32:hash:64 --arg u32=64`: arguments that the kernel can be launched with, of `count` elements
/// each.
std::string argumentsText(const KernelSignature& kernel, std::uint64_t count);

/// Turns a request into a launch. Errors, one sentence each: neither a strategy nor a readable file;
/// an extent, argument or machine that cannot be read; a strategy's own (see makeLaunch).
Result<Launch> readLaunch(const LaunchRequest& request);

/// The title of that launch's run. `traced`: the block that was recorded, or nullptr for all of them.
RunTitle makeTitle(const LaunchRequest& request, const Launch& launch, const Dim3* traced,
                   std::string_view kernelName);

/// Adds the options of `simulate`, `trace` and others that simulate one launch.
void addSimulationOptions(CLI::App& command, LaunchRequest& request);

/// The block that --trace-block names: X[,Y[,Z]].
Result<Dim3> readTracedBlock(const std::string& text);

/// `lanescope.error/1`: why a command ended, with the places in the text if there are any. For --json.
std::string errorJson(const Error& error, const SourceText* source);
/// Like complain(); with --json also prints the error as JSON on standard output. `source`: the text with the
/// error's places.
int refuse(const Error& error, ExitStatus status, bool json, const SourceText* source = nullptr);

/// A command: `run` does what its parsed options say, and returns the exit status.
struct Command {
  CLI::App* app;
  std::function<int()> run;
};

Command addListCommand(CLI::App& app);
Command addGlossaryCommand(CLI::App& app);
Command addSimulateCommand(CLI::App& app);
Command addLuckCommand(CLI::App& app);
Command addTraceCommand(CLI::App& app);
Command addCheckCommand(CLI::App& app);
Command addRenderCommand(CLI::App& app);
/// `programWords`: the arguments of the program behind those that CLI11 reads, known when the command runs.
Command addRunCommand(CLI::App& app, const std::vector<std::string>& programWords);
/// Adds the options for the host's compiler, which `run` has, and `check` reads as well and does not need.
std::vector<CLI::Option*> addHostOptions(CLI::App& command, host::ProgramOptions& options);
Command addBenchCommand(CLI::App& app);
Command addExperimentCommand(CLI::App& app);
Command addWhyCommand(CLI::App& app);
Command addFloorsCommand(CLI::App& app);
Command addSassCommand(CLI::App& app);
/// Is not in the help. toolkit.cpp starts it as a process, so that a compiler that hangs or crashes ends
/// nothing else.
Command addCubinCommand(CLI::App& app);

}  // namespace lanescope::cli
