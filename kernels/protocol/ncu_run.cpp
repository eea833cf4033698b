#include "kernels/protocol/ncu_run.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>
#include <vector>

#include "kernels/protocol/ncu_profile.h"
#include "kernels/protocol/protocol.h"
#include "kernels/protocol/text_parts.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/words.h"
#include "sim/memory/counters.h"

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

Result<CountersMessage> readLaunchCounters(const CountersRequest& request, const std::string& program,
                                           const StillWanted& stillWanted, double limitSeconds) {
  constexpr std::size_t kMaxOutput = std::size_t{4} << 20U;
  const auto ncu = findNcu();
  if (!ncu) return ncu.error();
  const TemporaryFolder folder;
  if (const auto problem = folder.write("launch.json", toLine(WorkerRequest(request)) + "\n")) {
    return *problem;
  }
  const std::vector<std::string> words{*ncu,
                                       "--clock-control",
                                       "none",
                                       "--csv",
                                       "--page",
                                       "details",
                                       "--print-metric-instances",
                                       "details",
                                       "--print-units",
                                       "base",
                                       "--metrics",
                                       ncuMetrics(),
                                       program,
                                       "launch-once",
                                       (folder.path() / "launch.json").string()};
  const auto text = readOutput(words, folder, stillWanted, limitSeconds, kMaxOutput);
  if (!text) return text.error();
  auto counters = parseNcuCsv(*text);
  if (!counters) {
    const std::string problem = ncuProblem(*text);
    return problem.empty() ? counters.error() : Error{problem};
  }
  return CountersMessage{request.run, "Nsight Compute", std::move(counters).value()};
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxLog = std::size_t{4} << 20U;
constexpr std::size_t kMaxPage = std::size_t{256} << 20U;  // of a source page: 2 KB per instruction

/// The sections of a profile: per line and instruction, and of the whole kernel.
constexpr const char* kSections[] = {"SourceCounters",
                                     "SpeedOfLight",
                                     "WarpStateStats",
                                     "InstructionStats",
                                     "ComputeWorkloadAnalysis",
                                     "Occupancy",
                                     "LaunchStats",
                                     "MemoryWorkloadAnalysis",
                                     "MemoryWorkloadAnalysis_Tables"};

/// One profile, its folder and the time that it may take.
class ProfileRun {
 public:
  ProfileRun(const ProfileRequest& request, std::string ncu, const StillWanted& stillWanted,
             double limitSeconds)
      : request_(request),
        ncu_(std::move(ncu)),
        stillWanted_(stillWanted),
        begin_(Clock::now()),
        limitSeconds_(limitSeconds) {}

  Result<LaunchProfile> run(const std::string& program);

 private:
  Result<std::string> output(const std::vector<std::string>& arguments, std::size_t mostBytes);
  std::optional<Error> collect(const std::string& program);
  std::string inFolder(const char* name) const { return (folder_.path() / name).string(); }

  const ProfileRequest& request_;
  std::string ncu_;
  const StillWanted& stillWanted_;
  Clock::time_point begin_;
  double limitSeconds_;
  TemporaryFolder folder_;
};

/// Runs ncu within the remaining time.
Result<std::string> ProfileRun::output(const std::vector<std::string>& arguments, std::size_t mostBytes) {
  std::vector<std::string> words{ncu_};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const double before = std::chrono::duration<double>(Clock::now() - begin_).count();
  const auto stillWanted = [&](double seconds) { return stillWanted_(before + seconds); };
  return readOutput(words, folder_, stillWanted, limitSeconds_ - before, mostBytes);
}

/// Makes the report; returns the problem if that fails.
std::optional<Error> ProfileRun::collect(const std::string& program) {
  if (auto problem = folder_.write("launch.json", toLine(WorkerRequest(request_)) + "\n")) return problem;
  if (auto problem = folder_.write(profiledFile(request_), request_.launch.text)) return problem;
  std::vector<std::string> arguments{"--clock-control",   "none", "--import-source", "yes",
                                     "--force-overwrite", "-o",   inFolder("report")};
  for (const char* section : kSections) {
    arguments.emplace_back("--section");
    arguments.emplace_back(section);
  }
  arguments.insert(arguments.end(), {program, "launch-once", inFolder("launch.json")});
  const auto log = output(arguments, kMaxLog);
  if (!log) return log.error();
  if (std::filesystem::exists(inFolder("report.ncu-rep"))) return std::nullopt;
  const std::string problem = ncuProblem(*log);
  if (!problem.empty()) return Error{problem};
  return Error{"Nsight Compute made no report: it profiled no kernel, or its version is not known here.",
               "Version 2022.1 or newer is needed on the worker's machine."};
}

Result<LaunchProfile> ProfileRun::run(const std::string& program) {
  if (const auto problem = collect(program)) return *problem;
  const std::string report = inFolder("report.ncu-rep");
  const auto source = output({"--import", report, "--page", "source", "--print-source", "cuda,sass", "--csv",
                              "--print-units", "base"},
                             kMaxPage);
  if (!source) return source.error();
  auto page = parseNcuSource(*source, profiledFile(request_));
  if (!page) {
    const std::string problem = ncuProblem(*source);
    return problem.empty() ? page.error() : Error{problem};
  }
  const auto raw = output({"--import", report, "--page", "raw", "--csv", "--print-units", "base"}, kMaxPage);
  if (!raw) return raw.error();
  auto metrics = parseNcuRaw(*raw);
  if (!metrics) return metrics.error();
  LaunchProfile profile;
  ProfileMessage& kernel = profile.kernel;
  kernel.run = request_.run;
  kernel.kernel = request_.launch.kernel;
  kernel.tool = "Nsight Compute";
  kernel.grid = request_.launch.grid;
  kernel.block = request_.launch.block;
  kernel.textHash = hashText(request_.launch.text);
  kernel.metrics = std::move(metrics).value();
  kernel.opcodes = countOpcodes(page->instructions);
  if (kernel.opcodes.size() > kMaxMetrics) kernel.opcodes.resize(kMaxMetrics);
  profile.lines = std::move(page.value().lines);
  profile.instructions = std::move(page.value().instructions);
  return profile;
}

}  // namespace

