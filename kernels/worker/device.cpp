#include "kernels/worker/device.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include <dlfcn.h>

#include "kernels/protocol/bench_rules.h"
#include "kernels/worker/cuda_call.h"
#include "kernels/worker/version.h"
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

namespace {

constexpr std::size_t kLargestCeilingBuffer = std::size_t{4} << 30U;
constexpr int kCeilingSamples = 15;
constexpr unsigned int kCeilingThreads = 256;  // launchRead's block

/// The driver's own version, `580.159.04`, from NVML if the machine has it; else empty.
std::string driverVersion() {
  void* nvml = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (nvml == nullptr) return {};
  using Init = int (*)();
  using GetVersion = int (*)(char*, unsigned int);
  const auto init = reinterpret_cast<Init>(dlsym(nvml, "nvmlInit_v2"));
  const auto shutDown = reinterpret_cast<Init>(dlsym(nvml, "nvmlShutdown"));
  const auto getVersion = reinterpret_cast<GetVersion>(dlsym(nvml, "nvmlSystemGetDriverVersion"));
  std::array<char, 96> text{};
  if (init != nullptr && getVersion != nullptr && shutDown != nullptr && init() == 0) {
    if (getVersion(text.data(), static_cast<unsigned int>(text.size() - 1)) != 0) text[0] = '\0';
    shutDown();
  }
  dlclose(nvml);
  return text.data();
}

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", &utc);
  return text.data();
}

/// An attribute of the device; 0 if CUDA does not support it.
double attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, device) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return value;
}

/// Memory clock (kHz) times bus width (bits), two transfers per clock, in 10^9 bytes per second.
double theoreticalBandwidth(int device) {
  const double kilohertz = attribute(cudaDevAttrMemoryClockRate, device);
  const double bits = attribute(cudaDevAttrGlobalMemoryBusWidth, device);
  return 2.0 * kilohertz * 1e3 * bits / 8.0 / 1e9;
}

}  // namespace

HelloMessage describeDevice() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "be found");
  if (count == 0) check(cudaErrorNoDevice, "be found");
  constexpr int kDevice = 0;
  check(cudaSetDevice(kDevice), "be opened");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, kDevice), "say what it is");
  int driver = 0;
  int runtime = 0;
  check(cudaDriverGetVersion(&driver), "say its driver's version");
  check(cudaRuntimeGetVersion(&runtime), "say its runtime's version");
  HelloMessage hello;
  hello.worker = kWorkerVersion;
  hello.gpu = properties.name;
  hello.computeCapability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
  hello.driver = driverVersion();
  hello.cudaDriver = cudaVersionText(driver);
  hello.cudaRuntime = cudaVersionText(runtime);
  hello.sms = static_cast<std::uint32_t>(properties.multiProcessorCount);
  hello.l2Bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
  hello.memoryBytes = properties.totalGlobalMem;
  hello.theoreticalGBps = theoreticalBandwidth(kDevice);
  hello.date = today();
  return hello;
}

std::size_t freeDeviceMemory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "say how much memory is free");
  return free;
}

CeilingMessage measureCeiling(Stopwatch& stopwatch, std::uint32_t sms) {
  std::size_t bytes = kLargestCeilingBuffer;
  while (bytes > freeDeviceMemory() / 4 && bytes > stopwatch.flushBytes()) bytes /= 2;
  const DeviceBuffer buffer(bytes);
  const DeviceBuffer sink(sizeof(float));
  const std::size_t count = bytes / sizeof(float);
  const Stream& stream = stopwatch.stream();
  check(launchFill(ElementType::Float, buffer.data(), count, 0, stream.get()), "fill its memory");
  check(launchRead(buffer.floats(), count, sms, sink.floats(), stream.get()), "read its memory");
  check(launchEmpty(stream.get()), "run an empty kernel");
  stream.wait("read its memory");

  CeilingMessage ceiling;
  unsigned int bestBlocks = 0;
  for (const unsigned int blocksPerSm : {4U, 8U, 16U, 32U, 64U}) {
    const unsigned int blocks = sms * blocksPerSm;
    const double us = stopwatch.median(CacheState::Cold, kCeilingSamples, [&](const Stream& s) {
      check(launchRead(buffer.floats(), count, blocks, sink.floats(), s.get()), "read its memory");
    });
    if (ceiling.us > 0 && us >= ceiling.us) continue;
    ceiling.us = us;
    bestBlocks = blocks;
  }
  ceiling.bytes = bytes;
  ceiling.gbps = gigabytesPerSecond(bytes, ceiling.us);
  ceiling.samples = kCeilingSamples;
  ceiling.launchUs = stopwatch.median(CacheState::Cold, kCeilingSamples, [](const Stream& s) {
    check(launchEmpty(s.get()), "run an empty kernel");
  });
  ceiling.how = "Median of " + std::to_string(kCeilingSamples) + " reads of " + bytesText(bytes) +
                " with 16-byte loads by a kernel that only reads, " + std::to_string(bestBlocks) +
                " blocks of " + std::to_string(kCeilingThreads) +
                " threads, the best of five grid sizes, L2 flushed before each.";
  return ceiling;
}

