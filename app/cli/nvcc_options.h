#pragma once

#include <string>
#include <vector>

namespace lanescope::cli {

/// The words of a command line of `run` or `check`, with nvcc's options as Lanescope's own, or left out if
/// nothing here depends on them: `-arch=sm_90 -O3 -std=c++17 -Xcompiler -Wall -o x -lm` becomes `-O 3
/// --std c++17 --host-flag -Wall --host-library m`. With `isProgram`, words from the first source file on
/// that may be the program's own stay: only those that no program is likely to take are nvcc's. `notes` gets
/// a sentence for each option that changes results on a GPU, and not here.
std::vector<std::string> withoutNvccOptions(const std::vector<std::string>& words, bool isProgram,
                                            std::vector<std::string>& notes);

/// Removes what only `run` takes of these.
void dropHostOptions(std::vector<std::string>& words);

}  // namespace lanescope::cli
