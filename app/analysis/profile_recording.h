#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/protocol/protocol.h"
#include "sim/base/diagnostic.h"

namespace lanescope {

/// Profiles of launches, made with `lanescope-gpu profile ... --record FILE` (assets/recordings/README.md).
struct ProfileRecording {
  HelloMessage gpu;
  std::vector<LaunchProfile> profiles;

  /// The GPU and the day, always to be shown with its numbers: `NVIDIA H200, 2026-11-20`.
  std::string title() const { return gpu.gpu + ", " + gpu.date; }
  /// The profile of a strategy's text as it is now, the last if there are several; nullptr if there is none.
  const LaunchProfile* find(const Strategy& strategy) const;
  /// The profile of any text, if exactly its bytes were profiled.
  const LaunchProfile* findText(std::string_view text) const;
  /// The profile of one of the text's kernels: `name<128>`, or another instance of `name` if that was not
  /// profiled.
  const LaunchProfile* findKernel(std::string_view text, std::string_view kernel) const;
};

/// Reads such a recording. Errors: missing, not readable, over 16 MB; one sentence with the file's name and
/// the line, or that it contains no profile.
Result<ProfileRecording> loadProfiles(const std::filesystem::path& path);

/// The recording of profiles that ships with the program. The error says that it is missing.
Result<ProfileRecording> shippedProfiles();

}  // namespace lanescope