namespace {

constexpr int kSamples = 15;
constexpr std::uint64_t kSectorBytes = 32;
constexpr std::size_t kMegabyte = std::size_t{1} << 20U;

/// The best of several ways to keep a unit busy.
class BestRate {
 public:
  BestRate(Stopwatch& stopwatch, RateUnit unit, double launchUs)
      : stopwatch_(stopwatch), sink_(sizeof(float)) {
    best_.unit = unit;
    best_.launchUs = launchUs;
    best_.samples = kSamples;
  }

  /// The place to which a kernel could write its input; none does.
  float* sink() const { return sink_.floats(); }

  /// Times a launch that does `amount` of the unit's work; `how` is one sentence.
  void consider(CacheState cache, std::uint64_t amount, const std::string& how,
                const Stopwatch::Launch& launch) {
    launch(stopwatch_.stream());  // loads the kernel: see Stopwatch
    stopwatch_.stream().wait("measure its rates");
    const double us = stopwatch_.median(cache, kSamples, launch);
    const double busy = us - best_.launchUs;
    if (busy <= 0 || static_cast<double>(amount) / busy <= best_.perUs) return;
    best_.amount = amount;
    best_.us = us;
    best_.perUs = static_cast<double>(amount) / busy;
    best_.how =
        "Median of " + std::to_string(kSamples) + " launches, less the time of an empty kernel: " + how;
  }

  const RateMessage& message() const { return best_; }

 private:
  Stopwatch& stopwatch_;
  DeviceBuffer sink_;
  RateMessage best_;
};

std::string gridText(unsigned int blocks) {
  return std::to_string(blocks) + " blocks of " + std::to_string(kRateThreads) + " threads";
}

/// As many blocks as all SMs hold at once.
unsigned int fullGrid(std::uint32_t sms) {
  int threads = 0;
  check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0),
        "say how much fits an SM");
  return sms * static_cast<unsigned int>(threads) / kRateThreads;
}

DeviceBuffer filled(std::size_t bytes, const Stopwatch& stopwatch) {
  DeviceBuffer buffer(bytes);
  check(launchFill(ElementType::Float, buffer.data(), bytes / sizeof(float), 0, stopwatch.stream().get()),
        "fill its memory");
  stopwatch.stream().wait("fill its memory");
  return buffer;
}

RateMessage launchRate(Stopwatch& stopwatch) {
  const auto empty = [](const Stream& s) { check(launchEmpty(s.get()), "run an empty kernel"); };
  empty(stopwatch.stream());
  stopwatch.stream().wait("run an empty kernel");
  RateMessage rate;
  rate.unit = RateUnit::Launch;
  rate.us = stopwatch.median(CacheState::Cold, kSamples, empty);
  rate.samples = kSamples;
  rate.how =
      "Median of " + std::to_string(kSamples) + " launches of an empty kernel, L2 flushed before each.";
  return rate;
}

RateMessage dramRate(Stopwatch& stopwatch, std::uint32_t sms, double launchUs) {
  constexpr std::size_t kLargest = std::size_t{16} << 30U;
  std::size_t bytes = kLargest;
  while (bytes > freeDeviceMemory() / 2 && bytes > stopwatch.flushBytes()) bytes /= 2;
  const DeviceBuffer buffer = filled(bytes, stopwatch);
  BestRate best(stopwatch, RateUnit::Dram, launchUs);
  for (std::size_t part = bytes; part >= bytes / 4 && part >= stopwatch.flushBytes(); part /= 2) {
    for (const unsigned int blocksPerSm : {4U, 8U, 16U, 32U, 64U, 256U}) {
      const unsigned int blocks = sms * blocksPerSm;
      best.consider(CacheState::Cold, part / kSectorBytes,
                    "a read of " + bytesText(part) + " with 16-byte loads by " + gridText(blocks) +
                        ", L2 flushed before each.",
                    [&](const Stream& s) {
                      check(launchRead(buffer.floats(), part / sizeof(float), blocks, best.sink(), s.get()),
                            "read its memory");
                    });
    }
  }
  return best.message();
}

