#include "app/cli/json_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/hazard_output.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope::cli {
namespace {

using Json = nlohmann::ordered_json;

Json extentJson(Dim3 extent) { return {extent.x, extent.y, extent.z}; }

const TracedArray* sharedArrayOf(const Trace& trace, std::uint32_t cell) {
  for (const TracedArray& array : trace.arrays) {
    if (array.space == MemorySpace::Shared && cell >= array.firstCell &&
        cell < array.firstCell + array.cellCount)
      return &array;
  }
  return nullptr;
}

/// A word's number, or the 64-bit value that begins in it.
std::string wordText(const Trace& trace, const Phase& phase, std::uint32_t cell) {
  const TracedArray* array = sharedArrayOf(trace, cell);
  const ValueType type = array == nullptr ? ValueType::U32 : array->type;
  std::uint64_t bits = phase.sharedAfter[cell].bits;
  const bool isWide = type == ValueType::F64 || type == ValueType::I64 || type == ValueType::U64;
  if (isWide && cell + 1 < phase.sharedAfter.size())
    bits |= std::uint64_t{phase.sharedAfter[cell + 1].bits} << 32;
  return formatValue(type, bits);
}

Json wordJson(const Trace& trace, const Phase& phase, std::uint32_t cell, bool symbolic) {
  const Word& word = phase.sharedAfter[cell];
  if (!word.written) return nullptr;
  if (symbolic && word.from != kNoProvenance) return trace.provenance.text(word.from);
  const std::string text = wordText(trace, phase, cell);
  if (symbolic) return text;
  const Json number = Json::parse(text, nullptr, false);
  return number.is_discarded() ? Json(text) : number;
}

std::string threadRanges(const std::vector<std::uint32_t>& threads) {
  std::string text;
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t end = i + 1;
    while (end < threads.size() && threads[end] == threads[end - 1] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += end - i > 1 ? fmt::format("{}-{}", threads[i], threads[end - 1]) : std::to_string(threads[i]);
    i = end;
  }
  return text;
}

/// Every counter of a launch or of a line of its source: Nsight Compute's by its names, then ours.
Json countersJson(const Counters& c) {
  Json json;
  for (const NamedCounter& counter : nsightCounters(c)) json[counter.name] = counter.value;
  json["bank_conflicts"] = c.bankConflicts();
  json["warp_instructions"] = c.instructions;
  json["active_lanes"] = c.activeLanes;
  json["lanes"] = c.lanes;
  json["branches"] = c.branches;
  json["divergent_branches"] = c.divergentBranches;
  json["atomics"] = c.atomics;
  return json;
}

}  // namespace

std::string simulationJson(const Launch& launch, const Simulation& simulation, const HazardReport* hazards) {
  Json json;
  json["schema"] = "lanescope.simulate/1";
  json["kernel"] = simulation.kernel;
  json["machine"] = launch.machine.name;
  json["grid"] = extentJson(launch.grid);
  json["block"] = extentJson(launch.block);
  json["dynamic_shared"] = launch.dynamicSharedBytes;
  json["counters"] = countersJson(simulation.counters);
  json["thread_efficiency"] = simulation.counters.laneEfficiency();
  json["lines"] = Json::array();
  for (const LineCounters& line : simulation.lines)
    json["lines"].push_back({{"line", line.line}, {"counters", countersJson(line.counters)}});
  json["outputs"] = Json::array();
  for (const OutputSummary& output : simulation.outputs) {
    json["outputs"].push_back(
        {{"arg", output.argument}, {"sum", output.sum}, {"fnv1a", fmt::format("{:016x}", output.fnv1a)}});
  }
  for (const PrintedText& printed : simulation.printed) {
    json["printed"].push_back({{"block", printed.block},
                               {"thread", printed.thread},
                               {"line", printed.line},
                               {"text", printed.text}});
  }
  addHazards(json, hazards);
  return json.dump(2) + "\n";
}

