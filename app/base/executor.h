#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace lanescope {

/// Does background work: in threads, or piece by piece in the thread that calls step().
class Executor {
 public:
  /// One job's place in the executor: does its pieces of work one after another. The destructor drops the
  /// piece that has not begun, and waits for the one that has.
  class Slot {
   public:
    Slot() = default;
    virtual ~Slot() = default;
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    /// Has `work` done once `delay` has passed, in place of the piece that has not begun.
    virtual void post(std::function<void()> work, std::chrono::milliseconds delay) = 0;
  };

  /// `wake` is called when a job has something to take, from the thread that does its work.
  explicit Executor(std::function<void()> wake) : wake_(std::move(wake)) {}
  virtual ~Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// A slot must not outlive its executor.
  virtual std::unique_ptr<Slot> makeSlot() = 0;
  /// Does the piece of work that is due first; false if there is none, or if threads do them.
  virtual bool step() { return false; }
  /// True if work gets done while the caller does something else.
  virtual bool isConcurrent() const { return false; }
  void wake() const {
    if (wake_) wake_();
  }

 private:
  std::function<void()> wake_;
};
using ExecutorPtr = std::shared_ptr<Executor>;

/// A thread per slot, from its first piece of work on.
class ThreadExecutor : public Executor {
 public:
  explicit ThreadExecutor(std::function<void()> wake = {}) : Executor(std::move(wake)) {}
  std::unique_ptr<Slot> makeSlot() override { return std::make_unique<ThreadSlot>(); }
  bool isConcurrent() const override { return true; }

 private:
  class ThreadSlot : public Slot {
   public:
    void post(std::function<void()> work, std::chrono::milliseconds delay) override;

   private:
    void run(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any posted_;
    std::function<void()> work_;  ///< empty: none waits
    std::chrono::steady_clock::time_point begin_;
    std::jthread thread_;  ///< last: it uses all of the above
  };
};

/// Works only in step(): the same calls give the same course of events, and no caller waits. Delays decide
/// the order and take no time. For one thread.
class SteppedExecutor : public Executor {
 public:
  explicit SteppedExecutor(std::function<void()> wake = {}) : Executor(std::move(wake)) {}
  std::unique_ptr<Slot> makeSlot() override { return std::make_unique<SteppedSlot>(*this); }
  bool step() override;

 private:
  struct SteppedSlot : Slot {
    explicit SteppedSlot(SteppedExecutor& to) : executor(to) { executor.slots_.push_back(this); }
    ~SteppedSlot() override { std::erase(executor.slots_, this); }
    SteppedSlot(const SteppedSlot&) = delete;
    SteppedSlot& operator=(const SteppedSlot&) = delete;
    void post(std::function<void()> next, std::chrono::milliseconds delay) override {
      work = std::move(next);
      begin = executor.now_ + delay;
    }

    SteppedExecutor& executor;
    std::function<void()> work;  ///< empty: none waits
    std::chrono::milliseconds begin{};
  };

  std::vector<SteppedSlot*> slots_;
  std::chrono::milliseconds now_{};  ///< the time at which the last piece was due
};

}  // namespace lanescope
