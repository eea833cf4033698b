#include "kernels/worker/bench.h"

#include <exception>
#include <new>
#include <optional>

#include "kernels/worker/bench_run.h"
#include "kernels/worker/device.h"
#include "kernels/worker/edited_kernel.h"
#include "kernels/protocol/experiment_rules.h"
#include "kernels/worker/rates.h"
#include "kernels/worker/text_kernel.h"

namespace lanescope {

struct Bench::State {
  HelloMessage hello;
  Stopwatch stopwatch;
  std::optional<CeilingMessage> ceiling;

  explicit State(HelloMessage device) : hello(std::move(device)), stopwatch(hello.l2Bytes) {}

  bool measure(const BenchRequest& request, const std::vector<Contender>& chosen, const Emit& emit,
               const Cancelled& cancelled);
  std::optional<Error> problem(const BenchRequest& request, const std::vector<Contender>& chosen) const;
};

std::optional<Error> Bench::State::problem(const BenchRequest& request,
                                           const std::vector<Contender>& chosen) const {
  const std::uint64_t needed = BenchRun::bytesNeeded(request, chosen, hello.sms);
  const std::uint64_t free = freeDeviceMemory();
  if (needed <= free) return std::nullopt;
  return Error{"N = " + sizeText(request.n) + " needs " + bytesText(needed) + " of GPU memory and " +
                   bytesText(free) + " are free.",
               request.blocks == 0 ? "Choose a smaller N." : "Choose a smaller N or fewer blocks."};
}

/// Returns true if the run was completed. Throws CudaFailure.
bool Bench::State::measure(const BenchRequest& request, const std::vector<Contender>& chosen,
                           const Emit& emit, const Cancelled& cancelled) {
  stopwatch.warmUp(ceiling ? 30 : 200);
  if (!ceiling) {
    ceiling = measureCeiling(stopwatch, hello.sms);
    if (!emit(*ceiling)) return false;
  }
  return BenchRun(request, chosen, hello.sms, stopwatch, emit, cancelled).run();
}

Bench::Bench(std::unique_ptr<State> state) : state_(std::move(state)) {}
Bench::Bench(Bench&&) noexcept = default;
Bench& Bench::operator=(Bench&&) noexcept = default;
Bench::~Bench() = default;

Result<Bench> Bench::open() {
  try {
    return Bench(std::make_unique<State>(describeDevice()));
  } catch (const std::exception& failure) {
    return Error{failure.what()};
  }
}

const HelloMessage& Bench::hello() const { return state_->hello; }

bool Bench::run(const BenchRequest& request, const Emit& emit, const Cancelled& cancelled) {
  return runChosen(request, makeContenders(request), emit, cancelled);
}

bool Bench::run(const ExperimentRequest& request, const Emit& emit, const Cancelled& cancelled) {
  const auto bench = makeBench(request);
  const auto missing =
      bench ? compilerProblem(request.run) : ErrorMessage{request.run, bench.error().sentence()};
  if (missing) {
    emit(*missing);
    emit(DoneMessage{request.run, false});
    return true;
  }
  return runChosen(*bench, makeContenders(*findExperiment(request.experiment), *bench), emit, cancelled);
}

bool Bench::measureRates(const Emit& emit) {
  try {
    lanescope::measureRates(state_->stopwatch, state_->hello, emit);
    return true;
  } catch (const std::exception& failure) {
    emit(ErrorMessage{std::nullopt, failure.what()});
    return false;
  }
}

bool Bench::runChosen(const BenchRequest& request, const Result<std::vector<Contender>>& chosen,
                      const Emit& emit, const Cancelled& cancelled) {
  bool usable = true;
  bool finished = false;
  std::optional<std::string> sentence;
  try {
    const std::optional<Error> problem = chosen ? state_->problem(request, *chosen) : chosen.error();
    if (problem) {
      sentence = problem->sentence();
    } else if (!cancelled()) {
      finished = state_->measure(request, *chosen, emit, cancelled);
    }
  } catch (const CudaFailure& failure) {
    sentence = failure.what();
    usable = !failure.fatal();
  } catch (const TextFailure& failure) {
    sentence = failure.what();
  } catch (const std::bad_alloc&) {
    sentence = "The worker's machine has too little memory for N = " + sizeText(request.n) + ".";
  } catch (const std::exception& failure) {
    sentence = "The worker could not go on: " + std::string(failure.what()) + ".";
    usable = false;
  }
  if (sentence) emit(ErrorMessage{request.run, *sentence});
  emit(DoneMessage{request.run, !finished && !sentence, !usable});
  return usable;
}

}  // namespace lanescope
