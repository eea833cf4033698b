#include "sim/host/runtime/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "sim/base/counted.h"
#include "sim/host/runtime/launch_records.h"
#include "sim/language/check/checker.h"
#include "sim/machine/run/launch.h"
#include "sim/memory/address.h"
#include "sim/memory/machine_model.h"

namespace lanescope::host {
namespace {

thread_local bool isInHostFunction = false;  ///< on a stream

constexpr std::uint64_t kLeastHeapBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kDefaultSharedBytes = 48 * 1024;  ///< per block, without cudaFuncSetAttribute
/// The launches of a kernel that are searched for hazards, and the number of warp accesses in the first of
/// them.
constexpr int kLookedLaunches = 4;
constexpr std::uint64_t kLookedAccesses = std::uint64_t{1} << 16;
/// The bytecode instructions counted in a kernel's launches with the same extents, a second or two; at least
/// the first blocks of each launch are counted.
constexpr std::uint64_t kCountedInstructions = std::uint64_t{1} << 24;

cudaError_t findError(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::Misaligned: return cudaErrorMisalignedAddress;
    case Fault::Kind::AssertionFailed: return cudaErrorAssert;
    case Fault::Kind::OutOfBounds:
    case Fault::Kind::ForeignLocal:
    case Fault::Kind::EndedLocal: return cudaErrorIllegalAddress;
    case Fault::Kind::MixedSpaces: return cudaErrorInvalidAddressSpace;
    case Fault::Kind::StepLimit: return cudaErrorLaunchTimeout;
    default: return cudaErrorLaunchFailure;
  }
}

/// True if the kernel's text may mean the variable: it may leave out a namespace.
bool isNamed(std::string_view variable, std::string_view inText) {
  const std::size_t scope = variable.rfind("::");
  return variable == inText || (scope != std::string_view::npos && variable.substr(scope + 2) == inText);
}

/// Everything that determines the result of a launch, except the memory.
LaunchName launchName(const Launch& launch, const std::vector<LanescopeParameter>& parameters,
                      const Configuration& configuration, const MemoryMap& memory) {
  const Dim3& grid = launch.grid;
  const Dim3& block = launch.block;
  LaunchName name{fmt::format("{} {} {} {} {} {} {} {} {} {} ", launch.kernel, grid.x, grid.y, grid.z,
                              block.x, block.y, block.z, launch.dynamicSharedBytes, launch.isCooperative,
                              configuration.unit << 32 | static_cast<std::uint32_t>(configuration.line)),
                  {}};
  const std::vector<const Type*>& types = launch.compiled->code.parameterTypes;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (p < types.size() && types[p]->isPointer() && parameters[p].bytes == sizeof(std::uint64_t))
      name.appendPointer(memory, parameters[p]);
    else
      name.append(parameters[p]);
  }
  return name;
}

}  // namespace

Device::Device(DeviceOptions options)
    : options_(std::move(options)),
      memory_(options_.memoryBytes),
      tutor_(options_.binary),
      units_(options_.sources),
      log_(std::move(options_.launches)),
      begun_(std::make_shared<std::atomic<std::uint64_t>>(0)) {}

cudaError_t Device::keep(cudaError_t error) {
  const auto held = lock();
  if (refusal() != cudaSuccess) error = refusal();
  if (error == cudaSuccess || error == cudaErrorNotReady) return error;
  unfetched_ = error;
  return last_ = error;
}

void Device::reportError(std::string_view place, std::string_view sentence) {
  records_.hasError = true;
  tutor_.explain(place, sentence);
}

cudaError_t Device::refusal() const {
  if (sticky_ != cudaSuccess) return sticky_;
  return isInHostFunction ? cudaErrorNotPermitted : cudaSuccess;
}

void Device::callHost(const std::function<void()>& function) {
  auto held = lock();
  flush();
  memory_.letHost();
  // CUDA calls it from a thread of its own, which has a last error of its own.
  const cudaError_t last = std::exchange(last_, cudaSuccess);
  const cudaError_t unfetched = std::exchange(unfetched_, cudaSuccess);
  ++hostFunctions_;
  held.unlock();  // it may wait for another thread
  isInHostFunction = true;
  function();
  isInHostFunction = false;
  held.lock();
  --hostFunctions_;
  last_ = last;
  unfetched_ = unfetched;
  guardHost();
}

