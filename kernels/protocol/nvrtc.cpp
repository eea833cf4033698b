#include "kernels/protocol/nvrtc.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

#include <dlfcn.h>

#include "kernels/protocol/protocol.h"
#include "kernels/protocol/text_parts.h"
#include "sim/language/text/toolkit_headers.h"

namespace lanescope {
namespace {

constexpr std::size_t kIndent = 2;  // NVRTC indents the quoted line and its caret by two blanks
constexpr std::size_t kMessageBytes = 300;

/// Splits a line into severity and message: `error: …`, `warning #177-D: …`, `catastrophic error: …`.
std::optional<CompilerFinding> severityAndMessage(std::string_view text) {
  CompilerFinding finding;
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view severity = text.substr(0, colon);
  if (severity.starts_with("warning")) {
    finding.isError = false;
  } else if (!severity.starts_with("error") && !severity.starts_with("catastrophic error") &&
             !severity.starts_with("internal error")) {
    return std::nullopt;
  }
  finding.message = printable(text.substr(colon + 2), kMessageBytes);
  return finding;
}

/// Parses a line `FILE(LINE): SEVERITY: MESSAGE`; empty if it has another form.
std::optional<CompilerFinding> parseFinding(std::string_view line, std::string_view fileName) {
  const std::size_t close = line.find("): ");
  if (close == std::string_view::npos) return std::nullopt;
  const std::size_t open = line.rfind('(', close);
  if (open == std::string_view::npos) return std::nullopt;
  std::uint32_t number = 0;
  const auto [end, failure] = std::from_chars(line.data() + open + 1, line.data() + close, number);
  if (failure != std::errc{} || end != line.data() + close) return std::nullopt;
  auto finding = severityAndMessage(line.substr(close + 3));
  if (finding && line.substr(0, open) == fileName) finding->line = number;
  return finding;
}

/// The column that a caret line points to, or 0.
std::uint32_t findColumn(std::string_view line) {
  const std::size_t caret = line.find_first_not_of(" \t");
  if (caret == std::string_view::npos || line.substr(caret) != "^" || caret < kIndent) return 0;
  return static_cast<std::uint32_t>(caret - kIndent + 1);
}

}  // namespace

std::vector<CompilerFinding> parseCompilerLog(std::string_view log, std::string_view fileName) {
  std::vector<CompilerFinding> findings;
  bool wantsColumn = false;
  while (!log.empty()) {
    const std::string_view line = splitLine(log);
    if (auto finding = parseFinding(line, fileName)) {
      findings.push_back(std::move(*finding));
      wantsColumn = true;
    } else if (const std::uint32_t column = findColumn(line); wantsColumn && column != 0) {
      if (findings.back().line != 0) findings.back().column = column;
      wantsColumn = false;
    }
  }
  std::stable_sort(findings.begin(), findings.end(), [](const CompilerFinding& a, const CompilerFinding& b) {
    return a.isError && !b.isError;
  });
  if (findings.size() > kMaxDiagnostics) findings.resize(kMaxDiagnostics);
  return findings;
}

namespace {

namespace fs = std::filesystem;

constexpr const char* kTextName = "kernel.cu";

struct Header {
  std::string name;
  std::string text;
};
constexpr const char* kIntegerTypes =
    "#pragma once\n"
    "typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t;\n"
    "typedef unsigned short uint16_t; typedef int int32_t; typedef unsigned int uint32_t;\n"
    "typedef long long int64_t; typedef unsigned long long uint64_t;\n"
    "namespace std { using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t;\n"
    "using ::int32_t; using ::uint32_t; using ::int64_t; using ::uint64_t; }\n";

std::string wholeText(std::uint64_t value, std::string_view type) {
  const bool isSigned = type[0] == 'I';
  const std::string suffix = std::string(isSigned ? "" : "u") + (type.ends_with("64") ? "ll" : "");
  if (!isSigned) return std::to_string(value) + suffix;
  const auto number = static_cast<std::int64_t>(value);
  // The least number has no literal of its own.
  return number >= 0 ? std::to_string(number) + suffix : "(" + std::to_string(number + 1) + suffix + " - 1)";
}

std::string realText(double value, std::string_view type) {
  const bool isFloat = type == "F32";
  if (std::isnan(value))
    return isFloat ? "__int_as_float(0x7fc00000)" : "__longlong_as_double(0x7ff8000000000000)";
  if (std::isinf(value)) return isFloat ? "((float)(1e300 * 1e300))" : "(1e300 * 1e300)";
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value);
  const std::string number = text.data();
  return number + (number.find_first_of(".e") == std::string::npos ? ".0" : "") + (isFloat ? "f" : "");
}

/// The constants of <climits>, <cfloat> and <cmath>, as in the simulator.
std::string constantsText() {
  std::string text = "#pragma once\n";
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!name.starts_with("CUDART_")) text += "#define " + std::string(name) + " " + value + "\n";
  };
