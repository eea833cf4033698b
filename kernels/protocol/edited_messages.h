#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The part of the protocol (protocol.h) for a kernel's text that the worker compiles.
namespace lanescope {

/// The longest kernel text that a request may carry.
inline constexpr std::size_t kMaxKernelTextBytes = std::size_t{1} << 20U;
/// The longest line of a request with a text; each of its bytes may take six in JSON.
inline constexpr std::size_t kMaxRequestBytes = 6 * kMaxKernelTextBytes + 64 * std::size_t{1024};
/// Buffers of up to this many bytes are sent back whole.
inline constexpr std::uint64_t kMaxWordsBytes = std::uint64_t{1} << 20U;
/// Bytes of a buffer in one `words` message.
inline constexpr std::size_t kWordsBytes = 24 * std::size_t{1024};
inline constexpr std::size_t kMaxDiagnostics = 50;
/// The compiler's time limit in seconds.
inline constexpr double kCompileSeconds = 10;

/// A kernel as text, and one launch of it.
struct TextLaunch {
  std::string text{};
  std::string kernel{};                         ///< `name` or `name<128>`
  std::array<std::uint32_t, 3> grid{1, 1, 1};   ///< blocks
  std::array<std::uint32_t, 3> block{1, 1, 1};  ///< threads
  std::uint64_t dynamicSharedBytes = 0;
  std::vector<std::string> arguments{};  ///< as on the command line: `f32:hash:1024`, `u32=7`
};

/// Compiles a text, runs its kernel once, sends back every buffer, then times it.
struct CompileRunRequest {
  static constexpr std::string_view kType = "compile-run";
  std::uint64_t run = 0;  ///< chosen by the client, repeated in every answer; from 1
  TextLaunch launch{};
  double seconds = 2;             ///< the limit of a launch
  std::uint32_t maxSamples = 20;  ///< the most timed launches; 0 for none
};

/// Reads the hardware counters of one launch of a text with Nsight Compute.
struct CountersRequest {
  static constexpr std::string_view kType = "counters";
  std::uint64_t run = 0;
  TextLaunch launch;
};

/// A finding of the compiler.
struct CompilerFinding {
  bool isError = true;       ///< else a warning
  std::uint32_t line = 0;    ///< from 1; 0 if it belongs to no line of the text
  std::uint32_t column = 0;  ///< from 1, in bytes; 0: unknown
  std::string message;
  bool operator==(const CompilerFinding&) const = default;
};

/// The compiler's result for a text, also if it failed.
struct CompiledMessage {
  static constexpr std::string_view kType = "compiled";
  std::uint64_t run = 0;
  bool compiled = false;
  std::string architecture{};  ///< `sm_90`
  std::string compiler{};      ///< `NVRTC 13.0`
  double milliseconds = 0;
  std::uint32_t registers = 0;              ///< per thread
  std::uint64_t staticSharedBytes = 0;      ///< per block
  std::uint64_t localBytes = 0;             ///< per thread: spilled registers and local arrays
  std::vector<CompilerFinding> findings{};  ///< at most kMaxDiagnostics
};

/// The contents of a buffer after the first launch.
struct OutputMessage {
  static constexpr std::string_view kType = "output";
  std::uint64_t run = 0;
  std::uint32_t argument = 0;  ///< from 0; scalars count too
  std::uint64_t bytes = 0;
  double sum = 0;           ///< of its elements, in double; NaN if one is
  std::uint64_t fnv1a = 0;  ///< of its bytes, as sim/memory/device_memory.h
};

/// A part of a buffer of at most kMaxWordsBytes.
struct WordsMessage {
  static constexpr std::string_view kType = "words";
  std::uint64_t run = 0;
  std::uint32_t argument = 0;
  std::uint64_t offset = 0;      ///< bytes before it
  std::vector<std::byte> bytes;  ///< at most kWordsBytes; hexadecimal on the line
};

/// Times of further launches, each on fresh buffers with L2 flushed.
struct TimedMessage {
  static constexpr std::string_view kType = "timed";
  std::uint64_t run = 0;
  double medianUs = 0;
  double q1Us = 0;
  double q3Us = 0;
  std::uint32_t samples = 0;
  std::uint32_t discarded = 0;
};

/// A hardware counter under Nsight Compute's name.
struct MeasuredCounter {
  std::string name;
  std::optional<std::uint64_t> value;  ///< not set if this GPU or this version does not have it
  bool operator==(const MeasuredCounter&) const = default;
};

struct CountersMessage {
  static constexpr std::string_view kType = "counters";
  std::uint64_t run = 0;
  std::string tool;  ///< `Nsight Compute`, and the version it reports
  std::vector<MeasuredCounter> counters;
};

}  // namespace lanescope
