#pragma once

#include <string>
#include <vector>

#include "sim/random_programs/program.h"

namespace lanescope::random_programs {

/// What a compiler's program leaves in `out`, or what the compiler, or its sanitizers, say against the text.
struct Answer {
  std::vector<int> words;
  std::string objection;
};

/// Compiles all programs as one text by `command` (`g++ -std=c++20 -w -O0`), each in a namespace of its own,
/// and runs them.
std::vector<Answer> askCompiler(const std::string& command, const std::vector<Program>& programs);

enum class Verdict { Equal, Refused, Different, Invalid };

struct Comparison {
  Verdict verdict = Verdict::Equal;
  std::string says;  ///< the simulator's sentence, the first words that differ, or the compiler's objection
};

/// The simulator beside the compilers, a row per program. Compilers that disagree make the program invalid;
/// of one that the simulator refuses they are asked only if that is wanted.
std::vector<Comparison> compare(const std::vector<std::string>& commands,
                                const std::vector<Program>& programs, bool asksOfRefused = false);

/// The program with as few lines as still give a difference, or the same sentence of a refusal.
Program shrunk(std::vector<std::string> commands, Program program, const Comparison& finding);

}  // namespace lanescope::random_programs
