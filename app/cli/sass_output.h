#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/sass/access_changes.h"
#include "sim/sass/machine_code.h"
#include "sim/base/source_text.h"

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
