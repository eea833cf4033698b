#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.h"

namespace lanescope::host {

/// A header of sim/host/include that the binary carries: its path there and its text.
struct HeaderText {
  std::string_view name;
  std::string_view text;
};
std::span<const HeaderText> headerTexts();

/// A program to be run: source files, of which one has its main().
struct ProgramOptions {
  std::vector<std::string> sources;  ///< paths; the first names the program
  std::string standard = "c++17";    ///< the host's C++
  std::vector<std::string> includeDirectories;
  std::vector<std::string> likelyDirectories;  ///< where headers in quotes are also looked for
  std::vector<std::string> definitions;        ///< `NAME` or `NAME=VALUE`, as for -D
  std::string compiler = "c++";
  std::string optimization;            ///< the level of -O for the host's compiler; empty: none, as with nvcc
  std::vector<std::string> hostFlags;  ///< for the host's compiler and linker, as of nvcc's -Xcompiler
  std::vector<std::string> hostLibraries;  ///< of -l; one that is not there is left out
  std::vector<std::string> arguments;      ///< to main(), behind its name
  bool json = false;
  std::chrono::milliseconds timeout{0};  ///< 0: none
  std::uint64_t memoryBytes = 0;         ///< of the device; 0: half of the host's
  std::optional<int> errorStatus;  ///< if errors are found, the exit status in place of the program's own
  std::string launchesFile;        ///< gets a line for each launch as it begins and ends; empty: none
  std::uint64_t captured = 0;      ///< the number of a launch, from 1: the program ends there; 0: none
  std::string captureFile;         ///< gets that launch
  bool fusesProducts = true;       ///< a * b + c is rounded once, as by nvcc (--fmad=true)
};

/// A program with compiled host code.
struct CompiledProgram {
  std::string library;                                     ///< path of its shared library
  std::vector<std::shared_ptr<const SourceText>> sources;  ///< texts with kernels, and the files they include
};

/// True for a path that ends as a source file of a program does: .cu, .cpp, .cc, .cxx, .c.
bool isSourcePath(std::string_view path);

/// Compiles a program's host code for this machine; files that are not .cu are compiled as plain C++ or C.
/// Errors: no compiler; a text that it refuses, or files that do not link (its own messages are on stderr by
/// then).
Result<CompiledProgram> compileProgram(const ProgramOptions& options, const std::string& directory);

/// Ends the compiler that compileProgram() is waiting for in another thread, and what it started, if there is
/// one.
void endCompiler();

/// Compiles a program and runs it in this process, which ends with it: with its own status, 124 after the
/// timeout, 125 if it cannot be compiled or simulated, 2 if the file of --launches cannot be opened, 128 and
/// the signal's number after one that ends it, 130 after Ctrl+C. The table of its launches goes to stderr at
/// the end.
[[noreturn]] void runProgram(const ProgramOptions& options);

}  // namespace lanescope::host