RateMessage l2Rate(Stopwatch& stopwatch, const HelloMessage& gpu, double launchUs) {
  constexpr std::uint64_t kWanted = std::uint64_t{8} << 30U;  // bytes of one launch
  BestRate best(stopwatch, RateUnit::L2, launchUs);
  for (const std::size_t bytes :
       {2 * kMegabyte, 4 * kMegabyte, 8 * kMegabyte, 16 * kMegabyte, 24 * kMegabyte}) {
    if (bytes > gpu.l2Bytes / 2) break;
    const DeviceBuffer buffer = filled(bytes, stopwatch);
    const auto repeats = static_cast<unsigned int>(kWanted / bytes);
    for (const unsigned int blocksPerSm : {1U, 2U, 4U, 8U}) {
      const unsigned int blocks = gpu.sms * blocksPerSm;
      best.consider(CacheState::Warm, repeats * (bytes / kSectorBytes),
                    std::to_string(repeats) + " reads of the same " + bytesText(bytes) +
                        " with 16-byte loads that L1 does not keep, by " + gridText(blocks) + ".",
                    [&](const Stream& s) {
                      check(launchL2Read(buffer.floats(), bytes, repeats, blocks, best.sink(), s.get()),
                            "read its L2 cache");
                    });
    }
  }
  return best.message();
}

RateMessage sharedRate(Stopwatch& stopwatch, std::uint32_t sms, double launchUs) {
  constexpr unsigned int kRepeats = 512;
  const unsigned int blocks = fullGrid(sms);
  const std::uint64_t warps = std::uint64_t{blocks} * kRateThreads / kWarpThreads;
  BestRate best(stopwatch, RateUnit::Shared, launchUs);
  for (const bool wide : {false, true}) {
    best.consider(CacheState::Warm, warps * kRepeats * kSharedWavefronts,
                  std::string("loads from shared memory without bank conflicts, ") + (wide ? "16" : "4") +
                      " bytes per thread, by " + gridText(blocks) + ".",
                  [&](const Stream& s) {
                    check(launchSharedRead(wide, kRepeats, blocks, best.sink(), s.get()),
                          "read its shared memory");
                  });
  }
  return best.message();
}

RateMessage issueRate(Stopwatch& stopwatch, std::uint32_t sms, double launchUs) {
  constexpr unsigned int kPerWarp = 1U << 17U;
  const unsigned int blocks = fullGrid(sms);
  const std::uint64_t warps = std::uint64_t{blocks} * kRateThreads / kWarpThreads;
  BestRate best(stopwatch, RateUnit::Issue, launchUs);
  for (const unsigned int unroll : {64U, 128U, 256U, 512U}) {
    best.consider(CacheState::Warm, warps * kPerWarp,
                  "additions of floats in 8 independent chains, " + std::to_string(unroll) +
                      " per iteration, the loop's own instructions not counted, by " + gridText(blocks) + ".",
                  [&](const Stream& s) {
                    check(launchIssue(unroll, kPerWarp / unroll, blocks, best.sink(), s.get()),
                          "issue instructions");
                  });
  }
  return best.message();
}

}  // namespace

void measureRates(Stopwatch& stopwatch, const HelloMessage& gpu,
                  const std::function<bool(const RateMessage&)>& emit) {
  stopwatch.warmUp(200);
  const RateMessage launch = launchRate(stopwatch);
  if (!emit(launch)) return;
  if (!emit(dramRate(stopwatch, gpu.sms, launch.us))) return;
  if (!emit(l2Rate(stopwatch, gpu, launch.us))) return;
  if (!emit(sharedRate(stopwatch, gpu.sms, launch.us))) return;
  emit(issueRate(stopwatch, gpu.sms, launch.us));
}

}  // namespace lanescope
