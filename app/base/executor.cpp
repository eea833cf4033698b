#include "app/base/executor.h"

#include <algorithm>

namespace lanescope {

void ThreadExecutor::ThreadSlot::post(std::function<void()> work, std::chrono::milliseconds delay) {
  const std::scoped_lock lock(mutex_);
  work_ = std::move(work);
  begin_ = std::chrono::steady_clock::now() + delay;
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  posted_.notify_one();
}

void ThreadExecutor::ThreadSlot::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (posted_.wait(lock, stop, [this] { return work_ != nullptr; })) {
    const auto begin = begin_;
    posted_.wait_until(lock, stop, begin, [&] { return begin_ != begin; });
    if (stop.stop_requested()) return;
    if (begin_ != begin) continue;
    const std::function<void()> work = std::exchange(work_, nullptr);
    lock.unlock();
    work();
    lock.lock();
  }
}

bool SteppedExecutor::step() {
  const auto time = [](const SteppedSlot* slot) {
    return slot->work ? slot->begin : std::chrono::milliseconds::max();
  };
  const auto first = std::ranges::min_element(slots_, {}, time);
  if (first == slots_.end() || !(*first)->work) return false;
  now_ = std::max(now_, (*first)->begin);
  std::exchange((*first)->work, nullptr)();
  return true;
}

}  // namespace lanescope
