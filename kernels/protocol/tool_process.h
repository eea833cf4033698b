#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <unistd.h>

#include "sim/base/diagnostic.h"

namespace lanescope {

/// True if that is an executable file.
inline bool isProgram(const std::filesystem::path& path) {
  std::error_code code;
  return std::filesystem::is_regular_file(path, code) && access(path.c_str(), X_OK) == 0;
}

/// A folder that is removed with all its contents.
class TemporaryFolder {
 public:
  /// Makes one in the system's folder for temporary files; path() is empty if that fails.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file in it. The error says that this machine's folder cannot be written to.
  std::optional<Error> write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

/// The path of `ncu`: on the PATH, under CUDA_HOME, CUDA_PATH or /usr/local/cuda, or the newest in
/// /opt/nvidia/nsight-compute. The error says in one sentence how to get it.
Result<std::string> findNcu();

/// Called a few times per second with the seconds since the program was started; false ends it.
using StillWanted = std::function<bool(double seconds)>;

/// Runs a program (its path, then its arguments) in the locale C and a process group of its own and returns
/// both its outputs together, the first `mostBytes` of them. If `stillWanted` returns false, or after
/// `limitSeconds`, the whole group is ended. Errors, one sentence each: it could not be started, it was
/// ended. Its exit status is ignored: its output tells the result. The output is kept in `folder` as a file
/// while the program runs.
Result<std::string> readOutput(const std::vector<std::string>& words, const TemporaryFolder& folder,
                               const StillWanted& stillWanted, double limitSeconds, std::size_t mostBytes);

}  // namespace lanescope
