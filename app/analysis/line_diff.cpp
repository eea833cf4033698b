#include "app/analysis/line_diff.h"

#include <algorithm>

#include "sim/base/words.h"
#include "app/analysis/alignment.h"

namespace lanescope {
namespace {

constexpr int kSameScore = 8;
constexpr int kBlankScore = 1;  // an empty line says little about the match of two texts

struct DiffWord {
  std::string_view text;
  std::uint32_t begin = 0;
};

/// Names and numbers whole, every other letter by itself.
std::vector<DiffWord> splitDiffWords(std::string_view line) {
  std::vector<DiffWord> words;
  for (std::size_t at = 0; at < line.size();) {
    if (isSpace(line[at])) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    while (isOfWord(line[at]) && end < line.size() && isOfWord(line[end])) ++end;
    words.push_back({line.substr(at, end - at), static_cast<std::uint32_t>(at)});
    at = end;
  }
  return words;
}

struct SplitLine {
  std::string_view text;
  std::vector<DiffWord> words;
};

std::vector<SplitLine> splitLines(std::string_view text) {
  std::vector<SplitLine> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back({text.substr(0, end), splitDiffWords(text.substr(0, end))});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool areSame(const SplitLine& left, const SplitLine& right) {
  return std::ranges::equal(left.words, right.words, {}, &DiffWord::text, &DiffWord::text);
}

std::vector<IndexPair> commonWords(const SplitLine& left, const SplitLine& right) {
  return pairInOrder(
      static_cast<std::uint32_t>(left.words.size()), static_cast<std::uint32_t>(right.words.size()),
      [&](std::uint32_t a, std::uint32_t b) { return left.words[a].text == right.words[b].text ? 1 : 0; });
}

/// How well two lines match: 0 if they share less than half of the words of the longer one.
int computeScore(const SplitLine& left, const SplitLine& right) {
  if (areSame(left, right)) return left.words.empty() ? kBlankScore : kSameScore;
  const std::size_t most = std::max(left.words.size(), right.words.size());
  const std::size_t least = std::min(left.words.size(), right.words.size());
  if (2 * least < most) return 0;
  const std::size_t common = commonWords(left, right).size();
  return 2 * common < most ? 0 : static_cast<int>(1 + common * (kSameScore - 2) / most);
}

/// The words that are in no pair; those side by side are one part.
std::vector<ChangedPart> changedParts(const SplitLine& line, const std::vector<bool>& isCommon) {
  std::vector<ChangedPart> parts;
  bool goesOn = false;
  for (std::size_t word = 0; word < line.words.size(); ++word) {
    const std::uint32_t begin = line.words[word].begin;
    const auto end = static_cast<std::uint32_t>(begin + line.words[word].text.size());
    if (!isCommon[word] && goesOn) parts.back().end = end;
    if (!isCommon[word] && !goesOn) parts.push_back({begin, end});
    goesOn = !isCommon[word];
  }
  return parts;
}

DiffLine makeDiffLine(const std::vector<SplitLine>& lines, std::uint32_t index) {
  return {index + 1, std::string(lines[index].text), {}};
}

DiffRow pairedRow(const std::vector<SplitLine>& left, const std::vector<SplitLine>& right, IndexPair pair) {
  DiffRow row{DiffRow::Kind::Same, makeDiffLine(left, pair.left), makeDiffLine(right, pair.right)};
  const SplitLine& ours = left[pair.left];
  const SplitLine& theirs = right[pair.right];
  if (areSame(ours, theirs)) return row;
  row.kind = DiffRow::Kind::Changed;
  std::vector<bool> isOurs(ours.words.size(), false);
  std::vector<bool> isTheirs(theirs.words.size(), false);
  for (const IndexPair& common : commonWords(ours, theirs))
    isOurs[common.left] = isTheirs[common.right] = true;
  row.left.changed = changedParts(ours, isOurs);
  row.right.changed = changedParts(theirs, isTheirs);
  return row;
}

}  // namespace

std::vector<DiffRow> diffLines(std::string_view left, std::string_view right) {
  const std::vector<SplitLine> ours = splitLines(left);
  const std::vector<SplitLine> theirs = splitLines(right);
  const auto count = [](const std::vector<SplitLine>& lines) {
    return static_cast<std::uint32_t>(lines.size());
  };
  std::vector<DiffRow> rows;
  std::uint32_t nextLeft = 0;
  std::uint32_t nextRight = 0;
  const auto addUpTo = [&](std::uint32_t endLeft, std::uint32_t endRight) {
    for (; nextLeft < endLeft; ++nextLeft)
      rows.push_back({DiffRow::Kind::LeftOnly, makeDiffLine(ours, nextLeft), {}});
    for (; nextRight < endRight; ++nextRight)
      rows.push_back({DiffRow::Kind::RightOnly, {}, makeDiffLine(theirs, nextRight)});
  };
  for (const IndexPair& pair : pairInOrder(count(ours), count(theirs), [&](std::uint32_t a, std::uint32_t b) {
         return computeScore(ours[a], theirs[b]);
       })) {
    addUpTo(pair.left, pair.right);
    rows.push_back(pairedRow(ours, theirs, pair));
    nextLeft = pair.left + 1;
    nextRight = pair.right + 1;
  }
  addUpTo(count(ours), count(theirs));
  return rows;
}

}  // namespace lanescope
