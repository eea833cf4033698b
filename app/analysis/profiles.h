#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/analysis/diagnosis.h"
#include "kernels/protocol/protocol.h"
#include "kernels/strategies/experiment.h"
#include "sim/base/diagnostic.h"
#include "sim/sass/machine_code.h"

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

/// The limiter of each kernel of an experiment, from recorded profiles.
struct ExperimentProfiles {
  std::string source;                ///< the GPU and the day: `NVIDIA H200, 2026-11-23`
  std::vector<std::string> clauses;  ///< one for each variant, as limitClause(); empty if none was recorded
};

/// The unit nearest to its peak and the stall that takes most of the warps' time: `DRAM at 74% of its peak;
/// 88% of the warps' time: "waits for global memory"`.
std::string limitClause(const LaunchProfile& profile);

/// The profiles of these kernels: a variant's is the one recorded under its series of exactly its text.
ExperimentProfiles readProfiles(const std::vector<Variant>& variants, const ProfileRecording& recording);

/// The recording of the experiments' profiles that ships with the program. The error says that it is missing.
Result<ProfileRecording> shippedExperimentProfiles();

/// The machine code that a profile recorded; nullopt if it has none. Branches lead to addresses from the
/// kernel's start, as in other machine code. Loops are known if the last instruction, a branch to itself,
/// gives the code's address in GPU memory; otherwise any instruction may be in a loop.
std::optional<MachineCode> readMachineCode(const LaunchProfile& profile, const std::string& origin);

}  // namespace lanescope
