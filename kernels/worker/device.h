#pragma once

#include <functional>

#include "kernels/protocol/protocol.h"
#include "kernels/worker/cuda_call.h"

namespace lanescope {

/// Times one launch at a time with CUDA events.
///
/// The hazard: an event is stamped when the GPU reaches it. Were the GPU idle, it would stamp the
/// start, then wait for the host to get the kernel launched (microseconds, as long as a small kernel),
/// and the wait would count as the kernel's time. So the stream is closed first, by a gate kernel that
/// spins until the host opens it; the flush, the start event, the kernel and the stop event are queued
/// behind it; then the gate opens and the GPU goes through them without waiting for the host.
/// (nvbench's blocking kernel handles it in the same way.)
///
/// Nothing that makes the driver wait for the GPU may be queued behind a closed gate: loading a kernel
/// for its first launch does, so every kernel must have run once before it is timed. The gate gives up
/// by itself after about a second, so a mistake costs a sample and never hangs.
class Stopwatch {
 public:
  /// `l2Bytes`: the GPU's L2 cache, through which a flush reads more than four times as much.
  explicit Stopwatch(std::size_t l2Bytes);

  using Launch = std::function<void(const Stream&)>;

  /// Microseconds from the start to the end of `launch`. Cold: `prepare` runs, then L2 is flushed by
  /// reading a buffer of more than four times its size, then `launch` is timed. (Flushed by writing, L2
  /// would be full of words that have yet to go to memory, and the kernel would wait for that: 12 µs more
  /// at 2^28 floats on an H200, 5 % over the time that Nsight Compute measures.) Warm: `launch` runs
  /// once untimed just before. Throws CudaFailure.
  double time(CacheState cache, const Launch& launch, const Launch& prepare = {});

  /// The median of `samples` such times, outliers discarded. Throws CudaFailure.
  double median(CacheState cache, int samples, const Launch& launch);

  /// Keeps the GPU busy for about `milliseconds`, so that its clocks rise before the first sample, and loads
  /// the kernels of a flush.
  void warmUp(double milliseconds);

  const Stream& stream() const { return stream_; }
  std::size_t flushBytes() const { return flush_.bytes(); }

 private:
  bool timeOnce(CacheState cache, const Launch& launch, const Launch& prepare, double& microseconds);
  void flush();

  Stream stream_;
  Event start_;
  Event stop_;
  MappedWords gate_;
  DeviceBuffer flush_;
  std::uint32_t ticket_ = 0;
};

/// The first CUDA device and its driver, for the hello message. Throws CudaFailure if there is no driver, no
/// device, or the driver is too old.
HelloMessage describeDevice();

/// Free device memory in bytes. Throws CudaFailure.
std::size_t freeDeviceMemory();

/// Measures the read ceiling: the median bandwidth of launchRead over a buffer far larger than L2, for
/// the best of a few grid sizes; and the time of an empty kernel. Throws CudaFailure.
CeilingMessage measureCeiling(Stopwatch& stopwatch, std::uint32_t sms);

/// Measures the work that each unit of the GPU can do per microsecond, with kernels that keep only it busy
/// (rate_kernels.cu), and calls `emit` with each rate when it is known; stops if that returns false. Takes a
/// few seconds. Throws CudaFailure.
void measureRates(Stopwatch& stopwatch, const HelloMessage& gpu,
                  const std::function<bool(const RateMessage&)>& emit);

}  // namespace lanescope
