#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/host.h"
#include "app/base/newest_job.h"
#include "sim/base/diagnostic.h"
#include "sim/machine/run/launch.h"

namespace lanescope {

/// True if a text has a main(), so that it is a whole program.
bool hasMain(std::string_view text);

/// A program to be run by `lanescope-cli run`, in a process of its own.
struct ProgramRequest {
  std::string path{};       ///< of its file
  std::string text{};       ///< of it, as it is to be run
  bool isAsFile = true;     ///< the file has that text
  std::string arguments{};  ///< of main(), as they would be written in a shell
  std::uint64_t captured =
      0;  ///< the number of a launch to capture, from 1; 0: none, the program runs to its end
};

/// A launch that a program made.
struct ProgramLaunch {
  std::uint64_t number = 0;  ///< from 1
  std::string kernel;
  std::uint32_t line = 0;  ///< 0 if unknown
  Dim3 grid;
  Dim3 block;
  bool isOver = false;
  double seconds = 0;  ///< of the simulator, once it is over
  std::uint64_t hazards = 0;
  std::string fault;  ///< the cause of its end, a sentence; empty if there is no fault
};

/// The outcome of a program so far.
struct ProgramOutcome {
  ProgramRequest asked;
  std::string output;  ///< its output, and the messages about it: the first and the last part
  std::vector<ProgramLaunch> launches;
  std::uint64_t launchCount = 0;  ///< more than are listed, if there are very many
  bool isOver = false;
  std::string end;                      ///< how it ended, one sentence; empty while it runs
  bool hasFailed = false;               ///< and it did not end by itself with status 0
  double seconds = 0;                   ///< since it was started
  std::vector<Diagnostic> diagnostics;  ///< of the compiler, in the program's text
  std::optional<CapturedLaunch> captured{};
};

/// Runs whole programs for the window: one at a time, the last requested, in another process that the
/// executor watches. All members are called from one thread, and none waits.
class ProgramRun {
 public:
  /// The executor's owner is woken when poll() has something to take. `tool`: lanescope-cli; empty: the one
  /// beside this program, or on the PATH.
  ProgramRun(ExecutorPtr executor, HostPtr host, std::string tool = {});

  void start(ProgramRequest request);
  /// Runs the last program again, up to that launch.
  void capture(std::uint64_t launch);
  void cancel();
  bool poll();
  bool isRunning() const { return job_.busy(); }
  /// The launch that is being captured; 0: none.
  std::uint64_t capturing() const { return capturing_; }

  /// The last run of a program, or the one in progress; nullopt before the first.
  const std::optional<ProgramOutcome>& outcome() const { return outcome_; }
  /// The captured launch, once, with its text. The error says why it was not captured.
  std::optional<Result<ProgramOutcome>> acceptCaptured() { return std::exchange(captured_, std::nullopt); }

 private:
  std::optional<ProgramOutcome> outcome_;
  std::optional<Result<ProgramOutcome>> captured_;
  std::uint64_t capturing_ = 0;
  NewestJob<ProgramRequest, ProgramOutcome> job_;
};

/// A compiler's messages about a file, as diagnostics of its text: the errors, each once.
std::vector<Diagnostic> compilerErrors(std::string_view messages, const std::string& path,
                                       std::string_view text);

/// Takes a line of the log that `lanescope-cli run --launches` writes.
void parseLogLine(const std::string& line, ProgramOutcome& outcome);

/// Adds to a program's output. The middle of a very long output is left out.
void addOutput(std::string_view more, std::string& output);

}  // namespace lanescope
