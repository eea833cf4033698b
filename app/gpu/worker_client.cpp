#include "app/gpu/worker_client.h"

#include <pthread.h>
#include <sys/eventfd.h>

#include <csignal>
#include <thread>
#include <utility>

#include "app/gpu/worker_life.h"
#include "kernels/protocol/bench_rules.h"

namespace lanescope {
namespace {

/// A write to a worker that has gone must fail, not end the app. Signals are for other threads.
void blockSignals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

std::string runningSentence(const WorkerShared& shared) {
  const BenchRequest& request = shared.runs.begin()->second;
  const std::string given = request.blocks > 0 ? std::to_string(request.blocks) + " " : "";
  std::string sentence =
      "Timing N = " + sizeText(request.n) + ", " + given + "blocks of " + std::to_string(request.block);
  const auto& progress = shared.data.progress();
  if (progress && progress->total > 0) {
    sentence +=
        ": sample " + std::to_string(progress->done) + " of at most " + std::to_string(progress->total);
  }
  return sentence + ".";
}

std::string makeSentence(const WorkerShared& shared) {
  if (shared.state == WorkerState::Running && !shared.runs.empty()) return runningSentence(shared);
  if (shared.state == WorkerState::Running && shared.editing()) return "Running the edited kernel ...";
  if (shared.state == WorkerState::Ready && !shared.data.lastError().empty()) return shared.data.lastError();
  return shared.sentence;
}

}  // namespace

struct WorkerClient::Impl {
  WorkerOptions options;
  WorkerShared shared;
  Descriptor wakeUp{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  std::uint64_t nextRun = 1;
  std::shared_ptr<const WorkerView> latest = std::make_shared<WorkerView>();
  std::jthread thread;  ///< last: it uses the rest

  explicit Impl(WorkerOptions chosen) : options(std::move(chosen)), thread([this] { work(); }) {}
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void work();
  void wantStart();
  void poke() const { eventfd_write(wakeUp.get(), 1); }
};

WorkerClient::Impl::~Impl() {
  {
    const std::lock_guard lock(shared.mutex);
    shared.quit = true;
    shared.changed.notify_all();
  }
  poke();
  thread.join();
}

/// The client's thread: one worker's life after another.
void WorkerClient::Impl::work() {
  blockSignals();
  while (true) {
    {
      std::unique_lock lock(shared.mutex);
      shared.changed.wait(lock, [this] { return shared.startWanted || shared.quit; });
      if (shared.quit) return;
      shared.startWanted = false;
    }
    WorkerLife(shared, options, wakeUp.get()).live();
  }
}

/// Under the mutex.
void WorkerClient::Impl::wantStart() {
  if (shared.state != WorkerState::NotStarted && shared.state != WorkerState::Failed) return;
  shared.state = WorkerState::Starting;
  shared.sentence = "Starting the GPU worker ...";
  shared.startWanted = true;
  ++shared.revision;
  shared.changed.notify_all();
}

WorkerClient::WorkerClient(WorkerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
WorkerClient::~WorkerClient() = default;

void WorkerClient::start() {
  const std::lock_guard lock(impl_->shared.mutex);
  impl_->wantStart();
}

Result<std::uint64_t> WorkerClient::bench(BenchRequest request) {
  const auto chosen = makeContenders(request);
  if (!chosen) return chosen.error();
  WorkerShared& shared = impl_->shared;
  {
    const std::lock_guard lock(shared.mutex);
    impl_->wantStart();
    request.run = impl_->nextRun++;
    shared.outgoing.push_back(toLine(request));
    shared.runs.emplace(request.run, AskedRun{request});
    ++shared.revision;
  }
  impl_->poke();
  return request.run;
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
  WorkerShared& shared = impl_->shared;
  {
    const std::lock_guard lock(shared.mutex);
    impl_->wantStart();
    request.run = asked.run = impl_->nextRun++;
    shared.outgoing.push_back(toLine(request));
    shared.runs.emplace(request.run, std::move(asked));
    ++shared.revision;
  }
  impl_->poke();
  return request.run;
}

template <class Request>
Result<std::uint64_t> WorkerClient::runText(Request request) {
  if (request.launch.text.size() > kMaxKernelTextBytes) {
    return Error{"The kernel's text has " + bytesText(request.launch.text.size()) + " and the worker takes " +
                     bytesText(kMaxKernelTextBytes) + " at most.",
                 "Shorten it."};
  }
  if (request.launch.kernel.empty()) return Error{"The launch names no kernel."};
  WorkerShared& shared = impl_->shared;
  {
    const std::lock_guard lock(shared.mutex);
    if (shared.editing()) return Error{"A kernel's text is being run already.", "Wait for it, or cancel it."};
    impl_->wantStart();
    request.run = impl_->nextRun++;
    shared.outgoing.push_back(toLine(WorkerRequest(request)));
    shared.edited = EditedRun(request.run);
    ++shared.revision;
  }
  impl_->poke();
  return request.run;
}

Result<std::uint64_t> WorkerClient::compileRun(CompileRunRequest request) {
  return runText(std::move(request));
}

Result<std::uint64_t> WorkerClient::readCounters(CountersRequest request) {
  return runText(std::move(request));
}

Result<std::uint64_t> WorkerClient::profile(ProfileRequest request) { return runText(std::move(request)); }

void WorkerClient::cancel() {
  {
    const std::lock_guard lock(impl_->shared.mutex);
    if (!impl_->shared.busy()) return;
    impl_->shared.outgoing.push_back(toLine(CancelRequest{}));
  }
  impl_->poke();
}

std::shared_ptr<const WorkerView> WorkerClient::view() {
  WorkerShared& shared = impl_->shared;
  const std::lock_guard lock(shared.mutex);
  shared.wakePending = false;
  if (impl_->latest->revision != shared.revision) {
    impl_->latest = std::make_shared<WorkerView>(
        WorkerView{shared.state, makeSentence(shared), shared.data, shared.edited, shared.revision});
  }
  return impl_->latest;
}

bool WorkerClient::waitUntil(const std::function<bool(const WorkerView&)>& done,
                             std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    const auto now = view();
    if (done(*now)) return true;
    std::unique_lock lock(impl_->shared.mutex);
    const bool news = impl_->shared.changed.wait_until(
        lock, deadline, [&] { return impl_->shared.revision != now->revision; });
    if (!news) return false;
  }
}

}  // namespace lanescope