cudaError_t Device::lastError(bool isCleared) {
  const auto held = lock();
  unrequested_.reset();
  unfetched_ = cudaSuccess;         // seen, also by cudaPeekAtLastError()
  const cudaError_t error = last_;  // a kernel's fault is in it once a call has returned it
  if (isCleared) last_ = cudaSuccess;
  return error;
}

Result<CompiledKernelPtr> Device::kernel(const std::string& name) {
  const auto held = lock();
  if (const auto known = kernels_.find(name); known != kernels_.end()) return known->second;
  auto compiled = units_.compile(unitName(name), options_.rounding);
  if (compiled) kernels_.emplace(name, *compiled);
  return compiled;
}

std::string Device::findPlace(const Configuration& configuration) const {
  return Tutor::findPlace(units_.at(configuration.unit).name(), configuration.line);
}

cudaError_t Device::launch(const std::string& name, const std::vector<LanescopeParameter>& parameters,
                           const Configuration& configuration) {
  const auto held = lock();
  if (refusal() != cudaSuccess) return keep(refusal());
  if (failed_ != cudaSuccess) return keep(cudaSuccess);  // it waits behind a kernel that has failed
  const auto compiled = kernel(name);
  const UnitName named = unitName(name);
  if (!compiled) {
    endProgram(fmt::format("{}: the kernel {} cannot be simulated.\n{}", findPlace(configuration), named.name,
                           compiled.error().message));
  }
  if (auto refused = findRefusal((*compiled)->code, configuration, maxSharedBytes((*compiled)->asked))) {
    reportError(tutor_.lineOf(placeOf(configuration)), *refused + ".");
    unrequested_ = fmt::format("the launch of {} failed", (*compiled)->code.kernelName);
    return keep(cudaErrorInvalidValue);
  }
  return keep(run(*compiled, named.unit, parameters, configuration));
}

RunOptions Device::optionsFor(Watched& watched) {
  RunOptions options;
  if (watched.launches >= kLookedLaunches) {
    options.hazards.reset();
    ++records_.unlooked;
  } else {
    options.hazards->accessLimit = kLookedAccesses >> (2 * watched.launches);
  }
  options.countedInstructions =
      kCountedInstructions - std::min(kCountedInstructions, watched.countedInstructions);
  ++watched.launches;
  return options;
}

Launch Device::makeLaunch(const CompiledKernelPtr& kernel, const Configuration& configuration) const {
  Launch launch;
  launch.source = kernel->source;
  launch.kernel = kernel->asked;
  launch.compiled = kernel;
  launch.grid = configuration.grid;
  launch.block = configuration.block;
  launch.dynamicSharedBytes = configuration.sharedBytes;
  launch.isCooperative = configuration.isCooperative;
  launch.paddedTo = memory_.isPadded() ? kAllocationUnit : 0;
  launch.limits.warpInstructions = UINT64_MAX;
  launch.limits.blockInstructions = UINT64_MAX;
  launch.limits.printedCalls = printed_.capacity();
  launch.blocksBegun = begun_;
  return launch;
}

std::optional<GivenMemory> Device::givenTo(const CompiledKernel& kernel, std::size_t unit,
                                           const std::vector<LanescopeParameter>& parameters) {
  GivenMemory given;
  beginTables();
  for (const typed::GlobalSymbol& symbol : kernel.code.symbols) {
    const bool isValue = symbol.isText || (symbol.isOfHost && symbol.addresses.empty());
    if (symbol.isOfFunction) {
      const std::optional<std::uint64_t> address = findStatic(symbol, kernel.code.symbols, unit);
      if (!address) return std::nullopt;
      given.symbols.emplace(symbol.name, *address);
      continue;
    }
    if (!isValue) {
      if (const Symbol* const variable = variableNamed(symbol.name, unit))
        given.symbols.emplace(symbol.name, variable->buffer << kOffsetBits);
      continue;
    }
    const std::optional<std::uint64_t> text = addText(symbol.bytes);
    if (!text) return std::nullopt;
    given.symbols.emplace(symbol.name, *text);
  }
  if (kernel.code.usesHeap && !beginHeap()) return std::nullopt;
  given.heap = heap_;
  given.heapBuffer = heapBuffer_;
  given.buffers = memory_.buffers();
  given.findForeign = [this](std::uint64_t address) { return findForeign(address); };
  for (const LanescopeParameter& parameter : parameters)
    given.arguments.emplace_back(static_cast<const std::byte*>(parameter.value), parameter.bytes);
  return given;
}

