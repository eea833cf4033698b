#include "app/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "app/launch/element_text.h"
#include "app/launch/kernel_file.h"
#include "app/launch/strategy_launch.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope::cli {
namespace {

constexpr std::uint64_t kMaxFileBytes = 16u << 20;
/// A trace is everything that the program stores, and can be larger than one in a window.
constexpr std::uint64_t kTraceBytes = std::uint64_t{1} << 28;

Result<Launch> fileLaunch(const LaunchRequest& request, const MachineModel& machine) {
  std::error_code failure;
  if (!std::filesystem::exists(request.target, failure)) {
    return Error{fmt::format("'{}' is neither a strategy nor a file.", request.target),
                 nearestStrategiesText(request.target)};
  }
  const auto text = textOfFile(request.target, request.text);
  if (!text) return text.error();
  if (request.n != 0 || request.blocks != 0) {
    return Error{"--n and --blocks are for strategies.", "A file takes --grid, --block and --arg."};
  }
  if (!request.element.empty()) {
    return Error{"--element is for strategies.", "A file's own text says of what type its elements are."};
  }
  if (!request.op.empty()) {
    return Error{"--op is for strategies.",
                 "A file's kernel is named with its template arguments: --kernel 'name<Maximum>'."};
  }
  if (request.launch.block.empty()) {
    return Error{"A file needs --block X[,Y[,Z]] (and --grid X[,Y[,Z]]).", "Try --grid 1 --block 64."};
  }
  return Launch{.source = *text, .machine = machine};
}

Result<Launch> strategyLaunch(const LaunchRequest& request, const Strategy& strategy,
                              const MachineModel& machine) {
  const auto type = findElementType(request.element.empty() ? "float" : request.element);
  if (!type) {
    return Error{fmt::format("'{}' is not an element type.", request.element),
                 "There are float, double and int."};
  }
  if (!request.text.definitions.empty() || !request.text.includeDirectories.empty())
    return Error{"-D and -I are for files.", "A strategy's text is complete."};
  const bool isExplicit =
      !request.launch.block.empty() || !request.launch.grid.empty() || !request.launch.arguments.empty();
  if (isExplicit && (request.n != 0 || request.blocks != 0)) {
    return Error{"--n and --blocks choose the launch; --grid, --block and --arg do it by hand.",
                 "Give one or the other."};
  }
  if (isExplicit && (request.launch.block.empty() || request.launch.arguments.empty())) {
    return Error{
        "A launch by hand needs --block and both --arg.",
        fmt::format(
            "Try: simulate {} --grid 4 --block 64 --dynamic-shared 256 --arg f32:hash:{} --arg f32:zero:4.",
            strategy.id, 256 * strategy.elementsPerThread)};
  }
  const auto text = changeElements(strategy, strategy.source, ElementType::Float, *type);
  if (!text) return text.error();
  std::string op;
  if (!request.op.empty()) {
    auto meant = findOperator(strategy, request.op);
    if (!meant) return meant.error();
    op = std::move(meant).value();
  }
  if (isExplicit) {
    Launch launch;
    launch.source = std::make_shared<SourceText>(std::string(strategy.file), *text);
    launch.kernel = op.empty() ? strategy.kernel : kernelName(strategy, 0, 0, op);
    launch.machine = machine;
    return launch;
  }
  return makeLaunch(strategy, request.n == 0 ? 64 : request.n, request.blocks == 0 ? 1 : request.blocks,
                    machine, *type, op);
}

}  // namespace

void addDefinitions(CLI::App& command, std::vector<std::string>& definitions) {
  const auto fault = [](const std::string& definition) {
    const std::string name = definition.substr(0, definition.find('='));
    const bool isName =
        !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
        std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    const bool isLine = definition.find_first_of("\r\n") == std::string::npos;
    return isName && isLine
               ? std::string()
               : fmt::format("-D {} defines no name: write -D NAME or -D NAME=VALUE", definition);
  };
  command
      .add_option("-D,--define", definitions,
                  "a macro that is defined before the text, as NAME (1) or NAME=VALUE; repeat it for more")
      ->allow_extra_args(false)
      ->check(CLI::Validator(fault, "NAME[=VALUE]"));
}

void addIncludeDirectories(CLI::App& command, std::vector<std::string>& directories) {
  command
      .add_option("-I,--include", directories,
                  "a directory of headers; those of the CUDA Toolkit are Lanescope's own; repeat it for more")
      ->allow_extra_args(false);
}

void addTextOptions(CLI::App& command, TextOptions& options) {
  addIncludeDirectories(command, options.includeDirectories);
  addDefinitions(command, options.definitions);
}

