#include <cstddef>
#include <cstdint>

#include "sim/fuzz/exercise.h"

// The name and form that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lanescope::fuzz::exerciseFrontEnd({reinterpret_cast<const char*>(data), size});
  return 0;
}
