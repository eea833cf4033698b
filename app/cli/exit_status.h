#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "sim/language/text/diagnostic.h"

namespace lanescope::cli {

enum ExitStatus { kDone = 0, kFailed = 1, kWrongUsage = 2 };

/// Says what is wrong and returns the status. A launch that cannot be made is wrong usage; a text that
/// does not parse and a run that ends in a fault or at a limit are the kernel's failure.
inline int complain(const Error& error, ExitStatus status) {
  fmt::print(stderr, "{}{}{}\n", error.message, error.hint.empty() ? "" : " ", error.hint);
  return error.isOfRun || !error.diagnostics.empty() ? kFailed : status;
}

/// Writes to standard output; kFailed where that cannot be.
inline int printed(std::string_view text) {
  const bool isWritten =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return isWritten ? kDone : kFailed;
}

}  // namespace lanescope::cli
