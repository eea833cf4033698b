#include "app/cli/hazard_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/json.h"
#include "sim/base/counted.h"
#include "sim/base/diagnostic.h"

namespace lanescope::cli {
namespace {

Json accessJson(const HazardAccess& access) {
  return {{"access", access.verb},
          {"line", access.line},
          {"block", extentJson(access.block)},
          {"thread", extentJson(access.thread)},
          {"warp", access.warp},
          {"lane", access.lane},
          {"phase", access.barriers}};
}

std::string_view severityName(HazardSeverity severity) {
  return severity == HazardSeverity::Error ? "error" : "warning";
}

Json hazardJson(const Hazard& hazard) {
  Json json = {{"kind", hazardKindName(hazard.kind)},
               {"severity", severityName(hazard.severity)},
               {"scope", hazardScopeName(hazard.scope)},
               {"line", hazard.access.line}};
  if (!hazard.place.empty()) {
    json["array"] = hazard.array;
    json["place"] = hazard.place;
    json["space"] = hazard.isShared ? "shared" : hazard.isLocal ? "local" : "global";
  }
  json["phase"] = hazard.access.barriers;
  if (hazard.earlier) json["first"] = accessJson(*hazard.earlier);
  json["second"] = accessJson(hazard.access);
  json["count"] = hazard.count;
  json["message"] = hazard.message;
  json["fix"] = hazard.fix;
  return json;
}

std::string sentences(const Hazard& hazard) {
  const std::string met = metText(hazard);
  return fmt::format("{}: {}{} {}\n", severityName(hazard.severity), hazard.message,
                     met.empty() ? "" : " " + asSentence(met), hazard.fix);
}

}  // namespace

Json extentJson(Dim3 extent) { return {extent.x, extent.y, extent.z}; }

void addHazards(Json& json, const HazardReport* report) {
  json["hazards"] = Json::array();
  if (report == nullptr) {
    json["hazards_looked_at"] = nullptr;
    return;
  }
  for (const Hazard& hazard : report->hazards) json["hazards"].push_back(hazardJson(hazard));
  json["hazards_looked_at"] = {{"blocks", report->blocksLooked},
                               {"of", report->blocks},
                               {"complete", report->isComplete},
                               {"left_out", report->omitted}};
}

std::string hazardsText(const HazardReport* report) {
  if (report == nullptr) return "hazards: not looked for\n";
  std::string text;
  for (const Hazard& hazard : report->hazards) text += sentences(hazard);
  if (report->omitted > 0)
    text += fmt::format("hazards: {} left out\n", counted(report->omitted, "more hazard"));
  if (report->hazards.empty() && report->omitted == 0) text += "hazards: none found\n";
  if (!report->isComplete) {
    text += fmt::format("hazards: looked at {} of {}; --hazards full looks at all\n",
                        withCommas(report->blocksLooked), counted(report->blocks, "block"));
  }
  return text;
}

bool hasErrors(const HazardReport* report) {
  return report != nullptr && std::ranges::any_of(report->hazards, [](const Hazard& hazard) {
           return hazard.severity == HazardSeverity::Error;
         });
}

std::string resultText(const ResultCheck* result, const HazardReport* hazards) {
  if (result == nullptr) return "";
  if (!result->isRight) {
    return fmt::format("error: {} {}\n", result->sentence,
                       hasErrors(hazards) ? "The hazards below may be the cause." : result->fix);
  }
  std::string text = "result: right in the order that was simulated. " + result->sentence + "\n";
  if (hazards == nullptr || hazards->hazards.empty()) text = "result: right. " + result->sentence + "\n";
  return text;
}

std::string moreHazardsText(const HazardReport& report, const Error& error) {
  std::string text;
  for (const Hazard& hazard : report.hazards) {
    if (hazard.message != error.message) text += sentences(hazard);
  }
  return text;
}

}  // namespace lanescope::cli