cudaError_t Device::run(const CompiledKernelPtr& kernel, std::size_t unit,
                        const std::vector<LanescopeParameter>& parameters,
                        const Configuration& configuration) {
  const Launch launch = makeLaunch(kernel, configuration);
  auto given = givenTo(*kernel, unit, parameters);
  if (!given) return cudaErrorMemoryAllocation;
  ++launches_;
  log_.begins(launches_, launch, configuration.line);
  if (launches_ == options_.captured) capture(*kernel, launch, *given, configuration.line);
  const auto begin = std::chrono::steady_clock::now();
  memory_.letHost();
  const LaunchWatch watch = makeWatch();
  given->watched = watch.bytes;
  auto prepared = prepareOver(launch, std::move(*given));
  if (!prepared) endProgram(fmt::format("{}: {}", findPlace(configuration), prepared.error().sentence()));
  const cudaError_t error = runOrRepeat(
      launch, std::move(*prepared), launchName(launch, parameters, configuration, memory_), configuration);
  noteAccesses(watch, {.what = "the kernel " + kernel->code.kernelName, .place = placeOf(configuration)},
               parameters);
  if (!watch.sets.empty()) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    watchedSeconds_ += took.count();
  }
  guardHost();
  return error;
}

cudaError_t Device::runOrRepeat(const Launch& launch, PreparedLaunch prepared, const LaunchName& name,
                                const Configuration& configuration) {
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  // The bytes that a launch reads and writes are known only if it runs.
  const bool isExact = std::ranges::any_of(
      prepared.watched, [](const WatchedBytes& watched) { return watched.stored != nullptr; });
  const auto state = isExact ? std::nullopt : repeats_.before(name, memory_);
  if (const LaunchRecord* const known = repeats_.repeat(name, state, memory_)) {
    LaunchRecord record = *known;
    record.seconds = seconds();
    log_.ends(launches_, record.seconds, nullptr);
    records_.add(record);
    ++records_.repeated;
    giveUpUnwritten();
    return cudaSuccess;
  }

  const std::uint64_t shared = prepared.sharedBytes;
  const std::vector<BufferName> names =
      prepared.watched.empty() ? std::vector<BufferName>{} : prepared.bufferNames;
  blocks_ = launch.grid.count();
  Watched& watched = watched_[fmt::format("{} {} {}:{}", launch.kernel, launch.block.count(),
                                          configuration.unit, configuration.line)];
  const auto run = runLaunch(launch, std::move(prepared), optionsFor(watched));
  const double took = seconds();
  blocks_ = 0;
  log_.ends(launches_, took, run ? &*run : nullptr);
  if (!run) return cudaErrorLaunchFailure;
  watched.countedInstructions += run->simulation.executed;
  addUnwritten(*run, names);
  noteWritten(names, launch, configuration, took);

  const LaunchRecord record{run->simulation.kernel,
                            launch.grid,
                            launch.block,
                            shared,
                            configuration.line,
                            units_.size() == 1 ? "" : units_.at(configuration.unit).name(),
                            1,
                            took,
                            launch.grid.count(),
                            run->simulation.countedBlocks,
                            run->simulation.counters};
  records_.add(record);
  const bool usesHeap = heap_ != nullptr;  // the heap's allocations are not part of its memory
  const bool isPlain = !run->fault && !run->tolerated && run->unwritten.empty();
  if (isPlain && run->simulation.printed.empty() && !usesHeap) repeats_.ran(name, state, memory_, record);
  return finish(*run);
}

/// Handles the outcome of a run for the program and its author.
cudaError_t Device::finish(const Run& run) {
  if (run.hazards) {
    const std::string file = units_.size() == 1 ? "" : run.launch.source->name();
    records_.add(run.simulation.kernel, file, *run.hazards);
  }
  printed_.add(run.simulation);
  records_.hasError = records_.hasError || run.tolerated || run.fault;
  if (run.tolerated) {
    const bool isBarrier = run.tolerated->fault.kind == Fault::Kind::DivergentBarrier;
    tutor_.explain(
        "",
        run.tolerated->error.sentence() +
            (isBarrier ? " A GPU may wait there forever; the run continues as if all threads had reached it."
                       : " The run continues, as on a GPU, since that memory is mapped."));
  }
  return run.fault ? failedBy(*run.fault) : cudaSuccess;
}

