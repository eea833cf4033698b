#include "app/cli/arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/session/strategy_launch.h"

namespace lanescope::cli {
namespace {

constexpr std::uintmax_t kMaxFileBytes = 16u << 20;

Result<std::string> readKernelFile(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) {
    return Error{fmt::format("'{}' is neither a strategy nor a file.", path),
                 fmt::format("Strategies are {}.", strategyIds()),
                 {}};
  }
  if (!std::filesystem::is_regular_file(path, failure)) {
    return Error{fmt::format("'{}' is not a file.", path), "Name a .cu file.", {}};
  }
  if (std::filesystem::file_size(path, failure) > kMaxFileBytes) {
    return Error{fmt::format("'{}' is larger than 16 MiB.", path), "A kernel file is smaller.", {}};
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file) return Error{fmt::format("'{}' cannot be read.", path), "Look at its permissions.", {}};
  std::string text = content.str();
  if (text.find('\0') != std::string::npos) {
    return Error{fmt::format("'{}' is no text.", path), "Name a .cu file, as UTF-8.", {}};
  }
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);  // the byte-order mark of some editors
  return text;
}

Result<Launch> fileLaunch(const LaunchRequest& request, const MachineModel& machine) {
  auto text = readKernelFile(request.target);
  if (!text) return text.error();
  if (request.n != 0 || request.blocks != 0) {
    return Error{"--n and --blocks are for strategies.", "A file takes --grid, --block and --arg.", {}};
  }
  if (request.block.empty()) {
    return Error{"A file needs --block X[,Y[,Z]] (and --grid X[,Y[,Z]]).", "Try --grid 1 --block 64.", {}};
  }
  Launch launch;
  launch.source = std::make_shared<SourceText>(request.target, std::move(*text));
  launch.machine = machine;
  return launch;
}

Result<Launch> strategyLaunch(const LaunchRequest& request, const Strategy& strategy,
                              const MachineModel& machine) {
  const bool isExplicit = !request.block.empty() || !request.grid.empty() || !request.arguments.empty();
  if (isExplicit && (request.n != 0 || request.blocks != 0)) {
    return Error{"--n and --blocks choose the launch; --grid, --block and --arg do it by hand.",
                 "Give one or the other.",
                 {}};
  }
  if (isExplicit && (request.block.empty() || request.arguments.empty())) {
    return Error{
        "A launch by hand needs --block and both --arg.",
        fmt::format(
            "Try: simulate {} --grid 4 --block 64 --dynamic-shared 256 --arg f32:hash:{} --arg f32:zero:4.",
            strategy.id, 256 * strategy.elementsPerThread),
        {}};
  }
  if (isExplicit) {
    Launch launch;
    launch.source = std::make_shared<SourceText>(std::string(strategy.file), std::string(strategy.source));
    launch.kernel = strategy.kernel;
    launch.machine = machine;
    return launch;
  }
  return launchOf(strategy, request.n == 0 ? 64 : request.n, request.blocks == 0 ? 1 : request.blocks,
                  machine);
}

}  // namespace

Result<Dim3> parseExtent(const std::string& text, const std::string& option) {
  Dim3 extent;
  std::uint32_t* const parts[] = {&extent.x, &extent.y, &extent.z};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t part = 0; part < 3; ++part) {
    const auto [next, failure] = std::from_chars(at, end, *parts[part]);
    if (failure != std::errc{}) break;
    if (next == end) return extent;
    if (*next != ',') break;
    at = next + 1;
  }
  return Error{
      fmt::format("{} {} is no extent.", option, text), "Write X, X,Y or X,Y,Z with whole numbers.", {}};
}

Result<Launch> launchFrom(const LaunchRequest& request) {
  const MachineModel* machine = findMachine(request.machine);
  if (machine == nullptr) {
    std::string names;
    for (const MachineModel& preset : machinePresets())
      names += (names.empty() ? "" : ", ") + std::string(preset.name);
    return Error{fmt::format("There is no machine '{}'.", request.machine),
                 fmt::format("Machines are {}.", names),
                 {}};
  }
  const Strategy* strategy = findStrategy(request.target);
  auto launch =
      strategy != nullptr ? strategyLaunch(request, *strategy, *machine) : fileLaunch(request, *machine);
  if (!launch) return launch;
  if (!request.kernel.empty()) launch->kernel = request.kernel;
  if (!request.grid.empty()) {
    const auto grid = parseExtent(request.grid, "--grid");
    if (!grid) return grid.error();
    launch->grid = *grid;
  }
  if (!request.block.empty()) {
    const auto block = parseExtent(request.block, "--block");
    if (!block) return block.error();
    launch->block = *block;
  }
  if (!request.arguments.empty()) launch->arguments.clear();
  for (const std::string& spec : request.arguments) {
    const auto argument = parseArgument(spec);
    if (!argument) return argument.error();
    launch->arguments.push_back(*argument);
  }
  if (request.hasDynamicShared) launch->dynamicSharedBytes = request.dynamicSharedBytes;
  if (request.maxInstructions != 0) {
    launch->limits.warpInstructions = request.maxInstructions;
    launch->limits.blockInstructions = request.maxInstructions;
  }
  return launch;
}

}  // namespace lanescope::cli
