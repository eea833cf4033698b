#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/language/check/type.h"
#include "sim/machine/compile/bytecode.h"
#include "sim/machine/run/launch.h"
#include "sim/machine/run/warp_state.h"
#include "sim/memory/argument.h"
#include "sim/memory/device_memory.h"

namespace lanescope {

/// A field of a struct or an element of an array, and its given value.
struct StructPart {
  const Type* type = nullptr;
  const Argument* value = nullptr;
  std::string suffix;  ///< `.width`, `[3]`
};

/// The values that a struct argument gives each part of a type, by name or in order. Errors: too many or too
/// few fields, a name that the type does not have, a field given twice.
Result<std::vector<StructPart>> splitParts(const Argument& argument, const Type& type,
                                           const std::string& name);

/// True if a scalar of that type can be passed as a value of `wanted`.
bool scalarFits(ArgumentType argumentType, const Type& wanted);
/// A scalar argument's bits in a register of that type.
std::uint64_t scalarBits(const Argument& argument, const Type& type);
/// The bits that fill element `i` of a field: a value, or a number of the fill.
std::uint64_t filledBits(const Argument& argument, const Type& type, std::uint64_t i);
/// True if a buffer of such elements can be passed as a pointer `wanted`.
bool bufferFits(ArgumentType argumentType, const Type& wanted);

/// The bytes of a buffer of structs, each field of each element filled as `argument` says. Errors: all of
/// splitParts(), a type that does not match, a pointer.
Result<std::vector<std::byte>> structBytes(const Argument& argument, const Type& element,
                                           const std::string& name);

/// Sum in double of the numbers in a buffer of such elements.
double sumOfElements(std::span<const std::byte> bytes, const Type& element);

/// An argument that fits a parameter of that type, with buffers of `count` elements; a scalar is 1. For a
/// struct of more than 256 numbers, or a buffer of structs with pointers, it is a scalar, which does not fit.
Argument exampleArgument(const Type& type, std::uint64_t count);
/// A spec that fits a parameter of that type: `struct:{width=i32:4,elements=f32:hash:64}`; empty if none
/// does.
std::string makeExample(const Type& type);

/// The memory and values that a launch's own arguments and symbols give a kernel.
struct BoundArguments {
  std::vector<std::uint64_t> parameterBits;  ///< by parameter; for a struct by its scalars (findLeaves)
  /// Filled: the buffers of the arguments, of the variables at file scope, then the buffers that structs
  /// point to.
  DeviceMemory memory;
  std::vector<BufferName> buffers;  ///< by buffer
};

/// Errors: the number of arguments, a type or a field differs from the kernel's; more bytes than the limit.
Result<BoundArguments> bindArguments(const Launch& launch, const Bytecode& code);

/// A parameter's own name: `A` if the first of its variables is `A.width`.
std::string parameterName(const Bytecode& code, std::size_t parameter);

}  // namespace lanescope
