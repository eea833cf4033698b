#include "kernels/worker/bench_case.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "kernels/protocol/expected_results.h"
#include "kernels/protocol/reference_values.h"
#include "kernels/worker/loaded_kernel.h"
#include "kernels/worker/worker_kernels.h"

namespace lanescope {
namespace {

/// The most additions before the last sum of one value, over all passes: those of one thread, of its block's
/// tree (or line), and of the blocks' results.
std::uint64_t countAdditions(const std::vector<StrategyShape>& launches) {
  std::uint64_t additions = 0;
  for (const StrategyShape& shape : launches) {
    const std::uint64_t threads = shape.blocks() * shape.threads();
    additions += shape.n / threads + 1 + shape.threads();
    if (shape.outElements == 1) additions += shape.blocks();
  }
  return additions;
}

bool takes(const Strategy& strategy, Parameter parameter) {
  return std::ranges::find(strategy.parameters, parameter) != strategy.parameters.end();
}

/// The first launch needs the most.
std::uint64_t scratchBytes(const Strategy& strategy, const StrategyShape& first) {
  return takes(strategy, Parameter::Scratch) ? first.n * elementBytes(first.type) : 0;
}

template <class T>
std::vector<T> readValues(const DeviceBuffer& buffer, const Stream& stream) {
  std::vector<T> values(buffer.bytes() / sizeof(T));
  check(cudaMemcpyAsync(values.data(), buffer.data(), buffer.bytes(), cudaMemcpyDeviceToHost, stream.get()),
        "hand over its results");
  stream.wait("hand over its results");
  return values;
}

const void* needKernel(const StrategyShape& shape) {
  const void* const kernel = findKernel(shape.type, shape.kernel);
  if (kernel != nullptr) return kernel;
  throw std::runtime_error("it was built without the kernel " + shape.kernel + " for " +
                           std::string(elementTypeName(shape.type)));
}

}  // namespace

const void* findKernel(ElementType type, const std::string& name) {
  const KernelEntries table = type == ElementType::Double ? kernelsForDouble()
                              : type == ElementType::Int  ? kernelsForInt()
                                                          : kernelsForFloat();
  for (std::size_t i = 0; i < table.count; ++i) {
    if (name == table.entries[i].name) return table.entries[i].kernel;
  }
  return nullptr;
}

StrategyCase::StrategyCase(const Strategy& strategy, const BenchRequest& request, const BenchInputs& inputs,
                           std::vector<StrategyShape> launches, std::shared_ptr<const LoadedKernel> text)
    : strategy_(strategy),
      scope_(request.scope),
      type_(request.type),
      inputs_(inputs),
      text_(std::move(text)) {
  for (StrategyShape& shape : launches) {
    Pass pass;
    if (text_ == nullptr) pass.kernel = needKernel(shape);
    pass.out = DeviceBuffer(shape.outElements * elementBytes(type_));
    pass.shape = std::move(shape);
    if (text_ == nullptr && pass.shape.dynamicSharedBytes > 48 * 1024) {
      lanescope::check(cudaFuncSetAttribute(pass.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            static_cast<int>(pass.shape.dynamicSharedBytes)),
                       "give a block so much shared memory");
    }
    passes_.push_back(std::move(pass));
  }
  scratch_ = DeviceBuffer(scratchBytes(strategy, passes_.front().shape));
  partials_ = DeviceBuffer(passes_.front().shape.blocks() * elementBytes(type_));
  counter_ = DeviceBuffer(sizeof(std::uint32_t));
  if (takes(strategy, Parameter::Next)) {
    next_ = DeviceBuffer(passes_.front().out.bytes());
    lanescope::check(cudaMemset(next_.data(), 0, next_.bytes()), "clear its sum");
  }
  lanescope::check(cudaMemset(counter_.data(), 0, counter_.bytes()), "clear its counter");
  facts_.grid = passes_.front().shape.blocks();
  facts_.elementsPerThread = elementsPerThread(strategy, passes_.front().shape);
  facts_.sharedBytes = passes_.front().shape.dynamicSharedBytes;
  facts_.launches = passes_.size() + (addsToOut() && scope_ == Scope::Full ? 1 : 0);
  facts_.bytes = bytesMoved(&strategy, scope_, request.n, passes_.front().shape.outElements, type_);
  if (text_ != nullptr) addTextFacts();
}

void StrategyCase::addTextFacts() {
  const StrategyShape& shape = passes_.front().shape;
  facts_.registers = text_->registers();
  facts_.residentBlocks = text_->residentBlocks(shape.threads(), shape.dynamicSharedBytes);
  if (text_->staticSharedBytes() > 0) facts_.sharedBytes += text_->staticSharedBytes();
}

std::uint64_t StrategyCase::bytesNeeded(const Strategy& strategy,
                                        const std::vector<StrategyShape>& launches) {
  return std::accumulate(launches.begin(), launches.end(), scratchBytes(strategy, launches.front()),
                         [](std::uint64_t sum, const StrategyShape& shape) {
                           return sum + (shape.outElements + shape.blocks()) * elementBytes(shape.type);
                         });
}

void StrategyCase::launchPass(const Pass& pass, const void* in, const Stream& stream) const {
  const StrategyShape& shape = pass.shape;
  const void* second = inputs_.b.data();
  void* out = pass.out.data();
  void* counter = counter_.data();
  void* partials = partials_.data();
  void* scratch = scratch_.data();
  void* next = next_.data();
  auto n = static_cast<std::uint32_t>(shape.n);
  auto width = static_cast<std::uint32_t>(shape.width);
  auto height = static_cast<std::uint32_t>(shape.height);
  std::vector<void*> arguments;
  for (const Parameter parameter : strategy_.parameters) {
    switch (parameter) {
      case Parameter::In: arguments.push_back(static_cast<void*>(&in)); break;
      case Parameter::B: arguments.push_back(static_cast<void*>(&second)); break;
      case Parameter::Out: arguments.push_back(static_cast<void*>(&out)); break;
      case Parameter::Next: arguments.push_back(static_cast<void*>(&next)); break;
      case Parameter::Scratch: arguments.push_back(static_cast<void*>(&scratch)); break;
      case Parameter::Partials: arguments.push_back(static_cast<void*>(&partials)); break;
      case Parameter::N: arguments.push_back(&n); break;
      case Parameter::Width: arguments.push_back(&width); break;
      case Parameter::Height: arguments.push_back(&height); break;
      case Parameter::Counter: arguments.push_back(static_cast<void*>(&counter)); break;
    }
  }
  if (text_ != nullptr) {
    TextLaunch extents;
    extents.grid = {shape.gridX, shape.gridY, 1};
    extents.block = {shape.blockX, shape.blockY, 1};
    extents.dynamicSharedBytes = shape.dynamicSharedBytes;
    return text_->launch(extents, arguments.data(), stream);
  }
  lanescope::check(
      cudaLaunchKernel(pass.kernel, dim3(shape.gridX, shape.gridY), dim3(shape.blockX, shape.blockY),
                       arguments.data(), shape.dynamicSharedBytes, stream.get()),
      "launch '" + std::string(strategy_.id) + "'");
}

void StrategyCase::launch(const Stream& stream) {
  const void* in = inputs_.in.data();
  // This launch adds to the element that the previous launch has cleared.
  if (next_.bytes() > 0) std::swap(passes_.front().out, next_);
  for (const Pass& pass : passes_) {
    if (addsToOut() && scope_ == Scope::Full)
      lanescope::check(cudaMemsetAsync(pass.out.data(), 0, pass.out.bytes(), stream.get()), "clear its sum");
    launchPass(pass, in, stream);
    in = pass.out.data();
  }
}

/// All bits set is a NaN; to an int kernel it is -1.
void StrategyCase::reset(const Stream& stream) {
  const int bits = addsToOut() && scope_ == Scope::Kernel ? 0 : 0xff;
  for (const Pass& pass : passes_)
    lanescope::check(cudaMemsetAsync(pass.out.data(), bits, pass.out.bytes(), stream.get()),
                     "clear its results");
}

SumCheck StrategyCase::checkValues(const Stream& stream) const {
  const Pass& last = passes_.back();
  std::vector<double> values;
  const auto receive = [&]<class T>(std::vector<T> results) {
    values.assign(results.begin(), results.end());
  };
  switch (type_) {
    case ElementType::Float: receive(readValues<float>(last.out, stream)); break;
    case ElementType::Double: receive(readValues<double>(last.out, stream)); break;
    case ElementType::Int: receive(readValues<std::int32_t>(last.out, stream)); break;
  }
  std::vector<StrategyShape> shapes;
  for (const Pass& pass : passes_) shapes.push_back(pass.shape);
  double sum = std::accumulate(values.begin(), values.end(), 0.0);
  if (type_ == ElementType::Int) sum = wrappedToInt(sum);
  return checkTotal(sum, shapes.front().n, countAdditions(shapes), type_);
}

cudaError_t StrategyCase::launchCountWrong(const Pass& pass, unsigned long long* wrong,
                                           const Stream& stream) const {
  const StrategyShape& shape = pass.shape;
  const void* out = pass.out.data();
  switch (strategy_.result) {
    case ResultKind::Transpose:
      return launchCountWrongTransposed(type_, out, shape.width, shape.height, wrong, stream.get());
    case ResultKind::Julia:
      return launchCountWrongIterations(static_cast<const float*>(out), shape.width, shape.height, wrong,
                                        stream.get());
    default: return launchCountWrongSums(type_, out, shape.n, kSecondInput, wrong, stream.get());
  }
}

std::uint64_t StrategyCase::countWrongOnHost(const Pass& pass, const Stream& stream) {
  const StrategyShape& shape = pass.shape;
  const std::uint64_t stride = iterationsStride(shape.n);
  std::vector<float> values(iterationsSampled(shape.n));
  // The last point's stride may reach past the buffer's end; only its first element is read.
  lanescope::check(cudaMemcpy2DAsync(values.data(), sizeof(float), pass.out.data(), stride * sizeof(float),
                                     sizeof(float), values.size(), cudaMemcpyDeviceToHost, stream.get()),
                   "hand over its results");
  stream.wait("hand over its results");
  return countWrongIterations(values, stride, shape.width, shape.height);
}

SumCheck StrategyCase::check(const Stream& stream) {
  const Pass& last = passes_.back();
  const StrategyShape& shape = last.shape;
  if (strategy_.result == ResultKind::BlockSums && scope_ == Scope::Kernel) {
    const std::uint64_t elements = shape.n / shape.outElements;
    switch (type_) {
      case ElementType::Float: return checkBlockSums<float>(readValues<float>(last.out, stream), elements);
      case ElementType::Double: return checkBlockSums<double>(readValues<double>(last.out, stream), elements);
      case ElementType::Int:
        return checkBlockSums<std::int32_t>(readValues<std::int32_t>(last.out, stream), elements);
    }
  }
  if (strategy_.reducesToOne()) return checkValues(stream);
  // Separate elements: counted on the GPU, which has them.
  const DeviceBuffer wrong(sizeof(unsigned long long));
  lanescope::check(cudaMemsetAsync(wrong.data(), 0, wrong.bytes(), stream.get()), "clear a counter");
  lanescope::check(launchCountWrong(last, static_cast<unsigned long long*>(wrong.data()), stream),
                   "compare its results");
  SumCheck result;
  result.wrongBlocks = readValues<unsigned long long>(wrong, stream).front();
  if (strategy_.result == ResultKind::Julia && result.wrongBlocks == 0)
    result.wrongBlocks = countWrongOnHost(last, stream);
  result.expected = static_cast<double>(shape.n);
  result.got = static_cast<double>(shape.n - result.wrongBlocks);
  return result;
}

HostCase::HostCase(HostWork work, std::uint64_t n) : work_(work) {
  if (work == HostWork::CopyPinned) {
    lanescope::check(cudaMallocHost(&pinned_, n * sizeof(float)), "pin the host's memory");
    elements_ = {static_cast<float*>(pinned_), n};
  } else {
    pageable_.resize(n);
    elements_ = pageable_;
  }
  for (std::uint64_t i = 0; i < n; ++i) elements_[i] = static_cast<float>(inputElement(i));
  if (isCopy()) copy_ = DeviceBuffer(n * sizeof(float));
  facts_.bytes = n * sizeof(float);
  facts_.launches = isCopy() ? 1 : 0;
}

HostCase::~HostCase() {
  if (pinned_ != nullptr) cudaFreeHost(pinned_);
}

void HostCase::launch(const Stream& stream) {
  if (!isCopy()) {
    sum_ = cpuSum(elements_, work_ == HostWork::CpuOneThread ? 1 : 0);
    return;
  }
  lanescope::check(
      cudaMemcpyAsync(copy_.data(), elements_.data(), copy_.bytes(), cudaMemcpyHostToDevice, stream.get()),
      "take a copy");
}

void HostCase::reset(const Stream& stream) {
  sum_ = std::numeric_limits<double>::quiet_NaN();
  if (isCopy())
    lanescope::check(cudaMemsetAsync(copy_.data(), 0xff, copy_.bytes(), stream.get()), "clear its results");
}

std::optional<double> HostCase::timeOnHost(const Stream& stream) {
  reset(stream);
  stream.wait("clear its results");
  const auto begin = std::chrono::steady_clock::now();
  launch(stream);
  stream.wait("take a copy");
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

SumCheck HostCase::check(const Stream& stream) {
  const std::uint64_t n = elements_.size();
  if (!isCopy()) return checkTotal(sum_, n, 1, ElementType::Float);
  std::vector<float> back(n);
  lanescope::check(
      cudaMemcpyAsync(back.data(), copy_.data(), copy_.bytes(), cudaMemcpyDeviceToHost, stream.get()),
      "hand over its results");
  stream.wait("hand over its results");
  SumCheck result;
  for (std::uint64_t i = 0; i < n; ++i) result.wrongBlocks += back[i] == elements_[i] ? 0 : 1;
  result.expected = static_cast<double>(n);
  result.got = static_cast<double>(n - result.wrongBlocks);
  return result;
}

namespace {

constexpr std::uint64_t kCubScratchGuess = std::uint64_t{1} << 20U;  // it requests kilobytes

/// CUB's DeviceReduce::Sum.
class CubCase : public BenchCase {
 public:
  CubCase(const BenchRequest& request, const BenchInputs& inputs)
      : n_(request.n), type_(request.type), in_(inputs.in.data()), out_(elementBytes(request.type)) {
    std::size_t bytes = 0;
    lanescope::check(cubScratchBytes(type_, n_, bytes), "ask CUB for its scratch memory");
    scratch_ = DeviceBuffer(std::max<std::size_t>(bytes, 1));
    facts_.bytes = bytesMoved(nullptr, Scope::Full, n_, 1, type_);
  }

  void launch(const Stream& stream) override {
    lanescope::check(
        launchCubSum(type_, scratch_.data(), scratch_.bytes(), in_, out_.data(), n_, stream.get()),
        "run CUB");
  }

  void reset(const Stream& stream) override {
    lanescope::check(cudaMemsetAsync(out_.data(), 0xff, out_.bytes(), stream.get()), "clear its results");
  }

  SumCheck check(const Stream& stream) override {
    union {
      float asFloat;
      double asDouble;
      std::int32_t asInt;
    } value{};
    lanescope::check(cudaMemcpyAsync(&value, out_.data(), out_.bytes(), cudaMemcpyDeviceToHost, stream.get()),
                     "hand over its results");
    stream.wait("run CUB");
    const double got = type_ == ElementType::Double ? value.asDouble
                       : type_ == ElementType::Int  ? static_cast<double>(value.asInt)
                                                    : static_cast<double>(value.asFloat);
    // Blocks of CUB's own choice: an element passes through about as many additions as the longest sum of one
    // thread has; the square root of n is more than enough.
    std::uint64_t additions = 1024;
    while (additions * additions < n_) additions *= 2;
    return checkTotal(got, n_, additions, type_);
  }

 private:
  std::uint64_t n_;
  ElementType type_;
  const void* in_;
  DeviceBuffer out_;
  DeviceBuffer scratch_;
};

}  // namespace

std::uint64_t caseBytes(const Contender& contender, const BenchRequest& request, std::uint32_t sms) {
  if (contender.strategy == nullptr) return kCubScratchGuess;
  if (contender.variant != nullptr && contender.variant->work != HostWork::None)
    return request.n * sizeof(float);
  const auto launches = makeLaunches(contender, request, sms);
  return launches ? StrategyCase::bytesNeeded(*contender.strategy, *launches) : 0;
}

bool needsSecondInput(const Contender& contender) {
  return contender.strategy != nullptr && std::ranges::find(contender.strategy->parameters, Parameter::B) !=
                                              contender.strategy->parameters.end();
}

std::unique_ptr<BenchCase> makeCase(const Contender& contender, const BenchRequest& request,
                                    const BenchInputs& inputs, std::uint32_t sms) {
  if (contender.strategy == nullptr) return std::make_unique<CubCase>(request, inputs);
  if (contender.variant != nullptr && contender.variant->work != HostWork::None)
    return std::make_unique<HostCase>(contender.variant->work, request.n);
  auto launches = makeLaunches(contender, request, sms);
  if (!launches) throw std::runtime_error(launches.error().sentence());
  const auto kernel =
      contender.variant == nullptr ? nullptr : loadVariant(*contender.variant, launches->front());
  return std::make_unique<StrategyCase>(*contender.strategy, request, inputs, std::move(*launches), kernel);
}

}  // namespace lanescope
