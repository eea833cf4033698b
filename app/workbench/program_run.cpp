#include "app/workbench/program_run.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "app/base/child_process.h"
#include "sim/base/json.h"
#include "sim/base/printable.h"
#include "sim/base/words.h"
#include "sim/base/write_file.h"
#include "sim/language/text/code_parts.h"

namespace lanescope {
namespace {

constexpr std::size_t kMostOutput = 200'000;  // bytes, of which the first half stays
constexpr std::size_t kMostListed = 2000;
constexpr std::size_t kMostName = 1000;  // bytes of a kernel's name, or of a fault
constexpr std::string_view kOmitted = "\n… (more than can be shown) …\n";

/// From a column of a line, both from 1, to the end of the word there.
SourceSpan placeIn(std::string_view text, std::uint32_t line, std::uint32_t column) {
  std::size_t begin = 0;
  for (std::uint32_t l = 1; l < line && begin < text.size(); ++l) {
    const std::size_t end = text.find('\n', begin);
    begin = end == std::string_view::npos ? text.size() : end + 1;
  }
  begin = std::min(begin + column - 1, text.size());
  std::size_t end = begin;
  while (end < text.size() && isOfName(text[end])) ++end;
  if (end == begin && end < text.size()) ++end;
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

/// Removes a number at the start of `rest` and the colon after it, and returns the number; 0 if there is
/// none.
std::uint32_t parseLeadingNumber(std::string_view& rest) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc() || end == rest.data() + rest.size() || *end != ':') return 0;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()) + 1);
  return number;
}

}  // namespace

bool hasMain(std::string_view text) {
  std::string_view before;
  for (const CodePart& part : splitCode(text)) {
    if (part.kind == CodePart::Kind::Blank) continue;
    if (before == "main" && part.of(text) == "(") return true;
    before = part.of(text);
  }
  return false;
}

std::vector<Diagnostic> compilerErrors(std::string_view messages, const std::string& path,
                                       std::string_view text) {
  std::vector<Diagnostic> errors;
  const std::string head = path + ":";
  while (!messages.empty()) {
    std::string_view line = messages.substr(0, messages.find('\n'));
    messages.remove_prefix(std::min(line.size() + 1, messages.size()));
    if (!line.starts_with(head)) continue;
    line.remove_prefix(head.size());
    const std::uint32_t number = parseLeadingNumber(line);
    const std::uint32_t column = parseLeadingNumber(line);
    for (const std::string_view kind : {" error: ", " fatal error: "}) {
      if (number == 0 || column == 0 || !line.starts_with(kind)) continue;
      Diagnostic error;
      error.message = printable(line.substr(kind.size()), kMostName);
      error.hint = "This is an error of the C++ compiler, in the host code.";
      error.span = placeIn(text, number, column);
      const bool isKnown = std::ranges::any_of(errors, [&](const Diagnostic& known) {
        return known.message == error.message && known.span.begin == error.span.begin;
      });
      if (!isKnown) errors.push_back(std::move(error));
    }
  }
  return errors;
}

namespace {

void addLaunch(const Json& json, ProgramOutcome& outcome) {
  const auto number = json["launch"].get<std::uint64_t>();
  if (json.contains("kernel")) {
    ProgramLaunch launch;
    launch.number = number;
    launch.kernel = printable(json.at("kernel").get<std::string>(), kMostName);
    launch.line = json.at("line").get<std::uint32_t>();
    launch.grid = {json.at("grid").at(0), json.at("grid").at(1), json.at("grid").at(2)};
    launch.block = {json.at("block").at(0), json.at("block").at(1), json.at("block").at(2)};
    outcome.launchCount = number;
    if (outcome.launches.size() < kMostListed) outcome.launches.push_back(std::move(launch));
    return;
  }
  const auto begun = std::ranges::find(outcome.launches, number, &ProgramLaunch::number);
  if (begun == outcome.launches.end()) return;
  ProgramLaunch over = *begun;
  over.isOver = true;
  over.seconds = json.value("seconds", 0.0);
  over.hazards = json.value("hazards", std::uint64_t{0});
  over.fault = printable(json.value("fault", std::string()), kMostName);
  *begun = std::move(over);
}

}  // namespace

void parseLogLine(const std::string& line, ProgramOutcome& outcome) {
  const auto json = parseJson(line);
  if (!json.is_object() || !json.contains("launch")) return;
  try {
    addLaunch(json, outcome);
  } catch (const Json::exception&) {  // the program can write to its file, too
  }
}

