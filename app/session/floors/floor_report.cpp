#include "app/session/floors/floor_report.h"

#include <utility>

namespace lanescope {
namespace {

/// The machine instructions of the report's launch, where its text was profiled on a GPU that runs the same
/// machine code, with blocks of as many threads.
std::optional<IssuedInstructions> issuedBy(const Strategy& strategy, const FloorQuery& query,
                                           const LaunchCounts& counts, const TextProfile* profile) {
  if (profile == nullptr || profile->computeCapability != query.gpu.computeCapability) return std::nullopt;
  const ProfileMessage& kernel = profile->profile->kernel;
  const std::uint32_t threads = kernel.block[0] * kernel.block[1] * kernel.block[2];
  const bool choosesBlock = strategy.family != Family::Transpose;
  if (kernel.n == 0 || (choosesBlock && threads != query.threads)) return std::nullopt;
  if (kernel.n == query.n) return issuedOf(*profile->profile, counts, counts, profile->origin);
  const auto profiled = countStrategy(strategy, kernel.n, query.threads,
                                      ownMostBlocks(strategy, kernel.n, query.threads, query.gpu.sms),
                                      query.text, CountWhat::AllButSectors, query.stop);
  if (!profiled) return std::nullopt;
  return issuedOf(*profile->profile, *profiled, counts, profile->origin);
}

}  // namespace

std::string FloorReport::sentence() const {
  const std::string text = floorSentence(floors, measuredUs);
  return waiting.empty() ? text : text + " " + waiting;
}

Result<FloorReport> floorReport(const Strategy& strategy, const FloorQuery& query,
                                const TextProfile* profile) {
  auto counts = countStrategy(strategy, query.n, query.threads,
                              ownMostBlocks(strategy, query.n, query.threads, query.gpu.sms), query.text,
                              CountWhat::Everything, query.stop);
  if (!counts) return counts.error();
  FloorReport report;
  report.strategy = strategy.id;
  report.kernel = strategy.kernel;
  report.n = query.n;
  report.threads = query.threads;
  report.cache = query.cache;
  report.gpu = query.gpu;
  report.counts = std::move(counts).value();
  report.issued = issuedBy(strategy, query, report.counts, profile);
  report.floors = floorsOf(report.counts, report.issued, report.gpu, report.cache);
  return report;
}

Result<FloorReport> floorReport(const Launch& launch, const GpuRates& gpu, CacheState cache) {
  auto counts = countWhole(launch);
  if (!counts) return counts.error();
  FloorReport report;
  report.kernel = launch.kernel;
  report.threads = static_cast<std::uint32_t>(launch.block.count());
  report.cache = cache;
  report.gpu = gpu;
  report.counts = std::move(counts).value();
  report.floors = floorsOf(report.counts, std::nullopt, gpu, cache);
  return report;
}

void addMeasured(FloorReport& report, const BenchData& data, const std::string& origin,
                 const TextProfile* profile) {
  BenchSetting setting;
  setting.block = report.threads;
  setting.cache = report.cache;
  const auto reading = data.reading(setting.key(report.strategy, report.n));
  if (!reading || reading->wrong) return;
  report.measuredUs = reading->medianUs;
  report.measuredOrigin = origin;
  report.waiting =
      waitingSentence(report.floors, report.measuredUs, profile == nullptr ? nullptr : &profile->diagnosis);
}

Result<Recording> timesOf(const GpuRates& gpu) {
  if (gpu.times.empty())
    return Error{"No recording of times on " + gpu.gpu + " ships with Lanescope.",
                 "lanescope-gpu --once --record FILE makes one on such a GPU.",
                 {}};
  return loadRecording(recordingsFolder() / gpu.times);
}

}  // namespace lanescope