void Device::capture(const CompiledKernel& kernel, const Launch& launch, const GivenMemory& given,
                     int line) const {
  auto reached = reachedBy(kernel, given.arguments, given.buffers, given.symbols);
  if (!reached) endProgram(reached.error().sentence());
  CapturedLaunch captured{launch, static_cast<std::uint32_t>(line)};
  captured.launch.kernel = kernel.asked;
  captured.launch.raw = std::make_shared<const RawArguments>(std::move(*reached));
  const auto written = writeCapture(captured, options_.captureFile);
  if (!written) endProgram(written.error().sentence());
  endCaptured();
}

/// Allocates memory for the kernels' heap, from the first launch on that may use it; false if there is none.
bool Device::beginHeap() {
  if (heap_ != nullptr) return true;
  Buffer* const buffer = memory_.allocate(MemoryKind::Device, heapBytes_, nullptr);
  if (buffer == nullptr) return false;
  buffer->isSymbol = true;
  heap_ = std::make_shared<DeviceHeap>(heapBytes_);
  heapBuffer_ = buffer->number - 1;
  return true;
}

cudaError_t Device::setHeapBytes(std::uint64_t bytes) {
  const auto held = lock();
  if (heap_ != nullptr || bytes > options_.memoryBytes) return cudaErrorInvalidValue;
  heapBytes_ = std::max<std::uint64_t>(bytes, kLeastHeapBytes) / kAllocationUnit * kAllocationUnit;
  return cudaSuccess;
}

cudaError_t Device::failedBy(const RunFault& fault) {
  tutor_.explain("", fault.error.sentence());
  failed_ = findError(fault.fault.kind);
  unrequested_ = fmt::format("a kernel failed: {}", cudaGetErrorString(failed_));
  return cudaSuccess;  // the launch itself is valid; later calls return the error
}

/// An address that a kernel should not have used, if it is not one in or near a buffer.
std::optional<ForeignAddress> Device::findForeign(std::uint64_t address) {
  if (address < (std::uint64_t{1} << 20)) return std::nullopt;         // of a null pointer
  const void* const pointer = reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr)
  const Buffer* const buffer = memory_.find(formedFrom(address));
  if (buffer != nullptr && buffer->isFreed) {
    const std::string freed = tutor_.lineOf({buffer->freedBy});
    const std::string allocated = findPlace(*buffer);
    return ForeignAddress{fmt::format("memory that has been freed{}{}", freed.empty() ? "" : " at " + freed,
                                      allocated.empty() ? "" : ", and was allocated at " + allocated),
                          "Free it after the last kernel that uses it."};
  }
  if (const Symbol* const symbol = symbolAround(pointer)) {
    return ForeignAddress{fmt::format("through the host's address of the variable {}", symbol->name.name),
                          "Use the variable in the kernel by its name, or give it the address of "
                          "cudaGetSymbolAddress.",
                          true};
  }
  if (memory_.find(address) != nullptr || !memory_.isOfHost(pointer)) return std::nullopt;
  return ForeignAddress{"through a pointer of the host",
                        "Give the kernel a pointer of cudaMalloc or cudaMallocManaged, and copy the data "
                        "there.",
                        true};
}

const Symbol* Device::symbolAround(const void* address) const {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto found = std::ranges::find_if(symbols_, [&](const auto& each) {
    const auto begin = reinterpret_cast<std::uintptr_t>(each.first);
    return at >= begin && at < begin + each.second.bytes;
  });
  return found == symbols_.end() ? nullptr : &found->second;
}

ProgramPlace Device::placeOf(const Configuration& configuration) const {
  if (configuration.line == 0) return {.code = tutor_.caller()};
  return {.line = findPlace(configuration)};
}

void Device::reset() {
  const auto held = lock();
  synchronize();
  printed_ = {};
  memory_.releaseAll();
  heap_.reset();
  heapBuffer_ = UINT64_MAX;
  failed_ = sticky_ = cudaSuccess;
  last_ = cudaSuccess;
}

void Device::addSymbol(const void* shadow, std::string_view name, std::size_t bytes) {
  Buffer* const buffer = memory_.allocate(MemoryKind::Device, bytes, nullptr);
  if (buffer == nullptr) return;
  buffer->isSymbol = true;
  std::memcpy(buffer->bytes.data(), shadow, bytes);
  symbols_[shadow] = {unitName(name), buffer->number, bytes};
}

