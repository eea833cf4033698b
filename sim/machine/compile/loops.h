#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/machine/compile/bytecode.h"

namespace lanescope {

class SourceText;

/// A loop in bytecode: the instructions [top, end], of which the last jumps back.
struct Loop {
  std::uint32_t top = 0;
  std::uint32_t end = 0;
  std::uint32_t site = 0;  ///< of its keyword
};

/// The innermost loop that has both instructions in it, `low` <= `high`.
std::optional<Loop> loopAround(const Bytecode& code, std::uint32_t low, std::uint32_t high);

/// The loops that have the instruction in them, the innermost first.
std::vector<Loop> loopsAround(const Bytecode& code, std::uint32_t pc);

/// ` in the loop on line 5, inside that on line 2`; empty if there is none.
std::string loopsText(const SourceText& source, const Bytecode& code, const std::vector<Loop>& loops);

}  // namespace lanescope
