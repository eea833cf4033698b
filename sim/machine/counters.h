#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lanescope {

/// What a launch did, counted as Nsight Compute counts it (rules: shared_banks.h, global_sectors.h).
struct Counters {
  std::uint64_t sharedLoadWavefronts = 0;
  std::uint64_t sharedStoreWavefronts = 0;
  std::uint64_t sharedAtomicWavefronts = 0;  ///< part of the shared wavefronts, neither load nor store
  std::uint64_t sharedIdealWavefronts = 0;
  std::uint64_t globalLoadRequests = 0;
  std::uint64_t globalStoreRequests = 0;
  std::uint64_t globalLoadSectors = 0;
  std::uint64_t globalStoreSectors = 0;
  std::uint64_t globalReductionSectors = 0;  ///< atomics whose result is not used
  std::uint64_t globalAtomicSectors = 0;     ///< atomics whose result is used
  std::uint64_t atomics = 0;                 ///< warp instructions, shared and global
  std::uint64_t barriers = 0;                ///< once per warp that executes one
  std::uint64_t shuffles = 0;                ///< once per warp instruction
  std::uint64_t instructions = 0;  ///< warp steps: accesses, shuffles, barriers, branches, assignments
  std::uint64_t activeLanes = 0;   ///< lanes active over those steps
  std::uint64_t lanes = 0;         ///< lanes there could have been (warp size x steps)
  std::uint64_t branches = 0;
  std::uint64_t divergentBranches = 0;  ///< active lanes went both ways

  std::uint64_t sharedWavefronts() const {
    return sharedLoadWavefronts + sharedStoreWavefronts + sharedAtomicWavefronts;
  }
  /// Wavefronts beyond the ideal: what conflicts cost.
  std::uint64_t bankConflicts() const { return sharedWavefronts() - sharedIdealWavefronts; }
  /// Share of lanes active, 0 to 1; 0 when nothing ran.
  double laneEfficiency() const {
    return lanes == 0 ? 0.0 : static_cast<double>(activeLanes) / static_cast<double>(lanes);
  }

  Counters& operator+=(const Counters& other);
  Counters& operator-=(const Counters& other);
  bool operator==(const Counters&) const = default;
};

/// A counter under the name Nsight Compute gives it.
struct NamedCounter {
  std::string_view name;
  std::uint64_t value;
};

/// The counters that the measurements carry, under Nsight Compute's names.
std::array<NamedCounter, 12> nsightCounters(const Counters& counters);

}  // namespace lanescope
