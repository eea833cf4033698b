#pragma once

#include <string>
#include <vector>

#include "app/scene/moment.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

/// What one lane asks of the banks.
struct LaneDemand {
  unsigned lane = 0;
  std::uint32_t thread = 0;
  std::uint32_t cell = 0;
  std::uint32_t word = 0;   ///< of the block's shared memory, a bank's width each
  std::uint32_t words = 1;  ///< that it spans
  unsigned bank = 0;
  std::uint32_t pass = 0;  ///< the pass that serves it, from 0
};

/// A shared access as the banks see it.
struct BankRequest {
  std::vector<LaneDemand> lanes;  ///< by bank, then pass, then lane
  std::vector<unsigned> degree;   ///< by bank: different words asked of it
  std::uint32_t words = 0;        ///< different words in all
  std::uint32_t banks = 0;        ///< banks asked
  std::uint32_t passes = 0;
  std::uint32_t ideal = 0;
};

/// The request of a shared access; for another step it is empty.
BankRequest bankRequest(const Trace& trace, const Step& step);

/// The word of the block's shared memory (in bank widths) that a shared cell lies in.
std::uint32_t wordOfCell(const Trace& trace, std::uint32_t cell);
/// Words of shared memory in use.
std::uint32_t sharedWords(const Trace& trace);

}  // namespace lanescope
