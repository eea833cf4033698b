#include "kernels/worker/edited_kernel.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <new>
#include <thread>

#include "kernels/protocol/bench_rules.h"
#include "kernels/worker/device.h"
#include "kernels/worker/driver_api.h"
#include "kernels/worker/edited_buffers.h"
#include "kernels/protocol/nvrtc.h"
#include "kernels/protocol/statistics.h"
#include "kernels/worker/stopwatch.h"
#include "kernels/worker/strategy_case.h"

namespace lanescope {
namespace {

using Clock = std::chrono::steady_clock;
using Emit = std::function<bool(const WorkerMessage&)>;
using Cancelled = std::function<bool()>;

constexpr auto kLook = std::chrono::milliseconds(50);  // between two checks for a cancel
constexpr double kSampleSeconds = 1;                   // for all timed launches together
constexpr double kSlowLaunch = 0.2;                    // seconds from which one timing is enough

/// The reason why a run failed, as a sentence; the process continues.
using Problem = std::optional<std::string>;

std::string secondsText(double seconds) {
  const auto whole = static_cast<long long>(seconds);
  if (static_cast<double>(whole) == seconds) {
    return std::to_string(whole) + (whole == 1 ? " second" : " seconds");
  }
  return std::to_string(static_cast<long long>(seconds * 1000)) + " milliseconds";
}

/// A kernel's fault in plain words.
std::string faultSentence(cudaError_t code) {
  switch (code) {
    case cudaErrorIllegalAddress:
      return "The kernel read or wrote memory outside its buffers (illegal memory access).";
    case cudaErrorMisalignedAddress:
      return "The kernel used an address that its type's size does not divide (misaligned address).";
    case cudaErrorAssert: return "An assertion in the kernel failed.";
    case cudaErrorIllegalInstruction: return "The kernel ran into an illegal instruction, or a trap.";
    case cudaErrorInvalidAddressSpace: return "The kernel used an address in the wrong kind of memory.";
    case cudaErrorInvalidPc: return "The kernel jumped out of its code.";
    case cudaErrorHardwareStackError: return "The kernel overflowed its stack, or spoiled it.";
    case cudaErrorLaunchFailure: return "The kernel crashed (unspecified launch failure).";
    default: return cudaSentence(code, "finish the kernel");
  }
}

std::string findArchitecture(const HelloMessage& device) {
  std::string architecture = "sm_";
  for (const char c : device.computeCapability) {
    if (c != '.') architecture += c;
  }
  return architecture;
}

/// The state shared by the compiling thread and the one that waits for it.
struct CompileJob {
  std::mutex mutex;
  std::condition_variable finished;
  std::optional<Result<CompiledText>> result;
  std::string compiler;
};

void compileJob(const std::shared_ptr<CompileJob>& job, const TextLaunch& launch,
                const std::string& architecture) {
  auto nvrtc = Nvrtc::load();
  auto result = nvrtc ? nvrtc->compile(launch, architecture) : Result<CompiledText>(nvrtc.error());
  const std::lock_guard lock(job->mutex);
  if (nvrtc) job->compiler = nvrtc->version();
  job->result.emplace(std::move(result));
  job->finished.notify_all();
}

/// One run of one request.
class EditedRun {
 public:
  EditedRun(const CompileRunRequest& request, const HelloMessage& device, const Emit& emit,
            const Cancelled& cancelled, const std::function<void()>& endProcess)
      : request_(request), device_(device), emit_(emit), cancelled_(cancelled), endProcess_(endProcess) {}

  /// Returns the problem if there is one. Throws CudaFailure.
  Problem run();

 private:
  [[noreturn]] void lose(const std::string& sentence) const;
  Problem compile(CompiledText& text);
  Problem firstLaunch(const LoadedKernel& kernel, const Stream& stream, double& seconds);
  void sendOutputs(EditedBuffers& buffers, const Stream& stream);
  void timeLaunches(const LoadedKernel& kernel, EditedBuffers& buffers, double firstSeconds);

