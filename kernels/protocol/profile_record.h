#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/protocol/protocol.h"

/// A recording: the worker's messages, one per line, except that the messages of a profile are one dense line
/// (kernels/worker/README.md, "Recordings"). The writer and the reader go through a recording in its order.
namespace lanescope {

/// Makes a recording's lines from messages.
class RecordWriter {
 public:
  /// The lines to be written after this message, each with its end: none for `progress`, and for a profile's
  /// messages only after finish() or the first message of another run.
  std::string receive(const WorkerMessage& message);
  /// The line of the last profile; empty if it is written, or if there is none.
  std::string finish();

 private:
  std::optional<LaunchProfile> profile_;
  std::vector<std::string> metrics_;  ///< names of the line `profile-metrics` written last
};

/// Reads a recording's lines.
class RecordReader {
 public:
  /// The messages of a line (without its end): for a recorded profile the `profile` is followed by one with
  /// all its lines and one with all its instructions; a line with names of metrics has none. The error is one
  /// sentence.
  Result<std::vector<WorkerMessage>> receive(std::string_view line);

 private:
  std::vector<std::string> metrics_;
};

}  // namespace lanescope
