#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/profile/diagnosis.h"
#include "app/session/profile/profile_recording.h"

namespace lanescope {

/// The profile of a text, and what it says.
struct TextProfile {
  std::string origin;             ///< the GPU and the day, always to be shown with it
  std::string computeCapability;  ///< of that GPU: whose machine code it is
  const LaunchProfile* profile = nullptr;
  Diagnosis diagnosis;

  /// What was measured of a line; nullptr where it has no instructions.
  const LineShare* line(std::uint32_t number) const;
  /// The machine code of a line, in order; empty where none was recorded.
  std::vector<const ProfileInstruction*> codeOf(std::uint32_t number) const;
};

/// Profiles by the text that was profiled: those that ship, and those made here since. The recording is read
/// at the first question, each diagnosis is made once. What was given out stays. For one thread.
class TextProfiles {
 public:
  /// The profile of exactly that text; nullptr where none was recorded.
  const TextProfile* of(std::string_view text);
  /// Takes a profile that was made of that text just now, in place of an earlier one. `gpu`: where.
  void add(LaunchProfile profile, std::string_view text, const HelloMessage& gpu);
  /// Counts the profiles added: another number, others may be found.
  std::uint64_t revision() const { return entries_.size(); }
  /// Those of all strategies that have one, in the order of the course.
  const std::vector<const TextProfile*>& ofStrategies();
  /// Why there is none at all, one sentence; empty where there is a recording.
  const std::string& problem();

 private:
  void load();

  bool isLoaded_ = false;
  std::string problem_;
  std::optional<ProfileRecording> recording_;
  std::map<std::uint64_t, std::unique_ptr<TextProfile>> known_;  ///< by the text's hash; null: none
  std::vector<const TextProfile*> ofStrategies_;
  /// Those made here, each with what it is of, the newest last.
  struct Entry {
    std::uint64_t hash = 0;
    LaunchProfile profile;
    TextProfile says;
  };
  std::vector<std::unique_ptr<Entry>> entries_;
};

/// What a line's measured margin says, for a tip: its share, instructions per warp, and what warps wait for
/// there.
std::string profileTip(const TextProfile& profile, const LineShare& line);

}  // namespace lanescope
