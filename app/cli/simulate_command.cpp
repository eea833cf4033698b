#include "app/cli/simulate_command.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/export/data_files.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/counted.h"
#include "sim/base/diagnostic.h"
#include "sim/base/json.h"

namespace lanescope::cli {
namespace {

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

}  // namespace

Json extentJson(Dim3 extent) { return {extent.x, extent.y, extent.z}; }

void addHazards(Json& json, const HazardReport* report) {
  json["hazards"] = Json::array();
  if (report == nullptr) {
    json["hazards_looked_at"] = nullptr;
    return;
  }
  for (const Hazard& hazard : report->hazards) json["hazards"].push_back(hazardJson(hazard));
  json["hazards_looked_at"] = {{"blocks", report->blocksLooked},
                               {"of", report->blocks},
                               {"complete", report->isComplete},
                               {"left_out", report->omitted}};
}

std::string hazardsText(const HazardReport* report) {
  if (report == nullptr) return "hazards: not looked for\n";
  std::string text;
  for (const Hazard& hazard : report->hazards) text += sentences(hazard);
  if (report->omitted > 0)
    text += fmt::format("hazards: {} left out\n", counted(report->omitted, "more hazard"));
  if (report->hazards.empty() && report->omitted == 0) text += "hazards: none found\n";
  if (!report->isComplete) {
    text += fmt::format("hazards: looked at {} of {}; --hazards full looks at all\n",
                        withCommas(report->blocksLooked), counted(report->blocks, "block"));
  }
  return text;
}

bool hasErrors(const HazardReport* report) {
  return report != nullptr && std::ranges::any_of(report->hazards, [](const Hazard& hazard) {
           return hazard.severity == HazardSeverity::Error;
         });
}

std::string resultText(const ResultCheck* result, const HazardReport* hazards) {
  if (result == nullptr) return "";
  if (!result->isRight) {
    return fmt::format("error: {} {}\n", result->sentence,
                       hasErrors(hazards) ? "The hazards below may be the cause." : result->fix);
  }
  std::string text = "result: right in the order that was simulated. " + result->sentence + "\n";
  if (hazards == nullptr || hazards->hazards.empty()) text = "result: right. " + result->sentence + "\n";
  return text;
}

std::string moreHazardsText(const HazardReport& report, const Error& error) {
  std::string text;
  for (const Hazard& hazard : report.hazards) {
    if (hazard.message != error.message) text += sentences(hazard);
  }
  return text;
}

namespace {

/// Every counter of a launch or of a line of its source: Nsight Compute's by its names, then ours.
Json allCountersJson(const Counters& c) {
  Json json;
  for (const NamedCounter& counter : allCounters(c)) json[counter.name] = counter.value;
  return json;
}

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

Json headJson(const Launch& launch, const std::string& kernel) {
  return {{"schema", "lanescope.simulate/1"},  {"kernel", kernel},
          {"machine", launch.machine.name},    {"grid", extentJson(launch.grid)},
          {"block", extentJson(launch.block)}, {"dynamic_shared", launch.dynamicSharedBytes}};
}

}  // namespace

std::string simulationJson(const Launch& launch, const Simulation& simulation, const ResultCheck* result,
                           const HazardReport* hazards) {
  Json json = headJson(launch, simulation.kernel);
  json["counters"] = allCountersJson(simulation.counters);
  json["thread_efficiency"] = simulation.counters.laneEfficiency();
  json["lines"] = Json::array();
  for (const LineCounters& line : simulation.lines)
    json["lines"].push_back({{"line", line.line}, {"counters", allCountersJson(line.counters)}});
  json["outputs"] = Json::array();
  for (const OutputSummary& output : simulation.outputs) {
    Json one = {
        {"arg", output.argument}, {"sum", output.sum}, {"fnv1a", fmt::format("{:016x}", output.fnv1a)}};
    if (!output.member.empty()) one["member"] = output.member;
    json["outputs"].push_back(std::move(one));
  }
  for (const PrintedText& printed : simulation.printed) {
    json["printed"].push_back({{"block", printed.block},
                               {"thread", printed.thread},
                               {"line", printed.line},
                               {"text", printed.text}});
  }
  if (result != nullptr) json["result"] = {{"right", result->isRight}, {"message", result->sentence}};
  addHazards(json, hazards);
  return jsonText(json);
}

std::string failureJson(const Launch& launch, const Error& error, const HazardReport& hazards) {
  Json json = headJson(launch, hazards.kernel);
  json["error"] = error.sentence();
  json["counters"] = Json::object();
  json["outputs"] = Json::array();
  addHazards(json, &hazards);
  return jsonText(json);
}

std::string simulationText(const Launch& launch, const Simulation& simulation, const ResultCheck* result,
                           const HazardReport* hazards) {
  const Counters& c = simulation.counters;
  std::string text =
      fmt::format("{} on {} ({}), grid {} x {} x {}, block {} x {} x {}\n\n", simulation.kernel,
                  launch.machine.name, launch.machine.description, launch.grid.x, launch.grid.y,
                  launch.grid.z, launch.block.x, launch.block.y, launch.block.z);
  for (const NamedCounter& counter : nsightCounters(c))
    text += fmt::format("{:>14}  {}\n", counter.value, counter.name);
  text += fmt::format("\n{:>14}  bank conflicts (wavefronts beyond the ideal)\n", c.bankConflicts());
  text += fmt::format("{:>13.1f}%  lanes active\n", 100 * c.laneEfficiency());
  text += fmt::format("{:>14}  divergent branches of {}\n", c.divergentBranches, c.branches);
  if (c.constantLoads > 0)
    text += fmt::format("{:>14}  loads of constant memory, {}\n", c.constantLoads,
                        counted(c.constantAddresses, "different address"));
  for (const OutputSummary& output : simulation.outputs) {
    // If there is one element, it is the kernel's result, with any operator. If there are several, the check
    // is their sum.
    const std::string what =
        output.count == 1 ? "holds" : fmt::format("has {} that add up to", counted(output.count, "element"));
    const std::string name =
        output.member.empty() ? fmt::format("argument {}", output.argument) : output.member;
    text += fmt::format("\n{} {} {:.17g}, fnv1a {:016x}", name, what, output.sum, output.fnv1a);
  }
  if (!simulation.printed.empty()) text += "\n\nprinted:";
  for (const PrintedText& printed : simulation.printed) {
    std::string_view line = printed.text;
    if (line.ends_with('\n')) line.remove_suffix(1);
    text += fmt::format("\n  block {}, thread {}: {}", printed.block, printed.thread, line);
  }
  return text + "\n\n" + resultText(result, hazards) + hazardsText(hazards);
}

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

std::string strategiesJson() {
  Json json;
  json["schema"] = "lanescope.strategies/1";
  json["strategies"] = Json::array();
  for (const Strategy& strategy : strategies()) {
    json["strategies"].push_back({{"id", strategy.id},
                                  {"title", strategy.title},
                                  {"chapter", strategy.chapter},
                                  {"summary", strategy.summary},
                                  {"kernel", strategy.kernel},
                                  {"elements_per_thread", strategy.elementsPerThread}});
  }
  json["machines"] = Json::array();
  for (const MachineModel& machine : machinePresets()) {
    json["machines"].push_back({{"name", machine.name}, {"description", machine.description}});
  }
  return jsonText(json);
}

std::string strategiesText() {
  std::string text;
  std::size_t width = 0;
  for (const Strategy& strategy : strategies()) width = std::max(width, strategy.id.size());
  for (const MachineModel& machine : machinePresets()) width = std::max(width, machine.name.size());
  std::string_view chapter;
  for (const Strategy& strategy : strategies()) {
    if (strategy.chapter != chapter)
      text += fmt::format("{}{}:\n", text.empty() ? "" : "\n", strategy.chapter);
    chapter = strategy.chapter;
    text += fmt::format("{:<{}}  {}\n", strategy.id, width, strategy.summary);
  }
  text += "\nmachines:\n";
  for (const MachineModel& machine : machinePresets())
    text += fmt::format("{:<{}}  {}\n", machine.name, width, machine.description);
  return text;
}

}  // namespace lanescope::cli
