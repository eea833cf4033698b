#pragma once

#include <string_view>

#include "sim/base/diagnostic.h"

/// What a text of unknown origin is put through. Every function returns for every text: whatever is
/// wrong with it must be a diagnostic. A fault of the simulator ends the program (a sanitizer or a failed
/// check here).
namespace lanescope::fuzz {

/// Texts longer than this are passed over: they only cost time.
inline constexpr std::size_t kMaxTextBytes = 16384;

/// Scans, parses and checks a text, and lowers each of its first kernels to bytecode.
void exerciseFrontEnd(std::string_view text);
void exerciseFrontEnd(SourceText source);

/// Also runs the kernels, on arguments made from their parameters and within tight limits, twice (the
/// outputs must agree); looks for hazards, replays a trace forward and back (the state at the start must
/// be what it was), and for some texts tries another legal order. Machine, grid and block follow from the
/// text.
void exerciseExecution(std::string_view text);

}  // namespace lanescope::fuzz
