#include "app/base/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

namespace lanescope {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

struct Pipe {
  Descriptor readEnd;
  Descriptor writeEnd;
};

/// A pipe with ends that no child inherits.
std::optional<Pipe> openPipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

void makeNonBlocking(const Descriptor& descriptor) {
  fcntl(descriptor.get(), F_SETFL, fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

Error cannotStart(int code) {
  return Error{"The process could not be started: " + std::string(std::strerror(code)) + "."};
}

/// Starts the shell with these ends as its standard streams; 0 or an errno.
int spawnShell(const std::string& command, int input, int output, int errors, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                           POSIX_SPAWN_SETSIGDEF));
  std::string shell = "sh";
  std::string flag = "-c";
  std::string text = command;
  std::array<char*, 4> arguments{shell.data(), flag.data(), text.data(), nullptr};
  const int code = posix_spawn(&pid, "/bin/sh", &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

/// A shell that stays as the parent reports a signal as 128 plus its number.
ProcessEnd findEnd(int status) {
  if (WIFSIGNALED(status)) return {true, WTERMSIG(status)};
  const int code = WEXITSTATUS(status);
  return code > 128 && code < 128 + 32 ? ProcessEnd{true, code - 128} : ProcessEnd{false, code};
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    number_ = other.release();
  }
  return *this;
}

int Descriptor::release() { return std::exchange(number_, -1); }

void Descriptor::close() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

std::string ProcessEnd::text() const {
  if (!bySignal) return "exit status " + std::to_string(code);
  const char* name = strsignal(code);
  return "signal " + std::to_string(code) + ", " + (name != nullptr ? name : "unknown");
}

Result<ChildProcess> ChildProcess::start(const std::string& command) {
  auto toChild = openPipe();
  auto fromChild = openPipe();
  auto errorsFromChild = openPipe();
  if (!toChild || !fromChild || !errorsFromChild) return cannotStart(errno);
  ChildProcess process;
  const int code = spawnShell(command, toChild->readEnd.get(), fromChild->writeEnd.get(),
                              errorsFromChild->writeEnd.get(), process.pid_);
  if (code != 0) {
    process.pid_ = -1;
    return cannotStart(code);
  }
  process.input = std::move(toChild->writeEnd);
  process.output = std::move(fromChild->readEnd);
  process.errors = std::move(errorsFromChild->readEnd);
  makeNonBlocking(process.input);
  makeNonBlocking(process.output);
  makeNonBlocking(process.errors);
  return Result<ChildProcess>(std::move(process));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : input(std::move(other.input)),
      output(std::move(other.output)),
      errors(std::move(other.errors)),
      pid_(std::exchange(other.pid_, -1)),
      end_(other.end_) {}

ChildProcess::~ChildProcess() {
  if (pid_ <= 0 || end_) return;
  signalGroup(SIGKILL);
  ended(milliseconds(1000));
}

void ChildProcess::signalGroup(int signal) const {
  if (pid_ > 0 && !end_) kill(-pid_, signal);
}

std::optional<ProcessEnd> ChildProcess::ended(milliseconds patience) {
  const auto deadline = steady_clock::now() + patience;
  while (!end_ && pid_ > 0) {
    // Look without reaping: while the leader is a zombie its group's number cannot be another's.
    siginfo_t info{};
    const int code = waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    if (code == 0 && info.si_pid == pid_) {
      kill(-pid_, SIGKILL);
      int status = 0;
      waitpid(pid_, &status, 0);
      end_ = findEnd(status);
    } else if (code != 0 && errno == ECHILD) {
      end_ = ProcessEnd{};  // someone else has reaped it
    } else if (steady_clock::now() >= deadline) {
      break;
    } else {
      std::this_thread::sleep_for(milliseconds(5));
    }
  }
  return end_;
}

void ChildProcess::terminate(milliseconds patience, bool askedToQuit) {
  input.close();
  output.close();
  errors.close();
  if (ended(askedToQuit ? patience : milliseconds(0))) return;
  signalGroup(SIGTERM);
  if (ended(patience)) return;
  signalGroup(SIGKILL);
  ended(milliseconds(1000));
}

std::string quotedForShell(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace lanescope
