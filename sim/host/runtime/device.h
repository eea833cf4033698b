#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/host/include/lanescope_api.h"
#include "sim/host/runtime/launch_records.h"
#include "sim/host/runtime/memory_map.h"
#include "sim/host/runtime/print_buffer.h"
#include "sim/host/runtime/source_units.h"
#include "sim/host/runtime/stream_order.h"
#include "sim/machine/compile/bytecode.h"
#include "sim/memory/device_memory.h"
#include "sim/memory/machine_model.h"
#include "sim/trace/run.h"

// Streams, events and graphs behind CUDA's opaque handles. Work is done at once, in the order of the calls,
// so that a stream keeps none; a stream that is being captured hands its work to a graph.

struct LanescopeGraphNode {
  enum class Kind { Kernel, Memcpy, Memset, Host, Graph, Empty } kind = Kind::Empty;
  std::function<cudaError_t()> work;
  bool isRoot = false;  ///< it has no predecessors
};

struct LanescopeGraph {
  std::vector<LanescopeGraphNode*> nodes;  ///< in the order of their creation, which their edges agree with
  std::vector<cudaStream_t> streams;       ///< the streams captured into it
};

struct LanescopeGraphExec {
  std::vector<LanescopeGraphNode> nodes;
  std::vector<const LanescopeGraphNode*>
      originals;  ///< the graph's nodes, by which this instance's are changed
};

struct LanescopeStream {
  unsigned int flags = 0;
  int priority = 0;
  LanescopeGraph* captured = nullptr;  ///< that takes its work
  std::size_t number = 0;              ///< in the device's StreamOrder; 0: none yet
};

struct LanescopeEvent {
  std::chrono::steady_clock::time_point time;
  bool isRecorded = false;
  bool isTiming = true;
  LanescopeGraph* captured = nullptr;           ///< the graph whose work comes before the event
  lanescope::host::StreamOrder::Clock clock{};  ///< of its record
};

namespace lanescope::host {

using NodeKind = LanescopeGraphNode::Kind;

/// The stream behind a handle, including cudaStreamPerThread; nullptr: the default one.
LanescopeStream* findStream(cudaStream_t stream);
/// The graph that a stream is captured into; nullptr: it is not.
LanescopeGraph* findGraph(cudaStream_t stream);
/// A new node of a graph.
cudaGraphNode_t addNode(LanescopeGraph& graph, NodeKind kind, std::function<cudaError_t()> work);

/// While it lives, what the runtime does is work of that stream; inside of another, of that one's.
class InStream {
 public:
  explicit InStream(cudaStream_t stream);
  ~InStream();
  InStream(const InStream&) = delete;
  InStream& operator=(const InStream&) = delete;

 private:
  bool isOuter_;  ///< no other is around it in this thread
};

/// Does the work, or adds it to the graph that the stream is captured into.
template <class Work>
cudaError_t submit(cudaStream_t stream, NodeKind kind, Work work) {
  LanescopeGraph* const graph = findGraph(stream);
  if (graph == nullptr) {
    const InStream in(stream);
    return work();
  }
  addNode(*graph, kind, std::move(work));
  return cudaSuccess;
}

/// A launch of a kernel by its function, with the current values of the arguments.
struct LaunchExtents {
  dim3 grid;
  dim3 block;
  std::size_t sharedBytes = 0;
};
std::function<cudaError_t()> keptLaunch(const void* function, const LaunchExtents& extents, void** arguments);
/// Sets elements of 1, 2 or 4 bytes, row by row.
cudaError_t fillElements(const cudaMemsetParams& parameters);

/// The options of the device that a program runs on.
struct DeviceOptions {
  std::vector<std::shared_ptr<const SourceText>> sources;  ///< with the kernels
  std::string binary;                                      ///< the compiled program
  std::uint64_t memoryBytes = 0;                           ///< that can be allocated
  std::uint64_t totalBytes = 0;                            ///< that the device reports
  std::ofstream launches{};                                ///< gets the lines of LaunchLog, if it is open
  std::uint64_t captured = 0;                              ///< as in ProgramOptions
  std::string captureFile{};                               ///< as in ProgramOptions
  ProductRounding rounding = ProductRounding::Fused;
};

/// A launch's configuration, as `<<<…>>>` or cudaLaunchKernel give it.
struct Configuration {
  int line = 0;
  std::size_t unit = 0;  ///< the file that `line` is in
  Dim3 grid;
  Dim3 block;
  std::uint64_t sharedBytes = 0;
  bool isCooperative = false;
};

/// A variable of the device that the host accesses through a shadow.
struct Symbol {
  UnitName name;
  std::uint64_t buffer = 0;  ///< number
  std::size_t bytes = 0;
};

/// The sets of one launch's accesses, by buffer.
struct LaunchWatch {
  std::vector<WatchedBytes> bytes;
  std::vector<std::unique_ptr<ByteSet>> sets;  ///< behind `stored` and `loaded`
  bool isExact = false;                        ///< these are all that need be known
};

/// The simulated device of a program: its memory, its errors as CUDA keeps them, its launches. Launches and
/// copies are done at once, in the order of the calls, on any stream.
class Device {
 public:
  explicit Device(DeviceOptions options);