Result<std::shared_ptr<const SourceText>> textOfFile(const std::string& path, const TextOptions& options) {
  const DesktopHost host;
  auto text = readKernelFile(host, path, kMaxFileBytes);
  if (!text) return text.error();
  auto includes = readIncludes(host, path, *text, options.includeDirectories);
  if (!options.definitions.empty()) includes.push_back(commandLineDefinitions(options.definitions));
  return std::make_shared<const SourceText>(path, std::move(*text), std::move(includes));
}

Result<Launch> readLaunch(const LaunchRequest& request) {
  const LaunchSpec& spec = request.launch;
  const auto machine = spec.readMachine();
  if (!machine) return machine.error();
  const Strategy* strategy = findStrategy(request.target);
  auto launch =
      strategy != nullptr ? strategyLaunch(request, *strategy, **machine) : fileLaunch(request, **machine);
  if (!launch) return launch;
  if (strategy != nullptr && !request.op.empty() && !spec.kernel.empty()) {
    return Error{"--op and --kernel both name the kernel's operator.", "Give one or the other."};
  }
  if (strategy != nullptr && spec.arguments.empty()) {
    if (!spec.kernel.empty()) launch->kernel = spec.kernel;
    fillForOperator(*launch, *strategy);
  }
  LaunchSpec ordered = spec;
  if (strategy == nullptr) {
    auto arguments = argumentsOf(spec, launch->source);
    if (!arguments) return arguments.error();
    ordered.arguments = std::move(arguments).value();
  }
  launch = bindLaunch(ordered, std::move(launch).value());
  if (!launch) return launch;
  launch->limits.traceBytes = kTraceBytes;
  if (request.maxInstructions != 0) {
    launch->limits.warpInstructions = request.maxInstructions;
    launch->limits.blockInstructions = request.maxInstructions;
  }
  return launch;
}

RunTitle makeTitle(const LaunchRequest& request, const Launch& launch, const Dim3* traced,
                   std::string_view kernelName) {
  const Strategy* strategy = findStrategy(request.target);
  if (strategy == nullptr) return titleOfFile(launch, kernelName);
  return titleOfRun(
      *strategy, request.n == 0 ? 64 : request.n, request.blocks == 0 ? 1 : request.blocks, launch,
      {findElementType(request.element.empty() ? "float" : request.element).value(), true}, traced);
}

void addSimulationOptions(CLI::App& command, LaunchRequest& request) {
  command.add_option("target", request.target, "a strategy's id, or a .cu file")->required();
  command.add_option("--n", request.n, "strategies: elements to reduce, as 1024 or 2^10 (default 64)")
      ->transform(sizeFrom(1, std::uint64_t{1} << 34));
  command.add_option("--blocks", request.blocks, "strategies: block sums M to reduce them to (default 1)")
      ->transform(sizeFrom(1, 0x7fffffff));
  command.add_option("--element", request.element,
                     "strategies: the type of element: float, double or int (default float)");
  command
      .add_option("--op", request.op,
                  "strategies with a choice of operators: sum, product, minimum or maximum (default sum)")
      ->check(
          [](const std::string& op) { return std::string(op.empty() ? "it needs an operator's name" : ""); });
  addLaunchOptions(command, request.launch);
  CLI::Option* const argument = command.get_option("--arg");
  argument->description(argument->get_description() +
                        "; NAME=VALUE and NAME:FILL:COUNT give the parameter of that name, in any order");
  command.get_option("--kernel")
      ->description(
          "kernel to run: name or 'name<128>'; of several with one name, 'name@2' is the second (default: "
          "the "
          "only one)");
  command.add_flag("--cooperative", request.launch.isCooperative,
                   "all blocks are there at once, for this_grid().sync()");
  command
      .add_option(
          "--symbol", request.launch.symbols,
          "what a __device__ or __constant__ variable holds before the launch, as NAME=TYPE:FILL:COUNT "
          "or NAME=TYPE=VALUE (default: its initial value); repeat for others")
      ->allow_extra_args(false);
  addTextOptions(command, request.text);
  command.add_option("--machine", request.launch.machine,
                     "machine to simulate; lanescope-cli list names them (default nvidia)");
  command
      .add_option("--max-instructions", request.maxInstructions,
                  "end with an error past this many warp instructions (default 2^26 per block, 2^32 in all)")
      ->transform(sizeFrom(1, UINT64_MAX));
}

Result<Dim3> readTracedBlock(const std::string& text) {
  auto block = parseExtent(text, "--trace-block");
  if (!block) return block;
  // Block indices count from 0, extents from 1: an omitted part is 0.
  const auto commas = std::ranges::count(text, ',');
  if (commas < 1) block->y = 0;
  if (commas < 2) block->z = 0;
  return block;
}

}  // namespace lanescope::cli