std::string failureJson(const Launch& launch, const Error& error, const HazardReport& hazards) {
  Json json;
  json["schema"] = "lanescope.simulate/1";
  json["kernel"] = hazards.kernel;
  json["machine"] = launch.machine.name;
  json["grid"] = extentJson(launch.grid);
  json["block"] = extentJson(launch.block);
  json["dynamic_shared"] = launch.dynamicSharedBytes;
  json["error"] = error.sentence();
  json["counters"] = Json::object();
  json["outputs"] = Json::array();
  addHazards(json, &hazards);
  return json.dump(2) + "\n";
}

std::string simulationText(const Launch& launch, const Simulation& simulation, const HazardReport* hazards) {
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
  for (const OutputSummary& output : simulation.outputs) {
    text +=
        fmt::format("\nargument {}: sum {:.17g}, fnv1a {:016x}", output.argument, output.sum, output.fnv1a);
  }
  if (!simulation.printed.empty()) text += "\n\nprinted:";
  for (const PrintedText& printed : simulation.printed) {
    std::string_view line = printed.text;
    if (line.ends_with('\n')) line.remove_suffix(1);
    text += fmt::format("\n  block {}, thread {}: {}", printed.block, printed.thread, line);
  }
  return text + "\n\n" + hazardsText(hazards);
}

std::string traceJson(const Trace& trace, bool symbolic) {
  Json json;
  json["schema"] = "lanescope.trace/1";
  json["kernel"] = trace.kernelName;
  json["machine"] = trace.launch.machine.name;
  json["block"] = extentJson(trace.launch.block);
  json["steps"] = trace.steps.size();
  json["phases"] = Json::array();
  for (const Phase& phase : trace.phases) {
    Json entry;
    entry["label"] = phase.label;
    entry["active"] = phase.activeThreads;
    entry["shared"] = Json::array();
    for (std::uint32_t cell = 0; cell < phase.sharedAfter.size(); ++cell) {
      entry["shared"].push_back(wordJson(trace, phase, cell, symbolic));
    }
    if (symbolic && !phase.exchanged.empty()) {
      for (const ProvenanceId id : phase.exchanged) entry["values"].push_back(trace.provenance.text(id));
    }
    entry["wavefronts"] = phase.counters.sharedWavefronts();
    entry["conflicts"] = phase.counters.bankConflicts();
    entry["divergent_branches"] = phase.counters.divergentBranches;
    json["phases"].push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

std::string traceText(const Trace& trace, bool symbolic) {
  std::string text = fmt::format("{} on {}, {} threads, {} steps\n", trace.kernelName,
                                 trace.launch.machine.name, trace.threads, trace.steps.size());
  for (const Phase& phase : trace.phases) {
    text += fmt::format("\n{}: thread{} {}\n  [", phase.label, phase.activeThreads.size() == 1 ? "" : "s",
                        threadRanges(phase.activeThreads));
    for (std::uint32_t cell = 0; cell < phase.sharedAfter.size(); ++cell) {
      const Word& word = phase.sharedAfter[cell];
      if (cell > 0) text += ", ";
      if (!word.written) {
        text += "-";
      } else {
        text += symbolic && word.from != kNoProvenance ? trace.provenance.text(word.from)
                                                       : wordText(trace, phase, cell);
      }
    }
    text += "]\n";
    for (std::size_t thread = 0; symbolic && thread < phase.exchanged.size(); ++thread) {
      text += fmt::format("  thread {} holds {}\n", thread, trace.provenance.text(phase.exchanged[thread]));
    }
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
                                  {"summary", strategy.summary},
                                  {"kernel", strategy.kernel},
                                  {"elements_per_thread", strategy.elementsPerThread}});
  }
  json["machines"] = Json::array();
  for (const MachineModel& machine : machinePresets()) {
    json["machines"].push_back({{"name", machine.name}, {"description", machine.description}});
  }
  return json.dump(2) + "\n";
}

std::string strategiesText() {
  std::string text;
  for (const Strategy& strategy : strategies()) {
    text += fmt::format("{:<18} {}\n", strategy.id, strategy.summary);
  }
  text += "\nmachines:\n";
  for (const MachineModel& machine : machinePresets()) {
    text += fmt::format("{:<18} {}\n", machine.name, machine.description);
  }
  return text;
}

}  // namespace lanescope::cli
