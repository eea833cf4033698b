#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/run/launch.h"

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

/// The effect of another order on the outputs, from harmless to worst.
enum class LuckVerdict : std::uint8_t {
  Same,      ///< not a byte differs
  Rounding,  ///< only floating values that atomics sum up differ, and by no more than rounding
  Depends,   ///< something else differs
  Fails,     ///< the kernel has a fault, waits forever or passes its limit of steps
};
std::string_view luckVerdictName(LuckVerdict verdict);

/// One order tried, and the first element that it left different.
struct OrderOutcome {
  Order order;
  LuckVerdict verdict = LuckVerdict::Same;
  std::string array;
  std::uint64_t index = 0;
  std::string expected;         ///< as simulate() leaves it
  std::string found;            ///< after this order
  std::uint64_t differing = 0;  ///< elements, over all buffers
  std::string failure;          ///< Fails: one sentence
};

struct LuckReport {
  std::string kernel;
  LuckVerdict verdict = LuckVerdict::Same;  ///< the worst of the orders
  std::vector<OrderOutcome> orders;
  unsigned seedsAsked = 0;
  unsigned seedsTried = 0;  ///< fewer than requested if the budget ended first
  std::size_t leftOut = 0;  ///< orders that were tried and mean nothing, see `leftOutText`
  std::string leftOutText;  ///< a sentence; empty: none
  std::string sentence;     ///< the verdict, as a sentence
};

struct LuckOptions {
  unsigned seeds = 8;
  /// Instructions over all orders; a lane that runs alone counts as a warp does. No further seed is
  /// begun past it.
  std::uint64_t instructionBudget = std::uint64_t{1} << 29;
};

/// Is the result luck? Runs the launch as simulate() does and then in other legal orders: warps reversed and
/// at random, lanes one by one between the points where they reconverge (independent thread scheduling),
/// blocks reversed and at random; and compares every buffer byte by byte. A launch that never ends in
/// simulate()'s order is compared with the first order that ends. Errors: all of simulate(); a launch too
/// large to be run dozens of times, or that ends in no order.
Result<LuckReport> tryOrders(const Launch& launch, const LuckOptions& options = {});

}  // namespace lanescope
