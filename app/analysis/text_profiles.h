#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/analysis/diagnosis.h"
#include "app/analysis/profile_recording.h"

namespace lanescope {

/// The profile of a text, and its diagnosis.
struct TextProfile {
  std::string origin;             ///< the GPU and the day, always to be shown with it
  std::string computeCapability;  ///< of that GPU: the machine code is for it
  const LaunchProfile* profile = nullptr;
  Diagnosis diagnosis;

  /// The measurements of a line; nullptr if it has no instructions.
  const LineShare* line(std::uint32_t number) const;
  /// The machine code of a line, in order; empty if none was recorded.
  std::vector<const ProfileInstruction*> machineCodeFor(std::uint32_t number) const;
};

/// Profiles by the text that was profiled: those that ship, and those made here since. The recording is read
/// at the first query, each diagnosis is made once. Results that were returned stay valid. For one thread.
class TextProfiles {
 public:
  /// The profile of exactly that text; nullptr if none was recorded.
  const TextProfile* of(std::string_view text);
  /// Takes a new profile of that text, which replaces an earlier one. `gpu`: its GPU.
  void add(LaunchProfile profile, std::string_view text, const HelloMessage& gpu);
  /// Counts the profiles added: another number, others may be found.
  std::uint64_t revision() const { return entries_.size(); }
  /// The profiles of all strategies that have one, in the order of the course.
  const std::vector<const TextProfile*>& ofStrategies();
  /// One sentence on why there is no profile at all; empty if there is a recording.
  const std::string& problem();

 private:
  void load();

  bool isLoaded_ = false;
  std::string problem_;
  std::optional<ProfileRecording> recording_;
  std::map<std::uint64_t, std::unique_ptr<TextProfile>> known_;  ///< by the text's hash; null: none
  std::vector<const TextProfile*> ofStrategies_;
  /// A profile made here, with its text; the newest last.
  struct Entry {
    std::uint64_t hash = 0;
    LaunchProfile profile;
    TextProfile says;
  };
  std::vector<std::unique_ptr<Entry>> entries_;
};

/// The text of a line's measured margin, for a tip: its share, instructions per warp, and the warps' waiting
/// there.
std::string profileTip(const TextProfile& profile, const LineShare& line);

}  // namespace lanescope
