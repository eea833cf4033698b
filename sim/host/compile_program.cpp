#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "sim/host/headers.h"
#include "sim/host/program.h"
#include "sim/host/source/host_text.h"

namespace lanescope::host {
namespace {

namespace fs = std::filesystem;

struct CommandResult {
  int status = -1;  ///< -1: it could not be started
  std::string errors;
};

/// Runs a command to its end; what it writes to stderr is kept.
CommandResult runCommand(const std::vector<std::string>& command) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) return {};
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) return {};
  if (child == 0) {
    ::dup2(pipe[1], STDERR_FILENO);
    ::close(pipe[0]);
    ::close(pipe[1]);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(pipe[1]);
  CommandResult result;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = ::read(pipe[0], buffer.data(), buffer.size())) > 0;)
    result.errors.append(buffer.data(), static_cast<std::size_t>(got));
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) != 127) result.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.status = 128 + WTERMSIG(status);
  return result;
}

std::string readAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

/// The library of NVIDIA's that a header is of; empty where it is none that is known.
std::string_view libraryOf(const std::string& header) {
  static constexpr auto kLibraries = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"cublas", "cuBLAS"},
      {"cufft", "cuFFT"},
      {"curand", "cuRAND"},
      {"cusparse", "cuSPARSE"},
      {"cusolver", "cuSOLVER"},
      {"cudnn", "cuDNN"},
      {"nccl", "NCCL"},
      {"thrust/", "Thrust"},
      {"cub/", "CUB"},
      {"cuda/", "libcu++"},
      {"nvml", "NVML"},
      {"npp", "NPP"},
      {"mma.h", "the tensor cores"},
      {"cutlass", "CUTLASS"},
      {"cooperative_groups/memcpy_async", "asynchronous copies"},
      {"GL/", "OpenGL"},
      {"GLFW", "OpenGL"},
      {"opencv", "OpenCV"},
      {"mpi.h", "MPI"},
      {"cuda_gl_interop", "OpenGL"},
      {"nvrtc", "NVRTC"},
      {"cuda_pipeline", "asynchronous copies"},
  });
  const auto* const found =
      std::ranges::find_if(kLibraries, [&](const auto& each) { return header.starts_with(each.first); });
  return found == kLibraries.end() ? "" : found->second;
}

/// What the compiler's refusal has to do with Lanescope: a call, a type or a header of CUDA's that is not
/// here.
std::string hintFor(const std::string& errors) {
  std::smatch found;
  static const std::regex header("fatal error: '?([a-zA-Z0-9_./-]+)'?(: No such file| file not found)");
  if (std::regex_search(errors, found, header)) {
    const std::string name = found[1];
    if (const std::string_view library = libraryOf(name); !library.empty()) {
      return fmt::format(
          "{} is a header of {}, which is not simulated: only the CUDA runtime and the C++ standard library "
          "are.",
          name, library);
    }
    return fmt::format(
        "The header {} is not there: put it beside the program as its #include says, or give its directory "
        "with -I.",
        name);
  }
  static const std::regex name(
      "['\u2018`](cuda[A-Za-z0-9_]+)(<[^>]*>)?['\u2019].{0,40}(was not declared|does not name|undeclared)|"
      "undeclared identifier '(cuda[A-Za-z0-9_]+)'|unknown type name '(cuda[A-Za-z0-9_]+)'");
  if (std::regex_search(errors, found, name)) {
    const std::string which = found[1].matched ? found[1] : found[4].matched ? found[4] : found[5];
    return fmt::format("{} is a part of the CUDA runtime that Lanescope does not have.", which);
  }
  return "";
}

Error refused(const ProgramOptions& options, const std::string& errors) {
  std::fputs(errors.c_str(), stderr);
  return Error{fmt::format("{} does not compile for the host.", options.source), hintFor(errors)};
}