const Strategy* linkedStrategy(const ProfileRequest& request) {
  return request.linked ? findStrategyOfText(request.launch.text) : nullptr;
}

std::string profiledFile(const ProfileRequest& request) {
  const Strategy* const strategy = linkedStrategy(request);
  return strategy == nullptr ? "kernel.cu" : std::string(strategy->file);
}

Result<LaunchProfile> profileLaunch(const ProfileRequest& request, const std::string& program,
                                    const StillWanted& stillWanted, double limitSeconds) {
  auto ncu = findNcu();
  if (!ncu) return ncu.error();
  return ProfileRun(request, std::move(ncu).value(), stillWanted, limitSeconds).run(program);
}

std::vector<WorkerMessage> makeMessages(const LaunchProfile& profile) {
  std::vector<WorkerMessage> messages{profile.kernel};
  const std::uint64_t run = profile.kernel.run;
  for (std::size_t i = 0; i < profile.lines.size(); i += kProfileRows) {
    const auto begin = profile.lines.begin() + static_cast<std::ptrdiff_t>(i);
    const auto count = std::min(kProfileRows, profile.lines.size() - i);
    messages.emplace_back(ProfileLinesMessage{run, {begin, begin + static_cast<std::ptrdiff_t>(count)}});
  }
  for (std::size_t i = 0; i < profile.instructions.size(); i += kProfileRows) {
    const auto begin = profile.instructions.begin() + static_cast<std::ptrdiff_t>(i);
    const auto count = std::min(kProfileRows, profile.instructions.size() - i);
    messages.emplace_back(
        ProfileInstructionsMessage{run, {begin, begin + static_cast<std::ptrdiff_t>(count)}});
  }
  return messages;
}

void addMessage(LaunchProfile& profile, const WorkerMessage& message) {
  const auto append = [](auto& rows, const auto& part) {
    const std::size_t room = kMaxProfileRows - std::min(kMaxProfileRows, rows.size());
    const auto count = static_cast<std::ptrdiff_t>(std::min(room, part.size()));
    rows.insert(rows.end(), part.begin(), part.begin() + count);
  };
  if (const auto* kernel = std::get_if<ProfileMessage>(&message)) {
    if (kernel->run == profile.kernel.run) profile.kernel = *kernel;
  } else if (const auto* lines = std::get_if<ProfileLinesMessage>(&message)) {
    if (lines->run == profile.kernel.run) append(profile.lines, lines->lines);
  } else if (const auto* code = std::get_if<ProfileInstructionsMessage>(&message)) {
    if (code->run == profile.kernel.run) append(profile.instructions, code->instructions);
  }
}

}  // namespace lanescope
