#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/analysis/alignment.h"
#include "app/launch/strategy_launch.h"
#include "app/workbench/run_job.h"
#include "app/workbench/walk.h"
#include "sim/trace/replay.h"

namespace lanescope {

/// The strategy that comes after this one in the course (before it, if it is the last); the first, if there
/// is none.
const Strategy& neighbourInCourse(const Strategy* strategy);

/// A second strategy beside the current one: run in the background with the same N, machine, blocks, type of
/// element and operator, as far as it takes them, and kept at the place that matches the first's. Nothing is
/// simulated before syncTo() is called. For one thread.
class Comparison {
 public:
  /// The executor's owner is woken when poll() has something to take.
  Comparison(ExecutorPtr executor, std::shared_ptr<KernelCache> kernels);

  /// Sets the strategy to compare with; nullptr: the neighbour in the course, whatever is current.
  void choose(const Strategy* strategy) { chosen_ = strategy; }
  /// The chosen strategy; nullptr: the neighbour.
  const Strategy* chosen() const { return chosen_; }
  /// The strategy on the right, or nullptr before the first syncTo().
  const Strategy* strategy() const { return asked_.strategy; }

  /// Asks for the run that matches the one shown on the left, and moves it to the left's place. `generation`
  /// distinguishes one trace of the left from the next (Session::generation).
  void syncTo(const Selection& shown, const Replay& left, std::uint64_t generation);
  /// Takes finished results of the simulator; true if something changed.
  bool poll();
  bool simulating() const { return runs_.busy(); }

  /// The run on the right, or nullptr if there is none yet.
  const Replay* replay() const { return replay_ ? &*replay_ : nullptr; }
  /// Sets the planner of the pictures for all later runs.
  void setPlanner(PicturePlanner planner) { planner_ = std::move(planner); }
  /// The run's picture plan; nullptr if there is no run or no planner.
  std::shared_ptr<const PicturePlan> plan() const { return replay_ ? run_.plan : nullptr; }
  /// Facts about its text, for the left's elements if it takes them.
  const TextFacts& facts() const { return run_.facts; }
  const RunOutcome& outcome() const { return run_; }
  /// Counts the runs taken so far: a new number means a new run.
  std::uint64_t generation() const { return generation_; }
  const Alignment& alignment() const { return alignment_; }
  /// The hazards of its run, as Session::hazards().
  const std::vector<HazardMark>& hazards() const { return hazards_; }
  /// One sentence on why there is no run, or how its launch differs from the left's; or "".
  const std::string& sentence() const { return sentence_; }

 private:
  void request(const Selection& wanted, const ElementKind& kind);
  Result<Launch> launchFor(const Selection& wanted, const ElementKind& kind);

  std::shared_ptr<KernelCache> kernels_;
  RunJob runs_;
  const Strategy* chosen_ = nullptr;
  Selection asked_;
  ElementKind kind_;  ///< as requested
  PicturePlanner planner_;
  RunOutcome run_;
  std::optional<Replay> replay_;
  std::uint64_t generation_ = 0;
  std::vector<HazardMark> hazards_;
  Alignment alignment_;
  std::optional<std::uint64_t> alignedWith_;  ///< the left's generation
  std::string sentence_;
};

}  // namespace lanescope
