#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/analysis/bench_data.h"
#include "kernels/strategies/experiment.h"

namespace lanescope {

/// A worker's messages saved to a file, a line each (assets/recordings/README.md).
struct Recording {
  std::vector<WorkerMessage> messages;  ///< the first is the hello
  std::string name;                     ///< of its file, without the ending

  /// The GPU and the day, always to be shown with its numbers: `NVIDIA H200, 2026-11-20`.
  std::string title() const;
  /// The title, and its name: it distinguishes the recording from others of that GPU and day.
  std::string label() const;

  /// All of its data, at once.
  BenchData data() const;
};

/// Reads a recording's text. Errors: one sentence with `name` and the line.
Result<Recording> parseRecording(std::string_view text, const std::string& name);

/// Reads a recording's file. Errors: missing, not readable, over 16 MB, or not a recording.
Result<Recording> loadRecording(const std::filesystem::path& path);

/// The folder of the recordings that ship with the program: `../share/lanescope/recordings` from its folder.
std::filesystem::path recordingsFolder();

/// The first of shippedRecordings(). The error names the place searched.
Result<std::filesystem::path> shippedRecording();

/// Every recording of strategies' times that ships with the program: each `.jsonl` in recordingsFolder()
/// except those of profiles, experiments and rates, by name after the one that the lessons quote; empty if
/// there is none.
std::vector<std::filesystem::path> shippedRecordings();

/// The recording of profiles that ships with the program (profiles.h); it is not one of the others.
/// The error names the place searched.
Result<std::filesystem::path> shippedProfileRecording();

/// The recording of the experiments' times that ships with the program.
Result<std::filesystem::path> shippedExperimentRecording();
/// The recording of the experiments' profiles that ships with the program.
Result<std::filesystem::path> shippedExperimentProfileRecording();

/// Plays a recording's messages over a few seconds, as if the worker were running: those of one N, so that
/// the view does not jump from size to size.
class RecordingPlayer {
 public:
  RecordingPlayer(Recording recording, double seconds) : recording_(std::move(recording)), seconds_(seconds) {
    restart();
  }

  /// Starts over, with `size` for the N that is played; if nothing of that size was recorded, 2^24, else the
  /// largest.
  void restart(std::uint64_t size = 0);
  /// The N that is played; 0 if the recording has no series.
  std::uint64_t size() const { return size_; }

  /// Plays the messages up to `elapsed` seconds after the start; the hello, the ceiling and the other sizes
  /// come at once. Going back starts over. Returns true if anything was added.
  bool advanceTo(double elapsed);

  const BenchData& data() const { return data_; }
  bool finished() const { return next_ == order_.size(); }
  const Recording& recording() const { return recording_; }

 private:
  std::size_t dueAt(double elapsed) const;

  Recording recording_;
  double seconds_;
  std::uint64_t size_ = 0;
  std::vector<std::size_t> order_;  ///< of the messages
  std::size_t atOnce_ = 0;          ///< of order_
  BenchData data_;
  std::size_t next_ = 0;
};

/// The times of an experiment's kernels in one run.
struct ExperimentTimes {
  const Experiment* experiment = nullptr;
  std::vector<Variant> variants;                      ///< as makeVariants()
  std::vector<std::optional<ResultMessage>> results;  ///< one for each; nullopt if it was not timed
  std::string source;                                 ///< GPU and date: `NVIDIA H200, 2026-11-23`

  /// The median of a kernel, microseconds; 0 if there is none, or its result was wrong.
  double us(std::size_t variant) const;
  /// True if every kernel was timed and right.
  bool isComplete() const;
};

/// The times of an experiment's kernels that a worker or a recording gave, at `n` elements; 0: the
/// experiment's own N. Throws std::invalid_argument if the experiment's file is wrong.
ExperimentTimes readTimes(const Experiment& experiment, const BenchData& data, std::uint64_t n = 0);

/// The names of the parts in a kernel's name: `addressing, guard`
std::string factorNames(const Experiment& experiment);
/// `guard: comparison instead of division`
std::string effectTitle(const Experiment& experiment, const Effect& effect);
/// The place of an effect: the other factors' levels, `interleaved`; empty if there is one factor.
std::string effectPlace(const Experiment& experiment, const Variant& variant, std::size_t factor);

/// The recording of every experiment that ships with the program. The error says that it is missing.
Result<Recording> shippedExperiments();

}  // namespace lanescope
