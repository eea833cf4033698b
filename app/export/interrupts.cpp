#include "app/export/interrupts.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <utility>

namespace lanescope {
namespace {

// A handler can reach only global state.
std::atomic<int> askedBy{0};
std::atomic<int> wakerEnd{-1};
static_assert(std::atomic<int>::is_always_lock_free);

/// Only functions that are safe in a handler, as it may interrupt any code.
void ask(int signal) {
  const int error = errno;
  int none = 0;
  askedBy.compare_exchange_strong(none, signal);
  const int end = wakerEnd;
  const char byte = 0;
  [[maybe_unused]] const ssize_t written = end < 0 ? 0 : ::write(end, &byte, 1);
  errno = error;
}

}  // namespace

Interrupts::Interrupts(std::function<void()> wake) {
  askedBy = 0;
  std::array<int, 2> pipe{-1, -1};
  if (wake && ::pipe2(pipe.data(), O_CLOEXEC | O_NONBLOCK) == 0) {
    // The reading end blocks.
    ::fcntl(pipe[0], F_SETFL, 0);
    waker_ = pipe[1];
    wakerEnd = waker_;
    thread_ = std::jthread([from = pipe[0], wake = std::move(wake)] {
      char byte = 0;
      while (true) {
        const ssize_t got = ::read(from, &byte, 1);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        wake();
      }
      ::close(from);
    });
  }
  struct sigaction action {};
  action.sa_handler = ask;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &before_[i]);
    const bool isKept = kSignals[i] == SIGHUP && before_[i].sa_handler == SIG_IGN;
    if (!isKept) ::sigaction(kSignals[i], &action, nullptr);
  }
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
  wakerEnd = -1;
  if (waker_ >= 0) ::close(waker_);  // which ends the thread
}

int Interrupts::asked() { return askedBy; }

}  // namespace lanescope
