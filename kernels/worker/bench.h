#pragma once

#include <functional>
#include <memory>

#include "kernels/protocol/bench_rules.h"

namespace lanescope {

/// The benchmark on this machine's GPU. Everything CUDA is behind it and no exception leaves it.
class Bench {
 public:
  /// Finds the GPU. The error is one sentence with the reason why none can be used.
  static Result<Bench> open();

  Bench(Bench&&) noexcept;
  Bench& operator=(Bench&&) noexcept;
  ~Bench();

  const HelloMessage& hello() const;

  /// Receives each message when it is ready; false ends the run.
  using Emit = std::function<bool(const WorkerMessage&)>;
  /// Called between samples; true ends the run.
  using Cancelled = std::function<bool()>;

  /// Times the contenders of a request. Emits the read ceiling (in the first run), progress, samples and
  /// results, then always `done`, after an `error` if the run failed. Returns false if the GPU can no longer
  /// be used in this process, as after a kernel's crash.
  bool run(const BenchRequest& request, const Emit& emit, const Cancelled& cancelled);
  /// As above for an experiment's kernels, compiled by NVRTC first; if it is missing, emits an `error`.
  bool run(const ExperimentRequest& request, const Emit& emit, const Cancelled& cancelled);

  /// Emits the GPU's rates (device.h), after an `error` if it failed. Returns false if the GPU failed.
  bool measureRates(const Emit& emit);

 private:
  struct State;
  bool runChosen(const BenchRequest& request, const Result<std::vector<Contender>>& chosen, const Emit& emit,
                 const Cancelled& cancelled);
  explicit Bench(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace lanescope
