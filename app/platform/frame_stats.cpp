#include "app/platform/frame_stats.h"

#include <algorithm>
#include <ctime>
#include <numeric>

#include <fmt/format.h>

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

void FrameStats::add(double buildSeconds, double drawSeconds, double wholeSeconds, double share) {
  if (build_.size() >= kMostFrames) return;
  build_.push_back(buildSeconds);
  draw_.push_back(drawSeconds);
  whole_.push_back(wholeSeconds);
  share_.push_back(share);
}

std::string FrameStats::text() const {
  const auto ms = [](const std::vector<double>& values, double share) {
    return 1e3 * quantile(values, share);
  };
  return fmt::format(
      "{} frames: whole with swap {:.2f} ms median, {:.2f} ms 95th percentile, {:.2f} ms 99th, {:.2f} ms "
      "longest; of CPU time, build {:.2f} ms median, {:.2f} ms 95th percentile, draw {:.2f} ms median, "
      "{:.2f} ms 95th percentile; {:.0f}% of the pixels drawn anew, nothing in {} frames",
      frames(), ms(whole_, 0.5), ms(whole_, 0.95), ms(whole_, 0.99), ms(whole_, 1), ms(build_, 0.5),
      ms(build_, 0.95), ms(draw_, 0.5), ms(draw_, 0.95),
      100 * std::accumulate(share_.begin(), share_.end(), 0.0) / std::max(1.0, static_cast<double>(frames())),
      std::ranges::count(share_, 0.0));
}

}  // namespace lanescope
