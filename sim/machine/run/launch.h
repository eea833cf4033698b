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

#include "sim/language/text/source_text.h"
#include "sim/memory/argument.h"
#include "sim/memory/machine_model.h"

namespace lanescope {

/// Extent of a grid in blocks or of a block in threads.
struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

/// Bounds past which a run ends with an Error, never a hang.
struct Limits {
  std::uint64_t warpInstructions = std::uint64_t{1} << 32;  ///< of the whole launch: seconds to minutes
  /// Of one block, a few seconds: a loop that never ends is distinguished from a large grid by it.
  std::uint64_t blockInstructions = std::uint64_t{1} << 26;
  std::uint64_t memoryBytes = std::uint64_t{8} << 30;
  /// That a trace holds in memory: a little more than any strategy's over 65,536 elements, on any machine.
  std::uint64_t traceBytes = 45'000'000;
};

struct CompiledKernel;

/// What a variable at file scope (`__device__`, `__constant__`) holds as the launch begins, as
/// cudaMemcpyToSymbol leaves it; without one it holds its initial value. What it holds afterwards is in
/// Simulation::symbols.
struct SymbolValue {
  std::string name;
  Argument argument{};             ///< a fill of as many elements or fewer, or a scalar
  std::vector<std::byte> bytes{};  ///< where not empty, these in place of the argument, from `offset` on
  std::uint64_t offset = 0;        ///< bytes
};

/// What a program gave a launch, byte for byte.
struct GivenArguments {
  /// By number, as addresses name them (sim/memory/address.h).
  std::vector<std::vector<std::byte>> buffers;
  /// Each parameter's bytes; its pointers are addresses in the buffers.
  std::vector<std::vector<std::byte>> parameters;
  /// Where the variables at file scope are that the kernel uses: addresses too.
  std::map<std::string, std::uint64_t, std::less<>> symbols;
};

/// A GPU gives a block shared memory in so many bytes, and lets it access all of them (measured on an NVIDIA
/// H200: the first byte behind them faults).
inline constexpr std::uint64_t kSharedUnit = 128;

/// Everything that decides what a simulated launch does.
struct Launch {
  std::shared_ptr<const SourceText> source{};
  std::string kernel{};  ///< `name` or `name<128>`
  /// That kernel of that text where it is compiled already; of another text or name it is passed over.
  std::shared_ptr<const CompiledKernel> compiled{};
  Dim3 grid{};
  Dim3 block{};
  std::uint64_t dynamicSharedBytes = 0;
  /// Not 0: the memory behind a buffer goes on to the next multiple of so many bytes, as on a GPU, and that
  /// behind an array in shared memory to the end of the block's, which is a multiple of kSharedUnit. What
  /// reaches it, and a barrier that not all lanes of a warp reach, is noted (Execution::noted), and the run
  /// goes on.
  std::uint64_t paddedTo = 0;
  bool isCooperative = false;  ///< all blocks are there at once, and may wait for each other
  std::vector<Argument> arguments{};
  std::shared_ptr<const GivenArguments> given{};  ///< where there are such, in place of arguments and symbols
  std::vector<SymbolValue> symbols{};             ///< of variables that the kernel uses
  MachineModel machine = machinePresets()[0];
  Limits limits{};
  std::stop_token stop{};  ///< asks a run in progress to end with the Error "stopped"
  /// Where a run in progress says how many blocks it has begun; may be null.
  std::shared_ptr<std::atomic<std::uint64_t>> blocksBegun{};
};

}  // namespace lanescope
