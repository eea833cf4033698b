#pragma once

#include <string>

#include "app/workbench/result_check.h"
#include "sim/base/json.h"
#include "sim/trace/hazards.h"

namespace lanescope::cli {

Json extentJson(Dim3 extent);

/// Adds `hazards`, one entry per hazard, and `hazards_looked_at`: the part of the launch that was checked. If
/// `report` is null, the check was switched off, and both fields say so.
void addHazards(Json& json, const HazardReport* report);

/// The same in sentences; a clean report is one sentence too.
std::string hazardsText(const HazardReport* report);
/// True if any of them is an error; a warning does not count. False if the check was switched off.
bool hasErrors(const HazardReport* report);
/// One sentence: the result is right or not. Empty if no result is expected.
std::string resultText(const ResultCheck* result, const HazardReport* hazards);
/// The hazards besides the error that ended a launch; empty if there are none.
std::string moreHazardsText(const HazardReport& report, const Error& error);

}  // namespace lanescope::cli
