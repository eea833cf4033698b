#pragma once

#include <string>
#include <string_view>

#include "sim/machine/run/simulate.h"
#include "sim/trace/trace.h"

/// Counters as tables for other programs.
namespace lanescope {

/// A header, the total, and a row for each line of the source with counters:
/// `kernel,machine,scope,number,text`, the counters and `run`: the run's title (run_title.h), with semicolons
/// for commas. `scope` is `total` or `line`; `number` and `text` are the line's. Fields with a comma or a
/// quote are quoted (RFC 4180).
std::string countersCsv(const Launch& launch, const Simulation& simulation, std::string_view run);

/// As above for a traced block, and between them a row for each phase: `scope` is `phase`, `text` its label.
std::string countersCsv(const Trace& trace, std::string_view run);

/// The counters of a run, and its title.
struct CountedRun {
  const Counters& counters;
  std::string_view name;
};
/// A header, `counter`, the names of the two runs and `difference`; a row for each counter. The difference is
/// right - left.
std::string differencesCsv(const CountedRun& left, const CountedRun& right);

}  // namespace lanescope
