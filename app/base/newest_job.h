#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include "app/base/executor.h"

namespace lanescope {

/// Background work of one kind, one piece after another. The newest request wins: one that is waiting is
/// dropped and one in progress is asked to stop. All members may be called from any one thread; the
/// executor's owner is woken at each outcome. `work` throws nothing; it is one call, which a stepped executor
/// does whole.
template <class Request, class Outcome>
class NewestJob {
 public:
  using Work = std::function<Outcome(const Request&, const std::stop_token&)>;
  /// Work whose outcome comes in parts: each is delivered as soon as it is known, the last is returned.
  using Deliver = std::function<void(Outcome)>;
  using PartWork = std::function<Outcome(const Request&, const std::stop_token&, const Deliver&)>;

  /// A request is begun `delay` after it was made, so that one request per keystroke ends in one piece of
  /// work.
  NewestJob(ExecutorPtr executor, Work work, std::chrono::milliseconds delay = {})
      : NewestJob(
            std::move(executor),
            [work = std::move(work)](const Request& request, const std::stop_token& stop,
                                     const Deliver& /*deliver*/) { return work(request, stop); },
            delay) {}
  NewestJob(ExecutorPtr executor, PartWork work, std::chrono::milliseconds delay = {})
      : executor_(std::move(executor)), work_(std::move(work)), delay_(delay), slot_(executor_->makeSlot()) {}
  ~NewestJob() { cancel(); }
  NewestJob(const NewestJob&) = delete;
  NewestJob& operator=(const NewestJob&) = delete;

  void request(Request request) {
    const std::scoped_lock lock(mutex_);
    running_.request_stop();
    waiting_ = std::move(request);
    outcome_.reset();
    busy_ = true;
    slot_->post([this] { work(); }, delay_);
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
  void work() {
    std::stop_source mine;
    std::optional<Request> request;
    {
      const std::scoped_lock lock(mutex_);
      request = std::exchange(waiting_, std::nullopt);
      if (!request) return;
      running_ = mine;
    }
    const Deliver deliver = [&](Outcome part) { publish(mine, std::move(part), true); };
    publish(mine, work_(*request, mine.get_token(), deliver), false);
  }

  void publish(const std::stop_source& of, Outcome outcome, bool isPart) {
    {
      const std::scoped_lock lock(mutex_);
      if (of.stop_requested()) return;
      outcome_ = std::move(outcome);
      busy_ = isPart;
    }
    executor_->wake();
  }

  ExecutorPtr executor_;
  PartWork work_;
  std::chrono::milliseconds delay_;
  mutable std::mutex mutex_;
  std::optional<Request> waiting_;
  std::optional<Outcome> outcome_;
  std::stop_source running_;
  bool busy_ = false;
  std::unique_ptr<Executor::Slot> slot_;  ///< last: its work uses all of the above
};

}  // namespace lanescope
