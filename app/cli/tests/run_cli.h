#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace lanescope::cli::testing {

struct Outcome {
  int status = -1;  ///< exit status; -1: ended by a signal
  std::string output;
  std::string complaint;  ///< what went to stderr
};

inline std::string readAll(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A folder of its own for one test, gone with it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lanescope-cli-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file there and gives its path.
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

/// Runs a line of the shell's.
inline Outcome runShell(std::string command) {
  const ScratchFolder scratch;
  const std::string complaints = (scratch.path() / "stderr").string();
  command += " 2>'" + complaints + "' </dev/null";
  Outcome outcome;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> chunk;
  for (std::size_t n; (n = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0;)
    outcome.output.append(chunk.data(), n);
  const int status = ::pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  outcome.complaint = readAll(complaints);
  return outcome;
}

/// Runs the lanescope-cli of this build.
inline Outcome runCli(const std::vector<std::string>& arguments) {
  std::string command = LANESCOPE_CLI;
  for (const std::string& argument : arguments) command += " '" + argument + "'";
  return runShell(std::move(command));
}

}  // namespace lanescope::cli::testing
