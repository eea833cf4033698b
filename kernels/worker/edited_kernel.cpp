#include "kernels/worker/edited_kernel.h"

#include <bit>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/nvrtc.h"
#include "kernels/worker/bench_case.h"
#include "kernels/worker/cuda_call.h"
#include "kernels/worker/device.h"
#include "kernels/worker/loaded_kernel.h"
#include "sim/base/counted.h"
#include "sim/memory/device_memory.h"

namespace lanescope {

/// The arguments of a text's launch on the GPU: buffers filled as in the simulator, and scalars. Throws
/// CudaFailure.
class EditedBuffers {
 public:
  /// Reads argument specs (sim/memory/argument.h) and allocates memory. Errors, one sentence each: an invalid
  /// spec, more memory than the GPU has free or than kMaxBytes. `keepFresh`: keep a second copy on the GPU
  /// for reset().
  static Result<EditedBuffers> create(const std::vector<std::string>& specs, bool keepFresh);

  static constexpr std::uint64_t kMaxBytes = std::uint64_t{8} << 30U;

  /// Queues every buffer's initial fill again.
  void reset(const Stream& stream) const;

  /// Pointers to each argument's value, as a launch takes them; and each value's bytes.
  void** parameters() { return pointers_.data(); }
  const std::vector<std::size_t>& sizes() const { return sizes_; }

  std::size_t count() const { return used_.size(); }
  std::size_t findArgument(std::size_t buffer) const { return host_.findArgument(buffer); }
  ArgumentType findType(std::size_t buffer) const { return arguments_[findArgument(buffer)].type; }
  /// Copies a buffer back from the GPU; valid until the next call.
  std::span<const std::byte> fetch(std::size_t buffer, const Stream& stream);

 private:
  explicit EditedBuffers(DeviceMemory host) : host_(std::move(host)) {}
  void bind();

  std::vector<Argument> arguments_;
  DeviceMemory host_;
  std::vector<DeviceBuffer> fresh_;
  std::vector<DeviceBuffer> used_;
  std::vector<std::byte> fetched_;
  std::vector<std::uint64_t> values_;  ///< by argument: a pointer or a scalar's bits
  std::vector<void*> pointers_;        ///< to values_, and past them to zeros
  std::vector<std::size_t> sizes_;
};

namespace {

constexpr std::uint64_t kSpareBytes = std::uint64_t{512} << 20U;  // L2's flush, stacks, the driver's own
constexpr std::size_t kMostParameters = 1024;  // 4 KiB of parameters hold no more pointers than half of that

}  // namespace

Result<EditedBuffers> EditedBuffers::create(const std::vector<std::string>& specs, bool keepFresh) {
  std::vector<Argument> arguments;
  std::uint64_t needed = 0;
  for (const std::string& spec : specs) {
    const auto argument = parseArgument(spec);
    if (!argument) return argument.error();
    if (argument->isStruct) {
      return Error{"'" + spec + "' is a struct, which is not passed to a GPU from here.",
                   "Simulate the launch, or run the whole program on the GPU."};
    }
    needed += argument->bytes() * (keepFresh ? 2 : 1);
    arguments.push_back(*argument);
  }
  const std::uint64_t free = freeDeviceMemory();
  if (needed > 0 && needed + kSpareBytes > free) {
    return Error{"The buffers need " + bytesText(needed) + " of GPU memory" +
                     (keepFresh ? ", a fresh copy counted," : "") + " and " + bytesText(free) + " are free.",
                 "Choose smaller buffers."};
  }
  auto host = DeviceMemory::create(arguments, kMaxBytes);
  if (!host) return host.error();
  EditedBuffers buffers(std::move(host).value());
  buffers.arguments_ = std::move(arguments);
  for (std::size_t i = 0; i < buffers.host_.bufferCount(); ++i) {
    const auto bytes = std::as_const(buffers.host_).buffer(i);
    buffers.used_.emplace_back(bytes.size());
    DeviceBuffer& first = keepFresh ? buffers.fresh_.emplace_back(bytes.size()) : buffers.used_.back();
    check(cudaMemcpy(first.data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "take the buffers");
  }
  buffers.bind();
  return Result<EditedBuffers>(std::move(buffers));
}

/// A kernel with more parameters than arguments reads zeros, not the worker's memory.
void EditedBuffers::bind() {
  values_.assign(arguments_.size() + 8, 0);
  std::size_t buffer = 0;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& argument = arguments_[i];
    values_[i] = argument.isBuffer ? std::bit_cast<std::uint64_t>(used_[buffer++].data()) +
                                         argument.offset * argumentTypeBytes(argument.type)
                                   : scalarBits(argument);
    sizes_.push_back(argument.isBuffer ? sizeof(void*) : argumentTypeBytes(argument.type));
  }
  for (std::size_t i = 0; i < kMostParameters; ++i) {
    pointers_.push_back(&values_[std::min(i, arguments_.size())]);
  }
}

void EditedBuffers::reset(const Stream& stream) const {
  for (std::size_t i = 0; i < fresh_.size(); ++i) {
    check(cudaMemcpyAsync(used_[i].data(), fresh_[i].data(), used_[i].bytes(), cudaMemcpyDeviceToDevice,
                          stream.get()),
          "fill the buffers");
  }
}

std::span<const std::byte> EditedBuffers::fetch(std::size_t buffer, const Stream& stream) {
  fetched_.resize(used_[buffer].bytes());
  check(cudaMemcpyAsync(fetched_.data(), used_[buffer].data(), fetched_.size(), cudaMemcpyDeviceToHost,
                        stream.get()),
        "hand over a buffer");
  stream.wait("hand over a buffer");
  return fetched_;
}

namespace {

using Clock = std::chrono::steady_clock;
using Emit = std::function<bool(const WorkerMessage&)>;
using Cancelled = std::function<bool()>;

constexpr auto kLook = std::chrono::milliseconds(50);  // between two checks for a cancel
constexpr double kSampleSeconds = 1;                   // for all timed launches together
constexpr double kSlowLaunch = 0.2;                    // seconds from which one timing is enough

/// The reason why a run failed, as a sentence; the process continues.
using Problem = std::optional<std::string>;

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
    if (cancelled_()) lose("Canceled while the text was compiled.");
    if (Clock::now() > deadline) {
      lose("The compiler was still at work on the text after " +
           secondsText(std::chrono::duration<double>(kCompileSeconds)) + " and was stopped.");
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
      lose("The kernel was still running after " +
           secondsText(std::chrono::duration<double>(request_.seconds)) + " and was stopped.");
    }
    if (looks % 512 == 511 && cancelled_()) lose("Canceled while the kernel ran.");
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
