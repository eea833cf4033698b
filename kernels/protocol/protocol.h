#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/strategies/catalogue.h"
#include "sim/base/diagnostic.h"
#include "sim/base/printable.h"

/// The worker's protocol: JSON, one message per line, described in kernels/worker/README.md. No CUDA here:
/// the worker, the app and the command line tool share this file. First the part for a kernel's text that the
/// worker compiles.
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

// The part of the protocol for a launch that Nsight Compute profiled, line by line. Names of
// metrics are Nsight Compute's.

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
  std::vector<MeasuredMetric> metrics;   ///< those of ncu_profile.h, by name
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

// The messages for hello, benchmarks and rates.

inline constexpr std::string_view kWorkerProtocol = "lanescope.worker/1";

/// The longest line in either direction, except for requests with a kernel's text (kMaxRequestBytes); a
/// reader drops a longer one unread.
inline constexpr std::size_t kMaxLineBytes = 64 * 1024;

/// The contents of the L2 cache at the start of a sample.
enum class CacheState {
  Cold,  ///< nothing of the input: L2 was flushed
  Warm,  ///< the data that a run of the same kernel just before has left there
};

/// `cold` or `warm`.
std::string_view cacheStateName(CacheState state);

/// The work that a sample times.
enum class Scope {
  Kernel,  ///< one launch of the strategy's kernel
  Full,    ///< all work for one value of n elements: clearing, and every launch
};

/// `kernel` or `full`.
std::string_view scopeName(Scope scope);

/// The subject of a series of samples.
struct SeriesKey {
  std::string strategy;     ///< an id of the catalogue, `cub`, or an experiment's kernel: Variant::series
  std::uint64_t n = 0;      ///< elements reduced
  std::uint32_t block = 0;  ///< threads per block; CUB chooses its own
  CacheState cache = CacheState::Cold;
  Scope scope = Scope::Kernel;
  ElementType type = ElementType::Float;
  std::uint64_t blocks = 0;  ///< as requested; 0: the strategy's own choice, or a grid that depends on n

