#include "app/analysis/profiles.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/analysis/diagnosis.h"
#include "app/analysis/recording.h"
#include "kernels/protocol/ncu_run.h"
#include "kernels/strategies/catalogue.h"
#include "kernels/strategies/shape.h"
#include "sim/base/counted.h"

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
  const auto withoutArguments = [](std::string_view instance) {
    return instance.substr(0, instance.find('<'));
  };
  const LaunchProfile* found = nullptr;
  for (const LaunchProfile& profile : profiles) {
    if (profile.kernel.textHash != hash ||
        withoutArguments(profile.kernel.kernel) != withoutArguments(kernel))
      continue;
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
  const std::uint32_t threads = kernel.block[0] * kernel.block[1] * kernel.block[2];
  return text + ", " + counted(threads, "thread") + " per block";
}

std::string limitClause(const LaunchProfile& profile) {
  const Diagnosis diagnosis = diagnose(profile, {});
  std::string clause;
  if (const UnitLoad* const unit = diagnosis.nearestUnit())
    clause = fmt::format("{} at {:.0f}% of {} peak", unit->name, unit->percent,
                         unit->metric == ProfileMetric::IssueSlots ? "their" : "its");
  const auto waits = [](const StallShare& one) { return one.reason.group != StallGroup::Issued; };
  const auto most = std::ranges::find_if(diagnosis.stalls, waits);
  if (most == diagnosis.stalls.end()) return clause;
  return clause + fmt::format("{}{:.0f}% of the warps' time: \"{}\"", clause.empty() ? "" : "; ",
                              100 * most->share, most->reason.words);
}

ExperimentProfiles readProfiles(const std::vector<Variant>& variants, const ProfileRecording& recording) {
  ExperimentProfiles profiles{recording.title(), {}};
  for (const Variant& variant : variants) {
    const std::uint64_t hash = variant.text == nullptr ? 0 : hashText(*variant.text);
    const auto found = std::ranges::find_if(recording.profiles, [&](const LaunchProfile& one) {
      return one.kernel.strategy == variant.series && one.kernel.textHash == hash;
    });
    const bool isPresent = found != recording.profiles.end();
    profiles.clauses.push_back(isPresent ? limitClause(*found) : "");
    if (isPresent && !found->date.empty()) profiles.source = recording.gpu.gpu + ", " + found->date;
  }
  return profiles;
}

Result<ProfileRecording> shippedExperimentProfiles() {
  const auto path = shippedExperimentProfileRecording();
  return path ? loadProfiles(*path) : path.error();
}

std::optional<MachineCode> readMachineCode(const LaunchProfile& profile, const std::string& origin) {
  if (profile.instructions.empty()) return std::nullopt;
  MachineCode code{profile.kernel.kernel, {}, origin, true, false, {}};
  for (const ProfileInstruction& one : profile.instructions) {
    const auto address = static_cast<std::uint32_t>(code.instructions.size()) * kInstructionBytes;
    code.instructions.push_back({one.line, address, one.sass, false, one.counts.executed});
  }
  bringToStart(code);
  return code;
}

}  // namespace lanescope
