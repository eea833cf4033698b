#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/run/observer.h"
#include "sim/trace/cell_map.h"

namespace lanescope {

/// Decides where the phases of a block end: at __syncthreads, and where a warp reads, through memory or a
/// shuffle, a value that another of its lanes produced in the same phase, or takes results out of the block.
class PhaseBounds {
 public:
  PhaseBounds() = default;
  /// `cells` must outlive this object.
  PhaseBounds(const CellMap& cells, std::size_t warps, std::uint32_t warpSize)
      : cells_(&cells), warpSize_(warpSize), warps_(warps), writers_(cells.count(), 0) {}

  void accessed(const WarpState& warp, const Event& event);
  void shuffled(const WarpState& warp) { warps_[warp.index].accessed = warps_[warp.index].shuffled = true; }

  /// True if the warp has to wait before that instruction, because it begins a phase.
  bool beginsBefore(const WarpState& warp, const Instruction& i) const;
  /// True if this phase had an access that a picture could show.
  bool anyAccess() const;
  /// The next phase begins.
  void next();

 private:
  /// The accesses of one warp since the phase began.
  struct Activity {
    bool accessed = false;
    bool shuffled = false;
    bool storedShared = false;
  };
  bool readsNeighboursWrite(const WarpState& warp, const Instruction& i) const;

  const CellMap* cells_ = nullptr;
  std::uint32_t warpSize_ = 32;
  std::vector<Activity> warps_;
  std::vector<std::uint32_t> writers_;  ///< by cell: 1 + the thread that wrote it in this phase, 0: none
  std::vector<std::uint32_t> written_;  ///< the cells written
};

/// Counts the phases of a block as it runs, as its trace would have them.
class PhaseCounter : public Observer {
 public:
  explicit PhaseCounter(std::uint32_t warpSize) : warpSize_(warpSize) {}

  void blockBegins(const Bytecode& code, Dim3 block, std::span<const WarpState> warps,
                   const MemoryView& memory) override;
  bool pausesBefore(const WarpState& warp, const Instruction& i) override;
  void allWait(bool atBarrier) override;
  void happened(const WarpState& warp, const Instruction& i, const Event& event) override;
  void blockEnds() override;

  std::uint32_t phases() const { return phases_; }

 private:
  std::uint32_t warpSize_;
  std::uint32_t phases_ = 0;
  CellMap cells_;
  PhaseBounds bounds_;
};

}  // namespace lanescope
