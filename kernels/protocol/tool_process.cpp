#include "kernels/protocol/tool_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

#include "kernels/protocol/protocol.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// This process's environment in the locale C: numbers with commas for thousands and a point, whatever the
/// user's locale is.
std::vector<std::string> environmentInC() {
  std::vector<std::string> variables;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view variable = *at;
    if (!variable.starts_with("LC_ALL=")) variables.emplace_back(variable);
  }
  variables.emplace_back("LC_ALL=C");
  return variables;
}

std::vector<char*> pointersTo(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Starts a program in a process group of its own with both outputs in `output`; 0 or an errno.
int spawn(const std::vector<std::string>& words, const fs::path& output, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const std::vector<std::string> variables = environmentInC();
  const std::vector<char*> arguments = pointersTo(words);
  const std::vector<char*> environment = pointersTo(variables);
  const int code =
      posix_spawn(&pid, words.front().c_str(), &actions, &attributes, arguments.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

/// Waits for the end of the process; false if it was ended early.
bool waitFor(pid_t pid, const StillWanted& stillWanted, double limitSeconds) {
  const auto begin = Clock::now();
  int status = 0;
  while (true) {
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) return true;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (seconds > limitSeconds || !stillWanted(seconds)) {
      kill(-pid, SIGKILL);
      waitpid(pid, &status, 0);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

/// The first `mostBytes` of a file, or all of a smaller one.
std::string readBeginning(const fs::path& path, std::size_t mostBytes) {
  std::error_code code;
  const std::uintmax_t size = fs::file_size(path, code);
  std::ifstream file(path, std::ios::binary);
  std::string text(code ? 0 : static_cast<std::size_t>(std::min<std::uintmax_t>(size, mostBytes)), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return text;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code code;
  std::string name = (fs::temp_directory_path(code) / "lanescope-XXXXXX").string();
  if (mkdtemp(name.data()) != nullptr) path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code code;
  if (!path_.empty()) fs::remove_all(path_, code);
}

std::optional<Error> TemporaryFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream file(path_ / name, std::ios::binary);
  file << text << std::flush;
  if (!path_.empty() && file.good()) return std::nullopt;
  return Error{"The worker cannot write to its machine's folder for temporary files.", "Set TMPDIR there."};
}

Result<std::string> findNcu() {
  std::vector<fs::path> folders;
  const char* path = std::getenv("PATH");
  std::istringstream list(path != nullptr ? path : "");
  for (std::string folder; std::getline(list, folder, ':');) {
    if (!folder.empty()) folders.emplace_back(folder);
  }
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* root = std::getenv(variable); root != nullptr && *root != '\0') {
      folders.push_back(fs::path(root) / "bin");
    }
  }
  folders.emplace_back("/usr/local/cuda/bin");
  std::vector<fs::path> versions;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator("/opt/nvidia/nsight-compute", code)) {
    versions.push_back(entry.path());
  }
  std::sort(versions.rbegin(), versions.rend());
  folders.insert(folders.end(), versions.begin(), versions.end());
  for (const fs::path& folder : folders) {
    if (isProgram(folder / "ncu")) return (folder / "ncu").string();
  }
  return Error{"Nsight Compute's program 'ncu' is not on the worker's machine.",
               "Install it there (package cuda-nsight-compute-13-0, or the CUDA Toolkit), or add its folder "
               "to the PATH."};
}

Result<std::string> readOutput(const std::vector<std::string>& words, const TemporaryFolder& folder,
                               const StillWanted& stillWanted, double limitSeconds, std::size_t mostBytes) {
  const fs::path output = folder.path() / "output.txt";
  pid_t pid = -1;
  if (const int failure = spawn(words, output, pid); failure != 0) {
    return Error{"'" + printable(words.front()) + "' could not be started."};
  }
  if (!waitFor(pid, stillWanted, limitSeconds)) {
    return Error{"'" + printable(fs::path(words.front()).filename().string()) +
                 "' was stopped before it was done."};
  }
  return readBeginning(output, mostBytes);
}

}  // namespace lanescope
