#include "app/cli/why_command.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/cli/check_command.h"
#include "app/cli/exit_status.h"
#include "app/cli/status_line.h"
#include "app/cli/why_output.h"
#include "app/analysis/floor_report.h"
#include "app/gpu/worker_client.h"
#include "kernels/strategies/near_names.h"
#include "sim/language/parse/device_text.h"

namespace lanescope::cli {
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
  const HelloMessage gpu = *view->data.hello();
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
    return now.state == WorkerState::Failed || (now.edited.run() == *run && now.edited.finished());
  });
  const EditedRun& outcome = view->edited;
  if (!outcome.problem().empty()) return refuse(Error{outcome.problem()}, kFailed, options.json);
  if (!outcome.profile())
    return refuse(Error{stopWanted != 0 ? "The profile was canceled." : view->sentence}, kFailed,
                  options.json);
  LaunchProfile profile = *outcome.profile();
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
