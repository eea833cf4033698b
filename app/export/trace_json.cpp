#include "app/export/trace_json.h"

#include <nlohmann/json.hpp>

#include "app/session/element_noun.h"

namespace lanescope {
namespace {

using Json = nlohmann::ordered_json;

const TracedArray* sharedArrayOf(const Trace& trace, std::uint32_t cell) {
  for (const TracedArray& array : trace.arrays) {
    if (array.space == MemorySpace::Shared && cell >= array.firstCell &&
        cell < array.firstCell + array.cellCount)
      return &array;
  }
  return nullptr;
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

}  // namespace

bool beginsElement(const Trace& trace, std::uint32_t cell) {
  const TracedArray* array = sharedArrayOf(trace, cell);
  return array == nullptr || firstCellOf(*array, cell) == cell;
}

std::string wordText(const Trace& trace, const Phase& phase, std::uint32_t cell) {
  const TracedArray* array = sharedArrayOf(trace, cell);
  if (array == nullptr) return formatValue(ValueType::U32, phase.sharedAfter[cell].bits);
  return formatValue(array->type, elementBits(*array, phase.sharedAfter, cell));
}

std::string traceJson(const Trace& trace, bool symbolic, std::string_view run) {
  Json json;
  json["schema"] = "lanescope.trace/1";
  json["kernel"] = trace.kernelName;
  if (!run.empty()) json["run"] = run;
  json["machine"] = trace.launch.machine.name;
  json["block"] = {trace.launch.block.x, trace.launch.block.y, trace.launch.block.z};
  json["steps"] = trace.steps.size();
  json["phases"] = Json::array();
  for (const Phase& phase : trace.phases) {
    Json entry;
    entry["label"] = phase.label;
    entry["active"] = phase.activeThreads;
    entry["shared"] = Json::array();
    for (std::uint32_t cell = 0; cell < phase.sharedAfter.size(); ++cell) {
      if (!beginsElement(trace, cell)) continue;
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

}  // namespace lanescope
