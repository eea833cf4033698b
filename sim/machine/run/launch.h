#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/work_count.h"
#include "sim/memory/argument.h"
#include "sim/memory/counters.h"
#include "sim/memory/launch_spec.h"
#include "sim/memory/machine_model.h"

namespace lanescope {

/// The buffer of printf on an NVIDIA H200 with CUDA 13, unless cudaDeviceSetLimit() changes it, and the part
/// of it that a call takes. The newest calls are kept. The host reads the buffer while a kernel runs, so that
/// a GPU keeps more or less from run to run: measured there, 63,580 of 100,000 lines of some 30 characters,
/// and 20,444 to 86,879 of 204,800, whatever their lengths and values.
inline constexpr std::uint64_t kPrintfBytes = 8'650'752;
inline constexpr std::uint64_t kBytesOfPrint = 136;

/// Bounds past which a run ends with an Error instead of running on.
struct Limits {
  std::uint64_t warpInstructions = std::uint64_t{1} << 32;  ///< of the whole launch: seconds to minutes
  /// Per block, a few seconds: this distinguishes a loop that never ends from a large grid.
  std::uint64_t blockInstructions = std::uint64_t{1} << 26;
  std::uint64_t memoryBytes = std::uint64_t{8} << 30;
  /// The most bytes of a trace in memory: a little more than any strategy's over 65,536 elements, on any
  /// machine.
  std::uint64_t traceBytes = 64'000'000;
  std::uint64_t printedCalls = kPrintfBytes / kBytesOfPrint;  ///< the calls of printf whose output is kept
};

struct CompiledKernel;

/// The value of a variable at file scope (`__device__`, `__constant__`) when the launch begins, as
/// cudaMemcpyToSymbol leaves it; without one it has its initial value. Its value afterwards is in
/// Simulation::symbols.
struct SymbolValue {
  std::string name;
  Argument argument{};             ///< a fill of as many elements or fewer, or a scalar
  std::vector<std::byte> bytes{};  ///< if not empty, these replace the argument's bytes from `offset` on
  std::uint64_t offset = 0;        ///< bytes
};

/// The arguments that a program gave a launch, byte for byte.
struct RawArguments {
  /// By number, as addresses name them (sim/memory/address.h).
  std::vector<std::vector<std::byte>> buffers;
  /// Each parameter's bytes; its pointers are addresses in the buffers.
  std::vector<std::vector<std::byte>> parameters;
  /// The addresses of the variables at file scope that the kernel uses.
  std::map<std::string, std::uint64_t, std::less<>> symbols;
};

/// A GPU allocates shared memory per block in multiples of so many bytes, and lets the block access all of
/// them (measured on an NVIDIA H200: the first byte behind them faults).
inline constexpr std::uint64_t kSharedUnit = 128;

/// Everything that determines the result of a simulated launch.
struct Launch {
  std::shared_ptr<const SourceText> source{};
  std::string kernel{};  ///< `name` or `name<128>`
  /// The compiled kernel, if that text and name were compiled already; ignored if its text or name differs.
  std::shared_ptr<const CompiledKernel> compiled{};
  Dim3 grid{};
  Dim3 block{};
  std::uint64_t dynamicSharedBytes = 0;
  /// Unless 0: the memory behind a buffer extends to the next multiple of so many bytes, as on a GPU, and the
  /// memory behind an array in shared memory to the end of the block's, which is a multiple of kSharedUnit.
  /// An access that reaches it, and a barrier that not all lanes of a warp reach, is recorded
  /// (Execution::tolerated), and the run continues.
  std::uint64_t paddedTo = 0;
  bool isCooperative = false;  ///< all blocks run at once, and may wait for each other
  std::vector<Argument> arguments{};
  std::shared_ptr<const RawArguments> raw{};  ///< if set, these replace arguments and symbols
  std::vector<SymbolValue> symbols{};         ///< the variables that the kernel uses
  MachineModel machine = machinePresets()[0];
  Limits limits{};
  std::stop_token stop{};  ///< asks a run in progress to end with the Error "stopped"
  /// A run in progress stores here how many blocks it has begun; can be null.
  std::shared_ptr<std::atomic<std::uint64_t>> blocksBegun{};
  WorkCountPtr work{};  ///< counts what is done for it; may be null
};

/// The launch with the entries of `spec` in place of its own; an empty entry, and its machine, leave the
/// launch's. The Error is that of the first wrong entry.
Result<Launch> bindLaunch(const LaunchSpec& spec, Launch launch);
/// The spec that makes that launch of its text on its machine. A program's data have none.
LaunchSpec makeSpec(const Launch& launch);

/// A launch of a whole program as it begins: its kernel, its extents and, as Launch::raw, all the data that
/// its kernel can reach.
struct CapturedLaunch {
  Launch launch{.raw = std::make_shared<const RawArguments>()};
  std::uint32_t line = 0;  ///< of the launch in the program; 0 if unknown
};

/// Writes a captured launch to a file. Error: it cannot be written.
Result<bool> writeCapture(const CapturedLaunch& captured, const std::string& path);
/// Reads a file that writeCapture() wrote. Error: there is no such file, or it is not a capture.
Result<CapturedLaunch> readCapture(const std::string& path);

/// The final contents of a buffer that a kernel may write, summarized.
struct OutputSummary {
  std::size_t argument = 0;
  std::string member{};     ///< `A.elements`: for a struct argument; empty: the argument itself
  std::uint64_t count = 0;  ///< elements
  double sum = 0;           ///< of the elements, in double
  std::uint64_t fnv1a = 0;  ///< of the bytes
};

/// The output of a thread, in the order of blocks.
struct PrintedText {
  std::uint64_t block = 0;   ///< linear index in the grid
  std::uint32_t thread = 0;  ///< linear index in the block
  std::uint32_t line = 0;    ///< of the source
  std::string text;
};

/// The counters of one source line: its part of the launch's counters.
struct LineCounters {
  std::uint32_t line = 0;
  Counters counters;
};

struct Simulation {
  std::string kernel;
  Counters counters;
  std::uint64_t countedBlocks = 0;  ///< the blocks behind the counters
  std::vector<LineCounters> lines;  ///< by line, only lines that counted something; they add up to `counters`
  std::uint64_t executed = 0;       ///< bytecode instructions of all warps: the simulator's own work
  std::vector<OutputSummary> outputs;
  std::vector<PrintedText> printed;  ///< the newest
  std::uint64_t unprinted = 0;       ///< calls of printf before them, whose output is lost
  /// Every buffer argument's bytes, in argument order, then the bytes of `symbols`, then of the buffers that
  /// structs point to.
  std::vector<std::vector<std::byte>> buffers;
  std::vector<std::string> symbols;  ///< variables at file scope that the kernel names
};

/// The mode of simulate(): Plain runs the compiled instructions one by one. Both give the same results.
enum class Pace : std::uint8_t { Fast, Plain };

/// Runs a launch, counting everything; blocks are spread over `threads` host threads (0: all cores). Errors:
/// all of prepare(), and a fault of the kernel with line, thread and array.
Result<Simulation> simulate(const Launch& launch, unsigned threads = 0, Pace pace = Pace::Fast);

}  // namespace lanescope
