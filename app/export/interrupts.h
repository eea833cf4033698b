#pragma once

#include <array>
#include <csignal>
#include <functional>
#include <thread>

namespace lanescope {

/// While it lives, SIGINT, SIGTERM and SIGHUP request an end instead of ending the program, so that no output
/// is cut off. SIGHUP stays ignored if it was, as under nohup. One object at a time.
class Interrupts {
 public:
  /// `wake`, if set, is called from another thread at each signal.
  explicit Interrupts(std::function<void()> wake = {});
  /// Restores the previous handlers of the signals.
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// The signal that came first; 0: none.
  static int asked();

 private:
  static constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};

  std::array<struct sigaction, kSignals.size()> before_{};
  int waker_ = -1;  ///< the end of a pipe that the handler writes to
  std::jthread thread_;
};

}  // namespace lanescope
