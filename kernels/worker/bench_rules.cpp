#include "kernels/worker/bench_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdio>

namespace lanescope {
namespace {

std::optional<std::uint64_t> parseNumber(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Error> checkBlock(std::uint32_t block) {
  const std::string blockText = "A block of " + std::to_string(block) + " threads";
  const std::string wanted = "Choose a power of two from 32 to 1024.";
  if (block == 0) return Error{"A block of 0 threads computes nothing.", wanted, {}};
  if (block > kMaxBenchBlock) return Error{blockText + " is over CUDA's limit of 1024.", wanted, {}};
  if (block < kMinBenchBlock) return Error{blockText + " is smaller than a warp.", wanted, {}};
  if (!std::has_single_bit(block)) {
    return Error{blockText + " cannot be halved down to one: these kernels need a power of two.", wanted, {}};
  }
  return std::nullopt;
}

std::optional<Error> checkSize(const Strategy& strategy, std::uint64_t n, std::uint32_t block) {
  const std::uint64_t elements = elementsPerBlock(strategy, block);
  if (n > 0 && n % elements == 0) return std::nullopt;
  return Error{"N = " + sizeText(n) + " is not a multiple of " + std::to_string(elements) +
                   ", the floats that a block of " + std::to_string(block) + " threads reduces with '" +
                   std::string(strategy.id) + "'.",
               "Choose another N or a smaller block.",
               {}};
}

}  // namespace

Result<std::vector<const Strategy*>> strategiesOf(const BenchRequest& request) {
  std::vector<const Strategy*> chosen;
  for (const std::string& id : request.strategies) {
    const Strategy* strategy = findStrategy(id);
    if (strategy == nullptr) {
      return Error{
          "There is no strategy '" + printable(id, 60) + "'.", "There are: " + strategyIds() + ".", {}};
    }
    if (std::find(chosen.begin(), chosen.end(), strategy) == chosen.end()) chosen.push_back(strategy);
  }
  if (chosen.empty()) {
    for (const Strategy& strategy : strategies()) chosen.push_back(&strategy);
  }
  if (!request.cold && !request.warm) {
    return Error{"Neither cold nor warm samples were asked for.", "Choose at least one of them.", {}};
  }
  if (request.n > kMaxBenchN) {
    return Error{
        "N = " + sizeText(request.n) + " is over 2^31, where the kernels' 32-bit indices end.", {}, {}};
  }
  if (auto problem = checkBlock(request.block)) return *problem;
  for (const Strategy* strategy : chosen) {
    if (auto problem = checkSize(*strategy, request.n, request.block)) return *problem;
  }
  return chosen;
}

Result<std::uint64_t> parseSize(std::string_view text) {
  if (const auto number = parseNumber(text)) return *number;
  if (text.starts_with("2^")) {
    const auto exponent = parseNumber(text.substr(2));
    if (exponent && *exponent < 64) return std::uint64_t{1} << *exponent;
  }
  return Error{"'" + printable(text, 40) + "' is no size.", "Write a number such as 16777216 or 2^24.", {}};
}

std::string sizeText(std::uint64_t n) {
  if (n >= 1024 && std::has_single_bit(n)) return "2^" + std::to_string(std::countr_zero(n));
  return std::to_string(n);
}

std::string bytesText(std::uint64_t bytes) {
  std::array<char, 32> text{};
  const double value = static_cast<double>(bytes);
  if (value >= 1e9) {
    std::snprintf(text.data(), text.size(), "%.1f GB", value / 1e9);
  } else {
    std::snprintf(text.data(), text.size(), "%.0f MB", std::max(1.0, value / 1e6));
  }
  return text.data();
}

std::uint64_t elementsPerBlock(const Strategy& strategy, std::uint32_t block) {
  return std::uint64_t{block} * strategy.elementsPerThread;
}

std::uint64_t bytesMoved(const Strategy& strategy, std::uint64_t n, std::uint32_t block) {
  return (n + n / elementsPerBlock(strategy, block)) * sizeof(float);
}

double gigabytesPerSecond(std::uint64_t bytes, double microseconds) {
  return microseconds > 0 ? static_cast<double>(bytes) / microseconds / 1e3 : 0.0;
}

}  // namespace lanescope
