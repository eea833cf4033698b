#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/workbench/program_run.h"

namespace lanescope {

/// A compiler's messages about a file, as diagnostics of its text: the errors, each once.
std::vector<Diagnostic> compilerErrors(std::string_view messages, const std::string& path,
                                       std::string_view text);

/// Takes a line of the log that `lanescope-cli run --launches` writes.
void parseLogLine(const std::string& line, ProgramOutcome& outcome);

/// Adds to a program's output. The middle of a very long output is left out.
void addOutput(std::string_view more, std::string& output);

}  // namespace lanescope
