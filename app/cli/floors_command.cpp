#include "app/cli/floors_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/cli/check_command.h"
#include "app/cli/exit_status.h"
#include "app/cli/floors_output.h"
#include "app/cli/status_line.h"
#include "app/analysis/toolkit.h"
#include "kernels/strategies/near_names.h"
#include "kernels/protocol/bench_rules.h"

namespace lanescope::cli {
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

std::string extentText(const std::vector<std::uint32_t>& extent) {
  std::string text;
  for (const std::uint32_t part : extent) text += (text.empty() ? "" : ",") + std::to_string(part);
  return text;
}

Result<Launch> launchOfFile(const FloorsOptions& options) {
  LaunchRequest request;
  request.target = options.launch.targets.front();
  request.text = options.text;
  request.kernel = options.launch.kernel;
  request.grid = extentText(options.launch.grid);
  request.block = extentText(options.launch.blockExtent);
  request.dynamicSharedBytes = options.launch.dynamicSharedBytes;
  request.hasDynamicShared = request.dynamicSharedBytes > 0;
  request.arguments = options.launch.arguments;
  return launchFrom(request);
}

int fileCommand(const FloorsOptions& options, const FloorQuery& query) {
  if (options.launch.blockExtent.empty())
    return refuse(
        Error{"A file needs --threads X[,Y[,Z]] (and --grid X[,Y[,Z]]).", "Try --grid 1 --threads 64."},
        kWrongUsage, options.json);
  if (const auto error = wrongExtent(options.launch)) return refuse(*error, kWrongUsage, options.json);
  const auto launch = launchOfFile(options);
  if (!launch) return refuse(launch.error(), kFailed, options.json);
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
  query.threads = options.launch.block;
  auto gpu = findGpuRates(options.gpu);
  if (!gpu) return refuse(gpu.error(), kWrongUsage, options.json);
  query.gpu = std::move(gpu).value();
  const auto n = parseSize(options.launch.n);
  if (!n) return refuse(n.error(), kWrongUsage, options.json);
  query.n = *n;
  if (options.launch.targets.empty()) return tableCommand(options, query);
  const std::string& target = options.launch.targets.front();
  const Strategy* const strategy = findStrategy(target);
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
