// Called by a rewritten kernel's body on the host: it hands its arguments and its instance's name to the
// runtime.
#pragma once
#pragma GCC system_header
#include <string.h>

#include <string>
#include <type_traits>

#include "lanescope_api.h"

namespace lanescope_host {

/// The compiler's spelling of the parameter `mark` in a function's own name, `… [with T = int; …]`.
inline std::string spelled(const char* function, const char* mark) {
  const char* begin = strstr(function, mark) + strlen(mark);
  if (*begin == '&') ++begin;
  const char* end = strchr(begin, ';');
  if (end == nullptr) end = strrchr(begin, ']');
  return std::string(begin, end);
}
template <class T>
std::string spelledType(...) {
  return spelled(__PRETTY_FUNCTION__, "T = ");
}
template <class T>
auto spelledType(int) -> decltype(T::lanescopeName()) {
  return T::lanescopeName();
}
/// A type as the compiler spells it: `unsigned int`, `Pair<float>`; for a lambda, the class that it became.
template <class T>
std::string typeText() {
  return spelledType<T>(0);
}

/// A template argument that is a value, as a text can give it.
template <class T>
std::string valueText(T value) {
  if constexpr (std::is_same<T, bool>::value) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum<T>::value) {
    return std::to_string(static_cast<long long>(value));
  } else if constexpr (std::is_integral<T>::value) {
    return std::to_string(value);
  } else {
    return "?";
  }
}

/// The same for a parameter of a template; a function is named as the compiler spells it. C++11, as programs
/// may be.
template <class T, T V>
struct ConstantText {
  static std::string text() { return valueText(V); }
};
template <class F, F V>
std::string spelledValue() {
  return spelled(__PRETTY_FUNCTION__, "V = ");
}
template <class R, class... A, R (*V)(A...)>
struct ConstantText<R (*)(A...), V> {
  static std::string text() { return spelledValue<R (*)(A...), V>(); }
};

/// The name of a parameter that is a template of types.
template <template <class...> class C>
std::string templateText() {
  return spelled(__PRETTY_FUNCTION__, "C = ");
}

inline void append(std::string& text, const std::string& argument) {
  text += text.empty() ? "" : ", ";
  text += argument;
}

inline std::string instance(const char* name, const std::string& arguments) {
  return std::string(name) + "<" + arguments + ">";
}

template <class... A>
void stub(const std::string& kernel, const A&... arguments) {
  const LanescopeParameter parameters[] = {{static_cast<const void*>(&arguments), sizeof(A)}...,
                                           {nullptr, 0}};
  lanescopeStub(kernel.c_str(), parameters, sizeof...(A));
}

/// A __managed__ variable: in memory that host and device share.
template <class T>
T& managed(const char* name) {
  return *static_cast<T*>(lanescopeManaged(name, sizeof(T)));
}

/// The format of a texel: a number, or a vector of up to four.
template <class T, bool isNumber = std::is_arithmetic<T>::value>
struct Channels {
  static cudaChannelFormatDesc format() {
    const int bits = static_cast<int>(8 * sizeof(T));
    return {bits, 0, 0, 0,
            std::is_floating_point<T>::value ? cudaChannelFormatKindFloat
            : std::is_signed<T>::value       ? cudaChannelFormatKindSigned
                                             : cudaChannelFormatKindUnsigned};
  }
};
template <class T>
struct Channels<T, false> {
  static cudaChannelFormatDesc format() {
    cudaChannelFormatDesc format = Channels<decltype(T::x)>::format();
    const size_t count = sizeof(T) / sizeof(decltype(T::x));
    if (count > 1) format.y = format.x;
    if (count > 2) format.z = format.x;
    if (count > 3) format.w = format.x;
    return format;
  }
};

}  // namespace lanescope_host
