#pragma once

#include <string_view>
#include <vector>

#include "kernels/worker/edited_messages.h"

namespace lanescope {

/// The findings in a log of NVRTC (`FILE(LINE): error: MESSAGE`, the line, a caret below the place), errors
/// first, at most kMaxDiagnostics. `fileName`: the name that the text was compiled under; findings in other
/// files have line 0. A log with no finding in this form gives none.
std::vector<CompilerFinding> parseCompilerLog(std::string_view log, std::string_view fileName);

}  // namespace lanescope
