#include "sim/machine/run/execution.h"

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

#include "sim/machine/run/bind_arguments.h"
#include "sim/machine/run/block_runner.h"
#include "sim/machine/run/launch.h"
#include "sim/machine/run/prepare.h"
#include "sim/memory/device_memory.h"

namespace lanescope {

template std::optional<Fault> WarpRunner<NoHooks>::run(WarpState& warp);
template class BlockRunner<NoHooks>;
template class ResidentBlocks<NoHooks>;

namespace {

/// Blocks that a host thread takes at a time.
constexpr std::uint64_t kChunk = 16;

/// Blocks counted before the number of instructions per block is known.
constexpr std::uint64_t kFirstCounted = 64;

Counters computeTotal(const std::vector<Counters>& groups) {
  Counters total;
  for (const Counters& group : groups) total += group;
  return total;
}

}  // namespace

Execution::SiteLines::SiteLines(const CompiledKernel& kernel) : lines(kernel.lineOfSite) {
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  for (const std::uint32_t line : kernel.lineOfSite)
    ofSite.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(lines, line) - lines.begin()));
}

Execution::Execution(const Launch& launch, PreparedLaunch prepared, unsigned threads, Pace pace)
    : launch_(launch),
      prepared_(std::move(prepared)),
      threads_(threads == 0 ? std::max(1u, std::thread::hardware_concurrency()) : threads),
      pace_(pace),
      lines_(*prepared_.kernel),
      observing_(lines_.ofSite, lines_.lines.size()),
      counted_(lines_.lines.size()) {
  if (prepared_.code().isOrderSensitive) threads_ = 1;  // every run gives the same
  control_.instructionLimit = launch.limits.warpInstructions;
  control_.blockLimit = launch.limits.blockInstructions;
  control_.printedCalls = launch.limits.printedCalls;
  control_.stop = launch.stop;
  control_.paddedTo = launch.paddedTo;
  observing_.observer = &observers_;
}

Execution::~Execution() = default;

Counters Execution::observe(std::span<Observer* const> observers) {
  if (prepared_.code().meetsGrid) {
    runTo(launch_.grid.count());
    return computeTotal(counted_);
  }
  if (!observed_) {
    observed_ = std::make_unique<BlockRunner<ObservingHooks>>(launch_, prepared_.code(), prepared_, control_,
                                                              observing_);
  }
  observers_.assign(observers);
  if (launch_.blocksBegun) launch_.blocksBegun->store(next_, std::memory_order_relaxed);
  Counters own = computeTotal(observing_.groups());
  const std::uint64_t block = observedBlock_ = next_++;
  ++countedBlocks_;
  if (const auto fault = observed_->run(unlinear(block, launch_.grid)))
    fault_ = {*fault, unlinear(block, launch_.grid)};
  if (!fault_ && observed_->stalls()) {
    threads_ = 1;
    countedBlocks_ += launch_.grid.count() - next_;
    runRange<LineHooks>(launch_.grid.count());
    observed_->abandon();
  }
  Counters after = computeTotal(observing_.groups());
  return after -= own;
}

const Bytecode& Execution::fastCode() {
  if (pace_ == Pace::Plain || prepared_.code().readsClock) return prepared_.code();
  if (!fast_) fast_ = fused(prepared_, launch_);
  return *fast_;
}

template <class Hooks>
void Execution::keep(const Hooks& hooks, PrintedLines& printed) {
  if constexpr (Hooks::kCounts) {
    for (std::size_t l = 0; l < counted_.size(); ++l) counted_[l] += hooks.groups()[l];
  }
  std::ranges::move(printed.lines(), std::back_inserter(printed_));
  unprinted_ += printed.lost();
}

