#pragma once

#include <cerrno>
#include <condition_variable>
#include <deque>
#include <fstream>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

#include <unistd.h>

#include "kernels/protocol/profile_record.h"
#include "kernels/protocol/protocol.h"

namespace lanescope {

/// Requests from standard input, read by a thread of its own so that a cancel is seen between samples.
class RequestQueue {
 public:
  /// Reads lines from `descriptor` until its end or a quit.
  explicit RequestQueue(int descriptor);
  ~RequestQueue();
  RequestQueue(const RequestQueue&) = delete;
  RequestQueue& operator=(const RequestQueue&) = delete;

  /// A run to make, or the error in a line that was not a valid request.
  using Item = std::variant<BenchRequest, CompileRunRequest, CountersRequest, ProfileRequest,
                            ExperimentRequest, Error>;

  /// The next item; empty at the end. Waits.
  std::optional<Item> next();

  /// True if the run was cancelled, or if its results have no reader any more.
  bool cancelled(std::uint64_t run) const;

  /// Removes a run that has ended.
  void finished(std::uint64_t run);

 private:
  void readLoop();
  void receive(std::string_view line, bool overlong);
  void receive(Item item);
  void receive(const HelloRequest& hello);
  void receive(const CancelRequest& cancel);
  void receive(const QuitRequest& quit);

  int descriptor_;
  int stop_ = -1;  ///< an eventfd that ends the reading thread
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> queue_;
  std::set<std::uint64_t> asked_;      ///< runs requested and not finished
  std::set<std::uint64_t> cancelled_;  ///< cancelled ones among them
  bool ended_ = false;
  std::jthread reader_;  ///< last, so that it starts after the other members and ends before them
};

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
