#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/compile/bytecode.h"

namespace lanescope {

class SourceText;

/// A part of a kernel's code that some threads may run and others may not, or may run more often.
struct CodeRegion {
  enum class Kind : std::uint8_t {
    If,
    Operand,  ///< of `&&`, `||` or `?:`
    Loop,
    Switch,
    Call,  ///< an inlined function
  };
  Kind kind = Kind::If;
  std::uint32_t first = 0;   ///< the instruction that begins it
  std::uint32_t middle = 0;  ///< If: where its else begins
  std::uint32_t last = 0;
  std::uint32_t line = 0;  ///< of its keyword, or of the call
  bool isDivergent = false;

  bool holds(std::uint32_t pc) const { return first < pc && pc <= last; }
};

/// The regions of a kernel, each before those within it; none is marked as divergent.
std::vector<CodeRegion> regionsOf(const SourceText& source, const Bytecode& code);

/// Marks those that the threads of one block need not run alike: what decides there depends on the thread's
/// index, on what an address of its own holds or on what an atomic, shuffle or vote returned.
void markDivergentInBlock(const Bytecode& code, const SourceText& source, std::vector<CodeRegion>& regions);

/// Marks those where the lanes of a warp went different ways. `splits`, by instruction: whether a warp's
/// active lanes went both ways there.
void markDivergentInWarp(const Bytecode& code, const SourceText& source, const std::vector<bool>& splits,
                         std::vector<CodeRegion>& regions);

}  // namespace lanescope