  const CompileRunRequest& request_;
  const HelloMessage& device_;
  const Emit& emit_;
  const Cancelled& cancelled_;
  const std::function<void()>& endProcess_;
  CompiledMessage compiled_;
  void** parameters_ = nullptr;
};

/// Reports why the process must end, and ends it.
void EditedRun::lose(const std::string& sentence) const {
  emit_(ErrorMessage{request_.run, sentence});
  emit_(DoneMessage{request_.run, false, true});
  endProcess_();
  std::_Exit(1);
}

/// NVRTC cannot be interrupted: it works on a thread of its own, which is abandoned if it takes too long, and
/// the process must then end.
Problem EditedRun::compile(CompiledText& text) {
  const auto job = std::make_shared<CompileJob>();
  compiled_.run = request_.run;
  compiled_.architecture = findArchitecture(device_);
  std::thread([job, launch = request_.launch, architecture = compiled_.architecture] {
    compileJob(job, launch, architecture);
  }).detach();
  const auto deadline = Clock::now() + std::chrono::duration<double>(kCompileSeconds);
  std::unique_lock lock(job->mutex);
  while (!job->finished.wait_for(lock, kLook, [&] { return job->result.has_value(); })) {
    if (cancelled_()) lose("Cancelled while the text was compiled.");
    if (Clock::now() > deadline) {
      lose("The compiler was still at work on the text after " + secondsText(kCompileSeconds) +
           " and was stopped.");
    }
  }
  if (!*job->result) return job->result->error().sentence();
  text = std::move(*job->result).value();
  compiled_.compiled = text.compiled;
  compiled_.compiler = job->compiler;
  compiled_.milliseconds = text.milliseconds;
  compiled_.findings = text.findings;
  return std::nullopt;
}

/// Launches once and waits, at most as long as the request allows.
Problem EditedRun::firstLaunch(const LoadedKernel& kernel, const Stream& stream, double& seconds) {
  const auto begin = Clock::now();
  kernel.launch(request_.launch, parameters_, stream);
  for (unsigned looks = 0;; ++looks) {
    const cudaError_t code = cudaStreamQuery(stream.get());
    seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (code == cudaSuccess) return std::nullopt;
    if (code != cudaErrorNotReady) lose(faultSentence(code));
    if (seconds > request_.seconds) {
      lose("The kernel was still running after " + secondsText(request_.seconds) + " and was stopped.");
    }
    if (looks % 512 == 511 && cancelled_()) lose("Cancelled while the kernel ran.");
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

void EditedRun::sendOutputs(EditedBuffers& buffers, const Stream& stream) {
  for (std::size_t i = 0; i < buffers.count(); ++i) {
    const std::span<const std::byte> bytes = buffers.fetch(i, stream);
    const auto argument = static_cast<std::uint32_t>(buffers.findArgument(i));
    emit_(OutputMessage{request_.run, argument, bytes.size(), computeSum(bytes, buffers.findType(i)),
                        fnv1a(bytes)});
    if (bytes.size() > kMaxWordsBytes) continue;
    for (std::size_t offset = 0; offset < bytes.size(); offset += kWordsBytes) {
      const auto part = bytes.subspan(offset, std::min(kWordsBytes, bytes.size() - offset));
      emit_(WordsMessage{request_.run, argument, offset, {part.begin(), part.end()}});
    }
  }
}

void EditedRun::timeLaunches(const LoadedKernel& kernel, EditedBuffers& buffers, double firstSeconds) {
  const std::uint32_t most = firstSeconds > kSlowLaunch ? 1 : request_.maxSamples;
  if (request_.maxSamples == 0) return;
  Stopwatch stopwatch(device_.l2Bytes);
  stopwatch.warmUp(30);
  std::vector<double> samples;
  const auto begin = Clock::now();
  while (samples.size() < most && !cancelled_()) {
    samples.push_back(stopwatch.time(
        CacheState::Cold, [&](const Stream& stream) { kernel.launch(request_.launch, parameters_, stream); },
        [&](const Stream& stream) { buffers.reset(stream); }));
    if (std::chrono::duration<double>(Clock::now() - begin).count() > kSampleSeconds) break;
  }
  if (samples.empty()) return;
  const Summary summary = summarise(samples);
  emit_(TimedMessage{request_.run, summary.quartiles.median, summary.quartiles.q1, summary.quartiles.q3,
                     static_cast<std::uint32_t>(summary.used),
                     static_cast<std::uint32_t>(summary.discarded)});
}

Problem EditedRun::run() {
  const auto& block = request_.launch.block;
  const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
  if (block[0] > kMaxBlockThreads || block[1] > kMaxBlockThreads || threads > kMaxBlockThreads) {
    return "A block of " + std::to_string(threads) + " threads is more than a GPU's 1024.";
  }
  CompiledText text;
  if (auto problem = compile(text)) return problem;
  if (!text.compiled) {
    emit_(compiled_);
    return std::nullopt;
  }
  const LoadedKernel kernel(text.image, text.loweredName);
  compiled_.registers = kernel.registers();
  compiled_.staticSharedBytes = kernel.staticSharedBytes();
  compiled_.localBytes = kernel.localBytes();
  emit_(compiled_);
  auto buffers = EditedBuffers::create(request_.launch.arguments, /*keepFresh=*/true);
  if (!buffers) return buffers.error().sentence();
  if (std::string problem = kernel.parameterProblem(buffers->sizes()); !problem.empty()) {
    return problem;
  }
  kernel.allowDynamicShared(request_.launch.dynamicSharedBytes);
  parameters_ = buffers->parameters();
  const Stream stream;
  buffers->reset(stream);
  double firstSeconds = 0;
  if (auto problem = firstLaunch(kernel, stream, firstSeconds)) return problem;
  sendOutputs(*buffers, stream);
  timeLaunches(kernel, *buffers, firstSeconds);
  return std::nullopt;
}

using LoadedText = std::unique_ptr<const LoadedKernel>;

/// The kernel for the strategy's first type of element.
Result<LoadedText> linkedKernel(const Strategy& strategy, const std::string& name) {
  const void* const kernel = findKernel(strategy.types.front(), name);
  if (kernel == nullptr) return Error{"This worker was built without the kernel " + name + "."};
  return LoadedText(std::make_unique<LoadedKernel>(kernel));
}

Result<LoadedText> compiledKernel(const TextLaunch& launch, const std::string& textFile) {
  const auto nvrtc = Nvrtc::load();
  if (!nvrtc) return nvrtc.error();
  const auto text = nvrtc->compile(launch, findArchitecture(describeDevice()), textFile);
  if (!text) return text.error();
  if (!text->compiled) {
    const CompilerFinding& first = text->findings.front();
    const std::string place = first.line == 0 ? "" : "line " + std::to_string(first.line) + ": ";
    return Error{"The text does not compile: " + place + first.message + "."};
  }
  return LoadedText(std::make_unique<LoadedKernel>(text->image, text->loweredName));
}

}  // namespace

std::optional<ErrorMessage> compilerProblem(std::uint64_t run) {
  const auto nvrtc = Nvrtc::load();
  if (nvrtc) return std::nullopt;
  return ErrorMessage{run, nvrtc.error().sentence(), ErrorKind::NoCompiler};
}

void runEditedKernel(const CompileRunRequest& request, const HelloMessage& device, const Emit& emit,
                     const Cancelled& cancelled, const std::function<void()>& endProcess) {
  if (const auto missing = compilerProblem(request.run)) {
    emit(*missing);
    emit(DoneMessage{request.run, false});
    return;
  }
  Problem problem;
  bool lost = false;
  try {
    problem = EditedRun(request, device, emit, cancelled, endProcess).run();
  } catch (const CudaFailure& failure) {
    problem = failure.what();
    lost = cudaDeviceSynchronize() != cudaSuccess;  // an error that persists is one of the kernel's own
    if (lost) problem = faultSentence(failure.code());
  } catch (const std::bad_alloc&) {
    problem = "The worker's machine has too little memory for the buffers.";
  } catch (const std::exception& failure) {
    problem = failure.what();
  }
  if (problem) emit(ErrorMessage{request.run, *problem});
  emit(DoneMessage{request.run, false, lost});
  if (lost) endProcess();
}

std::optional<Error> launchTextOnce(const TextLaunch& launch, const std::string& textFile,
                                    const Strategy* linked) {
  const auto error = [](std::string sentence) { return Error{std::move(sentence)}; };
  try {
    check(cudaFree(nullptr), "start");  // makes the context
    const auto loaded =
        linked != nullptr ? linkedKernel(*linked, launch.kernel) : compiledKernel(launch, textFile);
    if (!loaded) return loaded.error();
    const LoadedKernel& kernel = **loaded;
    auto buffers = EditedBuffers::create(launch.arguments, /*keepFresh=*/false);
    if (!buffers) return buffers.error();
    if (std::string problem = kernel.parameterProblem(buffers->sizes()); !problem.empty()) {
      return error(problem);
    }
    kernel.allowDynamicShared(launch.dynamicSharedBytes);
    const Stream stream;
    kernel.launch(launch, buffers->parameters(), stream);
    const cudaError_t code = cudaStreamSynchronize(stream.get());
    if (code != cudaSuccess) return error(faultSentence(code));
    return std::nullopt;
  } catch (const std::exception& failure) {
    return error(failure.what());
  }
}

}  // namespace lanescope
