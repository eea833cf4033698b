#include "app/cli/floors_output.h"

#include <fmt/format.h>

#include <cmath>

#include "kernels/strategies/shape.h"
#include "sim/base/json.h"
#include "sim/base/counted.h"

namespace lanescope::cli {
namespace {

std::string_view originName(const UnitRate& rate) { return rate.isMeasured ? "measured" : "datasheet"; }

std::string makeTitle(const FloorReport& report) {
  std::string text = report.strategy.empty() ? report.kernel : report.strategy;
  if (report.n != 0) text += ", N = " + sizeText(report.n);
  return text + fmt::format(", {} of {}, on {}, caches {}", counted(report.counts.blocks, "block"),
                            counted(report.threads, "thread"), report.gpu.gpu, cacheStateName(report.cache));
}

std::string scaledText(const LaunchCounts& counts) {
  std::string sizes;
  for (const std::uint64_t size : counts.scaledFrom) sizes += (sizes.empty() ? "" : ", ") + withCommas(size);
  return "Counts: simulated at N = " + sizes + ", between which they grow evenly, and scaled to N.\n";
}

Json timeJson(double us) { return us > 0 ? Json(us) : Json(nullptr); }

Json unitJson(const UnitFloor& unit) {
  return {{"unit", rateUnitName(unit.unit)},     {"us", unit.us},
          {"amount", std::llround(unit.amount)}, {"counted_in", unitWork(unit.unit)},
          {"rate_per_us", unit.rate.perUs},      {"rate_origin", originName(unit.rate)},
          {"rate_source", unit.rate.source}};
}

/// The fields that a report and a row of the table share.
Json headJson(const FloorReport& report) {
  const UnitFloor* const longest = report.floors.longest();
  return {{"strategy", report.strategy.empty() ? Json(nullptr) : Json(report.strategy)},
          {"kernel", report.kernel},
          {"n", report.n == 0 ? Json(nullptr) : Json(report.n)},
          {"gpu", report.gpu.gpu},
          {"cache", cacheStateName(report.cache)},
          {"floor_us", report.floors.us()},
          {"limiting_unit", longest == nullptr ? Json(nullptr) : Json(rateUnitName(longest->unit))},
          {"measured_us", timeJson(report.measuredUs)},
          {"measured_on", report.measuredUs > 0 ? Json(report.measuredOrigin) : Json(nullptr)},
          {"floor_over_measured", timeJson(report.reached())}};
}

}  // namespace

std::string floorsText(const FloorReport& report) {
  std::string text = makeTitle(report) + "\n\n" + report.sentence() + "\n\n";
  text += fmt::format("{:14} {:>10} {:>9}  {}\n", "unit", "us alone", "of time", "amount");
  const auto row = [&](RateUnit unit, double us, const std::string& amount) {
    text += fmt::format("{:14} {:>10} {:>9}  {}\n", unitName(unit), microseconds(us),
                        report.measuredUs > 0 ? fmt::format("{:.0f}%", 100 * us / report.measuredUs) : "-",
                        amount);
  };
  std::string rates;
  for (const UnitFloor& unit : report.floors.units) {
    const auto amount = static_cast<std::uint64_t>(std::llround(unit.amount));
    row(unit.unit, unit.us, withCommas(amount) + " " + std::string(unitWork(unit.unit)));
    rates += fmt::format("Rate of {}: {:.0f} {} per us, {} ({}).\n", unitName(unit.unit), unit.rate.perUs,
                         unitWork(unit.unit), originName(unit.rate), unit.rate.source);
  }
  if (const UnitRate* const launch = report.gpu.find(RateUnit::Launch)) {
    row(RateUnit::Launch, launch->us, "");
    rates += fmt::format("Launch: {} ({}).\n", originName(*launch), launch->source);
  }
  text += "\n" + rates;
  for (const std::string& unknown : report.floors.unknown) text += "Unknown: " + unknown + ".\n";
  if (report.issued) text += "Warp instructions: " + report.issued->source + ".\n";
  if (!report.counts.scaledFrom.empty()) text += scaledText(report.counts);
  if (report.measuredUs > 0)
    text += fmt::format("Measured: {:.1f} us on {}.\n", report.measuredUs, report.measuredOrigin);
  return text;
}

std::string floorsJson(const FloorReport& report) {
  Json json{{"schema", "lanescope.floors/1"}};
  json.update(headJson(report));
  json["launch_us"] = timeJson(report.floors.launchUs);
  json["units"] = Json::array();
  for (const UnitFloor& unit : report.floors.units) json["units"].push_back(unitJson(unit));
  json["unknown"] = report.floors.unknown;
  json["instructions_from"] = report.issued ? Json(report.issued->source) : Json(nullptr);
  json["blocks"] = report.counts.blocks;
  json["threads_per_block"] = report.threads;
  json["is_scaled"] = !report.counts.scaledFrom.empty();
  json["scaled_from"] = report.counts.scaledFrom;
  json["sentence"] = report.sentence();
  return jsonText(json);
}

std::string floorsTableText(const std::vector<FloorsRow>& rows) {
  std::string text;
  std::string problems;
  for (const FloorsRow& row : rows) {
    if (!row.report) {
      problems += row.strategy + ": " + row.problem + "\n";
      continue;
    }
    const FloorReport& report = *row.report;
    if (text.empty()) {
      text = fmt::format("On {}, caches {}\n{:26} {:>6} {:>10}  {:14} {:>11} {:>8}\n", report.gpu.gpu,
                         cacheStateName(report.cache), "strategy", "N", "floor us", "made by", "measured us",
                         "floor/it");
    }
    const UnitFloor* const longest = report.floors.longest();
    text += fmt::format("{:26} {:>6} {:>10}  {:14}", report.strategy, sizeText(report.n),
                        microseconds(report.floors.us()), longest == nullptr ? "-" : unitName(longest->unit));
    if (report.measuredUs > 0)
      text += fmt::format(" {:11.1f} {:7.0f}%", report.measuredUs, 100 * report.reached());
    text += "\n";
  }
  return problems.empty() ? text : text + "\n" + problems;
}

std::string floorsTableJson(const std::vector<FloorsRow>& rows) {
  Json json{{"schema", "lanescope.floors-table/1"}};
  json["strategies"] = Json::array();
  json["unknown"] = Json::array();
  for (const FloorsRow& row : rows) {
    if (row.report) {
      json["strategies"].push_back(headJson(*row.report));
    } else {
      json["unknown"].push_back({{"strategy", row.strategy}, {"problem", row.problem}});
    }
  }
  return jsonText(json);
}

}  // namespace lanescope::cli
