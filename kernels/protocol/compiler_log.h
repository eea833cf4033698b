#pragma once

#include <string_view>
#include <vector>

#include "kernels/protocol/edited_messages.h"

namespace lanescope {

/// The findings in a log of NVRTC (`FILE(LINE): error: MESSAGE`, the line, a caret below the place), errors
/// first, at most kMaxDiagnostics. `fileName`: the name under which the text was compiled; findings in other
/// files have line 0. Empty for a log without findings in this form.
std::vector<CompilerFinding> parseCompilerLog(std::string_view log, std::string_view fileName);

}  // namespace lanescope
