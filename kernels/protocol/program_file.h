#pragma once

#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace lanescope {

/// True if that is an executable file.
inline bool isProgram(const std::filesystem::path& path) {
  std::error_code code;
  return std::filesystem::is_regular_file(path, code) && access(path.c_str(), X_OK) == 0;
}

}  // namespace lanescope
