#include "sim/fuzz/exercise.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "sim/language/check/checker.h"
#include "sim/language/check/typed_tree.h"
#include "sim/language/parse/syntax.h"
#include "sim/machine/run/bind_arguments.h"
#include "sim/machine/run/launch.h"
#include "sim/machine/run/prepare.h"
#include "sim/trace/hazards.h"
#include "sim/trace/luck.h"
#include "sim/trace/replay.h"
#include "sim/trace/run.h"

namespace lanescope::fuzz {
namespace {

constexpr std::size_t kMaxKernels = 4;

/// Ends the program with a sentence: the simulator contradicted itself.
void mustHold(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

std::uint64_t computeHash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash ^ (hash >> 29);
}

/// The names under which the first kernels of a text can be launched; templates also with arguments.
std::vector<std::string> launchableNames(const ParsedText& text) {
  std::vector<std::string> names;
  for (const std::string& name : kernelNames(text)) {
    if (names.size() == kMaxKernels) break;
    for (const char* arguments : {"", "<32>", "<float>", "<int, 64>"}) {
      if (!checkKernel(text, name + arguments)) continue;
      names.push_back(name + arguments);
      break;
    }
  }
  return names;
}

/// As a launch of the fuzzer has it: numbers that loops and guards make something of.
Argument argumentFor(const Type& type) {
  Argument argument = exampleArgument(type, 256);
  if (!argument.isBuffer && !argument.isStruct) {
    argument.integer = 64;
    argument.real = 1.5;
  }
  return argument;
}

Launch launchFor(const ParsedText& text, const std::string& name, std::uint64_t hash) {
  static constexpr std::array<std::uint32_t, 6> kBlocks = {1, 16, 32, 33, 64, 96};
  Launch launch;
  launch.source = text.source;
  launch.kernel = name;
  launch.machine = machinePresets()[hash % machinePresets().size()];
  launch.block.x = kBlocks[hash / 8 % kBlocks.size()];
  launch.block.y = 1 + hash / 64 % 2;
  launch.grid.x = 1 + static_cast<std::uint32_t>(hash / 128 % 3);
  launch.dynamicSharedBytes = 512;
  launch.limits.warpInstructions = 20000;
  launch.limits.memoryBytes = 4u << 20;
  launch.limits.traceBytes = 1u << 19;
  if (const auto kernel = checkKernel(text, name)) {
    const std::size_t own = kernel->parameters.size() - kernel->symbols.size();
    for (std::size_t p = 0; p < own; ++p)
      launch.arguments.push_back(argumentFor(*kernel->variables[kernel->parameters[p]].type));
  }
  return launch;
}

void exerciseTrace(const Launch& launch) {
  const auto trace = recordTrace(launch);
  if (!trace) return;
  Replay replay(std::make_shared<const Trace>(*trace));
  const ReplayState start = replay.state();
  const auto steps = static_cast<std::uint32_t>(trace->steps.size());
  replay.seek(steps);
  mustHold(replay.state().counters == trace->total, "a replay to the end counts what the block counted");
  while (replay.back(Grain::Phase)) {
  }
  mustHold(replay.state() == start, "back at the start the state is what it was");
  for (int i = 0; i < 50 && replay.forward(Grain::Wavefront); ++i) {
  }
}

void exerciseLaunch(const Launch& launch, std::uint64_t hash) {
  const auto first = simulate(launch, 1);
  const auto second = simulate(launch, 2);
  mustHold(first.ok() == second.ok(), "two runs of a launch end alike");
  if (first.ok()) {
    mustHold(first->counters == second->counters, "two runs of a launch count the same");
    mustHold(first->buffers == second->buffers, "two runs of a launch give the same");
  }
  HazardOptions options;
  options.accessLimit = 4096;
  (void)findHazards(launch, options);
  exerciseTrace(launch);
  if (hash / 1024 % 8 == 0) (void)tryOrders(launch, {1, 1u << 13});
}

}  // namespace

void exerciseFrontEnd(std::string_view text) {
  if (text.size() <= kMaxTextBytes) exerciseFrontEnd(SourceText("fuzz.cu", std::string(text)));
}

void exerciseFrontEnd(SourceText source) {
  const ParsedText parsed(std::make_shared<const SourceText>(std::move(source)));
  (void)checkKernel(parsed, "");
  (void)syntax::deviceText(*parsed.source, {});
  for (const std::string& name : launchableNames(parsed)) {
    (void)prepare(launchFor(parsed, name, 2));
    (void)syntax::deviceText(*parsed.source, name);
  }
}

void exerciseExecution(std::string_view text) {
  if (text.size() > kMaxTextBytes) return;
  const ParsedText parsed(std::make_shared<const SourceText>("fuzz.cu", std::string(text)));
  const std::uint64_t hash = computeHash(text);
  for (const std::string& name : launchableNames(parsed)) exerciseLaunch(launchFor(parsed, name, hash), hash);
}

}  // namespace lanescope::fuzz
