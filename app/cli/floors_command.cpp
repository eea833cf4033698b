#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/analysis/floor_report.h"
#include "app/analysis/toolkit.h"
#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "kernels/protocol/bench_rules.h"
#include "kernels/strategies/catalogue.h"
#include "kernels/strategies/shape.h"
#include "sim/base/counted.h"
#include "sim/base/json.h"

namespace lanescope::cli {

/// As text: the floor of each unit, its parts, and the sentence.
std::string floorsText(const FloorReport& report);
/// `lanescope.floors/1`.
std::string floorsJson(const FloorReport& report);

/// A row of the table over all strategies: a report, or why there is none.
struct FloorsRow {
  std::string strategy;
  std::optional<FloorReport> report;
  std::string problem;
};
std::string floorsTableText(const std::vector<FloorsRow>& rows);
/// `lanescope.floors-table/1`.
std::string floorsTableJson(const std::vector<FloorsRow>& rows);

namespace {

std::string_view originName(const UnitRate& rate) { return rate.isMeasured ? "measured" : "datasheet"; }

std::string makeTitle(const FloorReport& report) {
  std::string text = report.strategy.empty() ? report.kernel : report.strategy;
  if (report.n != 0) text += ", N = " + sizeText(report.n);
  return text + fmt::format(", {} of {}, on {}, caches {}", counted(report.counts.blocks, "block"),
                            counted(report.threads, "thread"), report.gpu.gpu, cacheStateName(report.cache));
}

std::string scaledText(const LaunchCounts& counts) {
  std::string sizes;
  for (const std::uint64_t size : counts.scaledFrom) sizes += (sizes.empty() ? "" : ", ") + withCommas(size);
  return "Counts: simulated at N = " + sizes + ", between which they grow evenly, and scaled to N.\n";
}

Json timeJson(double us) { return us > 0 ? Json(us) : Json(nullptr); }

Json unitJson(const UnitFloor& unit) {
  return {{"unit", rateUnitName(unit.unit)},     {"us", unit.us},
          {"amount", std::llround(unit.amount)}, {"counted_in", unitWork(unit.unit)},
          {"rate_per_us", unit.rate.perUs},      {"rate_origin", originName(unit.rate)},
          {"rate_source", unit.rate.source}};
}

/// The fields that a report and a row of the table share.
Json headJson(const FloorReport& report) {
  const UnitFloor* const longest = report.floors.longest();
  return {{"strategy", report.strategy.empty() ? Json(nullptr) : Json(report.strategy)},
          {"kernel", report.kernel},
          {"n", report.n == 0 ? Json(nullptr) : Json(report.n)},
          {"gpu", report.gpu.gpu},
          {"cache", cacheStateName(report.cache)},
          {"floor_us", report.floors.us()},
          {"limiting_unit", longest == nullptr ? Json(nullptr) : Json(rateUnitName(longest->unit))},
          {"measured_us", timeJson(report.measuredUs)},
          {"measured_on", report.measuredUs > 0 ? Json(report.measuredOrigin) : Json(nullptr)},
          {"floor_over_measured", timeJson(report.reached())}};
}

}  // namespace

std::string floorsText(const FloorReport& report) {
  std::string text = makeTitle(report) + "\n\n" + report.sentence() + "\n\n";
  text += fmt::format("{:14} {:>10} {:>9}  {}\n", "unit", "us alone", "of time", "amount");
  const auto row = [&](RateUnit unit, double us, const std::string& amount) {
    text += fmt::format("{:14} {:>10} {:>9}  {}\n", unitName(unit), microseconds(us),
                        report.measuredUs > 0 ? fmt::format("{:.0f}%", 100 * us / report.measuredUs) : "-",
                        amount);
  };
  std::string rates;
  for (const UnitFloor& unit : report.floors.units) {
    const auto amount = static_cast<std::uint64_t>(std::llround(unit.amount));
    row(unit.unit, unit.us, withCommas(amount) + " " + std::string(unitWork(unit.unit)));
    rates += fmt::format("Rate of {}: {:.0f} {} per us, {} ({}).\n", unitName(unit.unit), unit.rate.perUs,
                         unitWork(unit.unit), originName(unit.rate), unit.rate.source);
  }
  if (const UnitRate* const launch = report.gpu.find(RateUnit::Launch)) {
    row(RateUnit::Launch, launch->us, "");
    rates += fmt::format("Launch: {} ({}).\n", originName(*launch), launch->source);
  }
  text += "\n" + rates;
  for (const std::string& unknown : report.floors.unknown) text += "Unknown: " + unknown + ".\n";
  if (report.issued) text += "Warp instructions: " + report.issued->source + ".\n";
  if (!report.counts.scaledFrom.empty()) text += scaledText(report.counts);
  if (report.measuredUs > 0)
    text += fmt::format("Measured: {:.1f} us on {}.\n", report.measuredUs, report.measuredOrigin);
  return text;
}

std::string floorsJson(const FloorReport& report) {
  Json json{{"schema", "lanescope.floors/1"}};
  json.update(headJson(report));
  json["launch_us"] = timeJson(report.floors.launchUs);
  json["units"] = Json::array();
  for (const UnitFloor& unit : report.floors.units) json["units"].push_back(unitJson(unit));
  json["unknown"] = report.floors.unknown;
  json["instructions_from"] = report.issued ? Json(report.issued->source) : Json(nullptr);
  json["blocks"] = report.counts.blocks;
  json["threads_per_block"] = report.threads;
  json["is_scaled"] = !report.counts.scaledFrom.empty();
  json["scaled_from"] = report.counts.scaledFrom;
  json["sentence"] = report.sentence();
  return jsonText(json);
}

std::string floorsTableText(const std::vector<FloorsRow>& rows) {
  std::string text;
  std::string problems;
  for (const FloorsRow& row : rows) {
    if (!row.report) {
      problems += row.strategy + ": " + row.problem + "\n";
      continue;
    }
    const FloorReport& report = *row.report;
    if (text.empty()) {
      text = fmt::format("On {}, caches {}\n{:26} {:>6} {:>10}  {:14} {:>11} {:>8}\n", report.gpu.gpu,
                         cacheStateName(report.cache), "strategy", "N", "floor us", "made by", "measured us",
                         "floor/it");
    }
    const UnitFloor* const longest = report.floors.longest();
    text += fmt::format("{:26} {:>6} {:>10}  {:14}", report.strategy, sizeText(report.n),
                        microseconds(report.floors.us()), longest == nullptr ? "-" : unitName(longest->unit));
    if (report.measuredUs > 0)
      text += fmt::format(" {:11.1f} {:7.0f}%", report.measuredUs, 100 * report.reached());
    text += "\n";
  }
  return problems.empty() ? text : text + "\n" + problems;
}

std::string floorsTableJson(const std::vector<FloorsRow>& rows) {
  Json json{{"schema", "lanescope.floors-table/1"}};
  json["strategies"] = Json::array();
  json["unknown"] = Json::array();
  for (const FloorsRow& row : rows) {
    if (row.report) {
      json["strategies"].push_back(headJson(*row.report));
    } else {
      json["unknown"].push_back({{"strategy", row.strategy}, {"problem", row.problem}});
    }
  }
  return jsonText(json);
}

namespace {

/// A GPU's measured times, if a recording of them ships.
struct Measured {
  explicit Measured(const GpuRates& gpu) {
    const auto recording = readTimes(gpu);
    if (!recording) return;
    data = recording->data();
    origin = recording->title();
  }
  BenchData data;
  std::string origin;
};

Result<FloorReport> makeReport(const Strategy& strategy, FloorQuery query, const Measured& measured,
                               TextProfiles& profiles) {
  if (strategy.largestN != 0) query.n = std::min(query.n, strategy.largestN);
  const TextProfile* const profile = profiles.of(strategy.source);
  auto report = floorReport(strategy, query, profile);
  if (report) addMeasured(*report, measured.data, measured.origin, profile);
  return report;
}

int tableCommand(const FloorsOptions& options, const FloorQuery& query) {
  TextProfiles profiles;
  const Measured measured(query.gpu);
  StatusLine line;
  std::vector<FloorsRow> rows;
  for (const Strategy& strategy : strategies()) {
    line.show("Counting " + std::string(strategy.id) + " ...");
    auto report = makeReport(strategy, query, measured, profiles);
    FloorsRow row{std::string(strategy.id), std::nullopt, {}};
    if (report) {
      row.report = std::move(report).value();
    } else {
      row.problem = report.error().sentence();
    }
    rows.push_back(std::move(row));
  }
  line.wipe();
  return printed(options.json ? floorsTableJson(rows) : floorsTableText(rows));
}

int fileCommand(const FloorsOptions& options, const FloorQuery& query) {
  LaunchRequest request;
  request.target = options.launch.targets.front();
  request.text = options.text;
  request.launch = options.launch.spec;
  const auto launch = readLaunch(request);
  if (!launch) return refuse(launch.error(), kWrongUsage, options.json);
  const auto report = floorReport(*launch, query);
  if (!report) return refuse(report.error(), kFailed, options.json, launch->source.get());
  return printed(options.json ? floorsJson(*report) : floorsText(*report));
}

}  // namespace

void addFloorsOptions(CLI::App& command, FloorsOptions& options) {
  options.launch.n = "2^26";
  command.add_option("target", options.launch.targets,
                     "a strategy's id, or a .cu file (default: the table of all strategies)");
  command.add_option("--gpu", options.gpu, "the GPU: h200, h100 or rtx4060-laptop")->capture_default_str();
  command.add_option("--cache", options.cache, "cold: L2 holds nothing of the input; or warm")
      ->check(CLI::IsMember({"cold", "warm"}))
      ->capture_default_str();
  command.add_flag("--json", options.json, "print JSON");
  addLaunchOptions(command, options.launch);
  addTextOptions(command, options.text);
  command.footer(
      "A floor is the least time that a unit alone needs: DRAM and L2 for the sectors, shared memory for the "
      "wavefronts, issue slots for the machine instructions of the launch (from a profile of the text; else "
      "from the local CUDA Toolkit's machine code of it, executed by the simulator). "
      "Launch and the longest of them are a floor of the kernel's time.\n"
      "Exit status: 0 done; 1 the kernel failed; 2 wrong usage.");
}

int floorsCommand(const FloorsOptions& options) {
  if (options.launch.targets.size() > 1)
    return refuse(Error{"floors takes one strategy or file.", "Without one it prints the table of all."},
                  kWrongUsage, options.json);
  FloorQuery query;
  query.cache = options.cache == "warm" ? CacheState::Warm : CacheState::Cold;
  auto gpu = findGpuRates(options.gpu);
  if (!gpu) return refuse(gpu.error(), kWrongUsage, options.json);
  query.gpu = std::move(gpu).value();
  const auto n = parseSize(options.launch.n);
  if (!n) return refuse(n.error(), kWrongUsage, options.json);
  query.n = *n;
  const bool isTable = options.launch.targets.empty();
  const std::string target = isTable ? "" : options.launch.targets.front();
  const Strategy* const strategy = findStrategy(target);
  if (isTable || strategy != nullptr) {
    const auto threads = readStrategyThreads(options.launch.spec);
    if (!threads) return refuse(threads.error(), kWrongUsage, options.json);
    query.threads = *threads;
  }
  if (isTable) return tableCommand(options, query);
  std::error_code code;
  if (strategy == nullptr && !std::filesystem::exists(target, code))
    return refuse(
        Error{fmt::format("'{}' is neither a strategy nor a file.", target), nearestStrategiesText(target)},
        kWrongUsage, options.json);
  query.toolkit = findToolkit();
  if (strategy == nullptr) return fileCommand(options, query);
  TextProfiles profiles;
  const auto report = makeReport(*strategy, query, Measured(query.gpu), profiles);
  if (!report) return refuse(report.error(), kWrongUsage, options.json);
  return printed(options.json ? floorsJson(*report) : floorsText(*report));
}

}  // namespace lanescope::cli
