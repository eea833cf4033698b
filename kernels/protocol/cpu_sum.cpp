#include "kernels/protocol/cpu_sum.h"

#include <algorithm>
#include <array>
#include <thread>
#include <vector>

namespace lanescope {
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