  MemoryMap& memory() { return memory_; }
  Tutor& tutor() { return tutor_; }
  std::uint64_t totalBytes() const { return options_.totalBytes; }
  /// Host threads call the runtime one at a time.
  using Lock = std::unique_lock<std::recursive_timed_mutex>;
  Lock lock() { return Lock(mutex_); }
  /// Without it, if it takes longer: then a launch is running, or a thread has ended within a call.
  Lock tryLock(std::chrono::milliseconds time) { return Lock(mutex_, time); }

  /// Keeps the error of a call, as cudaGetLastError() gives it; returns the call's result: a sticky error
  /// goes before.
  cudaError_t keep(cudaError_t error);
  cudaError_t lastError(bool isCleared);
  cudaError_t sticky() const { return sticky_; }
  /// The error with which every call is refused now: a sticky error, or in a stream's host function
  /// cudaErrorNotPermitted, as measured on an H100.
  cudaError_t refusal() const;
  /// Runs a host function of a stream, such as a callback, in its turn: it may use what the stream's work
  /// before it has made.
  void callHost(const std::function<void()>& function);

  /// Launches a kernel by its instance's name, `reduce<float, 256>`, as in UnitName.
  cudaError_t launch(const std::string& kernel, const std::vector<LanescopeParameter>& parameters,
                     const Configuration& configuration);
  /// `file.cu:23` of a launch.
  std::string findPlace(const Configuration& configuration) const;
  /// The kernel, compiled once. Error: the text cannot be simulated.
  Result<CompiledKernelPtr> kernel(const std::string& name);
  /// Everything launched so far is done: its output appears, and memory that both reach is the host's again.
  void synchronize();
  /// The output of the kernels so far appears, and their error is known.
  void flush();
  /// The same as synchronize() for the work before a clock: the rest may still be in flight.
  void synchronize(const StreamOrder::Clock& clock);
  /// The same for a stream's work so far, and for that of the stream in which this thread works (InStream).
  void synchronizeStream(cudaStream_t stream);
  void synchronizeCurrentStream();
  /// The number of a stream in the order of streams.
  std::size_t numberOf(cudaStream_t stream);
  void endStream(const LanescopeStream& stream);
  /// What the next work in a stream comes after.
  StreamOrder::Clock clockOf(cudaStream_t stream);
  void waitInStream(cudaStream_t stream, const StreamOrder::Clock& event);
  /// Adds work to the stream in which this thread works, and reports a conflict.
  void add(StreamWork work);
  /// The memory is freed.
  void forget(Interval bytes);
  /// Forbids the host the memory that work in flight may still use.
  void guardHost();
  /// For a fault of the host: false if that memory is not guarded; else allows it, and reports the access if
  /// it came too early.
  bool letEarlyUse(const void* address, bool isWrite, const std::function<std::string()>& findPlace);
  /// The same before the system accesses memory for a call of the program.
  void letEarlyCall(const void* memory, std::size_t bytes, bool isWrite);
  void reset();