#define WHOLE(name, type, value) add(#name, wholeText(static_cast<std::uint64_t>(value), #type));
#define REAL(name, type, value) add(#name, realText(value, #type));
#include "sim/language/check/constants.def"
  return text;
}

/// The parts of commonly included headers that NVRTC lacks.
std::string knownText(std::string_view name) {
  constexpr std::array<std::string_view, 6> kOfConstants{"cfloat",  "climits",  "cmath",
                                                         "float.h", "limits.h", "math.h"};
  if (name == "cstdint" || name == "stdint.h") return kIntegerTypes;
  static const std::string constants = constantsText();
  return std::ranges::count(kOfConstants, name) > 0 ? constants : std::string();
}

/// The headers of C++ and C that a text includes: the parts that NVRTC lacks and, if the text contains
/// `std::` and the toolkit has it, libcu++'s. Otherwise they are empty, as in the simulator.
std::vector<Header> headersFor(const std::string& text, const std::string& toolkit) {
  const bool usesLibrary = text.find("std::") != std::string::npos;
  std::vector<Header> headers{{"cuda_runtime.h", ""}, {"device_launch_parameters.h", ""}};
  std::set<std::string> names = bracketedIncludes(text);
  names.insert({"assert.h", "cassert", "cmath", "math.h", "cstddef", "stddef.h", "cstdint", "stdint.h",
                "climits", "limits.h", "cfloat", "float.h", "cstdio",
                "stdio.h"});  // of the toolkit's own, too
  for (const std::string& name : names) {
    if (!isStandardHeader(name)) continue;
    Header& header = headers.emplace_back(Header{name, knownText(name)});
    std::error_code failure;
    if (usesLibrary && fs::exists(fs::path(toolkit) / "cccl/cuda/std" / name, failure))
      header.text += "#include <cuda/std/" + name +
                     ">\nnamespace cuda::std {}\nnamespace std { using namespace cuda::std; }\n";
  }
  return headers;
}

std::vector<std::string> candidates() {
  std::vector<std::string> paths;
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) paths.emplace_back(name);
  std::vector<std::string> roots;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* root = std::getenv(variable); root != nullptr && *root != '\0') roots.emplace_back(root);
  }
  roots.emplace_back("/usr/local/cuda");
  for (const std::string& root : roots) {
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) {
      for (const char* folder : {"/lib64/", "/lib/"}) paths.push_back(root + folder + name);
    }
  }
  return paths;
}

Error notFound() {
  return Error{
      "The compiler for edited kernels (NVRTC, libnvrtc.so of CUDA 12 or 13) is not on the worker's machine.",
      "Install it there (package cuda-nvrtc-13-0, or the CUDA Toolkit), or name its folder in "
      "LD_LIBRARY_PATH."};
}

/// The folder of cooperative_groups.h and similar headers, for a library at `function`.
std::string includeFolderBeside(void* function) {
  Dl_info info{};
  std::error_code code;
  if (dladdr(function, &info) == 0 || info.dli_fname == nullptr) return {};
  const fs::path library = fs::canonical(info.dli_fname, code);
  for (const fs::path& root : {library.parent_path().parent_path(), fs::path("/usr/local/cuda")}) {
    if (fs::exists(root / "include" / "cooperative_groups.h", code)) return (root / "include").string();
  }
  return {};
}

}  // namespace

struct Nvrtc::Functions {
  using Handle = void*;
  int (*version)(int*, int*) = nullptr;
  const char* (*errorString)(int) = nullptr;
  int (*create)(Handle*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*destroy)(Handle*) = nullptr;
  int (*addName)(Handle, const char*) = nullptr;
  int (*compile)(Handle, int, const char* const*) = nullptr;
  int (*logSize)(Handle, std::size_t*) = nullptr;
  int (*log)(Handle, char*) = nullptr;
  int (*cubinSize)(Handle, std::size_t*) = nullptr;
  int (*cubin)(Handle, char*) = nullptr;
  int (*loweredName)(Handle, const char*, const char**) = nullptr;

  /// True if the library has all of them.
  bool find(void* library) {
    return receive(library, "nvrtcVersion", version) &&
           receive(library, "nvrtcGetErrorString", errorString) &&
           receive(library, "nvrtcCreateProgram", create) &&
           receive(library, "nvrtcDestroyProgram", destroy) &&
           receive(library, "nvrtcAddNameExpression", addName) &&
           receive(library, "nvrtcCompileProgram", compile) &&
           receive(library, "nvrtcGetProgramLogSize", logSize) &&
           receive(library, "nvrtcGetProgramLog", log) && receive(library, "nvrtcGetCUBINSize", cubinSize) &&
           receive(library, "nvrtcGetCUBIN", cubin) && receive(library, "nvrtcGetLoweredName", loweredName);
  }

