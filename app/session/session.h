#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/session/editor.h"
#include "app/session/selection.h"
#include "app/session/trace_runner.h"
#include "kernels/strategies/catalogue.h"
#include "sim/trace/replay.h"

namespace lanescope {

/// Element counts that the app offers.
inline constexpr std::array<std::uint64_t, 8> kElementCounts{8, 16, 32, 64, 128, 256, 512, 1024};
/// Playback speeds it offers, in multiples of the grain's own pace.
inline constexpr std::array<double, 7> kSpeeds{0.25, 0.5, 1, 2, 4, 8, 16};

/// The machine shown for `n` elements until one is chosen: `tiny` up to 16, else `nvidia`.
const MachineModel& defaultMachine(std::uint64_t n);

/// Where a trace opens, as Cursor::steps: in the phase labelled `label`, else in the first that adds,
/// after its first conflicted access (its first exchange, where none conflicts).
std::uint32_t openingStep(const Trace& trace, std::string_view label = {});

/// The kernel, its launch and machine, the trace and the cursor in it, and the clock that plays it.
/// Everything is called from one thread; simulations run in another and never block a call.
class Session {
 public:
  /// `wake` is called from another thread when poll() has something to take.
  explicit Session(std::function<void()> wake = {});

  /// Asks for another run. A selection that cannot be launched leaves everything as it was and
  /// sets error().
  void select(const Selection& selection);
  void chooseStrategy(const Strategy& strategy);
  void chooseElements(std::uint64_t n);
  void chooseMachine(const MachineModel& machine);
  /// Runs the text and the launch at hand in the editor.
  void run();
  /// The strategy's own text and launch again, and runs it.
  void resetText();
  /// Opens a kernel file and runs it where its launch is right; error() says what stands in the way.
  void openFile(const std::string& path);
  Editor& editor() { return editor_; }
  const Editor& editor() const { return editor_; }

  /// The next trace opens there instead of at openingStep().
  void openAt(std::uint32_t steps) { openAt_ = steps; }

  /// Takes what the simulator has finished; true when something changed.
  bool poll();
  bool simulating() const { return runner_.busy(); }
  /// One sentence on why the last request failed, or "". The trace before it is still there.
  const std::string& error() const { return error_; }
  void dismissError() { error_.clear(); }

  /// What was asked for last, and what the trace at hand shows.
  const Selection& selection() const { return selection_; }
  const Selection& shown() const { return shown_; }
  /// The trace at hand and the place in it, or nullptr before the first.
  const Replay* replay() const { return replay_ ? &*replay_ : nullptr; }

  /// Counts the traces shown so far: another number, another trace.
  std::uint64_t generation() const { return generation_; }

  Grain grain() const { return grain_; }
  void setGrain(Grain grain) { grain_ = grain; }
  bool playing() const { return playing_; }
  double speed() const { return speed_; }
  void setSpeed(double speed) { speed_ = speed; }
  /// The next speed up or down of kSpeeds.
  void changeSpeed(int direction);

  /// Plays or pauses; at the end it starts over.
  void togglePlay();
  /// One grain on or back; they pause. False at the end or the start.
  bool forward();
  bool back();
  void toStart() { seek(0); }
  void toEnd();
  /// Goes there and pauses; past the end means the end.
  void seek(std::uint32_t steps);

  /// Moves the clock on; true when the cursor moved. At the end it pauses.
  bool advance(double seconds);
  /// Seconds until the clock moves the cursor, or nothing while it is paused.
  std::optional<double> secondsToNextStep() const;

 private:
  void request(Selection selection, Take take);
  double interval() const;
  bool stepForward();

  Editor editor_;
  TraceRunner runner_;
  Selection selection_;
  Selection shown_;
  bool machineChosen_ = false;
  std::optional<std::uint32_t> openAt_;
  std::string error_;
  std::optional<Replay> replay_;
  std::uint64_t generation_ = 0;
  Grain grain_ = Grain::Instruction;
  bool playing_ = false;
  double speed_ = 1;
  double elapsed_ = 0;
};

}  // namespace lanescope
