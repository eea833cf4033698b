#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/analysis/bench_data.h"
#include "app/analysis/text_run.h"
#include "app/base/newest_job.h"
#include "app/gpu/worker_client.h"
#include "app/launch/kernel_cache.h"
#include "app/workbench/editor.h"
#include "app/workbench/run_job.h"
#include "kernels/protocol/protocol.h"
#include "sim/machine/run/launch.h"

namespace lanescope {

/// The current text and launch as a GPU takes them: with warps of 32 lanes, whatever machine is shown.
/// Errors: a form's wrong entry; a strategy that such a machine cannot run over that N.
Result<Launch> makeGpuLaunch(const Document& document, const Selection& selection, KernelCache& kernels);

/// A launch with a time that can be shown beside the built-in strategies'.
struct TimedLaunch {
  std::uint64_t n = 0;
  std::uint32_t block = 0;
  std::uint64_t bytes = 0;  ///< that it must move: the bandwidth is bytes over time
  TextLaunch launch;
  std::optional<std::uint32_t>
      sumArgument;              ///< the buffer with the elements that make the sum of all n; a reduction's
  std::uint64_t additions = 0;  ///< behind that sum at most, for the tolerance
  ElementType type = ElementType::Float;  ///< of the elements
};

/// The most elements that a text is timed over: larger buffers take seconds to fill and to fetch.
inline constexpr std::uint64_t kMostTextN = std::uint64_t{1} << 26U;

/// A strategy's text, edited or not, launched as the bench launches that strategy over `n` elements of that
/// type with `block` threads on a GPU of `sms` multiprocessors. Errors, one sentence: a document with a
/// launch form, which has a launch of its own; n over kMostTextN; those of shapeOfThreads.
Result<TimedLaunch> makeTimedLaunch(const Document& document, std::uint64_t n, std::uint32_t block,
                                    std::uint32_t sms, ElementType element);

/// A form's launch as the bench would name it: n is the count of its largest buffer, every buffer is moved
/// once. Nullopt if it has no buffer of floats.
std::optional<TimedLaunch> makeTimedForm(const Launch& launch);

/// A request to run a text on the GPU.
struct TextTask {
  std::string title;                     ///< `shuffle.cu · edited`
  Launch launch;                         ///< small: the simulator runs it too
  std::shared_ptr<KernelCache> kernels;  ///< has the text compiled
  std::optional<TimedLaunch> timed;      ///< to be timed after it; see also timingNote
  std::string timingNote;                ///< why it is not timed beside the others; empty if it is
};

/// A finding of the GPU's compiler in the text.
struct GpuFinding {
  Diagnostic diagnostic;  ///< span end 0 if it belongs to no line
  bool isError = true;
};

/// A text's time at one N and block, shown beside the built-in strategies'.
struct TextTiming : BenchReading {
  std::string gpu{};
  std::uint64_t n = 0;
  std::uint32_t block = 0;
  ElementType type = ElementType::Float;
};

/// The outcome of the last text, as far as it is known.
struct TextOutcome {
  std::string title;
  std::shared_ptr<const SourceText> source;
  Dim3 grid, block;          ///< of the small launch
  bool wasRun = false;       ///< requested by run()
  bool wasCounted = false;   ///< requested by count()
  bool wasProfiled = false;  ///< requested by profile()
  bool countedLast = false;
  std::string problem;      ///< of the run, one sentence; empty if there is none
  bool lostWorker = false;  ///< the problem ended the worker, and a new one was started
  std::optional<CompiledMessage> compiled;
  std::vector<GpuFinding> findings;
  std::optional<TimedMessage> small;           ///< times of the small launch
  std::optional<EditedComparison> comparison;  ///< of the small launch
  std::uint64_t values = 0;                    ///< that were compared
  std::string comparisonProblem;               ///< Why there is nothing to compare with. Can be empty.
  std::optional<TextTiming> timing;
  std::string timingNote;                        ///< Why it has no bar. Can be empty.
  std::vector<CounterRow> counters;              ///< of the small launch
  std::string countersTool;                      ///< `Nsight Compute …`
  std::string countersProblem;                   ///< One sentence, and how to permit it. Can be empty.
  std::shared_ptr<const LaunchProfile> profile;  ///< of the launch that is timed, else of the small one
  std::string profileProblem;                    ///< One sentence, and how to permit it. Can be empty.
};

/// A kernel's text on the live GPU: run, compared with the simulator, timed, counted. For one thread; the
/// simulator's part is done in another and nothing here waits.
class GpuText {
 public:
  /// The executor's owner is woken when update() has something to take.
  explicit GpuText(ExecutorPtr executor);

  /// Compiles and runs a text. The error is one sentence, also of a launch that the worker cannot be given
  /// whole: a program's data, values of variables at file scope, a cooperative one; an earlier outcome then
  /// stays. So it is with the other two.
  std::optional<Error> run(WorkerClient& client, TextTask task);
  /// Reads the hardware counters of its small launch.
  std::optional<Error> count(WorkerClient& client, TextTask task);
  /// Profiles it line by line: the launch that is timed, else the small one.
  std::optional<Error> profile(WorkerClient& client, TextTask task);
  /// Requests no more results of the current text; a comparison with the simulator ends at once.
  void cancel();

  /// Takes in news. Returns true if there are any.
  bool update(WorkerClient& client, const WorkerView& view);

  bool busy() const { return stage_ != Stage::Idle; }
  /// The current activity in words; empty if idle.
  std::string_view stageText() const;
  const TextOutcome& outcome() const { return outcome_; }
  /// True if the outcome is about that very text.
  bool isAbout(std::string_view text) const;
  /// Counts the outcomes: another number, another outcome.
  std::uint64_t revision() const { return revision_; }

  /// The worker's sentence on having no compiler for texts; empty unless it has said so.
  const std::string& missingCompiler() const { return missingCompiler_; }
  /// Lets the next run find out about the compiler again.
  void forgetMissingCompiler() { missingCompiler_.clear(); }

 private:
  enum class Stage : std::uint8_t { Idle, Running, Timing, Counting, Profiling, Checking };

  struct CheckRequest {
    Launch launch;
    std::shared_ptr<KernelCache> kernels;
    TextRun run;
    std::optional<TimedLaunch> timed;
    double sum = 0;  ///< that the timed launch left
  };
  struct CheckOutcome {
    std::string problem;  ///< why there is no comparison with the simulator
    std::optional<EditedComparison> comparison;
    std::uint64_t values = 0;
    std::vector<CounterRow> counters;
    bool wrongSum = false;
  };

  static CheckOutcome check(const CheckRequest& request, const std::stop_token& stop);
  void begin(Stage stage, TextTask task, std::uint64_t run);
  void syncTo(WorkerClient& client, const WorkerView& view);
  void acceptRun(WorkerClient& client, const WorkerView& view);
  void acceptTimed(const WorkerView& view);
  void acceptCounters(const TextRun& run);
  void acceptProfile(const TextRun& run);
  void acceptFindings();
  void beginCheck();
  void receive(CheckOutcome outcome);
  void finish();

  Stage stage_ = Stage::Idle;
  bool cancelled_ = false;
  std::uint64_t run_ = 0;
  TextTask task_;
  CheckRequest checkRequest_;
  TextOutcome outcome_;
  std::uint64_t revision_ = 0;
  std::string missingCompiler_;
  NewestJob<CheckRequest, CheckOutcome> checkJob_;
};

}  // namespace lanescope
