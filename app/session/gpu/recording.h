#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/gpu/bench_data.h"

namespace lanescope {

/// A worker's messages saved to a file, a line each (assets/recordings/README.md).
struct Recording {
  std::vector<WorkerMessage> messages;  ///< the first is the hello
  std::string name;                     ///< of its file, without the ending

  /// The GPU and the day, always to be shown with its numbers: `NVIDIA H200, 2026-11-20`.
  std::string title() const;
  /// The same, and its name: what distinguishes it from others of that GPU and day.
  std::string label() const;

  /// Everything it says, at once.
  BenchData data() const;
};

/// Reads a recording's text. Errors: one sentence with `name` and the line.
Result<Recording> parseRecording(std::string_view text, const std::string& name);

/// Reads a recording's file. Errors: not there, not readable, over 16 MB, or not a recording.
Result<Recording> loadRecording(const std::filesystem::path& path);

/// Where the recordings are that ship with the program: `../share/lanescope/recordings` from its folder.
std::filesystem::path recordingsFolder();

/// The first of shippedRecordings(). The error says where none was found.
Result<std::filesystem::path> shippedRecording();

/// Every recording of strategies' times that ships with the program: each `.jsonl` in recordingsFolder() but
/// those of profiles, experiments and rates, by name after the one whose times the lessons quote; empty where
/// there is none.
std::vector<std::filesystem::path> shippedRecordings();

/// The recording of profiles that ships with the program (app/session/profile), which is none of the others.
/// The error says where none was found.
Result<std::filesystem::path> shippedProfileRecording();

/// The same of the experiments' times.
Result<std::filesystem::path> shippedExperimentRecording();
/// The same of the experiments' profiles.
Result<std::filesystem::path> shippedExperimentProfileRecording();

/// Plays a recording's messages over a few seconds, as if the worker were running: those of one N, so that
/// what is looked at does not jump from size to size.
class RecordingPlayer {
 public:
  RecordingPlayer(Recording recording, double seconds) : recording_(std::move(recording)), seconds_(seconds) {
    restart();
  }

  /// Starts over, with `size` for the N that is played; where nothing of that size was recorded, 2^24, else
  /// the largest.
  void restart(std::uint64_t size = 0);
  /// The N that is played; 0 where the recording has no series.
  std::uint64_t size() const { return size_; }

  /// What has been said `elapsed` seconds after the start; the hello, the ceiling and the other sizes come at
  /// once. Going back starts over. Returns whether anything was added.
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

}  // namespace lanescope
