#pragma once

#include <string>

#include "app/cli/arguments.h"
#include "app/cli/exit_status.h"
#include "sim/base/diagnostic.h"
#include "sim/base/source_text.h"

namespace lanescope::cli {

/// `lanescope-cli check FILE`: every kernel of a text with its signature, and if it cannot be simulated, the
/// reason. A template is checked with arguments of its launches, or else with the first of
/// templateInstances() that can be simulated. Exit status: kDone if every kernel can be simulated, kFailed if
/// one cannot or there is none, kWrongUsage if the file cannot be read.
int checkCommand(const std::string& path, const TextOptions& options, bool json);

/// `lanescope.error/1`: why a command ended, with the places in the text if there are any. For --json.
std::string errorJson(const Error& error, const SourceText* source);
/// Like complain(); with --json also prints the error as JSON on standard output. `source`: the text with the
/// error's places.
int refuse(const Error& error, ExitStatus status, bool json, const SourceText* source = nullptr);

}  // namespace lanescope::cli
