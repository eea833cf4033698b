#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/analysis/profiles.h"
#include "app/analysis/recording.h"
#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/launch/strategy_launch.h"
#include "kernels/protocol/bench_rules.h"
#include "kernels/strategies/shape.h"
#include "sim/base/json.h"
#include "sim/machine/run/launch.h"
#include "sim/memory/counters.h"

namespace lanescope::cli {

/// Every experiment: id, title, kernels.
std::string experimentsText();
/// `lanescope.experiments/1`.
std::string experimentsJson();

/// An experiment's times: a row for each kernel, then each change's effect, everything else equal, then the
/// limit of each kernel that was profiled.
std::string timesText(const ExperimentTimes& times, const ExperimentProfiles& profiles);
/// `lanescope.experiment/1`.
std::string timesJson(const ExperimentTimes& times, const ExperimentProfiles& profiles);

/// The simulator's counters: a row for each kernel, in the order of `variants`.
std::string countersText(const Experiment& experiment, const std::vector<Variant>& variants,
                         const std::vector<Counters>& counters);
/// `lanescope.experiment/1`, with counters instead of times.
std::string countersJson(const Experiment& experiment, const std::vector<Variant>& variants,
                         const std::vector<Counters>& counters);

namespace {

constexpr std::size_t kNarrowestColumn = 10;  ///< of counters

std::size_t widestName(const std::vector<Variant>& variants) {
  std::size_t width = 0;
  for (const Variant& variant : variants) width = std::max(width, variant.name.size());
  return width;
}

Json levelsJson(const Experiment& experiment, const Variant& variant) {
  Json levels = Json::object();
  for (std::size_t f = 0; f < experiment.factors.size(); ++f)
    levels[experiment.factors[f].name] = experiment.factors[f].levels[variant.levels[f]].name;
  return levels;
}

Json experimentHeadJson(const Experiment& experiment) {
  return {{"schema", "lanescope.experiment/1"},
          {"experiment", experiment.id},
          {"title", experiment.title},
          {"question", experiment.question},
          {"lessons", experiment.lessons}};
}

Json kernelJson(const Experiment& experiment, const Variant& variant) {
  return {{"name", variant.name},
          {"strategy", variant.base->id},
          {"levels", levelsJson(experiment, variant)},
          {"block", variant.block}};
}

std::string kernelRow(const ExperimentTimes& times, std::size_t index, std::size_t width) {
  const auto& result = times.results[index];
  const std::string& name = times.variants[index].name;
  if (!result) return fmt::format("  {:<{}}  not timed\n", name, width);
  if (!result->verified) return fmt::format("  {:<{}}  wrong result\n", name, width);
  const double first = times.us(0);
  std::string row =
      fmt::format("  {:<{}}  {:>11.2f} µs  {:>7.1f} GB/s", name, width, result->medianUs, result->gbps);
  if (first > 0) row += fmt::format("  {:>6.3f}", result->medianUs / first);
  if (result->registers > 0)
    row += fmt::format("  {:>3} registers, {:>2} blocks per SM", result->registers, result->residentBlocks);
  return row + "\n";
}

/// `36`; a share has a tenth of a percent: kernels that differ in one thing may differ by no more.
std::string formatFigure(const CounterInfo& counter, const Counters& counters) {
  if (!counter.isShare() || counter.whole(counters) == 0) return counter.text(counters, "none");
  return fmt::format("{:.1f}%", 100 * static_cast<double>(counter.value(counters)) /
                                    static_cast<double>(counter.whole(counters)));
}

/// A row for each profiled kernel, under a heading; empty if there is none.
std::string profilesText(const std::vector<Variant>& variants, const ExperimentProfiles& profiles) {
  const std::size_t width = widestName(variants);
  std::string rows;
  for (std::size_t i = 0; i < profiles.clauses.size(); ++i) {
    if (!profiles.clauses[i].empty())
      rows += fmt::format("  {:<{}}  {}\n", variants[i].name, width, profiles.clauses[i]);
  }
  return rows.empty() ? rows : "\nProfiled on " + profiles.source + "\n" + rows;
}

}  // namespace

std::string experimentsText() {
  std::string text;
  for (const Experiment& experiment : experiments()) {
    text +=
        fmt::format("{:<20} {} ({} kernels)\n", experiment.id, experiment.title, experiment.variantCount());
  }
  return text;
}

std::string experimentsJson() {
  Json json{{"schema", "lanescope.experiments/1"}, {"experiments", Json::array()}};
  for (const Experiment& experiment : experiments()) {
    json["experiments"].push_back({{"id", experiment.id},
                                   {"title", experiment.title},
                                   {"kernels", experiment.variantCount()},
                                   {"lessons", experiment.lessons}});
  }
  return jsonText(json);
}

std::string timesText(const ExperimentTimes& times, const ExperimentProfiles& profiles) {
  const Experiment& experiment = *times.experiment;
  const std::size_t width = widestName(times.variants);
  std::string text = fmt::format("{}\n\n{}\n\n", experiment.title, experiment.question);
  if (!times.source.empty()) text += times.source + "; ";
  text += fmt::format("N = {}, {}, {}; medians, and ratios to the first\n", sizeText(experiment.n),
                      elementTypeName(experiment.type),
                      experiment.isWarm ? "L2 warm" : "L2 flushed before each sample");
  text += "  " + factorNames(experiment) + ":\n";
  for (std::size_t i = 0; i < times.variants.size(); ++i) text += kernelRow(times, i, width);
  std::string last;
  for (const Effect& effect : listEffects(experiment)) {
    const double from = times.us(effect.from);
    const double to = times.us(effect.to);
    if (from <= 0 || to <= 0) continue;
    const std::string title = effectTitle(experiment, effect);
    if (title != last) text += "\n" + title + "\n";
    last = title;
    const std::string place = effectPlace(experiment, times.variants[effect.to], effect.factor);
    text += fmt::format("  {:<{}}  {:>11.2f} -> {:>8.2f} µs  {:>6.3f}\n", place, width, from, to, to / from);
  }
  return text + profilesText(times.variants, profiles);
}

std::string timesJson(const ExperimentTimes& times, const ExperimentProfiles& profiles) {
  const Experiment& experiment = *times.experiment;
  Json json = experimentHeadJson(experiment);
  json["n"] = experiment.n;
  json["source"] = times.source;
  json["kernels"] = Json::array();
  for (std::size_t i = 0; i < times.variants.size(); ++i) {
    Json kernel = kernelJson(experiment, times.variants[i]);
    const auto& result = times.results[i];
    kernel["verified"] = result ? Json(result->verified) : Json(nullptr);
    kernel["median_us"] = times.us(i) > 0 ? Json(times.us(i)) : Json(nullptr);
    if (times.us(i) > 0) {
      kernel["q1_us"] = result->q1Us;
      kernel["q3_us"] = result->q3Us;
      kernel["samples"] = result->samples;
      kernel["gbps"] = result->gbps;
      kernel["grid"] = result->grid;
      kernel["registers"] = result->registers;
      kernel["resident_blocks"] = result->residentBlocks;
    }
    const bool isProfiled = i < profiles.clauses.size() && !profiles.clauses[i].empty();
    kernel["limit"] = isProfiled ? Json(profiles.clauses[i]) : Json(nullptr);
    json["kernels"].push_back(std::move(kernel));
  }
  json["effects"] = Json::array();
  for (const Effect& effect : listEffects(experiment)) {
    const double from = times.us(effect.from);
    const double to = times.us(effect.to);
    const ExperimentFactor& factor = experiment.factors[effect.factor];
    json["effects"].push_back({{"factor", factor.name},
                               {"from", factor.levels.front().name},
                               {"to", factor.levels[effect.level].name},
                               {"at", effectPlace(experiment, times.variants[effect.to], effect.factor)},
                               {"ratio", from > 0 && to > 0 ? Json(to / from) : Json(nullptr)}});
  }
  return jsonText(json);
}

std::string countersText(const Experiment& experiment, const std::vector<Variant>& variants,
                         const std::vector<Counters>& counters) {
  const std::size_t width = widestName(variants);
  std::string text =
      fmt::format("{}\n\n{}\n\nSimulated: N = {}, {}\n  {:<{}}", experiment.title, experiment.question,
                  sizeText(experiment.simulatedN), elementTypeName(experiment.type), "", width);
  const std::vector<const CounterInfo*> columns = countersOn(kExperiment);
  const auto measureWidth = [](const CounterInfo& column) {
    return std::max<std::size_t>(column.briefly().size(), kNarrowestColumn);
  };
  for (const CounterInfo* column : columns)
    text += fmt::format("  {:>{}}", column->briefly(), measureWidth(*column));
  text += "\n";
  for (std::size_t i = 0; i < variants.size(); ++i) {
    text += fmt::format("  {:<{}}", variants[i].name, width);
    for (const CounterInfo* column : columns)
      text += fmt::format("  {:>{}}", formatFigure(*column, counters[i]), measureWidth(*column));
    text += "\n";
  }
  return text;
}

std::string countersJson(const Experiment& experiment, const std::vector<Variant>& variants,
                         const std::vector<Counters>& counters) {
  Json json = experimentHeadJson(experiment);
  json["n"] = experiment.simulatedN;
  json["kernels"] = Json::array();
  for (std::size_t i = 0; i < variants.size(); ++i) {
    Json kernel = kernelJson(experiment, variants[i]);
    for (const NamedCounter& counter : allCounters(counters[i]))
      kernel["counters"][counter.name] = counter.value;
    json["kernels"].push_back(std::move(kernel));
  }
  return jsonText(json);
}

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
                              : view->data->lastError().empty()
                                  ? "A kernel was not timed, or its result is wrong."
                                  : view->data->lastError();
  return printTimes(readTimes(experiment, *view->data), {}, missing, options.json);
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
