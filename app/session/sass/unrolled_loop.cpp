#include "app/session/sass/unrolled_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace lanescope {
namespace {

/// A piece, and how many iterations it makes.
struct Piece {
  std::uint64_t iterations = 0;
  std::uint64_t accesses = 0;
  bool isInLoop = false;
};

/// The pieces, falling by iterations; none where the code does not say how many they make.
std::vector<Piece> piecesOf(const AccessGroup& group) {
  std::vector<Piece> pieces;
  std::uint64_t ofOne = UINT64_MAX;  // operations of an iteration
  for (const CodePiece& piece : group.pieces) ofOne = std::min(ofOne, piece.operations);
  for (const CodePiece& piece : group.pieces) {
    if (piece.operations == 0 || piece.operations % ofOne != 0) return {};
    pieces.push_back({piece.operations / ofOne, piece.widths.size(), piece.isInLoop});
  }
  std::ranges::sort(pieces, std::greater{}, &Piece::iterations);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const bool isFactor = pieces[i - 1].iterations % pieces[i].iterations == 0;
    if (!isFactor || pieces[i - 1].iterations == pieces[i].iterations) return {};
  }
  if (pieces.empty() || pieces.back().accesses != 1) return {};
  return pieces;
}

}  // namespace

std::string UnrolledLoop::sentence() const {
  std::string counts = fmt::format("{}", fmt::join(iterations.begin(), iterations.end() - 1, ", "));
  if (!counts.empty()) counts += " or ";
  return fmt::format("Unrolled: {}{} iterations at a time, in accesses of up to {} bits.", counts,
                     iterations.back(), widest * 8);
}

std::optional<UnrolledLoop> loopInPieces(const AccessGroup& group) {
  if (group.sites.size() != 1 || !group.sites[0]->isOneAddress) return std::nullopt;
  const std::vector<Piece> pieces = piecesOf(group);
  if (pieces.empty()) return std::nullopt;
  std::uint64_t accesses = 0;
  for (const auto& [length, times] : group.sites[0]->rows) {
    std::uint64_t left = length;
    for (const Piece& piece : pieces) {
      const std::uint64_t rounds = left / piece.iterations;
      if (rounds > 1 && !piece.isInLoop) return std::nullopt;
      accesses += times * rounds * piece.accesses;
      left -= rounds * piece.iterations;
    }
  }
  UnrolledLoop loop;
  for (const Piece& piece : pieces) loop.iterations.push_back(piece.iterations);
  for (const MachineAccess& one : group.machine) loop.widest = std::max(loop.widest, one.bytes);
  // One word for all lanes, or up to four in a row, aligned: one wavefront or one sector.
  const bool isShared = group.sites[0]->kind == StepKind::SharedLoad;
  loop.cost = isShared ? AccessCost{accesses, accesses, accesses, 0} : AccessCost{accesses, 0, 0, accesses};
  return loop;
}

}  // namespace lanescope
