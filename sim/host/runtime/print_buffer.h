#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "sim/machine/run/launch.h"

namespace lanescope::host {

/// The output of kernels until the host waits for them, as CUDA's buffer of printf keeps it: the newest.
class PrintBuffer {
 public:
  /// Sets cudaLimitPrintfFifoSize to a multiple of 256 bytes, at least 512 KiB (measured on an H200). False:
  /// a kernel has printed already, after which CUDA refuses it.
  bool setBytes(std::uint64_t bytes);
  std::uint64_t bytes() const { return bytes_; }
  /// The calls of printf that it holds.
  std::uint64_t capacity() const { return bytes_ / kBytesOfPrint; }
  void add(const Simulation& simulation);
  /// The calls since it was written, also those whose output is lost.
  std::uint64_t calls() const { return texts_.size() + lost_; }
  /// Writes its texts to stdout and empties it. Returns a sentence on what was lost; empty if nothing was.
  std::string write();

 private:
  std::uint64_t bytes_ = kPrintfBytes;
  std::deque<std::string> texts_;
  std::uint64_t lost_ = 0;
  bool wasUsed_ = false;
};

}  // namespace lanescope::host
