#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/session/gpu/bench_data.h"
#include "app/session/gpu/bench_plan.h"
#include "app/session/gpu/gpu_text.h"
#include "app/session/gpu/recording.h"
#include "app/session/gpu/worker_client.h"

namespace lanescope {

/// Where the numbers on show come from.
enum class GpuSource { None, Live, Recording };

struct GpuSessionOptions {
  WorkerOptions worker{};
  std::filesystem::path recording{};  ///< empty: see shippedRecording
  double replaySeconds = 6;           ///< how long a replay takes; 0 for everything at once
};

/// Numbers kept to compare with.
struct PinnedBench {
  std::string label;  ///< the GPU and the day, a recording's name or the time of day
  BenchData data;
  std::filesystem::path path;  ///< of a recording; empty: they were measured here
};

/// The most that are kept: more cannot be told apart in a chart.
inline constexpr std::size_t kMostPins = 3;

/// What the GPU panel shows: a live worker, or a recording where there is none to be had. For one
/// thread, the one that draws; update() once a frame brings in the worker's news. Nothing here waits.
class GpuSession {
 public:
  explicit GpuSession(GpuSessionOptions options);

  /// Looks for a live GPU. Where the worker cannot start, the recording is replayed.
  void start() { client_.start(); }

  /// Times on the live GPU, starting the worker where needed: every size for which somebody is left. Either
  /// all of that is asked for or, with an error of one sentence, nothing. Strategies are named in it by their
  /// ids, in quotation marks.
  std::optional<Error> run(const BenchPlan& plan);
  /// Whom the last run left out of which sizes, a sentence a reason; empty where nobody. Names as in run().
  const std::string& leftOut() const { return leftOut_; }
  /// Ends the runs under way; the worker stays.
  void cancel();
  /// Why nothing can be timed now, one sentence; empty where a run can be asked for.
  std::string runBlocker() const;
  /// Whether no GPU has answered so far and none is being looked for: start() looks again.
  bool isWithoutGpu() const { return state() == WorkerState::Failed && liveGpu() == nullptr; }
  /// Shows the recording from its start. What it says of one N comes up over a few seconds, all else is there
  /// at once. The error says in one sentence why there is none.
  std::optional<Error> replay();
  /// The N that a person has chosen: what is replayed from now on is of that one, where it was recorded.
  void chooseSize(std::uint64_t n) { chosenSize_ = n; }
  /// The N of which the recording on show is replayed; nothing where none is shown.
  std::optional<std::uint64_t> openingSize() const;
  /// Counts the replays begun: another number, another one.
  std::uint64_t replays() const { return replays_; }
  /// Replays another recording from now on. The error says in one sentence what is wrong with it; what
  /// was shown before stays.
  std::optional<Error> open(const std::filesystem::path& recording);
  /// Keeps the numbers on show, to compare what comes next with them. The error says that kMostPins are
  /// kept already, or that there are no numbers.
  std::optional<Error> pin();
  /// Keeps a recording's numbers to compare with: of the same GPU or another. The error is one sentence.
  std::optional<Error> pin(const std::filesystem::path& recording);
  /// Lets go of one of pins().
  void unpin(std::size_t index);
  /// The file of the recording on show; empty where there is none.
  std::filesystem::path shownRecording() const;
  /// The kept numbers, in the order in which they were pinned.
  const std::vector<PinnedBench>& pins() const { return pins_; }
  /// Shows the live GPU's numbers again.
  void showLive() { source_ = GpuSource::Live; }

  /// Runs a text on the live GPU, or reads the counters of its launch. The error is one sentence.
  std::optional<Error> runText(TextTask task);
  std::optional<Error> countText(TextTask task);
  /// Profiles a text there, line by line. The error is one sentence.
  std::optional<Error> profileText(TextTask task);
  /// Why no text can be run now, one sentence; empty where one can.
  std::string textBlocker() const;
  const GpuText& text() const { return text_; }
  /// Lets the next run of a text look for its compiler again.
  void retryCompiler() { text_.forgetMissingCompiler(); }
  /// The live GPU, or nullptr before a worker has said hello.
  const HelloMessage* liveGpu() const { return view_->data.hello() ? &*view_->data.hello() : nullptr; }

  /// Takes in what is new at `now`, seconds on any steady clock. Returns whether anything changed.
  bool update(double now);
  /// Whether a replay is under way, so that the next frame will differ.
  bool animating() const;

  GpuSource source() const { return source_; }
  WorkerState state() const { return view_->state; }
  /// One sentence on what is going on or wrong; may be empty.
  const std::string& sentence() const { return sentence_; }
  /// Whose numbers are on show: `NVIDIA H200, live` or `recording: NVIDIA H200, 2026-11-20, nvidia-h200`;
  /// `replaying: …` until every sample of it is in.
  /// Empty while there are none.
  std::string label() const;
  /// The same without the recording's file name.
  std::string shortLabel() const;
  /// The same without saying where from: `NVIDIA H200, 2026-11-20`, and the name of a recording.
  std::string title() const;
  /// The numbers on show.
  const BenchData& data() const;

 private:
  std::string recordingWord() const;
  void fallBack();
  std::optional<Error> keep(PinnedBench bench);

  GpuSessionOptions options_;
  std::shared_ptr<const WorkerView> view_ = std::make_shared<WorkerView>();
  std::optional<RecordingPlayer> player_;
  std::filesystem::path played_;  ///< player_'s file
  std::vector<PinnedBench> pins_;
  std::uint64_t replays_ = 0;
  std::uint64_t chosenSize_ = 0;       ///< 0: none
  std::optional<double> replayStart_;  ///< nothing: at the next update
  GpuSource source_ = GpuSource::None;
  std::string sentence_;
  std::string leftOut_;
  BenchData nothing_;
  GpuText text_;
  WorkerClient client_;
};

}  // namespace lanescope
