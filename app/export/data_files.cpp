#include "app/export/data_files.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/system.h"
#include "app/base/value_words.h"
#include "app/launch/launch_form.h"
#include "app/launch/strategy_launch.h"
#include "app/pictures/base/scene_builder.h"
#include "app/workbench/text_buffer.h"
#include "sim/base/json.h"
#include "sim/base/words.h"
#include "sim/trace/replay.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

/// Letters and digits in lower case, everything else as one dash.
std::string plainName(std::string_view text) {
  std::string name;
  for (const char letter : text) {
    const bool isUpper = letter >= 'A' && letter <= 'Z';
    if (isUpper || (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')) {
      name += static_cast<char>(isUpper ? letter - 'A' + 'a' : letter);
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (name.ends_with('-')) name.pop_back();
  return name;
}

/// `max` of `reduce<max>`; empty without template arguments.
std::string_view templateArguments(std::string_view kernel) {
  const std::size_t bracket = kernel.find('<');
  if (bracket == std::string_view::npos || !kernel.ends_with('>')) return {};
  return kernel.substr(bracket + 1, kernel.size() - bracket - 2);
}

/// The differences of the launch from the strategy's own, if it has one.
void addLaunch(const LaunchForm& now, const std::optional<LaunchForm>& own, std::vector<std::string>& parts) {
  if (now.grid != "1") parts.push_back("grid " + now.grid);
  parts.push_back("block " + now.block);
  const bool hasShared = own ? now.dynamicShared != own->dynamicShared : now.dynamicShared != "0";
  if (hasShared) parts.push_back(now.dynamicShared + " bytes of dynamic shared memory");
  std::vector<std::string> data;
  for (std::size_t i = 0; i < now.arguments.size(); ++i) {
    if (!own || i >= own->arguments.size() || now.arguments[i] != own->arguments[i])
      data.push_back(now.arguments[i]);
  }
  if (!data.empty()) parts.push_back(fmt::format("data {}", fmt::join(data, " ")));
}

}  // namespace

RunTitle titleOfRun(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks, const Launch& launch,
                    const TextFacts& facts, const Dim3* traced) {
  const ElementType type = facts.element;
  const bool isEdited = !facts.isOwn;
  // Its own launch for that type and operator; the operator is named unless it is the strategy's first.
  const std::string op = elementKind(launch, &strategy).op;
  const auto ownLaunch = makeLaunch(strategy, n, blocks, launch.machine, type, op);
  std::optional<LaunchForm> own;
  if (ownLaunch) own = makeForm(*ownLaunch);
  const LaunchForm form = makeForm(launch);
  const bool isOwnLaunch = own && form.grid == own->grid && form.block == own->block &&
                           form.dynamicShared == own->dynamicShared && form.arguments == own->arguments;
  const bool isOtherElement = type != ElementType::Float;
  const std::string arguments(templateArguments(launch.kernel));
  const bool isOtherKernel = own && form.kernel != own->kernel && !form.kernel.empty();
  const bool isOtherTemplate =
      !op.empty() || (!arguments.empty() && (!own || arguments != own->templateArguments));

  std::vector<std::string> parts;
  if (isOtherKernel) parts.push_back("kernel " + form.kernel);
  if (isOtherElement) parts.emplace_back(elementTypeName(type));
  if (isOtherTemplate) parts.push_back(strategy.operators.empty() ? "<" + arguments + ">" : arguments);
  const std::string name = fmt::format("{}{}", strategy.id, isEdited ? "-edited" : "");
  RunTitle title;
  title.isOwn = isOwnLaunch && parts.empty() && !isEdited;
  if (isOwnLaunch) {
    parts.push_back(fmt::format("N = {}", n));
  } else {
    addLaunch(form, own, parts);
  }
  const std::string before = plainName(fmt::format("{}", fmt::join(parts, " ")));
  if (launch.grid.count() > 1 && traced == nullptr && isOwnLaunch)
    parts.push_back(counted(launch.grid.count(), "block"));
  if (launch.grid.count() > 1 && traced != nullptr) {
    const std::uint64_t number =
        traced->x + std::uint64_t{launch.grid.x} * (traced->y + std::uint64_t{launch.grid.y} * traced->z);
    parts.push_back(fmt::format("block {} of {}", number + 1, launch.grid.count()));
  }
  title.text = fmt::format("{}{}, {} on {}", strategy.title, isEdited ? " (edited)" : "",
                           fmt::join(parts, ", "), launch.machine.name);
  title.name = title.isOwn ? fmt::format("{}-n{}", strategy.id, n) : name + "-" + before;
  return title;
}

RunTitle titleOfFile(const Launch& launch, std::string_view kernelName, std::string_view original) {
  const bool isEdited = !original.empty() && plainText(original) != plainText(launch.source->text());
  RunTitle title;
  title.text = fmt::format("{}{}, {} per block, on {}", kernelName, isEdited ? " (edited)" : "",
                           counted(launch.block.count(), "thread"), launch.machine.name);
  title.name = plainName(kernelName) + (isEdited ? "-edited" : "");
  title.isOwn = !isEdited;
  return title;
}

namespace {

/// For the last field, so that the counters can be found from the end without parsing quotes.
std::string withoutCommas(std::string_view text) {
  std::string plain(text);
  std::ranges::replace(plain, ',', ';');
  return plain;
}

class Table {
 public:
  Table(std::string_view kernel, std::string_view machine, std::string_view run)
      : begin_(csvField(kernel) + "," + csvField(machine)), end_(csvField(withoutCommas(run))) {
    text_ = "kernel,machine,scope,number,text";
    for (const NamedCounter& counter : allCounters({})) text_ += fmt::format(",{}", counter.name);
    text_ += ",run\n";
  }

  /// Rows count from 1; the total has no number.
  void add(std::string_view scope, std::size_t number, std::string_view text, const Counters& counters) {
    text_ +=
        fmt::format("{},{},{},{}", begin_, scope, number == 0 ? "" : std::to_string(number), csvField(text));
    for (const NamedCounter& counter : allCounters(counters)) text_ += fmt::format(",{}", counter.value);
    text_ += "," + end_ + "\n";
  }
  std::string consume() { return std::move(text_); }

 private:
  std::string begin_;
  std::string end_;
  std::string text_;
};

}  // namespace

std::string countersCsv(const Launch& launch, const Simulation& simulation, std::string_view run) {
  Table table(simulation.kernel, launch.machine.name, run);
  table.add("total", 0, "", simulation.counters);
  for (const LineCounters& line : simulation.lines)
    table.add("line", line.line, trimmed(launch.source->line(line.line)), line.counters);
  return table.consume();
}

std::string countersCsv(const Trace& trace, std::string_view run) {
  Table table(trace.kernelName, trace.launch.machine.name, run);
  table.add("total", 0, "", trace.total);
  for (std::size_t index = 0; index < trace.phases.size(); ++index)
    table.add("phase", index + 1, trace.phases[index].label, trace.phases[index].counters);
  std::map<std::uint32_t, Counters> lines;
  for (const Step& step : trace.steps) lines[step.line] += computeCounters(trace, step);
  for (const auto& [line, counters] : lines)
    table.add("line", line, trimmed(trace.launch.source->line(line)), counters);
  return table.consume();
}

std::string differencesCsv(const CountedRun& left, const CountedRun& right) {
  std::string text = "counter," + csvField(left.name) + "," + csvField(right.name) + ",difference\n";
  const std::vector<NamedCounter> before = allCounters(left.counters);
  const std::vector<NamedCounter> after = allCounters(right.counters);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto difference = static_cast<std::int64_t>(after[i].value - before[i].value);
    text += fmt::format("{},{},{},{}\n", before[i].name, before[i].value, after[i].value, difference);
  }
  return text;
}

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
