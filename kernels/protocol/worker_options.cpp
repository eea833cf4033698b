#include "kernels/protocol/worker_options.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "kernels/protocol/bench_rules.h"
#include "kernels/strategies/catalogue.h"
#include "kernels/strategies/experiment.h"

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

CLI::App* addExperimentCommand(CLI::App& app, ExperimentOptions& options) {
  CLI::App* const command = app.add_subcommand(
      "experiment", "Time the kernels of shipped experiments, those of each in one interleaved run");
  command->add_option("id", options.ids, "experiments, by id (default: all of them)");
  command
      ->add_option("--n", options.sizes,
                   "elements: 2^20, or several: 2^16,2^20 (default: the experiment's own)")
      ->delimiter(',');
  command->add_option("--max-samples", options.maxSamples, "the most samples of a series (default 40)")
      ->check(CLI::Range(1u, 10000u));
  command->add_option("--record", options.record, "Also write the messages to FILE: a recording")
      ->type_name("FILE");
  return command;
}

Result<std::vector<ExperimentRequest>> makeExperimentRequests(const ExperimentOptions& options) {
  std::vector<std::string> ids = options.ids;
  if (ids.empty()) {
    for (const Experiment& experiment : experiments()) ids.push_back(experiment.id);
  }
  std::vector<ExperimentRequest> requests;
  for (const std::string& id : ids) {
    if (findExperiment(id) == nullptr) return noSuchExperiment(id);
    if (options.sizes.empty()) requests.push_back({requests.size() + 1, id, 0, options.maxSamples});
    for (const std::string& size : options.sizes) {
      const auto n = parseSize(size);
      if (!n) return n.error();
      requests.push_back({requests.size() + 1, id, *n, options.maxSamples});
    }
  }
  return requests;
}

namespace {

std::string findArgument(Parameter parameter, const StrategyShape& shape) {
  switch (parameter) {
    case Parameter::In:
    case Parameter::B: return "f32:hash:" + std::to_string(shape.n);
    case Parameter::Out: return "f32:zero:" + std::to_string(shape.outElements);
    case Parameter::Partials: return "f32:zero:" + std::to_string(shape.blocks());
    case Parameter::Next: return "f32:hash:1";
    case Parameter::Scratch: return "f32:zero:" + std::to_string(shape.n);
    case Parameter::N: return "u32=" + std::to_string(shape.n);
    case Parameter::Width: return "u32=" + std::to_string(shape.width);
    case Parameter::Height: return "u32=" + std::to_string(shape.height);
    case Parameter::Counter: break;
  }
  return "u32:zero:1";
}

/// At most `asked` elements: the slowest kernels are timed only at smaller N.
std::uint64_t timedN(const Strategy& strategy, std::uint64_t asked) {
  return strategy.largestN == 0 ? asked : std::min(asked, strategy.largestN);
}

TextLaunch makeLaunch(const Strategy& strategy, const StrategyShape& shape) {
  TextLaunch launch;
  launch.text = strategy.source;
  launch.kernel = shape.kernel;
  launch.grid = {shape.gridX, shape.gridY, 1};
  launch.block = {shape.blockX, shape.blockY, 1};
  launch.dynamicSharedBytes = shape.dynamicSharedBytes;
  for (const Parameter parameter : strategy.parameters) {
    launch.arguments.push_back(findArgument(parameter, shape));
  }
  return launch;
}

Result<NamedLaunch> strategyLaunch(const Strategy& strategy, const LaunchOptions& options,
                                   std::uint32_t sms) {
  const auto asked = parseSize(options.n);
  if (!asked) return asked.error();
  const std::uint64_t n = timedN(strategy, *asked);
  const auto threads = readStrategyThreads(options.spec);
  if (!threads) return threads.error();
  constexpr std::uint32_t kWarp = 32;
  const auto shape = shapeOfThreads(strategy, n, *threads, ownMostBlocks(strategy, n, *threads, sms), kWarp);
  if (!shape) return shape.error();
  return NamedLaunch{std::string(strategy.id), n, makeLaunch(strategy, *shape)};
}

/// The experiment's kernels with its own blocks; work of the host has no launch.
Result<std::vector<NamedLaunch>> experimentLaunches(const Experiment& experiment,
                                                    const LaunchOptions& options, std::uint32_t sms) {
  const auto asked = parseSize(options.n);
  if (!asked) return asked.error();
  const auto variants = makeVariants(experiment);
  if (!variants) return variants.error();
  std::vector<NamedLaunch> launches;
  for (const Variant& variant : *variants) {
    if (variant.work != HostWork::None) continue;
    const std::uint64_t n = timedN(variant.strategy, std::min(*asked, experiment.n));
    const auto shape = variant.shape(n, sms, ElementType::Float);
    if (!shape) return shape.error();
    launches.push_back({variant.series, n, makeLaunch(variant.strategy, *shape)});
  }
  return launches;
}

Result<NamedLaunch> fileLaunch(const std::string& target, const LaunchOptions& options) {
  std::error_code code;
  const auto bytes = std::filesystem::file_size(target, code);
  if (code) {
    return Error{"'" + printable(target) + "' is neither a strategy nor an experiment nor a file.",
                 nearestStrategiesText(target)};
  }
  if (bytes > kMaxKernelTextBytes) return Error{"'" + printable(target) + "' is larger than 1 MiB."};
  LaunchSpec spec = options.spec;
  if (spec.kernel.empty() || spec.block.empty())
    return Error{"A file needs --kernel NAME and --block X[,Y[,Z]] (and --grid, --arg)."};
  if (spec.grid.empty()) spec.grid = "1";
  if (spec.dynamicShared.empty()) spec.dynamicShared = "0";
  const auto grid = spec.readGrid();
  if (!grid) return grid.error();
  const auto block = spec.readBlock();
  if (!block) return block.error();
  const auto bytesOfShared = spec.readDynamicShared();
  if (!bytesOfShared) return bytesOfShared.error();
  TextLaunch launch;
  std::ostringstream text;
  text << std::ifstream(target, std::ios::binary).rdbuf();
  launch.text = text.str();
  launch.kernel = spec.kernel;
  launch.grid = {grid->x, grid->y, grid->z};
  launch.block = {block->x, block->y, block->z};
  launch.dynamicSharedBytes = *bytesOfShared;
  launch.arguments = std::move(spec.arguments);
  return NamedLaunch{{}, 0, std::move(launch)};
}

}  // namespace

