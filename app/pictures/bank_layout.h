#pragma once

#include <vector>

#include "app/pictures/base/moment.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

/// The words that one lane requests from the banks.
struct LaneDemand {
  unsigned lane = 0;
  std::uint32_t thread = 0;
  std::uint32_t cell = 0;
  std::uint32_t word = 0;       ///< index in the block's shared memory, 4 bytes each
  std::uint32_t words = 1;      ///< how many words it spans
  unsigned bank = 0;            ///< the bank of the first word
  std::uint32_t wavefront = 0;  ///< the wavefront that serves it, from 0
};

/// A shared access as the banks see it.
struct BankRequest {
  std::vector<LaneDemand> lanes;                             ///< by bank, then wavefront, then lane
  std::vector<std::vector<std::uint32_t>> wordsOfWavefront;  ///< the requested words that each serves
  /// By bank: its wavefronts for lanes that are served together. A wide access that fills the banks takes one
  /// wavefront per half-warp and is of degree 1: no conflict.
  std::vector<unsigned> degree;
  std::uint32_t words = 0;  ///< different words of 4 bytes
  std::uint32_t banks = 0;  ///< banks requested
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal = 0;

  bool conflicts() const { return wavefronts > ideal; }
};

/// The request of a shared access; for another step it is empty.
BankRequest bankRequest(const Trace& trace, const Step& step);

/// The request of a shared access; empty for any other step.
std::uint32_t wordOfCell(const Trace& trace, std::uint32_t cell);
/// The index of a shared cell among the 4-byte words of the block's shared memory.
std::uint32_t sharedWords(const Trace& trace);

}  // namespace lanescope
