#include "app/workbench/program_text.h"

#include <algorithm>
#include <charconv>

#include "sim/base/words.h"
#include "sim/base/json.h"

namespace lanescope {
namespace {

constexpr std::size_t kMostOutput = 200'000;  // bytes, of which the first half stays
constexpr std::size_t kMostListed = 2000;
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

/// Past the comment or the literal that begins there, or `at` itself.
std::size_t pastSkipped(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const auto past = [&](std::string_view ending, std::size_t from) {
    const std::size_t end = text.find(ending, at + from);
    return end == std::string_view::npos ? text.size() : end + ending.size();
  };
  if (rest.starts_with("//")) return past("\n", 2);
  if (rest.starts_with("/*")) return past("*/", 2);
  if (!rest.starts_with('"')) return at;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != '"' && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

}  // namespace

bool hasMain(std::string_view text) {
  constexpr std::string_view kMain = "main";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t past = pastSkipped(text, at);
    if (past != at) {
      at = past;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && isOfName(text[end])) ++end;
    if (text.substr(at, end - at) == kMain) {
      while (end < text.size() && isSpace(text[end])) ++end;
      if (end < text.size() && text[end] == '(') return true;
    }
    at = std::max(end, at + 1);
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
      error.message = std::string(line.substr(kind.size()));
      error.hint = "The C++ compiler says so of the host code.";
      error.span = placeIn(text, number, column);
      const bool isKnown = std::ranges::any_of(errors, [&](const Diagnostic& known) {
        return known.message == error.message && known.span.begin == error.span.begin;
      });
      if (!isKnown) errors.push_back(std::move(error));
    }
  }
  return errors;
}

void parseLogLine(const std::string& line, ProgramOutcome& outcome) {
  const auto json = parseJson(line);
  if (!json.is_object() || !json.contains("launch")) return;
  const auto number = json["launch"].get<std::uint64_t>();
  if (json.contains("kernel")) {
    outcome.launchCount = number;
    if (outcome.launches.size() >= kMostListed) return;
    ProgramLaunch launch;
    launch.number = number;
    launch.kernel = json["kernel"].get<std::string>();
    launch.line = json["line"].get<std::uint32_t>();
    launch.grid = {json["grid"][0], json["grid"][1], json["grid"][2]};
    launch.block = {json["block"][0], json["block"][1], json["block"][2]};
    outcome.launches.push_back(std::move(launch));
    return;
  }
  const auto begun = std::ranges::find(outcome.launches, number, &ProgramLaunch::number);
  if (begun == outcome.launches.end()) return;
  begun->isOver = true;
  begun->seconds = json.value("seconds", 0.0);
  begun->hazards = json.value("hazards", std::uint64_t{0});
  begun->fault = json.value("fault", std::string());
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

}  // namespace lanescope
