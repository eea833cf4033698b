#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace lanescope::cli {

/// The options of `lanescope-cli compile-cubin`.
struct CubinOptions {
  std::string text;   ///< a file
  std::string cubin;  ///< a file to write
  std::string kernel;
  std::string architecture;
};

/// Adds the command, which is not in the help. toolkit.cpp starts it as a process, so that a compiler that
/// hangs or crashes ends nothing else.
CLI::App* addCubinCommand(CLI::App& app, CubinOptions& options);

/// Compiles with NVRTC, with line information. Prints the compiler's name, then its messages, as nvcc would.
/// Returns the exit status: 0 if the file is written, 1 if not.
int cubinCommand(const CubinOptions& options);

}  // namespace lanescope::cli
