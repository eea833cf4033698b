#include "sim/sass/unrolled_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <functional>

namespace lanescope {

std::vector<LoopPiece> findLoopPieces(const AccessGroup& group) {
  if (group.sites.size() != 1 || group.pieces.size() < 2) return {};
  if (std::ranges::any_of(group.machine, &MachineAccess::isPredicated)) return {};
  const AccessSite& site = *group.sites[0];
  const bool isPlain =
      std::ranges::all_of(group.machine, [&](const MachineAccess& one) { return one.bytes == site.bytes; });
  if (!isPlain && !site.isOneAddress) return {};
  const auto computeSize = [&](const CodePiece& one) {
    return isPlain ? one.piece.widths.size() : one.operations;
  };
  const std::uint64_t ofOne = computeSize(*std::ranges::min_element(group.pieces, {}, computeSize));
  std::vector<LoopPiece> pieces;
  for (const CodePiece& one : group.pieces) {
    if (ofOne == 0 || computeSize(one) % ofOne != 0) return {};
    pieces.push_back(one.piece);
    pieces.back().iterations = computeSize(one) / ofOne;
  }
  std::ranges::stable_sort(pieces, std::greater{}, &LoopPiece::iterations);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const bool isMultiple = pieces[i - 1].iterations % pieces[i].iterations == 0;
    if (!isMultiple || pieces[i - 1].iterations == pieces[i].iterations) return {};
  }
  if (pieces.back().widths.size() != 1) return {};
  return pieces;
}

std::string makeSentence(const std::vector<LoopPiece>& pieces) {
  std::vector<std::uint64_t> longer;
  unsigned widest = 0;
  unsigned least = UINT_MAX;
  for (const LoopPiece& piece : pieces) {
    if (piece.iterations > 1) longer.push_back(piece.iterations);
    widest = std::max(widest, *std::ranges::max_element(piece.widths));
    least = std::min(least, *std::ranges::min_element(piece.widths));
  }
  return fmt::format("Unrolled: {} or 1 iterations at a time{}.", fmt::join(longer, ", "),
                     widest == least ? "" : fmt::format(", in accesses of up to {} bits", widest * 8));
}

}  // namespace lanescope