template <class Hooks>
void Execution::runBlocks(const Bytecode& code, Range& range) {
  Hooks hooks = [&] {
    if constexpr (Hooks::kCounts)
      return Hooks(lines_.ofSite, lines_.lines.size());
    else
      return Hooks{};
  }();
  ResidentBlocks<Hooks> blocks(launch_, code, prepared_, control_, hooks);
  const auto failsWith = [&](const std::optional<LaunchFault>& fault) {
    if (fault) fail(*fault, range);
    return fault.has_value();
  };
  // Blocks that wait continue when no other can begin: they may wait for any other block.
  while (!control_.failed.load(std::memory_order_relaxed)) {
    const std::uint64_t first = range.next.fetch_add(kChunk);
    if (first >= range.end) break;
    if (launch_.blocksBegun) launch_.blocksBegun->store(first, std::memory_order_relaxed);
    for (std::uint64_t block = first; block < std::min(first + kChunk, range.end); ++block) {
      while (blocks.isFull()) {
        if (failsWith(blocks.resume()) || failsWith(resumeObserved())) return;
      }
      if (failsWith(blocks.begin(block))) return;
    }
  }
  while (blocks.anyWaits() || (observed_ && observed_->stalls())) {
    if (failsWith(blocks.resume()) || failsWith(resumeObserved())) return;
  }
  const std::lock_guard lock(range.mutex);
  keep(hooks, blocks.printed());
}

/// Ends the launch, unless a block before this one has ended it.
void Execution::fail(const LaunchFault& fault, Range& range) {
  const std::lock_guard lock(range.mutex);
  const bool isEcho = fault.fault.kind == Fault::Kind::Stopped && control_.failed;
  const std::uint64_t block = linear(fault.block, launch_.grid);
  if (!isEcho && block < next_) {
    fault_ = fault;
    next_ = block;  // the first of the faults so far
  }
  control_.failed = true;
}

/// The observed block continues where it waits for others; those run on this thread alone then.
std::optional<LaunchFault> Execution::resumeObserved() {
  if (!observed_ || !observed_->stalls()) return std::nullopt;
  const auto fault = observed_->resume();
  return fault ? std::optional(LaunchFault{*fault, unlinear(observedBlock_, launch_.grid)}) : std::nullopt;
}

/// Runs all blocks of a cooperative launch, each in turn up to the barrier of the grid, once per meeting.
void Execution::runTogether() {
  const Bytecode& code = fastCode();
  LineHooks hooks(lines_.ofSite, lines_.lines.size());
  std::vector<std::unique_ptr<BlockRunner<LineHooks>>> runners;
  const auto resume = [&](std::size_t block) {
    const bool begins = block == runners.size();
    if (begins)
      runners.push_back(std::make_unique<BlockRunner<LineHooks>>(launch_, code, prepared_, control_, hooks));
    const auto fault = begins ? runners[block]->run(unlinear(block, launch_.grid)) : runners[block]->resume();
    if (fault) fault_ = {*fault, unlinear(block, launch_.grid)};
    return !fault;
  };
  const auto any = [&](auto test) { return std::ranges::any_of(runners, test); };
  for (std::size_t block = 0; block < launch_.grid.count() && resume(block);) ++block;
  while (!fault_) {
    const bool anyStalls = any([](const auto& runner) { return runner->stalls(); });
    if (!anyStalls && !any([](const auto& runner) { return runner->waitsForGrid(); })) break;
    // While any block still waits for others' writes, only such blocks continue; then the barrier opens.
    for (std::size_t block = 0; block < runners.size() && !fault_; ++block) {
      BlockRunner<LineHooks>& runner = *runners[block];
      if (anyStalls ? !runner.stalls() : !runner.waitsForGrid()) continue;
      if (!anyStalls) runner.passGrid();
      resume(block);
    }
  }
  next_ = launch_.grid.count();
  countedBlocks_ = next_;
  PrintedLines printed(control_.printedCalls);
  for (const auto& runner : runners) printed.take(runner->printed());
  keep(hooks, printed);
}

std::uint64_t Execution::blocksToCount(std::uint64_t end) const {
  const std::uint64_t rest = end - next_;
  if (countedInstructions_ == UINT64_MAX) return rest;
  if (countedInstructions_ == 0) return 0;
  if (countedBlocks_ == 0) return std::min(rest, kFirstCounted);
  const std::uint64_t done = control_.instructions.load(std::memory_order_relaxed);
  if (done >= countedInstructions_) return 0;
  const std::uint64_t perBlock = std::max<std::uint64_t>(1, done / countedBlocks_);
  const std::uint64_t more = (countedInstructions_ - done) / perBlock;
  return more < kChunk ? 0 : std::min(rest, more);
}

