#include "kernels/protocol/expected_iterations.h"

#include "kernels/protocol/julia_iterations.h"

namespace lanescope {

std::uint32_t expectedIterations(std::uint64_t i, std::uint64_t width, std::uint64_t height) {
  return julia::iterationsAt(i, width, height);
}

std::size_t countWrongIterations(std::span<const float> values, std::uint64_t stride, std::uint64_t width,
                                 std::uint64_t height) {
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool isRight = values[k] == static_cast<float>(expectedIterations(k * stride, width, height));
    wrong += isRight ? 0 : 1;  // a NaN is wrong
  }
  return wrong;
}

}  // namespace lanescope
