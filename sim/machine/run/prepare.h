#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/machine/compile/compiled_kernel.h"
#include "sim/machine/run/launch.h"
#include "sim/machine/run/warp_state.h"
#include "sim/memory/device_memory.h"

namespace lanescope {

/// The words for an address that is in no buffer of a program: "a pointer of the host", and the advice.
struct ForeignAddress {
  std::string words;
  std::string hint;
  bool isAt = false;  ///< the words begin with a preposition
};
using FindForeignAddress = std::function<std::optional<ForeignAddress>(std::uint64_t address)>;

/// A launch with its kernel compiled and its buffers filled.
struct PreparedLaunch {
  CompiledKernelPtr kernel;
  DeviceMemory memory;
  std::uint64_t sharedBytes = 0;             ///< per block, static and dynamic
  std::vector<SharedExtent> sharedObjects;   ///< by shared array; extern arrays are all the same
  std::vector<std::uint64_t> parameterBits;  ///< by parameter; for a struct by its scalars (findLeaves)
  std::vector<BufferName> bufferNames;       ///< by buffer
  std::shared_ptr<DeviceHeap> heap{};        ///< null without
  std::uint64_t heapBuffer = UINT64_MAX;     ///< that its memory is
  bool hasConstantMemory = false;            ///< some buffer is a `__constant__` variable's
  std::vector<WatchedBytes> watched{};       ///< by buffer; empty: none is
  FindForeignAddress findForeign{};          ///< null: the launch is no program's

  const Bytecode& code() const { return kernel->code; }
};

/// The registers of the kernel's parameters, in the order of `parameterBits`.
std::vector<const VariableRegister*> parameterParts(const Bytecode& code);

/// Checks the launch, compiles its kernel unless it comes compiled, fills its buffers. Errors: a text that
/// does not parse or check; a grid, block or shared memory out of the hardware's bounds; arguments that do
/// not fit.
Result<PreparedLaunch> prepare(const Launch& launch);

/// The memory that a program gives a launch in place of `Launch::arguments`.
struct GivenMemory {
  /// The program's buffers by their numbers, as addresses name them (address.h); an empty one has no memory.
  std::vector<std::span<std::byte>> buffers;
  std::vector<std::span<const std::byte>> arguments;  ///< each parameter's bytes
  /// The addresses of the variables at file scope that kernels name (Bytecode::symbols has their initial
  /// values).
  std::map<std::string, std::uint64_t, std::less<>> symbols{};
  std::shared_ptr<DeviceHeap> heap{};  ///< null if no kernel has allocated
  std::uint64_t heapBuffer = UINT64_MAX;
  std::vector<WatchedBytes> watched{};  ///< by buffer; empty: none is; the sets outlive the launch
  FindForeignAddress findForeign{};     ///< nullopt for an address in or near a buffer
};

/// prepare() for a launch whose memory a program owns: the kernel works on it in place. Errors: all of
/// prepare(), and a number of arguments or a size of one that differs from the kernel's.
Result<PreparedLaunch> prepareOver(const Launch& launch, GivenMemory memory);

/// The sentence for a fault, with line, thread and array.
Error faultError(const Launch& launch, const PreparedLaunch& prepared, Dim3 block, const Fault& fault);

/// `s[40]`: the target of the fault's access, in bounds or not; empty if it has no name.
std::string faultPlace(const PreparedLaunch& prepared, const Fault& fault);

/// A fault that ended a launch, and its block.
struct LaunchFault {
  Fault fault{};
  Dim3 block;
};

/// `thread 5`, `thread (5, 2)`: the name of a linear thread number in its block; the second, the name of a
/// block.
std::string threadText(const Launch& launch, std::uint64_t thread);
std::string blockText(const Launch& launch, Dim3 block);

/// Index of a block in the grid, and of a thread in its block, from its linear number (x fastest).
Dim3 unlinear(std::uint64_t index, Dim3 extent);
/// And back.
std::uint64_t linear(Dim3 index, Dim3 extent);

/// blockDim, gridDim and warpSize of the launch; nullopt for values that differ between threads or blocks.
std::optional<std::uint32_t> computeExtent(const Launch& launch, typed::BuiltIn builtIn);

/// A variable's register and its value when a block begins.
struct StartValue {
  std::uint16_t reg = 0;
  bool isWide = false;
  std::uint64_t bits = 0;
};

/// The start values of a frame of registers: set once before the first block, and again before each block.
struct StartValues {
  std::vector<StartValue> once;
  std::vector<StartValue> eachBlock;
};

/// Variables start at zero, so that a kernel that reads one unset does the same every time; parameters start
/// with their arguments. Set again for each block: the variables that the kernel writes, except, without
/// observers, those that it sets in every thread before it reads them.
StartValues makeStartValues(const Bytecode& code, const PreparedLaunch& prepared, bool isObserved);

/// An element by its address: `s[40]`, `tile[3][4]`, `out[7]`, or the name alone of a shared scalar. The
/// array is the one that the address was formed from; the index may be out of its bounds.
struct ElementName {
  std::string array;
  std::string place;
};
ElementName elementAt(const PreparedLaunch& prepared, std::uint64_t address);

/// The shared element that has the byte at an offset of a block's shared memory, regardless of how its
/// address was formed; nullopt between the arrays and past their end.
std::optional<ElementName> sharedElementAt(const PreparedLaunch& prepared, std::uint64_t offset);

/// The bytes of a block's shared memory that each shared array has; all extern arrays have the same.
std::vector<SharedExtent> listSharedObjects(const Bytecode& code, std::uint64_t sharedBytes);

/// A prepared kernel's code, rewritten so that runs which only count take fewer steps: values that follow
/// from the launch alone (`blockDim.x >= 512`) are computed here, an address is computed by the load or store
/// that uses it, and a comparison by the branch. Results and counters stay the same. Not for observed runs,
/// which listen to the single instructions.
Bytecode fused(const PreparedLaunch& prepared, const Launch& launch);

}  // namespace lanescope