template <class Hooks>
void Execution::runRange(std::uint64_t end) {
  const Bytecode& code = fastCode();
  Range range;
  range.next = next_;
  range.end = end;
  const std::uint64_t chunks = (end - next_ + kChunk - 1) / kChunk;
  next_ = end;
  std::vector<std::jthread> helpers;
  for (std::uint64_t t = 1; t < std::min<std::uint64_t>(threads_, chunks); ++t)
    helpers.emplace_back([&] { runBlocks<Hooks>(code, range); });
  runBlocks<Hooks>(code, range);
}

void Execution::runTo(std::uint64_t end) {
  if (isOver() || next_ >= end) return;
  if (prepared_.code().meetsGrid) return runTogether();
  while (!fault_ && next_ < end) {
    const std::uint64_t counted = blocksToCount(end);
    if (counted == 0) return runRange<NoHooks>(end);
    countedBlocks_ += counted;
    runRange<LineHooks>(next_ + counted);
  }
}

std::optional<LaunchFault> Execution::tolerated() const {
  if (!control_.tolerated) return std::nullopt;
  return LaunchFault{control_.tolerated->fault, unlinear(control_.tolerated->block, launch_.grid)};
}

std::vector<LaunchFault> Execution::unwritten() const {
  std::vector<LaunchFault> faults;
  for (const auto& [site, found] : control_.unwritten)
    faults.push_back({found.fault, unlinear(found.block, launch_.grid)});
  return faults;
}

Simulation Execution::consume() {
  if (observed_) keep(observing_, observed_->printed());
  Simulation result;
  const Bytecode& code = prepared_.code();
  result.kernel = code.kernelName;
  result.executed = control_.instructions.load();
  result.countedBlocks = countedBlocks_;
  for (std::size_t l = 0; l < counted_.size(); ++l) {
    if (counted_[l] == Counters{}) continue;
    result.counters += counted_[l];
    result.lines.push_back({lines_.lines[l], counted_[l]});
  }
  std::ranges::stable_sort(printed_, {},
                           [](const Printed& each) { return std::pair(each.turn, each.block); });
  const auto kept =
      static_cast<std::size_t>(std::min<std::uint64_t>(printed_.size(), launch_.limits.printedCalls));
  result.unprinted = unprinted_ + printed_.size() - kept;
  for (Printed& printed : std::span(printed_).last(kept)) {
    result.printed.push_back(
        {printed.block, printed.thread, prepared_.kernel->lineOfSite[printed.site], std::move(printed.text)});
  }
  for (std::size_t b = 0; !prepared_.memory.isBorrowed() && b < prepared_.memory.bufferCount(); ++b) {
    const std::size_t index = prepared_.memory.findArgument(b);
    if (index >= launch_.arguments.size()) continue;  // a variable at file scope
    const std::span<const std::byte> bytes = prepared_.memory.buffer(b);
    const BufferName& named = prepared_.bufferNames[b];
    if (named.isMember ? named.isConst : code.parameterTypes[index]->elementIsConst) continue;
    const Argument& argument = launch_.arguments[index];
    const bool isPlain = !named.isMember && !argument.isStruct;
    result.outputs.push_back(
        {index, named.isMember ? named.name : "",
         isPlain ? argument.count : bytes.size() / named.element->size,
         isPlain ? computeSum(bytes, argument.type) : sumOfElements(bytes, *named.element), fnv1a(bytes)});
  }
  for (const typed::GlobalSymbol& symbol : code.symbols) result.symbols.push_back(symbol.name);
  result.buffers = std::move(prepared_.memory).releaseBuffers();
  return result;
}

Result<Simulation> simulate(const Launch& launch, unsigned threads, Pace pace) {
  auto prepared = prepare(launch);
  if (!prepared) return prepared.error();
  Execution execution(launch, std::move(*prepared), threads, pace);
  execution.runTo(launch.grid.count());
  if (execution.fault()) return execution.error();
  return execution.consume();
}

}  // namespace lanescope
