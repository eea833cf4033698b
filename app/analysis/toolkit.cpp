#include "app/analysis/toolkit.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/base/child_process.h"
#include "app/base/host.h"
#include "kernels/protocol/nvrtc.h"
#include "kernels/protocol/protocol.h"
#include "kernels/protocol/text_parts.h"
#include "kernels/protocol/tool_process.h"
#include "sim/base/words.h"
#include "sim/language/parse/syntax.h"
#include "sim/machine/compile/compiled_kernel.h"
#include "sim/sass/machine_code.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTextName = "lanescope_text.cu";
constexpr std::size_t kMostToolOutput = 256u << 20;
constexpr std::size_t kMostLog = 1u << 20;

Error noTool(const std::string& what) {
  return {
      what + " is not on this machine.",
      "Install the CUDA Toolkit (packages cuda-nvcc and cuda-nvdisasm), or name its folder in CUDA_HOME."};
}

/// `release 13.0` from the version text of a tool; empty if it has none.
std::string versionIn(std::string_view text) {
  constexpr std::string_view kRelease = "release ";
  const std::size_t at = text.find(kRelease);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + kRelease.size());
  return std::string(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

/// The steps of one request, in a folder that is removed with it.
class Job {
 public:
  Job(const CodeRequest& request, const Toolkit& toolkit, const StillWanted& stillWanted, double limitSeconds)
      : request_(request), toolkit_(toolkit), stillWanted_(stillWanted), limitSeconds_(limitSeconds) {}

  Result<MachineCode> run() {
    if (auto problem = writeText()) return *std::move(problem);
    if (auto problem = compile()) return *std::move(problem);
    const bool hasLines = toolkit_.nvdisasm.has_value();
    auto text = hasLines ? disassembly({"-c", "-gi"}) : disassembly({"-sass"});
    if (!text) return text.error();
    auto functions = parseDisassembly(*text, kTextName);
    if (functions.empty() && hasLines) {  // before 11.2 nvdisasm does not say where code was inlined
      text = disassembly({"-c", "-g"});
      if (!text) return text.error();
      functions = parseDisassembly(*text, kTextName);
    }
    if (functions.empty()) return unreadable(*text);
    return machineCodeFor(functions);
  }

 private:
  Result<std::string> output(const std::vector<std::string>& words, std::size_t most) const {
    auto text = readOutput(words, folder_, stillWanted_, limitSeconds_, most);
    if (!text)
      return Error{text.error().message, "Try the same command in a terminal: it may hang there too."};
    return text;
  }

  /// A template is instantiated only if its instance is named.
  std::optional<Error> writeText() const {
    std::string text = request_.text;
    // NVRTC is given the kernel's name.
    if (toolkit_.nvcc && request_.kernel.find('<') != std::string::npos)
      text += fmt::format("\n#line 1 \"the instance\"\nvoid* const lanescopeInstance = (void*)({});\n",
                          request_.kernel);
    return folder_.write(kTextName, text);
  }

  std::optional<Error> compile() {
    const std::string text = (folder_.path() / kTextName).string();
    cubin_ = (folder_.path() / "lanescope_text.cubin").string();
    const auto log = output(toolkit_.nvcc ? nvccWords(text) : nvrtcWords(text), kMostLog);
    if (!log) return log.error();
    std::error_code code;
    if (fs::exists(cubin_, code)) {
      std::string_view rest = *log;
      compiler_ = toolkit_.nvcc ? "nvcc" : std::string(splitLine(rest));
      return std::nullopt;
    }
    return refusal(*log, text);
  }

  std::vector<std::string> nvccWords(const std::string& text) const {
    return {toolkit_.nvcc->string(),          "-cubin", "-lineinfo", "-O3", "-std=c++17", "--fmad=false",
            "-arch=" + request_.architecture, text,     "-o",        cubin_};
  }

  std::vector<std::string> nvrtcWords(const std::string& text) const {
    return {toolkit_.nvrtcProgram->string(),
            "compile-cubin",
            text,
            cubin_,
            "--kernel",
            request_.kernel,
            "--arch",
            request_.architecture};
  }

  /// nvcc's error message about the text or the architecture.
  Error refusal(const std::string& log, const std::string& text) const {
    if (toolkit_.nvcc && log.find("Unsupported gpu architecture") != std::string::npos) {
      const auto version = output({toolkit_.nvcc->string(), "--list-gpu-code"}, kMostLog);
      std::string known = version ? *version : std::string();
      std::ranges::replace(known, '\n', ' ');
      return {fmt::format("nvcc does not know the architecture '{}'.", request_.architecture),
              known.empty() ? std::string()
                            : fmt::format("It knows {}.", known.substr(0, known.find_last_not_of(' ') + 1))};
    }
    for (const CompilerFinding& finding : parseCompilerLog(log, text)) {
      if (!finding.isError) continue;
      if (finding.line != 0)
        return {
            fmt::format("{} does not take the text: line {}: {}.", name(), finding.line, finding.message)};
      return {fmt::format("{} does not take the kernel '{}': {}.", name(), request_.kernel, finding.message),
              "A template needs its arguments, as --kernel 'name<128>'."};
    }
    std::string_view rest = log;
    const std::string_view first = splitLine(rest);
    return {first.empty() ? name() + " failed without a word."
                          : fmt::format("{} failed: {}", name(), printable(first, 300))};
  }

  Result<std::string> disassembly(std::vector<std::string> options) const {
    options.insert(options.begin(), (toolkit_.nvdisasm ? *toolkit_.nvdisasm : *toolkit_.cuobjdump).string());
    options.push_back(cubin_);
    return output(options, kMostToolOutput);
  }

  Error unreadable(std::string_view text) const {
    const std::string tool = toolkit_.nvdisasm ? "nvdisasm" : "cuobjdump";
    std::string_view rest = text;
    const std::string first = printable(splitLine(rest), 300);
    return {fmt::format("{} printed no machine code{}", tool, first.empty() ? "." : ": " + first),
            "It must be of the compiler's CUDA Toolkit, or of a newer one."};
  }

  Result<MachineCode> machineCodeFor(const std::vector<DisassembledFunction>& functions) const {
    const DisassembledFunction* const found = findKernel(functions, request_.kernel);
    if (found == nullptr) {
      std::string names;
      for (const DisassembledFunction& one : functions)
        names += (names.empty() ? "" : ", ") + readableName(one.symbol);
      return Error{fmt::format("The text has no kernel '{}'.", request_.kernel),
                   fmt::format("Machine code was made of {}.", names)};
    }
    const std::string tool = toolkit_.nvdisasm ? "nvdisasm" : "cuobjdump, which knows no lines";
    MachineCode code{request_.kernel, request_.architecture, {}, false, true, found->instructions};
    code.origin = fmt::format("{}, {}", compilerVersion(), tool);
    std::ifstream file(cubin_, std::ios::binary);
    const std::string cubin{std::istreambuf_iterator<char>(file), {}};
    code.constants = readConstants(std::as_bytes(std::span(cubin)), found->symbol);
    return code;
  }

  std::string name() const { return toolkit_.nvcc ? "nvcc" : "NVRTC"; }

  std::string compilerVersion() const {
    if (!toolkit_.nvcc) return compiler_;
    const auto version = output({toolkit_.nvcc->string(), "--version"}, kMostLog);
    return "nvcc " + (version ? versionIn(*version) : std::string());
  }

  const CodeRequest& request_;
  const Toolkit& toolkit_;
  const StillWanted& stillWanted_;
  double limitSeconds_;
  TemporaryFolder folder_;
  std::string cubin_;
  std::string compiler_;  ///< its name, of NVRTC with its version
};

}  // namespace