  /// A variable's name is as in UnitName.
  void addSymbol(const void* shadow, std::string_view name, std::size_t bytes);
  void addManaged(std::string_view name, std::uint64_t buffer, std::size_t bytes);
  /// The address of a string literal of the kernels', the same for equal literals; nullopt if no memory is
  /// available.
  std::optional<std::uint64_t> addText(const std::vector<std::byte>& bytes);
  const Symbol* symbol(const void* shadow);
  /// The variable whose name on the host is at that address; null if there is none.
  const Symbol* symbolAround(const void* address) const;

  /// Sets cudaLimitMallocHeapSize; an error once a kernel may have allocated.
  cudaError_t setHeapBytes(std::uint64_t bytes);
  std::uint64_t heapBytes() const { return heapBytes_; }
  PrintBuffer& printed() { return printed_; }
  cudaError_t setMaxSharedBytes(const std::string& kernel, int bytes);
  std::uint64_t maxSharedBytes(const std::string& kernel);

  /// A sentence about an address of the device that the host accessed; nullopt if it is not one.
  std::optional<std::string> accessText(std::uint64_t address);

  /// At the program's end: reports output that was never shown, memory that was not freed, errors never
  /// queried.
  void sayWhatIsLeft();
  LaunchRecords& records() { return records_; }
  /// For --error-exitcode, at the program's end: true after an error of records(), or after a failed call
  /// whose error the program did not fetch, which is then explained.
  bool hasErrors();
  /// Explains a mistake of the program, which counts for --error-exitcode.
  void reportError(std::string_view place, std::string_view sentence);
  /// For the current launch: blocks begun and blocks in all; 0 of 0: none is running.
  std::pair<std::uint64_t, std::uint64_t> progress() const;
  /// Prints this remark once, when a program measures a time.
  void sayTimesAreSimulated();

 private:
  /// Launches of one kernel at one line, with blocks of one size: how much was already checked.
  struct Watched {
    int launches = 0;  ///< launches searched for hazards
    std::uint64_t countedInstructions = 0;
  };

  RunOptions optionsFor(Watched& watched);
  cudaError_t run(const CompiledKernelPtr& kernel, std::size_t unit,
                  const std::vector<LanescopeParameter>& parameters, const Configuration& configuration);
  Launch makeLaunch(const CompiledKernelPtr& kernel, const Configuration& configuration) const;
  /// nullopt: no memory is available.
  std::optional<GivenMemory> givenTo(const CompiledKernel& kernel, std::size_t unit,
                                     const std::vector<LanescopeParameter>& parameters);
  /// Runs a launch, unless it only repeats one (Repeats); `key` holds all that determines its result.
  cudaError_t runOrRepeat(const Launch& launch, PreparedLaunch prepared, const LaunchName& name,
                          const Configuration& configuration);
  cudaError_t finish(const Run& run);
  cudaError_t failedBy(const RunFault& fault);
  [[noreturn]] void capture(const CompiledKernel& kernel, const Launch& launch, const GivenMemory& given,
                            int line) const;
  std::optional<ForeignAddress> findForeign(std::uint64_t address);
  LaunchWatch makeWatch();
  void noteAccesses(const LaunchWatch& watch, const StreamWork& work,
                    const std::vector<LanescopeParameter>& parameters);
  void noteWritten(const std::vector<BufferName>& names, const Launch& launch,
                   const Configuration& configuration, double seconds);
  /// A launch that does not run may write to any buffer.
  void giveUpUnwritten();
  void addUnwritten(const Run& run, const std::vector<BufferName>& names);
  /// Gives the variables that begin with pointers to functions their values; the host has different ones.
  void beginTables();
  bool beginHeap();
  const Symbol* variableNamed(std::string_view name, std::size_t unit) const;
  Buffer* findMemory(const typed::GlobalSymbol& variable, std::size_t unit);
  std::uint64_t makeAddress(const typed::GlobalSymbol& variable, std::size_t unit);
  void beginTables(std::size_t unit);
  std::optional<std::uint64_t> findStatic(const typed::GlobalSymbol& variable,
                                          const std::vector<typed::GlobalSymbol>& used, std::size_t unit);
  std::string findPlace(const Buffer& buffer) const;
  ProgramPlace placeOf(const Configuration& configuration) const;

