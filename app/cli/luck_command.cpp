#include "app/cli/commands.h"

#include <fmt/format.h>

#include "sim/base/json.h"

namespace lanescope::cli {

std::string luckJson(const Launch& launch, const LuckReport& report) {
  Json json;
  json["schema"] = "lanescope.luck/1";
  json["kernel"] = report.kernel;
  json["machine"] = launch.machine.name;
  json["verdict"] = luckVerdictName(report.verdict);
  json["message"] = report.sentence;
  json["seeds"] = {{"asked", report.seedsAsked}, {"tried", report.seedsTried}};
  json["orders"] = Json::array();
  for (const OrderOutcome& outcome : report.orders) {
    Json entry = {{"order", outcome.order.name()}, {"verdict", luckVerdictName(outcome.verdict)}};
    if (outcome.verdict == LuckVerdict::Fails) {
      entry["message"] = outcome.failure;
    } else if (outcome.verdict != LuckVerdict::Same) {
      entry["array"] = outcome.array;
      entry["index"] = outcome.index;
      entry["expected"] = outcome.expected;
      entry["found"] = outcome.found;
      entry["differing"] = outcome.differing;
    }
    json["orders"].push_back(std::move(entry));
  }
  return jsonText(json);
}

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

/// All seeds of one random order on a line, by the gravest.
std::string seedsText(const LuckReport& report, const Order& kind) {
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
  if (differing == 0) return fmt::format("{:<28}{} seeds: same\n", what, seeds);
  return fmt::format("{:<28}{} of {} seeds differ; seed {}: {}\n", what, differing, seeds, worst->order.seed,
                     outcomeText(*worst));
}

}  // namespace

std::string luckText(const LuckReport& report) {
  std::string text;
  for (const OrderOutcome& outcome : report.orders) {
    if (outcome.order.seed == 0)
      text += fmt::format("{:<28}{}\n", outcome.order.name(), outcomeText(outcome));
    if (outcome.order.seed == 1) text += seedsText(report, outcome.order);
  }
  if (report.seedsTried < report.seedsAsked)
    text += fmt::format("seeds: {} of {} tried, the budget of instructions is spent\n", report.seedsTried,
                        report.seedsAsked);
  return text + "\n" + report.sentence + "\n";
}

}  // namespace lanescope::cli
