#include "sim/host/runtime/launch_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/json.h"
#include "sim/host/runtime/extent_json.h"
#include "sim/base/counted.h"
#include "sim/base/diagnostic.h"

namespace lanescope::host {
namespace {

std::string extentText(Dim3 extent) {
  if (extent.z > 1) return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
  if (extent.y > 1) return fmt::format("{}x{}", extent.x, extent.y);
  return fmt::format("{}", extent.x);
}

std::string timeText(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.1f} ms", seconds * 1e3) : fmt::format("{:.2f} s", seconds);
}

/// A count from some of the blocks, scaled to all of them.
std::string countText(const LaunchRecord& record, std::uint64_t counted) {
  if (record.countedBlocks == record.blocks || counted == 0) return withCommas(counted);
  if (record.countedBlocks == 0) return "?";
  const double all = static_cast<double>(counted) * static_cast<double>(record.blocks) /
                     static_cast<double>(record.countedBlocks);
  return "~" + withCommas(static_cast<std::uint64_t>(std::llround(all)));
}

/// The last part of a path, without its folders.
std::string fileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// `Met 5 times in 2 launches.`; empty if it was met once.
std::string metText(const HazardRecord& record) {
  std::string text = lanescope::metText(record.hazard);
  if (record.launches > 1) text += fmt::format(" in {} launches", withCommas(record.launches));
  return text.empty() ? "" : " " + asSentence(text);
}

/// `error: kernels.cu: thread 3 …`, with the file if the program has several.
std::string hazardText(const HazardRecord& record) {
  const Hazard& hazard = record.hazard;
  return fmt::format("{}: {}{}{} {}\n", hazard.severity == HazardSeverity::Error ? "error" : "warning",
                     record.file.empty() ? "" : fileName(record.file) + ": ", hazard.message, metText(record),
                     hazard.fix);
}

using Row = std::array<std::string, 11>;

Row findRow(const LaunchRecord& record, std::uint64_t hazards) {
  const Counters& c = record.counters;
  const std::string file = record.file.empty() ? "" : fileName(record.file) + ":";
  const std::string line = record.line == 0 ? "" : fmt::format("{}{}", file, record.line);
  const std::string divergent =
      c.branches == 0 ? "-"
                      : fmt::format("{:.0f}%", 100.0 * static_cast<double>(c.divergentBranches) /
                                                   static_cast<double>(c.branches));
  return {record.kernel,
          line,
          record.launches == 1 ? "" : fmt::format("x{}", withCommas(record.launches)),
          extentText(record.grid),
          extentText(record.block),
          withCommas(record.sharedBytes),
          timeText(record.seconds),
          countText(record, c.sharedWavefronts()) + " / " + countText(record, c.bankConflicts()),
          countText(record, c.globalSectors()),
          divergent,
          hazards == 0 ? "-" : fmt::format("{}", hazards)};
}

}  // namespace

void LaunchRecords::add(const LaunchRecord& record) {
  const auto same = std::ranges::find_if(launches, [&](const LaunchRecord& known) {
    return known.kernel == record.kernel && known.grid == record.grid && known.block == record.block &&
           known.sharedBytes == record.sharedBytes && known.line == record.line && known.file == record.file;
  });
  if (same == launches.end()) {
    launches.push_back(record);
    return;
  }
  same->launches += record.launches;
  same->seconds += record.seconds;
  same->blocks += record.blocks;
  same->countedBlocks += record.countedBlocks;
  same->counters += record.counters;
}

void LaunchRecords::add(const std::string& kernel, const std::string& file, const HazardReport& report) {
  for (const Hazard& hazard : report.hazards) {
    const auto same = std::ranges::find_if(hazards, [&](const HazardRecord& known) {
      const bool isSameLine = known.hazard.access.line == hazard.access.line &&
                              known.hazard.earlier.has_value() == hazard.earlier.has_value() &&
                              (!hazard.earlier || known.hazard.earlier->line == hazard.earlier->line);
      return known.kernel == kernel && known.file == file && known.hazard.kind == hazard.kind && isSameLine;
    });
    if (same == hazards.end()) {
      hazards.push_back({kernel, hazard, file});
    } else {
      ++same->launches;
      same->hazard.count += hazard.count;
    }
  }
}

std::string recordsText(const LaunchRecords& records) {
  if (records.launches.empty()) return "";
  std::vector<Row> rows{{"kernel", "line", "times", "grid", "block", "shared B", "simulated in",
                         "wavefronts / conflicts", "sectors", "divergent", "hazards"}};
  for (const LaunchRecord& record : records.launches) {
    const auto hazards = std::ranges::count(records.hazards, record.kernel, &HazardRecord::kernel);
    rows.push_back(findRow(record, static_cast<std::uint64_t>(hazards)));
  }
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text = "\n";
  for (const Row& row : rows) {
    std::string line = fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t c = 1; c < row.size(); ++c) {
      if (widths[c] > 0) line += fmt::format("  {:>{}}", row[c], widths[c]);
    }
    text += line + "\n";
  }
  for (const HazardRecord& record : records.hazards) text += hazardText(record);
  const auto isPart = [](const LaunchRecord& record) { return record.countedBlocks < record.blocks; };
  if (std::ranges::any_of(records.launches, isPart))
    text += "~: counted in the first blocks of a launch, and scaled to all of them\n";
  if (records.unlooked > 0) {
    text += fmt::format("hazards: not looked for in {} repeated launches\n", withCommas(records.unlooked));
  }
  if (records.repeated > 0) {
    text += fmt::format(
        "repeated: {} launches did not run again, since the same launch had run on this very memory: what it "
        "had done was done again; they are counted as that one\n",
        withCommas(records.repeated));
  }
  return text;
}

std::string recordsJson(const LaunchRecords& records, const std::string& program, int status,
                        const std::string& error) {
  Json json{{"schema", "lanescope.run/1"}, {"program", program}, {"status", status}};
  if (!error.empty()) json["error"] = error;
  json["launches"] = Json::array();
  for (const LaunchRecord& record : records.launches) {
    Json one{{"kernel", record.kernel},
             {"line", record.line},
             {"launches", record.launches},
             {"grid", extentJson(record.grid)},
             {"block", extentJson(record.block)},
             {"shared_bytes", record.sharedBytes},
             {"seconds", record.seconds},
             {"blocks", record.blocks},
             {"counted_blocks", record.countedBlocks}};
    if (!record.file.empty()) one["file"] = record.file;
    for (const NamedCounter& counter : allCounters(record.counters))
      one["counters"][counter.name] = counter.value;
    json["launches"].push_back(std::move(one));
  }
  json["hazards"] = Json::array();
  for (const HazardRecord& record : records.hazards) {
    const Hazard& hazard = record.hazard;
    Json one{{"kernel", record.kernel},
             {"kind", hazardKindName(hazard.kind)},
             {"severity", hazard.severity == HazardSeverity::Error ? "error" : "warning"},
             {"line", hazard.access.line},
             {"launches", record.launches},
             {"count", hazard.count},
             {"message", hazard.message},
             {"fix", hazard.fix}};
    if (!record.file.empty()) one["file"] = record.file;
    json["hazards"].push_back(std::move(one));
  }
  json["launches_not_looked_at"] = records.unlooked;
  json["launches_not_run_again"] = records.repeated;
  return jsonText(json);
}

}  // namespace lanescope::host
