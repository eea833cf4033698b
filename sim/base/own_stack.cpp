#include "sim/base/own_stack.h"

#include <pthread.h>

#include <cstdint>
#include <exception>
#include <new>

namespace lanescope {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kHasLargeFrames = true;
#elif defined(__has_feature)
constexpr bool kHasLargeFrames = __has_feature(address_sanitizer);
#else
constexpr bool kHasLargeFrames = false;
#endif
/// Pages that are never touched cost nothing.
constexpr std::size_t kBytes = (kHasLargeFrames ? std::size_t{128} : std::size_t{16}) << 20;
constexpr std::size_t kReserve = kBytes / 4;

/// The address that this thread's stack should not grow below: a property of the thread. 0: not known.
thread_local std::uintptr_t lowest = 0;

std::uintptr_t findFrame() { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); }

struct Job {
  const std::function<void()>& work;
  std::exception_ptr thrown{};
};

void* work(void* given) {
  Job& job = *static_cast<Job*>(given);
  lowest = findFrame() - (kBytes - kReserve);
  try {
    job.work();
  } catch (...) {
    job.thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

bool OwnStack::isLow() { return findFrame() < lowest; }

void OwnStack::run(const std::function<void()>& job) {
  if (lowest != 0) return job();
  Job own{job};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kBytes);
  pthread_t thread{};
  const int fault = pthread_create(&thread, &attributes, work, &own);
  pthread_attr_destroy(&attributes);
  if (fault != 0) throw std::bad_alloc();
  pthread_join(thread, nullptr);
  if (own.thrown) std::rethrow_exception(own.thrown);
}

}  // namespace lanescope
