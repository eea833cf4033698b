#pragma once

#include <string>
#include <vector>

#include "sim/base/diagnostic.h"

namespace CLI {
class App;
}

namespace lanescope::cli {

/// A command line of `run` or `check`, with nvcc's options as Lanescope's own, or left out if nothing here
/// depends on them: `-arch=sm_90 -O3 -std=c++17 -Xcompiler -Wall -o x -lm` becomes `-O 3 --std c++17
/// --host-flag=-Wall`.
struct NvccLine {
  std::vector<std::string> own;      ///< what the command reads
  std::vector<std::string> program;  ///< arguments of the program, as they are written
  std::vector<std::string> notes;  ///< a sentence for each option that changes what nvcc makes, and not here
};

/// Reads the words behind the command's name; `command` tells which options are its own. With `isProgram`,
/// behind the first file only the command's own options and those of nvcc that no program is likely to have
/// are read: the program's words begin at the first other option, or behind `--`; the first `--` there is not
/// one of them. Error: an option that a program cannot be read without, such as -include.
Result<NvccLine> readNvccLine(const std::vector<std::string>& words, const CLI::App& command, bool isProgram);

}  // namespace lanescope::cli
