#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/analysis/floor_report.h"
#include "app/analysis/toolkit.h"
#include "app/base/whole.h"
#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "kernels/protocol/bench_rules.h"
#include "kernels/strategies/catalogue.h"
#include "kernels/strategies/shape.h"
#include "sim/base/counted.h"
#include "sim/base/json.h"

namespace lanescope::cli {
namespace {

/// The options of `lanescope-cli floors`.
struct FloorsArguments {
  LaunchOptions launch;
  TextOptions text;
  std::string gpu = "h200";
  std::string cache = "cold";
  bool json = false;
};

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

Json timeJson(double us) { return valueIf(us > 0, us); }

Json unitJson(const UnitFloor& unit) {
  return {{"unit", rateUnitName(unit.unit)},
          {"us", unit.us},
          {"amount", roundToWhole<std::int64_t>(unit.amount)},
          {"counted_in", unitWork(unit.unit)},
          {"rate_per_us", unit.rate.perUs},
          {"rate_origin", originName(unit.rate)},
          {"rate_source", unit.rate.source}};
}

/// The fields that a report and a row of the table share.
Json headJson(const FloorReport& report) {
  const UnitFloor* const longest = report.floors.longest();
  return {{"strategy", valueIf(!report.strategy.empty(), report.strategy)},
          {"kernel", report.kernel},
          {"n", valueIf(report.n != 0, report.n)},
          {"gpu", report.gpu.gpu},
          {"cache", cacheStateName(report.cache)},
          {"floor_us", report.floors.us()},
          {"limiting_unit", longest == nullptr ? Json(nullptr) : Json(rateUnitName(longest->unit))},
          {"measured_us", timeJson(report.measuredUs)},
          {"measured_on", valueIf(report.measuredUs > 0, report.measuredOrigin)},
          {"floor_over_measured", timeJson(report.reached())}};
}

/// `lanescope.floors/1`; as text the floor of each unit, its parts, and the sentence.
Report describeFloors(const FloorReport& floors) {
  Report report("lanescope.floors/1");
  report.set(headJson(floors)).set("launch_us", timeJson(floors.floors.launchUs)).add("units", {});
  ReportTable table({{"unit", -14}, {"us alone", 10}, {"of time", 9}, {"amount", -1}});
  const auto row = [&](RateUnit unit, double us, const std::string& amount) {
    table.row({std::string(unitName(unit)), microseconds(us),
               floors.measuredUs > 0 ? fmt::format("{:.0f}%", 100 * us / floors.measuredUs) : "-", amount});
  };
  std::string rates;
  for (const UnitFloor& unit : floors.floors.units) {
    report.add("units", unitJson(unit));
    const auto amount = roundToWhole<std::uint64_t>(unit.amount);
    row(unit.unit, unit.us, withCommas(amount) + " " + std::string(unitWork(unit.unit)));
    rates += fmt::format("Rate of {}: {:.0f} {} per us, {} ({}).\n", unitName(unit.unit), unit.rate.perUs,
                         unitWork(unit.unit), originName(unit.rate), unit.rate.source);
  }
  if (const UnitRate* const launch = floors.gpu.find(RateUnit::Launch)) {
    row(RateUnit::Launch, launch->us, "");
    rates += fmt::format("Launch: {} ({}).\n", originName(*launch), launch->source);
  }
  report.say(makeTitle(floors) + "\n\n" + floors.sentence() + "\n").print(table).print("\n" + rates);
  for (const std::string& unknown : floors.floors.unknown) report.say("Unknown: " + unknown + ".");
  if (floors.issued) report.say("Warp instructions: " + floors.issued->source + ".");
  if (!floors.counts.scaledFrom.empty()) report.print(scaledText(floors.counts));
  if (floors.measuredUs > 0)
    report.say(fmt::format("Measured: {:.1f} us on {}.", floors.measuredUs, floors.measuredOrigin));
  return report.set({{"unknown", floors.floors.unknown},
                     {"instructions_from", floors.issued ? Json(floors.issued->source) : Json(nullptr)},
                     {"blocks", floors.counts.blocks},
                     {"threads_per_block", floors.threads},
                     {"is_scaled", !floors.counts.scaledFrom.empty()},
                     {"scaled_from", floors.counts.scaledFrom},
                     {"sentence", floors.sentence()}});
}

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

int tableCommand(const FloorsArguments& options, const FloorQuery& query) {
  TextProfiles profiles;
  const Measured measured(query.gpu);
  StatusLine line;
  Report report("lanescope.floors-table/1");
  report.say(fmt::format("On {}, caches {}", query.gpu.gpu, cacheStateName(query.cache)))
      .add("strategies", {})
      .add("unknown", {});
  ReportTable table({{"strategy", -26},
                     {"N", 6},
                     {"floor us", 10},
                     {"made by", -14},
                     {"measured us", 11},
                     {"floor/it", 8}});
  std::string problems;
  for (const Strategy& strategy : strategies()) {
    line.show("Counting " + std::string(strategy.id) + " ...");
    const auto floors = makeReport(strategy, query, measured, profiles);
    if (!floors) {
      report.add("unknown", {{"strategy", strategy.id}, {"problem", floors.error().sentence()}});
      problems += fmt::format("{}: {}\n", strategy.id, floors.error().sentence());
      continue;
    }
    report.add("strategies", headJson(*floors));
    const UnitFloor* const longest = floors->floors.longest();
    std::vector<std::string> words{floors->strategy, sizeText(floors->n), microseconds(floors->floors.us()),
                                   longest == nullptr ? "-" : std::string(unitName(longest->unit))};
    if (floors->measuredUs > 0) {
      words.push_back(fmt::format("{:.1f}", floors->measuredUs));
      words.push_back(fmt::format("{:.0f}%", 100 * floors->reached()));
    }
    table.row(std::move(words));
  }
  line.wipe();
  report.print(table);
  if (!problems.empty()) report.print("\n" + problems);
  return printed(report, options.json);
}

int fileCommand(const FloorsArguments& options, const FloorQuery& query) {
  LaunchRequest request;
  request.target = options.launch.targets.front();
  request.text = options.text;
  request.launch = options.launch.spec;
  const auto launch = readLaunch(request);
  if (!launch) return refuse(launch.error(), kWrongUsage, options.json);
  const auto report = floorReport(*launch, query);
  if (!report) return refuse(report.error(), kFailed, options.json, launch->source.get());
  return printed(describeFloors(*report), options.json);
}

int floorsCommand(const FloorsArguments& options) {
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
  return printed(describeFloors(*report), options.json);
}

}  // namespace

Command addFloorsCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "floors",
      "Say the least time that a GPU needs for a launch, unit by unit: from exact counts, without the GPU");
  const auto options = std::make_shared<FloorsArguments>();
  options->launch.n = "2^26";
  command->add_option("target", options->launch.targets,
                      "a strategy's id, or a .cu file (default: the table of all strategies)");
  command->add_option("--gpu", options->gpu, "the GPU: h200, h100 or rtx4060-laptop")->capture_default_str();
  command->add_option("--cache", options->cache, "cold: L2 holds nothing of the input; or warm")
      ->check(CLI::IsMember({"cold", "warm"}))
      ->capture_default_str();
  command->add_flag("--json", options->json, "print JSON");
  addLaunchOptions(*command, options->launch);
  addTextOptions(*command, options->text);
  command->footer(
      "A floor is the least time that a unit alone needs: DRAM and L2 for the sectors, shared memory for the "
      "wavefronts, issue slots for the machine instructions of the launch (from a profile of the text; else "
      "from the local CUDA Toolkit's machine code of it, executed by the simulator). "
      "Launch and the longest of them are a floor of the kernel's time.\n"
      "Exit status: 0 done; 1 the kernel failed; 2 wrong usage.");
  return {command, [options] { return floorsCommand(*options); }};
}

}  // namespace lanescope::cli
