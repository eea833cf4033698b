#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/trace/hazards.h"
#include "sim/trace/run.h"

/// What the tests of hazards ask of a report.
namespace lanescope::testing {

/// `code` is the body of a kernel of one float buffer of 128 elements, from line 2 on.
inline Launch body(const std::string& code, std::uint32_t block = 64, std::uint32_t grid = 1) {
  Launch launch = launchText("__global__ void k(float* out) {\n" + code + "\n}\n", block, {"f32:hash:128"});
  launch.grid.x = grid;
  return launch;
}

inline HazardReport look(const Launch& launch, const HazardOptions& options = {}) {
  auto report = findHazards(launch, options);
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().sentence());
  return report.ok() ? *report : HazardReport{};
}

inline std::string listAll(const HazardReport& report) {
  std::string text;
  for (const Hazard& hazard : report.hazards)
    text += std::string(hazardKindName(hazard.kind)) + ": " + hazard.message + " | " + hazard.fix + "\n";
  return text;
}

inline void expectClean(const Launch& launch) {
  const HazardReport report = look(launch);
  EXPECT_TRUE(report.hazards.empty()) << listAll(report);
  EXPECT_TRUE(report.isComplete);
}

/// The only hazard of its kind; its sentence and fix are those of the golden file.
inline Hazard expectHazard(const Launch& launch, HazardKind kind, HazardSeverity severity) {
  const HazardReport report = look(launch);
  const auto found = std::ranges::find(report.hazards, kind, &Hazard::kind);
  if (found == report.hazards.end()) {
    ADD_FAILURE() << "none of " << hazardKindName(kind) << " in:\n" << listAll(report);
    return {};
  }
  EXPECT_EQ(found->severity, severity) << found->message;
  EXPECT_SAYS(found->message + " " + found->fix);
  return *found;
}

inline constexpr HazardSeverity kError = HazardSeverity::Error;
inline constexpr HazardSeverity kWarning = HazardSeverity::Warning;

}  // namespace lanescope::testing
