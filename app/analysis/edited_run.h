#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/protocol/protocol.h"
#include "sim/machine/run/launch.h"
#include "sim/memory/counters.h"

namespace lanescope {

/// The GPU's contents of one buffer.
struct EditedOutput {
  std::uint64_t bytes = 0;
  double sum = 0;
  std::uint64_t fnv1a = 0;
  std::vector<std::byte> content;  ///< whole, or empty if the buffer is too large to be sent
};

/// A worker's messages on one compile-run, counters or profile request. Bounded: a worker that sends too much
/// cannot fill the memory.
class EditedRun {
 public:
  EditedRun() = default;
  explicit EditedRun(std::uint64_t run) : run_(run) {}

  /// Takes a message of this run; others are ignored.
  void apply(const WorkerMessage& message);
  /// The worker is gone, with this run in progress or just over: one sentence.
  void lose(const std::string& sentence);

  std::uint64_t run() const { return run_; }
  /// True if no more messages will come.
  bool finished() const { return finished_; }
  /// The error in one sentence: of the launch, the worker, or its end. Empty if there is none; a text that
  /// does not compile is in compiled().
  const std::string& problem() const { return problem_; }
  /// True if the worker's machine has no compiler for texts: the problem says so.
  bool lacksCompiler() const { return lacksCompiler_; }
  /// True if this run ended the worker and a new one was started.
  bool lostWorker() const { return lostWorker_; }

  const std::optional<CompiledMessage>& compiled() const { return compiled_; }
  /// By argument; only buffers are included.
  const std::map<std::uint32_t, EditedOutput>& outputs() const { return outputs_; }
  const std::optional<TimedMessage>& timed() const { return timed_; }
  const std::optional<CountersMessage>& counters() const { return counters_; }
  /// Whole once the run is finished.
  const std::optional<LaunchProfile>& profile() const { return profile_; }

 private:
  void receive(const OutputMessage& output);
  void receive(const WordsMessage& words);

  std::uint64_t run_ = 0;
  bool finished_ = false;
  bool lostWorker_ = false;
  bool lacksCompiler_ = false;
  std::string problem_;
  std::optional<CompiledMessage> compiled_;
  std::map<std::uint32_t, EditedOutput> outputs_;
  std::optional<TimedMessage> timed_;
  std::optional<CountersMessage> counters_;
  std::optional<LaunchProfile> profile_;
};

/// The run that a message belongs to, 0 for none.
std::uint64_t makeRun(const WorkerMessage& message);

/// True if two launches have the same text, kernel, extents and arguments.
bool sameLaunch(const Launch& a, const Launch& b);

/// A launch as the worker takes it: its text without the host's part, its extents and arguments. If the
/// kernel name in `launch` is empty, it is `kernel`, as Simulation::kernel names it.
TextLaunch makeTextLaunch(const Launch& launch, const std::string& kernel = {});

/// The first element in which simulator and GPU differ.
struct FirstDifference {
  std::uint64_t index = 0;  ///< element of its buffer
  std::string simulated;    ///< value and bits: `12.5 (0x41480000)`
  std::string measured;
  std::string writer;  ///< its last writer in the simulator: `block 0, thread 5`; empty if unknown
};

/// One buffer of both.
struct BufferComparison {
  std::size_t argument = 0;
  bool equal = false;
  std::optional<FirstDifference> first;  ///< if it differs and came back whole
};

struct EditedComparison {
  std::vector<BufferComparison> buffers;  ///< in argument order; empty if the GPU gave no output
  bool equal = false;                     ///< every bit of every buffer
  std::string sentence;                   ///< the result in words
};

/// Compares the GPU's buffers with the simulator's, bit for bit, and names the first difference. Both must be
/// of `launch`.
EditedComparison compareWithSimulator(const Launch& launch, const Simulation& simulation,
                                      const EditedRun& run);

/// A counter as the simulator predicts it and as the hardware counted it.
struct CounterRow {
  std::string_view name;   ///< Nsight Compute's
  std::string_view plain;  ///< in plain words
  std::uint64_t predicted = 0;
  std::optional<std::uint64_t> measured;  ///< nullopt if it was not read
  bool equal = false;
  std::string reason;  ///< the likely one, if it is not equal; else empty
};

/// A row for each counter that Nsight Compute measures.
std::vector<CounterRow> compareCounters(const Counters& predicted, const CountersMessage& measured);

}  // namespace lanescope
