#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace lanescope {

/// How often that was done which is dear. Given to a session or a launch, those who work for it count here.
struct WorkCount {
  std::atomic<int> parses{0};
  std::atomic<int> compilations{0};         ///< of kernels
  std::atomic<int> tokenizations{0};        ///< of texts, for what they mean or for their colours
  std::atomic<int> fillings{0};             ///< of a launch's buffers
  std::atomic<int> runners{0};              ///< of blocks: one for each thread that simulates a launch
  std::atomic<std::uint64_t> stepsRead{0};  ///< of traces

  void reset() {
    parses = compilations = tokenizations = fillings = runners = 0;
    stepsRead = 0;
  }
};
using WorkCountPtr = std::shared_ptr<WorkCount>;

/// Nothing without a `work` that counts.
template <class Count>
void countWork(const WorkCountPtr& work, Count WorkCount::*which) {
  if (work != nullptr) ++(work.get()->*which);
}

}  // namespace lanescope
