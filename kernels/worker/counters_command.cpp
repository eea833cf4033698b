#include "kernels/worker/counters_command.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "kernels/strategies/near_names.h"
#include "kernels/worker/bench_rules.h"
#include "kernels/worker/edited_kernel.h"

namespace lanescope {
namespace {

std::string argumentOf(Parameter parameter, const StrategyShape& shape) {
  switch (parameter) {
    case Parameter::In:
    case Parameter::B: return "f32:hash:" + std::to_string(shape.n);
    case Parameter::Out: return "f32:zero:" + std::to_string(shape.outElements);
    case Parameter::Partials: return "f32:zero:" + std::to_string(shape.blocks());
    case Parameter::Scratch: return "f32:zero:" + std::to_string(shape.n);
    case Parameter::N: return "u32=" + std::to_string(shape.n);
    case Parameter::Width: return "u32=" + std::to_string(shape.width);
    case Parameter::Height: return "u32=" + std::to_string(shape.height);
    case Parameter::Counter: break;
  }
  return "u32:zero:1";
}

Result<TextLaunch> strategyLaunch(const Strategy& strategy, const CountersOptions& options,
                                  std::uint32_t sms) {
  const auto n = parseSize(options.n);
  if (!n) return n.error();
  constexpr std::uint32_t kWarp = 32;
  const auto shape =
      shapeOfThreads(strategy, *n, options.block, std::uint64_t{strategy.blocksPerSm} * sms, kWarp);
  if (!shape) return shape.error();
  TextLaunch launch;
  launch.text = strategy.source;
  launch.kernel = shape->kernel;
  launch.grid = {shape->gridX, shape->gridY, 1};
  launch.block = {shape->blockX, shape->blockY, 1};
  launch.dynamicSharedBytes = shape->dynamicSharedBytes;
  for (const Parameter parameter : strategy.parameters) {
    launch.arguments.push_back(argumentOf(parameter, *shape));
  }
  return launch;
}

Result<TextLaunch> fileLaunch(const CountersOptions& options) {
  std::error_code code;
  const auto bytes = std::filesystem::file_size(options.target, code);
  if (code) {
    return Error{"'" + printable(options.target) + "' is neither a strategy nor a file.",
                 nearestStrategiesText(options.target)};
  }
  if (bytes > kMaxKernelTextBytes) return Error{"'" + printable(options.target) + "' is larger than 1 MiB."};
  if (options.kernel.empty() || options.blockExtent.empty()) {
    return Error{"A file needs --kernel NAME and --threads X[,Y[,Z]] (and --grid, --arg)."};
  }
  TextLaunch launch;
  std::ostringstream text;
  text << std::ifstream(options.target, std::ios::binary).rdbuf();
  launch.text = text.str();
  launch.kernel = options.kernel;
  for (std::size_t i = 0; i < options.grid.size() && i < 3; ++i) launch.grid[i] = options.grid[i];
  for (std::size_t i = 0; i < options.blockExtent.size() && i < 3; ++i) {
    launch.block[i] = options.blockExtent[i];
  }
  launch.dynamicSharedBytes = options.dynamicSharedBytes;
  launch.arguments = options.arguments;
  return launch;
}

}  // namespace

CLI::App* addCountersCommand(CLI::App& app, CountersOptions& options) {
  CLI::App* const command =
      app.add_subcommand("counters", "Read the hardware counters of one launch with Nsight Compute (ncu)");
  command->add_option("target", options.target, "A strategy's id, or a .cu file")->required();
  command->add_option("--n", options.n, "Strategies: elements (2^20)");
  command->add_option("--block", options.block, "Strategies: threads per block")->capture_default_str();
  command->add_option("--kernel", options.kernel, "Files: the kernel, name or 'name<128>'");
  command->add_option("--grid", options.grid, "Files: blocks, X[,Y[,Z]]")->delimiter(',')->expected(1, 3);
  command->add_option("--threads", options.blockExtent, "Files: threads per block, X[,Y[,Z]]")
      ->delimiter(',')
      ->expected(1, 3);
  command->add_option("--dynamic-shared", options.dynamicSharedBytes,
                      "Files: bytes of dynamic shared memory a block");
  command
      ->add_option("--arg", options.arguments, "Files: an argument, f32:hash:1024 or u32=7; repeat in order")
      ->allow_extra_args(false);
  return command;
}

Result<CountersRequest> countersRequestOf(const CountersOptions& options, std::uint32_t sms) {
  const Strategy* strategy = findStrategy(options.target);
  auto launch = strategy != nullptr ? strategyLaunch(*strategy, options, sms) : fileLaunch(options);
  if (!launch) return launch.error();
  return CountersRequest{1, std::move(launch).value()};
}

std::optional<Error> launchOnceFrom(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!std::getline(file, line)) return Error{"'" + printable(path) + "' cannot be read."};
  const auto request = parseRequest(line);
  if (!request) return request.error();
  if (const auto* counters = std::get_if<CountersRequest>(&*request)) return launchTextOnce(counters->launch);
  if (const auto* edited = std::get_if<CompileRunRequest>(&*request)) return launchTextOnce(edited->launch);
  return Error{"'" + printable(path) + "' holds no launch."};
}

}  // namespace lanescope
