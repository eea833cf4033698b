#pragma once

#include <string>

#include "app/analysis/bench_data.h"

/// Measurements as files that other programs read.
namespace lanescope {

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
