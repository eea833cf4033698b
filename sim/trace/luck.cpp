#include "sim/trace/luck.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/machine/run/block_runner.h"
#include "sim/memory/argument.h"
#include "sim/trace/order_runner.h"

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
  std::vector<std::uint64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  if (pick == Order::Pick::Reversed) std::ranges::reverse(numbers);
  if (pick == Order::Pick::Random) {
    // Not std::shuffle: its sequence differs between standard libraries, and seeds must not.
    for (std::size_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[random() % i]);
  }
  return numbers;
}

namespace {

/// The most bytes of registers for an order.
constexpr std::uint64_t kMaxFrameBytes = std::uint64_t{1} << 30;
/// The most blocks that are put into another order.
constexpr std::uint64_t kMaxBlocks = std::uint64_t{1} << 24;
/// An order may take this many times the instructions of the first run: 32 lanes alone, and as much again
/// for waiting. Beyond that it is called endless.
constexpr std::uint64_t kSlack = 64;
/// Every thread of a block can read the word it waits for so often that all other threads get to run.
constexpr std::uint64_t kWaitSteps = std::uint64_t{1} << 14;

/// If the limit is met, a block that took more than one part in so many of all is called endless.
constexpr std::uint64_t kEndlessShare = 2;

constexpr const char* kNeverEnds = "threads that wait for each other never continue: an endless loop.";

/// A warp whose lanes all run in step can wait for lanes of its own, which no GPU since Volta does: if every
/// order of the lanes ends, such an order that never ends means nothing.
void dropStuckWarps(LuckReport& report) {
  std::vector<OrderOutcome>& orders = report.orders;
  const std::size_t tried = orders.size();
  const auto isStuck = [](Order::Units units) {
    return [units](const OrderOutcome& outcome) {
      return outcome.order.units == units && outcome.failure == kNeverEnds;
    };
  };
  if (std::ranges::none_of(orders, isStuck(Order::Units::Lanes)))
    std::erase_if(orders, isStuck(Order::Units::Warps));
  report.leftOut = tried - orders.size();
  if (report.leftOut == 0) return;
  report.leftOutText = fmt::format(
      "{} of {} orders {} left out, those of whole warps that never end: lanes of a warp that run in step "
      "wait for "
      "each other there, which GPUs since Volta do not do; the orders of single lanes all end.",
      report.leftOut, tried, report.leftOut == 1 ? "is" : "are");
}

using Buffers = std::vector<std::vector<std::byte>>;

template <class T>
T elementAs(const std::vector<std::byte>& bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof value);
  return value;
}

