#include "kernels/protocol/expected_results.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include "kernels/protocol/reference_values.h"

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

template <class T>
SumCheck checkRange(std::span<const T> sums, std::uint64_t elements, std::size_t begin, std::size_t end) {
  const double tolerance = std::is_same_v<T, float> ? blockSumTolerance(elements) : 0;
  SumCheck check;
  for (std::size_t b = begin; b < end; ++b) {
    const double expected = expectedSum(b * elements, elements);
    const double got = static_cast<double>(sums[b]);
    check.expected += expected;
    check.got += got;
    const bool right = std::abs(got - expected) <= tolerance;  // false for NaN
    if (!right && check.wrongBlocks++ == 0) check.firstWrong = b;
  }
  return check;
}

/// Calls part(p) for p = 0 … parts - 1, as many at a time as there are cores.
template <class F>
void inParts(std::size_t parts, F part) {
  std::vector<std::jthread> threads;
  for (std::size_t p = 1; p < parts; ++p) threads.emplace_back(part, p);
  part(0);
}

std::size_t partsFor(std::uint64_t work) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return std::clamp<std::size_t>(work / kElementsPerThread, 1, std::min<std::size_t>(cores, 64));
}

}  // namespace

double blockSumTolerance(std::uint64_t elements) {
  const double largest = static_cast<double>(elements) * kLargestInput;
  if (largest < 0x1p24) return 0;
  return static_cast<double>(elements - 1) * 0x1p-24 * largest;
}

template <class T>
SumCheck checkBlockSums(std::span<const T> sums, std::uint64_t elements) {
  const std::size_t parts = partsFor(sums.size() * elements);
  std::vector<SumCheck> checks(parts);
  inParts(parts, [&](std::size_t part) {
    checks[part] =
        checkRange<T>(sums, elements, sums.size() * part / parts, sums.size() * (part + 1) / parts);
  });
  SumCheck all;
  for (const SumCheck& check : checks) {
    if (all.wrongBlocks == 0 && check.wrongBlocks > 0) all.firstWrong = check.firstWrong;
    all.expected += check.expected;
    all.got += check.got;
    all.wrongBlocks += check.wrongBlocks;
  }
  return all;
}

template SumCheck checkBlockSums<float>(std::span<const float>, std::uint64_t);
template SumCheck checkBlockSums<double>(std::span<const double>, std::uint64_t);
template SumCheck checkBlockSums<std::int32_t>(std::span<const std::int32_t>, std::uint64_t);

double expectedTotal(std::uint64_t n) {
  static std::mutex mutex;
  static std::uint64_t lastN = 0;
  static double lastSum = 0;
  const std::scoped_lock lock(mutex);
  if (n == lastN) return lastSum;
  const std::size_t parts = partsFor(n);
  std::vector<double> sums(parts);
  inParts(parts, [&](std::size_t part) {
    const std::uint64_t begin = n / parts * part;
    sums[part] = expectedSum(begin, part + 1 == parts ? n - begin : n / parts);
  });
  lastN = n;
  lastSum = 0;
  for (const double sum : sums) lastSum += sum;
  return lastSum;
}

double totalTolerance(std::uint64_t n, std::uint64_t additions) {
  if (static_cast<double>(n) * kLargestInput < 0x1p24) return 0;
  return static_cast<double>(additions) * 0x1p-24 * expectedTotal(n);
}

double wrappedToInt(double sum) {
  if (!(std::abs(sum) < 0x1p62)) return 0;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)));
}

SumCheck checkTotal(double got, std::uint64_t n, std::uint64_t additions, ElementType type) {
  SumCheck check{.expected = expectedTotal(n), .got = got};
  if (type == ElementType::Int) check.expected = wrappedToInt(check.expected);
  const double tolerance = type == ElementType::Float ? totalTolerance(n, additions) : 0;
  check.wrongBlocks = std::abs(got - check.expected) <= tolerance ? 0 : 1;  // NaN is wrong
  return check;
}

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

namespace {

constexpr std::size_t kLanes = 64;
constexpr std::size_t kChunk = 4096;

float sumOfChunk(std::span<const float> chunk) {
  std::array<float, kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= chunk.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += chunk[i + lane];
  }
  float sum = 0;
  for (; i < chunk.size(); ++i) sum += chunk[i];
  for (const float lane : lanes) sum += lane;
  return sum;
}

double sumOfPart(std::span<const float> part) {
  double sum = 0;
  while (!part.empty()) {
    const auto chunk = part.first(std::min(kChunk, part.size()));
    sum += static_cast<double>(sumOfChunk(chunk));
    part = part.subspan(chunk.size());
  }
  return sum;
}

}  // namespace

double cpuSum(std::span<const float> elements, unsigned threads) {
  const std::size_t parts = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
  if (parts == 1) return sumOfPart(elements);
  std::vector<double> sums(parts);
  {
    std::vector<std::jthread> workers;
    for (std::size_t p = 0; p < parts; ++p) {
      const std::size_t begin = elements.size() * p / parts;
      const std::size_t end = elements.size() * (p + 1) / parts;
      workers.emplace_back(
          [&sums, p, part = elements.subspan(begin, end - begin)] { sums[p] = sumOfPart(part); });
    }
  }
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

}  // namespace lanescope