  DeviceOptions options_;
  std::recursive_timed_mutex mutex_;
  MemoryMap memory_;
  Tutor tutor_;
  SourceUnits units_;
  std::unordered_map<std::string, CompiledKernelPtr> kernels_;
  std::unordered_map<std::string, Watched> watched_;
  std::unordered_map<std::string, std::uint64_t> maxShared_;
  std::unordered_map<const void*, Symbol> symbols_;
  std::map<std::vector<std::byte>, std::uint64_t> texts_;  ///< addresses of string literals
  /// Addresses of variables with `static` in functions, by source file and name.
  std::map<std::pair<std::size_t, std::string>, std::uint64_t> statics_;
  PrintBuffer printed_;
  LaunchRecords records_;
  Repeats repeats_;
  StreamOrder order_;
  int hostFunctions_ = 0;      ///< of streams, that run now: the host may use all memory
  double watchedSeconds_ = 0;  ///< of launches that were watched for all that they touch
  LaunchLog log_;
  std::uint64_t launches_ = 0;  ///< begun
  cudaError_t last_ = cudaSuccess;
  cudaError_t unfetched_ = cudaSuccess;  ///< the last failed call's, if cudaGetLastError() did not follow
  cudaError_t failed_ = cudaSuccess;     ///< of a kernel: reported once the host waits for it
  cudaError_t sticky_ = cudaSuccess;
  std::optional<std::string> unrequested_;  ///< the launch whose error was never queried
  bool saidTimes_ = false;
  std::uint64_t heapBytes_ = std::uint64_t{8} << 20;  ///< cudaLimitMallocHeapSize
  std::shared_ptr<DeviceHeap> heap_{};                ///< null until a kernel may allocate
  std::uint64_t heapBuffer_ = UINT64_MAX;
  bool hasTables_ = false;  ///< beginTables() was called
  std::shared_ptr<std::atomic<std::uint64_t>> begun_;
  std::atomic<std::uint64_t> blocks_{0};
};

/// The device of this process: CUDA's interface has plain functions, which have no other way to it. It exists
/// from startDevice() on.
Device& device();
void startDevice(DeviceOptions options);
/// Null before.
Device* startedDevice();

/// Ends the program at once with a sentence: a kernel that cannot be simulated, or device code called on the
/// host.
[[noreturn]] void endProgram(const std::string& sentence);

/// Ends the program at once, without a message: the requested launch is captured.
[[noreturn]] void endCaptured();

/// Exit statuses of a program that Lanescope ended.
inline constexpr int kWrongUse = 2;
inline constexpr int kTimedOut = 124;
inline constexpr int kCannotRun = 125;

/// Limits of an SM of the simulated device, by which occupancy is computed.
const SmLimits& deviceSmLimits();

/// The properties that the simulated device reports: those of an NVIDIA H200, which the machine `nvidia` was
/// measured on. `memoryBytes`: its memory.
cudaDeviceProp deviceProperties(std::uint64_t memoryBytes);
/// A property by number; 0 if the device does not have it.
int findAttribute(const cudaDeviceProp& properties, cudaDeviceAttr attribute);

/// Memory of an NVIDIA H200, in bytes.
inline constexpr std::uint64_t kDeviceMemoryBytes = 150'109'880'320;

/// The reason CUDA 13 refuses a launch with cudaErrorInvalidValue, as a sentence without its full stop: the
/// extents, the kernel's `__launch_bounds__` (as measured on an H200), more than `mostSharedBytes` of shared
/// memory; nullopt if it does not refuse. Earlier releases had cudaErrorInvalidConfiguration for the extents.
std::optional<std::string> findRefusal(const Bytecode& kernel, const Configuration& configuration,
                                       std::uint64_t mostSharedBytes);

}  // namespace lanescope::host