/// The shortest digits that name the value; for a whole number every digit, since none is rounded.
template <class Real>
std::string realText(Real value) {
  constexpr Real kAllDigits = 9007199254740992.0;  // 2^53
  const bool isWhole = std::abs(value) < kAllDigits && value == std::trunc(value);
  return isWhole ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

std::string elementText(ArgumentType type, const std::vector<std::byte>& bytes, std::size_t index) {
  return withElement(type, [&]<class Element>(Element /*any*/) {
    const auto number = asNumber(elementAs<Element>(bytes, index));
    if constexpr (std::is_integral_v<Element>)
      return fmt::format("{}", number);
    else
      return realText(number);
  });
}

/// The distance between neighbouring values of a type at 1; 0 for whole numbers.
double typeEpsilon(ArgumentType type) {
  return withElement(type, []<class Element>(Element /*any*/) -> double {
    if constexpr (std::is_class_v<Element>)
      return std::is_same_v<Element, Half> ? 0x1p-10 : 0x1p-7;
    else
      return std::numeric_limits<Element>::epsilon();
  });
}

bool isClose(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

class Trial {
 public:
  explicit Trial(const Launch& launch) : launch_(launch) {}

  Result<LuckReport> run(const LuckOptions& options);

 private:
  std::optional<Error> runInOrder(std::uint64_t instructionLimit, const Error& tooLarge);
  Result<OrderOutcome> tryOrder(const Order& order);
  void keep();
  void compare(OrderOutcome& outcome) const;
  bool isRounding(ArgumentType type, const std::vector<std::byte>& other, std::size_t buffer,
                  std::size_t index) const;
  void conclude(LuckReport& report) const;
  std::string askedFor() const;

  const Launch& launch_;
  std::optional<PreparedLaunch> prepared_;
  DeviceMemory started_;  ///< the buffers' contents before each order
  Buffers expected_;      ///< from the first order that ended: simulate()'s own, if it did
  bool isKnown_ = false;
  OrderOutcome inOrder_;
  SourceSpan stuckAt_;  ///< the place where that order does not end
  std::uint64_t limit_ = 0;
  std::uint64_t spent_ = 0;
  bool sumsFloats_ = false;
  std::optional<SourceSpan> orderTeller_;  ///< the code that lets the kernel see the order it runs in
};

Result<OrderOutcome> Trial::tryOrder(const Order& order) {
  prepared_->memory = started_;
  OrderOutcome outcome;
  outcome.order = order;
  PausingHooks hooks;
  RunControl control;
  control.instructionLimit = limit_;
  control.stop = launch_.stop;
  OrderRunner runner(launch_, *prepared_, control, hooks, order);
  std::mt19937 random(order.seed);
  for (const std::uint64_t block : sequence(order.blocks, launch_.grid.count(), random)) {
    const Dim3 index = unlinear(block, launch_.grid);
    const OrderRunner::Outcome end = runner.run(index);
    if (end.fault) {
      const Error error = faultError(launch_, *prepared_, index, *end.fault);
      if (end.fault->kind == Fault::Kind::Stopped) return error;
      outcome.failure = end.fault->kind == Fault::Kind::StepLimit ? kNeverEnds : error.message;
    } else if (!end.deadlock.empty()) {
      outcome.failure = end.deadlock;
    } else {
      continue;
    }
    outcome.verdict = LuckVerdict::Fails;
    break;
  }
  spent_ += control.instructions;
  if (outcome.verdict == LuckVerdict::Fails) return outcome;
  if (!isKnown_) keep();
  compare(outcome);
  return outcome;
}

/// The sum of n terms in another order moves by about sqrt(n) roundings; four times that is rounding.
bool Trial::isRounding(ArgumentType type, const std::vector<std::byte>& other, std::size_t buffer,
                       std::size_t index) const {
  if (!sumsFloats_ || !isFloating(type)) return false;
  const double terms = std::sqrt(static_cast<double>(launch_.grid.count() * launch_.block.count()));
  return withElement(type, [&]<class Element>(Element /*any*/) {
    const auto toNumber = [&](const std::vector<std::byte>& bytes) {
      return static_cast<double>(asNumber(elementAs<Element>(bytes, index)));
    };
    return isClose(toNumber(expected_[buffer]), toNumber(other), 4 * terms * typeEpsilon(type));
  });
}

void Trial::compare(OrderOutcome& outcome) const {
  for (std::size_t b = 0; b < expected_.size(); ++b) {
    const std::span<const std::byte> bytes = std::as_const(prepared_->memory).buffer(b);
    if (std::ranges::equal(bytes, expected_[b])) continue;
    const std::vector<std::byte> other(bytes.begin(), bytes.end());
    const std::size_t argument = prepared_->memory.findArgument(b);
    const BufferName& named = prepared_->bufferNames[b];
    const bool isPlain =
        argument < launch_.arguments.size() && !named.isMember && !launch_.arguments[argument].isStruct;
    const ArgumentType type = isPlain ? launch_.arguments[argument].type : ArgumentType::U8;
    const std::size_t size = elementBytes(type);
    for (std::size_t e = 0; (e + 1) * size <= other.size(); ++e) {
      if (std::memcmp(other.data() + e * size, expected_[b].data() + e * size, size) == 0) continue;
      ++outcome.differing;
      const LuckVerdict verdict =
          isRounding(type, other, b, e) ? LuckVerdict::Rounding : LuckVerdict::Depends;
      if (verdict <= outcome.verdict) continue;  // the first of the most severe is reported
      outcome.verdict = verdict;
      outcome.array = named.name;
      outcome.index = e;
      outcome.expected = elementText(type, expected_[b], e);
      outcome.found = elementText(type, other, e);
    }
  }
}

/// A kernel that reads the order on purpose has no race: a ticket, or __activemask().
std::string Trial::askedFor() const {
  if (!orderTeller_) return "";
  return fmt::format(" The value that line {} gives always depends on the order.",
                     launch_.source->findLine(*orderTeller_));
}

void Trial::conclude(LuckReport& report) const {
  const OrderOutcome* worst = nullptr;
  for (const OrderOutcome& outcome : report.orders) {
    if (worst == nullptr || outcome.verdict > worst->verdict) worst = &outcome;
  }
  report.verdict = worst == nullptr ? LuckVerdict::Same : worst->verdict;
  const std::string tried = fmt::format("{} orders ({} seeds)", report.orders.size(), report.seedsTried);
  switch (report.verdict) {
    case LuckVerdict::Same:
      report.sentence = fmt::format("Not luck, as far as {} can show: each produces the same bytes.", tried);
      break;
    case LuckVerdict::Rounding:
      report.sentence = fmt::format(
          "Only rounding: of {}, some produce floating-point sums that differ only as the order of addition "
          "allows (with {}, {}[{}] is {}, as run {}); integers are exact.",
          tried, worst->order.name(), worst->array, worst->index, worst->found, worst->expected);
      break;
    case LuckVerdict::Depends:
      report.sentence = fmt::format(
          "The result is luck: it depends on an order that CUDA does not promise. With {}, {}[{}] is {}; "
          "as run it was {} ({} differ{}). Neither is to be relied on.",
          worst->order.name(), worst->array, worst->index, worst->found, worst->expected,
          counted(worst->differing, "element"), worst->differing == 1 ? "s" : "");
      report.sentence += askedFor();
      break;
    case LuckVerdict::Fails:
      report.sentence = fmt::format("That it ends without an error is luck: with {}, {}", worst->order.name(),
                                    worst->failure);
      break;
  }
}

void Trial::keep() {
  for (std::size_t b = 0; b < prepared_->memory.bufferCount(); ++b) {
    const auto bytes = prepared_->memory.buffer(b);
    expected_.emplace_back(bytes.begin(), bytes.end());
  }
  isKnown_ = true;
}

/// As simulate() does, on one host thread: blocks in order, the same every time; blocks that wait for others
/// continue behind the last one. A block that passes its limit of steps may still end in another order: then
/// the outcome is unknown, and there is no Error. If many blocks pass the limit of all together, the launch
/// is `tooLarge`.
std::optional<Error> Trial::runInOrder(std::uint64_t instructionLimit, const Error& tooLarge) {
  PreparedLaunch& prepared = *prepared_;
  NoHooks none;
  RunControl control;
  control.instructionLimit = instructionLimit;
  control.blockLimit = launch_.limits.blockInstructions;
  control.stop = launch_.stop;
  ResidentBlocks<NoHooks> blocks(launch_, prepared.code(), prepared, control, none);
  limit_ = launch_.block.count() * kWaitSteps;
  for (std::uint64_t next = 0; next < launch_.grid.count() || blocks.anyWaits();) {
    const std::uint64_t before = control.instructions;
    const bool begins = next < launch_.grid.count() && !blocks.isFull();
    const auto launchFault = begins ? blocks.begin(next++) : blocks.resume();
    if (!launchFault) continue;
    const Fault& fault = launchFault->fault;
    if (fault.kind != Fault::Kind::StepLimit) return faultError(launch_, prepared, launchFault->block, fault);
    const std::uint64_t own = control.instructions - before;
    if (begins && !fault.isOfBlock && own * kEndlessShare < control.instructions) return tooLarge;
    inOrder_.verdict = LuckVerdict::Fails;
    inOrder_.failure = kNeverEnds;
    stuckAt_ = faultError(launch_, prepared, launchFault->block, fault).diagnostics.front().span;
    return std::nullopt;
  }
  limit_ += control.instructions * kSlack;
  keep();
  return std::nullopt;
}

Result<LuckReport> Trial::run(const LuckOptions& options) {
  auto prepared = prepare(launch_);
  if (!prepared) return prepared.error();
  prepared_ = std::move(*prepared);
  const Bytecode& code = prepared_->code();
  if (code.meetsGrid) {
    return Error{"Blocks that wait for each other are not run in other orders.",
                 "Ask about a kernel without the barrier of the grid."};
  }
  const Error tooLarge{"The launch is too large to be run in other orders.",
                       "Ask with fewer blocks or threads: luck shows on a small launch too.",
                       {}};
  if (launch_.grid.count() > kMaxBlocks ||
      OrderRunner::frameBytes(launch_, code, Order::Units::Lanes) > kMaxFrameBytes) {
    return tooLarge;
  }
  sumsFloats_ = std::ranges::any_of(code.code, sumsFloats);
  const auto teller = std::ranges::find_if(code.code, tellsOrder);
  if (teller != code.code.end()) orderTeller_ = code.sites[teller->site];
  const std::uint64_t affordable = options.instructionBudget / launch_.machine.warpSize;
  started_ = prepared_->memory;
  if (auto error = runInOrder(std::min(launch_.limits.warpInstructions, affordable), tooLarge)) return *error;
  LuckReport report;
  report.kernel = code.kernelName;
  report.seedsAsked = options.seeds;
  if (!isKnown_) report.orders.push_back(inOrder_);
  for (const Order& order : ordersToTry(options.seeds)) {
    if (order.seed > report.seedsTried) {
      if (spent_ > options.instructionBudget || (order.seed > 1 && !isKnown_)) break;
      report.seedsTried = order.seed;
    }
    auto outcome = tryOrder(order);
    if (!outcome) return outcome.error();
    report.orders.push_back(std::move(*outcome));
  }
  if (isKnown_) dropStuckWarps(report);
  if (!isKnown_) {
    return Error{
        fmt::format("{}:{}: a block of the launch never ends, or not within its limit, in any order.",
                    launch_.source->name(), launch_.source->findLine(stuckAt_)),
        "Look for a loop that never ends, or give the block less work.",
        {},
        true};
  }
  conclude(report);
  return report;
}

}  // namespace

std::string_view luckVerdictName(LuckVerdict verdict) {
  switch (verdict) {
    case LuckVerdict::Same: return "same";
    case LuckVerdict::Rounding: return "rounding";
    case LuckVerdict::Depends: return "depends";
    case LuckVerdict::Fails: return "fails";
  }
  return "";
}

Result<LuckReport> tryOrders(const Launch& launch, const LuckOptions& options) {
  return Trial(launch).run(options);
}

}  // namespace lanescope
