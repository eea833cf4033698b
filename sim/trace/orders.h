#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace lanescope {

/// One legal order of a launch's threads. Within a block, one unit runs at a time: each runs until it waits
/// (in order) or to its next access (at random). CUDA promises no order between warps, between lanes
/// of a warp since Volta, or between blocks.
struct Order {
  enum class Units : std::uint8_t { Warps, Lanes };
  enum class Pick : std::uint8_t { Forward, Reversed, Random };
  Units units = Units::Warps;
  Pick pick = Pick::Forward;
  Pick blocks = Pick::Forward;
  std::uint32_t seed = 0;  ///< for Pick::Random

  /// `warps at random, seed 3`.
  std::string name() const;
};

/// The orders to try, the surest to show a race first: the deterministic ones, then each kind of random order
/// for every seed from 1 to `seeds`.
std::vector<Order> ordersToTry(unsigned seeds);

/// The numbers 0 to count - 1 in the order of `pick`.
std::vector<std::uint64_t> sequence(Order::Pick pick, std::uint64_t count, std::mt19937& random);

}  // namespace lanescope
