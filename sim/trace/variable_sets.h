#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/memory/machine_model.h"
#include "sim/trace/pages.h"
#include "sim/trace/provenance.h"
#include "sim/trace/reads.h"
#include "sim/trace/steps.h"

namespace lanescope {

/// The values that a step gave one variable in lanes of its warp. The columns have one entry per lane, in the
/// lanes' order.
struct VariableSet {
  std::uint32_t variable = 0;
  LaneMask lanes = 0;
  std::uint32_t previous = kNoIndex;  ///< the warp's previous set of that variable, in any lanes
  std::uint32_t next = kNoIndex;      ///< the next set of the same step
  std::array<std::uint64_t, kMaxLanes> bits;
  std::array<ProvenanceId, kMaxLanes> from;
  std::array<ReadsId, kMaxLanes> reads;

  std::size_t count() const { return static_cast<std::size_t>(std::popcount(lanes)); }
  bool has(unsigned lane) const { return (lanes >> lane & 1U) != 0; }
  /// The entry of one of its lanes.
  std::size_t findKernelEntry(unsigned lane) const {
    return static_cast<std::size_t>(std::popcount(lanes & ((LaneMask{1} << lane) - 1)));
  }
};

/// All values that a trace's steps gave to variables, in few bytes: the lanes of a warp most often get one
/// value, values that count up, or short ones.
class VariableSets {
 public:
  /// Adds what one step set, at least one variable; returns the index of the first, and fills in `next` of
  /// each.
  std::uint32_t append(std::span<VariableSet> ofStep);
  /// Reads the set at that index.
  void read(std::uint32_t index, VariableSet& set) const;
  /// Their size in memory.
  std::size_t bytes() const { return bytes_.bytes(); }

 private:
  Pages<std::uint8_t> bytes_;
  std::vector<std::uint8_t> written_;  ///< used by append(), kept for its next call
};

}  // namespace lanescope
