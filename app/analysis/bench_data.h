#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/protocol/protocol.h"

namespace lanescope {

/// The N that is shown first if it was measured.
inline constexpr std::uint64_t kUsualSize = std::uint64_t{1} << 24U;

/// The samples of one strategy at one N, block size and cache state, and their result.
struct BenchSeries {
  std::uint64_t run = 0;
  std::vector<double> samples;  ///< microseconds, as they came; at most kMaxKeptSamples
  std::optional<ResultMessage> result;
  std::string date;  ///< of the hello before the result; empty before there is one
};

/// The reading of a series to show, finished or in progress.
struct BenchReading {
  bool wrong = false;  ///< the sums are wrong: there is no time
  double medianUs = 0;
  double q1Us = 0;
  double q3Us = 0;
  double gbps = 0;  ///< (bytes read + bytes written) / median, 10^9 bytes per second
  std::size_t samples = 0;
};

/// The setting that comparable series share.
struct BenchSetting {
  std::uint32_t block = 256;
  CacheState cache = CacheState::Cold;
  Scope scope = Scope::Kernel;
  ElementType type = ElementType::Float;

  /// `blocks`: as in SeriesKey. Series with different ones have the rest in common, and can be compared.
  SeriesKey key(std::string_view strategy, std::uint64_t n, std::uint64_t blocks = 0) const {
    return {std::string(strategy), n, block, cache, scope, type, blocks};
  }
  bool covers(const SeriesKey& key) const {
    return key.block == block && key.cache == cache && key.scope == scope && key.type == type;
  }
  bool operator==(const BenchSetting&) const = default;
};

/// The data of all messages of a worker so far, live or recorded. Bounded: a worker that never stops sending
/// cannot fill the memory.
class BenchData {
 public:
  static constexpr std::size_t kMaxKeptSamples = 512;
  static constexpr std::size_t kMaxSeries = 8192;

  /// Takes the next message. The first sample or result of a new run replaces an earlier run's data of that
  /// series.
  void apply(const WorkerMessage& message);

  /// The GPU; nullopt before the hello.
  const std::optional<HelloMessage>& hello() const { return hello_; }
  const std::optional<CeilingMessage>& ceiling() const { return ceiling_; }
  /// The progress of the current run; nullopt between runs.
  const std::optional<ProgressMessage>& progress() const { return progress_; }
  /// The worker's last error, one sentence; empty once a run has begun after it.
  const std::string& lastError() const { return lastError_; }
  /// Forgets a run that will not continue.
  void dropProgress() { progress_.reset(); }

  const std::map<SeriesKey, BenchSeries>& series() const { return series_; }
  const BenchSeries* find(const SeriesKey& key) const;

  /// The reading of a series; nullopt if it has no sample yet.
  std::optional<BenchReading> reading(const SeriesKey& key) const;

  /// Every N with a series of this setting, ascending.
  std::vector<std::uint64_t> sizes(const BenchSetting& setting) const;

 private:
  BenchSeries* findSeries(const SeriesKey& key, std::uint64_t run);

  std::optional<HelloMessage> hello_;
  std::optional<CeilingMessage> ceiling_;
  std::optional<ProgressMessage> progress_;
  std::string lastError_;
  std::map<SeriesKey, BenchSeries> series_;
};

// Descriptions of measurements in words.

/// The contents of the measurements, to tell recordings of one GPU and day apart: `40 kernels alone, N = 2^10
/// to 2^28, 10 sizes, block 256, cold and warm`. `nothing was timed` if there are none.
std::string contentsText(const BenchData& data);

/// The difference of measurements from the current view.
struct BenchDifference {
  enum class Kind : std::uint8_t {
    None,      ///< some are of just that
    Nothing,   ///< there are none
    Elsewhere  ///< the nearest were timed otherwise
  } kind = Kind::None;
  /// Elsewhere: `with 512 threads per block, not 256; and to one value, not a kernel alone`.
  std::string how;
  bool operator==(const BenchDifference&) const = default;
};

/// The difference of the nearest of them from that setting, and from `n` if one N is shown.
BenchDifference computeDifference(const BenchData& data, const BenchSetting& setting,
                                  const std::optional<std::uint64_t>& n);

// Measurements as files that other programs read.

/// `lanescope.bench/1`: `gpu` (as in the worker's hello), `ceiling_gbps` and `launch_us` (null if not
/// measured), and `results`, one for each finished series: strategy, n, block, cache, scope, element, grid,
/// launches, verified, bytes, and if verified median_us, q1_us, q3_us, samples, discarded, gbps; then blocks
/// (the requested number; null: the strategy's own choice; the grid is the one it had) and
/// elements_per_thread (on average, of the first launch; null if unknown). Times in microseconds, GB = 10^9
/// bytes.
std::string benchJson(const BenchData& data);

/// The same results as a table: a header, then a line each; GPU, driver and date in every line. Fields
/// with a comma or a quote are quoted (RFC 4180).
std::string benchCsv(const BenchData& data);

/// The data for display: a table by scope, element, cache, block and N, fastest first, and the ceiling.
std::string benchText(const BenchData& data);

/// The data as a recording (recording.h): its hello, ceiling, kept samples and results, one per line. Empty
/// unless a worker has said hello.
std::string recordingText(const BenchData& data);

}  // namespace lanescope
