#include "app/cli/experiment_command.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/cli/await_runs.h"
#include "app/cli/check_command.h"
#include "app/cli/exit_status.h"
#include "app/cli/experiment_output.h"
#include "app/launch/strategy_launch.h"
#include "app/analysis/experiment_profiles.h"
#include "kernels/protocol/experiment_rules.h"
#include "sim/machine/run/simulate.h"

namespace lanescope::cli {
namespace {

int simulateExperiment(const Experiment& experiment, bool json) {
  const auto variants = makeVariants(experiment);
  if (!variants) return refuse(variants.error(), kFailed, json);
  std::vector<Counters> counters;
  for (const Variant& variant : *variants) {
    if (variant.work != HostWork::None)
      return refuse(Error{"'" + experiment.id + "' times work of the host, which is not simulated.",
                          "Leave --simulate out."},
                    kWrongUsage, json);
    const auto launch = makeLaunch(variant, experiment);
    if (!launch) return refuse(launch.error(), kFailed, json);
    const auto simulation = simulate(*launch);
    if (!simulation) return refuse(simulation.error(), kFailed, json);
    counters.push_back(simulation->counters);
  }
  return printed(json ? countersJson(experiment, *variants, counters)
                      : countersText(experiment, *variants, counters));
}

int printTimes(const ExperimentTimes& times, const ExperimentProfiles& profiles, const std::string& missing,
               bool json) {
  const int status = printed(json ? timesJson(times, profiles) : timesText(times, profiles));
  if (times.isComplete()) return status;
  fmt::print(stderr, "{}\n", missing);
  return kFailed;
}

int timeExperiment(const Experiment& experiment, const ExperimentCommandOptions& options) {
  WorkerOptions worker;
  worker.command = options.worker;
  WorkerClient client(worker);
  const auto run = client.experiment({0, experiment.id, 0, options.maxSamples});
  if (!run) return refuse(run.error(), kWrongUsage, options.json);
  const auto view = awaitRuns(client, 1);
  if (view->state == WorkerState::Failed) return refuse(Error{view->sentence}, kFailed, options.json);
  const std::string missing = wasInterrupted() ? "The run was canceled; what is shown was done before."
                              : view->data.lastError().empty()
                                  ? "A kernel was not timed, or its result is wrong."
                                  : view->data.lastError();
  return printTimes(readTimes(experiment, view->data), {}, missing, options.json);
}

int showRecording(const Experiment& experiment, const ExperimentCommandOptions& options) {
  const auto recording = options.recording.empty() ? shippedExperiments() : loadRecording(options.recording);
  if (!recording)
    return refuse(recording.error(), options.recording.empty() ? kFailed : kWrongUsage, options.json);
  const ExperimentTimes times = readTimes(experiment, recording->data());
  // The profiles that ship are from the same GPU as the times that ship.
  const auto profiled = shippedExperimentProfiles();
  const bool isShipped = options.recording.empty() && profiled.ok();
  return printTimes(times, isShipped ? readProfiles(times.variants, *profiled) : ExperimentProfiles{},
                    "The recording does not have every kernel of '" + experiment.id + "'.", options.json);
}

}  // namespace

CLI::App* addExperimentCommand(CLI::App& app, ExperimentCommandOptions& options) {
  CLI::App* const command = app.add_subcommand(
      "experiment", "Compare kernels that differ in one thing each: what each change brings, all else equal");
  command->footer(
      "Without an id, lists the experiments. Without --simulate and --worker, prints the recorded times.\n"
      "Exit status: 0 done; 1 the worker or a kernel failed, a result is wrong, or a time is missing; 2 "
      "wrong usage.");
  command->add_option("id", options.id, "an experiment's id");
  auto* const simulating =
      command->add_flag("--simulate", options.simulate, "the kernels' counters side by side, no GPU");
  auto* const worker =
      command
          ->add_option("--worker", options.worker,
                       "time them now, in one interleaved run: the worker's command, as lanescope-gpu")
          ->excludes(simulating);
  command->add_option("--recording", options.recording, "a recording's file (default: the one that ships)")
      ->excludes(simulating)
      ->excludes(worker);
  command
      ->add_option("--max-samples", options.maxSamples,
                   "with --worker, the most samples of a kernel (default 40)")
      ->check(CLI::Range(1u, 10000u));
  command->add_flag("--json", options.json, "print JSON");
  return command;
}

int experimentCommand(const ExperimentCommandOptions& options) {
  if (options.id.empty()) return printed(options.json ? experimentsJson() : experimentsText());
  const Experiment* const experiment = findExperiment(options.id);
  if (experiment == nullptr) return refuse(noSuchExperiment(options.id), kWrongUsage, options.json);
  if (options.simulate) return simulateExperiment(*experiment, options.json);
  return options.isLive ? timeExperiment(*experiment, options) : showRecording(*experiment, options);
}

}  // namespace lanescope::cli
