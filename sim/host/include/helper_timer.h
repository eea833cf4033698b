// Timers as the samples' helper_timer.h has them, over the host's steady clock; in milliseconds.
#pragma once
#pragma GCC system_header
#include <chrono>

struct StopWatchInterface {
  std::chrono::steady_clock::time_point begun;
  double total = 0;
  int runs = 0;
  bool isRunning = false;
  double elapsed() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
  }
};

inline bool sdkCreateTimer(StopWatchInterface** timer) {
  *timer = new StopWatchInterface;
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
  (*timer)->begun = std::chrono::steady_clock::now();
  (*timer)->isRunning = true;
  return true;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
  (*timer)->total += (*timer)->elapsed();
  ++(*timer)->runs;
  (*timer)->isRunning = false;
  return true;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
  (*timer)->total = 0;
  (*timer)->runs = 0;
  (*timer)->begun = std::chrono::steady_clock::now();
  return true;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) {
  const double running = (*timer)->isRunning ? (*timer)->elapsed() : 0;
  return static_cast<float>((*timer)->total + running);
}
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
  return (*timer)->runs == 0 ? 0.0f : static_cast<float>((*timer)->total / (*timer)->runs);
}
