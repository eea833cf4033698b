#include "app/cli/sass_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

#include "sim/base/words.h"
#include "sim/base/json.h"
#include "sim/base/counted.h"

namespace lanescope::cli {
namespace {

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

/// The whole code, each line of the text above its instructions, in the order of the code.
std::string listingText(const SassReport& report) {
  const std::vector<std::string_view> lines = readLines(report.text->text());
  std::string text;
  std::uint32_t last = UINT32_MAX;
  for (const MachineInstruction& one : report.code.instructions) {
    if (one.line != last) {
      text += one.line == 0 ? std::string("\n      (no line of the text)\n")
                            : fmt::format("\n{:>5} {}\n", one.line, lineText(lines, one.line));
    }
    last = one.line;
    text += report.code.isMeasured ? fmt::format("{:>14}  {}\n", one.executed, one.sass)
                                   : fmt::format("        {:04x}  {}\n", one.address, one.sass);
  }
  return text;
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

std::string sassCountersText(const SassReport& report) {
  std::string text = "\nCounters\n";
  for (const CounterChange& counter : report.comparison->counters) {
    const auto measured = report.measured.find(counter.name);
    const bool isMeasured = measured != report.measured.end();
    const bool isSame = counter.text == counter.machine && counter.isClear;
    if (isSame && (!isMeasured || measured->second == counter.text)) continue;
    text += fmt::format("  {}: the text {}, as compiled {}", counter.name, counter.text,
                        counter.isClear ? std::to_string(counter.machine) : "not clear");
    if (isMeasured)
      text += fmt::format(", hardware {} ({})", measured->second, verdictOn(counter, measured->second));
    text += counter.lines.empty() ? "\n" : fmt::format("; {}\n", linesText(counter.lines));
  }
  const bool isSame = text == "\nCounters\n";
  return isSame ? "\nEvery counter is the same for the text and for the machine code.\n" : text;
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
                     withCommas(static_cast<std::uint64_t>(std::llround(all))), lines);
}

std::string comparisonText(const SassReport& report) {
  const AccessComparison& comparison = *report.comparison;
  const std::vector<std::string_view> lines = readLines(report.text->text());
  std::string text = "\nText beside machine code\n";
  if (!comparison.isWhole()) {
    text += fmt::format("(of the first {} of {}: the launch is too large for all of them)\n",
                        withCommas(comparison.blocks), counted(comparison.gridBlocks, "block"));
  }
  text += comparison.notExecuted.empty()
              ? "(the machine code was executed, register by register)\n"
              : fmt::format("(derived from the text, not executed: {})\n", comparison.notExecuted);
  std::uint32_t last = 0;
  for (const LineAccesses& line : comparison.lines) {
    if (line.line != last) text += fmt::format("{:>5} {}\n", line.line, lineText(lines, line.line));
    last = line.line;
    text += accessText(line);
  }
  return text + sassCountersText(report) + slotsText(comparison.slots, comparison.notExecuted.empty());
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

Json comparisonJson(const SassReport& report) {
  Json json{{"blocks", report.comparison->blocks}, {"grid_blocks", report.comparison->gridBlocks}};
  json["is_executed"] = report.comparison->notExecuted.empty();
  if (!report.comparison->notExecuted.empty()) json["why_not_executed"] = report.comparison->notExecuted;
  json["accesses"] = Json::array();
  for (const LineAccesses& line : report.comparison->lines) {
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
  }
  json["counters"] = Json::array();
  for (const CounterChange& counter : report.comparison->counters) {
    Json one{{"name", counter.name},
             {"text", counter.text},
             {"machine", counter.machine},
             {"lines", counter.lines},
             {"is_clear", counter.isClear}};
    if (const auto measured = report.measured.find(counter.name); measured != report.measured.end()) {
      one["hardware"] = measured->second;
      one["is_explained"] = counter.isClear && measured->second == counter.machine;
    }
    json["counters"].push_back(std::move(one));
  }
  json["issue_slots"] = Json::array();
  for (const LineSlots& line : report.comparison->slots) {
    json["issue_slots"].push_back(
        {{"line", line.line}, {"instructions", line.instructions}, {"slots", std::llround(line.slots)}});
  }
  return json;
}

}  // namespace

std::string sassText(const SassReport& report) {
  const std::string title = codeTitle(report.code);
  return title + (report.comparison ? comparisonText(report) : listingText(report));
}

std::string sassJson(const SassReport& report) {
  const MachineCode& code = report.code;
  Json json{{"schema", "lanescope.sass/1"},
            {"kernel", code.kernel},
            {"architecture", code.architecture.empty() ? Json() : Json(code.architecture)},
            {"origin", code.origin}};
  json["instructions"] = Json::array();
  for (const MachineInstruction& one : code.instructions) {
    Json row{{"line", one.line}, {"address", one.address}, {"sass", one.sass}};
    if (code.knowsLoops) row["in_loop"] = one.isInLoop;
    if (code.isMeasured) row["inst_executed"] = one.executed;
    json["instructions"].push_back(std::move(row));
  }
  if (report.comparison) json["comparison"] = comparisonJson(report);
  return jsonText(json);
}

}  // namespace lanescope::cli
