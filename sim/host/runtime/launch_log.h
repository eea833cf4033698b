#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "sim/trace/run.h"

namespace lanescope::host {

/// Logs a program's launches as they run: two lines of JSON each, in a file that others may read meanwhile.
class LaunchLog {
 public:
  /// `path`: empty for no log.
  explicit LaunchLog(const std::string& path);

  /// `{"launch":1,"kernel":…,"line":…,"grid":[x,y,z],"block":[x,y,z],"shared_bytes":…}`; line 0: unknown.
  void begins(std::uint64_t number, const Launch& launch, int line);
  /// `{"launch":1,"seconds":…,"hazards":n}`, with `"fault":"…"` if one ended it. nullptr: it was stopped.
  void ends(std::uint64_t number, double seconds, const Run* run);

 private:
  std::ofstream file_;
};

}  // namespace lanescope::host
