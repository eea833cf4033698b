#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/trace/code_regions.h"
#include "sim/trace/hazard_detector.h"

namespace lanescope {

/// The store, if a finding's load and store are parts of one update (`x = x + 1`, `if (v > x) x = v`).
std::optional<std::uint32_t> lostUpdateAt(const PreparedLaunch& prepared, const Finding& finding);

/// Advice against races: the place in the text for the missing barrier, so that all threads that it waits for
/// reach it.
class HazardFixes {
 public:
  /// `splits`: HazardDetector::Findings.
  HazardFixes(const Launch& launch, const PreparedLaunch& prepared, const std::vector<bool>& splits);

  /// Advice for a finding that has an earlier access: one or two sentences. Its scope decides the barrier.
  std::string of(const Finding& finding) const;

 private:
  bool isReadThenWritten(const Finding& finding) const;

  const Launch& launch_;
  const PreparedLaunch& prepared_;
  std::vector<CodeRegion> ofBlock_;
  std::vector<CodeRegion> ofWarp_;
};

}  // namespace lanescope
