#include "kernels/protocol/bench_options.h"

#include "kernels/protocol/bench_blocks.h"
#include "kernels/protocol/size_option.h"

namespace lanescope {

void addBenchOptions(CLI::App& command, BenchOptions& options) {
  command.add_option("--strategies", options.strategies, "ids, and cub (default: every reduction that can)")
      ->delimiter(',');
  command.add_option("--n", options.sizes, "elements: 16777216, 2^24, or several: 2^10,2^20 (default 2^24)")
      ->delimiter(',');
  command
      .add_option("--block", options.block, "threads per block: a power of two from 32 to 1024 (default 256)")
      ->transform(sizeFrom(0, UINT32_MAX));
  auto* const blocks =
      command
          .add_option("--blocks", options.blocks,
                      "blocks of the kernels that stride over their grid, or several: 132,264 (default: the "
                      "strategy's own choice); the others keep their grids")
          ->delimiter(',');
  command
      .add_option("--elements-per-thread", options.elementsPerThread,
                  "the same, as the most elements per thread on average, or several: 8,64")
      ->delimiter(',')
      ->excludes(blocks);
  command.add_option("--cache", options.caches, "cold (L2 flushed before each sample), warm, or both")
      ->delimiter(',')
      ->check(CLI::IsMember({"cold", "warm"}));
  command
      .add_option("--scope", options.scopes,
                  "kernel (a strategy's kernel alone), full (all that one value takes, CUB beside), or both")
      ->delimiter(',')
      ->check(CLI::IsMember({"kernel", "full"}));
  command.add_option("--element", options.elements, "float, double, int, or several")
      ->delimiter(',')
      ->check(CLI::IsMember({"float", "double", "int"}));
  command.add_option("--max-samples", options.maxSamples, "the most samples of a series (default 40)")
      ->check(CLI::Range(1u, 10000u));
}

Result<std::vector<BenchRequest>> makeRequests(const BenchOptions& options) {
  BenchRequest request;
  request.strategies = options.strategies;
  request.block = options.block;
  request.maxSamples = options.maxSamples;
  request.minSeconds = options.minSeconds;
  request.cold = request.warm = false;
  for (const std::string& cache : options.caches) (cache == "warm" ? request.warm : request.cold) = true;
  std::vector<BenchRequest> requests;
  for (const std::string& scope : options.scopes) {
    request.scope = scope == "full" ? Scope::Full : Scope::Kernel;
    for (const std::string& element : options.elements) {
      for (const ElementType type : {ElementType::Float, ElementType::Double, ElementType::Int}) {
        if (element == elementTypeName(type)) request.type = type;
      }
      for (const std::string& size : options.sizes) {
        const auto n = parseSize(size);
        if (!n) return n.error();
        request.n = *n;
        const auto blocks = blocksAskedFor(options.blocks, options.elementsPerThread, *n, request.block);
        if (!blocks) return blocks.error();
        const auto chosen = requestsOver(request, *blocks);
        if (!chosen) return chosen.error();
        for (const BenchRequest& one : *chosen) {
          requests.push_back(one);
          requests.back().run = requests.size();
        }
      }
    }
  }
  return requests;
}

}  // namespace lanescope
