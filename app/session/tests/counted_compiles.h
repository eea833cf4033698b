#pragma once

#include <atomic>

namespace lanescope {

/// How often texts were parsed and kernels compiled: the linker sends every call through
/// counted_compiles.cpp.
struct CountedCompiles {
  std::atomic<int> parses{0};
  std::atomic<int> compilations{0};
  void reset() { parses = compilations = 0; }
};

CountedCompiles& countedCompiles();

}  // namespace lanescope
