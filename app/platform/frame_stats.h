#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lanescope {

/// CPU time that this thread has used, in seconds.
double threadCpuSeconds();

/// Times of frames. CPU times: of building them (ours) and of passing them to OpenGL (with software OpenGL,
/// the drawing itself). Wall-clock time: of the whole frame with its swap.
class FrameStats {
 public:
  /// Three times in seconds, and the share of the window's pixels that were drawn.
  void add(double buildSeconds, double drawSeconds, double wholeSeconds, double share);
  std::size_t frames() const { return build_.size(); }
  /// One line: `200 frames: whole with swap 5.1 ms median, 6.0 ms 95th percentile, 7.2 ms 99th, 9.9 ms
  /// longest; of CPU time, build 1.9 ms median, 2.4 ms 95th percentile, draw 3.1 ms median, 3.9 ms 95th
  /// percentile; 12% of the pixels drawn anew, nothing in 40 frames`.
  std::string text() const;

 private:
  std::vector<double> build_;
  std::vector<double> draw_;
  std::vector<double> whole_;
  std::vector<double> share_;
};

}  // namespace lanescope
