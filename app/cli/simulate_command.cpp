#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/export/data_files.h"
#include "app/workbench/result_check.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/counted.h"
#include "sim/base/diagnostic.h"
#include "sim/base/json.h"
#include "sim/base/printable.h"
#include "sim/base/words.h"
#include "sim/machine/compile/bytecode.h"
#include "sim/machine/compile/compiled_kernel.h"
#include "sim/machine/run/bind_arguments.h"
#include "sim/trace/hazards.h"
#include "sim/trace/run.h"

namespace lanescope::cli {
namespace {

Json extentJson(Dim3 extent) { return {extent.x, extent.y, extent.z}; }

Json accessJson(const HazardAccess& access) {
  return {{"access", access.verb},
          {"line", access.line},
          {"block", extentJson(access.block)},
          {"thread", extentJson(access.thread)},
          {"warp", access.warp},
          {"lane", access.lane},
          {"phase", access.barriers}};
}

std::string_view severityName(HazardSeverity severity) {
  return severity == HazardSeverity::Error ? "error" : "warning";
}

Json hazardJson(const Hazard& hazard) {
  Json json = {{"kind", hazardKindName(hazard.kind)},
               {"severity", severityName(hazard.severity)},
               {"scope", hazardScopeName(hazard.scope)},
               {"line", hazard.access.line}};
  if (!hazard.place.empty()) {
    json["array"] = hazard.array;
    json["place"] = hazard.place;
    json["space"] = hazard.isShared ? "shared" : hazard.isLocal ? "local" : "global";
  }
  json["phase"] = hazard.access.barriers;
  if (hazard.earlier) json["first"] = accessJson(*hazard.earlier);
  json["second"] = accessJson(hazard.access);
  json["count"] = hazard.count;
  json["message"] = hazard.message;
  json["fix"] = hazard.fix;
  return json;
}

std::string sentences(const Hazard& hazard) {
  const std::string met = metText(hazard);
  return fmt::format("{}: {}{} {}\n", severityName(hazard.severity), hazard.message,
                     met.empty() ? "" : " " + asSentence(met), hazard.fix);
}

void addHazards(Report& report, const HazardReport* hazards) {
  report.add("hazards", {});
  if (hazards == nullptr) {
    report.set("hazards_looked_at", nullptr).say("hazards: not looked for");
    return;
  }
  for (const Hazard& hazard : hazards->hazards)
    report.add("hazards", hazardJson(hazard)).print(sentences(hazard));
  report.set("hazards_looked_at", {{"blocks", hazards->blocksLooked},
                                   {"of", hazards->blocks},
                                   {"complete", hazards->isComplete},
                                   {"left_out", hazards->omitted}});
  if (hazards->omitted > 0)
    report.say(fmt::format("hazards: {} left out", counted(hazards->omitted, "more hazard")));
  if (hazards->hazards.empty() && hazards->omitted == 0) report.say("hazards: none found");
  if (!hazards->isComplete) {
    report.say(fmt::format("hazards: looked at {} of {}; --hazards full looks at all",
                           withCommas(hazards->blocksLooked), counted(hazards->blocks, "block")));
  }
}

/// True if any of them is an error; a warning does not count. False if the check was switched off.
bool hasErrors(const HazardReport* report) {
  return report != nullptr && std::ranges::any_of(report->hazards, [](const Hazard& hazard) {
           return hazard.severity == HazardSeverity::Error;
         });
}

/// The hazards besides the error that ended a launch; empty if there are none.
std::string moreHazardsText(const HazardReport& report, const Error& error) {
  std::string text;
  for (const Hazard& hazard : report.hazards) {
    if (hazard.message != error.message) text += sentences(hazard);
  }
  return text;
}

/// Every counter of a launch or of a line of its source: Nsight Compute's by its names, then ours.
Json allCountersJson(const Counters& c) {
  Json json;
  for (const NamedCounter& counter : allCounters(c)) json[counter.name] = counter.value;
  return json;
}

/// One sentence: the result is right or not.
std::string resultText(const ResultCheck& result, const HazardReport* hazards) {
  if (!result.isRight) {
    return fmt::format("error: {} {}", result.sentence,
                       hasErrors(hazards) ? "The hazards below may be the cause." : result.fix);
  }
  const bool isClean = hazards == nullptr || hazards->hazards.empty();
  return fmt::format("result: right{}. {}", isClean ? "" : " in the order that was simulated",
                     result.sentence);
}

Report beginReport(const Launch& launch, const std::string& kernel) {
  Report report("lanescope.simulate/1");
  return report.set({{"kernel", kernel},
                     {"machine", launch.machine.name},
                     {"grid", extentJson(launch.grid)},
                     {"block", extentJson(launch.block)},
                     {"dynamic_shared", launch.dynamicSharedBytes}});
}

ReportTable countersTable(const Counters& c) {
  ReportTable table({{"", 14}, {"", -1}});
  for (const NamedCounter& counter : nsightCounters(c))
    table.row({std::to_string(counter.value), std::string(counter.name)});
  table.say("");
  table.row({std::to_string(c.bankConflicts()), "bank conflicts (wavefronts beyond the ideal)"});
  table.row({fmt::format("{:.1f}%", 100 * c.laneEfficiency()), "lanes active"});
  table.row({std::to_string(c.divergentBranches), fmt::format("divergent branches of {}", c.branches)});
  if (c.constantLoads > 0)
    table.row({std::to_string(c.constantLoads),
               "loads of constant memory, " + counted(c.constantAddresses, "different address")});
  return table;
}

void addOutput(Report& report, const OutputSummary& output) {
  const std::string fnv = fmt::format("{:016x}", output.fnv1a);
  Json fields = {{"arg", output.argument}, {"sum", output.sum}, {"fnv1a", fnv}};
  if (!output.member.empty()) fields["member"] = output.member;
  report.add("outputs", std::move(fields));
  // If there is one element, it is the kernel's result, with any operator. If there are several, the check
  // is their sum.
  report.say(fmt::format(
      "{} {} {:.17g}, fnv1a {}",
      output.member.empty() ? fmt::format("argument {}", output.argument) : output.member,
      output.count == 1 ? "holds" : fmt::format("has {} that add up to", counted(output.count, "element")),
      output.sum, fnv));
}

/// `lanescope.simulate/1`: kernel, machine, counters under Nsight Compute's names, outputs, the check of the
/// result (nullptr if no result is expected), hazards (nullptr if the check was switched off).
Report describe(const Launch& launch, const Simulation& simulation, const ResultCheck* result,
                const HazardReport* hazards) {
  Report report = beginReport(launch, simulation.kernel);
  report.set({{"counters", allCountersJson(simulation.counters)},
              {"thread_efficiency", simulation.counters.laneEfficiency()}});
  report.say(fmt::format("{} on {} ({}), grid {} x {} x {}, block {} x {} x {}\n", simulation.kernel,
                         launch.machine.name, launch.machine.description, launch.grid.x, launch.grid.y,
                         launch.grid.z, launch.block.x, launch.block.y, launch.block.z));
  report.print(countersTable(simulation.counters)).say();
  report.add("lines", {}).add("outputs", {});
  for (const LineCounters& line : simulation.lines)
    report.add("lines", {{"line", line.line}, {"counters", allCountersJson(line.counters)}});
  for (const OutputSummary& output : simulation.outputs) addOutput(report, output);
  if (!simulation.printed.empty()) report.say("\nprinted:");
  for (const PrintedText& printed : simulation.printed) {
    report.add("printed", {{"block", printed.block},
                           {"thread", printed.thread},
                           {"line", printed.line},
                           {"text", printed.text}});
    std::string_view line = printed.text;
    if (line.ends_with('\n')) line.remove_suffix(1);
    report.say(
        fmt::format("  block {}, thread {}: {}", printed.block, printed.thread, withoutControls(line)));
  }
  if (simulation.unprinted > 0) {
    report.set("unprinted", simulation.unprinted)
        .say(fmt::format("  The output of the first {} is lost: the printf buffer holds {}, as on a GPU.",
                         counted(simulation.unprinted, "printf call"),
                         counted(simulation.printed.size(), "call")));
  }
  report.say();
  if (result != nullptr) {
    report.set("result", {{"right", result->isRight}, {"message", result->sentence}});
    report.say(resultText(*result, hazards));
  }
  addHazards(report, hazards);
  return report;
}

/// The same of a launch that failed: `error`, the sentence; no counters and no outputs.
Report describeFailure(const Launch& launch, const Error& error, const HazardReport& hazards) {
  Report report = beginReport(launch, hazards.kernel);
  report.set("error", error.sentence()).set("counters", Json::object()).add("outputs", {});
  addHazards(report, &hazards);
  return report;
}

/// `--print y:3:16`: elements of a buffer after the launch.
struct PrintRequest {
  std::size_t argument = 0;
  std::string name;
  std::uint64_t from = 0;
  std::uint64_t count = 16;
};

/// Reads a request of a launch whose kernel is compiled.
Result<PrintRequest> readPrint(const std::string& text, const Launch& launch) {
  const std::vector<std::string_view> parts = splitAt(':', text);
  const Bytecode& code = launch.compiled->code;
  const std::size_t wanted = std::min(launch.arguments.size(), code.parameters.size());
  PrintRequest request;
  const std::string word(parts.empty() ? "" : parts[0]);
  for (std::size_t p = 0; p < wanted && request.name.empty(); ++p) {
    const auto number = readSize(word);
    if (parameterName(code, p) != word && !(number && *number == p)) continue;
    request.argument = p;
    request.name = parameterName(code, p);
  }
  const auto from = parts.size() > 1 ? readSize(parts[1]) : std::optional<std::uint64_t>(0);
  const auto count = parts.size() > 2 ? readSize(parts[2]) : std::optional<std::uint64_t>(16);
  const bool isCut = text.ends_with(':') || parts.size() > 3;
  if (request.name.empty() || isCut || !from || !count || *count == 0)
    return Error{fmt::format("--print {} is not ARG[:FROM:COUNT].", text),
                 "ARG is a parameter's name, or its number from 0."};
  const Argument& argument = launch.arguments[request.argument];
  if (!argument.isBuffer || argument.isStruct)
    return Error{fmt::format("--print: {} is not a buffer of numbers.", request.name),
                 "Name another argument."};
  const std::uint64_t elements = argument.bytes() / elementBytes(argument.type);
  if (*from >= elements)
    return Error{fmt::format("--print: {} has {}.", request.name, counted(elements, "element")),
                 "Begin with one of them, from 0 on."};
  request.from = *from;
  request.count = std::min(*count, elements - *from);
  return request;
}

/// Reads all requests; compiles the launch's kernel for their names.
Result<std::vector<PrintRequest>> readPrints(const std::vector<std::string>& texts, Launch& launch) {
  std::vector<PrintRequest> requests;
  if (texts.empty()) return requests;
  auto compiled = compileKernel(ParsedText(launch.source, launch.work), launch.kernel);
  if (!compiled) return compiled.error();
  launch.compiled = std::move(*compiled);
  for (const std::string& text : texts) {
    const auto request = readPrint(text, launch);
    if (!request) return request.error();
    requests.push_back(*request);
  }
  return requests;
}

/// The fewest digits that give a value of its type again, and the same number for JSON, which has no NaN and
/// no infinity: these are texts. The sign of a NaN means nothing.
template <class Number>
std::pair<std::string, Json> shortest(Number value) {
  std::string text = std::isnan(value) ? "nan" : fmt::format("{}", value);
  if (!std::isfinite(value)) return {text, Json(text)};
  return {text, Json(std::strtod(text.c_str(), nullptr))};
}

void addElements(Report& report, const PrintRequest& request, const Run& run) {
  const Argument& argument = run.launch.arguments[request.argument];
  const auto before = std::span(run.launch.arguments).first(request.argument);
  const auto buffer = static_cast<std::size_t>(std::ranges::count_if(before, &Argument::isBuffer));
  const std::span<const std::byte> bytes = run.simulation.buffers[buffer];
  Json values = Json::array();
  std::string text;
  withElement(argument.type, [&]<class Element>(Element /*any*/) {
    for (std::uint64_t i = 0; i < request.count; ++i) {
      Element value{};
      std::memcpy(&value, bytes.data() + (request.from + i) * sizeof value, sizeof value);
      text += i == 0 ? "" : " ";
      if constexpr (std::is_integral_v<Element>) {
        values.push_back(value);
        text += std::to_string(value);
      } else {
        auto [digits, number] = shortest(asNumber(value));
        values.push_back(std::move(number));
        text += digits;
      }
    }
  });
  report.add("elements",
             {{"arg", request.argument}, {"name", request.name}, {"from", request.from}, {"values", values}});
  report.say(
      fmt::format("{}[{}..{}]: {}", request.name, request.from, request.from + request.count - 1, text));
}

struct SimulateArguments {
  LaunchRequest request;
  std::vector<std::string> prints;
  bool json = false;
  bool csv = false;
  std::string hazards = "on";
  unsigned threads = 0;
};

/// The value of --hazards. With --csv hazards are not printed, unless the launch fails.
std::optional<HazardOptions> makeHazardOptions(const SimulateArguments& options) {
  if (options.hazards == "off" || options.csv) return std::nullopt;
  HazardOptions search;
  if (options.hazards == "full") search.accessLimit = std::uint64_t{1} << 25;
  return search;
}

int failed(const SimulateArguments& options, const Run& run) {
  const Error& error = run.fault->error;
  const int status = complain(error, kFailed);
  if (!options.prints.empty()) fmt::print(stderr, "The launch failed, so --print prints nothing.\n");
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

int simulateCommand(const SimulateArguments& options) {
  auto launch = readLaunch(options.request);
  if (!launch) return refuse(launch.error(), kWrongUsage, options.json);
  const auto prints = readPrints(options.prints, *launch);
  if (!prints) return refuse(prints.error(), kWrongUsage, options.json, launch->source.get());
  Progress progress(*launch);
  RunOptions wanted;
  wanted.hazards = makeHazardOptions(options);
  wanted.threads = options.threads;
  const auto run = runLaunch(*launch, wanted);
  progress.end();
  if (!run) return refuse(run.error(), kWrongUsage, options.json, launch->source.get());
  if (run->fault) return failed(options, *run);
  if (options.csv) {
    const RunTitle title = makeTitle(options.request, *launch, nullptr, run->simulation.kernel);
    return printed(countersCsv(*launch, run->simulation, title.text));
  }
  const HazardReport* const report = run->hazards ? &*run->hazards : nullptr;
  const Strategy* const strategy = findStrategy(options.request.target);
  std::optional<ResultCheck> result;
  if (strategy != nullptr) result = checkResult(*strategy, *run);
  Report described = describe(*launch, run->simulation, result ? &*result : nullptr, report);
  for (const PrintRequest& request : *prints) addElements(described, request, *run);
  const int written = printed(described, options.json);
  // A hazard that is an error fails the launch, even if it ran to its end; a warning does not.
  return hasErrors(report) || (result && !result->isRight) ? kFailed : written;
}

}  // namespace

Command addSimulateCommand(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("simulate", "Run a launch; print its counters, its results and its hazards");
  const auto options = std::make_shared<SimulateArguments>();
  command->footer(
      "Exit status: 0 done, at most with warnings; 1 an error among the hazards, a strategy's result that is "
      "wrong, or the kernel failed; 2 wrong usage. With --hazards off no hazard decides, with --csv the "
      "result does not either.");
  addSimulationOptions(*command, options->request);
  command->add_flag("--json", options->json, "print JSON");
  command->add_flag("--csv", options->csv, "print the counters as CSV: the total, and a row for each line")
      ->excludes("--json");
  command
      ->add_option("--print", options->prints,
                   "elements of a buffer after the launch, as ARG[:FROM:COUNT]: a parameter's name, or its "
                   "number from 0 (default the first 16); repeat it for more")
      ->allow_extra_args(false)
      ->excludes("--csv");
  command->add_option("--host-threads", options->threads, "host threads (default: all cores)")
      ->check(CLI::Range(0u, 256u));
  command->add_option("--threads", options->threads)
      ->check(CLI::Range(0u, 256u))
      ->group("");  // its older name
  command
      ->add_option("--hazards", options->hazards,
                   "look for races, missing barriers and the like: on (the first half million warp "
                   "accesses), full (64 times as many) or off (default on)")
      ->check(CLI::IsMember({"on", "full", "off"}));
  return {command, [options] { return simulateCommand(*options); }};
}

}  // namespace lanescope::cli
