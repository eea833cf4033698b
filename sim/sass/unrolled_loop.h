#pragma once

#include <string>
#include <vector>

#include "sim/sass/access_groups.h"

namespace lanescope {

/// The pieces of a loop with the group as its only access, by falling number of iterations: each makes a
/// multiple of the next one's, the last one iteration. Iterations are counted by the accesses or, if some are
/// wider than the text's and all lanes of a warp have one address, by the floating-point operations. Empty if
/// the group is not of that kind, or no piece makes several iterations.
std::vector<LoopPiece> findLoopPieces(const AccessGroup& group);

/// `Unrolled: 4 or 1 iterations at a time.`
std::string makeSentence(const std::vector<LoopPiece>& pieces);

}  // namespace lanescope