std::optional<std::uint64_t> Device::addText(const std::vector<std::byte>& bytes) {
  const auto known = texts_.find(bytes);
  if (known != texts_.end()) return known->second;
  Buffer* const buffer = memory_.allocate(MemoryKind::Device, bytes.size(), nullptr);
  if (buffer == nullptr) return std::nullopt;
  buffer->isSymbol = true;
  std::ranges::copy(bytes, buffer->bytes.begin());
  return texts_[bytes] = buffer->number << kOffsetBits;
}

/// The address of a variable with `static` in a function, one of those that a kernel uses. Its memory is made
/// by the first launch that needs it; nullopt if there is none.
std::optional<std::uint64_t> Device::findStatic(const typed::GlobalSymbol& variable,
                                                const std::vector<typed::GlobalSymbol>& used,
                                                std::size_t unit) {
  const auto [known, isNew] = statics_.try_emplace({unit, variable.name});
  if (!isNew) return known->second;
  Buffer* const buffer = memory_.allocate(MemoryKind::Device, variable.type->size, nullptr);
  if (buffer == nullptr) {
    statics_.erase(known);
    return std::nullopt;
  }
  buffer->isSymbol = true;
  std::ranges::copy(variable.bytes, buffer->bytes.begin());
  known->second = buffer->number << kOffsetBits;
  for (const typed::SymbolAddress& address : variable.addresses) {
    const typed::GlobalSymbol& target = used[address.symbol];
    const std::uint64_t base =
        target.isOfFunction ? findStatic(target, used, unit).value_or(0) : makeAddress(target, unit);
    const std::uint64_t bits = base + static_cast<std::uint64_t>(address.offset);
    std::memcpy(buffer->bytes.data() + address.at, &bits, sizeof bits);
  }
  return known->second;
}

void Device::addManaged(std::string_view name, std::uint64_t buffer, std::size_t bytes) {
  Buffer* const memory = memory_.find(buffer << kOffsetBits);
  memory->isSymbol = true;
  symbols_[memory->bytes.data()] = {unitName(name), buffer, bytes};
}

void Device::beginTables() {
  if (hasTables_ || symbols_.empty()) return;
  hasTables_ = true;
  for (std::size_t unit = 0; unit < units_.size(); ++unit) beginTables(unit);
}

void Device::beginTables(std::size_t unit) {
  const std::vector<typed::GlobalSymbol> tables = units_.tables(unit);
  for (const typed::GlobalSymbol& table : tables) {
    Buffer* const buffer = findMemory(table, unit);
    if (buffer == nullptr) continue;
    std::ranges::copy(table.bytes, buffer->bytes.begin());
    for (const typed::SymbolAddress& address : table.addresses) {
      const std::uint64_t bits =
          makeAddress(tables[address.symbol], unit) + static_cast<std::uint64_t>(address.offset);
      std::memcpy(buffer->bytes.data() + address.at, &bits, sizeof bits);
    }
  }
}

/// The variable at file scope with that name in a kernel's text: the file's own goes before those of others,
/// and one without a namespace before one with; null if there is none.
const Symbol* Device::variableNamed(std::string_view name, std::size_t unit) const {
  const Symbol* best = nullptr;
  int bestRank = -1;
  for (const auto& [shadow, symbol] : symbols_) {
    if (!isNamed(symbol.name.name, name)) continue;
    const int rank = (symbol.name.unit == unit ? 2 : 0) + (symbol.name.name == name ? 1 : 0);
    if (rank > bestRank) best = &symbol;
    bestRank = std::max(bestRank, rank);
  }
  return best;
}

/// Its memory, if its size is that in the text; else null.
Buffer* Device::findMemory(const typed::GlobalSymbol& variable, std::size_t unit) {
  const Symbol* const symbol = variableNamed(variable.name, unit);
  Buffer* const buffer = symbol == nullptr ? nullptr : memory_.find(symbol->buffer << kOffsetBits);
  // A table of addresses has initial bytes, and its type is gone with the check that found it.
  const std::size_t bytes = variable.bytes.empty() ? variable.type->size : variable.bytes.size();
  return buffer != nullptr && buffer->bytes.size() == bytes ? buffer : nullptr;
}

/// The address of a variable at file scope or a text in the device's memory; 0 if it has none.
std::uint64_t Device::makeAddress(const typed::GlobalSymbol& variable, std::size_t unit) {
  if (variable.isText) return addText(variable.bytes).value_or(0);
  const Buffer* const buffer = findMemory(variable, unit);
  return buffer == nullptr ? 0 : buffer->number << kOffsetBits;
}

const Symbol* Device::symbol(const void* shadow) {
  beginTables();
  const auto found = symbols_.find(shadow);
  return found == symbols_.end() ? nullptr : &found->second;
}

