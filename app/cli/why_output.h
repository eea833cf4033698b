#pragma once

#include <string>
#include <vector>

#include "app/pictures/profile_difference.h"
#include "app/analysis/diagnosis.h"

namespace lanescope::cli {

/// A profile, its source, and its diagnosis.
struct Why {
  std::string origin;  ///< the GPU and the day, or that it is live
  const LaunchProfile* profile = nullptr;
  Diagnosis diagnosis;
};

/// Lines with a smaller share of the samples are not printed; JSON has them all.
inline constexpr double kLeastPrintedShare = 0.01;

/// As text: units, the diagnosis, the warps' stalls, and the lines over kLeastPrintedShare.
std::string whyText(const Why& why);
/// `lanescope.why/1`.
std::string whyJson(const Why& why);

/// Two profiles side by side: the kernels' times, their warps' stalls, their costliest lines.
std::string whyDifferenceText(const ProfileSide& left, const ProfileSide& right);
/// `lanescope.why-difference/1`.
std::string whyDifferenceJson(const ProfileSide& left, const ProfileSide& right);

/// A row for each: the limiting unit, its percent, the costliest line.
std::string whyTableText(const std::vector<Why>& rows);
/// `lanescope.why-table/1`.
std::string whyTableJson(const std::vector<Why>& rows);

}  // namespace lanescope::cli
