#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "app/session/picture_planner.h"
#include "app/session/questions.h"
#include "sim/machine/launch.h"
#include "sim/observe/hazards.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// A recorded trace and the hazards of its launch; these are empty where they could not be looked for.
struct RecordedRun {
  std::shared_ptr<const Trace> trace;
  HazardReport hazards;
  std::shared_ptr<const RacePlaces> races;  ///< where they were asked for
  std::shared_ptr<const PicturePlan> plan;  ///< where somebody plans pictures
};

/// Whether a run's races are sorted by step too: that takes most of a second for the longest traces.
enum class Races : std::uint8_t { Left, Found };

/// A recorded run, or why there is none.
using TraceOutcome = Result<RecordedRun>;

/// Records traces in a thread of its own. The newest request wins: one that is waiting is dropped
/// and one in progress is asked to stop. All members may be called from any one thread; `finished`
/// is called from the runner's own.
class TraceRunner {
 public:
  explicit TraceRunner(std::function<void()> finished, Races races = Races::Left);
  ~TraceRunner();
  TraceRunner(const TraceRunner&) = delete;
  TraceRunner& operator=(const TraceRunner&) = delete;

  /// Who plans the pictures of traces that are asked for from now on.
  void setPlanner(PicturePlanner planner);
  /// `block` is the one to be recorded.
  void request(Launch launch, Dim3 block = {0, 0, 0});
  /// Drops what is asked for and not yet taken.
  void cancel();
  /// The outcome of the newest request, once; nothing while it runs.
  std::optional<TraceOutcome> take();
  bool busy() const;

 private:
  void work(const std::stop_token& stop);

  std::function<void()> finished_;
  Races races_;
  PicturePlanner planner_;
  mutable std::mutex mutex_;
  std::condition_variable_any wanted_;
  struct Wanted {
    Launch launch;
    Dim3 block;
    PicturePlanner planner{};
  };
  std::optional<Wanted> waiting_;
  std::optional<TraceOutcome> outcome_;
  std::stop_source running_;
  bool busy_ = false;
  std::jthread thread_;  ///< last: it uses all of the above
};

}  // namespace lanescope
