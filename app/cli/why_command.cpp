#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/analysis/cost.h"
#include "app/analysis/diagnosis.h"
#include "app/analysis/floor_report.h"
#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/export/pictures.h"
#include "app/gpu/worker_client.h"
#include "app/pictures/cost_scene.h"
#include "app/pictures/difference_scene.h"
#include "kernels/strategies/catalogue.h"
#include "kernels/strategies/shape.h"
#include "sim/base/json.h"
#include "sim/base/write_file.h"
#include "sim/language/parse/syntax.h"

namespace lanescope::cli {
namespace {

/// A profile, its source, and its diagnosis.
struct Why {
  std::string origin;  ///< the GPU and the day, or that it is live
  const LaunchProfile* profile = nullptr;
  Diagnosis diagnosis;
};

/// Lines with a smaller share of the samples are not printed; JSON has them all.
constexpr double kLeastPrintedShare = 0.01;

/// The options of `lanescope-cli why`.
struct WhyArguments {
  LaunchOptions launch;   ///< of a live worker; its targets are valid for both
  TextOptions text;       ///< of a file
  std::string recording;  ///< a file; if empty, the one that ships
  std::string worker;     ///< a command: if not empty, profile there instead
  bool isLive = false;    ///< a worker was requested
  bool json = false;
  std::string output;          ///< a picture to write, in place of the text; empty: none
  std::string theme = "dark";  ///< of the picture
};

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
  Json json{{"strategy", valueIf(!kernel.strategy.empty(), kernel.strategy)},
            {"kernel", kernel.kernel},
            {"n", valueIf(kernel.n != 0, kernel.n)},
            {"grid", kernel.grid},
            {"block", kernel.block},
            {"origin", why.origin},
            {"tool", kernel.tool}};
  json["limiting_unit"] = limitJson(why.diagnosis);
  json["diagnosis"] = why.diagnosis.sentence;
  return json;
}

std::string percentText(double share) { return fmt::format("{:.1f}%", 100 * share); }

/// `lanescope.why/1`; as text the diagnosis, units, the warps' stalls, and the lines over kLeastPrintedShare.
Report describe(const Why& why) {
  const Diagnosis& diagnosis = why.diagnosis;
  Report report("lanescope.why/1");
  report.set(headJson(why))
      .set("duration_us", valueIf(diagnosis.durationUs > 0, diagnosis.durationUs))
      .add("units", {});
  for (const UnitLoad& unit : diagnosis.units)
    report.add("units", {{"unit", unit.name}, {"percent", unit.percent}});
  Json metrics = Json::object();
  for (const MeasuredMetric& metric : why.profile->kernel.metrics)
    metrics[metric.name] = metric.value ? Json(*metric.value) : Json(nullptr);
  report.set({{"occupancy", valueIf(!diagnosis.occupancy.empty(), diagnosis.occupancy)},
              {"metrics", std::move(metrics)},
              {"samples", diagnosis.samples},
              {"inst_executed", diagnosis.executed},
              {"share_in_headers", diagnosis.outside},
              {"stalls", stallsJson(diagnosis.stalls)}});
  report.say(makeTitle(why) + "\n\n" + diagnosis.sentence);
  report.say("Percent of peak: " + unitsText(diagnosis) + ".");
  if (!diagnosis.occupancy.empty()) report.say(diagnosis.occupancy);
  if (diagnosis.durationUs > 0)
    report.say(fmt::format("Time under the profiler: {:.1f} us.", diagnosis.durationUs));
  ReportTable stalls({{"share", 6}, {"of the warps' time", -1}});
  for (const StallShare& stall : diagnosis.stalls) {
    if (stall.share < kLeastPrintedShare) continue;
    stalls.row({percentText(stall.share),
                fmt::format("{} ({})", stall.reason.words,
                            stall.reason.nsight.empty() ? stall.id : std::string(stall.reason.nsight))});
  }
  report.say().print(stalls).say().add("lines", {});
  ReportTable lines({{"share", 6}, {"line", 5}, {"instr/warp", 10}, {"main stall", -42}, {"text", -1}});
  for (const LineShare& line : diagnosis.lines) {
    report.add("lines", lineJson(line));
    if (line.share < kLeastPrintedShare) continue;
    lines.row({percentText(line.share), std::to_string(line.line),
               fmt::format("{:.1f}", line.instructionsPerWarp), stallText(line), line.text});
  }
  if (diagnosis.outside > 0) lines.row({percentText(diagnosis.outside), "    in code of headers"});
  return report.print(lines);
}

std::string strategyId(const ProfileSide& side) { return side.profile->profile->kernel.strategy; }

/// `baseline, N = 2^26, 256 threads per block`
std::string launchText(const ProfileSide& side) {
  CostSetting setting = settingOf(*side.profile);
  setting.gpu = strategyId(side);
  return settingText(setting);
}

/// `lanescope.why-difference/1`: the kernels' times, their warps' stalls, their costliest lines.
Report describe(const ProfileSide& left, const ProfileSide& right) {
  constexpr std::size_t kMostLines = 3;
  Report report("lanescope.why-difference/1");
  report.set({{"left", strategyId(left)}, {"right", strategyId(right)}, {"origin", left.profile->origin}});
  report.say(
      fmt::format("left: {}\nright: {}\n({})", launchText(left), launchText(right), left.profile->origin));
  report.add("differences", {});
  for (const DifferenceGroup& group : profileDifferences(left, right)) {
    ReportTable table(
        {{std::string(group.title), -32}, {"left", 11}, {"right", 11}, {"difference", 11}, {"ratio", 9}});
    for (const CounterDifference& row : group.rows) {
      table.row({row.name, row.left, row.right, row.difference, row.ratio});
      report.add("differences", {{"group", group.title},
                                 {"name", row.name},
                                 {"left", row.left},
                                 {"right", row.right},
                                 {"difference", row.difference},
                                 {"ratio", row.ratio}});
    }
    report.say().print(table);
  }
  for (const auto& [title, side] : {std::pair<std::string, const ProfileSide*>("left", &left),
                                    std::pair<std::string, const ProfileSide*>("right", &right)}) {
    const std::vector<std::string> lines = costliestLines(*side, kMostLines);
    report.say("\n" + title + ": " + side->profile->diagnosis.sentence);
    for (const std::string& line : lines) report.say("  " + line);
    if (side->floors != nullptr) report.say(floorSentence(side->floors->floors, 0));
    report.set(title + "_lines", lines);
    report.set(title + "_floor_us",
               side->floors == nullptr ? Json(nullptr) : Json(side->floors->floors.us()));
  }
  return report;
}

constexpr std::chrono::milliseconds kLook{100};
constexpr const char* kHowToRecord =
    "Record one on a machine with Nsight Compute: lanescope-gpu profile {} --record FILE, then why {} "
    "--recording FILE; or profile it now with --worker.";

volatile std::sig_atomic_t stopWanted = 0;

Result<ProfileRecording> readRecording(const WhyArguments& options) {
  return options.recording.empty() ? shippedProfiles() : loadProfiles(options.recording);
}

int notRecorded(const WhyArguments& options, const Strategy& strategy, const ProfileRecording& recording) {
  return refuse(Error{fmt::format("No profile of '{}' was recorded ({}).", strategy.id, recording.title()),
                      fmt::format(kHowToRecord, strategy.id, strategy.id)},
                kFailed, options.json);
}

int noSuchStrategy(const WhyArguments& options, const std::string& target) {
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

constexpr float kPictureWidth = 1200;

/// Draws the time of strategies by lines, on one scale: of one its chapter's.
int pictureCommand(const WhyArguments& options) {
  const Result<ImageKind> kind = findImageKind(options.output);
  if (!kind) return refuse(kind.error(), kWrongUsage, options.json);
  std::vector<const Strategy*> strategies;
  for (const std::string& target : options.launch.targets) {
    strategies.push_back(findStrategy(target));
    if (strategies.back() == nullptr) return noSuchStrategy(options, target);
  }
  if (strategies.empty())
    return refuse(Error{"A picture needs strategies.", "One is drawn with its chapter; several as they are."},
                  kWrongUsage, options.json);
  TextProfiles profiles;
  if (!profiles.problem().empty()) return refuse(Error{profiles.problem()}, kFailed, options.json);
  const Strategy& first = *strategies.front();
  CostCharts charts;
  const CostChart chart = strategies.size() == 1
                              ? charts.ofChapter(profiles, {&first, first.title, first.source, nullptr})
                              : charts.ofStrategies(profiles, strategies);
  if (chart.kernels.empty()) return refuse(Error{chart.note}, kFailed, options.json);
  const Result<ImageWriter> writer = ImageWriter::of(*kind, *findTheme(options.theme), 1);
  if (!writer) return refuse(writer.error(), kFailed, options.json);
  SceneContext context{.width = kPictureWidth, .still = true};
  context.height = 1.4F * leastCostHeight(chart, context, writer->measure());
  const Scene scene = costScene(chart, context, writer->measure());
  const Result<std::string> bytes = writer->write(scene, ColorRole::Panel);
  if (!bytes) return refuse(bytes.error(), kFailed, options.json);
  if (const auto problem = writeFile(options.output, *bytes)) return refuse(*problem, kFailed, options.json);
  fmt::print("Wrote {}.\n", options.output);
  return kDone;
}

int tableCommand(const WhyArguments& options) {
  const auto recording = readRecording(options);
  if (!recording)
    return refuse(recording.error(), options.recording.empty() ? kFailed : kWrongUsage, options.json);
  Report report("lanescope.why-table/1");
  report.say(recording->title()).add("strategies", {}).add("not_recorded", {});
  ReportTable table({{"strategy", -26},
                     {"limiting unit", -30},
                     {"line", 5},
                     {"share", 6},
                     {"main stall", -42},
                     {"text", -1}});
  std::string missing;
  for (const Strategy& strategy : strategies()) {
    const LaunchProfile* const profile = recording->find(strategy);
    if (profile == nullptr) {
      report.add("not_recorded", strategy.id);
      missing.append(missing.empty() ? "" : ", ").append(strategy.id);
      continue;
    }
    const Why why{recording->title(), profile, diagnose(*profile, strategy.source)};
    const LineShare* const line = why.diagnosis.costliestLine();
    Json fields = headJson(why);
    fields["costliest_line"] = line == nullptr ? Json(nullptr) : lineJson(*line);
    report.add("strategies", std::move(fields));
    std::vector<std::string> words{profile->kernel.strategy, limitText(why.diagnosis)};
    if (line != nullptr)
      words.insert(words.end(),
                   {std::to_string(line->line), percentText(line->share), stallText(*line), line->text});
    table.row(std::move(words));
  }
  report.print(table);
  if (!missing.empty())
    report.say("\nNo profile was recorded of " + missing +
               ".\nlanescope-gpu profile all --record FILE records them on a machine with Nsight Compute.");
  return printed(report, options.json);
}

int recordedCommand(const WhyArguments& options, const Strategy& strategy) {
  const auto recording = readRecording(options);
  if (!recording)
    return refuse(recording.error(), options.recording.empty() ? kFailed : kWrongUsage, options.json);
  const LaunchProfile* const profile = recording->find(strategy);
  if (profile == nullptr) return notRecorded(options, strategy, *recording);
  const Why why{recording->title(), profile, diagnose(*profile, strategy.source)};
  return printed(describe(why), options.json);
}

/// Two strategies' profiles of the recording, side by side.
int differenceCommand(const WhyArguments& options) {
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
  return printed(describe(left, right), options.json);
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
int liveCommand(const WhyArguments& options) {
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
  return printed(describe(why), options.json);
}

int whyCommand(const WhyArguments& options) {
  const std::size_t targets = options.launch.targets.size();
  if (!options.output.empty()) return pictureCommand(options);
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

}  // namespace

Command addWhyCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "why", "Say where a kernel's time goes, line by line, as Nsight Compute measured it");
  const auto options = std::make_shared<WhyArguments>();
  options->launch.n = "2^26";
  command->add_option(
      "target", options->launch.targets,
      "a strategy's id, or two to compare (default: the table of all), or with --worker a .cu file");
  auto* const recording =
      command->add_option("--recording", options->recording,
                          "a recording of lanescope-gpu profile (default: the one that ships)");
  command
      ->add_option("--worker", options->worker,
                   "profile on this worker's GPU now: its command, as 'ssh host lanescope-gpu'; '' for the "
                   "one beside this program")
      ->excludes(recording);
  command->add_flag("--json", options->json, "print JSON");
  command
      ->add_option("-o,--output", options->output,
                   "draw the time of these strategies line by line, all on one scale (of one: its "
                   "chapter's), as NAME.svg or NAME.png")
      ->excludes(recording)
      ->excludes("--worker");
  std::vector<std::string> themeNames;
  for (const Theme& theme : themes()) themeNames.emplace_back(theme.id);
  command->add_option("--theme", options->theme, "the picture's colors")
      ->check(CLI::IsMember(themeNames))
      ->capture_default_str();
  addLaunchOptions(*command, options->launch);
  addTextOptions(*command, options->text);
  command->footer(
      "The options of a launch (--n to --arg) are for --worker; a recording has its own.\n"
      "Exit status: 0 done; 1 nothing was recorded of the strategy, or the worker or Nsight Compute failed; "
      "2 wrong usage.");
  return {command, [command, options] {
            options->isLive = command->count("--worker") > 0;
            return whyCommand(*options);
          }};
}

}  // namespace lanescope::cli
