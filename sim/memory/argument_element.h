#pragma once

#include <type_traits>

#include "sim/memory/argument.h"
#include "sim/memory/small_float.h"

namespace lanescope {

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
