#include "app/platform/frame_stats.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

namespace lanescope {
namespace {

constexpr std::size_t kMostFrames = 100000;

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace

double threadCpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void FrameStats::add(double buildSeconds, double drawSeconds) {
  if (build_.size() >= kMostFrames) return;
  build_.push_back(buildSeconds);
  draw_.push_back(drawSeconds);
}

std::string FrameStats::text() const {
  std::array<char, 160> line{};
  std::snprintf(
      line.data(), line.size(),
      "%zu frames: build %.2f ms median, %.2f ms 95th percentile; draw %.2f ms median, %.2f ms 95th",
      build_.size(), 1e3 * quantile(build_, 0.5), 1e3 * quantile(build_, 0.95), 1e3 * quantile(draw_, 0.5),
      1e3 * quantile(draw_, 0.95));
  return line.data();
}

}  // namespace lanescope
