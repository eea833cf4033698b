#pragma once

#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <string_view>

#include "kernels/protocol/profile_record.h"
#include "kernels/protocol/protocol.h"

namespace lanescope {

/// Writes messages to standard output and, if requested, to a recording.
class Output {
 public:
  /// Redirects the output of kernels to standard error: standard output is for messages only.
  Output() : descriptor_(dup(STDOUT_FILENO)) { dup2(STDERR_FILENO, STDOUT_FILENO); }
  ~Output() {
    recordProfile();
    close(descriptor_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  bool record(const std::string& path) {
    file_.open(path, std::ios::trunc);
    return file_.is_open();
  }

  /// Returns false if standard output has no reader any more, or if the recording cannot be written.
  bool send(const WorkerMessage& message) {
    if (const auto* result = std::get_if<ResultMessage>(&message)) failed_ = failed_ || !result->verified;
    if (std::holds_alternative<ErrorMessage>(message)) failed_ = true;
    const std::string line = toLine(message) + "\n";
    if (file_.is_open()) file_ << recorded_.receive(message) << std::flush;
    return open_ = open_ && writeAll(line) && file_.good();
  }

  /// Writes the last profile to the recording, even if no message follows it.
  void recordProfile() {
    if (file_.is_open()) file_ << recorded_.finish() << std::flush;
  }

  /// True if an error or a wrong sum was sent.
  bool failed() const { return failed_; }

 private:
  bool writeAll(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  int descriptor_;
  std::ofstream file_;
  RecordWriter recorded_;
  bool open_ = true;
  bool failed_ = false;
};

}  // namespace lanescope
