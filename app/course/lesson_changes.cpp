#include "app/course/lesson_changes.h"

#include <algorithm>
#include <utility>

#include "sim/base/words.h"
#include "app/analysis/line_diff.h"
#include "app/course/glossary.h"

namespace lanescope {
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
