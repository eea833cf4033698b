#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace lanescope::cli {

/// What `lanescope-cli compile-cubin` was asked for.
struct CubinOptions {
  std::string text;   ///< a file
  std::string cubin;  ///< a file to write
  std::string kernel;
  std::string architecture;
};

/// Adds the command, which help does not list: toolkit.cpp starts it, so that a compiler that hangs or
/// crashes takes nobody with it.
CLI::App* addCubinCommand(CLI::App& app, CubinOptions& options);

/// Compiles with NVRTC, lines included. Prints the compiler's name, then what it found, as nvcc would.
/// Returns the exit status: 0 the file is written, 1 it is not.
int cubinCommand(const CubinOptions& options);

}  // namespace lanescope::cli
