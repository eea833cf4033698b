#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/analysis/bench_data.h"
#include "app/analysis/recording.h"
#include "app/base/executor.h"
#include "app/gpu/gpu_text.h"
#include "app/gpu/worker_client.h"
#include "kernels/protocol/protocol.h"
#include "sim/machine/run/launch.h"
#include "sim/memory/machine_model.h"

namespace lanescope {

/// The strategies to time, with a run for each size.
struct BenchPlan {
  std::vector<std::string> strategies{};  ///< ids; empty for all
  std::vector<std::uint64_t> sizes{std::uint64_t{1} << 24U};
  BenchSetting setting{};
  std::uint64_t blocks = 0;  ///< as in BenchRequest
  std::uint32_t maxSamples = 40;
};

/// The plan's request to the worker for one of its sizes: without the strategies that cannot be timed at it,
/// if others are left.
BenchRequest makeRequest(const BenchPlan& plan, std::uint64_t n);

/// The requests for all of its sizes, except those for which no strategy is left. The error says why no size
/// has one, or names the plan's fault, such as a number of blocks that one of the strategies cannot take.
Result<std::vector<BenchRequest>> makeRequests(const BenchPlan& plan);

/// The strategies that a plan leaves out of some sizes, a sentence for each reason; empty if there are none.
/// Strategies are named by their ids, in quotation marks.
std::string leftOutText(const BenchPlan& plan);

/// The source of the numbers on show.
enum class GpuSource { None, Live, Recording };

struct GpuSessionOptions {
  WorkerOptions worker{};
  std::filesystem::path recording{};  ///< empty: see shippedRecording
  double replaySeconds = 6;           ///< how long a replay takes; 0 for everything at once
  ExecutorPtr executor = std::make_shared<ThreadExecutor>();  ///< compares results with the simulator
};

/// Numbers kept to compare with.
struct PinnedBench {
  std::string label;  ///< the GPU and the day, a recording's name or the time of day
  BenchData data;
  std::filesystem::path path;  ///< of a recording; empty: they were measured here
};

/// The most that are kept: more cannot be told apart in a chart.
inline constexpr std::size_t kMostPins = 3;

/// The data of the GPU panel: a live worker, or a recording if there is none. For one thread, the one that
/// draws; update() once per frame brings in the worker's news. Nothing here waits.
class GpuSession {
 public:
  explicit GpuSession(GpuSessionOptions options);

  /// Looks for a live GPU. If the worker cannot start, the recording is replayed.
  void start() { client_.start(); }

  /// Times on the live GPU, starting the worker if needed, every size for which a strategy is left. Either
  /// all of that is requested or, with an error of one sentence, nothing. Strategies are named in it by their
  /// ids, in quotation marks.
  std::optional<Error> run(const BenchPlan& plan);
  /// The strategies that the last run left out of some sizes, one sentence per reason; empty if there are
  /// none. Names as in run().
  const std::string& leftOut() const { return leftOut_; }
  /// Ends the current runs; the worker stays.
  void cancel();
  /// One sentence on why nothing can be timed now; empty if a run can be requested.
  std::string runBlocker() const;
  /// True if no GPU has answered so far and none is being looked for: start() looks again.
  bool isWithoutGpu() const { return state() == WorkerState::Failed && liveGpu() == nullptr; }
  /// Shows the recording from its start. Its data of one N appear over a few seconds, all others are there at
  /// once. The error says in one sentence why there is none.
  std::optional<Error> replay();
  /// Sets the chosen N: all later replays are of that one, if it was recorded.
  void chooseSize(std::uint64_t n) { chosenSize_ = n; }
  /// The N of which the recording on show is replayed; nullopt if none is shown.
  std::optional<std::uint64_t> openingSize() const;
  /// Counts the replays begun: another number, another one.
  std::uint64_t replays() const { return replays_; }
  /// Replays another recording from now on. The error names its fault in one sentence; the previous one then
  /// stays.
  std::optional<Error> open(const std::filesystem::path& recording);
  /// Keeps the numbers on show, to compare later ones with them. The error says that kMostPins are kept
  /// already, or that there are no numbers.
  std::optional<Error> pin();
  /// Keeps a recording's numbers to compare with: of the same GPU or another. The error is one sentence.
  std::optional<Error> pin(const std::filesystem::path& recording);
  /// Removes one of pins().
  void unpin(std::size_t index);
  /// The file of the recording on show; empty if there is none.
  std::filesystem::path shownRecording() const;
  /// The kept numbers, in the order in which they were pinned.
  const std::vector<PinnedBench>& pins() const { return pins_; }
  /// Shows the live GPU's numbers again.
  void showLive() {
    source_ = GpuSource::Live;
    ++revision_;
  }

  /// Runs a text on the live GPU, or reads the counters of its launch. The error is one sentence.
  std::optional<Error> runText(TextTask task);
  std::optional<Error> countText(TextTask task);
  /// Profiles a text there, line by line. The error is one sentence.
  std::optional<Error> profileText(TextTask task);
  /// One sentence on why no text can be run now; empty if one can.
  std::string textBlocker() const;
  const GpuText& text() const { return text_; }
  /// Lets the next run of a text look for its compiler again.
  void retryCompiler() { text_.forgetMissingCompiler(); }
  /// The live GPU, or nullptr before a worker has said hello.
  const HelloMessage* liveGpu() const { return view_->data->hello() ? &*view_->data->hello() : nullptr; }

  /// Takes in news at `now`, seconds on any steady clock. Returns true if anything changed.
  bool update(double now);
  /// True during a replay, so that the next frame will differ.
  bool animating() const;

  GpuSource source() const { return source_; }
  WorkerState state() const { return view_->state; }
  /// One sentence on the current activity or error. Can be empty.
  const std::string& sentence() const { return sentence_; }
  /// The source of the numbers on show: `NVIDIA H200, live` or `recording: NVIDIA H200, 2026-11-20,
  /// nvidia-h200`; `replaying: …` until every sample of it is in. Empty while there are none.
  std::string label() const;
  /// The same without the recording's file name.
  std::string shortLabel() const;
  /// The label without the kind of source: `NVIDIA H200, 2026-11-20`, and the name of a recording.
  std::string title() const;
  /// The numbers on show.
  const BenchData& data() const;
  /// Counts the changes of the numbers, pins, labels and states: another number, something may look
  /// different.
  std::uint64_t revision() const { return revision_ + text_.revision(); }

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
  std::uint64_t revision_ = 0;
  std::uint64_t chosenSize_ = 0;       ///< 0: none
  std::optional<double> replayStart_;  ///< nullopt: at the next update
  GpuSource source_ = GpuSource::None;
  std::string sentence_;
  std::string leftOut_;
  BenchData nothing_;
  GpuText text_;
  WorkerClient client_;
};

class GpuSession;

/// How many blocks of a launch an SM holds at once, by the documented rule.
struct SmFit {
  std::string gpu;  ///< `H200`; empty: none is known
  const SmLimits* limits = nullptr;
  BlockDemand block;
  Occupancy occupancy;
};

/// For the GPU with the numbers on show; compute capability 9.0 if there is none. Registers are those that
/// the GPU's compiler gave that text, if it has seen it with blocks of that size. Nullopt if the launch is
/// not compiled, or the rule for that GPU is unknown.
std::optional<SmFit> computeSmFit(const Launch& launch, const GpuSession& gpu);

/// `8 fit on an SM (rule)`.
std::string fitBrief(const SmFit& fit);
/// Each limit on a line of its own, and that this is a rule.
std::string fitDetail(const SmFit& fit);

}  // namespace lanescope
