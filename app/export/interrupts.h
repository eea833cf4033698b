#pragma once

#include <array>
#include <csignal>
#include <functional>
#include <thread>

namespace lanescope {

/// While it lives, SIGINT, SIGTERM and SIGHUP ask for an end in place of ending the program, so that nothing
/// is cut in two. SIGHUP stays ignored where it was, as under nohup. One object at a time.
class Interrupts {
 public:
  /// `wake`, where there is one, is called from another thread at each signal.
  explicit Interrupts(std::function<void()> wake = {});
  /// Gives the signals back to whoever had them.
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// The signal that asked first; 0: none has.
  static int asked();

 private:
  static constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};

  std::array<struct sigaction, kSignals.size()> before_{};
  int waker_ = -1;  ///< the end of a pipe that the handler writes to
  std::jthread thread_;
};

}  // namespace lanescope
