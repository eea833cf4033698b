// How fast launches are simulated with everything counted, on all cores. Counters a run prints:
//   warp_instructions/s  what warps executed and the counters count, a second: accesses, assignments,
//                        branches, shuffles, barriers (arithmetic in between is not counted)
//   s_per_lane_op        seconds a lane of them: must not grow with the grid
#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>

#include "sim/machine/run/launch.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kBlock = 256;

Launch makeLaunch(std::string kernel, std::uint32_t blocks, std::uint64_t dynamicSharedBytes,
                  std::initializer_list<std::string> arguments) {
  const std::string path = LANESCOPE_SOURCE_DIR "/sim/tests/data/reductions.cu";
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  Launch launch;
  launch.source = std::make_shared<SourceText>("reductions.cu", text.str());
  launch.kernel = std::move(kernel);
  launch.grid.x = blocks;
  launch.block.x = kBlock;
  launch.dynamicSharedBytes = dynamicSharedBytes;
  for (const std::string& argument : arguments) launch.arguments.push_back(parseArgument(argument).value());
  return launch;
}

void measure(benchmark::State& state, const Launch& launch) {
  Counters done;
  for (auto _ : state) {
    const auto simulation = simulate(launch);
    if (!simulation) return state.SkipWithError(simulation.error().sentence().c_str());
    done += simulation->counters;
  }
  const auto instructions = static_cast<double>(done.instructions);
  state.counters["warp_instructions/s"] = benchmark::Counter(instructions, benchmark::Counter::kIsRate);
  state.counters["s_per_lane_op"] = benchmark::Counter(
      static_cast<double>(done.lanes), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// Sequential addressing, one float per thread: state.range(0) floats.
void sequentialAddressing(benchmark::State& state) {
  const auto blocks = static_cast<std::uint32_t>(state.range(0) / kBlock);
  measure(state,
          makeLaunch("no_bank_conflict", blocks, kBlock * sizeof(float),
                     {"f32:hash:" + std::to_string(state.range(0)), "f32:zero:" + std::to_string(blocks)}));
}
BENCHMARK(sequentialAddressing)
    ->RangeMultiplier(4)
    ->Range(1 << 16, 1 << 24)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// The four kernels of the article on shared memory over 16,777,216 ints; the argument is the data
/// blocks that a block adds up.
void sixteenMillionInts(benchmark::State& state, const std::string& kernel) {
  constexpr std::uint32_t kCount = 1u << 24;
  const auto blocks = kCount / kBlock / static_cast<std::uint32_t>(state.range(0));
  measure(state, makeLaunch(kernel, blocks, 0,
                            {"i32:hash:" + std::to_string(kCount), "i32:zero:" + std::to_string(blocks),
                             "u32=" + std::to_string(kCount)}));
}
void reduceGmem(benchmark::State& state) { sixteenMillionInts(state, "reduceGmem"); }
void reduceSmem(benchmark::State& state) { sixteenMillionInts(state, "reduceSmem"); }
void reduceGmemUnroll(benchmark::State& state) { sixteenMillionInts(state, "reduceGmemUnroll"); }
void reduceSmemUnroll(benchmark::State& state) { sixteenMillionInts(state, "reduceSmemUnroll"); }
BENCHMARK(reduceGmem)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(reduceSmem)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(reduceGmemUnroll)->Arg(4)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(reduceSmemUnroll)->Arg(4)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lanescope

BENCHMARK_MAIN();
