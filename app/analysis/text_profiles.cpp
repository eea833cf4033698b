#include "app/analysis/text_profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/strategies/catalogue.h"
#include "kernels/strategies/shape.h"

namespace lanescope {

const LineShare* TextProfile::line(std::uint32_t number) const {
  const auto found = std::ranges::find(diagnosis.lines, number, &LineShare::line);
  return found == diagnosis.lines.end() ? nullptr : &*found;
}

std::vector<const ProfileInstruction*> TextProfile::machineCodeFor(std::uint32_t number) const {
  std::vector<const ProfileInstruction*> code;
  for (const ProfileInstruction& instruction : profile->instructions) {
    if (instruction.line == number) code.push_back(&instruction);
  }
  return code;
}

void TextProfiles::load() {
  if (std::exchange(isLoaded_, true)) return;
  auto recording = shippedProfiles();
  if (!recording) {
    problem_ = recording.error().sentence();
    return;
  }
  recording_ = std::move(recording).value();
  for (const Strategy& strategy : strategies()) {
    const TextProfile* const profile = of(strategy.source);
    if (profile != nullptr) ofStrategies_.push_back(profile);
  }
}

const std::vector<const TextProfile*>& TextProfiles::ofStrategies() {
  load();
  return ofStrategies_;
}

const std::string& TextProfiles::problem() {
  load();
  return problem_;
}

void TextProfiles::add(LaunchProfile profile, std::string_view text, const HelloMessage& gpu) {
  auto entry = std::make_unique<Entry>();
  entry->hash = hashText(text);
  entry->profile = std::move(profile);
  entry->says = {gpu.gpu + ", live", gpu.computeCapability, &entry->profile, diagnose(entry->profile, text)};
  entries_.push_back(std::move(entry));
}

const TextProfile* TextProfiles::of(std::string_view text) {
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(),
                                  [hash = hashText(text)](const auto& entry) { return entry->hash == hash; });
  if (found != entries_.rend()) return &(*found)->says;
  load();
  if (!recording_) return nullptr;
  const LaunchProfile* const profile = recording_->findText(text);
  if (profile == nullptr) return nullptr;
  std::unique_ptr<TextProfile>& known = known_[profile->kernel.textHash];
  if (known == nullptr) {
    known = std::make_unique<TextProfile>(TextProfile{recording_->title(), recording_->gpu.computeCapability,
                                                      profile, diagnose(*profile, text)});
  }
  return known.get();
}

std::string profileTip(const TextProfile& profile, const LineShare& line) {
  std::string text = fmt::format("Measured: {:.1f}% of the warps' time\n", 100 * line.share);
  text += fmt::format("{:.1f} instructions per warp", line.instructionsPerWarp);
  constexpr std::size_t kMostReasons = 4;
  std::size_t listed = 0;
  for (const StallShare& stall : line.stalls) {
    if (listed++ == kMostReasons) break;
    text += fmt::format("\n{:.0f}% {} ({})", 100 * stall.share, stall.reason.words,
                        stall.reason.nsight.empty() ? std::string_view(stall.id) : stall.reason.nsight);
  }
  const ProfileMessage& kernel = profile.profile->kernel;
  text += "\n" + profile.origin;
  if (kernel.n != 0) text += ", N = " + sizeText(kernel.n);
  return text;
}

}  // namespace lanescope
