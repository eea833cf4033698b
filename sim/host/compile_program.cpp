#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <regex>
#include <sstream>

#include "sim/base/words.h"
#include "sim/host/host_text.h"
#include "sim/host/program.h"
#include "sim/language/text/toolkit_headers.h"

namespace lanescope::host {
namespace {

namespace fs = std::filesystem;

struct CommandResult {
  int status = -1;  ///< -1: it could not be started
  std::string errors;
};

/// True if a directory of headers is the CUDA Toolkit's: programs are compiled with Lanescope's headers in
/// their place.
bool isToolkitFolder(const fs::path& folder) {
  std::error_code failure;
  return fs::exists(folder / "cuda_runtime.h", failure);
}

/// The directories of CPATH, which the compiler treats like those of -I, without the toolkit's.
std::string headerPath() {
  const char* const path = std::getenv("CPATH");
  std::istringstream folders(path == nullptr ? "" : path);
  std::string kept;
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!isToolkitFolder(folder)) kept += (kept.empty() ? "" : ":") + folder;
  }
  return kept;
}

/// The compiler that runs now, which endCompiler() may end from another thread.
struct RunningCompiler {
  std::mutex mutex;
  pid_t group = 0;         ///< the process, which leads a group of them, until it is waited for; 0: none
  bool isRefused = false;  ///< none is started any more
};
RunningCompiler running;

/// Runs a command to its end; keeps its output to stderr.
CommandResult runCommand(const std::vector<std::string>& command) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) return {};
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const std::string path = headerPath();
  std::unique_lock held(running.mutex);
  const pid_t child = running.isRefused ? -1 : ::fork();
  if (child < 0) {
    ::close(pipe[0]);
    ::close(pipe[1]);
    return {};
  }
  if (child == 0) {
    ::setpgid(0, 0);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::dup2(pipe[1], STDERR_FILENO);
    ::close(pipe[0]);
    ::close(pipe[1]);
    if (path.empty())
      ::unsetenv("CPATH");
    else
      ::setenv("CPATH", path.c_str(), 1);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::setpgid(child, child);
  running.group = child;
  held.unlock();
  ::close(pipe[1]);
  CommandResult result;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = ::read(pipe[0], buffer.data(), buffer.size())) > 0;)
    result.errors.append(buffer.data(), static_cast<std::size_t>(got));
  ::close(pipe[0]);
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  held.lock();  // its number is free for another process once it is waited for
  running.group = 0;
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

