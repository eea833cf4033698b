#pragma once

#include <cstdint>

#include "sim/memory/step_kind.h"

namespace lanescope {

enum class SharedAtomic : std::uint8_t;

/// One warp executing one operation of the source: counters count it, observers are told of it, and a step of
/// a trace is made of it. An access was done; an exit and a fault are no instructions of the source.
struct Event {
  StepKind kind = StepKind::Assign;
  bool isResultUsed = false;        ///< atomics
  std::uint8_t bytes = 4;           ///< accesses: of each lane
  SharedAtomic sharedAtomic{};      ///< SharedAtomic
  std::uint16_t valueRegister = 0;  ///< accesses: what was loaded or stored
  std::uint32_t warpSize = 32;
  std::uint32_t active = 0;      ///< lanes that execute it
  std::uint32_t taken = 0;       ///< Branch: the active lanes whose condition holds
  std::uint32_t wavefronts = 0;  ///< accesses of shared memory, as the next two
  std::uint32_t idealWavefronts = 0;
  std::uint32_t loadWavefronts = 0;          ///< SharedAtomic: those of the wavefronts that load
  std::uint32_t sectors = 0;                 ///< accesses of global memory
  std::uint32_t constantAddresses = 0;       ///< ConstantLoad: different ones
  const std::uint64_t* addresses = nullptr;  ///< accesses: by lane; those of inactive lanes mean nothing
  const std::int8_t* sources = nullptr;      ///< Shuffle: the lane read by each lane, or its own

  constexpr bool isInstruction() const { return kind != StepKind::Exit && kind != StepKind::Fault; }
};

}  // namespace lanescope
