#include "app/gpu/worker_client.h"

#include <atomic>
#include <utility>

#include "kernels/protocol/bench_rules.h"

namespace lanescope {
namespace {

std::string runningSentence(const BenchRequest& request, const BenchData& data) {
  const std::string given = request.blocks > 0 ? std::to_string(request.blocks) + " " : "";
  std::string sentence =
      "Timing N = " + sizeText(request.n) + ", " + given + "blocks of " + std::to_string(request.block);
  const auto& progress = data.progress();
  if (progress && progress->total > 0) {
    sentence +=
        ": sample " + std::to_string(progress->done) + " of at most " + std::to_string(progress->total);
  }
  return sentence + ".";
}

std::string makeSentence(const WorkerProcess::Look& look, const BenchData& data) {
  if (look.state == WorkerState::Running && look.timed) return runningSentence(*look.timed, data);
  if (look.state == WorkerState::Running && look.isTextRunning) return "Running the edited kernel ...";
  if (look.state == WorkerState::Ready && !data.lastError().empty()) return data.lastError();
  return look.sentence;
}

/// The value to change: a copy if somebody else still holds it.
template <class T>
T& owned(std::shared_ptr<T>& kept) {
  if (kept.use_count() > 1) kept = std::make_shared<T>(*kept);
  std::atomic_thread_fence(std::memory_order_acquire);  // another thread's last reading comes before
  return *kept;
}

}  // namespace

Result<std::uint64_t> WorkerClient::bench(BenchRequest request) {
  if (const auto chosen = makeContenders(request); !chosen) return chosen.error();
  return process_.request(request, AskedRun{request});
}

Result<std::uint64_t> WorkerClient::experiment(ExperimentRequest request) {
  const auto bench = makeBench(request);
  if (!bench) return bench.error();
  const auto chosen = makeContenders(*findExperiment(request.experiment), *bench);
  if (!chosen) return chosen.error();
  AskedRun asked{*bench};
  const CacheState cache = bench->warm ? CacheState::Warm : CacheState::Cold;
  for (const Contender& one : *chosen)
    asked.kernels[one.id] = {one.id,       bench->n,    one.variant->block, cache,
                             bench->scope, bench->type, one.blocks};
  return process_.request(std::move(request), std::move(asked));
}

Result<std::uint64_t> WorkerClient::runText(const TextLaunch& launch, WorkerRequest request) {
  if (launch.text.size() > kMaxKernelTextBytes) {
    return Error{"The kernel's text has " + bytesText(launch.text.size()) + " and the worker takes " +
                     bytesText(kMaxKernelTextBytes) + " at most.",
                 "Shorten it."};
  }
  if (launch.kernel.empty()) return Error{"The launch names no kernel."};
  const std::lock_guard lock(mutex_);
  auto run = process_.requestText(std::move(request));
  if (run) text_ = std::make_shared<TextRun>(TextRun{*run});
  return run;
}

Result<std::uint64_t> WorkerClient::compileRun(CompileRunRequest request) {
  return runText(request.launch, request);
}

Result<std::uint64_t> WorkerClient::readCounters(CountersRequest request) {
  return runText(request.launch, request);
}

Result<std::uint64_t> WorkerClient::profile(ProfileRequest request) {
  return runText(request.launch, request);
}

void WorkerClient::apply(const WorkerNews& news) {
  if (const auto* death = std::get_if<WorkerDeath>(&news)) {
    data_->dropProgress();
    if (death->text != 0 && death->text == text_->run) owned(text_).lose(death->sentence);
    return;
  }
  const auto& [message, isOfText] = std::get<WorkerHeard>(news);
  if (isOfText) owned(text_).apply(message);
  if (!isOfText || std::holds_alternative<DoneMessage>(message)) data_->apply(message);
}

std::shared_ptr<const WorkerView> WorkerClient::view() {
  const std::lock_guard lock(mutex_);
  const auto look = process_.look(latest_->revision);
  if (!look) return latest_;
  latest_.reset();
  if (!look->news.empty()) owned(data_);
  for (const WorkerNews& news : look->news) apply(news);
  latest_ = std::make_shared<WorkerView>(
      WorkerView{look->state, makeSentence(*look, *data_), data_, text_, look->revision});
  return latest_;
}

bool WorkerClient::waitUntil(const std::function<bool(const WorkerView&)>& done,
                             std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    const auto now = view();
    if (done(*now)) return true;
    if (!process_.waitForChange(now->revision, deadline)) return false;
  }
}

}  // namespace lanescope
