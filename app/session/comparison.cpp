#include "app/session/comparison.h"

#include <utility>

#include "app/session/strategy_launch.h"

namespace lanescope {

const Strategy& neighbourInCourse(const Strategy* strategy) {
  const std::span<const Strategy> course = strategies();
  if (strategy == nullptr) return course.front();
  const auto index = static_cast<std::size_t>(strategy - course.data());
  if (index + 1 < course.size()) return course[index + 1];
  return course[index > 0 ? index - 1 : 0];
}

Comparison::Comparison(std::function<void()> wake) : wake_(std::move(wake)) {}

void Comparison::follow(const Selection& shown, const Replay& left, std::uint64_t generation) {
  Selection wanted = shown;
  wanted.strategy = chosen_ != nullptr ? chosen_ : &neighbourInCourse(shown.strategy);
  wanted.document = 0;
  wanted.edition = 0;
  if (wanted != asked_) request(wanted);
  if (!replay_) return;
  if (alignedWith_ != generation) {
    alignment_ = Alignment(left.trace(), replay_->trace());
    alignedWith_ = generation;
  }
  replay_->seek(alignment_.follow(left, replay_->trace()));
}

void Comparison::request(const Selection& wanted) {
  asked_ = wanted;
  replay_.reset();
  hazards_.clear();
  sentence_.clear();
  alignedWith_.reset();
  if (runner_) runner_->cancel();
  if (wanted.machine == nullptr) return;
  Result<Launch> launch = launchOf(*wanted.strategy, wanted.n, wanted.blocks, *wanted.machine);
  if (!launch && wanted.blocks > 1) {
    launch = launchOf(*wanted.strategy, wanted.n, 1, *wanted.machine);
    if (launch)
      sentence_ = "It cannot share the elements among " + std::to_string(wanted.blocks) +
                  " blocks: this is its own launch.";
  }
  if (!launch) {
    sentence_ = launch.error().sentence();
    return;
  }
  const std::uint32_t block = wanted.block < launch->grid.count() ? wanted.block : 0;
  const Dim3 place{block % launch->grid.x, block / launch->grid.x, 0};
  if (!runner_) runner_ = std::make_unique<TraceRunner>(wake_);
  runner_->request(std::move(launch).value(), place);
}

bool Comparison::poll() {
  if (!runner_) return false;
  std::optional<TraceOutcome> outcome = runner_->take();
  if (!outcome) return false;
  if (!*outcome) {
    sentence_ = outcome->error().sentence();
    return true;
  }
  RecordedRun run = std::move(*outcome).value();
  hazards_ = hazardMarks(*run.trace, run.hazards);
  replay_.emplace(std::move(run.trace));
  ++generation_;
  alignedWith_.reset();
  return true;
}

}  // namespace lanescope
