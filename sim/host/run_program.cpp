#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "sim/base/counted.h"
#include "sim/host/program.h"
#include "sim/host/runtime/device.h"

namespace lanescope::host {
namespace {

namespace fs = std::filesystem;

/// The state that lives as long as the process that a program runs in.
struct Process {
  ProgramOptions options;
  std::string directory;                 ///< with the compiled program, for this run alone
  std::atomic<Device*> device{nullptr};  ///< never destroyed, as the program may use it to its very end
  std::mutex ending;
  bool isReported = false;
  std::array<char, std::size_t{1} << 18> signalStack{};
};

Process& process() {
  // Never destroyed: the program's own destructors free memory of the device after everything else.
  static Process* const only = std::make_unique<Process>().release();
  return *only;
}

void removeDirectory() {
  std::error_code ignored;
  if (!process().directory.empty()) fs::remove_all(process().directory, ignored);
}

/// Prints the table, once, for any end of the program, and for one that does not begin. `error`: the reason
/// it was ended.
void report(int status, const std::string& error = "") {
  Process& own = process();
  const std::lock_guard lock(own.ending);
  if (own.isReported) return;
  own.isReported = true;
  std::fflush(stdout);
  LaunchRecords records;
  if (Device* const device = own.device) {
    // A launch that is running keeps the lock, and changes nothing of this before its end.
    const auto held = device->tryLock(std::chrono::milliseconds(200));
    device->sayWhatIsLeft();
    records = device->records();
  }
  std::string text;
  if (own.options.json)
    text = recordsJson(records, own.options.sources[0], status, error);
  else if (own.options.launchesFile.empty())  // a reader of that file needs no table
    text = recordsText(records);
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  removeDirectory();
}

int exitStatus = 0;

/// The program's status, or that of --error-exitcode.
int statusWithErrors(int status) {
  const Process& own = process();
  Device* const device = own.device;
  if (device == nullptr || !own.options.errorStatus || !device->hasErrors()) return status;
  return *own.options.errorStatus;
}

void atExit() {
  const int status = statusWithErrors(exitStatus);
  report(status);
  if (status == exitStatus) return;
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(status);
}

std::atomic<bool> isEnding{false};  ///< endAtOnce() was called

[[noreturn]] void endAtOnce(int status, const std::string& error) {
  isEnding = true;
  endCompiler();
  fmt::print(stderr, "lanescope: {}\n", error);
  report(status, error);
  std::_Exit(status);
}

const void* programCounter(void* context) {
#if defined(__x86_64__)
  const auto at = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  return reinterpret_cast<const void*>(at);  // NOLINT(performance-no-int-to-ptr)
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(static_cast<ucontext_t*>(context)->uc_mcontext.pc);  // NOLINT
#else
  (void)context;
  return nullptr;
#endif
}

/// True if the fault was a write, or if that is not known.
bool isWriting(void* context) {
#if defined(__x86_64__)
  return (static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  (void)context;
  return true;
#endif
}

/// The program's line at which a signal arrived, or that called the code at which it arrived.
std::string placeOfSignal(void* context) {
  const Tutor& tutor = device().tutor();
  const std::string place = tutor.placeOfCode(programCounter(context), false);
  return place.empty() ? tutor.placeOfCaller() : place;
}

/// A fault of the host's code: the device's memory is not mapped, and managed memory is protected while
/// kernels may work on it.
void onFault(int signal, siginfo_t* info, void* context) {
  Process& own = process();
  if (own.device != nullptr && info->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS)) {
    Device& gpu = device();
    if (gpu.memory().letWrite(info->si_addr)) return;
    if (gpu.letEarlyUse(info->si_addr, isWriting(context), [context] { return placeOfSignal(context); }))
      return;  // and the access is done
    // Another thread may have lifted the protection meanwhile: a fault that comes back, and no protection has
    // changed, is none of that.
    static thread_local std::pair<const void*, std::uint64_t> tried{};
    const std::pair<const void*, std::uint64_t> now{info->si_addr, gpu.memory().guardChanges()};
    if (std::exchange(tried, now) != now) return;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const auto text = gpu.accessText(address);
    if (gpu.memory().letPastEnd(info->si_addr)) {
      const bool isOfKernel = gpu.progress().second > 0;
      if (!isOfKernel && text) gpu.tutor().explain(placeOfSignal(context), *text);
      return;
    }
    gpu.tutor().explain(
        placeOfSignal(context),
        text ? *text
             : fmt::format("the host code uses the address 0x{:x}, where there is no memory.", address));
  }
  report(128 + signal);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void installFaultHandlers() {
  stack_t stack{};
  stack.ss_sp = process().signalStack.data();
  stack.ss_size = process().signalStack.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = &onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL}) ::sigaction(signal, &action, nullptr);
}

/// Ctrl+C and the timeout, and a message during a launch that takes long.
void watch(const sigset_t& signals, std::chrono::milliseconds timeout) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const bool isTerminal = ::isatty(STDERR_FILENO) != 0;
  std::pair<std::uint64_t, std::uint64_t> last;
  Clock::time_point changed = begin;
  while (true) {
    const timespec pause{0, 200'000'000};
    const int signal = ::sigtimedwait(&signals, nullptr, &pause);
    if (signal > 0) endAtOnce(128 + signal, "interrupted.");
    const Clock::time_point now = Clock::now();
    const auto progress = [] {
      const Device* const device = process().device;
      return device == nullptr ? std::pair<std::uint64_t, std::uint64_t>{} : device->progress();
    };
    if (timeout.count() > 0 && now - begin > timeout) {
      const auto [begun, blocks] = progress();
      const std::string what = process().device.load() == nullptr ? ", while it was compiled"
                               : blocks == 0                      ? ""
                                             : fmt::format(", at block {} of {} of a launch",
                                                           withCommas(begun), withCommas(blocks));
      endAtOnce(kTimedOut, fmt::format("ended after the timeout of {} s{}.",
                                       static_cast<double>(timeout.count()) / 1000, what));
    }
    const auto [begun, blocks] = progress();
    if (blocks != last.second) changed = now;
    last = {begun, blocks};
    if (isTerminal && blocks > 0 && now - changed > std::chrono::seconds(2))
      fmt::print(stderr, "\r\x1b[Kblock {} of {} ({}%); Ctrl+C ends it\r", withCommas(begun),
                 withCommas(blocks), begun * 100 / blocks);
  }
}

