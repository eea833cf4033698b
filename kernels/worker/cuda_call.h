#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/base/diagnostic.h"

/// Checked CUDA calls and owners of CUDA objects. Inside the worker a failed call throws CudaFailure;
/// Bench, the edge, makes it an Error, so that no exception leaves.
namespace lanescope {

/// `13.0` of CUDA's own 13000.
std::string cudaVersionText(int version);

/// A CUDA call that failed; what() is one sentence.
class CudaFailure : public std::runtime_error {
 public:
  CudaFailure(cudaError_t code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}

  cudaError_t code() const { return code_; }

  /// True if the GPU can still be used in this process: after a kernel's crash it cannot.
  bool fatal() const { return code_ != cudaErrorMemoryAllocation; }

 private:
  cudaError_t code_;
};

/// One sentence for a CUDA error: the task that failed and the reason, with plain words for an old driver and
/// a missing GPU.
std::string cudaSentence(cudaError_t code, const std::string& task);

/// Throws CudaFailure unless the call worked; `task` completes "The GPU could not ...".
void check(cudaError_t code, const std::string& task);

/// Device memory.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t bytes);
  ~DeviceBuffer() { cudaFree(data_); }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  void* data() const { return data_; }
  float* floats() const { return static_cast<float*>(data_); }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Host memory that a kernel can read and write while it runs.
class MappedWords {
 public:
  explicit MappedWords(std::size_t count);
  ~MappedWords() { cudaFreeHost(host_); }
  MappedWords(const MappedWords&) = delete;
  MappedWords& operator=(const MappedWords&) = delete;

  volatile std::uint32_t* host() const { return host_; }
  std::uint32_t* device() const { return device_; }

 private:
  std::uint32_t* host_ = nullptr;
  std::uint32_t* device_ = nullptr;
};

class Stream {
 public:
  Stream();
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const { return stream_; }
  /// Waits until all queued work of the stream is done.
  void wait(const std::string& task) const { check(cudaStreamSynchronize(stream_), task); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event();
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(const Stream& stream) const { check(cudaEventRecord(event_, stream.get()), "mark a time"); }
  /// Microseconds from this event to a later one; both must have occurred.
  double microsecondsTo(const Event& end) const;

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace lanescope
