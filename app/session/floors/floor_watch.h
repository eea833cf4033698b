#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/session/base/newest_job.h"
#include "app/session/floors/floor_report.h"

namespace lanescope {

/// Whose floors are wanted: a strategy's launch with a text of it, or any launch.
struct FloorRequest {
  const Strategy* strategy = nullptr;  ///< nullptr: `launch`
  FloorQuery query{};
  std::optional<Launch> launch{};
  const TextProfile* profile = nullptr;  ///< of the text; must live on

  /// Whether both ask for the same.
  bool isSame(const FloorRequest& other) const;
};

/// The floors of what is at hand, counted in the background. Nothing is counted before show(). For one
/// thread.
class FloorWatch {
 public:
  /// `wake` is called from another thread when poll() has something to take.
  explicit FloorWatch(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// Asks for these floors; costs next to nothing where they are what is there.
  void show(FloorRequest request);
  /// Takes what is finished; true when something has come.
  bool poll();

  bool busy() const { return job_ && job_->busy(); }
  /// What was asked for last; nullptr while it is counted, or where it cannot be.
  const FloorReport* report() const { return report_ ? &*report_ : nullptr; }
  /// Why there is none, one sentence; empty where there is one or it is counted.
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
