#include "app/analysis/profile_recording.h"

#include <algorithm>

#include "app/analysis/recording.h"
#include "kernels/protocol/profile_run.h"

namespace lanescope {
namespace {

Result<ProfileRecording> readProfiles(const Recording& recording, const std::string& name) {
  constexpr std::size_t kMostProfiles = 1024;
  ProfileRecording result;
  std::string date;
  for (const WorkerMessage& message : recording.messages) {
    if (const auto* hello = std::get_if<HelloMessage>(&message)) {
      if (result.profiles.empty()) result.gpu = *hello;
      date = hello->date;
    } else if (const auto* kernel = std::get_if<ProfileMessage>(&message)) {
      if (result.profiles.size() == kMostProfiles) continue;
      result.profiles.push_back({*kernel, {}, {}, date});
    } else if (!result.profiles.empty()) {
      addMessage(result.profiles.back(), message);
    }
  }
  if (!result.profiles.empty()) return result;
  return Error{"The recording '" + name + "' has no profile.",
               "lanescope-gpu profile all --record FILE makes one on a machine with Nsight Compute."};
}

}  // namespace

const LaunchProfile* ProfileRecording::findText(std::string_view text) const {
  const std::uint64_t hash = hashText(text);
  const auto found = std::find_if(profiles.rbegin(), profiles.rend(), [hash](const LaunchProfile& profile) {
    return profile.kernel.textHash == hash;
  });
  return found == profiles.rend() ? nullptr : &*found;
}

const LaunchProfile* ProfileRecording::findKernel(std::string_view text, std::string_view kernel) const {
  const std::uint64_t hash = hashText(text);
  const auto nameFor = [](std::string_view instance) { return instance.substr(0, instance.find('<')); };
  const LaunchProfile* found = nullptr;
  for (const LaunchProfile& profile : profiles) {
    if (profile.kernel.textHash != hash || nameFor(profile.kernel.kernel) != nameFor(kernel)) continue;
    if (found == nullptr || found->kernel.kernel != kernel || profile.kernel.kernel == kernel)
      found = &profile;
  }
  return found;
}

const LaunchProfile* ProfileRecording::find(const Strategy& strategy) const {
  const LaunchProfile* const profile = findText(strategy.source);
  return profile != nullptr && profile->kernel.strategy == strategy.id ? profile : nullptr;
}

Result<ProfileRecording> loadProfiles(const std::filesystem::path& path) {
  const auto recording = loadRecording(path);
  return recording ? readProfiles(*recording, path.filename().string()) : recording.error();
}

Result<ProfileRecording> shippedProfiles() {
  const auto path = shippedProfileRecording();
  return path ? loadProfiles(*path) : path.error();
}

}  // namespace lanescope
