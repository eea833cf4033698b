#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "app/analysis/bench_data.h"
#include "app/analysis/floors.h"
#include "app/analysis/profiles.h"
#include "app/analysis/toolkit.h"
#include "app/base/newest_job.h"

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

/// A request for floors: of a strategy's launch with a text of it, or of any launch.
struct FloorRequest {
  const Strategy* strategy = nullptr;  ///< nullptr: `launch`
  FloorQuery query{};
  std::optional<Launch> launch{};
  const TextProfile* profile = nullptr;  ///< of the text; must live on

  /// True if both ask for the same floors.
  bool isSame(const FloorRequest& other) const;
};

/// The floors of the current launch, counted in the background. Nothing is counted before show(). For one
/// thread.
class FloorWatch {
 public:
  /// The executor's owner is woken when poll() has something to take.
  explicit FloorWatch(ExecutorPtr executor);

  /// Asks for these floors; almost free if they are already there.
  void show(FloorRequest request);
  /// Takes finished floors; true if there were any.
  bool poll();

  bool busy() const { return job_.busy(); }
  /// The report last requested; nullptr while it is counted, or if that is impossible.
  const FloorReport* report() const { return report_ ? &*report_ : nullptr; }
  /// One sentence on why there is none; empty if there is one or it is being counted.
  const std::string& problem() const { return problem_; }

 private:
  using Job = NewestJob<FloorRequest, Result<FloorReport>>;

  Job job_;
  std::optional<FloorRequest> asked_;
  std::optional<FloorReport> report_;
  std::string problem_;
};

}  // namespace lanescope
