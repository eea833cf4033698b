#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "sim/base/diagnostic.h"

namespace lanescope::cli {

enum ExitStatus { kDone = 0, kFailed = 1, kWrongUsage = 2 };

/// Prints the error and returns the status. A launch that is impossible is wrong usage. A text that does not
/// parse and a run that ends in a fault or at a limit are the kernel's failure.
inline int complain(const Error& error, ExitStatus status) {
  fmt::print(stderr, "{}{}{}\n", error.message, error.hint.empty() ? "" : " ", error.hint);
  return error.isOfRun || !error.diagnostics.empty() ? kFailed : status;
}

/// Writes to standard output; kFailed if that is impossible.
inline int printed(std::string_view text) {
  const bool isWritten =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return isWritten ? kDone : kFailed;
}

}  // namespace lanescope::cli
