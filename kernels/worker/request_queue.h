#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <variant>

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

}  // namespace lanescope
