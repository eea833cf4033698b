#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/base/newest_job.h"
#include "app/analysis/floor_report.h"

namespace lanescope {

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
  /// `wake` is called from another thread when poll() has something to take.
  explicit FloorWatch(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// Asks for these floors; almost free if they are already there.
  void show(FloorRequest request);
  /// Takes finished floors; true if there were any.
  bool poll();

  bool busy() const { return job_ && job_->busy(); }
  /// The report last requested; nullptr while it is counted, or if that is impossible.
  const FloorReport* report() const { return report_ ? &*report_ : nullptr; }
  /// One sentence on why there is none; empty if there is one or it is being counted.
  const std::string& problem() const { return problem_; }

 private:
  using Job = NewestJob<FloorRequest, Result<FloorReport>>;

  std::function<void()> wake_;
  std::unique_ptr<Job> job_;
  std::optional<FloorRequest> asked_;
  std::optional<FloorReport> report_;
  std::string problem_;
};

}  // namespace lanescope
