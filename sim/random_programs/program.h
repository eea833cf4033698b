#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::random_programs {

struct Feature;

inline constexpr std::size_t kWords = 64;

/// The words of `out` that a program has written, each once: three features leave room for statements.
class Words {
 public:
  std::size_t left() const { return kWords - used_; }
  /// `out[5]`, the next one.
  std::string next() { return "out[" + std::to_string(used_++) + "]"; }

 private:
  std::size_t used_ = 0;
};

/// A valid CUDA C++ text with the kernel `k(int* out)`, which writes some of kWords words. Its names are in
/// the namespace that `@` stands for.
struct Program {
  std::uint64_t seed = 0;
  std::string text;
  std::string features;  ///< their names
};

/// The program of a seed, of these features; the same on every machine.
Program randomProgram(std::uint64_t seed, const std::vector<Feature>& features);

/// The text as a file of its own (an empty name), or within a namespace of that name.
std::string within(const Program& program, std::string_view name);

}  // namespace lanescope::random_programs
