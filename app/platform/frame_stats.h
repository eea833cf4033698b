#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lanescope {

/// CPU time that this thread has used, in seconds.
double threadCpuSeconds();

/// CPU times of frames: building them (ours) and handing them to OpenGL (with software OpenGL, the
/// drawing itself).
class FrameStats {
 public:
  void add(double buildSeconds, double drawSeconds);
  std::size_t frames() const { return build_.size(); }
  /// One line: `200 frames: build 1.9 ms median, 2.4 ms 95th percentile; draw 3.1 ms median`.
  std::string text() const;

 private:
  std::vector<double> build_;
  std::vector<double> draw_;
};

}  // namespace lanescope
