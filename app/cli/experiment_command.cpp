#include <algorithm>
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
namespace {

/// The options of `lanescope-cli experiment`.
struct ExperimentArguments {
  std::string id;  ///< empty: list them
  bool simulate = false;
  bool isLive = false;  ///< --worker was given
  std::string worker;
  std::string recording;  ///< a file; if empty, the one that ships
  std::uint32_t maxSamples = 40;
  bool json = false;
};

/// The column of the kernels' names: as wide in each table.
ReportColumn nameColumn(const std::vector<Variant>& variants) {
  std::size_t width = 1;
  for (const Variant& variant : variants) width = std::max(width, variant.name.size());
  return {"", -static_cast<int>(width)};
}

Json levelsJson(const Experiment& experiment, const Variant& variant) {
  Json levels = Json::object();
  for (std::size_t f = 0; f < experiment.factors.size(); ++f)
    levels[experiment.factors[f].name] = experiment.factors[f].levels[variant.levels[f]].name;
  return levels;
}

/// `lanescope.experiment/1`, without its kernels.
Report beginReport(const Experiment& experiment, std::uint64_t n) {
  Report report("lanescope.experiment/1");
  report.say(fmt::format("{}\n\n{}\n", experiment.title, experiment.question));
  return report.set({{"experiment", experiment.id},
                     {"title", experiment.title},
                     {"question", experiment.question},
                     {"lessons", experiment.lessons},
                     {"n", n}});
}

Json kernelJson(const Experiment& experiment, const Variant& variant) {
  return {{"name", variant.name},
          {"strategy", variant.base->id},
          {"levels", levelsJson(experiment, variant)},
          {"block", variant.block}};
}

std::vector<std::string> kernelRow(const ExperimentTimes& times, std::size_t index) {
  const auto& result = times.results[index];
  const std::string& name = times.variants[index].name;
  if (!result) return {name, "not timed"};
  if (!result->verified) return {name, "wrong result"};
  const double first = times.us(0);
  return {name, fmt::format("{:.2f} µs", result->medianUs), fmt::format("{:.1f} GB/s", result->gbps),
          first > 0 ? fmt::format("{:.3f}", result->medianUs / first) : "",
          result->registers > 0
              ? fmt::format("{:>3} registers, {:>2} blocks per SM", result->registers, result->residentBlocks)
              : ""};
}

/// `36`; a share has a tenth of a percent: kernels that differ in one thing may differ by no more.
std::string formatFigure(const CounterInfo& counter, const Counters& counters) {
  if (!counter.isShare() || counter.whole(counters) == 0) return counter.text(counters, "none");
  return fmt::format("{:.1f}%", 100 * static_cast<double>(counter.value(counters)) /
                                    static_cast<double>(counter.whole(counters)));
}

/// Every experiment: id, title, kernels. `lanescope.experiments/1`.
Report listExperiments() {
  Report report("lanescope.experiments/1");
  report.add("experiments", {});
  ReportTable table({{"", -20}, {"", -1}});
  for (const Experiment& experiment : experiments()) {
    table.row({std::string(experiment.id),
               fmt::format("{} ({} kernels)", experiment.title, experiment.variantCount())});
    report.add("experiments", {{"id", experiment.id},
                               {"title", experiment.title},
                               {"kernels", experiment.variantCount()},
                               {"lessons", experiment.lessons}});
  }
  return report.print(table);
}

/// An experiment's times: a row for each kernel, then each change's effect, everything else equal, then the
/// limit of each kernel that was profiled.
Report describe(const ExperimentTimes& times, const ExperimentProfiles& profiles) {
  const Experiment& experiment = *times.experiment;
  Report report = beginReport(experiment, experiment.n);
  report.set("source", times.source).add("kernels", {});
  const ReportColumn name = nameColumn(times.variants);
  ReportTable rows({name, {"", 14}, {"", 12}, {"", 6}, {"", -1}}, 2, 2);
  ReportTable limits({name, {"", -1}}, 2, 2);
  for (std::size_t i = 0; i < times.variants.size(); ++i) {
    Json kernel = kernelJson(experiment, times.variants[i]);
    const auto& result = times.results[i];
    kernel["verified"] = result ? Json(result->verified) : Json(nullptr);
    kernel["median_us"] = valueIf(times.us(i) > 0, times.us(i));
    if (times.us(i) > 0) {
      kernel.update(Json{{"q1_us", result->q1Us},
                         {"q3_us", result->q3Us},
                         {"samples", result->samples},
                         {"gbps", result->gbps},
                         {"grid", result->grid},
                         {"registers", result->registers},
                         {"resident_blocks", result->residentBlocks}});
    }
    const std::string limit = i < profiles.clauses.size() ? profiles.clauses[i] : "";
    kernel["limit"] = valueIf(!limit.empty(), limit);
    report.add("kernels", std::move(kernel));
    rows.row(kernelRow(times, i));
    if (!limit.empty()) limits.row({times.variants[i].name, limit});
  }
  report.add("effects", {});
  ReportTable effects({name, {"", 26}, {"", 6}}, 2, 2);
  std::string last;
  for (const Effect& effect : listEffects(experiment)) {
    const double from = times.us(effect.from);
    const double to = times.us(effect.to);
    const bool isTimed = from > 0 && to > 0;
    const ExperimentFactor& factor = experiment.factors[effect.factor];
    const std::string place = effectPlace(experiment, times.variants[effect.to], effect.factor);
    report.add("effects", {{"factor", factor.name},
                           {"from", factor.levels.front().name},
                           {"to", factor.levels[effect.level].name},
                           {"at", place},
                           {"ratio", valueIf(isTimed, to / from)}});
    if (!isTimed) continue;
    const std::string title = effectTitle(experiment, effect);
    if (title != last) effects.say("\n" + title);
    last = title;
    effects.row({place, fmt::format("{:.2f} -> {:>8.2f} µs", from, to), fmt::format("{:.3f}", to / from)});
  }
  report.say(fmt::format("{}{}N = {}, {}, {}; medians, and ratios to the first", times.source,
                         times.source.empty() ? "" : "; ", sizeText(experiment.n),
                         elementTypeName(experiment.type),
                         experiment.isWarm ? "L2 warm" : "L2 flushed before each sample"));
  report.say("  " + factorNames(experiment) + ":").print(rows).print(effects);
  const std::string limited = limits.text();
  return limited.empty() ? report : report.say("\nProfiled on " + profiles.source).print(limited);
}

/// The simulator's counters: a row for each kernel, in the order of `variants`.
Report describe(const Experiment& experiment, const std::vector<Variant>& variants,
                const std::vector<Counters>& counters) {
  Report report = beginReport(experiment, experiment.simulatedN);
  const std::vector<const CounterInfo*> shown = countersOn(kExperiment);
  std::vector<ReportColumn> columns{nameColumn(variants)};
  for (const CounterInfo* counter : shown) columns.push_back({std::string(counter->briefly()), 10});
  ReportTable table(std::move(columns), 2, 2);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    Json kernel = kernelJson(experiment, variants[i]);
    for (const NamedCounter& counter : allCounters(counters[i]))
      kernel["counters"][counter.name] = counter.value;
    report.add("kernels", std::move(kernel));
    std::vector<std::string> words{variants[i].name};
    for (const CounterInfo* counter : shown) words.push_back(formatFigure(*counter, counters[i]));
    table.row(std::move(words));
  }
  return report
      .say(fmt::format("Simulated: N = {}, {}", sizeText(experiment.simulatedN),
                       elementTypeName(experiment.type)))
      .print(table);
}

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
  return printed(describe(experiment, *variants, counters), json);
}