/// The NVIDIA library that a header belongs to; empty if unknown.
std::string_view findLibrary(const std::string& header) {
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

/// A hint for a compiler error caused by Lanescope: a call, type or header of CUDA's that is missing here.
std::string hintFor(const std::string& errors) {
  std::smatch found;
  static const std::regex header("fatal error: '?([a-zA-Z0-9_./-]+)'?(: No such file| file not found)");
  if (std::regex_search(errors, found, header)) {
    const std::string name = found[1];
    if (const std::string_view library = findLibrary(name); !library.empty()) {
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
  static const std::regex reference("texture['\u2019]+ does not name a (template|type)");
  if (std::regex_search(errors, reference)) {
    return "texture<…> declares a texture reference, which CUDA 12 has removed; textures are not simulated: "
           "read the array through a pointer.";
  }
  static const std::regex driver(
      "['\u2018`](cu[A-Z][A-Za-z0-9_]+)['\u2019].{0,40}(was not declared|does not name)|"
      "undeclared identifier '(cu[A-Z][A-Za-z0-9_]+)'");
  if (std::regex_search(errors, found, driver)) {
    return fmt::format("{} is a part of the CUDA driver API, which is not simulated: the CUDA runtime is.",
                       found[1].matched ? found[1].str() : found[2].str());
  }
  static const std::regex name(
      "['\u2018`](cu(?:da|rand)[A-Za-z0-9_]+)(<[^>]*>)?['\u2019].{0,40}(was not declared|does not "
      "name|undeclared)|"
      "undeclared identifier '(cu(?:da|rand)[A-Za-z0-9_]+)'|unknown type name "
      "'(cu(?:da|rand)[A-Za-z0-9_]+)'");
  if (std::regex_search(errors, found, name)) {
    const std::string which = found[1].matched ? found[1] : found[4].matched ? found[4] : found[5];
    if (which.starts_with("curand")) {
      return fmt::format(
          "{} is not simulated for the host: in kernels the generators curandState and "
          "curandStatePhilox4_32_10_t are.",
          which);
    }
    return fmt::format("{} is a part of the CUDA runtime that Lanescope does not have.", which);
  }
  return "";
}

Error refused(const std::string& source, const std::string& errors) {
  std::fputs(errors.c_str(), stderr);
  return Error{fmt::format("{} does not compile for the host.", source), hintFor(errors)};
}

/// Leaves out the libraries that the linker has not found, by its messages; true if there are any.
bool leaveOutMissing(const std::string& errors, std::vector<std::string>& command) {
  static const std::regex missing("(cannot find|unable to find library|library not found for) (-l[^:\\s]+)");
  bool isAny = false;
  for (std::sregex_iterator found(errors.begin(), errors.end(), missing), end; found != end; ++found)
    isAny = std::erase(command, (*found)[2].str()) > 0 || isAny;
  return isAny;
}

/// The program's own files, each under the names by which an `#include "…"` may reach it: from the program's
/// folder, and from every directory of headers.
std::vector<IncludedText> includedTexts(const ProgramOptions& options, const std::string& source,
                                        const std::vector<std::string>& files) {
  std::error_code failure;
  const auto whole = [&](const fs::path& path) {
    return fs::weakly_canonical(fs::current_path() / path, failure);
  };
  std::vector<fs::path> folders{whole(fs::path(source).parent_path())};
  for (const auto* const list : {&options.includeDirectories, &options.likelyDirectories}) {
    for (const std::string& each : *list) folders.push_back(whole(each));
  }
  std::vector<IncludedText> texts;
  for (const std::string& file : files) {
    if (file == source || !fs::is_regular_file(file, failure)) continue;
    for (const fs::path& folder : folders) {
      const fs::path name = whole(file).lexically_relative(folder);
      const auto isIt = [&](const IncludedText& known) { return known.path == name.generic_string(); };
      if (!name.empty() && std::ranges::none_of(texts, isIt))
        texts.push_back({name.generic_string(), readAll(file)});
    }
  }
  return texts;
}

/// The lambdas' text, appended behind a program's last line.
std::string listLambdas(const HostText& text) { return text.classes.empty() ? "" : "\n" + text.classes; }

/// A source file of the program, with the results of its compilation.
struct Unit {
  std::string source;
  bool isCuda = true;
  std::string stem;  ///< of the files made from it
  std::string preprocessed{};
  HostText host{};
};

class Compilation {
 public:
  Compilation(const ProgramOptions& options, const fs::path& directory)
      : options_(options), directory_(directory), headers_(directory / "lanescope" / "include") {
    for (const std::string& source : options.sources) {
      const bool isCuda = options.sources.size() == 1 || source.ends_with(".cu");
      units_.push_back({source, isCuda, (directory / fmt::format("program{}", units_.size())).string()});
    }
  }

  Result<CompiledProgram> run() {
    writeHeaders();
    for (Unit& unit : units_) {
      if (auto done = preprocess(unit); !done) return done.error();
    }
    rewrite();
    for (const Unit& unit : units_) {
      if (auto done = compile(unit); !done) return done.error();
    }
    CompiledProgram program{(directory_ / "program.so").string(), {}};
    if (auto done = link(program.library); !done) return done.error();
    for (const Unit& unit : units_) {
      if (unit.isCuda) program.sources.push_back(makeSource(unit));
    }
    if (program.sources.empty()) program.sources.push_back(std::make_shared<const SourceText>());
    return program;
  }

 private:
  void writeHeader(const fs::path& name, std::string_view text) const {
    fs::create_directories((headers_ / name).parent_path());
    std::ofstream file(headers_ / name, std::ios::binary);
    for (const std::string_view macro : wordsIn(macrosOfHeader(name.generic_string()))) {
      const std::size_t equals = std::min(macro.find('='), macro.size());
      const std::string_view value = macro.substr(std::min(equals + 1, macro.size()));
      file << "#define " << macro.substr(0, equals) << ' ' << value << '\n';
    }
    file << text;
  }

  void writeHeaders() const {
    for (const HeaderText& header : headerTexts()) writeHeader(header.name, header.text);
    for (const ForwardingHeaders& each : forwardingHeaders()) {
      for (const std::string_view name : wordsIn(each.names)) {
        const fs::path target = fs::path(each.target).lexically_relative(fs::path(name).parent_path());
        writeHeader(
            name, fmt::format("#pragma once\n#pragma GCC system_header\n#include \"{}\"\n", target.string()));
      }
    }
  }

  std::vector<std::string> commonArguments(const Unit& unit) const {
    // A char is signed in kernels, so also on the host: compilers differ by machine.
    std::vector<std::string> words{options_.compiler, "-fsigned-char", "-x"};
    if (unit.source.ends_with(".c"))
      words.emplace_back("c");
    else
      words.insert(words.end(), {"c++", "-std=" + options_.standard});
    // As nvcc does: no -O unless it is asked for, and the compiler's own warnings.
    if (!options_.optimization.empty()) words.push_back("-O" + options_.optimization);
    words.insert(words.end(), options_.hostFlags.begin(), options_.hostFlags.end());
    return words;
  }

  Result<bool> preprocess(Unit& unit) const {
    std::vector<std::string> command = commonArguments(unit);
    command.emplace_back("-E");
    if (unit.isCuda) {
      for (const PredefinedMacro& macro : nvccMacros())
        command.push_back(fmt::format("-D{}={}", macro.name, macro.value));
      for (const std::string_view word : wordsIn(keptWords()))
        command.push_back(fmt::format("-D{0}={0}", word));
      command.insert(command.end(), {"-include", "cuda_runtime.h"});
    }
    for (const std::string& each : options_.includeDirectories) {
      if (!isToolkitFolder(each)) command.insert(command.end(), {"-iquote", each, "-I" + each});
    }
    for (const std::string& each : options_.likelyDirectories) {
      if (!isToolkitFolder(each)) command.insert(command.end(), {"-iquote", each});
    }
    for (const std::string& each : options_.definitions) command.push_back("-D" + each);
    const std::string to = unit.stem + ".i";
    command.insert(command.end(), {"-isystem", headers_.string(), unit.source, "-o", to});
    const CommandResult read = runCommand(command);
    if (read.status < 0) {
      return Error{
          fmt::format("There is no C++ compiler '{}' to compile the host code with.", options_.compiler),
          "Install one (Debian: apt install g++), or name it with --cxx."};
    }
    if (read.status != 0) return refused(unit.source, read.errors);
    if (read.errors.find("#warning") != std::string::npos) std::fputs(read.errors.c_str(), stderr);
    unit.preprocessed = readAll(to);
    return true;
  }

  /// Makes the host's texts. Variables of the device belong to their files, unless one declares another's.
  void rewrite() {
    bool isLinked = units_.size() == 1;
    for (int pass = 0; pass < 2; ++pass) {
      std::size_t number = 0;
      bool usesOthers = false;
      for (Unit& unit : units_) {
        unit.host = hostText(unit.preprocessed, {unit.isCuda ? number++ : 0, isLinked});
        usesOthers |= unit.host.usesOthers;
      }
      if (isLinked || !usesOthers) return;
      isLinked = true;
    }
  }

  Result<bool> compile(const Unit& unit) const {
    const std::string host = unit.stem + ".host.i";
    std::ofstream(host, std::ios::binary) << unit.host.text;
    std::vector<std::string> command = commonArguments(unit);
    command.insert(command.end(), {"-fpreprocessed", "-g1", "-fPIC", "-ffp-contract=off", "-c", host, "-o",
                                   unit.stem + ".o"});
    const CommandResult compiled = runCommand(command);
    if (compiled.status != 0) return refused(unit.source, compiled.errors);
    std::fputs(compiled.errors.c_str(), stderr);
    return true;
  }

  Result<bool> link(const std::string& library) const {
    // A variable of the program stays its own, even if the C library has a function of that name.
    std::vector<std::string> command{options_.compiler, "-shared", "-Wl,-Bsymbolic"};
    for (const Unit& unit : units_) command.push_back(unit.stem + ".o");
    command.insert(command.end(), {"-o", library, "-lpthread"});
    command.insert(command.end(), options_.hostFlags.begin(), options_.hostFlags.end());
    for (const std::string& each : options_.hostLibraries) command.push_back("-l" + each);
    CommandResult linked = runCommand(command);
    // A library that the program names without needing it may be missing here.
    if (linked.status != 0 && leaveOutMissing(linked.errors, command)) linked = runCommand(command);
    if (linked.status == 0) return true;
    std::fputs(linked.errors.c_str(), stderr);
    return Error{fmt::format("{} and the other source files do not link.", units_[0].source), ""};
  }

  std::shared_ptr<const SourceText> makeSource(const Unit& unit) const {
    std::vector<IncludedText> includes = includedTexts(options_, unit.source, unit.host.files);
    if (!options_.definitions.empty()) includes.push_back(commandLineDefinitions(options_.definitions));
    return std::make_shared<const SourceText>(unit.source, readAll(unit.source) + listLambdas(unit.host),
                                              std::move(includes));
  }

  const ProgramOptions& options_;
  fs::path directory_;
  fs::path headers_;
  std::vector<Unit> units_;
};

}  // namespace

bool isSourcePath(std::string_view path) {
  constexpr std::array<std::string_view, 5> kEndings{".cu", ".cpp", ".cc", ".cxx", ".c"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return path.ends_with(ending); });
}

void endCompiler() {
  const auto send = [](int signal) {
    const std::lock_guard held(running.mutex);
    running.isRefused = true;
    return running.group > 0 && ::kill(-running.group, signal) == 0;
  };
  for (const int signal : {SIGTERM, SIGKILL}) {
    if (!send(signal)) return;
    for (int i = 0; i < 50 && send(0); ++i) ::usleep(20'000);
  }
}

Result<CompiledProgram> compileProgram(const ProgramOptions& options, const std::string& directory) {
  return Compilation(options, directory).run();
}

}  // namespace lanescope::host
