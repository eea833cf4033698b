#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/sass/machine_warp.h"
#include "sim/sass/access_sites.h"
#include "sim/machine/run/prepare.h"

namespace lanescope {

/// Global, shared and local memory, as machine code addresses them.
class MachineMemory {
 public:
  /// `sharedBegin`: the address of the first byte of a block's shared memory.
  MachineMemory(PreparedLaunch& prepared, const MachineModel& machine, std::uint32_t sharedBegin);

  void beginBlock();
  /// All lanes of a warp have passed a barrier: it now sees the updates of other warps.
  void barrierPassed() { updatedBy_.clear(); }
  /// Performs an access for the lanes of `mask` and returns its cost. An error is in why().
  AccessCost access(MachineWarp& warp, const MachineOperation& operation, std::uint32_t mask);
  const std::string& why() const { return why_; }
  /// An update of shared memory in a loop met another warp's: how often it is repeated depends on time.
  bool depends() const { return depends_; }

 private:
  struct Request {
    LaneWide addresses{};
    std::uint32_t mask = 0;
    unsigned bytes = 4;
  };
  std::byte* at(std::uint64_t address, unsigned bytes, bool isShared);
  void load(MachineWarp& warp, const MachineOperation& operation, const Request& request, bool isShared);
  void store(MachineWarp& warp, const MachineOperation& operation, const Request& request, bool isShared);
  void update(MachineWarp& warp, const MachineOperation& operation, const Request& request, bool isShared,
              std::uint32_t through);
  AccessCost computeCost(const MachineOperation& operation, const Request& request,
                         std::uint32_t& through) const;
  void local(MachineWarp& warp, const MachineOperation& operation, const Request& request);

  PreparedLaunch& prepared_;
  const MachineModel& machine_;
  std::uint32_t sharedBegin_;
  std::vector<std::byte> shared_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> local_;  ///< by thread and address: words
  std::map<std::uint64_t, std::uint32_t> updatedBy_;                        ///< by shared word, a warp
  std::string why_;
  bool depends_ = false;
};

}  // namespace lanescope
