#include "sim/machine/run/prepare.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/language/check/constant_evaluation.h"
#include "sim/machine/compile/operations.h"
#include "sim/machine/run/bind_arguments.h"
#include "sim/memory/address.h"
#include "sim/memory/machine_model.h"

namespace lanescope {
namespace {

std::string text(Dim3 extent) { return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z); }

Result<bool> checkExtents(const Launch& launch) {
  const Dim3& block = launch.block;
  const Dim3& grid = launch.grid;
  if (block.count() == 0 || block.x > kMaxBlockThreads || block.y > kMaxBlockThreads ||
      block.z > kMaxBlockZ || block.count() > kMaxBlockThreads) {
    return Error{fmt::format("A block of {} threads cannot be launched.", text(block)), kBlockLimitsText};
  }
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > kMaxGridX || grid.y > kMaxGridYZ ||
      grid.z > kMaxGridYZ) {
    return Error{fmt::format("A grid of {} blocks cannot be launched.", text(grid)),
                 "A grid has at least 1 block, and at most 2,147,483,647 x 65,535 x 65,535."};
  }
  return true;
}

/// `__launch_bounds__` is a promise: the compiler assigns registers for no more threads than that.
Result<bool> checkLaunchBound(const Launch& launch, const Bytecode& code) {
  if (launch.block.count() <= code.mostBlockThreads) return true;
  return Error{
      fmt::format("A block of {} threads cannot be launched: {} is compiled for at most {}.",
                  withCommas(launch.block.count()), code.kernelName, withCommas(code.mostBlockThreads)),
      "Use a smaller block, or a larger number in its __launch_bounds__."};
}

/// Blocks that wait for each other must all be resident at once, with their registers, here as on a GPU.
Result<bool> checkCooperation(const Launch& launch, const Bytecode& code) {
  constexpr std::uint64_t kMostBlocks = 4096;
  if (!code.meetsGrid) return true;
  if (!launch.isCooperative) {
    return Error{"The kernel waits for the whole grid, which only a cooperative launch can.",
                 "Launch it with cudaLaunchCooperativeKernel; on the command line add --cooperative."};
  }
  if (launch.grid.count() > kMostBlocks) {
    return Error{
        fmt::format("A cooperative launch of {} blocks is too large: they must all be there at once.",
                    withCommas(launch.grid.count())),
        fmt::format("Use at most {} blocks, and let each do more.", withCommas(kMostBlocks))};
  }
  return true;
}

bool matchesName(const CompiledKernel& kernel, const Launch& launch) {
  const bool isOfText = kernel.source == launch.source || (kernel.source->name() == launch.source->name() &&
                                                           kernel.source->text() == launch.source->text());
  return isOfText && kernel.asked == launch.kernel;
}

Result<CompiledKernelPtr> compiledFor(const Launch& launch) {
  if (launch.compiled != nullptr && matchesName(*launch.compiled, launch)) return launch.compiled;
  return compileKernel(ParsedText(launch.source, launch.work), launch.kernel);
}

}  // namespace

std::optional<std::uint32_t> computeExtent(const Launch& launch, typed::BuiltIn builtIn) {
  switch (builtIn) {
    case typed::BuiltIn::BlockDimX: return launch.block.x;
    case typed::BuiltIn::BlockDimY: return launch.block.y;
    case typed::BuiltIn::BlockDimZ: return launch.block.z;
    case typed::BuiltIn::GridDimX: return launch.grid.x;
    case typed::BuiltIn::GridDimY: return launch.grid.y;
    case typed::BuiltIn::GridDimZ: return launch.grid.z;
    case typed::BuiltIn::WarpSize: return launch.machine.warpSize;
    default: return std::nullopt;
  }
}

std::uint64_t linear(Dim3 index, Dim3 extent) {
  return (std::uint64_t{index.z} * extent.y + index.y) * extent.x + index.x;
}

Dim3 unlinear(std::uint64_t index, Dim3 extent) {
  return {static_cast<std::uint32_t>(index % extent.x),
          static_cast<std::uint32_t>(index / extent.x % extent.y),
          static_cast<std::uint32_t>(index / (std::uint64_t{extent.x} * extent.y))};
}