void addLaunchOptions(CLI::App& command, LaunchSpec& launch) {
  command.add_option("--kernel", launch.kernel, "the kernel: name or 'name<128>'");
  command.add_option("--grid", launch.grid, "blocks: X[,Y[,Z]], each as 1024 or 2^10");
  command.add_option("--block", launch.block, "threads per block: X[,Y[,Z]]");
  command.add_option("--dynamic-shared", launch.dynamicShared, "bytes of dynamic shared memory per block")
      ->transform(sizeFrom(0, 0x7fffffff))
      ->type_name("UINT");
  command
      .add_option(
          "--arg", launch.arguments,
          "an argument: TYPE:FILL:COUNT for a buffer (COUNT as 1024 or 2^10), TYPE=VALUE for a "
          "scalar; types f16 bf16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 f32x4, fills zero hash hash1 "
          "ones iota factors least. TYPE:FILL:COUNT+3 passes a pointer to element 3. A struct has its "
          "fields in braces, by name or in order: struct:{width=i32:4,height=i32:4,elements="
          "f32:hash:16}; a buffer of structs says how each field is filled: "
          "struct:{pos=f32:hash,mass=f32:1}:64; u64=0 is a null pointer in a struct; repeat in order")
      ->allow_extra_args(false);
}

void addLaunchOptions(CLI::App& command, LaunchOptions& options) {
  command.add_option("--n", options.n, "strategies: elements")->capture_default_str();
  addLaunchOptions(command, options.spec);
  command.get_option("--block")->description(
      "threads per block: X[,Y[,Z]]; of a strategy one number (default 256)");
  for (const char* const name : {"--kernel", "--grid", "--dynamic-shared", "--arg"}) {
    CLI::Option* const option = command.get_option(name);
    option->description("files: " + option->get_description());
  }
  command.add_option("--threads", options.spec.block)->group("");  // an older name of --block
}

Result<std::uint32_t> readStrategyThreads(const LaunchSpec& spec) {
  if (spec.block.empty()) return 256U;
  const auto block = spec.readBlock();
  if (!block) return block.error();
  if (block->count() == block->x) return block->x;
  return Error{"The block of a strategy is one number of threads, not " + spec.block + ".",
               "Write --block 256."};
}

Result<std::vector<NamedLaunch>> makeLaunches(const LaunchOptions& options, std::uint32_t sms) {
  std::vector<NamedLaunch> launches;
  const auto add = [&](Result<NamedLaunch> launch) -> std::optional<Error> {
    if (!launch) return launch.error();
    launches.push_back(std::move(launch).value());
    return std::nullopt;
  };
  for (const std::string& target : options.targets) {
    std::optional<Error> problem;
    if (const Strategy* const strategy = findStrategy(target)) {
      problem = add(strategyLaunch(*strategy, options, sms));
    } else if (target == "all") {
      for (const Strategy& one : strategies()) {
        if (!problem) problem = add(strategyLaunch(one, options, sms));
      }
    } else if (const Experiment* const experiment = findExperiment(target)) {
      auto kernels = experimentLaunches(*experiment, options, sms);
      if (!kernels) return kernels.error();
      std::move(kernels->begin(), kernels->end(), std::back_inserter(launches));
    } else {
      problem = add(fileLaunch(target, options));
    }
    if (problem) return *problem;
  }
  return launches;
}

}  // namespace lanescope
