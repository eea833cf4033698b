#include "app/cli/commands.h"

#include <fmt/format.h>

#include "sim/base/json.h"
#include "sim/trace/luck.h"

namespace lanescope::cli {
namespace {

std::string outcomeText(const OrderOutcome& outcome) {
  switch (outcome.verdict) {
    case LuckVerdict::Same: return "same";
    case LuckVerdict::Fails: return outcome.failure;
    default: break;
  }
  return fmt::format("{}[{}] is {}, as run {}; {} differ{}{}", outcome.array, outcome.index, outcome.found,
                     outcome.expected, outcome.differing, outcome.differing == 1 ? "s" : "",
                     outcome.verdict == LuckVerdict::Rounding ? ", by rounding only" : "");
}

/// All seeds of one random order in a row, by the gravest.
std::vector<std::string> seedsRow(const LuckReport& report, const Order& kind) {
  const OrderOutcome* worst = nullptr;
  unsigned seeds = 0;
  unsigned differing = 0;
  for (const OrderOutcome& outcome : report.orders) {
    const Order& order = outcome.order;
    if (order.seed == 0 || order.units != kind.units || order.pick != kind.pick ||
        order.blocks != kind.blocks)
      continue;
    ++seeds;
    differing += outcome.verdict == LuckVerdict::Same ? 0 : 1;
    if (worst == nullptr || outcome.verdict > worst->verdict) worst = &outcome;
  }
  const std::string name = kind.name();
  const std::string what = name.substr(0, name.find(','));
  if (differing == 0) return {what, fmt::format("{} seeds: same", seeds)};
  return {what, fmt::format("{} of {} seeds differ; seed {}: {}", differing, seeds, worst->order.seed,
                            outcomeText(*worst))};
}

/// `lanescope.luck/1`: the verdict, and the first difference that each order left; as text a line per order.
Report describe(const Launch& launch, const LuckReport& luck) {
  Report report("lanescope.luck/1");
  report.set({{"kernel", luck.kernel},
              {"machine", launch.machine.name},
              {"verdict", luckVerdictName(luck.verdict)},
              {"message", luck.sentence},
              {"seeds", {{"asked", luck.seedsAsked}, {"tried", luck.seedsTried}}},
              {"left_out", luck.leftOut}});
  report.add("orders", {});
  ReportTable table({{"", -27}, {"", -1}});
  for (const OrderOutcome& outcome : luck.orders) {
    Json entry = {{"order", outcome.order.name()}, {"verdict", luckVerdictName(outcome.verdict)}};
    if (outcome.verdict == LuckVerdict::Fails) {
      entry["message"] = outcome.failure;
    } else if (outcome.verdict != LuckVerdict::Same) {
      entry.update(Json{{"array", outcome.array},
                        {"index", outcome.index},
                        {"expected", outcome.expected},
                        {"found", outcome.found},
                        {"differing", outcome.differing}});
    }
    report.add("orders", std::move(entry));
    if (outcome.order.seed == 0) table.row({outcome.order.name(), outcomeText(outcome)});
    if (outcome.order.seed == 1) table.row(seedsRow(luck, outcome.order));
  }
  if (!luck.leftOutText.empty()) table.say(luck.leftOutText);
  if (luck.seedsTried < luck.seedsAsked)
    table.say(fmt::format("seeds: {} of {} tried, the budget of instructions is spent", luck.seedsTried,
                          luck.seedsAsked));
  return report.print(table).say("\n" + luck.sentence);
}

struct LuckArguments {
  LaunchRequest request;
  unsigned seeds = 8;
  bool json = false;
};

int luckCommand(const LuckArguments& options) {
  const auto launch = readLaunch(options.request);
  if (!launch) return refuse(launch.error(), kWrongUsage, options.json);
  const auto report = tryOrders(*launch, {.seeds = options.seeds});
  if (!report) return refuse(report.error(), kWrongUsage, options.json, launch->source.get());
  const int written = printed(describe(*launch, *report), options.json);
  return report->verdict >= LuckVerdict::Depends ? kFailed : written;
}

}  // namespace

Command addLuckCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "luck",
      "Run a launch in other legal orders of warps, lanes and blocks; say whether its result depends");
  const auto options = std::make_shared<LuckArguments>();
  command->footer(
      "Exit status: 0 it does not; 1 it does, or an order fails or never ends; 2 wrong usage, also a launch "
      "too large.");
  addSimulationOptions(*command, options->request);
  command->add_flag("--json", options->json, "print JSON");
  command->add_option("--seeds", options->seeds, "seeds to try of each random order (default 8)")
      ->check(CLI::Range(0u, 1000u));
  return {command, [options] { return luckCommand(*options); }};
}

}  // namespace lanescope::cli
