// The file has a head of lines, each a word and its values, then an empty line, then the bytes of the
// parameters and of the buffers.
#include "sim/machine/run/launch.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "sim/base/write_file.h"

namespace lanescope {
namespace {

constexpr std::string_view kSchema = "lanescope.capture/1";
constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 32;

using Blocks = std::vector<std::vector<std::byte>>;

std::string extentText(Dim3 extent) { return fmt::format("{} {} {}", extent.x, extent.y, extent.z); }

bool readBytes(std::istream& file, Blocks& blocks) {
  for (std::vector<std::byte>& block : blocks)
    file.read(reinterpret_cast<char*>(block.data()), static_cast<std::streamsize>(block.size()));
  return static_cast<bool>(file);
}

/// Makes room for a block that the head announces; false if the file has too few bytes.
bool announce(std::istream& words, Blocks& blocks, std::uint64_t& rest) {
  std::uint64_t bytes = 0;
  if (!(words >> bytes) || bytes > rest) return false;
  rest -= bytes;
  blocks.emplace_back(bytes);
  return true;
}

/// Reads one line of the head; false if it is malformed. `rest`: bytes of the file that are not announced
/// yet.
bool readLine(const std::string& line, CapturedLaunch& captured, RawArguments& raw, std::uint64_t& rest) {
  Launch& launch = captured.launch;
  std::istringstream words(line);
  std::string what;
  words >> what;
  if (what == "kernel") return static_cast<bool>(std::getline(words >> std::ws, launch.kernel));
  if (what == "line") return static_cast<bool>(words >> captured.line);
  if (what == "grid") return static_cast<bool>(words >> launch.grid.x >> launch.grid.y >> launch.grid.z);
  if (what == "block") return static_cast<bool>(words >> launch.block.x >> launch.block.y >> launch.block.z);
  if (what == "shared") return static_cast<bool>(words >> launch.dynamicSharedBytes);
  if (what == "cooperative") return static_cast<bool>(words >> launch.isCooperative);
  if (what == "parameter") return announce(words, raw.parameters, rest);
  if (what == "buffer") return announce(words, raw.buffers, rest);
  if (what != "symbol") return false;
  std::uint64_t address = 0;
  std::string name;
  if (!(words >> address >> name)) return false;
  raw.symbols.emplace(std::move(name), address);
  return true;
}

}  // namespace

Result<Launch> bindLaunch(const LaunchSpec& spec, Launch launch) {
  if (!spec.kernel.empty()) launch.kernel = spec.kernel;
  if (!spec.grid.empty()) {
    const auto grid = spec.readGrid();
    if (!grid) return grid.error();
    launch.grid = *grid;
  }
  if (!spec.block.empty()) {
    const auto block = spec.readBlock();
    if (!block) return block.error();
    launch.block = *block;
  }
  if (!spec.dynamicShared.empty()) {
    const auto bytes = spec.readDynamicShared();
    if (!bytes) return bytes.error();
    launch.dynamicSharedBytes = *bytes;
  }
  if (spec.isCooperative) launch.isCooperative = true;
  if (!spec.arguments.empty()) launch.arguments.clear();
  for (const std::string& text : spec.arguments) {
    auto argument = parseArgument(text);
    if (!argument) return argument.error();
    launch.arguments.push_back(std::move(argument).value());
  }
  for (const std::string& text : spec.symbols) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
      return Error{fmt::format("--symbol {} names no variable.", text), "Write --symbol NAME=f32:hash:16."};
    auto argument = parseArgument(std::string_view(text).substr(equals + 1));
    if (!argument) return argument.error();
    launch.symbols.push_back({text.substr(0, equals), std::move(argument).value()});
  }
  return launch;
}

LaunchSpec makeSpec(const Launch& launch) {
  LaunchSpec spec;
  spec.kernel = launch.kernel;
  spec.grid = formatExtent(launch.grid);
  spec.block = formatExtent(launch.block);
  spec.dynamicShared = std::to_string(launch.dynamicSharedBytes);
  spec.isCooperative = launch.isCooperative;
  for (const Argument& argument : launch.arguments) spec.arguments.push_back(formatSpec(argument));
  return spec;
}

Result<bool> writeCapture(const CapturedLaunch& captured, const std::string& path) {
  const Launch& launch = captured.launch;
  const RawArguments& raw = *launch.raw;
  std::string head = fmt::format("{}\nkernel {}\nline {}\ngrid {}\nblock {}\nshared {}\ncooperative {:d}\n",
                                 kSchema, launch.kernel, captured.line, extentText(launch.grid),
                                 extentText(launch.block), launch.dynamicSharedBytes, launch.isCooperative);
  for (const auto& parameter : raw.parameters) head += fmt::format("parameter {}\n", parameter.size());
  for (const auto& buffer : raw.buffers) head += fmt::format("buffer {}\n", buffer.size());
  for (const auto& [name, address] : raw.symbols) head += fmt::format("symbol {} {}\n", address, name);
  head += '\n';
  std::vector<std::string_view> parts{head};
  for (const auto* list : {&raw.parameters, &raw.buffers}) {
    for (const auto& bytes : *list)
      parts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  if (auto error = writeFile(path, parts)) return *std::move(error);
  return true;
}

Result<CapturedLaunch> readCapture(const std::string& path) {
  const Error notOne{fmt::format("{} is not a captured launch.", path),
                     "lanescope-cli run --capture writes one."};
  std::error_code failure;
  std::uint64_t rest = std::filesystem::file_size(path, failure);
  if (failure || rest > kMostFileBytes) return notOne;
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!std::getline(file, line) || line != kSchema) return notOne;
  CapturedLaunch captured;
  RawArguments raw;
  while (std::getline(file, line) && !line.empty()) {
    if (!readLine(line, captured, raw, rest)) return notOne;
  }
  if (captured.launch.kernel.empty() || !readBytes(file, raw.parameters) || !readBytes(file, raw.buffers))
    return notOne;
  captured.launch.raw = std::make_shared<const RawArguments>(std::move(raw));
  return captured;
}

}  // namespace lanescope
