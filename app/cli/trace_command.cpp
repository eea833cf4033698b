#include <string>

#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/export/data_files.h"
#include "sim/base/counted.h"
#include "sim/trace/run.h"
#include "sim/trace/trace.h"

namespace lanescope::cli {
namespace {

/// The elements of buffers that a phase changes, a line for each buffer.
std::string globalText(const Trace& trace, const Phase& phase, bool symbolic) {
  std::string text;
  const TracedArray* last = nullptr;
  for (const GlobalResult& result : findGlobalResults(trace, phase)) {
    const bool isSymbolic = symbolic && result.from != kNoProvenance;
    text += result.array == last ? ", " : last == nullptr ? "  " : "\n  ";
    text += fmt::format(
        "{}[{}] = {}", result.array->name, result.element,
        isSymbolic ? trace.provenance.text(result.from) : formatValue(result.array->type, result.bits));
    last = result.array;
  }
  return last == nullptr ? text : text + "\n";
}

/// The content of traceJson(), as text.
std::string traceText(const Trace& trace, bool symbolic) {
  std::string text = fmt::format("{} on {}, {}, {}\n", trace.kernelName, trace.launch.machine.name,
                                 counted(trace.threads, "thread"), counted(trace.steps.size(), "step"));
  for (const Phase& phase : trace.phases) {
    text += fmt::format("\n{}: {} {}\n", phase.label, pluralFor(phase.activeThreads.size(), "thread"),
                        rangesText(phase.activeThreads));
    if (!phase.sharedAfter.empty()) text += "  [";
    for (std::uint32_t cell = 0; cell < phase.sharedAfter.size(); ++cell) {
      if (!beginsElement(trace, cell)) continue;
      const Word& word = phase.sharedAfter[cell];
      if (cell > 0) text += ", ";
      if (!word.written) {
        text += "-";
      } else {
        text += symbolic && word.from != kNoProvenance ? trace.provenance.text(word.from)
                                                       : wordText(trace, phase, cell);
      }
    }
    if (!phase.sharedAfter.empty()) text += "]\n";
    for (std::size_t thread = 0; symbolic && thread < phase.exchanged.size(); ++thread) {
      if (phase.exchanged[thread] == kNoProvenance) continue;  // a constant, or no value
      text += fmt::format("  thread {} holds {}\n", thread, trace.provenance.text(phase.exchanged[thread]));
    }
    text += globalText(trace, phase, symbolic);
  }
  return text;
}

struct TraceArguments {
  LaunchRequest request;
  std::string block = "0";
  bool symbolic = false;
  bool json = false;
};

int traceCommand(const TraceArguments& options) {
  auto launch = readLaunch(options.request);
  if (!launch) return refuse(launch.error(), kWrongUsage, options.json);
  const SourceText* const source = launch->source.get();
  const auto block = readTracedBlock(options.block);
  if (!block) return refuse(block.error(), kWrongUsage, options.json, source);
  Progress progress(*launch);
  const auto trace = makeTrace(*launch, *block, Turns::ByLine);
  progress.end();
  if (!trace) return refuse(trace.error(), kWrongUsage, options.json, source);
  const RunTitle run = makeTitle(options.request, *launch, &(*trace)->tracedBlock, (*trace)->kernelName);
  return printed(options.json ? traceJson(**trace, options.symbolic, run.text)
                              : traceText(**trace, options.symbolic));
}

}  // namespace

Command addTraceCommand(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("trace", "Run one block; print its phases and shared memory after each");
  const auto options = std::make_shared<TraceArguments>();
  command->footer(
      "A trace holds up to 268 MB in memory: a run that needs more ends with an error that names its line.\n"
      "Exit status: 0 done; 1 the kernel failed or met a limit; 2 wrong usage. Hazards are for simulate.");
  addSimulationOptions(*command, options->request);
  command->add_flag("--json", options->json, "print JSON");
  command->add_option("--trace-block", options->block, "the block to trace: X[,Y[,Z]] (default 0)");
  command->add_flag("--symbolic", options->symbolic,
                    "show what a value was made of (a0+a1) in place of its number");
  return {command, [options] { return traceCommand(*options); }};
}

}  // namespace lanescope::cli
