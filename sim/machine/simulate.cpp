#include "sim/machine/simulate.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <thread>

#include "sim/machine/block_runner.h"
#include "sim/machine/fuse.h"

namespace lanescope {
namespace {

/// The first fault of a launch by block, so that every run of it tells the same one where it can.
struct FaultRecord {
  std::mutex mutex;
  std::optional<Fault> fault;
  std::uint64_t block = 0;
};

/// Blocks a host thread takes at a time.
constexpr std::uint64_t kChunk = 16;

/// The lines that instructions come from: each site's number in `lines`.
struct SiteLines {
  SiteLines(const SourceText& source, const Bytecode& code) {
    for (const SourceSpan& site : code.sites) lines.push_back(source.lineOf(site));
    std::ranges::sort(lines);
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    for (const SourceSpan& site : code.sites) {
      const auto line = std::ranges::lower_bound(lines, source.lineOf(site));
      ofSite.push_back(static_cast<std::uint32_t>(line - lines.begin()));
    }
  }
  std::vector<std::uint32_t> lines;   ///< rising
  std::vector<std::uint32_t> ofSite;  ///< by site: index into lines
};

struct Shared {
  const Launch& launch;
  PreparedLaunch& prepared;
  RunControl& control;
  const SiteLines& lines;
  std::atomic<std::uint64_t> next{0};
  FaultRecord fault;
};

/// What one host thread counted, by line, and what its blocks printed.
struct Part {
  std::vector<Counters> lines;
  std::vector<Printed> printed;
};

void runBlocks(Shared& shared, Part& part) {
  LineHooks hooks(shared.lines.ofSite, shared.lines.lines.size());
  hooks.warpSize = shared.launch.machine.warpSize;
  BlockRunner<LineHooks> runner(shared.launch, shared.prepared, shared.control, hooks);
  const std::uint64_t blocks = shared.launch.grid.count();
  while (!shared.control.failed.load(std::memory_order_relaxed)) {
    const std::uint64_t first = shared.next.fetch_add(kChunk);
    if (first >= blocks) break;
    if (shared.launch.blocksBegun) shared.launch.blocksBegun->store(first, std::memory_order_relaxed);
    for (std::uint64_t block = first; block < std::min(first + kChunk, blocks); ++block) {
      const auto fault = runner.run(unlinear(block, shared.launch.grid));
      if (!fault) continue;
      const std::lock_guard lock(shared.fault.mutex);
      const bool isEcho = fault->kind == Fault::Kind::Stopped && shared.control.failed;
      if (!isEcho && (!shared.fault.fault || block < shared.fault.block)) {
        shared.fault.fault = fault;
        shared.fault.block = block;
      }
      shared.control.failed = true;
      return;
    }
  }
  part.lines = hooks.groups();
  part.printed = std::move(runner.printed());
}

/// What the host threads' blocks printed, in the order of blocks.
std::vector<PrintedText> printedTexts(const Launch& launch, const Bytecode& code, std::vector<Part>& parts) {
  std::vector<Printed> all;
  for (Part& part : parts) std::ranges::move(part.printed, std::back_inserter(all));
  std::ranges::stable_sort(all, {}, &Printed::block);
  std::vector<PrintedText> result;
  for (Printed& printed : all) {
    const std::uint32_t line = launch.source->lineOf(code.sites[printed.site]);
    result.push_back({printed.block, printed.thread, line, std::move(printed.text)});
  }
  return result;
}

/// Adds up what the host threads counted.
void countLines(const SiteLines& lines, const std::vector<Part>& parts, Simulation& result) {
  for (std::size_t l = 0; l < lines.lines.size(); ++l) {
    LineCounters line{lines.lines[l], {}};
    for (const Part& part : parts) line.counters += part.lines[l];
    if (line.counters == Counters{}) continue;
    result.counters += line.counters;
    result.lines.push_back(line);
  }
}

}  // namespace

Result<Simulation> simulate(const Launch& launch, unsigned threads, LaunchFault* fault, Pace pace) {
  auto prepared = prepare(launch);
  if (!prepared) return prepared.error();
  if (pace == Pace::Fast) fuse(*prepared, launch);
  RunControl control;
  control.instructionLimit = launch.limits.warpInstructions;
  control.blockLimit = launch.limits.blockInstructions;
  control.stop = launch.stop;
  const SiteLines lines(*launch.source, prepared->code);
  Shared shared{launch, *prepared, control, lines, {}, {}};
  const std::uint64_t chunks = (launch.grid.count() + kChunk - 1) / kChunk;
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, chunks));
  if (prepared->code.isOrderSensitive) threads = 1;  // every run gives the same
  std::vector<Part> parts(threads);
  {
    std::vector<std::jthread> helpers;
    for (unsigned t = 1; t < threads; ++t) {
      helpers.emplace_back([&, t] { runBlocks(shared, parts[t]); });
    }
    runBlocks(shared, parts[0]);
  }
  if (shared.fault.fault) {
    if (fault != nullptr) *fault = {*shared.fault.fault, unlinear(shared.fault.block, launch.grid), true};
    return faultError(launch, *prepared, unlinear(shared.fault.block, launch.grid), *shared.fault.fault);
  }
  Simulation result;
  result.kernel = prepared->code.kernelName;
  result.executed = control.instructions.load();
  countLines(lines, parts, result);
  result.printed = printedTexts(launch, prepared->code, parts);
  for (std::size_t b = 0; b < prepared->memory.bufferCount(); ++b) {
    const std::size_t argument = prepared->memory.argumentOf(b);
    const std::span<const std::byte> bytes = prepared->memory.buffer(b);
    const VariableRegister& parameter = prepared->code.variables[prepared->code.parameters[argument]];
    if (!parameter.type->elementIsConst) {
      result.outputs.push_back({argument, sumOf(bytes, launch.arguments[argument].type), fnv1a(bytes)});
    }
  }
  result.buffers = std::move(prepared->memory).takeBuffers();
  return result;
}

Result<Counters> observeBlock(const Launch& launch, std::uint64_t block, Observer& observer) {
  auto prepared = prepare(launch);
  if (!prepared) return prepared.error();
  RunControl control;
  control.instructionLimit = launch.limits.warpInstructions;
  control.blockLimit = launch.limits.blockInstructions;
  control.stop = launch.stop;
  if (block > 0) {
    NoHooks none;
    BlockRunner<NoHooks> runner(launch, *prepared, control, none);
    for (std::uint64_t b = 0; b < block; ++b) {
      const Dim3 index = unlinear(b, launch.grid);
      if (launch.blocksBegun) launch.blocksBegun->store(b, std::memory_order_relaxed);
      if (const auto fault = runner.run(index)) return faultError(launch, *prepared, index, *fault);
    }
  }
  ObservingHooks hooks;
  hooks.warpSize = launch.machine.warpSize;
  hooks.observer = &observer;
  BlockRunner<ObservingHooks> runner(launch, *prepared, control, hooks);
  const Dim3 index = unlinear(block, launch.grid);
  if (const auto fault = runner.run(index)) return faultError(launch, *prepared, index, *fault);
  return hooks.counters;
}

}  // namespace lanescope
