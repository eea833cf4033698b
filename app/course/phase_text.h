#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/base/markdown.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// The work of a phase, in a heading and a few sentences made from the trace.
std::vector<MarkdownBlock> phaseText(const Trace& trace, std::uint32_t phase);

/// Sorted numbers as text lists them: `0–7`, `0, 8 … 56`, `3`.
std::string rangeText(std::span<const std::uint32_t> numbers);

}  // namespace lanescope
