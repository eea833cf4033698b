#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/sass/machine_operation.h"
#include "sim/machine/run/launch.h"
#include "sim/memory/lanes.h"
#include "sim/memory/machine_model.h"

namespace lanescope {

using LaneWords = std::array<std::uint32_t, kMaxLanes>;
using LaneWide = std::array<std::uint64_t, kMaxLanes>;

/// Lanes of a warp that are at one place of the code.
struct WarpSplit {
  enum class State : std::uint8_t { Ready, AtReconvergence, AtWarpBarrier, AtBlockBarrier };
  std::size_t at = 0;  ///< index of the next instruction
  std::uint32_t mask = 0;
  State state = State::Ready;
  std::uint32_t awaited = 0;  ///< lanes, including exited ones
  unsigned barrier = 0;       ///< AtReconvergence: which
};

/// Data that all warps of a block share.
struct BlockConstants {
  Dim3 index;  ///< of the block
  Dim3 block;  ///< extents
  Dim3 grid;
  std::array<std::vector<std::byte>, 5> banks;  ///< of constants; an empty one is unknown
};

/// The registers of a warp.
struct MachineWarp {
  std::array<LaneWords, kZeroRegister + 1> registers{};
  std::array<std::uint32_t, kZeroUniform + 1> uniforms{};
  std::array<std::uint32_t, kTruePredicate + 1> predicates{};  ///< a bit for each lane
  std::array<std::uint32_t, kTruePredicate + 1> uniformPredicates{};
  std::array<std::array<std::uint32_t, 16>, kMaxLanes> barriers{};  ///< by lane: lanes that meet at each
  std::vector<WarpSplit> splits;
  std::uint32_t gone = 0;
  std::uint32_t present = 0;
  std::uint32_t index = 0;          ///< in the block
  std::uint32_t barrierVotes = 0;   ///< BAR.RED: lanes with a true condition
  std::uint32_t barrierResult = 0;  ///< of the block
  bool failed = false;              ///< an operand is of a kind that the instruction does not have here
  const BlockConstants* shared = nullptr;

  /// An operand's 32 bits in every lane, without its sign; `room` holds values that have no register of their
  /// own.
  const LaneWords& raw(const MachineOperand& operand, LaneWords& room);
  /// As an integer: negated or inverted if the operand says so.
  const LaneWords& whole(const MachineOperand& operand, LaneWords& room);
  /// As bits of a `float`.
  const LaneWords& real(const MachineOperand& operand, LaneWords& room);
  /// 64 bits: two registers from an operand's on, or a constant.
  LaneWide wide(const MachineOperand& operand, bool isSigned = true);
  /// As bits of a `double`.
  LaneWide wideReal(const MachineOperand& operand);
  /// A predicate as lanes.
  std::uint32_t lanes(const MachineOperand& operand) const;

  void set(const MachineOperand& destination, const LaneWords& values, std::uint32_t mask);
  void setWide(const MachineOperand& destination, const LaneWide& values, std::uint32_t mask);
  void setPredicate(const MachineOperand& destination, std::uint32_t values, std::uint32_t mask);
  std::uint32_t constant(unsigned bank, std::int64_t offset);
};

/// Sets the predicates of a comparison that holds in those lanes.
void combinePredicates(MachineWarp& warp, const MachineOperation& operation, std::uint32_t holds,
                       std::uint32_t mask);

/// The function that computes an instruction of that name; null if there is none.
MachineAction chooseAction(const MachineOperation& operation);
MachineAction findWholeAction(const MachineOperation& operation);
MachineAction findRealAction(const MachineOperation& operation);
MachineAction findExchangeAction(const MachineOperation& operation);

}  // namespace lanescope
