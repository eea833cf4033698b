// The CUDA runtime's streams and events.
#include <chrono>
#include <memory>

#include "sim/host/runtime/device.h"
#include "sim/host/runtime/streams.h"

namespace lanescope::host {
namespace {

cudaError_t waited() {
  device().synchronize();
  return device().keep(cudaSuccess);
}

cudaError_t waitedFor(cudaStream_t stream) {
  return findGraph(stream) != nullptr ? device().keep(cudaErrorStreamCaptureUnsupported) : waited();
}

}  // namespace
}  // namespace lanescope::host

using namespace lanescope::host;  // NOLINT(google-build-using-namespace): the functions below are CUDA's

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  if (stream == nullptr) return device().keep(cudaErrorInvalidValue);
  *stream = std::make_unique<LanescopeStream>(LanescopeStream{flags, priority, nullptr}).release();
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  const LanescopeStream* const own = findStream(stream);
  *flags = own == nullptr ? 0 : own->flags;
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  const LanescopeStream* const own = findStream(stream);
  *priority = own == nullptr ? 0 : own->priority;
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (findStream(stream) == nullptr || stream == cudaStreamPerThread)
    return device().keep(cudaErrorInvalidResourceHandle);
  if (stream->captured != nullptr) std::erase(stream->captured->streams, stream);
  const std::unique_ptr<LanescopeStream> owned(stream);
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return waitedFor(stream); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return waitedFor(stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  if (event == nullptr) return device().keep(cudaErrorInvalidResourceHandle);
  LanescopeStream* const own = findStream(stream);
  if (event->captured != nullptr && own != nullptr && own->captured == nullptr) {
    own->captured = event->captured;
    event->captured->streams.push_back(own);
  }
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  device().synchronize();
  device().runHostFunction([=] { callback(stream, device().sticky(), data); });
  return device().keep(cudaSuccess);
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return submit(stream, NodeKind::Host, [=] {
    device().synchronize();
    device().runHostFunction([=] { function(data); });
    return device().keep(cudaSuccess);
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  auto made = std::make_unique<LanescopeEvent>();
  made->isTiming = (flags & cudaEventDisableTiming) == 0;
  *event = made.release();
  return device().keep(cudaSuccess);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (event == nullptr) return device().keep(cudaErrorInvalidResourceHandle);
  event->captured = findGraph(stream);
  event->time = std::chrono::steady_clock::now();
  event->isRecorded = true;
  return device().keep(cudaSuccess);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return event == nullptr ? device().keep(cudaErrorInvalidResourceHandle) : waited();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return event == nullptr ? device().keep(cudaErrorInvalidResourceHandle) : waited();
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const bool isRight = milliseconds != nullptr && start != nullptr && end != nullptr && start->isRecorded &&
                       end->isRecorded && start->isTiming && end->isTiming;
  if (!isRight) return device().keep(cudaErrorInvalidResourceHandle);
  device().sayTimesAreSimulated();
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return device().keep(cudaSuccess);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event == nullptr) return device().keep(cudaErrorInvalidResourceHandle);
  const std::unique_ptr<LanescopeEvent> owned(event);
  return device().keep(cudaSuccess);
}
