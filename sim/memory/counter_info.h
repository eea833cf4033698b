#pragma once

#include <array>
#include <string>

#include "sim/memory/counters.h"

/// The name, group and meaning of each counter: the rows of counters.def, for all lists of counters.
namespace lanescope {

/// The subject of a group of counters. Lists are in this order unless a screen has its own.
enum class CounterGroup : std::uint8_t { Shared, Global, Synchronization, Branches, Instructions, Lanes };

/// The values that make a kernel better.
enum class Direction : std::uint8_t { Neutral, LowerIsBetter, HigherIsBetter };

/// Screens that list counters: the panel, two runs side by side, the table of all strategies, a source line's
/// tooltip, an experiment's kernels.
using CounterScreens = unsigned;
inline constexpr CounterScreens kPanel = 1;
inline constexpr CounterScreens kComparison = 2;
inline constexpr CounterScreens kTable = 4;
inline constexpr CounterScreens kLineTip = 8;
inline constexpr CounterScreens kExperiment = 16;

/// Why hardware counts fewer or more than the text implies.
namespace reasons {
inline constexpr std::string_view kKept =
    "The compiler kept a value in a register, or merged loads into wider ones.";
inline constexpr std::string_view kArbitration =
    "Arbitration: another warp's access, or a fill from memory, was in the way and the wavefront was "
    "repeated.";
inline constexpr std::string_view kFewerLoads =
    "The compiler merged loads into wider ones, kept a value in a register, or dropped one whose value "
    "nobody uses.";
inline constexpr std::string_view kMoreLoads =
    "Loads were split, or registers spilled to memory and were read back.";
inline constexpr std::string_view kFewerStores =
    "The compiler merged stores into wider ones, or dropped one that a later store overwrites.";
inline constexpr std::string_view kMoreStores = "Stores were split, or registers spilled to memory.";
inline constexpr std::string_view kFewerAtomics =
    "The compiler turned atomics on one address into one for each warp.";
inline constexpr std::string_view kDropped = "The compiler dropped or merged some of them.";
inline constexpr std::string_view kDuplicated =
    "The compiler unrolled or duplicated code that holds it, or a library function uses it.";
}  // namespace reasons

struct CounterInfo {
  std::uint64_t (*value)(const Counters&) = nullptr;
  std::uint64_t (*whole)(const Counters&) = nullptr;  ///< of a share: `value` is a part of it
  CounterGroup group = CounterGroup::Shared;
  std::string_view plain{};    ///< in plain words, `shared wavefronts`
  std::string_view nsight{};   ///< Nsight Compute's name; empty: it has none
  std::string_view name{};     ///< ours in JSON and CSV, used if `nsight` is empty
  std::string_view title{};    ///< in a list, if that is shorter
  std::string_view brief{};    ///< in the panel, if that is shorter still
  std::string_view meaning{};  ///< one sentence without its full stop
  CounterScreens screens = 0;
  Direction better = Direction::Neutral;
  bool isCost = false;       ///< shown in colour if it is over 0
  std::string_view fewer{};  ///< why hardware may count fewer
  std::string_view more{};   ///< why hardware may count more

  bool isShare() const { return whole != nullptr; }
  std::string_view listed() const { return title.empty() ? plain : title; }
  std::string_view briefly() const { return brief.empty() ? listed() : brief; }
  /// `36`, or `14%`. For a share of nothing, `none`.
  std::string text(const Counters& counters, std::string_view none) const;
};

inline constexpr std::array kCounters = {
#define ROW(counter, total, counterGroup, words, ...)             \
  CounterInfo{.value = [](const Counters& c) { return counter; }, \
              .whole = total,                                     \
              .group = CounterGroup::counterGroup,                \
              .plain = words __VA_OPT__(, ) __VA_ARGS__},
#define COUNTER(field, rule, ...) ROW(c.field, nullptr, __VA_ARGS__)
#define DERIVED(function, formula, ...) ROW(c.function(), nullptr, __VA_ARGS__)
#define SHARE(function, part, all, ...) \
  ROW(                                  \
      c.part, [](const Counters& c) { return c.all; }, __VA_ARGS__)
#include "sim/memory/counters.def"
#undef ROW
};

/// The counters that a screen lists: by group in the screen's order, within a group as in counters.def.
std::vector<const CounterInfo*> countersOn(CounterScreens screen);

}  // namespace lanescope