std::vector<std::string> commonArguments(const ProgramOptions& options) {
  // A char is signed in kernels, so in the host's part, too: not every machine's compiler has it so.
  return {options.compiler, "-x", "c++", "-fsigned-char", "-std=" + options.standard};
}

/// The program's own files, each under the names that an `#include "…"` may reach it by: from the program's
/// folder, and from every directory of headers.
std::vector<IncludedText> includedTexts(const ProgramOptions& options,
                                        const std::vector<std::string>& files) {
  std::error_code failure;
  const auto whole = [&](const fs::path& path) {
    return fs::weakly_canonical(fs::current_path() / path, failure);
  };
  std::vector<fs::path> folders{whole(fs::path(options.source).parent_path())};
  for (const std::string& each : options.includeDirectories) folders.push_back(whole(each));
  std::vector<IncludedText> texts;
  for (const std::string& file : files) {
    if (file == options.source || !fs::is_regular_file(file, failure)) continue;
    for (const fs::path& folder : folders) {
      const fs::path name = whole(file).lexically_relative(folder);
      const auto isIt = [&](const IncludedText& known) { return known.path == name.generic_string(); };
      if (!name.empty() && std::ranges::none_of(texts, isIt))
        texts.push_back({name.generic_string(), readAll(file)});
    }
  }
  return texts;
}

/// What is added to a program's text, behind its last line.
std::string lambdasOf(const HostText& text) { return text.classes.empty() ? "" : "\n" + text.classes; }

}  // namespace

Result<CompiledProgram> compileProgram(const ProgramOptions& options, const std::string& directory) {
  const fs::path headers = fs::path(directory) / "lanescope" / "include";
  for (const HeaderText& header : headerTexts()) {
    const fs::path path = headers / header.name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << header.text;
  }
  const fs::path preprocessed = fs::path(directory) / "program.i";
  const fs::path host = fs::path(directory) / "program.host.i";
  const fs::path library = fs::path(directory) / "program.so";

  std::vector<std::string> command = commonArguments(options);
  for (const char* const word :
       {"-E", "-D__CUDACC__=1", "-D__NVCC__=1", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0"})
    command.emplace_back(word);
  for (const std::string& each : options.includeDirectories) command.push_back("-I" + each);
  for (const std::string& each : options.definitions) command.push_back("-D" + each);
  for (const std::string& word :
       {std::string("-isystem"), headers.string(), std::string("-include"), std::string("cuda_runtime.h"),
        options.source, std::string("-o"), preprocessed.string()})
    command.push_back(word);
  const CommandResult read = runCommand(command);
  if (read.status < 0) {
    return Error{
        fmt::format("There is no C++ compiler '{}' to compile the host code with.", options.compiler),
        "Install one (Debian: apt install g++), or name it with --cxx."};
  }
  if (read.status != 0) return refused(options, read.errors);
  const HostText text = hostText(readAll(preprocessed));
  std::ofstream(host, std::ios::binary) << text.text;

  command = commonArguments(options);
  for (const std::string& word :
       {std::string("-fpreprocessed"), std::string("-O1"), std::string("-g1"), std::string("-fPIC"),
        std::string("-ffp-contract=off"), std::string("-w"), std::string("-shared"),
        // A variable of the program is its own, whatever functions the C library has of that name.
        std::string("-Wl,-Bsymbolic"), host.string(), std::string("-o"), library.string(),
        std::string("-lpthread")})
    command.push_back(word);
  const CommandResult compiled = runCommand(command);
  if (compiled.status != 0) return refused(options, compiled.errors);
  std::fputs(compiled.errors.c_str(), stderr);
  std::vector<IncludedText> includes = includedTexts(options, text.files);
  if (!options.definitions.empty()) includes.push_back(commandLineDefinitions(options.definitions));
  return CompiledProgram{library.string(),
                         std::make_shared<const SourceText>(
                             options.source, readAll(options.source) + lambdasOf(text), std::move(includes))};
}

}  // namespace lanescope::host
