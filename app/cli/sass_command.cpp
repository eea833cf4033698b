#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/analysis/profiles.h"
#include "app/analysis/toolkit.h"
#include "app/base/whole.h"
#include "app/cli/commands.h"
#include "app/launch/kernel_file.h"
#include "kernels/protocol/nvrtc.h"
#include "kernels/protocol/protocol.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/counted.h"
#include "sim/base/diagnostic.h"
#include "sim/base/json.h"
#include "sim/base/words.h"
#include "sim/base/write_file.h"
#include "sim/language/parse/syntax.h"
#include "sim/machine/compile/compiled_kernel.h"
#include "sim/sass/access_changes.h"
#include "sim/sass/machine_code.h"

namespace lanescope::cli {
namespace {

/// A hardware's counters under Nsight Compute's names.
using MeasuredCounters = std::map<std::string, std::uint64_t>;

/// What `sass` prints.
struct SassReport {
  const SourceText* text = nullptr;
  MachineCode code;
  std::optional<AccessComparison> comparison;
  MeasuredCounters measured;
};

/// The options of `lanescope-cli sass`.
struct SassArguments {
  LaunchRequest request;
  std::string architecture = "sm_90";
  std::string recording;  ///< of profiles, with its machine code; if empty, a local toolkit, or the recording
                          ///< that ships
  std::string measured;   ///< a file with a hardware's counters; can be empty
  bool explain = false;
  bool json = false;
};

constexpr std::size_t kTextColumns = 90;

std::string lineText(const std::vector<std::string_view>& lines, std::uint32_t number) {
  return number >= 1 && number <= lines.size() ? oneLine(lines[number - 1], kTextColumns) : std::string();
}

/// `LDS x 3, STS`: each with its number of occurrences, in the order of the code.
std::string countedWords(const std::vector<std::string>& words) {
  std::string text;
  for (auto at = words.begin(); at != words.end(); ++at) {
    if (std::find(words.begin(), at, *at) != at) continue;
    const auto count = std::ranges::count(words, *at);
    text += (text.empty() ? "" : ", ") + *at + (count > 1 ? fmt::format(" x {}", count) : std::string());
  }
  return text;
}

std::string codeTitle(const MachineCode& code) {
  return fmt::format("{}{} ({}): {} machine instructions\n", code.kernel,
                     code.architecture.empty() ? "" : ", " + code.architecture, code.origin,
                     code.instructions.size());
}

/// The instructions; as text each line of the source above its own, in the order of the code.
void addListing(Report& report, const SassReport& sass) {
  const std::vector<std::string_view> lines = readLines(sass.text->text());
  const MachineCode& code = sass.code;
  std::string text;
  std::uint32_t last = UINT32_MAX;
  report.add("instructions", {});
  for (const MachineInstruction& one : code.instructions) {
    Json row{{"line", one.line}, {"address", one.address}, {"sass", one.sass}};
    if (code.knowsLoops) row["in_loop"] = one.isInLoop;
    if (code.isMeasured) row["inst_executed"] = one.executed;
    report.add("instructions", std::move(row));
    if (one.line != last) {
      text += one.line == 0 ? std::string("\n      (no line of the text)\n")
                            : fmt::format("\n{:>5} {}\n", one.line, lineText(lines, one.line));
    }
    last = one.line;
    text += code.isMeasured ? fmt::format("{:>14}  {}\n", one.executed, one.sass)
                            : fmt::format("        {:04x}  {}\n", one.address, one.sass);
  }
  if (!sass.comparison) report.print(text);
}

std::string accessText(const LineAccesses& line) {
  std::string text =
      fmt::format("      {}: {} in the text, executed {} time{}; machine code: {}\n", accessName(line.kind),
                  line.inText, line.executions, line.executions == 1 ? "" : "s",
                  line.instructions.empty() ? "none" : countedWords(line.instructions));
  if (line.isPredicated && line.fate == AccessFate::AsWritten) text += "        Predicated.\n";
  if (!line.words.empty()) text += fmt::format("        {}\n", line.words);
  return text;
}

std::string linesText(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (const std::uint32_t number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return fmt::format("line{} {}", numbers.size() == 1 ? "" : "s", text);
}

/// The comparison of a hardware's value with the two predicted ones.
std::string verdictOn(const CounterChange& counter, std::uint64_t measured) {
  if (!counter.isClear) return measured == counter.text ? "as the text says" : "not explained";
  if (measured == counter.machine && measured == counter.text) return "as predicted";
  if (measured == counter.machine) return "explained by the machine code";
  return measured == counter.text ? "as the text says, not as the machine code" : "not explained";
}

/// The counters as JSON; as text those that are not the same for the text and the machine code.
Json compareCounters(const SassReport& sass, std::string& text) {
  Json counters = Json::array();
  std::string rows;
  for (const CounterChange& counter : sass.comparison->counters) {
    Json& one = counters.emplace_back(Json{{"name", counter.name},
                                           {"text", counter.text},
                                           {"machine", counter.machine},
                                           {"lines", counter.lines},
                                           {"is_clear", counter.isClear}});
    const auto measured = sass.measured.find(counter.name);
    const bool isMeasured = measured != sass.measured.end();
    if (isMeasured) {
      one["hardware"] = measured->second;
      one["is_explained"] = counter.isClear && measured->second == counter.machine;
    }
    const bool isSame = counter.text == counter.machine && counter.isClear;
    if (isSame && (!isMeasured || measured->second == counter.text)) continue;
    rows += fmt::format("  {}: the text {}, as compiled {}", counter.name, counter.text,
                        counter.isClear ? std::to_string(counter.machine) : "not clear");
    if (isMeasured)
      rows += fmt::format(", hardware {} ({})", measured->second, verdictOn(counter, measured->second));
    rows += counter.lines.empty() ? "\n" : fmt::format("; {}\n", linesText(counter.lines));
  }
  text += rows.empty() ? "\nEvery counter is the same for the text and for the machine code.\n"
                       : "\nCounters\n" + rows;
  return counters;
}

/// The launch's issue slots, and the lines that need the most.
std::string slotsText(const std::vector<LineSlots>& slots, bool isExecuted) {
  double all = 0;
  for (const LineSlots& line : slots) all += line.slots;
  if (all == 0) return {};
  std::vector<LineSlots> most = slots;
  std::ranges::stable_sort(most, std::ranges::greater{}, &LineSlots::slots);
  std::string lines;
  constexpr std::size_t kMostLines = 3;
  for (std::size_t i = 0; i < std::min(most.size(), kMostLines); ++i) {
    const std::string name = most[i].line == 0 ? "code of no line" : fmt::format("line {}", most[i].line);
    lines += fmt::format("{}{} {:.0f}%", lines.empty() ? "" : ", ", name, 100 * most[i].slots / all);
  }
  return fmt::format("\nIssue slots: {}{} warp instructions; {}\n", isExecuted ? "" : "about ",
                     withCommas(roundToWhole<std::uint64_t>(all)), lines);
}

std::string_view fateName(AccessFate fate) {
  switch (fate) {
    case AccessFate::AsWritten: return "as_written";
    case AccessFate::Unrolled: return "unrolled";
    case AccessFate::Merged: return "merged";
    case AccessFate::InRegister: return "in_register";
    case AccessFate::Removed: return "removed";
    case AccessFate::Moved: return "moved";
    case AccessFate::Aggregated: return "aggregated";
    case AccessFate::Added: return "added";
    case AccessFate::Together: return "together";
    case AccessFate::Narrowed: return "narrowed";
    case AccessFate::Unclear: return "unclear";
  }
  return "as_written";
}

Json costJson(const AccessCost& cost) {
  return {{"executions", cost.executions},
          {"wavefronts", cost.wavefronts},
          {"ideal_wavefronts", cost.ideal},
          {"sectors", cost.sectors}};
}

void addComparison(Report& report, const SassReport& sass) {
  const AccessComparison& comparison = *sass.comparison;
  const std::vector<std::string_view> lines = readLines(sass.text->text());
  const bool isExecuted = comparison.notExecuted.empty();
  Json json{
      {"blocks", comparison.blocks}, {"grid_blocks", comparison.gridBlocks}, {"is_executed", isExecuted}};
  std::string text = "\nText beside machine code\n";
  if (!comparison.isWhole()) {
    text += fmt::format("(of the first {} of {}: the launch is too large for all of them)\n",
                        withCommas(comparison.blocks), counted(comparison.gridBlocks, "block"));
  }
  if (isExecuted) {
    text += "(the machine code was executed, register by register)\n";
  } else {
    json["why_not_executed"] = comparison.notExecuted;
    text += fmt::format("(derived from the text, not executed: {})\n", comparison.notExecuted);
  }
  json["accesses"] = Json::array();
  std::uint32_t last = 0;
  for (const LineAccesses& line : comparison.lines) {
    json["accesses"].push_back({{"line", line.line},
                                {"kind", accessName(line.kind)},
                                {"text", line.texts},
                                {"machine", line.instructions},
                                {"bytes", line.widths},
                                {"predicated", line.isPredicated},
                                {"fate", fateName(line.fate)},
                                {"words", line.words},
                                {"counted_text", costJson(line.text)},
                                {"counted_machine", costJson(line.machine)}});
    if (line.line != last) text += fmt::format("{:>5} {}\n", line.line, lineText(lines, line.line));
    last = line.line;
    text += accessText(line);
  }
  json["counters"] = compareCounters(sass, text);
  json["issue_slots"] = Json::array();
  for (const LineSlots& line : comparison.slots) {
    json["issue_slots"].push_back({{"line", line.line},
                                   {"instructions", line.instructions},
                                   {"slots", roundToWhole<std::int64_t>(line.slots)}});
  }
  report.set("comparison", std::move(json)).print(text).print(slotsText(comparison.slots, isExecuted));
}

/// `lanescope.sass/1`.
Report describe(const SassReport& sass) {
  const MachineCode& code = sass.code;
  Report report("lanescope.sass/1");
  report.set({{"kernel", code.kernel},
              {"architecture", valueIf(!code.architecture.empty(), code.architecture)},
              {"origin", code.origin}});
  report.print(codeTitle(code));
  addListing(report, sass);
  if (sass.comparison) addComparison(report, sass);
  return report;
}

constexpr std::uint64_t kMostMeasured = 16u << 20;

/// The requested launch; for a file without one its text and kernel.
Result<Launch> parseAsked(const LaunchRequest& request, bool explain) {
  const bool isFile = findStrategy(request.target) == nullptr;
  if (isFile && request.launch.block.empty() && !explain && std::filesystem::exists(request.target)) {
    auto text = textOfFile(request.target, request.text);
    if (!text) return text.error();
    return Launch{.source = std::move(text).value(), .kernel = request.launch.kernel};
  }
  return readLaunch(request);
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
  const bool isNamed = findStrategy(request.target) == nullptr || !request.launch.kernel.empty();
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
  const auto text = readKernelFile(DesktopHost(), path, kMostMeasured);
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

int sassCommand(const SassArguments& options) {
  const LaunchRequest& request = options.request;
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
  return printed(describe(report), options.json);
}

/// The options of `lanescope-cli compile-cubin`.
struct CubinArguments {
  std::string text;   ///< a file
  std::string cubin;  ///< a file to write
  std::string kernel;
  std::string architecture;
};

/// Compiles with NVRTC, with line information. Prints the compiler's name, then its messages, as nvcc would.
int compileCubin(const CubinArguments& options) {
  const auto text = textOfFile(options.text);
  if (!text) return complain(text.error(), kWrongUsage);
  const auto nvrtc = Nvrtc::load();
  if (!nvrtc) return complain(nvrtc.error(), kFailed);
  TextLaunch launch{.text = std::string((*text)->text()), .kernel = options.kernel};
  const auto compiled = nvrtc->compile(launch, options.architecture, options.text);
  if (!compiled) return complain(compiled.error(), kFailed);
  std::string output = compiled->compiled ? nvrtc->version() + "\n" : std::string();
  for (const CompilerFinding& one : compiled->findings) {
    output += fmt::format("{}({}): {}: {}\n", one.line == 0 ? "the instance" : options.text, one.line,
                          one.isError ? "error" : "warning", one.message);
  }
  if (compiled->compiled) {
    if (const auto problem = writeFile(options.cubin, compiled->image)) return complain(*problem, kFailed);
  }
  const int written = printed(output);
  return compiled->compiled ? written : kFailed;
}

}  // namespace

Command addSassCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "sass", "Print a kernel's machine code, line by line, and what the compiler made of its accesses");
  const auto options = std::make_shared<SassArguments>();
  addSimulationOptions(*command, options->request);
  auto* const arch = command->add_option("--arch", options->architecture,
                                         "the GPU's architecture, as nvcc names it (default sm_90)");
  command->add_flag(
      "--explain", options->explain,
      "run the launch in the simulator; say per line what the compiler made of its accesses, and what "
      "Nsight Compute's counters are of the machine code");
  auto* const explain = command->get_option("--explain");
  command
      ->add_option("--measured", options->measured,
                   "counters measured on a GPU to compare: JSON, as lanescope-gpu counters prints them")
      ->needs(explain);
  command
      ->add_option(
          "--recording", options->recording,
          "the machine code of a recording of lanescope-gpu profile, in place of the local toolkit's")
      ->excludes(arch);
  command->add_flag("--json", options->json, "print JSON");
  command->footer(
      "Needs a CUDA Toolkit (nvcc, and nvdisasm or cuobjdump: in CUDA_HOME, on the PATH or in "
      "/usr/local/cuda) and no GPU; without one, the recorded machine code of the strategies. A file needs a "
      "launch only for --explain.\n"
      "Exit status: 0 done; 1 no machine code was found, or the kernel failed; 2 wrong usage.");
  return {command, [options] { return sassCommand(*options); }};
}

Command addCubinCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("compile-cubin", "Compile a kernel with NVRTC");
  const auto options = std::make_shared<CubinArguments>();
  command->group("");
  command->add_option("text", options->text)->required();
  command->add_option("cubin", options->cubin)->required();
  command->add_option("--kernel", options->kernel)->required();
  command->add_option("--arch", options->architecture)->required();
  return {command, [options] { return compileCubin(*options); }};
}

}  // namespace lanescope::cli
