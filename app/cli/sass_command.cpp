#include "app/cli/sass_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "app/cli/check_command.h"
#include "app/cli/exit_status.h"
#include "app/cli/sass_output.h"
#include "app/launch/kernel_file.h"
#include "app/analysis/profile_recording.h"
#include "app/analysis/toolkit.h"
#include "kernels/strategies/catalogue.h"
#include "kernels/protocol/protocol.h"
#include "sim/base/json.h"
#include "sim/language/parse/parsed_text.h"
#include "sim/machine/compile/compiled_kernel.h"

namespace lanescope::cli {
namespace {

constexpr std::uint64_t kMostMeasured = 16u << 20;

/// The requested launch; for a file without one its text and kernel.
Result<Launch> parseAsked(const LaunchRequest& request, bool explain) {
  const bool isFile = findStrategy(request.target) == nullptr;
  if (isFile && request.block.empty() && !explain && std::filesystem::exists(request.target)) {
    auto text = textOfFile(request.target, request.text);
    if (!text) return text.error();
    return Launch{.source = std::move(text).value(), .kernel = request.kernel};
  }
  return launchFrom(request);
}

/// The kernel's name, for a text with only one kernel if no name was given.
Result<std::string> lookUpKernel(const Launch& launch) {
  if (!launch.kernel.empty()) return launch.kernel;
  const auto compiled = compileKernel(ParsedText(launch.source), {});
  if (!compiled) return compiled.error();
  return (*compiled)->code.kernelName;
}

Result<MachineCode> recordedCode(const LaunchRequest& request, const Launch& launch,
                                 const std::string& kernel, const ProfileRecording& recording,
                                 const std::string& why) {
  const LaunchProfile* const profile = recording.findKernel(launch.source->text(), kernel);
  if (profile != nullptr) {
    if (auto code = readMachineCode(*profile, "recorded on " + recording.title())) {
      code->architecture = findArchitecture(recording.gpu.computeCapability);
      return *std::move(code);
    }
  }
  const bool isNamed = findStrategy(request.target) == nullptr || !request.kernel.empty();
  const std::string what = fmt::format("No machine code of '{}'{} was recorded ({}).", request.target,
                                       isNamed ? ", kernel '" + kernel + "'," : "", recording.title());
  return Error{why.empty() ? what : why + " " + what};
}

/// The same from the recording that ships. `why`: the reason that there is no other.
Result<MachineCode> shippedCode(const LaunchRequest& request, const Launch& launch, const std::string& kernel,
                                const std::string& architecture, const std::string& why) {
  const auto recording = shippedProfiles();
  if (!recording) return Error{why};
  const std::string recorded = findArchitecture(recording->gpu.computeCapability);
  if (recorded != architecture)
    return Error{fmt::format("{} The recorded machine code ({}) is of {}, not of {}.", why,
                             recording->title(), recorded, architecture)};
  return recordedCode(request, launch, kernel, *recording, why);
}

/// `recording`: the requested one, or nullptr.
Result<MachineCode> machineCodeFor(const LaunchRequest& request, const Launch& launch,
                                   const std::string& kernel, const std::string& architecture,
                                   const ProfileRecording* recording) {
  if (recording != nullptr) return recordedCode(request, launch, kernel, *recording, {});
  const Toolkit toolkit = findToolkit();
  // The tools are in separate process groups: Control-C must reach them through this program.
  static volatile std::sig_atomic_t isStopped = 0;
  std::signal(SIGINT, [](int) { isStopped = 1; });
  auto code = disassemble(makeCodeRequest(*launch.source, kernel, architecture), toolkit,
                          [](double) { return isStopped == 0; });
  if (code || (toolkit.nvcc && (toolkit.nvdisasm || toolkit.cuobjdump)) || !isArchitecture(architecture))
    return code;
  return shippedCode(request, launch, kernel, architecture, code.error().sentence());
}

/// A recording can have another instance of a template than the launch.
std::optional<Error> otherInstance(const std::string& kernel, const MachineCode& code) {
  if (code.kernel == kernel) return std::nullopt;
  return Error{fmt::format("The machine code ({}) is that of {}, and this launch runs {}.", code.origin,
                           code.kernel, kernel),
               fmt::format("Choose a launch that runs {} (--n), or install the CUDA Toolkit's "
                           "compiler and disassembler.",
                           code.kernel)};
}

/// The counters of a file: an object under `expect` or `counters`, or the object itself. If there are several
/// lines, the first with the kernel's name, or the first that names no kernel.
Result<MeasuredCounters> readMeasured(const std::string& path, const std::string& kernel) {
  const auto text = readKernelFile(path, kMostMeasured);
  if (!text) return text.error();
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto json = parseJson(line);
    if (!json.is_object()) continue;
    if (json.contains("kernel") && json["kernel"] != kernel) continue;
    if (json.contains("type") && json["type"] != CountersMessage::kType) continue;  // as the worker's hello
    const char* const key = json.contains("expect") ? "expect" : "counters";
    const Json& counters = json.contains(key) ? json[key] : json;
    MeasuredCounters measured;
    for (const auto& [name, value] : counters.items()) {
      if (value.is_number_unsigned()) measured[name] = value.get<std::uint64_t>();
    }
    if (!measured.empty()) return measured;
  }
  return Error{fmt::format("'{}' has no counters of '{}'.", path, kernel),
               "Each line is a JSON object, its counters under \"counters\" or \"expect\"."};
}

}  // namespace

