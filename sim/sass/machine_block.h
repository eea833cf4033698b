#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/sass/machine_memory.h"
#include "sim/sass/machine_run.h"

namespace lanescope {

/// The instructions of a kernel, read, and the targets of their branches.
struct MachineProgram {
  std::vector<MachineOperation> operations;
  std::vector<std::uint32_t> addresses;  ///< rising
};
Result<MachineProgram> makeProgram(const MachineCode& code);

/// Executes blocks in their order: the warps of each in turn, from barrier to barrier.
class MachineBlock {
 public:
  MachineBlock(const MachineProgram& program, MachineMemory& memory, BlockConstants constants,
               MachineRun& run, std::uint64_t mostIssued);

  /// Error: as runMachineCode().
  Result<bool> runBlock(Dim3 index);

 private:
  using State = WarpSplit::State;

  void begin(Dim3 index);
  bool runWarp(MachineWarp& warp);
  /// Runs a split until it waits, ends or has branched apart; false on an error, which is in why_.
  bool runSplit(MachineWarp& warp, std::size_t split);
  bool flow(MachineWarp& warp, WarpSplit& split, const MachineOperation& operation, std::uint32_t mask);
  void branch(MachineWarp& warp, WarpSplit& split, std::size_t target, std::uint32_t taken);
  void leave(MachineWarp& warp, WarpSplit& split, std::uint32_t lanes);
  /// Lets lanes continue together once all of them wait for each other.
  static bool join(MachineWarp& warp, State state);
  bool openBarrier();
  bool fail(const MachineOperation& operation, const std::string& why);

  const MachineProgram& program_;
  MachineMemory& memory_;
  BlockConstants constants_;
  MachineRun& run_;
  std::uint64_t left_;
  std::vector<MachineWarp> warps_;
  std::string why_;
};

}  // namespace lanescope