std::uint64_t halfOfHost() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 2;
}

[[noreturn]] void cannotRun(const Error& error, int status = kCannotRun) {
  fmt::print(stderr, "{}\n", error.sentence());
  report(status, error.sentence());
  std::exit(status);
}

/// The file of --launches; not open without that.
std::ofstream openLaunches(const std::string& path) {
  std::ofstream file;
  if (path.empty()) return file;
  file.open(path, std::ios::trunc);
  if (file.is_open()) return file;
  cannotRun(
      Error{fmt::format("'{}', the file of --launches, cannot be written: {}.", path, std::strerror(errno)),
            ""},
      kWrongUse);
}

/// A function's name as the program has it: `fill(int*, int)` for `_Z4fillPii`.
std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return name == nullptr ? symbol : name.get();
}

/// The reason the program's library cannot be loaded, from the loader's message.
Error notLoaded(const ProgramOptions& options, const std::string& why) {
  constexpr std::string_view kMark = "undefined symbol: ";
  const std::size_t symbol = why.find(kMark);
  if (symbol == std::string::npos)
    return Error{fmt::format("{} cannot be loaded: {}.", options.sources[0], why), ""};
  const std::string name = demangled(why.substr(symbol + kMark.size()));
  const bool isOne = options.sources.size() == 1;
  return Error{fmt::format("{} {}, which is neither in {} nor a part of the CUDA runtime that Lanescope has.",
                           isOne ? options.sources[0] + " uses" : "The program uses", name,
                           isOne ? "it" : "one of its source files"),
               "Give the source file that has it, too: lanescope-cli run main.cu other.cu."};
}

}  // namespace

Device& device() { return *process().device; }

Device* startedDevice() { return process().device; }

void endProgram(const std::string& sentence) { endAtOnce(kCannotRun, sentence); }

void endCaptured() {
  {
    const std::lock_guard lock(process().ending);
    process().isReported = true;
  }
  std::fflush(stdout);
  removeDirectory();
  std::_Exit(0);
}

void startDevice(DeviceOptions options) {
  process().device = std::make_unique<Device>(std::move(options)).release();
}

void runProgram(const ProgramOptions& options) {
  Process& own = process();
  own.options = options;
  std::string directory = (fs::temp_directory_path() / "lanescope-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) {
    cannotRun(Error{fmt::format("No directory can be made in {} for the compiled program.",
                                fs::temp_directory_path().string()),
                    ""});
  }
  own.directory = directory;
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaddset(&signals, signal);
  struct sigaction atHangup {};
  ::sigaction(SIGHUP, nullptr, &atHangup);
  if (atHangup.sa_handler == SIG_IGN) ::sigdelset(&signals, SIGHUP);  // nohup
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals, timeout = options.timeout] { watch(signals, timeout); }).detach();
  // A reader of the launches file also follows the output.
  if (!options.launchesFile.empty()) std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  std::ofstream launches = openLaunches(options.launchesFile);
  const auto program = compileProgram(options, directory);
  while (isEnding) ::pause();  // another thread has ended the compiler, and ends the process
  if (!program) cannotRun(program.error());

  const std::uint64_t memory = options.memoryBytes == 0 ? halfOfHost() : options.memoryBytes;
  // The library's line tables are read later, when its folder is gone.
  const int file = ::open(program->library.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    cannotRun(Error{fmt::format("{} cannot be opened: {}.", program->library, std::strerror(errno)), ""});
  const std::string library = fmt::format("/proc/{}/fd/{}", ::getpid(), file);
  startDevice({.sources = program->sources,
               .binary = library,
               .memoryBytes = memory,
               .totalBytes = options.memoryBytes == 0 ? kDeviceMemoryBytes : memory,
               .launches = std::move(launches),
               .captured = options.captured,
               .captureFile = options.captureFile,
               .rounding = options.fusesProducts ? ProductRounding::Fused : ProductRounding::Separate});
  installFaultHandlers();
  std::atexit(&atExit);

  void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) cannotRun(notLoaded(options, ::dlerror()));
  removeDirectory();  // the library stays open
  using Main = int (*)(int, char**, char**);
  const auto main = reinterpret_cast<Main>(::dlsym(handle, "main"));
  if (main == nullptr)
    cannotRun(
        Error{fmt::format("{} no main().", options.sources.size() == 1 ? options.sources[0] + " has"
                                                                       : "The program's source files have"),
              "lanescope-cli simulate runs a kernel alone."});
  std::vector<std::string> words{fs::path(options.sources[0]).replace_extension("").string()};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  exitStatus = main(static_cast<int>(words.size()), arguments.data(), ::environ);
  std::exit(exitStatus);
}

}  // namespace lanescope::host
