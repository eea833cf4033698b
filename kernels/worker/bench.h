#pragma once

#include <functional>
#include <memory>

#include "kernels/worker/bench_rules.h"

namespace lanescope {

/// The benchmark on this machine's GPU. Everything CUDA is behind it and no exception leaves it.
class Bench {
 public:
  /// Finds the GPU. The error says in one sentence why there is none to use.
  static Result<Bench> open();

  Bench(Bench&&) noexcept;
  Bench& operator=(Bench&&) noexcept;
  ~Bench();

  const HelloMessage& hello() const;

  /// Takes each message as it comes up; false ends the run.
  using Emit = std::function<bool(const WorkerMessage&)>;
  /// Asked between samples; true ends the run.
  using Cancelled = std::function<bool()>;

  /// Times what the request asks for. Emits the read ceiling (in the first run), progress, samples and
  /// results, then always `done`, after an `error` where something stood in the way. Returns false
  /// where the GPU can no longer be used in this process, as after a kernel's crash.
  bool run(const BenchRequest& request, const Emit& emit, const Cancelled& cancelled);
  /// The same for an experiment's kernels, compiled by NVRTC first; where there is none, an `error` says so.
  bool run(const ExperimentRequest& request, const Emit& emit, const Cancelled& cancelled);

  /// Emits the GPU's rates (rates.h), after an `error` where something stood in the way. Returns false where
  /// the GPU failed.
  bool measureRates(const Emit& emit);

 private:
  struct State;
  bool runChosen(const BenchRequest& request, const Result<std::vector<Contender>>& chosen, const Emit& emit,
                 const Cancelled& cancelled);
  explicit Bench(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace lanescope
