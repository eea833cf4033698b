#pragma once

#include <cstdint>
#include <optional>

#include "sim/machine/compile/bytecode.h"
#include "sim/machine/run/warp_state.h"

namespace lanescope {

/// The sum, difference or product that left the numbers of its type, from which the address of the access
/// `i` follows: in the registers of one lane, before the access; the innermost if there are several. nullopt
/// if there is none, or the registers have been overwritten since.
std::optional<WrappedValue> findWrapped(const Bytecode& code, const WarpState& warp, const Instruction& i,
                                        std::size_t lane);

}  // namespace lanescope
