#pragma once

#include <string>

#include "app/session/launch/result_check.h"
#include "sim/base/json.h"
#include "sim/observe/hazards.h"

namespace lanescope::cli {

Json extentJson(Dim3 extent);

/// Adds `hazards`, an entry a report, and `hazards_looked_at`: how much of the launch they speak of.
/// Null in place of a report: it was switched off, and both say so.
void addHazards(Json& json, const HazardReport* report);

/// The same in sentences; a clean report is one sentence too.
std::string hazardsText(const HazardReport* report);
/// Whether any of them is an error; a warning is none. False where they were not looked for.
bool hasErrors(const HazardReport* report);
/// Whether the result is right, a sentence; empty where nothing is expected of it.
std::string resultText(const ResultCheck* result, const HazardReport* hazards);
/// What there is to say beside the error that ended a launch; empty where there is nothing.
std::string moreHazardsText(const HazardReport& report, const Error& error);

}  // namespace lanescope::cli
