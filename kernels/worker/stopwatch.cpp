#include "kernels/worker/stopwatch.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

#include "kernels/protocol/statistics.h"
#include "kernels/worker/worker_kernels.h"

namespace lanescope {
namespace {

constexpr std::size_t kLeastFlush = std::size_t{64} << 20U;
constexpr unsigned int kFlushBlocks = 1024;
constexpr int kTries = 3;

/// Opens the gate when it goes out of scope, even after an exception.
class GateOpener {
 public:
  GateOpener(volatile std::uint32_t* word, std::uint32_t ticket) : word_(word), ticket_(ticket) {}
  ~GateOpener() { open(); }
  GateOpener(const GateOpener&) = delete;
  GateOpener& operator=(const GateOpener&) = delete;

  void open() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    *word_ = ticket_;
  }

 private:
  volatile std::uint32_t* word_;
  std::uint32_t ticket_;
};

}  // namespace

Stopwatch::Stopwatch(std::size_t l2Bytes)
    : gate_(2), flush_(std::max(kLeastFlush, l2Bytes * 4 + l2Bytes / 2) / 16 * 16) {
  check(cudaMemsetAsync(flush_.data(), 0, flush_.bytes(), stream_.get()), "clear its memory");
  stream_.wait("clear its memory");
}

void Stopwatch::flush() {
  check(launchRead(flush_.floats(), flush_.bytes() / sizeof(float), kFlushBlocks, flush_.floats(),
                   stream_.get()),
        "flush its L2 cache");
}

void Stopwatch::warmUp(double milliseconds) {
  check(launchGate(gate_.device(), ticket_, stream_.get()), "run a kernel");  // open: loads the gate
  const auto begin = std::chrono::steady_clock::now();
  const auto busy = std::chrono::duration<double, std::milli>(milliseconds);
  do {
    for (int i = 0; i < 16; ++i) flush();
    stream_.wait("warm up");
  } while (std::chrono::steady_clock::now() - begin < busy);
}

bool Stopwatch::timeOnce(CacheState cache, const Launch& launch, const Launch& prepare,
                         double& microseconds) {
  ++ticket_;
  check(launchGate(gate_.device(), ticket_, stream_.get()), "run a kernel");
  {
    GateOpener opener(gate_.host(), ticket_);
    if (cache == CacheState::Cold) {
      if (prepare) prepare(stream_);
      flush();
    } else {
      launch(stream_);
    }
    start_.record(stream_);
    launch(stream_);
    stop_.record(stream_);
  }
  stream_.wait("finish a kernel");
  microseconds = start_.microsecondsTo(stop_);
  return gate_.host()[1] != ticket_;
}

double Stopwatch::time(CacheState cache, const Launch& launch, const Launch& prepare) {
  double microseconds = 0;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    if (timeOnce(cache, launch, prepare, microseconds)) return microseconds;
  }
  throw CudaFailure(cudaErrorLaunchTimeout,
                    "The host was too slow, three times over, to queue a sample's work.");
}

double Stopwatch::median(CacheState cache, int samples, const Launch& launch) {
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(samples));
  for (int i = 0; i < samples; ++i) times.push_back(time(cache, launch));
  return summarise(times).quartiles.median;
}

}  // namespace lanescope
