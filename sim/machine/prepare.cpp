#include "sim/machine/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/language/checker.h"
#include "sim/language/constant_folding.h"
#include "sim/memory/address.h"

namespace lanescope {
namespace {

// Of compute capability 9.0: CUDA Programming Guide, "Features and Technical Specifications".
constexpr std::uint64_t kMaxBlockThreads = 1024;
constexpr std::uint64_t kMaxBlockZ = 64;
constexpr std::uint64_t kMaxGridX = 0x7fffffff;
constexpr std::uint64_t kMaxGridYZ = 65535;
constexpr std::uint64_t kMaxSharedBytes = 227 * 1024;

std::string text(Dim3 extent) { return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z); }

Result<bool> checkExtents(const Launch& launch) {
  const Dim3& block = launch.block;
  const Dim3& grid = launch.grid;
  if (block.count() == 0 || block.x > kMaxBlockThreads || block.y > kMaxBlockThreads ||
      block.z > kMaxBlockZ || block.count() > kMaxBlockThreads) {
    return Error{fmt::format("A block of {} threads cannot be launched.", text(block)),
                 "A block has 1 to 1,024 threads, at most 64 deep.",
                 {}};
  }
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > kMaxGridX || grid.y > kMaxGridYZ ||
      grid.z > kMaxGridYZ) {
    return Error{fmt::format("A grid of {} blocks cannot be launched.", text(grid)),
                 "A grid has at least 1 block, and at most 2,147,483,647 x 65,535 x 65,535.",
                 {}};
  }
  return true;
}

bool scalarFits(ArgumentType given, const Type& wanted) {
  if (!wanted.isArithmetic()) return false;
  if (given == ArgumentType::F32 || given == ArgumentType::F64) return wanted.isFloating();
  return wanted.isInteger();
}

std::uint64_t scalarBits(const Argument& argument, const Type& type) {
  if (type.isFloating()) return floatingBits(type, argument.real);
  return constantBits(type, static_cast<std::int64_t>(argument.integer));
}

bool bufferFits(ArgumentType given, const Type& wanted) {
  if (!wanted.isPointer()) return false;
  const bool isFloating =
      given == ArgumentType::F32 || given == ArgumentType::F64 || given == ArgumentType::F32x4;
  const std::uint32_t bytes = given == ArgumentType::F32x4 ? 4 : argumentTypeBytes(given);
  // A buffer of floats also serves float4* and structs made of floats.
  const std::vector<Leaf> leaves = leavesOf(*wanted.element, 4096);
  return !leaves.empty() && std::ranges::all_of(leaves, [&](const Leaf& leaf) {
    return leaf.type->size == bytes && leaf.type->isFloating() == isFloating && !leaf.type->isPointer();
  });
}

Result<bool> bindArguments(const Launch& launch, PreparedLaunch& prepared) {
  const Bytecode& code = prepared.code;
  if (launch.arguments.size() != code.parameters.size()) {
    std::string signature;
    for (const std::uint32_t parameter : code.parameters) {
      const VariableRegister& variable = code.variables[parameter];
      signature +=
          fmt::format("{}{} {}", signature.empty() ? "" : ", ", variable.type->name(), variable.name);
    }
    return Error{fmt::format("{} takes {} argument{}, but {} {} given.", code.kernelName,
                             code.parameters.size(), code.parameters.size() == 1 ? "" : "s",
                             launch.arguments.size(), launch.arguments.size() == 1 ? "is" : "are"),
                 fmt::format("Its parameters are ({}).", signature),
                 {}};
  }
  std::uint64_t buffer = 0;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const Argument& argument = launch.arguments[i];
    const VariableRegister& variable = code.variables[code.parameters[i]];
    const Type& type = *code.parameterTypes[i];
    const bool fits = argument.isBuffer ? bufferFits(argument.type, type) : scalarFits(argument.type, type);
    if (type.isStruct()) {
      return Error{fmt::format("The parameter '{}' is a {}, which a launch here cannot give.", variable.name,
                               type.name()),
                   "Pass its members as parameters of their own, or a pointer to it.",
                   {}};
    }
    if (!fits) {
      return Error{fmt::format("Argument {} is a {} of {}, but the parameter '{}' is {}.", i,
                               argument.isBuffer ? "buffer" : "scalar", argumentTypeName(argument.type),
                               variable.name, variable.type->name()),
                   "Give the matching type.",
                   {}};
    }
    if (argument.isBuffer) prepared.bufferParameters.push_back(static_cast<std::uint32_t>(i));
    prepared.parameterBits.push_back(argument.isBuffer ? bufferBase(buffer++)
                                                       : scalarBits(argument, *variable.type));
  }
  return true;
}

