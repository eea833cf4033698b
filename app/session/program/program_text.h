#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/program/program_run.h"

namespace lanescope {

/// What a compiler's messages say of a file, as diagnostics of its text: the errors, each once.
std::vector<Diagnostic> compilerErrors(std::string_view messages, const std::string& path,
                                       std::string_view text);

/// Takes a line of the log that `lanescope-cli run --launches` writes.
void takeLogLine(const std::string& line, ProgramOutcome& outcome);

/// Adds to what a program has printed. Of very much the middle is left out.
void addOutput(std::string_view more, std::string& output);

}  // namespace lanescope
