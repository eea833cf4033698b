#include "kernels/worker/device.h"

#include <dlfcn.h>

#include <array>
#include <chrono>
#include <ctime>

#include "kernels/protocol/bench_rules.h"
#include "kernels/worker/version.h"
#include "kernels/worker/worker_kernels.h"

namespace lanescope {
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

}  // namespace lanescope
