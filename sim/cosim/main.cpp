// lanescope-cosim: random kernels for a GPU to run, and the simulator's results of them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "sim/cosim/generator.h"
#include "sim/machine/run/launch.h"

namespace {

using namespace lanescope;

/// The host's part of a batch: launches every kernel and prints `SEED HASH`.
constexpr std::string_view kHost = R"(
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s failed: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

static void run(const char* name, void (*kernel)(unsigned*, const unsigned*), dim3 grid, dim3 block, size_t words) {
  std::vector<unsigned> in(1024), result(words);
  for (unsigned i = 0; i < in.size(); ++i) in[i] = ((i * 2654435761u) >> 16) % 100u;
  unsigned *deviceIn = nullptr, *out = nullptr;
  check(cudaMalloc(&deviceIn, in.size() * 4), name);
  check(cudaMalloc(&out, words * 4), name);
  check(cudaMemcpy(deviceIn, in.data(), in.size() * 4, cudaMemcpyHostToDevice), name);
  check(cudaMemset(out, 0, words * 4), name);
  kernel<<<grid, block>>>(out, deviceIn);
  check(cudaDeviceSynchronize(), name);
  check(cudaMemcpy(result.data(), out, words * 4, cudaMemcpyDeviceToHost), name);
  check(cudaFree(deviceIn), name);
  check(cudaFree(out), name);
  unsigned long long hash = 1469598103934665603ull;
  for (size_t i = 0; i < words * 4; ++i) hash = (hash ^ ((const unsigned char*)result.data())[i]) * 0x100000001b3ull;
  std::printf("%s %016llx\n", name + 1, hash);
}

int main() {
)";

std::string batch(std::uint64_t first, std::uint64_t count) {
  std::string text;
  std::string calls;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const cosim::RandomKernel kernel = cosim::generate(seed);
    text += kernel.text;
    calls += fmt::format("  run(\"{0}\", {0}, dim3({1}, {2}, {3}), dim3({4}, {5}, {6}), {7});\n", kernel.name,
                         kernel.grid.x, kernel.grid.y, kernel.grid.z, kernel.block.x, kernel.block.y,
                         kernel.block.z, kernel.outputWords);
  }
  return text + std::string(kHost) + calls + "}\n";
}

int simulateAll(std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const auto simulation = simulate(cosim::makeLaunch(cosim::generate(seed)));
    if (!simulation) {
      fmt::print(stderr, "{}: {}\n", seed, simulation.error().sentence());
      return 1;
    }
    fmt::print("{} {:016x}\n", seed, simulation->outputs[0].fnv1a);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Random kernels: their text for a GPU, and the simulator's results. See sim/cosim/README.md."};
  std::uint64_t first = 1;
  std::uint64_t count = 1;
  bool simulates = false;
  app.add_option("--first", first, "first seed")->capture_default_str();
  app.add_option("--count", count, "how many")->capture_default_str();
  app.add_flag("--simulate", simulates, "print `SEED HASH` by the simulator, not the CUDA program");
  CLI11_PARSE(app, argc, argv);
  if (simulates) return simulateAll(first, count);
  fmt::print("{}", batch(first, count));
  return 0;
}
