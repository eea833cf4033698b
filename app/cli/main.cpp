#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/cli/simulate_command.h"
#include "app/export/data_files.h"
#include "app/launch/kernel_file.h"
#include "app/workbench/result_check.h"
#include "kernels/protocol/worker_options.h"
#include "sim/trace/run.h"

namespace lanescope::cli {
namespace {

struct Options {
  LaunchRequest request;
  bool json = false;
  bool csv = false;
  bool symbolic = false;
  std::string tracedBlock = "0";
  std::string hazards = "on";
  unsigned seeds = 8;
  unsigned threads = 0;
};

/// The value of --hazards. With --csv hazards are not printed, unless the launch fails.
std::optional<HazardOptions> makeHazardOptions(const Options& options) {
  if (options.hazards == "off" || options.csv) return std::nullopt;
  HazardOptions search;
  if (options.hazards == "full") search.accessLimit = std::uint64_t{1} << 25;
  return search;
}

/// The check of a strategy's result against the expected one; no value for a file.
std::optional<ResultCheck> makeResult(const Options& options, const Run& run) {
  const Strategy* const strategy = findStrategy(options.request.target);
  return strategy == nullptr ? std::nullopt : checkResult(*strategy, run);
}

int failed(const Options& options, const Run& run) {
  const Error& error = run.fault->error;
  const int status = complain(error, kFailed);
  if (options.hazards == "off") return status;
  std::optional<HazardReport> hazards = run.hazards;
  if (!hazards) {
    auto found = findHazards(run.launch);
    if (!found) return status;
    hazards = std::move(*found);
  }
  if (options.json) {
    printed(describeFailure(run.launch, error, *hazards).json());
  } else {
    fmt::print(stderr, "{}", moreHazardsText(*hazards, error));
  }
  return status;
}

/// Why the launch was not run: with --json also as JSON.
int refused(const Options& options, const Error& error, const Launch* launch) {
  return refuse(error, kWrongUsage, options.json, launch != nullptr ? launch->source.get() : nullptr);
}

int glossaryCommand(const std::string& term, bool json) {
  const auto entries = entriesFor(term);
  if (!entries) return refuse(entries.error(), kWrongUsage, json);
  return printed(describe(*entries), json);
}

int simulateCommand(const Options& options) {
  auto launch = readLaunch(options.request);
  if (!launch) return refused(options, launch.error(), nullptr);
  Progress progress(*launch);
  RunOptions wanted;
  wanted.hazards = makeHazardOptions(options);
  wanted.threads = options.threads;
  const auto run = runLaunch(*launch, wanted);
  progress.end();
  if (!run) return refused(options, run.error(), &*launch);
  if (run->fault) return failed(options, *run);
  if (options.csv) {
    const RunTitle title = makeTitle(options.request, *launch, nullptr, run->simulation.kernel);
    return printed(countersCsv(*launch, run->simulation, title.text));
  }
  const HazardReport* const report = run->hazards ? &*run->hazards : nullptr;
  const std::optional<ResultCheck> check = makeResult(options, *run);
  const ResultCheck* const result = check ? &*check : nullptr;
  const int written = printed(describe(*launch, run->simulation, result, report), options.json);
  // A hazard that is an error fails the launch, even if it ran to its end; a warning does not.
  return hasErrors(report) || (result != nullptr && !result->isRight) ? kFailed : written;
}

int luckCommand(const Options& options) {
  const auto launch = readLaunch(options.request);
  if (!launch) return refused(options, launch.error(), nullptr);
  const auto report = tryOrders(*launch, {.seeds = options.seeds});
  if (!report) return refused(options, report.error(), &*launch);
  const int written = printed(describe(*launch, *report), options.json);
  return report->verdict >= LuckVerdict::Depends ? kFailed : written;
}

/// The block that --trace-block names.
Result<Dim3> parseTracedBlock(const Options& options) {
  auto block = parseExtent(options.tracedBlock, "--trace-block");
  if (!block) return block;
  // Block indices count from 0, extents from 1: an omitted part is 0.
  Dim3 index = *block;
  const auto parts = 1 + std::count(options.tracedBlock.begin(), options.tracedBlock.end(), ',');
  if (parts < 2) index.y = 0;
  if (parts < 3) index.z = 0;
  return index;
}

int traceCommand(const Options& options) {
  auto launch = readLaunch(options.request);
  if (!launch) return refused(options, launch.error(), nullptr);
  const auto block = parseTracedBlock(options);
  if (!block) return refused(options, block.error(), &*launch);
  Progress progress(*launch);
  const auto trace = makeTrace(*launch, *block);
  progress.end();
  if (!trace) return refused(options, trace.error(), &*launch);
  const RunTitle run = makeTitle(options.request, *launch, &(*trace)->tracedBlock, (*trace)->kernelName);
  return printed(options.json ? traceJson(**trace, options.symbolic, run.text)
                              : traceText(**trace, options.symbolic));
}

void addSimulationOptions(CLI::App& command, Options& options) {
  LaunchRequest& request = options.request;
  command.add_option("target", request.target, "a strategy's id, or a .cu file")->required();
  command.add_option("--n", request.n, "strategies: elements to reduce, as 1024 or 2^10 (default 64)")
      ->transform(sizeFrom(1, std::uint64_t{1} << 34));
  command.add_option("--blocks", request.blocks, "strategies: block sums M to reduce them to (default 1)")
      ->transform(sizeFrom(1, 0x7fffffff));
  command.add_option("--element", request.element,
                     "strategies: the type of element: float, double or int (default float)");
  command
      .add_option("--op", request.op,
                  "strategies with a choice of operators: sum, product, minimum or maximum (default sum)")
      ->check(
          [](const std::string& op) { return std::string(op.empty() ? "it needs an operator's name" : ""); });
  addLaunchOptions(command, request.launch);
  command.get_option("--kernel")
      ->description(
          "kernel to run: name or 'name<128>'; of several with one name, 'name@2' is the second (default: "
          "the "
          "only one)");
  command.add_flag("--cooperative", request.launch.isCooperative,
                   "all blocks are there at once, for this_grid().sync()");
  command
      .add_option(
          "--symbol", request.launch.symbols,
          "what a __device__ or __constant__ variable holds before the launch, as NAME=TYPE:FILL:COUNT "
          "or NAME=TYPE=VALUE (default: its initial value); repeat for others")
      ->allow_extra_args(false);
  addTextOptions(command, request.text);
  command.add_option("--machine", request.launch.machine,
                     "machine to simulate; lanescope-cli list names them (default nvidia)");
  command
      .add_option("--max-instructions", request.maxInstructions,
                  "end with an error past this many warp instructions (default 2^26 per block, 2^32 in all)")
      ->transform(sizeFrom(1, UINT64_MAX));
}

/// The words behind `--` on a command line of `run`: they all belong to the program, whatever they look like.
/// argc no longer counts them.
std::vector<std::string> splitAfterDashes(int& argc, char** argv) {
  char** const end = argv + argc;
  if (argc < 2 || argv[1] != std::string_view("run")) return {};
  char** const dashes = std::find(argv, end, std::string_view("--"));
  argc = static_cast<int>(dashes - argv);
  return dashes == end ? std::vector<std::string>{} : std::vector<std::string>(dashes + 1, end);
}

int run(int argc, char** argv) {
  const std::vector<std::string> behindDashes = splitAfterDashes(argc, argv);
  CLI::App app{
      "Lanescope without a window: simulates CUDA kernels and counts what a GPU would.\n"
      "Exit status: 0 done, 1 the kernel or the check failed, 2 wrong usage."};
  app.name("lanescope-cli");
  app.set_version_flag("--version", "lanescope-cli 0.1.0");
  app.require_subcommand(1);
  Options options;

  CLI::App* const list = app.add_subcommand("list", "List the strategies and the machines");
  list->add_flag("--json", options.json, "print JSON");
  std::string term;
  CLI::App* const glossing =
      app.add_subcommand("glossary", "Print what the terms of lessons and counters mean");
  glossing->add_option("term", term, "one term, as 'bank conflict' (default: all of them)");
  glossing->add_flag("--json", options.json, "print JSON");
  CLI::App* const simulation =
      app.add_subcommand("simulate", "Run a launch; print its counters, its results and its hazards");
  simulation->footer(
      "Exit status: 0 done, at most with warnings; 1 an error among the hazards, a strategy's result that is "
      "wrong, or the kernel failed; 2 wrong usage. With --hazards off no hazard decides, with --csv the "
      "result does not either.");
  addSimulationOptions(*simulation, options);
  simulation->add_flag("--json", options.json, "print JSON");
  simulation->add_flag("--csv", options.csv, "print the counters as CSV: the total, and a row for each line")
      ->excludes("--json");
  simulation->add_option("--threads", options.threads, "host threads (default: all cores)")
      ->check(CLI::Range(0u, 256u));
  simulation
      ->add_option("--hazards", options.hazards,
                   "look for races, missing barriers and the like: on (the first half million warp "
                   "accesses), full (64 times as many) or off (default on)")
      ->check(CLI::IsMember({"on", "full", "off"}));
  CLI::App* const luck = app.add_subcommand(
      "luck",
      "Run a launch in other legal orders of warps, lanes and blocks; say whether its result depends");
  luck->footer(
      "Exit status: 0 it does not; 1 it does, or an order fails or never ends; 2 wrong usage, also a launch "
      "too large.");
  addSimulationOptions(*luck, options);
  luck->add_flag("--json", options.json, "print JSON");
  luck->add_option("--seeds", options.seeds, "seeds to try of each random order (default 8)")
      ->check(CLI::Range(0u, 1000u));
  CLI::App* const trace =
      app.add_subcommand("trace", "Run one block; print its phases and shared memory after each");
  trace->footer(
      "A trace holds up to 268 MB in memory: a run that needs more ends with an error that names its line.\n"
      "Exit status: 0 done; 1 the kernel failed or met a limit; 2 wrong usage. Hazards are for simulate.");
  addSimulationOptions(*trace, options);
  trace->add_flag("--json", options.json, "print JSON");
  trace->add_option("--trace-block", options.tracedBlock, "the block to trace: X[,Y[,Z]] (default 0)");
  trace->add_flag("--symbolic", options.symbolic,
                  "show what a value was made of (a0+a1) in place of its number");

  std::string checked;
  TextOptions textOptions;
  CLI::App* const checking = app.add_subcommand(
      "check", "List the kernels of a .cu file, and say which can be simulated and why not");
  checking->footer(
      "Exit status: 0 every kernel can be simulated; 1 one cannot, or there is none; 2 wrong usage, also a "
      "file that cannot be read. A template is checked with the arguments that the file launches "
      "it with, or else with some that can be simulated, such as 64, float and the file's function objects.");
  checking->add_option("file", checked, "a .cu file")->required();
  addTextOptions(*checking, textOptions);
  checking->add_flag("--json", options.json, "print JSON");

  RenderOptions render;
  CLI::App* const rendering = app.add_subcommand("render",
                                                 "Draw a block's pictures as SVG or PNG (one moment, the "
                                                 "whole walk, a frame per step), or as an HTML page "
                                                 "to step through");
  addSimulationOptions(*rendering, options);
  rendering->add_option("--trace-block", options.tracedBlock, "the block to draw: X[,Y[,Z]] (default 0)");
  addRenderOptions(*rendering, render);

  host::ProgramOptions program;
  CLI::App* const running =
      app.add_subcommand("run", "Run a whole CUDA program: its host code here, its kernels in the simulator");
  addRunOptions(*running, program);

  BenchCommandOptions bench;
  CLI::App* const benching =
      app.add_subcommand("bench", "Time strategies on a GPU with lanescope-gpu; print what it measured");
  addBenchCommandOptions(*benching, bench);
  ExperimentCommandOptions experiment;
  const CLI::App* const experimenting = addExperimentCommand(app, experiment);

  WhyOptions why;
  CLI::App* const asking = app.add_subcommand(
      "why", "Say where a kernel's time goes, line by line, as Nsight Compute measured it");
  addWhyOptions(*asking, why);
  FloorsOptions floors;
  CLI::App* const bounding = app.add_subcommand(
      "floors",
      "Say the least time that a GPU needs for a launch, unit by unit: from exact counts, without the GPU");
  addFloorsOptions(*bounding, floors);
  SassOptions sass;
  CLI::App* const disassembling = app.add_subcommand(
      "sass", "Print a kernel's machine code, line by line, and what the compiler made of its accesses");
  addSimulationOptions(*disassembling, options);
  addSassOptions(*disassembling, sass);
  CubinOptions cubin;
  const CLI::App* const compiling = addCubinCommand(app, cubin);

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    // Without a command CLI11 names the missing one, and not the word that was typed.
    std::string what = error.what();
    const std::vector<std::string> unknown = app.remaining();
    if (app.get_subcommands().empty() && !unknown.empty()) {
      const auto word = std::ranges::find_if(unknown, [](const auto& one) { return !one.starts_with("-"); });
      what = word == unknown.end() ? fmt::format("There is no option {} before a command", unknown.front())
                                   : fmt::format(
                                         "{} is not a command: list, glossary, simulate, luck, trace, check, "
                                         "render, run, bench, why, floors, sass or experiment",
                                         *word);
    }
    fmt::print(stderr, "{}. Try lanescope-cli --help.\n", what);
    return kWrongUsage;
  }
  if (list->parsed()) return printed(listStrategies(), options.json);
  if (glossing->parsed()) return glossaryCommand(term, options.json);
  if (checking->parsed()) return checkCommand(checked, textOptions, options.json);
  if (benching->parsed()) return benchCommand(bench);
  if (running->parsed()) return runCommand(std::move(program), behindDashes);
  if (asking->parsed()) {
    why.isLive = asking->count("--worker") > 0;
    return whyCommand(why);
  }
  if (bounding->parsed()) return floorsCommand(floors);
  if (disassembling->parsed()) return sassCommand(options.request, sass);
  if (compiling->parsed()) return cubinCommand(cubin);
  experiment.isLive = experimenting->count("--worker") > 0;
  if (experimenting->parsed()) return experimentCommand(experiment);
  if (luck->parsed()) return luckCommand(options);
  if (rendering->parsed()) {
    const auto block = parseTracedBlock(options);
    return block ? renderCommand(options.request, *block, render) : complain(block.error(), kWrongUsage);
  }
  return simulation->parsed() ? simulateCommand(options) : traceCommand(options);
}

}  // namespace
}  // namespace lanescope::cli

int main(int argc, char** argv) {
  try {
    return lanescope::cli::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lanescope-cli met an unexpected failure: %s\n", error.what());
    return 1;
  }
}
