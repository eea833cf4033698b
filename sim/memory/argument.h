#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/memory/small_float.h"

namespace lanescope {

/// Element type of an argument, named as on the command line.
enum class ArgumentType : std::uint8_t {
#define ARGUMENT(name, text, Element, count) name,
#include "sim/memory/argument_types.def"
};

constexpr bool isFloating(ArgumentType type) {
  return type == ArgumentType::F32 || type == ArgumentType::F64 || type == ArgumentType::F32x4 ||
         type == ArgumentType::F16 || type == ArgumentType::BF16;
}

/// The initial value of a buffer's element i.
enum class Fill : std::uint8_t {
  Zero,
  Hash,   ///< ((i * 2654435761 mod 2^32) >> 16) mod 100
  Hash1,  ///< one more
  Ones,
  Iota,  ///< i, in the element's type
  /// 1 or -1 (for unsigned types 1), but 2 at i = 0, 1, 2, 4 ... 512 and 3 at i = 3, 6, 12 ... 768.
  Factors,
  /// 10 more than (((i + 104) * 2654435761 mod 2^32) >> 16) mod 90: among 4 to 4,096 elements the first is
  /// not the least, and if their number is a power of two up to 64, only one is the least.
  Least,
};
inline constexpr std::array<std::string_view, 7> kFillNames{"zero", "hash",    "hash1", "ones",
                                                            "iota", "factors", "least"};

/// One kernel argument: a buffer of `count` elements, a scalar, or a struct by value.
struct Argument {
  ArgumentType type = ArgumentType::F32;
  bool isBuffer = false;
  bool isStruct = false;  ///< of `fields`: the argument itself, or each element of the buffer
  Fill fill = Fill::Zero;
  std::uint64_t count = 0;    ///< of a buffer; 0 for a field of a buffer's elements, which only has a fill
  std::uint64_t offset = 0;   ///< of a buffer: the pointer passed to the kernel points to this element
  double real = 0;            ///< scalar of a floating type
  std::uint64_t integer = 0;  ///< scalar of an integer type, extended to 64 bits
  std::vector<Argument> fields{};  ///< of a struct, or the elements of an array in one
  std::string name{};              ///< of a field; empty: the next one

  /// The size of a buffer; 0 for one of structs, whose size depends on the kernel's type.
  std::uint64_t bytes() const;
};

/// Reads `TYPE:FILL:COUNT`, `TYPE=VALUE` (`f32:hash:1024`, `u32=7`) or a struct's fields in braces
/// (`struct:{width=i32:4,height=i32:4,elements=f32:hash:16}`, `struct:{f32:hash,i32:iota}:64` for a buffer of
/// structs). A buffer may end with `+3`: the pointer is to its element 3. An Error names the spec.
Result<Argument> parseArgument(std::string_view spec);
/// The spec from which parseArgument() makes that argument.
std::string formatSpec(const Argument& argument);
std::string_view argumentTypeName(ArgumentType type);
unsigned argumentTypeBytes(ArgumentType type);

/// The result of `visit` for a value of the C++ type that holds an element of an argument's type. An element
/// of f32x4 is one of its floats.
template <class Visit>
auto withElement(ArgumentType type, const Visit& visit) {
  switch (type) {
// clang-format off
// NOLINTNEXTLINE(bugprone-macro-parentheses): a type takes none
#define ARGUMENT(name, text, Element, count) case ArgumentType::name: return visit(Element{});
// clang-format on
#include "sim/memory/argument_types.def"
  }
  return visit(float{});
}

/// The number that an element holds.
template <class Element>
auto asNumber(Element element) {
  if constexpr (std::is_class_v<Element>)
    return element.value();
  else
    return element;
}

/// Bytes of an element.
inline std::size_t elementBytes(ArgumentType type) {
  return withElement(type, []<class Element>(Element /*any*/) { return sizeof(Element); });
}

}  // namespace lanescope