cudaError_t Device::setMaxSharedBytes(const std::string& name, int bytes) {
  const auto held = lock();
  const auto compiled = kernel(name);
  const std::uint64_t fixed = compiled ? (*compiled)->code.staticSharedBytes : 0;
  if (bytes < 0 || static_cast<std::uint64_t>(bytes) + fixed > kMaxSharedBytes) return cudaErrorInvalidValue;
  maxShared_[name] = static_cast<std::uint64_t>(bytes) + fixed;
  return cudaSuccess;
}

std::uint64_t Device::maxSharedBytes(const std::string& kernel) {
  const auto held = lock();
  const auto found = maxShared_.find(kernel);
  return found == maxShared_.end() ? kDefaultSharedBytes : std::max(found->second, kDefaultSharedBytes);
}

std::string Device::findPlace(const Buffer& buffer) const {
  return buffer.caller == nullptr ? "" : tutor_.placeOfCode(buffer.caller);
}

std::optional<std::string> Device::accessText(std::uint64_t address) {
  const Buffer* const buffer = memory_.find(address);
  if (buffer == nullptr) return std::nullopt;
  const std::string place = findPlace(*buffer);
  const std::string what =
      fmt::format("byte {} of the buffer of {} bytes{}", withCommas(address - buffer->address()),
                  withCommas(buffer->bytes.size()), place.empty() ? "" : " that " + place + " allocates");
  if (buffer->isFreed) return fmt::format("the host uses {}, which has been freed.", what);
  if (address - buffer->address() >= buffer->bytes.size())
    return fmt::format("the host uses {}, which is past its end. Guard the access, or allocate more.", what);
  return fmt::format(
      "the host uses {}, which is memory of the device: only kernels reach it. Copy it with cudaMemcpy "
      "first.",
      what);
}

bool Device::hasErrors() {
  if (records_.haveErrors()) return true;
  if (unfetched_ == cudaSuccess) return false;
  tutor_.explain("", fmt::format("a call of the runtime failed ({}), and the program never fetched its error "
                                 "with cudaGetLastError().",
                                 cudaGetErrorString(unfetched_)));
  return true;
}

void Device::sayWhatIsLeft() {
  if (printed_.calls() > 0) {
    tutor_.explain(
        "", fmt::format("the output of the kernels (printed {} times) never appears: the program ends before "
                        "cudaDeviceSynchronize().",
                        withCommas(printed_.calls())));
  }
  if (unrequested_)
    tutor_.explain(
        "", *unrequested_ + ", and the program never checked: call cudaGetLastError() after a launch.");
  if (heap_ != nullptr && heap_->blocks() > 0) {
    tutor_.explain("", fmt::format("{} of {} bytes in all that kernels allocated {} never freed.",
                                   counted(heap_->blocks(), "block"), withCommas(heap_->allocatedBytes()),
                                   heap_->blocks() == 1 ? "was" : "were"));
  }
  if (log_.isIncomplete())
    tutor_.explain("", "the file of --launches lacks lines: it could not be written. Is the disk full?");
  std::size_t count = 0;
  std::uint64_t bytes = 0;
  std::string places;
  for (const auto* const buffers : {&std::as_const(memory_).all(), &memory_.parts()}) {
    for (const auto& [number, buffer] : *buffers) {
      if (buffer.isFreed || buffer.isSymbol || buffer.kind == MemoryKind::Registered) continue;
      ++count;
      bytes += buffer.bytes.size();
      const std::string place = count <= 8 ? findPlace(buffer) : "";
      if (places.find(place) == std::string::npos) places += (places.empty() ? "" : ", ") + place;
    }
  }
  if (count == 0) return;
  tutor_.explain(
      "", fmt::format("{} of {} bytes in all {} never freed{}.",
                      count == 1 ? "1 buffer" : fmt::format("{} buffers", count), withCommas(bytes),
                      count == 1 ? "was" : "were", places.empty() ? "" : " (allocated at " + places + ")"));
}

std::pair<std::uint64_t, std::uint64_t> Device::progress() const {
  return {begun_->load(std::memory_order_relaxed), blocks_.load(std::memory_order_relaxed)};
}

void Device::sayTimesAreSimulated() {
  const auto held = lock();
  if (saidTimes_) return;
  saidTimes_ = true;
  tutor_.explain("", "times between events are the simulator's, not a GPU's.");
}

}  // namespace lanescope::host
