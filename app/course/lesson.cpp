#include "app/course/lesson.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "app/analysis/alignment.h"
#include "app/course/glossary.h"
#include "app/launch/strategy_launch.h"
#include "sim/base/counted.h"
#include "sim/base/words.h"

namespace lanescope {
namespace {

/// The number that a label ends with, 0 for none.
std::uint32_t toNumber(std::string_view label) {
  const std::size_t digits = label.find_last_not_of("0123456789");
  const std::string_view text = digits == std::string_view::npos ? label : label.substr(digits + 1);
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string_view withoutNumber(std::string_view label) {
  return label.substr(0, label.find_last_not_of("0123456789") + 1);
}

/// The bold words that an item begins with; `to[i]` if "to" leads to the i-th.
struct Lead {
  std::vector<std::string_view> labels;
  std::vector<bool> to;
};

Lead blockLead(const MarkdownBlock& block) {
  Lead lead;
  bool isTo = false;
  for (const MarkdownRun& run : block.runs) {
    if (run.style == MarkdownRun::Style::Bold) {
      lead.labels.push_back(run.text);
      lead.to.push_back(isTo);
      continue;
    }
    const bool joins = run.text == ", " || run.text == " and " || run.text == " to ";
    if (run.style != MarkdownRun::Style::Plain || !joins) break;
    isTo = run.text == " to ";
  }
  return lead;
}

/// A lesson calls a phase by its label; steps also by their sizes alone, after the first.
bool namesPhase(const MarkdownBlock& block, const Phase& phase) {
  if (block.kind != MarkdownBlock::Kind::Item) return false;
  const Lead lead = blockLead(block);
  const std::uint32_t number = phase.stepSize;
  for (std::size_t i = 0; i < lead.labels.size(); ++i) {
    const std::string_view one = lead.labels[i];
    if (one == phase.label) return true;
    if (phase.kind != PhaseKind::Step || i == 0 ||
        withoutNumber(lead.labels[0]) != withoutNumber(phase.label))
      continue;
    const std::uint32_t here = toNumber(one);
    const std::uint32_t before = toNumber(lead.labels[i - 1]);
    if (here == number) return true;
    if (lead.to[i] && number >= std::min(here, before) && number <= std::max(here, before)) return true;
  }
  return false;
}

}  // namespace

std::optional<std::size_t> findLessonItem(std::span<const MarkdownBlock> lesson,
                                          std::span<const Phase> phases, std::size_t phase,
                                          std::optional<std::uint64_t> n) {
  if (phase >= phases.size()) return std::nullopt;
  std::vector<std::size_t> items;
  for (std::size_t i = 0; i < lesson.size(); ++i) {
    // A list of another N names other threads.
    if (namesPhase(lesson[i], phases[phase]) && (!n || lessonElements(lesson, i).value_or(*n) == *n))
      items.push_back(i);
  }
  if (items.empty()) return std::nullopt;
  const auto before =
      static_cast<std::size_t>(std::ranges::count(phases.first(phase), phases[phase].label, &Phase::label));
  return items[std::min(before, items.size() - 1)];
}

std::optional<std::uint64_t> lessonElements(std::span<const MarkdownBlock> lesson, std::size_t item) {
  constexpr std::string_view kWords = "N = ";
  for (std::size_t i = std::min(item, lesson.size()); i-- > 0;) {
    if (lesson[i].kind == MarkdownBlock::Kind::Heading) return std::nullopt;
    if (lesson[i].kind != MarkdownBlock::Kind::Paragraph) continue;
    for (const MarkdownRun& run : lesson[i].runs) {
      const std::size_t at = run.text.find(kWords);
      if (at == std::string::npos) continue;
      std::uint64_t n = 0;
      for (const char c : std::string_view(run.text).substr(at + kWords.size())) {
        if (c == ',') continue;
        if (c < '0' || c > '9') break;
        n = 10 * n + static_cast<std::uint64_t>(c - '0');
      }
      return n;
    }
  }
  return std::nullopt;
}

std::uint64_t lessonN(std::span<const MarkdownBlock> lesson, std::uint64_t shown) {
  constexpr std::uint64_t kUsual = 64;
  std::optional<std::uint64_t> first;
  for (std::size_t i = 0; i < lesson.size(); ++i) {
    if (lesson[i].kind != MarkdownBlock::Kind::Item) continue;
    const std::optional<std::uint64_t> n = lessonElements(lesson, i);
    if (n == shown) return shown;
    if (!first) first = n;
  }
  return first.value_or(kUsual);
}

std::uint64_t lessonBlocks(const Strategy& strategy, std::uint64_t n) {
  const MachineModel& usual = machinePresets().front();
  const Result<Launch> launch = makeLaunch(strategy, n, fewestBlocks(strategy, n, usual).value_or(1), usual);
  return launch ? launch->grid.count() : 1;
}

std::string lessonNumbersNote(std::span<const MarkdownBlock> lesson, const MachineModel& machine,
                              std::uint64_t n, std::uint64_t blocks, std::uint64_t ofLesson) {
  const MachineModel& usual = machinePresets().front();
  const std::uint64_t elements = lessonN(lesson, n);
  const std::string name(machine.name);
  const bool hasItsSize = elements == n && name == usual.name;
  if (hasItsSize && blocks == ofLesson) return {};
  const bool isNamed = name != usual.name && std::ranges::any_of(lesson, [&](const MarkdownBlock& block) {
                         return std::ranges::any_of(block.runs, [&](const MarkdownRun& run) {
                           return run.text.find(name) != std::string::npos;
                         });
                       });
  const std::string shared = !hasItsSize     ? ""
                             : ofLesson == 1 ? " in one block"
                                             : " in " + counted(ofLesson, "block");
  return "The numbers below are for N = " + std::to_string(elements) + shared + " on " +
         std::string(usual.name) + " (32 lanes, 32 banks)" + (isNamed ? ", some for " + name + "." : ".");
}

bool dependsOnMachine(const MarkdownBlock& block) {
  constexpr std::array<std::string_view, 5> kWords{"bank", "warp", "lane", "wavefront", "conflict"};
  std::string text;
  for (const MarkdownRun& run : block.runs) text += run.text;
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::any_of(kWords,
                             [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

namespace {

constexpr std::string_view kLinesLeftOut = "...";
constexpr std::ptrdiff_t kMostLines = 44;  ///< of a diff; the listing shows more of a longer one's text

/// The first other strategy that a block names by its title.
const Strategy* namedIn(const MarkdownBlock& block, const Strategy& strategy) {
  for (const MarkdownRun& run : block.runs) {
    if (run.style != MarkdownRun::Style::Bold) continue;
    const auto named = std::ranges::find(strategies(), run.text, &Strategy::title);
    if (named != strategies().end() && named->id != strategy.id) return &*named;
  }
  return nullptr;
}

bool isWhatChanges(const MarkdownBlock& block) {
  return block.kind == MarkdownBlock::Kind::Heading && block.runs.size() == 1 &&
         block.runs.front().text == "What changes";
}

/// After the last block of `What changes`; `blocks.end()` if the lesson has no such section.
std::vector<MarkdownBlock>::iterator endOfChanges(std::vector<MarkdownBlock>& blocks) {
  const auto heading = std::ranges::find_if(blocks, isWhatChanges);
  if (heading == blocks.end()) return heading;
  return std::find_if(heading + 1, blocks.end(),
                      [](const MarkdownBlock& block) { return block.kind == MarkdownBlock::Kind::Heading; });
}

const Strategy* comparedIn(std::vector<MarkdownBlock>& blocks, const Strategy& strategy) {
  if (blocks.empty()) return nullptr;
  if (const Strategy* named = namedIn(blocks.front(), strategy)) return named;
  for (auto block = std::ranges::find_if(blocks, isWhatChanges); block < endOfChanges(blocks); ++block)
    if (const Strategy* named = namedIn(*block, strategy)) return named;
  return nullptr;
}

/// `completely_unrolled<{block}>` without its arguments.
std::string_view lessonKernelName(const Strategy& strategy) {
  return std::string_view(strategy.kernel).substr(0, strategy.kernel.find('<'));
}

/// True if a line has no code: it is blank or a comment.
bool hasNoCode(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line.empty() || line.starts_with("//");
}

/// Lines that begin with a sign, without the indentation that they have in common: a lesson's column is
/// narrow.
std::string withoutIndentation(std::string_view text) {
  const std::vector<std::string_view> lines = readLines(text);
  std::size_t common = std::string_view::npos;
  for (std::string_view line : lines)
    if (line != kLinesLeftOut) common = std::min(common, line.find_first_not_of(' ', 1) - 1);
  std::string result;
  for (std::string_view line : lines) {
    if (!result.empty()) result += '\n';
    result += line == kLinesLeftOut ? std::string(line) : line[0] + std::string(line.substr(1 + common));
  }
  return result;
}

}  // namespace

const Strategy* comparedStrategy(const Strategy& strategy) {
  std::vector<MarkdownBlock> blocks = parseMarkdown(strategy.lesson);
  return comparedIn(blocks, strategy);
}

std::string textChanges(std::string_view left, std::string_view leftName, std::string_view right,
                        std::string_view rightName) {
  const std::vector<std::string_view> leftLines = readLines(left);
  std::string text;
  std::string removed;
  std::string added;
  std::string before;     // the last line that both have, not written yet
  bool isCut = false;     // lines that both have are left out before it
  bool endsHunk = false;  // the next line that both have ends one
  const auto flush = [&] {
    if (removed.empty() && added.empty()) return;
    if (isCut && !text.empty()) text += std::string(kLinesLeftOut) + "\n";
    text += before + std::exchange(removed, {}) + std::exchange(added, {});
    before.clear();
    isCut = false;
    endsHunk = true;
  };
  std::string renamed(left);
  replaceAll(renamed, leftName, rightName);
  for (const DiffRow& row : diffLines(renamed, right)) {
    if (row.kind == DiffRow::Kind::Same) {
      flush();
      if (hasNoCode(row.right.text)) continue;
      const std::string line = " " + row.right.text + "\n";
      if (std::exchange(endsHunk, false)) {
        text += line;
        continue;
      }
      isCut |= !before.empty();
      before = line;
      continue;
    }
    if (row.kind != DiffRow::Kind::RightOnly && !hasNoCode(row.left.text))
      removed += "-" + std::string(leftLines[row.left.number - 1]) + "\n";
    if (row.kind != DiffRow::Kind::LeftOnly && !hasNoCode(row.right.text))
      added += "+" + row.right.text + "\n";
  }
  flush();
  return withoutIndentation(text);
}

std::vector<MarkdownBlock> lessonBlocks(const Strategy& strategy) {
  std::vector<MarkdownBlock> blocks = parseMarkdown(strategy.lesson);
  const Strategy* compared = comparedIn(blocks, strategy);
  if (compared != nullptr && std::ranges::any_of(blocks, isWhatChanges)) {
    const std::string changes = textChanges(compared->source, lessonKernelName(*compared), strategy.source,
                                            lessonKernelName(strategy));
    const MarkdownRun title{MarkdownRun::Style::Bold, compared->title};
    std::vector<MarkdownBlock> added;
    if (std::ranges::count(changes, '\n') < kMostLines) {
      added.push_back(
          {MarkdownBlock::Kind::Paragraph,
           "",
           {{MarkdownRun::Style::Plain, "As a diff from "}, title, {MarkdownRun::Style::Plain, ":"}}});
      added.push_back({MarkdownBlock::Kind::Code, "", {{MarkdownRun::Style::Code, changes}}});
    } else {
      added.push_back({MarkdownBlock::Kind::Paragraph,
                       "",
                       {{MarkdownRun::Style::Plain, "Most lines differ from those of "},
                        title,
                        {MarkdownRun::Style::Plain, ": compare the two side by side."}}});
    }
    blocks.insert(endOfChanges(blocks), added.begin(), added.end());
  }
  markTerms(blocks);
  return blocks;
}

}  // namespace lanescope
