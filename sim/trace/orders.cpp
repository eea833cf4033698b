#include "sim/trace/orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace lanescope {

std::string Order::name() const {
  if (blocks == Pick::Reversed) return "blocks reversed";
  if (blocks == Pick::Random) return fmt::format("blocks at random, seed {}", seed);
  const std::string_view what = units == Units::Warps ? "warps" : "lanes";
  switch (pick) {
    case Pick::Forward: return units == Units::Warps ? "warps in order" : "lanes one by one";
    case Pick::Reversed: return units == Units::Warps ? "warps reversed" : "lanes one by one, reversed";
    case Pick::Random: break;
  }
  return fmt::format("{} at random, seed {}", what, seed);
}

std::vector<Order> ordersToTry(unsigned seeds) {
  using Units = Order::Units;
  using Pick = Order::Pick;
  std::vector<Order> orders = {{Units::Warps, Pick::Reversed, Pick::Forward, 0},
                               {Units::Lanes, Pick::Forward, Pick::Forward, 0},
                               {Units::Lanes, Pick::Reversed, Pick::Forward, 0},
                               {Units::Warps, Pick::Forward, Pick::Reversed, 0}};
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    orders.push_back({Units::Warps, Pick::Random, Pick::Forward, seed});
    orders.push_back({Units::Lanes, Pick::Random, Pick::Forward, seed});
    orders.push_back({Units::Warps, Pick::Forward, Pick::Random, seed});
  }
  return orders;
}

std::vector<std::uint64_t> sequence(Order::Pick pick, std::uint64_t count, std::mt19937& random) {
  std::vector<std::uint64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  if (pick == Order::Pick::Reversed) std::ranges::reverse(numbers);
  if (pick == Order::Pick::Random) {
    // Not std::shuffle: its sequence differs between standard libraries, and seeds must not.
    for (std::size_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[random() % i]);
  }
  return numbers;
}

}  // namespace lanescope
