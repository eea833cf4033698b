// Declarations that name each other and themselves: self_reference.h.
#include <cstddef>
#include <cstdint>

#include "sim/fuzz/exercise.h"
#include "sim/fuzz/self_reference.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lanescope::fuzz::exerciseFrontEnd(lanescope::fuzz::selfReferringText({data, size}));
  return 0;
}
