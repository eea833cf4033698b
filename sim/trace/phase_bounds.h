#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/launch.h"
#include "sim/machine/observer.h"
#include "sim/memory/counters.h"
#include "sim/trace/cell_map.h"

namespace lanescope {

/// Decides where the phases of a block end: at __syncthreads, and where a warp reads through memory or a
/// shuffle what another of its lanes produced in the same phase, or takes results out of the block.
class PhaseBounds {
 public:
  PhaseBounds() = default;
  /// `cells` must live as long.
  PhaseBounds(const CellMap& cells, std::size_t warps, std::uint32_t warpSize)
      : cells_(&cells), warpSize_(warpSize), warps_(warps), writers_(cells.count(), 0) {}

  void accessed(const WarpState& warp, const AccessEvent& event);
  void shuffled(const WarpState& warp) { warps_[warp.index].accessed = warps_[warp.index].shuffled = true; }

  /// Whether the warp has to wait before that instruction, because it begins a phase.
  bool beginsBefore(const WarpState& warp, const Instruction& i) const;
  /// Whether anything happened in this phase that a picture could show.
  bool anyAccess() const;
  /// The next phase begins.
  void next();

 private:
  /// What one warp did since the phase began.
  struct Doings {
    bool accessed = false;
    bool shuffled = false;
    bool storedShared = false;
  };
  bool readsNeighboursWrite(const WarpState& warp, const Instruction& i) const;

  const CellMap* cells_ = nullptr;
  std::uint32_t warpSize_ = 32;
  std::vector<Doings> warps_;
  std::vector<std::uint32_t> writers_;  ///< by cell: 1 + the thread that wrote it in this phase, 0: none
  std::vector<std::uint32_t> written_;  ///< those cells
};

/// How many phases a block has, and what it costs.
struct PhaseCount {
  std::uint32_t phases = 0;
  Counters counters;
};

/// What recordTrace() finds of the launch's first block, without a trace. Errors: those of simulate().
Result<PhaseCount> countPhases(const Launch& launch);

}  // namespace lanescope