std::string withCommas(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

}  // namespace

std::string threadText(const Launch& launch, std::uint64_t thread) {
  const Dim3 index = unlinear(thread, launch.block);
  if (launch.block.z > 1) return fmt::format("thread ({}, {}, {})", index.x, index.y, index.z);
  if (launch.block.y > 1) return fmt::format("thread ({}, {})", index.x, index.y);
  return fmt::format("thread {}", index.x);
}

std::string blockText(const Launch& launch, Dim3 block) {
  if (launch.grid.z > 1) return fmt::format("block ({}, {}, {})", block.x, block.y, block.z);
  if (launch.grid.y > 1) return fmt::format("block ({}, {})", block.x, block.y);
  return fmt::format("block {}", block.x);
}

namespace {

/// A negative index leads to the far end of the range below an array's own: "in[-1], before its start".
std::string belowText(const PreparedLaunch& prepared, const Fault& fault) {
  const std::uint64_t distance = kOffsetMask + 1 - (fault.address & kOffsetMask);
  const std::uint64_t tag = (fault.address >> kOffsetBits) + 1;
  const auto text = [&](std::string_view name, const Type& element) {
    return fmt::format("{}[-{}], before its start", name,
                       withCommas((distance + element.size - 1) / element.size));
  };
  if (const std::uint64_t local = tag - (localBase(0) >> kOffsetBits); local < prepared.code.locals.size()) {
    const LocalVariable& variable = prepared.code.locals[local];
    return text(variable.name, variable.type->isArray() ? *variable.type->element : *variable.type);
  }
  if (tag == kSharedBase >> kOffsetBits) {
    for (const typed::SharedArray& array : prepared.code.sharedArrays) {
      const bool isFirst = array.isDynamic ? prepared.code.staticSharedBytes == 0 : array.byteOffset == 0;
      if (isFirst) return text(array.name, *array.element);
    }
  }
  if (tag - 1 < prepared.bufferParameters.size()) {
    const std::uint32_t parameter = prepared.bufferParameters[tag - 1];
    const VariableRegister& variable = prepared.code.variables[prepared.code.parameters[parameter]];
    return text(variable.name, *variable.type->element);
  }
  return "outside every array";
}

/// "s[40], past the end of its 32 elements", or what else an address leads to.
std::string placeText(const PreparedLaunch& prepared, const Fault& fault) {
  const std::uint64_t offset = fault.address & kOffsetMask;
  const std::uint64_t tag = fault.address >> kOffsetBits;
  if (offset > kOffsetMask / 2) return belowText(prepared, fault);
  if (const auto local = localIndex(fault.address);
      isLocal(fault.address) && local < prepared.code.locals.size()) {
    const LocalVariable& variable = prepared.code.locals[local];
    if (!variable.type->isArray()) return fmt::format("past the end of {}", variable.name);
    const std::uint64_t size = variable.type->element->size;
    return fmt::format("{}[{}], past the end of its {} elements", variable.name, withCommas(offset / size),
                       withCommas(variable.type->count));
  }
  if (isShared(fault.address)) {
    for (const typed::SharedArray& array : prepared.code.sharedArrays) {
      if (!array.isDynamic) continue;
      const std::uint64_t start = dynamicSharedOffset(prepared.code.staticSharedBytes);
      if (offset < start) break;
      return fmt::format(
          "{}[{}], past the end of its {} elements", array.name,
          withCommas((offset - start) / array.element->size),
          withCommas((prepared.sharedBytes - std::min(prepared.sharedBytes, start)) / array.element->size));
    }
    return fmt::format("byte {} of shared memory, past the end of its {} bytes", withCommas(offset),
                       withCommas(prepared.sharedBytes));
  }
  if (tag == 0) return "through a null pointer";
  if (tag - 1 < prepared.bufferParameters.size()) {
    const std::uint32_t parameter = prepared.bufferParameters[tag - 1];
    const VariableRegister& variable = prepared.code.variables[prepared.code.parameters[parameter]];
    const std::uint64_t size = variable.type->element->size;
    return fmt::format("{}[{}], past the end of its {} elements", variable.name, withCommas(offset / size),
                       withCommas(prepared.memory.buffer(tag - 1).size() / size));
  }
  return "outside every array (a pointer ran off its buffer, perhaps by a negative index)";
}

}  // namespace

