#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/analysis/floor_report.h"
#include "app/analysis/strategy_table.h"
#include "app/base/executor.h"
#include "app/base/host.h"
#include "app/workbench/comparison.h"
#include "app/workbench/editor.h"
#include "app/workbench/player.h"
#include "app/workbench/program_run.h"
#include "app/workbench/run_job.h"
#include "app/workbench/saved_state.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// Element counts that the app offers.
inline constexpr std::array<std::uint64_t, 8> kElementCounts{8, 16, 32, 64, 128, 256, 512, 1024};
/// The most elements that the window simulates; more are for a GPU.
inline constexpr std::uint64_t kMostElements = 65536;
/// Reads a number of elements as a user writes it, `33` or `2^5`. The error is one sentence: not such a
/// number, or one that is not from 1 to kMostElements.
Result<std::uint64_t> readElements(std::string_view text);
/// The machine shown for `n` elements until one is chosen: `tiny` up to 16, else `nvidia`.
const MachineModel& defaultMachine(std::uint64_t n);

/// The kernel, its launch and machine, their runs, and the player of the shown one.
/// Everything is called from one thread; the executor does simulations and other long work.
class Session {
 public:
  /// The executor's owner is woken when poll() has something to take. By default the executor works when
  /// executor()->step() is called. `work` counts what is parsed, compiled and run for it; may be null.
  explicit Session(ExecutorPtr executor = std::make_shared<SteppedExecutor>(), WorkCountPtr work = {},
                   HostPtr host = std::make_shared<DesktopHost>());
  const ExecutorPtr& executor() const { return executor_; }
  const HostPtr& host() const { return host_; }

  /// Asks for another run. A selection that cannot be launched leaves everything as it was and sets error().
  /// `chosenN`: the requested number of elements, if the lesson opens with more; 0: the selection's.
  void select(const Selection& selection, std::uint64_t chosenN = 0);
  /// Over the number of elements chosen last, or the lesson's opening number if that is smaller.
  void chooseStrategy(const Strategy& strategy);
  /// Runs its own launch over so many elements; error() says why the strategy cannot take them.
  void chooseElements(std::uint64_t n);
  void chooseMachine(const MachineModel& machine);
  /// Both at once.
  void chooseSetup(std::uint64_t n, const MachineModel& machine);
  /// Writes the strategy's current text for that type of element and runs it; error() says why not.
  void chooseElementType(ElementType type);
  /// Runs the current text and launch of the editor. If its check is in progress in another thread, once that
  /// is done: a text can take seconds to parse, and no caller waits.
  void run();
  /// The strategy's own text and launch again, and runs it.
  void resetText();
  /// Opens a kernel file and runs it if its launch is right; error() names the obstacle.
  void openFile(const std::string& path);
  /// All data needed to return to the current view; the window fills in thread, warp and mode.
  SavedSession saved() const;
  /// Returns to it: runs the same launch, goes to its place, restores the editor's text. The error is one
  /// sentence, and nothing has changed: a strategy, a machine or a number that does not exist.
  std::optional<Error> restore(const SavedSession& saved);
  /// The document to open again at the next start.
  Opened opened() const;
  /// Opens it; false, without any change, if it no longer exists or cannot be launched.
  bool reopen(const Opened& opened);
  /// Runs the current file as a whole program, with these arguments of its main().
  void runProgram(const std::string& arguments);
  /// Traces that launch of it, with the data that it had.
  void traceLaunch(std::uint64_t number) { program_.capture(number); }
  /// The number of the launch that the pictures show, of the program's last run; 0: they show none of it.
  std::uint64_t tracedLaunch() const;
  const ProgramRun& program() const { return program_; }
  void cancelProgram() { program_.cancel(); }
  /// True if the current file has a main().
  bool hasProgram() const;
  Editor& editor() { return editor_; }
  const Editor& editor() const { return editor_; }
  /// The strategy beside the current one, and all of them in a table; both simulate only once they are asked.
  Comparison& comparison() { return comparison_; }
  StrategyTable& table() { return table_; }
  /// The floors of the current launch; they are counted only once they are requested.
  FloorWatch& floors() { return floors_; }
  /// The floors of the left and the right side of a comparison.
  std::array<FloorWatch, 2>& comparedFloors() { return comparedFloors_; }

