#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/analysis/diagnosis.h"
#include "app/analysis/floor_report.h"
#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/gpu/worker_client.h"
#include "app/pictures/difference_scene.h"
#include "kernels/strategies/catalogue.h"
#include "kernels/strategies/shape.h"
#include "sim/base/json.h"
#include "sim/language/parse/syntax.h"

namespace lanescope::cli {

/// A profile, its source, and its diagnosis.
struct Why {
  std::string origin;  ///< the GPU and the day, or that it is live
  const LaunchProfile* profile = nullptr;
  Diagnosis diagnosis;
};

/// Lines with a smaller share of the samples are not printed; JSON has them all.
inline constexpr double kLeastPrintedShare = 0.01;

/// As text: units, the diagnosis, the warps' stalls, and the lines over kLeastPrintedShare.
std::string whyText(const Why& why);
/// `lanescope.why/1`.
std::string whyJson(const Why& why);

/// Two profiles side by side: the kernels' times, their warps' stalls, their costliest lines.
std::string whyDifferenceText(const ProfileSide& left, const ProfileSide& right);
/// `lanescope.why-difference/1`.
std::string whyDifferenceJson(const ProfileSide& left, const ProfileSide& right);

/// A row for each: the limiting unit, its percent, the costliest line.
std::string whyTableText(const std::vector<Why>& rows);
/// `lanescope.why-table/1`.
std::string whyTableJson(const std::vector<Why>& rows);

namespace {

constexpr const char* kNoUnits = "the recording has no throughputs";

std::string extentText(const std::array<std::uint32_t, 3>& extent) {
  std::string text = std::to_string(extent[0]);
  if (extent[1] != 1 || extent[2] != 1) text += fmt::format(" x {}", extent[1]);
  if (extent[2] != 1) text += fmt::format(" x {}", extent[2]);
  return text;
}

std::string makeTitle(const Why& why) {
  const ProfileMessage& kernel = why.profile->kernel;
  std::string text = kernel.strategy.empty() ? kernel.kernel : kernel.strategy;
  if (kernel.n != 0) text += ", N = " + sizeText(kernel.n);
  return text + fmt::format(", {} blocks of {} threads ({}; {})", extentText(kernel.grid),
                            extentText(kernel.block), why.origin, kernel.tool);
}

std::string unitsText(const Diagnosis& diagnosis) {
  std::string text;
  for (const UnitLoad& unit : diagnosis.units)
    text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", unit.name, unit.percent);
  return text.empty() ? kNoUnits : text;
}

/// The limiting unit in a few words, for a table.
std::string limitText(const Diagnosis& diagnosis) {
  const UnitLoad* const unit = diagnosis.nearestUnit();
  if (unit == nullptr) return "not recorded";
  const Limiter limiter = findLimiter(unit->percent);
  return fmt::format("{}{} {:.0f}%{}", limiter == Limiter::Latency ? "latency; nearest: " : "", unit->name,
                     unit->percent, limiter == Limiter::UnitAndLatency ? " and latency" : "");
}

std::string stallText(const LineShare& line) {
  const StallShare* const stall = line.mainStall();
  if (stall == nullptr) return "";
  return fmt::format("{} {:.0f}%", stall->reason.words, 100 * stall->share);
}

Json stallsJson(const std::vector<StallShare>& stalls) {
  Json list = Json::array();
  for (const StallShare& stall : stalls) {
    list.push_back({{"reason", stall.id},
                    {"nsight", stall.reason.nsight},
                    {"words", stall.reason.words},
                    {"samples", stall.samples},
                    {"share", stall.share}});
  }
  return list;
}

Json lineJson(const LineShare& line) {
  Json json{{"line", line.line},
            {"text", line.text},
            {"samples", line.counts.samples},
            {"share", line.share},
            {"inst_executed", line.counts.executed},
            {"thread_inst_executed", line.counts.threadExecuted},
            {"instructions_per_warp", line.instructionsPerWarp},
            {"memory_l1_wavefronts_shared", line.counts.sharedWavefronts},
            {"memory_l2_theoretical_sectors_global", line.counts.globalSectors}};
  json["stalls"] = stallsJson(line.stalls);
  return json;
}

Json limitJson(const Diagnosis& diagnosis) {
  const UnitLoad* const unit = diagnosis.nearestUnit();
  if (unit == nullptr) return nullptr;
  return {{"unit", unit->name},
          {"percent", unit->percent},
          {"limited_by", limiterWords(findLimiter(unit->percent))}};
}

Json headJson(const Why& why) {
  const ProfileMessage& kernel = why.profile->kernel;
  Json json{{"strategy", kernel.strategy.empty() ? Json(nullptr) : Json(kernel.strategy)},
            {"kernel", kernel.kernel},
            {"n", kernel.n == 0 ? Json(nullptr) : Json(kernel.n)},
            {"grid", kernel.grid},
            {"block", kernel.block},
            {"origin", why.origin},
            {"tool", kernel.tool}};
  json["limiting_unit"] = limitJson(why.diagnosis);
  json["diagnosis"] = why.diagnosis.sentence;
  return json;
}

}  // namespace

std::string whyText(const Why& why) {
  const Diagnosis& diagnosis = why.diagnosis;
  std::string text = makeTitle(why) + "\n\n" + diagnosis.sentence + "\n";
  text += "Percent of peak: " + unitsText(diagnosis) + ".\n";
  if (!diagnosis.occupancy.empty()) text += diagnosis.occupancy + "\n";
  if (diagnosis.durationUs > 0)
    text += fmt::format("Time under the profiler: {:.1f} us.\n", diagnosis.durationUs);
  text += fmt::format("\n{:>6}  {}\n", "share", "of the warps' time");
  for (const StallShare& stall : diagnosis.stalls) {
    if (stall.share < kLeastPrintedShare) continue;
    text += fmt::format("{:5.1f}%  {} ({})\n", 100 * stall.share, stall.reason.words,
                        stall.reason.nsight.empty() ? stall.id : std::string(stall.reason.nsight));
  }
  text +=
      fmt::format("\n{:>6} {:>5} {:>10}  {:42} {}\n", "share", "line", "instr/warp", "main stall", "text");
  for (const LineShare& line : diagnosis.lines) {
    if (line.share < kLeastPrintedShare) continue;
    text += fmt::format("{:5.1f}% {:5} {:10.1f}  {:42} {}\n", 100 * line.share, line.line,
                        line.instructionsPerWarp, stallText(line), line.text);
  }
  if (diagnosis.outside > 0)
    text += fmt::format("{:5.1f}%     in code of headers\n", 100 * diagnosis.outside);
  return text;
}

std::string whyJson(const Why& why) {
  Json json{{"schema", "lanescope.why/1"}};
  json.update(headJson(why));
  const Diagnosis& diagnosis = why.diagnosis;
  json["duration_us"] = diagnosis.durationUs > 0 ? Json(diagnosis.durationUs) : Json(nullptr);
  json["units"] = Json::array();
  for (const UnitLoad& unit : diagnosis.units)
    json["units"].push_back({{"unit", unit.name}, {"percent", unit.percent}});
  json["occupancy"] = diagnosis.occupancy.empty() ? Json(nullptr) : Json(diagnosis.occupancy);
  json["metrics"] = Json::object();
  for (const MeasuredMetric& metric : why.profile->kernel.metrics)
    json["metrics"][metric.name] = metric.value ? Json(*metric.value) : Json(nullptr);
  json["samples"] = diagnosis.samples;
  json["inst_executed"] = diagnosis.executed;
  json["share_in_headers"] = diagnosis.outside;
  json["stalls"] = stallsJson(diagnosis.stalls);
  json["lines"] = Json::array();
  for (const LineShare& line : diagnosis.lines) json["lines"].push_back(lineJson(line));
  return jsonText(json);
}

namespace {

constexpr std::size_t kMostLines = 3;

/// `text` and as many blanks as fill `width` characters; a character outside ASCII counts as one.
std::string padded(const std::string& text, std::size_t width, bool toTheRight) {
  const auto letters = static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  const std::string blanks(width > letters ? width - letters : 0, ' ');
  return toTheRight ? blanks + text : text + blanks;
}

std::string nameFor(const ProfileSide& side) { return side.profile->profile->kernel.strategy; }

}  // namespace

std::string whyDifferenceText(const ProfileSide& left, const ProfileSide& right) {
  std::string text =
      fmt::format("left: {}\nright: {}\n({})\n", nameFor(left), nameFor(right), left.profile->origin);
  for (const DifferenceGroup& group : profileDifferences(left, right)) {
    text +=
        fmt::format("\n{:32}{:>12}{:>12}{:>12}{:>10}\n", group.title, "left", "right", "difference", "ratio");
    for (const CounterDifference& row : group.rows) {
      text += padded(row.name, 32, false) + padded(row.left, 12, true) + padded(row.right, 12, true) +
              padded(row.difference, 12, true) + padded(row.ratio, 10, true) + "\n";
    }
  }
  for (const auto& [title, side] : {std::pair("left", &left), std::pair("right", &right)}) {
    text += fmt::format("\n{}: {}\n", title, side->profile->diagnosis.sentence);
    for (const std::string& line : costliestLines(*side, kMostLines)) text += "  " + line + "\n";
    if (side->floors != nullptr) text += floorSentence(side->floors->floors, 0) + "\n";
  }
  return text;
}

std::string whyDifferenceJson(const ProfileSide& left, const ProfileSide& right) {
  Json json{{"schema", "lanescope.why-difference/1"}, {"left", nameFor(left)}, {"right", nameFor(right)}};
  json["origin"] = left.profile->origin;
  json["differences"] = Json::array();
  for (const DifferenceGroup& group : profileDifferences(left, right)) {
    for (const CounterDifference& row : group.rows) {
      json["differences"].push_back({{"group", group.title},
                                     {"name", row.name},
                                     {"left", row.left},
                                     {"right", row.right},
                                     {"difference", row.difference},
                                     {"ratio", row.ratio}});
    }
  }
  for (const auto& [title, side] : {std::pair("left", &left), std::pair("right", &right)}) {
    json[std::string(title) + "_lines"] = costliestLines(*side, kMostLines);
    json[std::string(title) + "_floor_us"] =
        side->floors == nullptr ? Json(nullptr) : Json(side->floors->floors.us());
  }
  return jsonText(json);
}

std::string whyTableText(const std::vector<Why>& rows) {
  std::string text;
  std::string origin;
  std::string missing;
  for (const Why& why : rows) {
    if (why.profile == nullptr) {
      missing += (missing.empty() ? "" : ", ") + why.origin;
      continue;
    }
    if (why.origin != origin) {
      origin = why.origin;
      text += fmt::format("{}{}\n{:26} {:30} {:>5} {:>6}  {:42} {}\n", text.empty() ? "" : "\n", origin,
                          "strategy", "limiting unit", "line", "share", "main stall", "text");
    }
    text += fmt::format("{:26} {:30}", why.profile->kernel.strategy, limitText(why.diagnosis));
    if (const LineShare* const line = why.diagnosis.costliestLine())
      text += fmt::format(" {:5} {:5.1f}%  {:42} {}", line->line, 100 * line->share, stallText(*line),
                          line->text);
    text += "\n";
  }
  if (missing.empty()) return text;
  return text + "\nNo profile was recorded of " + missing +
         ".\nlanescope-gpu profile all --record FILE records them on a machine with Nsight Compute.\n";
}

std::string whyTableJson(const std::vector<Why>& rows) {
  Json json{{"schema", "lanescope.why-table/1"}};
  json["strategies"] = Json::array();
  json["not_recorded"] = Json::array();
  for (const Why& why : rows) {
    if (why.profile == nullptr) {
      json["not_recorded"].push_back(why.origin);
      continue;
    }
    Json row = headJson(why);
    const LineShare* const line = why.diagnosis.costliestLine();
    row["costliest_line"] = line == nullptr ? Json(nullptr) : lineJson(*line);
    json["strategies"].push_back(row);
  }
  return jsonText(json);
}

namespace {

constexpr std::chrono::milliseconds kLook{100};
constexpr const char* kHowToRecord =
    "Record one on a machine with Nsight Compute: lanescope-gpu profile {} --record FILE, then why {} "
    "--recording FILE; or profile it now with --worker.";

volatile std::sig_atomic_t stopWanted = 0;

Result<ProfileRecording> readRecording(const WhyOptions& options) {
  return options.recording.empty() ? shippedProfiles() : loadProfiles(options.recording);
}

int notRecorded(const WhyOptions& options, const Strategy& strategy, const ProfileRecording& recording) {
  return refuse(Error{fmt::format("No profile of '{}' was recorded ({}).", strategy.id, recording.title()),
                      fmt::format(kHowToRecord, strategy.id, strategy.id)},
                kFailed, options.json);
}

int noSuchStrategy(const WhyOptions& options, const std::string& target) {
  std::error_code code;
  if (std::filesystem::exists(target, code))
    return refuse(
        Error{fmt::format("There is no recorded profile of '{}', only of the strategies.", target),
              "Profile it now on a GPU: --worker ''; without a GPU, lanescope-cli floors says what could "
              "limit it."},
        kWrongUsage, options.json);
  return refuse(Error{fmt::format("There is no strategy '{}'.", target), nearestStrategiesText(target)},
                kWrongUsage, options.json);
}

int tableCommand(const WhyOptions& options) {
  const auto recording = readRecording(options);
  if (!recording)
    return refuse(recording.error(), options.recording.empty() ? kFailed : kWrongUsage, options.json);
  std::vector<Why> rows;
  for (const Strategy& strategy : strategies()) {
    const LaunchProfile* const profile = recording->find(strategy);
    Why why{recording->title(), profile, {}};
    if (profile != nullptr) {
      why.diagnosis = diagnose(*profile, strategy.source);
    } else {
      why.origin = strategy.id;
    }
    rows.push_back(std::move(why));
  }
  return printed(options.json ? whyTableJson(rows) : whyTableText(rows));
}

int recordedCommand(const WhyOptions& options, const Strategy& strategy) {
  const auto recording = readRecording(options);
  if (!recording)
    return refuse(recording.error(), options.recording.empty() ? kFailed : kWrongUsage, options.json);
  const LaunchProfile* const profile = recording->find(strategy);
  if (profile == nullptr) return notRecorded(options, strategy, *recording);
  const Why why{recording->title(), profile, diagnose(*profile, strategy.source)};
  return printed(options.json ? whyJson(why) : whyText(why));
}

/// Two strategies' profiles of the recording, side by side.
int differenceCommand(const WhyOptions& options) {
  const auto recording = readRecording(options);
  if (!recording)
    return refuse(recording.error(), options.recording.empty() ? kFailed : kWrongUsage, options.json);
  std::vector<TextProfile> profiles;
  for (const std::string& target : options.launch.targets) {
    const Strategy* const strategy = findStrategy(target);
    if (strategy == nullptr) return noSuchStrategy(options, target);
    const LaunchProfile* const profile = recording->find(*strategy);
    if (profile == nullptr) return notRecorded(options, *strategy, *recording);
    profiles.push_back({recording->title(), recording->gpu.computeCapability, profile,
                        diagnose(*profile, strategy->source)});
  }
  std::vector<FloorReport> floors;
  if (const auto gpu = findGpuRates(recording->gpu.gpu)) {
    for (const TextProfile& profile : profiles) {
      FloorQuery query;
      query.n = profile.profile->kernel.n;
      query.threads = profile.profile->kernel.block[0];
      query.gpu = *gpu;
      auto report = floorReport(*findStrategy(profile.profile->kernel.strategy), query, &profile);
      if (report) floors.push_back(std::move(report).value());
    }
  }
  const bool hasFloors = floors.size() == 2;
  const ProfileSide left{&profiles[0], hasFloors ? &floors[0] : nullptr};
  const ProfileSide right{&profiles[1], hasFloors ? &floors[1] : nullptr};
  return printed(options.json ? whyDifferenceJson(left, right) : whyDifferenceText(left, right));
}

/// Waits for `done`, with a line of progress on a terminal; Control-C cancels once.
std::shared_ptr<const WorkerView> await(WorkerClient& client,
                                        const std::function<bool(const WorkerView&)>& done) {
  StatusLine line;
  bool cancelled = false;
  while (!client.waitUntil(done, kLook)) {
    if (line.isShown()) line.show(client.view()->sentence + " Profiling with Nsight Compute ...");
    if (stopWanted != 0 && !cancelled) client.cancel();
    cancelled = cancelled || stopWanted != 0;
  }
  return client.view();
}

/// Profiles on a worker's GPU, and prints the profile.
int liveCommand(const WhyOptions& options) {
  // Faults of the options are printed before a worker is started.
  constexpr std::uint32_t kAnySms = 1;
  if (const auto tried = makeLaunches(options.launch, kAnySms); !tried)
    return refuse(tried.error(), kWrongUsage, options.json);
  std::signal(SIGINT, [](int) { stopWanted = 1; });
  WorkerOptions worker;
  worker.command = options.worker;
  WorkerClient client(worker);
  client.start();
  auto view = await(client, [](const WorkerView& now) {
    return now.state == WorkerState::Ready || now.state == WorkerState::Failed || stopWanted != 0;
  });
  if (view->state != WorkerState::Ready)
    return refuse(Error{stopWanted != 0 ? "It was canceled." : view->sentence}, kFailed, options.json);
  const HelloMessage gpu = *view->data->hello();
  const auto launches = makeLaunches(options.launch, gpu.sms);
  if (!launches) return refuse(launches.error(), kWrongUsage, options.json);
  const NamedLaunch& launch = launches->front();
  TextLaunch sent = launch.launch;
  if (launch.strategy.empty()) {
    const auto source = textOfFile(options.launch.targets.front(), options.text);
    if (!source) return refuse(source.error(), kWrongUsage, options.json);
    sent.text = syntax::deviceText(**source, sent.kernel);
  }
  const auto run = client.profile({0, sent});
  if (!run) return refuse(run.error(), kWrongUsage, options.json);
  view = await(client, [&](const WorkerView& now) {
    return now.state == WorkerState::Failed || (now.edited->run == *run && now.edited->finished);
  });
  const TextRun& outcome = *view->edited;
  if (!outcome.problem.empty()) return refuse(Error{outcome.problem}, kFailed, options.json);
  if (!outcome.profile)
    return refuse(Error{stopWanted != 0 ? "The profile was canceled." : view->sentence}, kFailed,
                  options.json);
  LaunchProfile profile = *outcome.profile;
  profile.kernel.strategy = launch.strategy;
  profile.kernel.n = launch.n;
  const Why why{gpu.gpu + ", live", &profile, diagnose(profile, launch.launch.text)};
  return printed(options.json ? whyJson(why) : whyText(why));
}

}  // namespace

void addWhyOptions(CLI::App& command, WhyOptions& options) {
  options.launch.n = "2^26";
  command.add_option(
      "target", options.launch.targets,
      "a strategy's id, or two to compare (default: the table of all), or with --worker a .cu file");
  auto* const recording = command.add_option(
      "--recording", options.recording, "a recording of lanescope-gpu profile (default: the one that ships)");
  command
      .add_option("--worker", options.worker,
                  "profile on this worker's GPU now: its command, as 'ssh host lanescope-gpu'; '' for the "
                  "one beside this program")
      ->excludes(recording);
  command.add_flag("--json", options.json, "print JSON");
  addLaunchOptions(command, options.launch);
  addTextOptions(command, options.text);
  command.footer(
      "The options of a launch (--n to --arg) are for --worker; a recording has its own.\n"
      "Exit status: 0 done; 1 nothing was recorded of the strategy, or the worker or Nsight Compute failed; "
      "2 wrong usage.");
}

int whyCommand(const WhyOptions& options) {
  const std::size_t targets = options.launch.targets.size();
  if (targets > 2 || (targets == 2 && options.isLive))
    return refuse(Error{"why takes one strategy, or of a recording two to compare.",
                        "Without one it prints the table of all."},
                  kWrongUsage, options.json);
  if (targets == 2) return differenceCommand(options);
  if (options.isLive) {
    if (options.launch.targets.empty() || options.launch.targets.front() == "all")
      return refuse(Error{"--worker needs a strategy or a .cu file to profile.",
                          "lanescope-gpu profile all --record FILE records all."},
                    kWrongUsage, options.json);
    return liveCommand(options);
  }
  if (options.launch.targets.empty()) return tableCommand(options);
  const std::string& target = options.launch.targets.front();
  if (const Strategy* const strategy = findStrategy(target)) return recordedCommand(options, *strategy);
  return noSuchStrategy(options, target);
}

}  // namespace lanescope::cli