namespace {

/// The kernel and its shared memory: the parts that do not depend on the arguments.
Result<PreparedLaunch> prepareKernel(const Launch& launch) {
  if (const auto extents = checkExtents(launch); !extents) return extents.error();
  auto compiled = compiledFor(launch);
  if (!compiled) return compiled.error();

  PreparedLaunch prepared;
  prepared.kernel = std::move(*compiled);
  const Bytecode& code = prepared.code();
  if (const auto fits = checkLaunchBound(launch, code); !fits) return fits.error();
  prepared.sharedBytes = code.staticSharedBytes;
  if (launch.dynamicSharedBytes > 0) {
    prepared.sharedBytes = dynamicSharedOffset(code.staticSharedBytes) +
                           std::min(launch.dynamicSharedBytes, kMaxSharedBytes + 1);
  }
  if (prepared.sharedBytes > kMaxSharedBytes) {
    return Error{fmt::format("A block needs {} bytes of shared memory, more than the {} there are.",
                             withCommas(launch.dynamicSharedBytes + code.staticSharedBytes),
                             withCommas(kMaxSharedBytes)),
                 "Use smaller arrays or smaller blocks."};
  }
  if (const auto fits = checkCooperation(launch, code); !fits) return fits.error();
  prepared.sharedObjects = listSharedObjects(code, prepared.sharedBytes);
  return prepared;
}

/// A scalar's or pointer's bytes as its registers hold them.
std::uint64_t computeBits(std::span<const std::byte> bytes, const Type& type) {
  std::uint64_t raw = 0;
  std::memcpy(&raw, bytes.data(), std::min(bytes.size(), sizeof raw));
  return type.isInteger() ? constantBits(type, static_cast<std::int64_t>(raw)) : raw;
}

}  // namespace

std::vector<const VariableRegister*> parameterParts(const Bytecode& code) {
  std::vector<const VariableRegister*> parts;
  for (std::size_t p = 0; p < code.parameters.size(); ++p) {
    const std::size_t leaves = findLeaves(*code.parameterTypes[p]).size();
    for (std::size_t l = 0; l < leaves; ++l) parts.push_back(&code.variables[code.parameters[p] + l]);
  }
  return parts;
}

namespace {

/// Binds parameters whose bytes are given, and names the buffers that they point into. Error: the number of
/// parameters or the size of one differs from the kernel's; a variable at file scope without memory.
class RawBinder {
 public:
  RawBinder(PreparedLaunch& prepared, std::size_t buffers) : prepared_(prepared) {
    prepared_.bufferNames.assign(buffers, {});
  }

  Result<bool> bind(std::span<const std::span<const std::byte>> parameters,
                    const std::map<std::string, std::uint64_t, std::less<>>& symbols) {
    const Bytecode& code = prepared_.code();
    const std::size_t wanted = code.parameters.size() - code.symbols.size();
    if (parameters.size() != wanted) {
      return Error{takesText(code.kernelName, wanted, wanted, "argument", parameters.size()) + ".",
                   "Declare the kernel as it is defined."};
    }
    for (std::size_t p = 0; p < wanted; ++p) {
      if (auto done = bindParameter(p, parameters[p]); !done) return done;
    }
    for (std::size_t s = 0; s < code.symbols.size(); ++s) {
      const auto address = symbols.find(code.symbols[s].name);
      if (address == symbols.end()) {
        return Error{fmt::format("The variable '{}' at file scope has no memory in the program.",
                                 code.symbols[s].name),
                     "Pass it as an argument."};
      }
      prepared_.parameterBits.push_back(address->second);
      name(address->second, code.symbols[s].name, *code.parameterTypes[wanted + s]);
      const std::size_t buffer = bufferIndex(address->second);
      if (code.symbols[s].isConstant && buffer < prepared_.bufferNames.size())
        prepared_.bufferNames[buffer].isConstantMemory = true;
    }
    return true;
  }

 private:
  Result<bool> bindParameter(std::size_t parameter, std::span<const std::byte> bytes) {
    const Bytecode& code = prepared_.code();
    const Type& type = *code.parameterTypes[parameter];
    const std::string own = parameterName(code, parameter);
    if (bytes.size() != type.size) {
      return Error{fmt::format("The parameter '{}' has {} bytes in the kernel, and {} on the host.", own,
                               type.size, bytes.size()),
                   "Its type must be the same for both."};
    }
    for (const Leaf& leaf : findLeaves(type)) {
      const std::uint64_t bits = computeBits(bytes.subspan(leaf.offset, leaf.type->size), *leaf.type);
      prepared_.parameterBits.push_back(bits);
      if (leaf.type->isPointer()) name(bits, own + leaf.suffix, *leaf.type);
    }
    return true;
  }

  void name(std::uint64_t address, const std::string& as, const Type& pointer) {
    const std::size_t buffer = bufferIndex(address);
    if (buffer < prepared_.bufferNames.size() && prepared_.bufferNames[buffer].element == nullptr)
      prepared_.bufferNames[buffer] = {as, pointer.element};
  }

