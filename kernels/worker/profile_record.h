#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/worker/protocol.h"

/// A recording: the worker's messages, one per line, but the messages of a profile as one dense line
/// (kernels/worker/README.md, "Recordings"). The writer and the reader go through a recording in its order.
namespace lanescope {

/// Makes a recording's lines of messages.
class RecordWriter {
 public:
  /// The lines to be written now that this message was sent, each with its end: none for `progress`, and for
  /// a profile's messages not before finish() or the first message of another run.
  std::string take(const WorkerMessage& message);
  /// The line of the profile whose messages came last; empty where it is written, or there is none.
  std::string finish();

 private:
  std::optional<LaunchProfile> profile_;
  std::vector<std::string> metrics_;  ///< names of the line `profile-metrics` written last
};

/// Reads a recording's lines.
class RecordReader {
 public:
  /// The messages that a line (without its end) stands for: of a recorded profile one with all its lines and
  /// one with all its instructions follow the `profile`; of a line with names of metrics there are none. The
  /// error says in one sentence what is wrong.
  Result<std::vector<WorkerMessage>> take(std::string_view line);

 private:
  std::vector<std::string> metrics_;
};

}  // namespace lanescope
