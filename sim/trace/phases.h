#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/machine/run/observer.h"
#include "sim/machine/run/warp_state.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// Numbers the 4-byte words that a block can reach, its cells: shared memory's first, then each buffer's.
class CellMap {
 public:
  CellMap() = default;
  explicit CellMap(const MemoryView& memory);

  std::uint32_t sharedCells() const { return sharedCells_; }
  std::uint32_t count() const { return count_; }
  /// A buffer's first cell.
  std::uint32_t findFirst(std::size_t buffer) const { return firsts_[buffer]; }
  /// The cell of an address that an access has reached.
  std::uint32_t findCell(std::uint64_t address) const;
  /// The cell of any address; nullopt if there is none, as out of bounds.
  std::optional<std::uint32_t> findKnownCell(std::uint64_t address) const;
  /// The bits that a cell holds.
  std::uint32_t computeBits(std::uint32_t cell) const;

 private:
  MemoryView memory_;
  std::vector<std::uint32_t> firsts_;  ///< by buffer
  std::uint32_t sharedCells_ = 0;
  std::uint32_t count_ = 0;
};

/// Decides where the phases of a block end: at __syncthreads, and where a warp reads, through memory or
/// registers, a value that another of its lanes produced in the same phase, or takes results out of the
/// block.
class PhaseBounds {
 public:
  PhaseBounds() = default;
  /// `cells` must outlive this object.
  PhaseBounds(const CellMap& cells, std::size_t warps, std::uint32_t warpSize)
      : cells_(&cells), warpSize_(warpSize), warps_(warps), writers_(cells.count(), 0) {}

  void accessed(const WarpState& warp, const Event& event);
  /// Lanes got values out of each other's registers.
  void exchanged(const WarpState& warp) { warps_[warp.index].accessed = warps_[warp.index].exchanged = true; }

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
    bool exchanged = false;
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

/// Fills in the properties of a phase from its steps [firstStep, endStep): kind, label, step size, threads,
/// cells, counters. `lastValue` is, by thread, the last value from the input that one of its
/// variables got.
void describePhase(Trace& trace, std::size_t phase, const std::vector<ProvenanceId>& lastValue);

}  // namespace lanescope
