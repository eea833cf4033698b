#include "app/export/trace_json.h"

#include <map>

#include "app/base/element_noun.h"
#include "sim/base/json.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

const TracedArray* findSharedArray(const Trace& trace, std::uint32_t cell) {
  for (const TracedArray& array : trace.arrays) {
    if (array.space == MemorySpace::Shared && cell >= array.firstCell &&
        cell < array.firstCell + array.cellCount)
      return &array;
  }
  return nullptr;
}

Json numberJson(const std::string& text, bool symbolic) {
  if (symbolic) return text;
  const Json number = parseJson(text);
  return number.is_discarded() ? Json(text) : number;
}

Json wordJson(const Trace& trace, const Phase& phase, std::uint32_t cell, bool symbolic) {
  const Word& word = phase.sharedAfter[cell];
  if (!word.written) return nullptr;
  if (symbolic && word.from != kNoProvenance) return trace.provenance.text(word.from);
  return numberJson(wordText(trace, phase, cell), symbolic);
}

}  // namespace

bool beginsElement(const Trace& trace, std::uint32_t cell) {
  const TracedArray* array = findSharedArray(trace, cell);
  return array == nullptr || firstCellAt(*array, cell) == cell;
}

std::string wordText(const Trace& trace, const Phase& phase, std::uint32_t cell) {
  const TracedArray* array = findSharedArray(trace, cell);
  if (array == nullptr) return formatValue(ValueType::U32, phase.sharedAfter[cell].bits);
  return formatValue(array->type, elementBits(*array, phase.sharedAfter, cell));
}

std::vector<GlobalResult> findGlobalResults(const Trace& trace, const Phase& phase) {
  std::map<std::uint32_t, Word> changed;  // by cell
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    const Step step = trace.steps[index];
    for (const CellChange& change : stepChanges(trace, step))
      if (change.cell >= trace.sharedCells) changed[change.cell] = change.after;
  }
  std::vector<GlobalResult> results;
  for (const auto& [cell, word] : changed) {
    const TracedArray* array = arrayOfCell(trace, cell);
    if (array == nullptr || firstCellAt(*array, cell) != cell) continue;
    GlobalResult& result = results.emplace_back(
        GlobalResult{array, (cell - array->firstCell) / splitWords(array->type), word.bits, word.from});
    const auto second = changed.find(cell + 1);
    if (isWide(array->type) && second != changed.end())
      result.bits |= std::uint64_t{second->second.bits} << 32U;
  }
  return results;
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
    for (const GlobalResult& result : findGlobalResults(trace, phase)) {
      const std::string name = result.array->name + "[" + std::to_string(result.element) + "]";
      entry["global"][name] = symbolic && result.from != kNoProvenance
                                  ? Json(trace.provenance.text(result.from))
                                  : numberJson(formatValue(result.array->type, result.bits), symbolic);
    }
    entry["wavefronts"] = phase.counters.sharedWavefronts();
    entry["conflicts"] = phase.counters.bankConflicts();
    entry["divergent_branches"] = phase.counters.divergentBranches;
    json["phases"].push_back(std::move(entry));
  }
  return jsonText(json);
}

}  // namespace lanescope
