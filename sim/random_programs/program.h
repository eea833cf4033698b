#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/random_programs/features.h"

namespace lanescope::random_programs {

/// A valid CUDA C++ text with the kernel `k(int* out)`, which writes some of kWords words. Its names are in
/// the namespace that `@` stands for.
struct Program {
  std::uint64_t seed = 0;
  std::string text;
  std::string features;  ///< their names
};

inline constexpr std::size_t kWords = 64;

/// The program of a seed, of these features; the same on every machine.
Program randomProgram(std::uint64_t seed, const std::vector<Feature>& features);

/// The text as a file of its own (an empty name), or within a namespace of that name.
std::string within(const Program& program, std::string_view name);

}  // namespace lanescope::random_programs
