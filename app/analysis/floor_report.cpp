#include "app/analysis/floor_report.h"

#include <exception>
#include <functional>
#include <utility>

#include "app/analysis/text_run.h"
#include "app/base/system.h"

namespace lanescope {
namespace {

/// The machine instructions of the report's launch, if its text was profiled on a GPU that runs the same
/// machine code, with blocks of as many threads.
std::optional<IssuedInstructions> issuedBy(const Strategy& strategy, const FloorQuery& query,
                                           const LaunchCounts& counts, const TextProfile* profile) {
  if (profile == nullptr || profile->computeCapability != query.gpu.computeCapability) return std::nullopt;
  const ProfileMessage& kernel = profile->profile->kernel;
  const std::uint32_t threads = kernel.block[0] * kernel.block[1] * kernel.block[2];
  const bool choosesBlock = strategy.family != Family::Transpose;
  if (kernel.n == 0 || (choosesBlock && threads != query.threads)) return std::nullopt;
  const std::uint64_t blocks = std::uint64_t{kernel.grid[0]} * kernel.grid[1] * kernel.grid[2];
  if (kernel.n == query.n && blocks == counts.blocks)  // that very launch
    return IssuedInstructions{static_cast<double>(profile->diagnosis.executed),
                              "executed instructions, as profiled (" + profile->origin + ")"};
  const auto profiled = countStrategy(strategy, kernel.n, query.threads,
                                      ownMostBlocks(strategy, kernel.n, query.threads, query.gpu.sms),
                                      query.text, CountWhat::AllButSectors, query.stop);
  if (!profiled) return std::nullopt;
  return countIssued(*profile->profile, *profiled, counts, profile->origin);
}

/// The toolkit's machine code of a launch's text for a GPU.
Result<MachineCode> machineCodeFor(const SourceText& text, const std::string& kernel,
                                   const FloorQuery& query) {
  const CodeRequest request = makeCodeRequest(text, kernel, findArchitecture(query.gpu.computeCapability));
  const std::stop_token& stop = query.stop;
  return disassemble(request, *query.toolkit, [&stop](double) { return !stop.stop_requested(); });
}

using Execute = std::function<std::optional<ExecutedCode>(const MachineCode&)>;

/// Takes the machine instructions from the code that the query's toolkit makes, and its wavefronts and
/// stores: those that `execute` gives, else estimated instructions. Returns one clause on why there are none;
/// empty if there are.
std::string issueByCode(FloorReport& report, const SourceText& text, const FloorQuery& query,
                        const Execute& execute) {
  if (!query.toolkit || !query.toolkit->nvdisasm)
    return "the machine code is not known; the CUDA Toolkit's nvcc and nvdisasm would give it";
  const auto code = machineCodeFor(text, report.counts.kernel, query);
  if (!code) {
    const std::string& message = code.error().message;
    return "the machine code is not known (" + message.substr(0, message.find_last_not_of('.') + 1) + ")";
  }
  if (const std::optional<ExecutedCode> executed = execute(*code)) {
    report.issued = countIssued(*code, *executed);
    report.counts.sharedWavefronts = executed->sharedWavefronts;
    report.counts.storedSectors = executed->storedSectors;
    report.isExecuted = true;
  }
  if (!report.issued) report.issued = countIssued(*code, report.counts);
  if (report.issued) return {};
  return "how often its operations are executed does not grow evenly with N, or its blocks wait for each "
         "other";
}

}  // namespace

std::string FloorReport::sentence() const {
  std::string text = floorSentence(floors, measuredUs);
  if (!waiting.empty()) text += " " + waiting;
  if (isOfText) text.append(" ").append(textNote());
  return text;
}

std::string_view FloorReport::textNote() const {
  if (!isOfText) return {};
  return isExecuted
             ? "The different sectors are the text's: if the compiler leaves accesses out, DRAM and L2 need "
               "less."
             : "It counts the accesses of the text: if the compiler leaves some out, the floor is lower.";
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
  report.isOfText = query.text != nullptr && profile == nullptr;
  report.counts = std::move(counts).value();
  report.issued = issuedBy(strategy, query, report.counts, profile);
  std::string noCode;
  if (!report.issued) {
    const SourceText own(std::string(strategy.file), std::string(strategy.source));
    const std::uint64_t mostBlocks = ownMostBlocks(strategy, query.n, query.threads, query.gpu.sms);
    noCode =
        issueByCode(report, query.text == nullptr ? own : *query.text, query, [&](const MachineCode& code) {
          return executeStrategy(strategy, query.n, query.threads, mostBlocks, query.text, code, query.stop);
        });
  }
  report.floors = computeFloors(report.counts, report.issued, report.gpu, report.cache, noCode);
  return report;
}

Result<FloorReport> floorReport(const Launch& launch, const FloorQuery& query) {
  auto counts = countWhole(launch);
  if (!counts) return counts.error();
  FloorReport report;
  report.threads = static_cast<std::uint32_t>(launch.block.count());
  report.cache = query.cache;
  report.gpu = query.gpu;
  report.isOfText = true;
  report.counts = std::move(counts).value();
  report.kernel = report.counts.kernel;
  const std::string noCode = issueByCode(report, *launch.source, query,
                                         [&](const MachineCode& code) { return executeWhole(launch, code); });
  report.floors = computeFloors(report.counts, report.issued, report.gpu, report.cache, noCode);
  return report;
}

void addMeasured(FloorReport& report, const BenchData& data, const std::string& origin,
                 const TextProfile* profile) {
  BenchSetting setting{.block = report.threads, .cache = report.cache};
  const auto reading = data.reading(setting.key(report.strategy, report.n));
  if (!reading || reading->wrong) return;
  report.measuredUs = reading->medianUs;
  report.measuredOrigin = origin;
  report.waiting =
      waitingSentence(report.floors, report.measuredUs, profile == nullptr ? nullptr : &profile->diagnosis);
}

Result<Recording> readTimes(const GpuRates& gpu) {
  if (gpu.times.empty())
    return Error{"No recording of times on " + gpu.gpu + " ships with Lanescope.",
                 "lanescope-gpu --once --record FILE makes one on such a GPU."};
  return loadRecording(recordingsFolder() / gpu.times);
}

namespace {

std::string_view kernelText(const FloorQuery& query) {
  return query.text == nullptr ? std::string_view() : query.text->text();
}

/// In the job's thread.
Result<FloorReport> makeReport(const FloorRequest& request, const std::stop_token& stop) {
  try {
    FloorRequest wanted = request;
    wanted.query.stop = stop;
    if (wanted.launch) wanted.launch->stop = stop;
    auto report = wanted.strategy != nullptr ? floorReport(*wanted.strategy, wanted.query, wanted.profile)
                                             : floorReport(*wanted.launch, wanted.query);
    giveBackMemory();
    return report;
  } catch (const std::exception& failure) {
    return Error{std::string("The floors were not counted: ") + failure.what() + "."};
  }
}

}  // namespace

bool FloorRequest::isSame(const FloorRequest& other) const {
  if (strategy != other.strategy || profile != other.profile ||
      launch.has_value() != other.launch.has_value())
    return false;
  if (launch && !sameLaunch(*launch, *other.launch)) return false;
  return query.n == other.query.n && query.threads == other.query.threads &&
         query.cache == other.query.cache && query.gpu.id == other.query.gpu.id &&
         kernelText(query) == kernelText(other.query);
}

FloorWatch::FloorWatch(ExecutorPtr executor) : job_(std::move(executor), makeReport) {}

void FloorWatch::show(FloorRequest request) {
  if (asked_ && asked_->isSame(request)) return;
  asked_ = std::move(request);
  report_.reset();
  problem_.clear();
  job_.request(*asked_);
}

bool FloorWatch::poll() {
  auto come = job_.consume();
  if (!come) return false;
  if (*come) {
    report_ = std::move(*come).value();
  } else {
    problem_ = come->error().sentence();
  }
  return true;
}

}  // namespace lanescope