  PreparedLaunch& prepared_;
};

/// The launch works on copies of the memory that a program gave.
Result<bool> bindGiven(const Launch& launch, PreparedLaunch& prepared) {
  const RawArguments& raw = *launch.raw;
  const std::vector<std::span<const std::byte>> parameters(raw.parameters.begin(), raw.parameters.end());
  auto done = RawBinder(prepared, raw.buffers.size()).bind(parameters, raw.symbols);
  if (!done) return done;
  for (const std::vector<std::byte>& buffer : raw.buffers)
    prepared.memory.append(buffer, DeviceMemory::kNoArgument);
  return true;
}

/// For a launch by itself: a program's heap is as large as CUDA's.
constexpr std::uint64_t kHeapBytes = std::uint64_t{1} << 20;

void noteConstantMemory(PreparedLaunch& prepared) {
  prepared.hasConstantMemory = std::ranges::any_of(prepared.bufferNames, &BufferName::isConstantMemory);
}

void addHeap(PreparedLaunch& prepared) {
  if (!prepared.code().usesHeap) return;
  prepared.heapBuffer = prepared.memory.bufferCount();
  prepared.heap = std::make_shared<DeviceHeap>(kHeapBytes);
  prepared.memory.append(std::vector<std::byte>(kHeapBytes), DeviceMemory::kNoArgument);
  prepared.bufferNames.emplace_back();
}

}  // namespace

Result<PreparedLaunch> prepare(const Launch& launch) {
  auto prepared = prepareKernel(launch);
  if (!prepared) return prepared;
  if (launch.raw != nullptr) {
    if (const auto done = bindGiven(launch, *prepared); !done) return done.error();
    noteConstantMemory(*prepared);
    addHeap(*prepared);
    return prepared;
  }
  auto bound = bindArguments(launch, prepared->code());
  if (!bound) return bound.error();
  prepared->parameterBits = std::move(bound->parameterBits);
  prepared->memory = std::move(bound->memory);
  prepared->bufferNames = std::move(bound->buffers);
  noteConstantMemory(*prepared);
  addHeap(*prepared);
  return prepared;
}

Result<PreparedLaunch> prepareOver(const Launch& launch, GivenMemory memory) {
  auto prepared = prepareKernel(launch);
  if (!prepared) return prepared;
  auto done = RawBinder(*prepared, memory.buffers.size()).bind(memory.arguments, memory.symbols);
  if (!done) return done.error();
  noteConstantMemory(*prepared);
  prepared->memory = DeviceMemory::over(std::move(memory.buffers));
  prepared->heap = std::move(memory.heap);
  prepared->heapBuffer = memory.heapBuffer;
  prepared->watched = std::move(memory.watched);
  prepared->findForeign = std::move(memory.findForeign);
  return prepared;
}

namespace {

bool isWritten(const std::vector<Operands>& operands, RegisterRange range) {
  return std::ranges::any_of(operands, [&](const Operands& o) { return o.writes.overlaps(range); });
}

/// True if the variable is set before any branch, and before any read.
bool isSetFirst(const Bytecode& code, const std::vector<Operands>& operands, RegisterRange range) {
  for (std::size_t i = 0; i < code.code.size(); ++i) {
    const Instruction& instruction = code.code[i];
    const bool isSet = instruction.op == Op::Set32 || instruction.op == Op::Set64;
    if (isSet && instruction.dst == range.first)
      return !operands[i].reads[0].overlaps(range) && operands[i].writes.count == range.count;
    const bool isStraight = !isControl(instruction.op) || instruction.op == Op::ScopeBegin;
    if (!isStraight || operands[i].readsAny(range)) return false;
  }
  return false;
}

}  // namespace

StartValues makeStartValues(const Bytecode& code, const PreparedLaunch& prepared, bool isObserved) {
  std::vector<Operands> operands;
  operands.reserve(code.code.size());
  for (const Instruction& instruction : code.code) operands.push_back(readOperands(instruction, code));
  StartValues values;
  for (const VariableRegister& variable : code.variables) {
    if (variable.local == VariableRegister::kInRegister)
      values.once.push_back({variable.reg, variable.type->isWide(), 0});
  }
  const std::vector<const VariableRegister*> parameters = parameterParts(code);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const VariableRegister& parameter = *parameters[p];
    std::erase_if(values.once, [&](const StartValue& value) { return value.reg == parameter.reg; });
    values.once.push_back({parameter.reg, parameter.type->isWide(), prepared.parameterBits[p]});
  }
  for (const StartValue& value : values.once) {
    const RegisterRange range{value.reg, value.isWide ? 2u : 1u};
    if (isWritten(operands, range) && (isObserved || !isSetFirst(code, operands, range)))
      values.eachBlock.push_back(value);
  }
  return values;
}

}  // namespace lanescope
