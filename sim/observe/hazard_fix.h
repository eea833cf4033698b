#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/observe/code_regions.h"
#include "sim/observe/hazard_detector.h"

namespace lanescope {

/// Where a finding's load and store are parts of one update (`x = x + 1`, `if (v > x) x = v`): the store.
std::optional<std::uint32_t> lostUpdateAt(const PreparedLaunch& prepared, const Finding& finding);

/// What to try against races: where in the text the missing barrier belongs, so that all threads that it
/// waits for reach it.
class HazardFixes {
 public:
  /// `splits`: HazardDetector::Findings.
  HazardFixes(const Launch& launch, const PreparedLaunch& prepared, const std::vector<bool>& splits);

  /// Against a finding that has an earlier access: one or two sentences. Its scope decides the barrier.
  std::string of(const Finding& finding) const;

 private:
  bool isReadThenWritten(const Finding& finding) const;

  const Launch& launch_;
  const PreparedLaunch& prepared_;
  std::vector<CodeRegion> ofBlock_;
  std::vector<CodeRegion> ofWarp_;
};

}  // namespace lanescope
