#include "app/session/gpu_session.h"

#include <utility>

namespace lanescope {

GpuSession::GpuSession(GpuSessionOptions options) : options_(std::move(options)), client_(options_.worker) {}

std::optional<Error> GpuSession::run(const BenchPlan& plan) {
  if (plan.sizes.empty()) return Error{"No N was chosen.", {}, {}};
  for (const std::uint64_t n : plan.sizes) {
    BenchRequest request;
    request.strategies = plan.strategies;
    request.n = n;
    request.block = plan.setting.block;
    request.cold = plan.setting.cache == CacheState::Cold;
    request.warm = !request.cold;
    request.scope = plan.setting.scope;
    request.type = plan.setting.type;
    request.maxSamples = plan.maxSamples;
    const auto run = client_.bench(request);
    if (!run) return run.error();
  }
  return std::nullopt;
}

std::optional<Error> GpuSession::replay() {
  if (!player_) {
    auto path =
        options_.recording.empty() ? shippedRecording() : Result<std::filesystem::path>(options_.recording);
    if (!path) return path.error();
    auto recording = loadRecording(*path);
    if (!recording) return recording.error();
    player_.emplace(std::move(recording).value(), options_.replaySeconds);
  }
  player_->advanceTo(-1);
  replayStart_.reset();
  source_ = GpuSource::Recording;
  return std::nullopt;
}

std::optional<Error> GpuSession::open(const std::filesystem::path& recording) {
  auto loaded = loadRecording(recording);
  if (!loaded) return loaded.error();
  player_.emplace(std::move(loaded).value(), options_.replaySeconds);
  return replay();
}

void GpuSession::pin() {
  const auto& hello = data().hello();
  pinned_ = PinnedBench{hello ? hello->gpu + ", " + hello->date : std::string("pinned"), data()};
}

std::optional<Error> GpuSession::pin(const std::filesystem::path& recording) {
  const auto loaded = loadRecording(recording);
  if (!loaded) return loaded.error();
  pinned_ = PinnedBench{loaded->title(), loaded->data()};
  return std::nullopt;
}

/// The worker has failed and there is nothing live to show: the recording takes its place.
void GpuSession::fallBack() {
  if (const auto problem = replay()) {
    sentence_ += " " + problem->sentence();
    source_ = GpuSource::None;
  } else {
    if (!sentence_.ends_with('.')) sentence_ += '.';
    sentence_ += " Replaying a recording made on " + player_->recording().title() + ".";
  }
}

bool GpuSession::update(double now) {
  bool changed = false;
  const auto latest = client_.view();
  if (latest->revision != view_->revision) {
    const bool failedNow = latest->state == WorkerState::Failed && view_->state != WorkerState::Failed;
    const bool greetedNow = latest->state == WorkerState::Ready || latest->state == WorkerState::Running;
    const bool wasAway = view_->state != WorkerState::Ready && view_->state != WorkerState::Running;
    view_ = latest;
    sentence_ = latest->sentence;
    if (greetedNow && wasAway) source_ = GpuSource::Live;
    if (failedNow && latest->data.series().empty()) fallBack();
    changed = true;
  }
  if (source_ == GpuSource::Recording && player_ && !player_->finished()) {
    if (!replayStart_) replayStart_ = now;
    changed = player_->advanceTo(now - *replayStart_) || changed;
  }
  return changed;
}

bool GpuSession::animating() const {
  return source_ == GpuSource::Recording && player_ && !player_->finished();
}

std::string GpuSession::label() const {
  if (source_ == GpuSource::Recording) return "recording: " + player_->recording().title();
  const auto& hello = view_->data.hello();
  return source_ == GpuSource::Live && hello ? hello->gpu + ", live" : std::string();
}

const BenchData& GpuSession::data() const {
  if (source_ == GpuSource::Recording) return player_->data();
  return source_ == GpuSource::Live ? view_->data : nothing_;
}

}  // namespace lanescope
