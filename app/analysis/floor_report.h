#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "app/analysis/floors.h"
#include "app/analysis/bench_data.h"
#include "app/analysis/text_profiles.h"
#include "app/analysis/toolkit.h"

namespace lanescope {

/// The floors of one launch on one GPU, and its measurements.
struct FloorReport {
  std::string strategy;  ///< its id; empty: a file's text
  std::string kernel;
  std::uint64_t n = 0;        ///< elements; 0: a file's text
  std::uint32_t threads = 0;  ///< of a block
  CacheState cache = CacheState::Cold;
  GpuRates gpu;
  LaunchCounts counts;
  std::optional<IssuedInstructions> issued;
  Floors floors;
  double measuredUs = 0;       ///< 0: it was not measured
  std::string measuredOrigin;  ///< the GPU and the day; empty: it was not measured
  std::string waiting;         ///< waitingSentence(), if the time is far above the floor
  bool isExecuted = false;     ///< all counts except different sectors are those of executed machine code
  bool isOfText = false;       ///< no recording knows the text; a compiler may leave out some of its accesses

  /// The floor as a part of the measured time; 0 if there is none.
  double reached() const { return measuredUs > 0 ? floors.us() / measuredUs : 0; }
  /// One or two sentences: measured or not, and the basis of the floor.
  std::string sentence() const;
  /// One sentence on the basis of the floor if isOfText; else empty.
  std::string_view textNote() const;
};

/// The input of a report.
struct FloorQuery {
  std::uint64_t n = std::uint64_t{1} << 26U;
  std::uint32_t threads = 256;  ///< of a block
  CacheState cache = CacheState::Cold;
  GpuRates gpu{};
  std::shared_ptr<const SourceText> text{};  ///< in place of the strategy's own
  std::optional<Toolkit> toolkit{};          ///< makes the machine code that no profile has
  std::stop_token stop{};
};

/// Counts a strategy's launch as that GPU runs it. The measured time is not set. The machine instructions are
/// those of the profile, else those that the query's toolkit makes of the text: executed, with their
/// wavefronts and stores, if that is possible, else estimated. Errors: those of countStrategy.
Result<FloorReport> floorReport(const Strategy& strategy, const FloorQuery& query,
                                const TextProfile* profile);
/// The report of any launch, simulated whole; it uses the query's GPU, state of the caches and toolkit.
/// Errors: those of countWhole.
Result<FloorReport> floorReport(const Launch& launch, const FloorQuery& query);

/// Adds the measured time of that strategy at that N with blocks of that size, cold or warm; and a profile's
/// explanation of the rest.
void addMeasured(FloorReport& report, const BenchData& data, const std::string& origin,
                 const TextProfile* profile);

/// The recording of times of a GPU. The error says that none ships.
Result<Recording> readTimes(const GpuRates& gpu);

}  // namespace lanescope
