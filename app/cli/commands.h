#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/analysis/report.h"
#include "app/course/glossary.h"
#include "app/export/data_files.h"
#include "kernels/protocol/worker_options.h"
#include "sim/base/diagnostic.h"
#include "sim/host/program.h"
#include "sim/machine/run/launch.h"
#include "sim/trace/luck.h"

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

/// Turns a request into a launch. Errors, one sentence each: neither a strategy nor a readable file;
/// an extent, argument or machine that cannot be read; a strategy's own (see makeLaunch).
Result<Launch> readLaunch(const LaunchRequest& request);

/// The title of that launch's run. `traced`: the block that was recorded, or nullptr for all of them.
RunTitle makeTitle(const LaunchRequest& request, const Launch& launch, const Dim3* traced,
                   std::string_view kernelName);

using Entries = std::vector<const GlossaryEntry*>;

/// The entry of that term, or all of them for "". The error names entries that have the word in them.
Result<Entries> entriesFor(const std::string& term);

/// `lanescope.glossary/1`: the entries with their definitions, guides, links and lessons.
Report describe(const Entries& entries);

/// `lanescope-cli check FILE`: every kernel of a text with its signature, and if it cannot be simulated, the
/// reason. A template is checked with arguments of its launches, or else with the first of
/// templateInstances() that can be simulated. Exit status: kDone if every kernel can be simulated, kFailed if
/// one cannot or there is none, kWrongUsage if the file cannot be read.
int checkCommand(const std::string& path, const TextOptions& options, bool json);

/// `lanescope.error/1`: why a command ended, with the places in the text if there are any. For --json.
std::string errorJson(const Error& error, const SourceText* source);
/// Like complain(); with --json also prints the error as JSON on standard output. `source`: the text with the
/// error's places.
int refuse(const Error& error, ExitStatus status, bool json, const SourceText* source = nullptr);

/// `lanescope.luck/1`: the verdict, and the first difference that each order left; as text a line per order.
Report describe(const Launch& launch, const LuckReport& luck);

/// The options of `render`, as written.
struct RenderOptions {
  std::string output;    ///< a .svg or .png
  std::string sequence;  ///< a folder
  std::string gif;       ///< a .gif
  std::string page;      ///< a .html
  bool strip = false;
  std::string picture = "all";
  std::string theme = "dark";
  std::string size;  ///< WIDTHxHEIGHT; if empty, the picture's own
  float scale = 1;
  std::uint32_t step = 0;
  bool hasStep = false;  ///< if false, the step at which the app opens
  std::uint32_t wavefront = 0;
  std::string grain = "instruction";
};

void addRenderOptions(CLI::App& command, RenderOptions& options);

/// Draws a launch's block as a file, a strip, a page that steps, a GIF or a folder of frames. Returns the
/// exit status: 0 written, 1 the kernel failed or nothing could be written, 2 wrong usage. If it is not 0,
/// one sentence is on stderr and nothing half-written is left.
int renderCommand(const LaunchRequest& request, Dim3 block, const RenderOptions& options);

/// Adds the options of `run`.
void addRunOptions(CLI::App& command, host::ProgramOptions& options);

/// Runs the program; the process ends with it. Returns a status if it cannot begin. Existing source files in
/// options.arguments are added to the program, and the words behind `--` to its arguments.
int runCommand(host::ProgramOptions options, const std::vector<std::string>& behindDashes);

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

/// The options of `lanescope-cli experiment`.
struct ExperimentCommandOptions {
  std::string id;  ///< empty: list them
  bool simulate = false;
  bool isLive = false;  ///< --worker was given
  std::string worker;
  std::string recording;  ///< a file; if empty, the one that ships
  std::uint32_t maxSamples = 40;
  bool json = false;
};

CLI::App* addExperimentCommand(CLI::App& app, ExperimentCommandOptions& options);

/// Lists the experiments, or prints the times or counters of one. Returns the exit status: 0 done; 1 the
/// worker failed, a kernel failed, a result is wrong, or there are no times; 2 wrong usage.
int experimentCommand(const ExperimentCommandOptions& options);

/// The options of `lanescope-cli why`.
struct WhyOptions {
  LaunchOptions launch;   ///< of a live worker; its targets are valid for both
  TextOptions text;       ///< of a file
  std::string recording;  ///< a file; if empty, the one that ships
  std::string worker;     ///< a command: if not empty, profile there instead
  bool isLive = false;    ///< a worker was requested
  bool json = false;
};

void addWhyOptions(CLI::App& command, WhyOptions& options);

/// Prints the parts of a kernel's time; without a target, a table over all strategies of the recording.
/// Returns the exit status: 0 done, 1 the kernel is not in the recording or the worker failed, 2 wrong usage.
int whyCommand(const WhyOptions& options);

/// The options of `lanescope-cli floors`.
struct FloorsOptions {
  LaunchOptions launch;
  TextOptions text;
  std::string gpu = "h200";
  std::string cache = "cold";
  bool json = false;
};

void addFloorsOptions(CLI::App& command, FloorsOptions& options);

/// Prints the least time that each unit of a GPU alone would need for a launch, with the measured time beside
/// it. Without a target, prints a table over all strategies. Returns the exit status: 0 done, 1 the kernel
/// failed, 2 wrong usage.
int floorsCommand(const FloorsOptions& options);

/// The options of `lanescope-cli sass`, besides its launch.
struct SassOptions {
  std::string architecture = "sm_90";
  std::string recording;  ///< of profiles, with its machine code; if empty, a local toolkit, or the recording
                          ///< that ships
  std::string measured;   ///< a file with a hardware's counters; can be empty
  bool explain = false;
  bool json = false;
};

void addSassOptions(CLI::App& command, SassOptions& options);

/// Prints a kernel's machine code line by line, and with --explain the instructions that the compiler made of
/// the text's accesses. Returns the exit status: 0 done, 1 no machine code is available or the kernel failed,
/// 2 wrong usage.
int sassCommand(const LaunchRequest& request, const SassOptions& options);

/// The options of `lanescope-cli compile-cubin`.
struct CubinOptions {
  std::string text;   ///< a file
  std::string cubin;  ///< a file to write
  std::string kernel;
  std::string architecture;
};

/// Adds the command, which is not in the help. toolkit.cpp starts it as a process, so that a compiler that
/// hangs or crashes ends nothing else.
CLI::App* addCubinCommand(CLI::App& app, CubinOptions& options);

/// Compiles with NVRTC, with line information. Prints the compiler's name, then its messages, as nvcc would.
/// Returns the exit status: 0 if the file is written, 1 if not.
int cubinCommand(const CubinOptions& options);

}  // namespace lanescope::cli
