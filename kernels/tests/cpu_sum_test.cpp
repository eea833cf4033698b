#include "kernels/protocol/expected_results.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/protocol/reference_values.h"

namespace lanescope {
namespace {

TEST(CpuSum, IsExactForEveryLengthAndNumberOfThreads) {
  std::vector<float> elements;
  double expected = 0;
  for (std::size_t n = 0; n < 20000; ++n) {
    if (n % 997 == 0 || n < 130) {
      for (const unsigned threads : {0U, 1U, 3U}) ASSERT_EQ(cpuSum(elements, threads), expected) << n;
    }
    elements.push_back(static_cast<float>(inputElement(n)));
    expected += inputElement(n);
  }
}

}  // namespace
}  // namespace lanescope
