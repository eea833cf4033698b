#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <variant>

#include "kernels/worker/protocol.h"

namespace lanescope {

/// Requests from standard input, read by a thread of its own so that a cancel is seen between samples.
class RequestQueue {
 public:
  /// Reads lines from `descriptor` until its end or a quit.
  explicit RequestQueue(int descriptor);
  ~RequestQueue();
  RequestQueue(const RequestQueue&) = delete;
  RequestQueue& operator=(const RequestQueue&) = delete;

  /// A run to make, or what is wrong with a line that was no request.
  using Item = std::variant<BenchRequest, CompileRunRequest, CountersRequest, ProfileRequest,
                            ExperimentRequest, Error>;

  /// The next to do; nothing at the end. Waits.
  std::optional<Item> next();

  /// Whether the run was cancelled, or nobody is left to read its results.
  bool cancelled(std::uint64_t run) const;

  /// Forgets a run that has ended.
  void finished(std::uint64_t run);

 private:
  void readLoop();
  void take(std::string_view line, bool overlong);
  void receive(Item item);
  void receive(const HelloRequest& hello);
  void receive(const CancelRequest& cancel);
  void receive(const QuitRequest& quit);

  int descriptor_;
  int stop_ = -1;  ///< an eventfd that ends the reading thread
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> queue_;
  std::set<std::uint64_t> asked_;      ///< runs asked for and not finished
  std::set<std::uint64_t> cancelled_;  ///< those of them that were cancelled
  bool ended_ = false;
  std::jthread reader_;  ///< last, so that it starts after and ends before the rest
};

}  // namespace lanescope
