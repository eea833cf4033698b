#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/protocol/edited_messages.h"

/// The part of the protocol (protocol.h) for a launch that Nsight Compute profiled, line by line. Names of
/// metrics are Nsight Compute's.
namespace lanescope {

/// Lines or instructions in one message: it stays under kMaxLineBytes even if every field has its maximal
/// length.
inline constexpr std::size_t kProfileRows = 28;
/// The most lines or instructions of a profile; the rest of a longer text or code is left out.
inline constexpr std::size_t kMaxProfileRows = 20000;
inline constexpr std::size_t kMaxStalls = 24;      // of a row
inline constexpr std::size_t kMaxStallBytes = 40;  // of a reason's name
inline constexpr std::size_t kMaxSassBytes = 160;  // of an instruction
inline constexpr std::size_t kMaxMetrics = 200;    // of a kernel

/// Profiles one launch of a text with Nsight Compute.
struct ProfileRequest {
  static constexpr std::string_view kType = "profile";
  std::uint64_t run = 0;
  TextLaunch launch;
  bool linked = false;  ///< for a strategy's own text, profiles the worker's linked code, which is timed;
                        ///< else the text is compiled
};

/// Samples of warps that waited, or issued, for one reason.
struct StallCount {
  std::string reason;  ///< as Nsight Compute's `stall_` columns say: `long_sb`, `barrier`
  std::uint64_t samples = 0;
  bool operator==(const StallCount&) const = default;
};

/// The counts of a line of the text or of an instruction; a count that was not taken is 0.
struct ProfileCounts {
  std::uint64_t samples = 0;                ///< of all warps whose next instruction this is
  std::uint64_t notIssued = 0;              ///< samples among them at which the scheduler issued no warp
  std::uint64_t executed = 0;               ///< warp instructions: `inst_executed`
  std::uint64_t threadExecuted = 0;         ///< of active threads: `thread_inst_executed`
  std::uint64_t sharedWavefronts = 0;       ///< `memory_l1_wavefronts_shared`
  std::uint64_t sharedIdealWavefronts = 0;  ///< without bank conflicts
  std::uint64_t globalSectors = 0;          ///< `memory_l2_theoretical_sectors_global`
  std::uint64_t globalIdealSectors = 0;     ///< if every access were coalesced
  std::vector<StallCount> stalls{};         ///< most samples first; they make up `samples`
  bool operator==(const ProfileCounts&) const = default;
};

struct ProfileLine {
  std::uint32_t line = 0;  ///< from 1
  ProfileCounts counts;
  bool operator==(const ProfileLine&) const = default;
};

/// A machine instruction, in the order of the code.
struct ProfileInstruction {
  std::uint32_t line = 0;  ///< of the text, from 1; 0: none, for example for code of a header
  std::string sass;        ///< `LDS R3, [R2+0x4]`
  ProfileCounts counts;
  bool operator==(const ProfileInstruction&) const = default;
};

/// A metric of a kernel under Nsight Compute's name.
struct MeasuredMetric {
  std::string name;
  std::optional<double> value;  ///< in base units; not set if this GPU or this version does not have it
  bool operator==(const MeasuredMetric&) const = default;
};

/// A profiled launch. Its lines and instructions follow in messages of their own.
struct ProfileMessage {
  static constexpr std::string_view kType = "profile";
  std::uint64_t run = 0;
  std::string strategy;  ///< its id; empty for a text
  std::uint64_t n = 0;   ///< elements; 0 for a text
  std::string kernel;    ///< `name` or `name<128>`
  std::string tool;      ///< `Nsight Compute`
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint64_t textHash = 0;            ///< FNV-1a of the text's bytes: tells if lines belong to a text
  std::vector<MeasuredMetric> metrics;   ///< those of profile_metrics.h, by name
  std::vector<MeasuredCounter> opcodes;  ///< warp instructions of each: `LDS`, `BAR`; by name
};

struct ProfileLinesMessage {
  static constexpr std::string_view kType = "profile-lines";
  std::uint64_t run = 0;
  std::vector<ProfileLine> lines;  ///< at most kProfileRows
};

struct ProfileInstructionsMessage {
  static constexpr std::string_view kType = "profile-instructions";
  std::uint64_t run = 0;
  std::vector<ProfileInstruction> instructions;  ///< at most kProfileRows
};

/// A whole profile: the contents of one run's messages.
struct LaunchProfile {
  ProfileMessage kernel;
  std::vector<ProfileLine> lines;                ///< in order of the text
  std::vector<ProfileInstruction> instructions;  ///< in order of the code
  std::string date{};                            ///< of the previous hello in a recording; else empty
};

/// FNV-1a of a text's bytes: ProfileMessage::textHash.
std::uint64_t hashText(std::string_view text);

}  // namespace lanescope
