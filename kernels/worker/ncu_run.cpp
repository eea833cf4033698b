#include "kernels/worker/ncu_run.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "kernels/worker/ncu_output.h"
#include "kernels/worker/program_file.h"
#include "kernels/worker/protocol.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxOutput = std::size_t{4} << 20U;

/// A folder that goes with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code code;
    std::string name = (fs::temp_directory_path(code) / "lanescope-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code code;
    if (!path_.empty()) fs::remove_all(path_, code);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Starts a program in a process group of its own with both outputs in `output`; 0 or an errno.
int spawn(const std::vector<std::string>& words, const fs::path& output, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int code = posix_spawn(&pid, words.front().c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

/// Waits for the end of the process; false where it was ended early.
bool waitFor(pid_t pid, const std::function<bool(double)>& stillWanted, double limitSeconds) {
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

std::string textOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxOutput, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return text;
}

}  // namespace

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

Result<CountersMessage> readLaunchCounters(const CountersRequest& request, const std::string& program,
                                           const std::function<bool(double seconds)>& stillWanted,
                                           double limitSeconds) {
  const auto ncu = findNcu();
  if (!ncu) return ncu.error();
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "launch.json";
  const fs::path output = folder.path() / "output.txt";
  std::ofstream(file) << toLine(WorkerRequest(request)) << "\n";
  std::error_code code;
  if (folder.path().empty() || fs::file_size(file, code) == 0 || code) {
    return Error{"The worker cannot write to its machine's folder for temporary files.", "Set TMPDIR there."};
  }
  const std::vector<std::string> words{*ncu,
                                       "--clock-control",
                                       "none",
                                       "--csv",
                                       "--page",
                                       "details",
                                       "--print-metric-instances",
                                       "details",
                                       "--print-units",
                                       "base",
                                       "--metrics",
                                       ncuMetrics(),
                                       program,
                                       "launch-once",
                                       file.string()};
  pid_t pid = -1;
  if (const int failure = spawn(words, output, pid); failure != 0) {
    return Error{"'" + printable(*ncu) + "' could not be started."};
  }
  if (!waitFor(pid, stillWanted, limitSeconds)) {
    return Error{"Nsight Compute was stopped before it was done."};
  }
  const std::string text = textOf(output);
  auto counters = parseNcuCsv(text);
  if (!counters) {
    const std::string problem = ncuProblem(text);
    return problem.empty() ? counters.error() : Error{problem};
  }
  return CountersMessage{request.run, "Nsight Compute", std::move(counters).value()};
}

}  // namespace lanescope
