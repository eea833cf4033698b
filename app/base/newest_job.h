#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace lanescope {

/// Work done in a thread of its own, one piece after another. The newest request wins: one that is
/// waiting is dropped and one in progress is asked to stop. All members may be called from any one
/// thread; `finished` is called from the job's own. `work` throws nothing.
template <class Request, class Outcome>
class NewestJob {
 public:
  using Work = std::function<Outcome(const Request&, const std::stop_token&)>;
  /// Work whose outcome comes in parts: each is delivered as soon as it is known, the last is returned.
  using Deliver = std::function<void(Outcome)>;
  using PartWork = std::function<Outcome(const Request&, const std::stop_token&, const Deliver&)>;

  /// A request is begun `delay` after it was made, so that one request per keystroke ends in one piece of
  /// work.
  NewestJob(Work work, std::function<void()> finished, std::chrono::milliseconds delay = {})
      : NewestJob([work = std::move(work)](const Request& request, const std::stop_token& stop,
                                           const Deliver& /*deliver*/) { return work(request, stop); },
                  std::move(finished), delay) {}
  NewestJob(PartWork work, std::function<void()> finished, std::chrono::milliseconds delay = {})
      : work_(std::move(work)),
        finished_(std::move(finished)),
        delay_(delay),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}
  ~NewestJob() {
    cancel();
    thread_.request_stop();
  }
  NewestJob(const NewestJob&) = delete;
  NewestJob& operator=(const NewestJob&) = delete;

  void request(Request request) {
    const std::scoped_lock lock(mutex_);
    running_.request_stop();
    waiting_ = std::move(request);
    begin_ = std::chrono::steady_clock::now() + delay_;
    outcome_.reset();
    busy_ = true;
    wanted_.notify_one();
  }
  /// Drops the request and any outcome that is not yet taken.
  void cancel() {
    const std::scoped_lock lock(mutex_);
    running_.request_stop();
    waiting_.reset();
    outcome_.reset();
    busy_ = false;
  }
  /// The outcome of the newest request, once, or the parts of it so far; nullopt if already taken.
  std::optional<Outcome> consume() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(outcome_, std::nullopt);
  }
  /// True if the outcome of a request is yet to be taken.
  bool busy() const {
    const std::scoped_lock lock(mutex_);
    return busy_ || outcome_.has_value();
  }

 private:
  /// The next request and its stop source; nullopt once the job ends.
  std::optional<std::pair<Request, std::stop_source>> next(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (true) {
      if (!wanted_.wait(lock, stop, [this] { return waiting_.has_value(); })) return std::nullopt;
      const auto begin = begin_;
      wanted_.wait_until(lock, stop, begin, [&] { return begin_ != begin; });
      if (stop.stop_requested()) return std::nullopt;
      if (begin_ != begin || !waiting_) continue;
      running_ = std::stop_source();
      std::pair<Request, std::stop_source> found{std::move(*waiting_), running_};
      waiting_.reset();
      return found;
    }
  }

  void run(const std::stop_token& stop) {
    while (auto found = next(stop)) {
      const std::stop_source& mine = found->second;
      const Deliver deliver = [&](Outcome part) { publish(mine, std::move(part), true); };
      publish(mine, work_(found->first, mine.get_token(), deliver), false);
    }
  }

  void publish(const std::stop_source& of, Outcome outcome, bool isPart) {
    {
      const std::scoped_lock lock(mutex_);
      if (of.stop_requested()) return;
      outcome_ = std::move(outcome);
      busy_ = isPart;
    }
    if (finished_) finished_();
  }

  PartWork work_;
  std::function<void()> finished_;
  std::chrono::milliseconds delay_;
  mutable std::mutex mutex_;
  std::condition_variable_any wanted_;
  std::optional<Request> waiting_;
  std::optional<Outcome> outcome_;
  std::chrono::steady_clock::time_point begin_;
  std::stop_source running_;
  bool busy_ = false;
  std::jthread thread_;  ///< last: it uses all of the above
};

}  // namespace lanescope