Dim3 unlinear(std::uint64_t index, Dim3 extent) {
  return {static_cast<std::uint32_t>(index % extent.x),
          static_cast<std::uint32_t>(index / extent.x % extent.y),
          static_cast<std::uint32_t>(index / (std::uint64_t{extent.x} * extent.y))};
}

Result<PreparedLaunch> prepare(const Launch& launch) {
  if (const auto extents = checkExtents(launch); !extents) return extents.error();
  auto checked = checkKernel(*launch.source, launch.kernel);
  if (!checked) return checked.error();
  auto compiled = compile(std::move(*checked));
  if (!compiled) return compiled.error();

  PreparedLaunch prepared;
  prepared.code = std::move(*compiled);
  prepared.sharedBytes = prepared.code.staticSharedBytes;
  if (launch.dynamicSharedBytes > 0) {
    prepared.sharedBytes = dynamicSharedOffset(prepared.code.staticSharedBytes) +
                           std::min(launch.dynamicSharedBytes, kMaxSharedBytes + 1);
  }
  if (prepared.sharedBytes > kMaxSharedBytes) {
    return Error{fmt::format("A block needs {} bytes of shared memory, more than the {} there are.",
                             withCommas(launch.dynamicSharedBytes + prepared.code.staticSharedBytes),
                             withCommas(kMaxSharedBytes)),
                 "Use smaller arrays or smaller blocks.",
                 {}};
  }
  if (const auto bound = bindArguments(launch, prepared); !bound) return bound.error();
  auto memory = DeviceMemory::create(launch.arguments, launch.limits.memoryBytes);
  if (!memory) return memory.error();
  prepared.memory = std::move(*memory);
  return prepared;
}

Error faultError(const Launch& launch, const PreparedLaunch& prepared, Dim3 block, const Fault& fault) {
  const SourceSpan span = prepared.code.sites[fault.site];
  const std::string where = fmt::format("{}:{}: ", launch.source->name(), launch.source->lineOf(span));
  const std::uint64_t thread = std::uint64_t{fault.warp} * launch.machine.warpSize + fault.lane;
  const std::string who = fmt::format("{} of {}", threadText(launch, thread), blockText(launch, block));
  Error error;
  switch (fault.kind) {
    case Fault::Kind::OutOfBounds:
      error.message =
          fmt::format("{} {} {}", who, fault.isStore ? "stores to" : "reads", placeText(prepared, fault));
      error.hint = "Guard the access, or give more elements or shared memory.";
      break;
    case Fault::Kind::Misaligned:
      error.message = fmt::format("{} {} {} bytes at an address that is not a multiple of {}", who,
                                  fault.isStore ? "stores" : "reads", fault.bytes, fault.bytes);
      error.hint = "Align the address to the size of what is accessed.";
      break;
    case Fault::Kind::MixedSpaces:
      error.message = "one access goes to shared memory in some lanes and to global memory in others";
      error.hint = "Branch first, and access each memory on its own.";
      break;
    case Fault::Kind::DivergentBarrier:
      error.message = fmt::format(
          "__syncthreads() is reached by {} of the {} threads of warp {} of {}", std::popcount(fault.lanes),
          std::min<std::uint64_t>(launch.machine.warpSize,
                                  launch.block.count() - std::uint64_t{fault.warp} * launch.machine.warpSize),
          fault.warp, blockText(launch, block));
      error.hint = "Every thread of the block must reach it: move it out of the branch.";
      break;
    case Fault::Kind::AssertionFailed:
      error.message = fmt::format("the assertion '{}' fails for {}", launch.source->slice(span), who);
      error.hint = "Look at the values that thread has there.";
      break;
    case Fault::Kind::ShuffleWidth:
      error.message = fmt::format("{} shuffles within groups of {} lanes", who, fault.address);
      error.hint = "The width of a group is a power of two from 1 to 32.";
      break;
    case Fault::Kind::StepLimit:
      error.message = fmt::format(
          "{} passed its limit of {} warp instructions",
          fault.isOfBlock ? blockText(launch, block) : "the launch",
          withCommas(fault.isOfBlock ? launch.limits.blockInstructions : launch.limits.warpInstructions));
      error.hint = fault.isOfBlock
                       ? "Look for a loop that never ends; give the block less work, or raise the limit."
                       : "Look for a loop that never ends, or simulate a smaller grid.";
      break;
    case Fault::Kind::Stopped: error.message = "the simulation was stopped"; break;
  }
  error.diagnostics.push_back({error.message, error.hint, span});
  error.message = where + error.message + ".";
  return error;
}

}  // namespace lanescope
