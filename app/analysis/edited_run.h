#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/protocol/protocol.h"

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

}  // namespace lanescope
