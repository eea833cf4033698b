#pragma once

#include <map>
#include <optional>
#include <string>

#include "app/session/sass/access_changes.h"
#include "app/session/sass/code/machine_code.h"
#include "sim/language/text/source_text.h"

namespace lanescope::cli {

/// A hardware's counters under Nsight Compute's names.
using MeasuredCounters = std::map<std::string, std::uint64_t>;

/// What `sass` prints.
struct SassReport {
  const SourceText* text = nullptr;
  MachineCode code;
  std::optional<AccessComparison> comparison;
  MeasuredCounters measured;
};

std::string sassText(const SassReport& report);
std::string sassJson(const SassReport& report);

}  // namespace lanescope::cli
