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

}  // namespace

bool hasErrors(const HazardReport* report) {
  return report != nullptr && std::ranges::any_of(report->hazards, [](const Hazard& hazard) {
           return hazard.severity == HazardSeverity::Error;
         });
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

}  // namespace

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
    report.say(fmt::format("  block {}, thread {}: {}", printed.block, printed.thread, line));
  }
  report.say();
  if (result != nullptr) {
    report.set("result", {{"right", result->isRight}, {"message", result->sentence}});
    report.say(resultText(*result, hazards));
  }
  addHazards(report, hazards);
  return report;
}

Report describeFailure(const Launch& launch, const Error& error, const HazardReport& hazards) {
  Report report = beginReport(launch, hazards.kernel);
  report.set("error", error.sentence()).set("counters", Json::object()).add("outputs", {});
  addHazards(report, &hazards);
  return report;
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

Report listStrategies() {
  Report report("lanescope.strategies/1");
  report.add("strategies", {}).add("machines", {});
  ReportTable table({{"", -1}, {"", -1}}, 0, 2);
  std::string_view chapter;
  for (const Strategy& strategy : strategies()) {
    report.add("strategies", {{"id", strategy.id},
                              {"title", strategy.title},
                              {"chapter", strategy.chapter},
                              {"summary", strategy.summary},
                              {"kernel", strategy.kernel},
                              {"elements_per_thread", strategy.elementsPerThread}});
    if (strategy.chapter != chapter)
      table.say(fmt::format("{}{}:", chapter.empty() ? "" : "\n", strategy.chapter));
    chapter = strategy.chapter;
    table.row({std::string(strategy.id), std::string(strategy.summary)});
  }
  table.say("\nmachines:");
  for (const MachineModel& machine : machinePresets()) {
    report.add("machines", {{"name", machine.name}, {"description", machine.description}});
    table.row({std::string(machine.name), std::string(machine.description)});
  }
  return report.print(table);
}

}  // namespace lanescope::cli