  /// The kBlockCounts that the selection can be launched with.
  std::vector<std::uint64_t> blockCounts() const;
  /// How many blocks share the elements, and which of them is traced.
  void chooseBlocks(std::uint64_t blocks, std::uint32_t block = 0);
  /// Traces another block of the current launch.
  void traceBlock(std::uint32_t block) { chooseBlocks(selection_.blocks, block); }
  /// Blocks of the current launch: those that share the elements, or of its own grid.
  std::uint64_t gridBlocks() const;
  /// The next trace opens there instead of at openingStep().
  void openAt(std::uint32_t steps) { openAt_ = Cursor{steps, 0}; }

  /// Takes finished results of the simulator; true if something changed.
  bool poll();
  /// True until the requested trace is there, or has failed.
  bool simulating() const { return awaits_ && runs_.busy(); }
  /// True while any work for the current document is in progress: also the rest of a large grid, a check.
  bool busy() const { return runs_.busy() || editor_.busy() || runsOnceChecked_; }
  /// One sentence on why the last request failed, or "". The previous trace is still there.
  const std::string& error() const { return error_; }
  /// True if the editor's diagnostics show it too, at its place in the text.
  bool errorIsInText() const { return errorIsInText_; }
  /// Reports something that could not be done.
  void reportError(const Error& error) {
    error_ = error.sentence();
    errorIsInText_ = false;
  }
  void dismissError() { error_.clear(); }
  /// Changes beyond the request since the last call: one sentence, or "".
  std::string pollNews() { return std::exchange(news_, {}); }

  /// The last request, and the selection of the current trace.
  const Selection& selection() const { return selection_; }
  const Selection& shown() const;
  /// The run of the current trace, up to a fault if one ended it; nullptr before the first.
  const RunOutcomePtr& shownRun() const { return shown_; }
  /// The trace of that run, and the place in it.
  const Player& player() const { return player_; }
  Player& player() { return player_; }

  /// Sets the planner of the pictures for all later traces, and plans the current one at once.
  void setPlanner(PicturePlanner planner);
  /// The picture plan of the current trace; nullptr if there is no trace or no planner.
  std::shared_ptr<const PicturePlan> plan() const { return shown_ == nullptr ? nullptr : shown_->plan; }

 private:
  void request(Selection selection, TextChoice choice);
  void choose(Selection next);
  void receive(RunOutcome outcome);
  bool showsCurrentDocument() const;
  void dropTrace();
  void fitBlocks(Selection& next);
  void addNews(std::string_view sentence);
  bool pollProgram();

  ExecutorPtr executor_;
  HostPtr host_;
  std::shared_ptr<KernelCache> kernels_;
  Editor editor_;
  RunJob runs_;
  bool runsOnceChecked_ = false;
  bool awaits_ = false;  ///< no part of the last request's outcome was taken yet
  RunOutcomePtr shown_;
  ProgramRun program_;
  std::uint64_t tracedLaunch_ = 0;                  ///< of the program's last run, that was captured last
  std::shared_ptr<const CapturedLaunch> captured_;  ///< its data
  /// The document of the last search for main(), see hasProgram().
  mutable const Document* mainOf_ = nullptr;
  mutable std::uint64_t mainRevision_ = 0;
  mutable bool hasMain_ = false;
  Comparison comparison_;
  StrategyTable table_;
  FloorWatch floors_;
  std::array<FloorWatch, 2> comparedFloors_;
  Selection selection_;
  bool machineChosen_ = false;
  std::uint64_t chosenN_ = 0;  ///< the requested number of elements; a lesson may have opened with more
  std::optional<Cursor> openAt_;
  std::string error_;
  std::string news_;
  bool errorIsInText_ = false;
  PicturePlanner planner_;
  Player player_;
};

}  // namespace lanescope
