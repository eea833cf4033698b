#include "kernels/worker/block_sums.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "kernels/worker/input_pattern.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kElementsPerThread = 1U << 22U;  // below this a thread costs more than it saves

/// The sum of inputElement over [begin, begin + count), exact: whole numbers far below 2^53.
double expectedSum(std::uint64_t begin, std::uint64_t count) {
  double even = 0;
  double odd = 0;
  std::uint64_t i = begin;
  const std::uint64_t end = begin + count;
  for (; i + 1 < end; i += 2) {
    even += inputElement(i);
    odd += inputElement(i + 1);
  }
  return even + odd + (i < end ? inputElement(i) : 0);
}

SumCheck checkRange(std::span<const float> sums, std::uint64_t elements, std::size_t begin, std::size_t end) {
  const double tolerance = blockSumTolerance(elements);
  SumCheck check;
  for (std::size_t b = begin; b < end; ++b) {
    const double expected = expectedSum(b * elements, elements);
    const double got = sums[b];
    check.expected += expected;
    check.got += got;
    const bool right = std::abs(got - expected) <= tolerance;  // false for NaN
    if (!right && check.wrongBlocks++ == 0) check.firstWrong = b;
  }
  return check;
}

}  // namespace

double blockSumTolerance(std::uint64_t elements) {
  const double largest = static_cast<double>(elements) * kLargestInput;
  if (largest < 0x1p24) return 0;
  return static_cast<double>(elements - 1) * 0x1p-24 * largest;
}

SumCheck checkBlockSums(std::span<const float> sums, std::uint64_t elements) {
  const std::uint64_t work = sums.size() * elements;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t parts =
      std::clamp<std::size_t>(work / kElementsPerThread, 1, std::min<std::size_t>(cores, 64));
  std::vector<SumCheck> checks(parts);
  const auto checkPart = [&](std::size_t part) {
    checks[part] = checkRange(sums, elements, sums.size() * part / parts, sums.size() * (part + 1) / parts);
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t part = 1; part < parts; ++part) threads.emplace_back(checkPart, part);
    checkPart(0);
  }
  SumCheck all;
  for (const SumCheck& check : checks) {
    if (all.wrongBlocks == 0 && check.wrongBlocks > 0) all.firstWrong = check.firstWrong;
    all.expected += check.expected;
    all.got += check.got;
    all.wrongBlocks += check.wrongBlocks;
  }
  return all;
}

}  // namespace lanescope
