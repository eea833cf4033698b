#pragma once

#include <vector>

#include "app/scene/base/moment.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

/// What one lane asks of the banks.
struct LaneDemand {
  unsigned lane = 0;
  std::uint32_t thread = 0;
  std::uint32_t cell = 0;
  std::uint32_t word = 0;       ///< of the block's shared memory, 4 bytes each
  std::uint32_t words = 1;      ///< that it spans
  unsigned bank = 0;            ///< of the first
  std::uint32_t wavefront = 0;  ///< the wavefront that serves it, from 0
};

/// A shared access as the banks see it.
struct BankRequest {
  std::vector<LaneDemand> lanes;                             ///< by bank, then wavefront, then lane
  std::vector<std::vector<std::uint32_t>> wordsOfWavefront;  ///< the words asked for that each serves
  /// By bank: wavefronts that it works for lanes that go together. A wide access that fills the banks takes a
  /// wavefront for each half-warp and is of degree 1: no conflict.
  std::vector<unsigned> degree;
  std::uint32_t words = 0;  ///< different ones, of 4 bytes
  std::uint32_t banks = 0;  ///< banks asked
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal = 0;

  bool conflicts() const { return wavefronts > ideal; }
};

/// The request of a shared access; for another step it is empty.
BankRequest bankRequest(const Trace& trace, const Step& step);

/// The word of the block's shared memory, of 4 bytes, that a shared cell is.
std::uint32_t wordOfCell(const Trace& trace, std::uint32_t cell);
/// Words of shared memory in use.
std::uint32_t sharedWords(const Trace& trace);

}  // namespace lanescope
