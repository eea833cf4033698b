#include "kernels/protocol/ncu_output.h"

#include <algorithm>
#include <map>

#include "kernels/protocol/csv_cells.h"
#include "kernels/protocol/protocol.h"
#include "kernels/protocol/take_line.h"
#include "sim/memory/counter_info.h"

namespace lanescope {
namespace {

constexpr std::string_view kPerOpcode = "sass__inst_executed_per_opcode";

/// The number at the start of a text (`1,440 (...)`), with or without thousands separators; empty for `n/a`.
std::optional<std::uint64_t> leadingCount(std::string_view text) {
  std::optional<std::uint64_t> value;
  for (const char c : text) {
    if (c == ',' && value) continue;
    if (c < '0' || c > '9') break;
    if (value.value_or(0) > (std::uint64_t{1} << 60U) / 10) return std::nullopt;
    value = value.value_or(0) * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

/// One opcode's part of `184 (LDC: 24; BAR: 16; ...)`: 0 if it is not listed.
std::optional<std::uint64_t> findPart(std::string_view text, std::string_view opcode) {
  if (!leadingCount(text)) return std::nullopt;
  const std::string label = std::string(opcode) + ": ";
  for (std::size_t at = text.find(label); at != std::string_view::npos; at = text.find(label, at + 1)) {
    const bool begins = at >= 1 && (text[at - 1] == '(' || (at >= 2 && text.substr(at - 2, 2) == "; "));
    if (begins) return leadingCount(text.substr(at + label.size()));
  }
  return text.find('(') == std::string_view::npos && *leadingCount(text) != 0
             ? std::nullopt
             : std::optional<std::uint64_t>(0);
}

}  // namespace

std::string ncuMetrics() {
  std::string metrics;
  for (const CounterInfo& counter : kCounters) {
    if (counter.nsight.empty() || counter.nsight.starts_with(kPerOpcode)) continue;
    metrics += counter.nsight;
    metrics += ",";
  }
  return metrics + std::string(kPerOpcode);
}

Result<std::vector<MeasuredCounter>> parseNcuCsv(std::string_view output) {
  std::map<std::string, std::string> values;
  std::size_t nameColumn = 0;
  std::size_t valueColumn = 0;
  std::string launch;
  while (!output.empty()) {
    const std::string_view line = splitLine(output);
    if (!line.starts_with('"')) continue;
    const std::vector<std::string> cells = csvCells(line);
    if (cells.front() == "ID") {
      const auto findColumn = [&](const char* title) {
        return static_cast<std::size_t>(std::find(cells.begin(), cells.end(), title) - cells.begin());
      };
      nameColumn = findColumn("Metric Name");
      valueColumn = findColumn("Metric Value");
    } else if (valueColumn != 0 && std::max(nameColumn, valueColumn) < cells.size()) {
      if (launch.empty()) launch = cells.front();
      if (cells.front() == launch) values[cells[nameColumn]] = cells[valueColumn];
    }
  }
  if (values.empty()) {
    return Error{"Nsight Compute reported no launch.",
                 "Its output may be of a version that is not known here."};
  }
  std::vector<MeasuredCounter> counters;
  for (const CounterInfo& known : kCounters) {
    if (known.nsight.empty()) continue;
    const bool isPart = known.nsight.starts_with(kPerOpcode);
    const auto found = values.find(std::string(isPart ? kPerOpcode : known.nsight));
    MeasuredCounter counter{std::string(known.nsight), std::nullopt};
    if (found != values.end()) {
      counter.value = isPart ? findPart(found->second, known.nsight.substr(kPerOpcode.size() + 1))
                             : leadingCount(found->second);
    }
    counters.push_back(std::move(counter));
  }
  return counters;
}

std::string ncuProblem(std::string_view output) {
  if (output.find("ERR_NVGPUCTRPERM") != std::string_view::npos) {
    return "This user may not read the GPU's counters on the worker's machine. Permit it there once, as "
           "root: echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' > "
           "/etc/modprobe.d/nvidia-profiling.conf, then restart; or run the worker as root.";
  }
  std::string_view rest = output;
  while (!rest.empty()) {
    const std::string_view line = splitLine(rest);
    if (line.starts_with("lanescope-gpu: ")) return printable(line.substr(15), 400);
  }
  rest = output;
  while (!rest.empty()) {
    const std::string_view line = splitLine(rest);
    if (!line.starts_with("==ERROR== ")) continue;
    const std::string said = printable(line.substr(10), 300);
    // The wording for an unknown option or section differs between versions.
    const auto has = [&](const char* word) { return said.find(word) != std::string::npos; };
    const bool isOlder = has("unrecognised option") || has("unrecognized option") || has("did not match any");
    return "Nsight Compute failed: " + said +
           (isOlder ? " It may be too old; version 2022.1 or newer is needed on the worker's machine." : "");
  }
  return {};
}

}  // namespace lanescope