CodeRequest makeCodeRequest(const SourceText& text, const std::string& kernel, std::string architecture) {
  return {syntax::deviceText(text, kernel), kernel, std::move(architecture)};
}

Toolkit findToolkit() {
  Toolkit toolkit{findCudaProgram("nvcc"), findCudaProgram("nvdisasm"), findCudaProgram("cuobjdump")};
  if (toolkit.nvcc || !Nvrtc::load()) return toolkit;
  const fs::path program = programFolder() / "lanescope-cli";
  if (isProgram(program)) toolkit.nvrtcProgram = program;
  return toolkit;
}

bool isArchitecture(const std::string& name) {
  constexpr std::string_view kPrefix = "sm_";
  if (!name.starts_with(kPrefix) || name.size() > 8) return false;
  std::string_view rest = std::string_view(name).substr(kPrefix.size());
  if (rest.ends_with('a') || rest.ends_with('f')) rest.remove_suffix(1);
  return rest.size() >= 2 && rest.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string findArchitecture(std::string computeCapability) {
  std::erase(computeCapability, '.');
  std::string name = "sm_" + computeCapability;
  return isArchitecture(name) ? name : "";
}

Result<MachineCode> disassemble(const CodeRequest& request, const Toolkit& toolkit,
                                const StillWanted& stillWanted, double limitSeconds) {
  if (!isArchitecture(request.architecture)) {
    return Error{fmt::format("'{}' is not a GPU architecture.", request.architecture),
                 "Architectures are named as sm_75, sm_80, sm_90."};
  }
  if (!toolkit.canCompile()) return noTool("nvcc, which makes the machine code,");
  if (!toolkit.canDisassemble()) return noTool("nvdisasm, which shows the machine code,");
  return Job(request, toolkit, stillWanted, limitSeconds).run();
}

namespace {

constexpr std::chrono::milliseconds kDelay{300};   // after the last key
constexpr std::uint64_t kQuickAccesses = 200'000;  // a second, or two

}  // namespace

LocalCode::Outcome LocalCode::work(const Request& request, const std::stop_token& stop) {
  auto outcome = std::make_shared<CodeOutcome>();
  outcome->source = request.launch.source;
  outcome->kernel = request.launch.kernel;
  if (outcome->kernel.empty()) {
    const auto compiled = compileKernel(ParsedText(request.launch.source), {});
    if (!compiled) {
      outcome->code = compiled.error();
      return outcome;
    }
    outcome->kernel = (*compiled)->code.kernelName;
  }
  outcome->code = disassemble(makeCodeRequest(*request.launch.source, outcome->kernel, request.architecture),
                              request.toolkit, [&stop](double) { return !stop.stop_requested(); });
  if (!outcome->code || !request.toolkit.nvdisasm || stop.stop_requested()) return outcome;
  Launch launch = request.launch;
  launch.stop = stop;
  if (auto comparison = compareAccesses(launch, *outcome->code, kQuickAccesses))
    outcome->comparison = std::move(comparison).value();
  return outcome;
}

LocalCode::LocalCode(ExecutorPtr executor) : job_(std::move(executor), Job::Work(work), kDelay) {}

const Toolkit& LocalCode::toolkit() {
  if (!toolkit_) toolkit_ = findToolkit();
  return *toolkit_;
}

void LocalCode::ask(const Launch& launch, const std::string& architecture) {
  job_.request({launch, architecture, toolkit()});
}

bool LocalCode::poll() {
  auto outcome = job_.consume();
  if (!outcome) return false;
  found_ = std::move(*outcome);
  return true;
}

const CodeOutcome* LocalCode::of(std::string_view text) const {
  return found_ != nullptr && found_->source->text() == text ? found_.get() : nullptr;
}

}  // namespace lanescope
