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
struct TextRun {
  std::uint64_t run = 0;  ///< its number; 0: none was requested
  bool finished = false;  ///< no more messages will come
  /// The error in one sentence: of the launch, the worker, or its end. Empty if there is none; a text that
  /// does not compile is in `compiled`.
  std::string problem{};
  bool lacksCompiler = false;  ///< the worker's machine has no compiler for texts: the problem says so
  bool lostWorker = false;     ///< this run ended the worker and a new one was started
  std::optional<CompiledMessage> compiled{};
  std::map<std::uint32_t, EditedOutput> outputs{};  ///< by argument; only buffers are included
  std::optional<TimedMessage> timed{};
  std::optional<CountersMessage> counters{};
  std::optional<LaunchProfile> profile{};  ///< whole once the run is finished

  /// Takes a message of this run; others are ignored.
  void apply(const WorkerMessage& message);
  /// The worker is gone, with this run in progress or just over: one sentence.
  void lose(const std::string& sentence);
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
EditedComparison compareWithSimulator(const Launch& launch, const Simulation& simulation, const TextRun& run);

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
