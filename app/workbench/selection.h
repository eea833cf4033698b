#pragma once

#include <cstdint>

#include "kernels/strategies/catalogue.h"
#include "sim/memory/machine_model.h"

namespace lanescope {

/// The run to step through: one block of a strategy over `n` elements, or of a file's kernel, on a machine.
struct Selection {
  const Strategy* strategy = nullptr;
  std::uint64_t n = 8;
  const MachineModel* machine = nullptr;
  std::uint64_t blocks = 1;    ///< that share the elements
  std::uint32_t block = 0;     ///< the one that is traced
  std::uint32_t document = 0;  ///< a file that the editor has opened, from 1; 0: the strategy's text
  std::uint64_t edition = 0;   ///< another number, another text or launch form; the editor sets it
  bool operator==(const Selection&) const = default;
};

}  // namespace lanescope
