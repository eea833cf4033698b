#include "kernels/worker/cuda_call.h"

#include "kernels/protocol/bench_rules.h"

namespace lanescope {

std::string cudaVersionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

namespace {

std::string driverSentence() {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  if (driver == 0) return "This machine has no NVIDIA driver, so no kernel can run on a GPU.";
  return "The NVIDIA driver runs CUDA " + cudaVersionText(driver) + " at most and this worker needs CUDA " +
         cudaVersionText(CUDART_VERSION) + ": update the driver.";
}

}  // namespace

std::string cudaSentence(cudaError_t code, const std::string& task) {
  switch (code) {
    case cudaErrorInsufficientDriver: return driverSentence();
    case cudaErrorNoDevice:
      return "This machine has no CUDA device, or none that CUDA_VISIBLE_DEVICES lets through.";
    case cudaErrorNoKernelImageForDevice:
      return "This worker holds no code for this GPU: build it with CMAKE_CUDA_ARCHITECTURES set to it.";
    default:
      return "The GPU could not " + task + ": " + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) +
             ").";
  }
}

void check(cudaError_t code, const std::string& task) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // clears the error, so that later checks do not see it again
  throw CudaFailure(code, cudaSentence(code, task));
}

DeviceBuffer::DeviceBuffer(std::size_t bytes) : bytes_(bytes) {
  check(cudaMalloc(&data_, bytes), "set aside " + bytesText(bytes) + " of memory");
}

MappedWords::MappedWords(std::size_t count) {
  void* host = nullptr;
  check(cudaHostAlloc(&host, count * sizeof(std::uint32_t), cudaHostAllocMapped), "share host memory");
  host_ = static_cast<std::uint32_t*>(host);
  for (std::size_t i = 0; i < count; ++i) host_[i] = 0;
  void* device = nullptr;
  check(cudaHostGetDevicePointer(&device, host, 0), "share host memory");
  device_ = static_cast<std::uint32_t*>(device);
}

Stream::Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "open a stream"); }

Event::Event() { check(cudaEventCreate(&event_), "make an event"); }

double Event::microsecondsTo(const Event& end) const {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, event_, end.event_), "read a time");
  return static_cast<double>(milliseconds) * 1e3;
}

}  // namespace lanescope
