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
    Operand,  ///< an operand of `&&`, `||` or `?:`
    Loop,
    Switch,
    Call,  ///< an inlined function
  };
  Kind kind = Kind::If;
  std::uint32_t first = 0;   ///< the instruction that begins it
  std::uint32_t middle = 0;  ///< If: start of its else
  std::uint32_t last = 0;
  std::uint32_t line = 0;  ///< of its keyword, or of the call
  bool isDivergent = false;

  bool holds(std::uint32_t pc) const { return first < pc && pc <= last; }
};

/// The regions of a kernel, each before its nested ones; none is marked as divergent.
std::vector<CodeRegion> findRegions(const SourceText& source, const Bytecode& code);

/// Marks the regions that the threads of one block may run differently: the deciding value depends on the
/// thread's index, on memory at an address of its own, or on the result of an atomic, shuffle or vote.
void markDivergentInBlock(const Bytecode& code, const SourceText& source, std::vector<CodeRegion>& regions);

/// Marks the regions in which the lanes of a warp diverged. `splits`, by instruction: true if a warp's active
/// lanes went both ways there.
void markDivergentInWarp(const Bytecode& code, const SourceText& source, const std::vector<bool>& splits,
                         std::vector<CodeRegion>& regions);

}  // namespace lanescope
