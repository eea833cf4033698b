#include "app/export/counters_csv.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/base/words.h"
#include "app/base/write_file.h"
#include "sim/trace/replay.h"

namespace lanescope {
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

}  // namespace lanescope
