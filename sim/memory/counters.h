#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// The work of one warp at one operation of the source: the unit of counting, and a step of a trace.
enum class StepKind : std::uint8_t {
  SharedLoad,
  SharedStore,
  SharedAtomic,
  GlobalLoad,
  GlobalStore,
  GlobalAtomic,
  ConstantLoad,  ///< of a `__constant__` variable, through the constant cache
  Shuffle,
  Reduce,        ///< the numbers of all lanes are joined: __reduce_add_sync
  Vote,          ///< what lanes make of a condition or a key of each: __ballot_sync, __activemask
  Branch,        ///< a condition of if, loop, ?: or switch was decided
  Assign,        ///< a variable got a value
  BlockBarrier,  ///< __syncthreads: the warp arrives
  WarpBarrier,   ///< __syncwarp
  Print,         ///< printf
  Exit,          ///< the warp's last lane left the kernel
  Fault,         ///< the operation that ended the block: it was not done
};
constexpr std::size_t kStepKinds = static_cast<std::size_t>(StepKind::Fault) + 1;

enum class AccessKind : std::uint8_t { Load, Store, Atomic };

/// Loads, stores and atomics of one memory. A load of constant memory is of neither.
constexpr bool isShared(StepKind kind) {
  return kind == StepKind::SharedLoad || kind == StepKind::SharedStore || kind == StepKind::SharedAtomic;
}
constexpr bool isGlobal(StepKind kind) {
  return kind == StepKind::GlobalLoad || kind == StepKind::GlobalStore || kind == StepKind::GlobalAtomic;
}
/// Of any memory.
constexpr bool isAccess(StepKind kind) {
  return isShared(kind) || isGlobal(kind) || kind == StepKind::ConstantLoad;
}
/// Reads and writes in one: an atomic of either memory.
constexpr bool isAtomic(StepKind kind) {
  return kind == StepKind::SharedAtomic || kind == StepKind::GlobalAtomic;
}
/// Changes a word of either memory: a store or an atomic.
constexpr bool isWrite(StepKind kind) {
  return kind == StepKind::SharedStore || kind == StepKind::GlobalStore || isAtomic(kind);
}
/// A lane gets values out of other lanes' registers.
constexpr bool exchangesRegisters(StepKind kind) {
  return kind == StepKind::Shuffle || kind == StepKind::Reduce;
}
/// What an access does.
constexpr AccessKind toAccessKind(StepKind kind) {
  if (isAtomic(kind)) return AccessKind::Atomic;
  return isWrite(kind) ? AccessKind::Store : AccessKind::Load;
}
/// An access of shared or of global memory.
constexpr StepKind toStepKind(AccessKind kind, bool isOfShared) {
  switch (kind) {
    case AccessKind::Load: return isOfShared ? StepKind::SharedLoad : StepKind::GlobalLoad;
    case AccessKind::Store: return isOfShared ? StepKind::SharedStore : StepKind::GlobalStore;
    case AccessKind::Atomic: break;
  }
  return isOfShared ? StepKind::SharedAtomic : StepKind::GlobalAtomic;
}

enum class SharedAtomic : std::uint8_t;

/// One warp executing one operation of the source: counters count it, observers are notified, and a step of
/// a trace is made of it. An access was done; an exit and a fault are no instructions of the source.
struct Event {
  StepKind kind = StepKind::Assign;
  bool isResultUsed = false;        ///< atomics
  std::uint8_t bytes = 4;           ///< accesses: of each lane
  SharedAtomic sharedAtomic{};      ///< SharedAtomic
  std::uint16_t valueRegister = 0;  ///< accesses: what was loaded or stored
  std::uint32_t warpSize = 32;
  std::uint32_t active = 0;      ///< lanes that execute it
  std::uint32_t taken = 0;       ///< Branch: the active lanes whose condition holds
  std::uint32_t wavefronts = 0;  ///< accesses of shared memory, as the next two
  std::uint32_t idealWavefronts = 0;
  std::uint32_t loadWavefronts = 0;          ///< SharedAtomic: those of the wavefronts that load
  std::uint32_t sectors = 0;                 ///< accesses of global memory
  std::uint32_t constantAddresses = 0;       ///< ConstantLoad: different ones
  const std::uint64_t* addresses = nullptr;  ///< accesses: by lane; those of inactive lanes mean nothing
  const std::int8_t* sources = nullptr;      ///< Shuffle: the lane read by each lane, or its own

  constexpr bool isInstruction() const { return kind != StepKind::Exit && kind != StepKind::Fault; }
};

/// The counts of a launch, by Nsight Compute's rules: the fields and functions are the rows of counters.def.
struct Counters {
#define COUNTER(field, ...) std::uint64_t field = 0;
#define DERIVED(function, formula, ...) \
  std::uint64_t function() const { return formula; }
#define SHARE(function, part, whole, ...)                                             \
  double function() const {                                                           \
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole); \
  }
#include "sim/memory/counters.def"

  Counters& operator+=(const Counters& other);
  Counters& operator-=(const Counters& other);
  bool operator==(const Counters&) const = default;
};

/// Most warps are full, and counting bits is a loop unless the processor has an instruction for it.
constexpr unsigned lanesIn(std::uint32_t active) {
  return active == ~0u ? 32u : static_cast<unsigned>(std::popcount(active));
}

/// Adds the event's counts. Inlined, so that for a kind known to the compiler the
/// rules of other kinds cost nothing.
[[gnu::always_inline]] inline void count(Counters& counters, const Event& e) {
#define COUNTER(field, rule, ...) counters.field += (rule);
#include "sim/memory/counters.def"
}

/// A counter under its name in JSON and CSV.
struct NamedCounter {
  std::string_view name;
  std::uint64_t value;
};

/// The counters that Nsight Compute measures, under its names.
std::vector<NamedCounter> nsightCounters(const Counters& counters);

/// Every counter of a launch or of a part of one: Nsight Compute's, then ours.
std::vector<NamedCounter> allCounters(const Counters& counters);

// The name, group and meaning of each counter: the rows of counters.def, for all lists of counters.

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
    "The compiler merged loads into wider ones, kept a value in a register, or dropped one whose value is "
    "unused.";
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