void addSassOptions(CLI::App& command, SassOptions& options) {
  auto* const arch = command.add_option("--arch", options.architecture,
                                        "the GPU's architecture, as nvcc names it (default sm_90)");
  command.add_flag(
      "--explain", options.explain,
      "run the launch in the simulator; say per line what the compiler made of its accesses, and what "
      "Nsight Compute's counters are of the machine code");
  auto* const explain = command.get_option("--explain");
  command
      .add_option("--measured", options.measured,
                  "counters measured on a GPU to compare: JSON, as lanescope-gpu counters prints them")
      ->needs(explain);
  command
      .add_option("--recording", options.recording,
                  "the machine code of a recording of lanescope-gpu profile, in place of the local toolkit's")
      ->excludes(arch);
  command.add_flag("--json", options.json, "print JSON");
  command.footer(
      "Needs a CUDA Toolkit (nvcc, and nvdisasm or cuobjdump: in CUDA_HOME, on the PATH or in "
      "/usr/local/cuda) and no GPU; without one, the recorded machine code of the strategies. A file needs a "
      "launch only for --explain.\n"
      "Exit status: 0 done; 1 no machine code could be had, or the kernel failed; 2 wrong usage.");
}

int sassCommand(const LaunchRequest& request, const SassOptions& options) {
  const auto asked = parseAsked(request, options.explain);
  if (!asked) return refuse(asked.error(), kWrongUsage, options.json);
  const auto kernel = lookUpKernel(*asked);
  if (!kernel) return refuse(kernel.error(), kWrongUsage, options.json, asked->source.get());
  SassReport report;
  report.text = asked->source.get();
  if (!options.measured.empty()) {
    auto measured = readMeasured(options.measured, *kernel);
    if (!measured) return refuse(measured.error(), kWrongUsage, options.json);
    report.measured = std::move(measured).value();
  }
  std::optional<ProfileRecording> recording;
  if (!options.recording.empty()) {
    auto loaded = loadProfiles(options.recording);
    if (!loaded) return refuse(loaded.error(), kWrongUsage, options.json);
    recording = std::move(loaded).value();
  }
  auto code =
      machineCodeFor(request, *asked, *kernel, options.architecture, recording ? &*recording : nullptr);
  if (!code)
    return refuse(code.error(), isArchitecture(options.architecture) ? kFailed : kWrongUsage, options.json);
  report.code = std::move(code).value();
  if (options.explain) {
    if (const auto error = otherInstance(*kernel, report.code)) return refuse(*error, kFailed, options.json);
    auto comparison = compareAccesses(*asked, report.code);
    if (!comparison) return refuse(comparison.error(), kFailed, options.json, report.text);
    report.comparison = std::move(comparison).value();
  }
  return printed(options.json ? sassJson(report) : sassText(report));
}

}  // namespace lanescope::cli