 private:
  template <class Function>
  static bool receive(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
  }
};

/// Owns a program of NVRTC.
struct Nvrtc::Program {
  const Functions& nvrtc;
  Functions::Handle handle = nullptr;

  explicit Program(const Functions& functions) : nvrtc(functions) {}
  ~Program() {
    if (handle != nullptr) nvrtc.destroy(&handle);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::string log() const {
    std::size_t size = 0;
    if (nvrtc.logSize(handle, &size) != 0 || size == 0) return {};
    std::string text(size, '\0');
    if (nvrtc.log(handle, text.data()) != 0) return {};
    text.resize(size - 1);  // its terminating zero
    return text;
  }

  std::string image() const {
    std::size_t size = 0;
    if (nvrtc.cubinSize(handle, &size) != 0) return {};
    std::string bytes(size, '\0');
    return nvrtc.cubin(handle, bytes.data()) == 0 ? bytes : std::string();
  }
};

Result<Nvrtc> Nvrtc::load() {
  for (const std::string& path : candidates()) {
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    Functions functions;
    if (!functions.find(library)) {
      dlclose(library);
      continue;
    }
    Nvrtc nvrtc;
    int major = 0;
    int minor = 0;
    functions.version(&major, &minor);
    nvrtc.version_ = "NVRTC " + std::to_string(major) + "." + std::to_string(minor);
    nvrtc.includeFolder_ = includeFolderBeside(reinterpret_cast<void*>(functions.version));
    nvrtc.functions_ = std::make_shared<const Functions>(functions);  // the library stays loaded
    return nvrtc;
  }
  return notFound();
}

std::vector<std::string> Nvrtc::optionsFor(const std::string& architecture) const {
  std::vector<std::string> options{"--gpu-architecture=" + architecture, "--std=c++17", "--fmad=false"};
  // Without it a generic lambda in a kernel is taken as the host's.
  options.emplace_back("--device-as-default-execution-space");
  // NVRTC has neither, but it has the built-in with which its front end makes constants of addresses.
  for (const std::string name : {"offsetof", "__builtin_offsetof"})
    options.push_back("--define-macro=" + name + "(type,field)=((size_t)__INTADDR__(&((type*)0)->field))");
  if (!includeFolder_.empty()) {
    options.push_back("--include-path=" + includeFolder_);
    options.push_back("--include-path=" + includeFolder_ + "/cccl");
  }
  return options;
}

Result<CompiledText> Nvrtc::compile(const TextLaunch& launch, const std::string& architecture,
                                    const std::string& textFile) const {
  const std::string textName = textFile.empty() ? kTextName : textFile;
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Header> headers = headersFor(launch.text, includeFolder_);
  std::vector<const char*> names;
  std::vector<const char*> texts;
  for (const Header& header : headers) {
    names.push_back(header.name.c_str());
    texts.push_back(header.text.c_str());
  }
  const auto failure = [this](const char* task, int code) {
    return Error{"NVRTC could not " + std::string(task) + ": " + functions_->errorString(code) + "."};
  };
  Program program(*functions_);
  int code = functions_->create(&program.handle, launch.text.c_str(), textName.c_str(),
                                static_cast<int>(headers.size()), texts.data(), names.data());
  if (code != 0) return failure("take the text", code);
  code = functions_->addName(program.handle, launch.kernel.c_str());
  if (code != 0) return failure("take the kernel's name", code);
  std::vector<std::string> options = optionsFor(architecture);
  if (!textFile.empty()) options.emplace_back("--generate-line-info");
  std::vector<const char*> pointers;
  pointers.reserve(options.size());
  for (const std::string& option : options) pointers.push_back(option.c_str());
  code = functions_->compile(program.handle, static_cast<int>(pointers.size()), pointers.data());

  CompiledText result;
  const std::string log = program.log();
  result.findings = parseCompilerLog(log, textName);
  result.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  if (log.find("__nv_name_map(") != std::string::npos) {
    // The requested name is compiled as a separate line after the text.
    std::erase_if(result.findings, [](const CompilerFinding& one) { return one.line == 0; });
    result.findings.insert(result.findings.begin(),
                           {true, 0, 0, "the text has no kernel '" + launch.kernel + "'"});
  }
  const bool hasError = !result.findings.empty() && result.findings.front().isError;
  if (code != 0) {
    if (!hasError) return failure("compile the text", code);
    return result;
  }
  const char* lowered = nullptr;
  code = functions_->loweredName(program.handle, launch.kernel.c_str(), &lowered);
  if (code != 0) return failure("find the kernel in the compiled text", code);
  result.loweredName = lowered;
  result.image = program.image();
  if (result.image.empty()) return failure("hand over its code", code);
  result.compiled = true;
  return result;
}

}  // namespace lanescope
