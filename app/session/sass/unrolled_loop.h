#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/session/sass/access_groups.h"

namespace lanescope {

/// A loop of the text that machine code makes in pieces, each of several iterations.
struct UnrolledLoop {
  std::vector<std::uint64_t> iterations;  ///< of each piece, falling; the last makes one
  unsigned widest = 0;                    ///< bytes of its widest access
  AccessCost cost;                        ///< of the accesses, with as many iterations as the launch has

  std::string sentence() const;  ///< what the compiler did
};

/// The loop whose one access a group is: all lanes access one word, in each iteration the next, and each
/// piece of machine code makes a multiple of the iterations of the next shorter one, known by its floating
/// operations. The compiler's code takes the longest piece that still fits, as recorded on an H200. Nothing
/// where the group is not of that kind.
std::optional<UnrolledLoop> loopInPieces(const AccessGroup& group);

}  // namespace lanescope
