#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/strategies/catalogue.h"
#include "kernels/protocol/edited_messages.h"
#include "kernels/protocol/profile_messages.h"
#include "sim/base/diagnostic.h"

/// The worker's protocol: JSON, one message per line, described in kernels/worker/README.md. No CUDA here:
/// the worker, the app and the command line tool share this file.
namespace lanescope {

inline constexpr std::string_view kWorkerProtocol = "lanescope.worker/1";

/// The longest line in either direction, except for requests with a kernel's text (kMaxRequestBytes in
/// edited_messages.h); a reader drops a longer one unread.
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

/// `text` fit for a sentence: control bytes and broken UTF-8 replaced, cut after `limit` bytes.
std::string printable(std::string_view text, std::size_t limit = 160);

}  // namespace lanescope
