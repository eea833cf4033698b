#include "app/base/system.h"

#include <charconv>
#include <cstdlib>  // defines __GLIBC__
#include <system_error>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lanescope {

void giveBackMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

Error writingStopped(std::string_view what) {
  return Error{"The " + std::string(what) + " was stopped; nothing was written."};
}

namespace {

/// `-1.5`, `+3e2`, `-inf`.
bool isNumber(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || text.front() == '-') return false;
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec != std::errc::invalid_argument && read.ptr == text.data() + text.size();
}

}  // namespace

std::string csvField(std::string_view text) {
  const bool isFormula = !text.empty() &&
                         std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos &&
                         !isNumber(text);
  const std::string_view guard = isFormula ? "'" : "";
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(guard).append(text);
  std::string field = "\"" + std::string(guard);
  for (const char letter : text) {
    if (letter == '"') field += '"';
    field += letter;
  }
  return field + "\"";
}

}  // namespace lanescope
