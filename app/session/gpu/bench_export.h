#pragma once

#include <string>

#include "app/session/gpu/bench_data.h"

/// Measurements as files that other programs read.
namespace lanescope {

/// `lanescope.bench/1`: `gpu` (what the worker's hello says), `ceiling_gbps` and `launch_us` (null where
/// they were not measured), and `results`, one for each finished series: strategy, n, block, cache,
/// scope, element, grid, launches, verified, bytes, and where verified median_us, q1_us, q3_us,
/// samples, discarded, gbps; then blocks (those asked for; null: the strategy's own choice; the grid is what
/// it had) and elements_per_thread (on average, of the first launch; null where unknown). Times in
/// microseconds, GB = 10^9 bytes.
std::string benchJson(const BenchData& data);

/// The same results as a table: a header, then a line each; GPU, driver and date in every line. Fields
/// with a comma or a quote are quoted (RFC 4180).
std::string benchCsv(const BenchData& data);

/// The same for a person: a table by scope, element, cache, block and N, fastest first, and the ceiling.
std::string benchText(const BenchData& data);

/// The data as a recording (recording.h): its hello, ceiling, kept samples and results, a line each. Empty
/// where no worker has said hello.
std::string recordingText(const BenchData& data);

}  // namespace lanescope
