#include "app/gpu/gpu_session.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

namespace lanescope {
namespace {

/// `14:05`, on this computer's clock.
std::string timeOfDay() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  std::array<char, 8> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%H:%M", &local)};
}

}  // namespace

GpuSession::GpuSession(GpuSessionOptions options)
    : options_(std::move(options)), text_(options_.worker.wake), client_(options_.worker) {}

std::optional<Error> GpuSession::run(const BenchPlan& plan) {
  leftOut_.clear();
  const auto requests = makeRequests(plan);
  if (!requests) return requests.error();
  for (const BenchRequest& request : *requests) {
    const auto run = client_.bench(request);
    if (!run) return run.error();
  }
  leftOut_ = leftOutText(plan);
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
    played_ = *path;
  }
  player_->restart(chosenSize_);
  player_->advanceTo(0);
  ++replays_;
  replayStart_.reset();
  source_ = GpuSource::Recording;
  return std::nullopt;
}

std::optional<std::uint64_t> GpuSession::openingSize() const {
  if (source_ != GpuSource::Recording) return std::nullopt;
  return player_->size();
}

std::string GpuSession::runBlocker() const {
  if (state() == WorkerState::Starting) return "The GPU worker is being started.";
  if (!isWithoutGpu()) return {};
  return "No GPU has answered: nothing can be timed here.";
}

std::optional<Error> GpuSession::open(const std::filesystem::path& recording) {
  auto loaded = loadRecording(recording);
  if (!loaded) return loaded.error();
  player_.emplace(std::move(loaded).value(), options_.replaySeconds);
  played_ = recording;
  return replay();
}

std::optional<Error> GpuSession::keep(PinnedBench bench) {
  if (pins_.size() >= kMostPins) {
    return Error{"More than " + std::to_string(kMostPins) + " pinned runs cannot be distinguished.",
                 "Unpin one of them."};
  }
  const std::string label = bench.label;
  for (int number = 2; std::ranges::find(pins_, bench.label, &PinnedBench::label) != pins_.end(); ++number)
    bench.label = label + " (" + std::to_string(number) + ")";
  pins_.push_back(std::move(bench));
  return std::nullopt;
}

std::optional<Error> GpuSession::pin() {
  if (data().series().empty()) return Error{"There are no numbers to pin yet."};
  const bool isRecording = source_ == GpuSource::Recording;
  return keep({isRecording ? title() : title() + ", " + timeOfDay(), data(), shownRecording()});
}

std::optional<Error> GpuSession::pin(const std::filesystem::path& recording) {
  const auto loaded = loadRecording(recording);
  if (!loaded) return loaded.error();
  return keep({loaded->label(), loaded->data(), recording});
}

std::filesystem::path GpuSession::shownRecording() const {
  return source_ == GpuSource::Recording ? played_ : std::filesystem::path();
}

void GpuSession::unpin(std::size_t index) {
  if (index < pins_.size()) pins_.erase(pins_.begin() + static_cast<std::ptrdiff_t>(index));
}

void GpuSession::cancel() {
  text_.cancel();
  client_.cancel();
}

std::optional<Error> GpuSession::runText(TextTask task) {
  if (std::string blocker = textBlocker(); !blocker.empty()) return Error{std::move(blocker)};
  return text_.run(client_, std::move(task));
}

std::optional<Error> GpuSession::countText(TextTask task) {
  if (std::string blocker = textBlocker(); !blocker.empty()) return Error{std::move(blocker)};
  return text_.count(client_, std::move(task));
}

std::optional<Error> GpuSession::profileText(TextTask task) {
  if (std::string blocker = textBlocker(); !blocker.empty()) return Error{std::move(blocker)};
  return text_.profile(client_, std::move(task));
}

std::string GpuSession::textBlocker() const {
  if (text_.busy()) return std::string(text_.stageText());
  if (!text_.missingCompiler().empty()) return text_.missingCompiler();
  switch (view_->state) {
    case WorkerState::Ready: return {};
    case WorkerState::Running: return "A timing is running. Wait for it, or cancel it in the GPU panel.";
    case WorkerState::Starting: return "The GPU worker is being started.";
    case WorkerState::NotStarted:
    case WorkerState::Failed: break;
  }
  if (liveGpu() != nullptr) return {};  // there was one: the run starts a new worker
  const std::string& why = view_->sentence;
  const std::string shown = source_ == GpuSource::Recording ? "These numbers were recorded. " : "";
  return shown + "Running the text needs a GPU, and none is connected." + (why.empty() ? "" : " " + why);
}

/// The worker has failed and there is no live data to show: the recording replaces it.
void GpuSession::fallBack() {
  // Anything replayed already stays as it is.
  if (const auto problem = source_ == GpuSource::Recording ? std::nullopt : replay()) {
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
  changed = text_.update(client_, *view_) || changed;
  if (source_ == GpuSource::Recording && player_ && !player_->finished()) {
    if (!replayStart_) replayStart_ = now;
    changed = player_->advanceTo(now - *replayStart_) || changed;
  }
  return changed;
}

bool GpuSession::animating() const {
  return source_ == GpuSource::Recording && player_ && !player_->finished();
}

std::string GpuSession::recordingWord() const { return animating() ? "replaying: " : "recording: "; }

std::string GpuSession::label() const {
  if (source_ == GpuSource::Recording) return recordingWord() + player_->recording().label();
  const auto& hello = view_->data.hello();
  return source_ == GpuSource::Live && hello ? hello->gpu + ", live" : std::string();
}

std::string GpuSession::shortLabel() const {
  return source_ == GpuSource::Recording ? recordingWord() + player_->recording().title() : label();
}

std::string GpuSession::title() const {
  if (source_ == GpuSource::Recording) return player_->recording().label();
  const auto& hello = data().hello();
  return hello ? hello->gpu + ", " + hello->date : std::string();
}

const BenchData& GpuSession::data() const {
  if (source_ == GpuSource::Recording) return player_->data();
  return source_ == GpuSource::Live ? view_->data : nothing_;
}

}  // namespace lanescope