void addOutput(std::string_view more, std::string& output) {
  output += more;
  if (output.size() <= kMostOutput) return;
  constexpr std::size_t kHalf = kMostOutput / 2;
  // The part that was left out before is left out again, with its mark.
  const std::size_t from = output.find('\n', output.size() - kHalf / 2);
  output = output.substr(0, kHalf) + std::string(kOmitted) +
           (from == std::string::npos ? std::string() : output.substr(from + 1));
}

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Deliver = NewestJob<ProgramRequest, ProgramOutcome>::Deliver;

constexpr std::chrono::milliseconds kPause{100};  ///< between two checks of the log of launches
constexpr std::chrono::milliseconds kPatience{300};

/// A run's own folder, removed with it.
class RunFolder {
 public:
  RunFolder() {
    std::string name = (fs::temp_directory_path() / "lanescope-run-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~RunFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// One program from its start to its end.
class Running {
 public:
  Running(const Host& host, const std::string& tool, const ProgramRequest& request, const Deliver& deliver)
      : startsPrograms_(host.startsPrograms()),
        tool_(tool.empty() ? host.findProgram("lanescope-cli").value_or("").string() : tool),
        deliver_(deliver) {
    outcome_.asked = request;
  }

  ProgramOutcome run(const std::stop_token& stop) {
    if (!startsPrograms_) return failed("A program needs processes of its own, and there are none here.");
    if (tool_.empty()) {
      return failed(
          "lanescope-cli, which runs programs, is not beside this program; the first ./run continues to "
          "build it while the window is open: try again in a minute.");
    }
    if (folder_.path().empty()) return failed("No folder can be made for the program's run.");
    if (const auto problem = placeText()) return failed(problem->sentence());
    auto process = ChildProcess::start(command());
    if (!process) return failed(process.error().sentence());
    process->input.close();
    while (!stop.stop_requested() && syncTo(*process)) {
    }
    if (stop.stop_requested()) {
      process->terminate(kPatience, false);
      return std::move(outcome_);  // unused after this
    }
    std::optional<ProcessEnd> end;
    while (!end && !stop.stop_requested()) end = process->ended(kPause);
    readLog();
    finish(end.value_or(ProcessEnd{}));
    return std::move(outcome_);
  }

 private:
  ProgramOutcome failed(const std::string& sentence) {
    outcome_.isOver = outcome_.hasFailed = true;
    outcome_.end = sentence;
    return std::move(outcome_);
  }

  /// The file if it has the text, else a copy of the text.
  std::optional<Error> placeText() {
    const fs::path file = fs::absolute(outcome_.asked.path);
    path_ = (outcome_.asked.isAsFile ? file : folder_.path() / file.filename()).string();
    return outcome_.asked.isAsFile ? std::nullopt : writeFile(path_, outcome_.asked.text);
  }

  std::string command() {
    const ProgramRequest& asked = outcome_.asked;
    const fs::path file = fs::absolute(asked.path);
    const std::string include =
        asked.isAsFile ? std::string() : " -I " + quotedForShell(file.parent_path().string());
    log_ = (folder_.path() / "launches").string();
    std::string line = "cd " + quotedForShell(file.parent_path().string()) + " && exec " +
                       quotedForShell(tool_) + " run --launches " + quotedForShell(log_) + include;
    if (asked.captured > 0)
      line += fmt::format(" --capture {} --to {}", asked.captured, quotedForShell(captureFile()));
    return line + " " + quotedForShell(path_) + (asked.arguments.empty() ? "" : " -- " + asked.arguments);
  }
  std::string captureFile() const { return (folder_.path() / "capture").string(); }

  /// Takes the output of a moment; false once the program has closed its streams.
  bool syncTo(ChildProcess& process) {
    std::array<pollfd, 2> streams{{{process.output.get(), POLLIN, 0}, {process.errors.get(), POLLIN, 0}}};
    ::poll(streams.data(), streams.size(), static_cast<int>(kPause.count()));
    if (process.output.isOpen()) read(process.output, nullptr);
    if (process.errors.isOpen()) read(process.errors, &errors_);
    readLog();
    outcome_.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (Clock::now() - delivered_ >= kPause) {
      delivered_ = Clock::now();
      deliver_(outcome_);
    }
    return process.output.isOpen() || process.errors.isOpen();
  }

  void read(Descriptor& stream, std::string* copy) {
    std::array<char, 1U << 14U> chunk{};
    for (int i = 0; i < 16;
         ++i) {  // even with endless output, launches have to be listed and a cancellation seen
      const ssize_t got = ::read(stream.get(), chunk.data(), chunk.size());
      if (got == 0) return stream.close();
      if (got < 0) return;
      const std::string_view more(chunk.data(), static_cast<std::size_t>(got));
      addOutput(more, outcome_.output);
      if (copy != nullptr) addOutput(more, *copy);
    }
  }

  void readLog() {
    std::ifstream file(log_, std::ios::binary);
    if (!file.seekg(static_cast<std::streamoff>(read_))) return;
    std::string line;
    while (std::getline(file, line) && !file.eof()) {  // the last one may not be whole yet
      read_ += line.size() + 1;
      parseLogLine(line, outcome_);
    }
  }

  void finish(const ProcessEnd& end) {
    constexpr int kCannotRun = 125;
    outcome_.isOver = true;
    outcome_.hasFailed = end.bySignal || end.code != 0;
    outcome_.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    outcome_.diagnostics = compilerErrors(errors_, path_, outcome_.asked.text);
    const std::string after = fmt::format(" after {:.1f} s", outcome_.seconds);
    if (!outcome_.diagnostics.empty()) {
      outcome_.end = "The program does not compile.";
    } else if (!end.bySignal && end.code == kCannotRun) {
      outcome_.end = "The program cannot be run: see what is said above.";
    } else if (end.bySignal) {
      outcome_.end = "The program was ended by " + end.text() + after + ".";
    } else {
      outcome_.end = "The program ended with " + end.text() + after + ".";
    }
    if (outcome_.asked.captured == 0) return;
    if (auto captured = readCapture(captureFile())) outcome_.captured = std::move(*captured);
  }

  bool startsPrograms_;
  std::string tool_;
  const Deliver& deliver_;
  RunFolder folder_;
  ProgramOutcome outcome_;
  std::string path_;
  std::string log_;
  std::size_t read_ = 0;  ///< bytes of the log
  std::string errors_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point delivered_;
};

/// Why a launch was not captured.
Error notCaptured(const ProgramOutcome& outcome) {
  const std::size_t said = outcome.output.rfind("lanescope: ");
  if (said != std::string::npos) {
    const std::string_view rest = std::string_view(outcome.output).substr(said + 11);
    return {std::string(rest.substr(0, rest.find('\n'))), ""};
  }
  return {fmt::format("The program has ended before launch {}.", outcome.asked.captured),
          "Run it again: its launches may differ from run to run."};
}

}  // namespace

ProgramRun::ProgramRun(ExecutorPtr executor, HostPtr host, std::string tool)
    : job_(std::move(executor),
           [host = std::move(host), tool = std::move(tool)](
               const ProgramRequest& request, const std::stop_token& stop, const Deliver& deliver) {
             return Running(*host, tool, request, deliver).run(stop);
           }) {}

void ProgramRun::start(ProgramRequest request) {
  request.captured = 0;
  capturing_ = 0;
  captured_.reset();
  outcome_.emplace();
  outcome_->asked = request;
  job_.request(std::move(request));
}

void ProgramRun::capture(std::uint64_t launch) {
  if (!outcome_ || isRunning()) return;
  ProgramRequest request = outcome_->asked;
  request.captured = capturing_ = launch;
  job_.request(std::move(request));
}

void ProgramRun::cancel() {
  if (!isRunning()) return;
  job_.cancel();
  if (std::exchange(capturing_, 0) > 0 || !outcome_) return;
  outcome_->isOver = outcome_->hasFailed = true;
  outcome_->end = fmt::format("Canceled after {:.1f} s.", outcome_->seconds);
}

bool ProgramRun::poll() {
  std::optional<ProgramOutcome> found = job_.consume();
  if (!found) return false;
  found->output = withoutControls(found->output);
  if (found->asked.captured == 0) {
    outcome_ = std::move(*found);
    return true;
  }
  if (!found->isOver) return true;
  capturing_ = 0;
  if (found->captured)
    captured_ = std::move(*found);
  else
    captured_ = notCaptured(*found);
  return true;
}

}  // namespace lanescope
