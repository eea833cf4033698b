#pragma once

#include <string>

#include "app/cli/arguments.h"
#include "app/cli/exit_status.h"
#include "sim/language/text/diagnostic.h"
#include "sim/language/text/source_text.h"

namespace lanescope::cli {

/// `lanescope-cli check FILE`: every kernel of a text with its signature, whether it can be simulated, and if
/// not what prevents its simulation. A template is checked with arguments of its launches, or else with the
/// first of templateInstances() that can be simulated. Exit status: kDone where every kernel can be
/// simulated, kFailed where one cannot or there is none, kWrongUsage where the file cannot be read.
int checkCommand(const std::string& path, const TextOptions& options, bool json);

/// `lanescope.error/1`: why a command ended, with the places in the text where there are any. For --json.
std::string errorJson(const Error& error, const SourceText* source);
/// complain(), and with --json the same as JSON on standard output. `source`: of the text whose places the
/// error has.
int refuse(const Error& error, ExitStatus status, bool json, const SourceText* source = nullptr);

}  // namespace lanescope::cli