int printTimes(const ExperimentTimes& times, const ExperimentProfiles& profiles, const std::string& missing,
               bool json) {
  const int status = printed(describe(times, profiles), json);
  if (times.isComplete()) return status;
  fmt::print(stderr, "{}\n", missing);
  return kFailed;
}

int timeExperiment(const Experiment& experiment, const ExperimentArguments& options) {
  WorkerOptions worker;
  worker.command = options.worker;
  WorkerClient client(worker);
  const auto run = client.experiment({0, experiment.id, 0, options.maxSamples});
  if (!run) return refuse(run.error(), kWrongUsage, options.json);
  const auto view = awaitRuns(client, 1);
  if (view->state == WorkerState::Failed) return refuse(Error{view->sentence}, kFailed, options.json);
  const std::string missing = wasInterrupted() ? "The run was canceled; the results until then are shown."
                              : view->data->lastError().empty()
                                  ? "A kernel was not timed, or its result is wrong."
                                  : view->data->lastError();
  return printTimes(readTimes(experiment, *view->data), {}, missing, options.json);
}

int showRecording(const Experiment& experiment, const ExperimentArguments& options) {
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

int experimentCommand(const ExperimentArguments& options) {
  if (options.id.empty()) return printed(listExperiments(), options.json);
  const Experiment* const experiment = findExperiment(options.id);
  if (experiment == nullptr) return refuse(noSuchExperiment(options.id), kWrongUsage, options.json);
  if (options.simulate) return simulateExperiment(*experiment, options.json);
  return options.isLive ? timeExperiment(*experiment, options) : showRecording(*experiment, options);
}

}  // namespace

Command addExperimentCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "experiment", "Compare kernels that differ in one thing each: what each change brings, all else equal");
  const auto options = std::make_shared<ExperimentArguments>();
  command->footer(
      "Without an id, lists the experiments. Without --simulate and --worker, prints the recorded times.\n"
      "Exit status: 0 done; 1 the worker or a kernel failed, a result is wrong, or a time is missing; 2 "
      "wrong usage.");
  command->add_option("id", options->id, "an experiment's id");
  auto* const simulating =
      command->add_flag("--simulate", options->simulate, "the kernels' counters side by side, no GPU");
  auto* const worker =
      command
          ->add_option("--worker", options->worker,
                       "time them now, in one interleaved run: the worker's command, as lanescope-gpu")
          ->excludes(simulating);
  command->add_option("--recording", options->recording, "a recording's file (default: the one that ships)")
      ->excludes(simulating)
      ->excludes(worker);
  command
      ->add_option("--max-samples", options->maxSamples,
                   "with --worker, the most samples of a kernel (default 40)")
      ->check(CLI::Range(1u, 10000u));
  command->add_flag("--json", options->json, "print JSON");
  return {command, [command, options] {
            options->isLive = command->count("--worker") > 0;
            return experimentCommand(*options);
          }};
}

}  // namespace lanescope::cli