  auto operator<=>(const SeriesKey&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 errs
};

/// The worker's first message: its version and its GPU.
struct HelloMessage {
  static constexpr std::string_view kType = "hello";
  std::string protocol{kWorkerProtocol};  ///< if it is not our version, the rest is not read
  std::string worker{};                   ///< the worker's own version
  std::string gpu{};                      ///< `NVIDIA H200`
  std::string computeCapability{};        ///< `9.0`
  std::string driver{};                   ///< `580.159.04`; empty if unknown
  std::string cudaDriver{};               ///< newest CUDA the driver runs, `13.0`
  std::string cudaRuntime{};              ///< CUDA the worker was built with, `13.0`
  std::uint32_t sms = 0;                  ///< streaming multiprocessors
  std::uint64_t l2Bytes = 0;
  std::uint64_t memoryBytes = 0;
  double theoreticalGBps = 0;  ///< memory clock times bus width, 10^9 bytes per second; 0 if unknown
  std::string date{};          ///< `2026-11-20`, UTC
};

/// The read bandwidth that this GPU reached in this session, with a kernel that only reads.
struct CeilingMessage {
  static constexpr std::string_view kType = "ceiling";
  double gbps = 0;          ///< 10^9 bytes per second
  double us = 0;            ///< median time of one read, microseconds
  std::uint64_t bytes = 0;  ///< bytes of one read
  std::uint32_t samples = 0;
  double launchUs = 0;  ///< an empty kernel timed the same way: part of every sample
  std::string how;      ///< one sentence
};

/// A unit of a GPU whose work can be counted, and the launch that comes before it.
enum class RateUnit : std::uint8_t {
  Dram,    ///< device memory: sectors of 32 bytes
  L2,      ///< the L2 cache: sectors of 32 bytes
  Shared,  ///< shared memory: wavefronts
  Issue,   ///< issue slots: warp instructions
  Launch,  ///< an empty kernel
};
inline constexpr std::array kRateUnits{RateUnit::Dram, RateUnit::L2, RateUnit::Shared, RateUnit::Issue,
                                       RateUnit::Launch};

/// `dram`, `l2`, `shared`, `issue` or `launch`.
std::string_view rateUnitName(RateUnit unit);

/// The work that one unit of this GPU, all SMs together, does in a microsecond.
struct RateMessage {
  static constexpr std::string_view kType = "rate";
  RateUnit unit = RateUnit::Dram;
  std::uint64_t amount = 0;  ///< of one launch, in the unit's own measure; 0: of an empty kernel
  double us = 0;             ///< median time of one launch
  double launchUs = 0;       ///< the part of it that an empty kernel takes
  double perUs = 0;          ///< amount / (us - launchUs)
  std::uint32_t samples = 0;
  std::string how;  ///< one sentence
};

/// The progress of a run, in samples; the total is the most that the run may need.
struct ProgressMessage {
  static constexpr std::string_view kType = "progress";
  std::uint64_t run = 0;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

/// One timed launch.
struct SampleMessage {
  static constexpr std::string_view kType = "sample";
  std::uint64_t run = 0;
  SeriesKey series;
  std::uint32_t index = 0;  ///< 0 for the first of its series
  double us = 0;            ///< microseconds
};

/// A finished series. If the sums are wrong there is no time: median, quartiles and GB/s are 0.
struct ResultMessage {
  static constexpr std::string_view kType = "result";
  std::uint64_t run = 0;
  SeriesKey series{};
  std::uint64_t grid = 0;         ///< blocks of the first launch; 0 for CUB, which does not report it
  std::uint64_t launches = 1;     ///< kernels and memsets of one sample; 0 for CUB
  std::uint64_t sharedBytes = 0;  ///< dynamic shared memory per block
  bool verified = false;          ///< every result equals the host's
  double expected = 0;            ///< sum of all results, in double
  double got = 0;                 ///< the same for the GPU's; NaN if a sum was never written
  std::uint64_t wrongBlocks = 0;
  double medianUs = 0;
  double q1Us = 0;
  double q3Us = 0;
  std::uint32_t samples = 0;    ///< samples behind the median
  std::uint32_t discarded = 0;  ///< outliers left out of it
  std::uint64_t bytes = 0;      ///< read + written
  double gbps = 0;              ///< bytes / median, 10^9 bytes per second
  /// For the first launch, on average: n / its threads. 0: unknown, as for CUB and in earlier recordings.
  double elementsPerThread = 0;
  std::uint32_t registers = 0;       ///< per thread, of an experiment's kernel; 0: unknown
  std::uint32_t residentBlocks = 0;  ///< per SM at most, of an experiment's kernel; 0: unknown
};

/// Errors that a client handles.
enum class ErrorKind : std::uint8_t {
  Other,
  NoCompiler,  ///< the worker's machine has no compiler for texts
};

/// An error; without a run, the worker itself cannot continue.
struct ErrorMessage {
  static constexpr std::string_view kType = "error";
  std::optional<std::uint64_t> run;
  std::string sentence;
  ErrorKind kind = ErrorKind::Other;
};

/// The end of a run, whatever its result.
struct DoneMessage {
  static constexpr std::string_view kType = "done";
  std::uint64_t run = 0;
  bool cancelled = false;
  bool ending = false;  ///< the run has broken the worker: it accepts no more requests and is about to end
};

using WorkerMessage =
    std::variant<HelloMessage, CeilingMessage, ProgressMessage, SampleMessage, ResultMessage, ErrorMessage,
                 DoneMessage, CompiledMessage, OutputMessage, WordsMessage, TimedMessage, CountersMessage,
                 ProfileMessage, ProfileLinesMessage, ProfileInstructionsMessage, RateMessage>;

/// The protocol version of the client; the worker refuses any other than its own.
struct HelloRequest {
  static constexpr std::string_view kType = "hello";
  std::string protocol{kWorkerProtocol};
};

/// Times strategies over one N and one block size.
struct BenchRequest {
  static constexpr std::string_view kType = "bench";
  std::uint64_t run = 0;                  ///< chosen by the client, repeated in every answer; from 1
  std::vector<std::string> strategies{};  ///< ids; empty for all: bench_rules.h
  std::uint64_t n = std::uint64_t{1} << 24U;
  std::uint32_t block = 256;
  bool cold = true;
  bool warm = false;
  Scope scope = Scope::Kernel;
  ElementType type = ElementType::Float;
  std::uint32_t maxSamples = 40;  ///< the most samples of a series
  double minSeconds = 0;          ///< the least time of a run, unless maxSamples ends it
  /// The grid of the strategies that takesBlocks(); 0: their own choice. The others keep their own.
  std::uint64_t blocks = 0;
};

/// Times every kernel of a shipped experiment, one sample of each after another.
struct ExperimentRequest {
  static constexpr std::string_view kType = "experiment";
  std::uint64_t run = 0;
  std::string experiment;         ///< its id: kernels/strategies/experiment.h
  std::uint64_t n = 0;            ///< elements; 0: the experiment's own
  std::uint32_t maxSamples = 40;  ///< the most samples of a series
};

/// Ends a run at its next sample; without a run, every run requested so far.
struct CancelRequest {
  static constexpr std::string_view kType = "cancel";
  std::optional<std::uint64_t> run;
};

struct QuitRequest {
  static constexpr std::string_view kType = "quit";
};

using WorkerRequest = std::variant<HelloRequest, BenchRequest, CancelRequest, QuitRequest, CompileRunRequest,
                                   CountersRequest, ProfileRequest, ExperimentRequest>;

/// One line of JSON, without its newline.
std::string toLine(const WorkerMessage& message);
std::string toLine(const WorkerRequest& request);

/// Reads one line. Every field is checked for presence, type and range; unknown fields are ignored, so that a
/// later worker can add some. The error explains the problem in one sentence.
Result<WorkerMessage> parseMessage(std::string_view line);
Result<WorkerRequest> parseRequest(std::string_view line);

/// Empty if the hello has our protocol, else a sentence that names both versions.
std::optional<Error> protocolMismatch(const HelloMessage& hello);
std::optional<Error> protocolMismatch(const HelloRequest& hello);

/// Splits a stream of bytes into lines in bounded memory: a line over the limit is dropped.
class LineReader {
 public:
  explicit LineReader(std::size_t limit = kMaxLineBytes) : limit_(limit) {}

  /// Called with each complete line, without its end; `overlong` lines are empty.
  using Handler = std::function<void(std::string_view line, bool overlong)>;

  /// Takes the next bytes of the stream.
  void feed(std::string_view bytes, const Handler& onLine);

  /// The end of the stream: passes on a last line without a newline.
  void finish(const Handler& onLine);

  /// Bytes of the unfinished line that were dropped because it passed the limit.
  std::size_t droppedBytes() const { return dropped_; }

 private:
  void keep(std::string_view part);
  void endLine(const Handler& onLine);

  std::size_t limit_;
  std::string line_;
  std::size_t dropped_ = 0;
};

}  // namespace lanescope
