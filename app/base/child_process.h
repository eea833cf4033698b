#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

#include "sim/base/diagnostic.h"

namespace lanescope {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;

  int get() const { return number_; }
  bool isOpen() const { return number_ >= 0; }
  int release();
  void close();

 private:
  int number_ = -1;
};

/// How a process ended.
struct ProcessEnd {
  bool bySignal = false;
  int code = 0;  ///< the exit status, or the signal

  /// `exit status 3` or `signal 11, Segmentation fault`.
  std::string text() const;
};

/// A child process with pipes to its standard streams, in a process group of its own.
class ChildProcess {
 public:
  /// Starts `/bin/sh -c command`. Pipes are non-blocking and closed in other children. The error says
  /// why no process could be started; a command that the shell does not find ends with status 127.
  static Result<ChildProcess> start(const std::string& command);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  /// Kills the rest of the process and its group, and leaves no zombie.
  ~ChildProcess();

  Descriptor input;   ///< to its standard input
  Descriptor output;  ///< from its standard output
  Descriptor errors;  ///< from its standard error

  /// The way it ended, if it has; waits at most `patience`. The rest of its group is then killed.
  std::optional<ProcessEnd> ended(std::chrono::milliseconds patience);

  /// Closes the pipes and ends it: waits `patience` if it was asked to quit, then SIGTERM, waits again, then
  /// SIGKILL, each to the whole group.
  void terminate(std::chrono::milliseconds patience, bool askedToQuit);

 private:
  ChildProcess() = default;
  void signalGroup(int signal) const;

  pid_t pid_ = -1;
  std::optional<ProcessEnd> end_;
};

/// As one word of a shell's command.
std::string quotedForShell(const std::string& text);

}  // namespace lanescope
