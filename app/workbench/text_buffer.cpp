#include "app/workbench/text_buffer.h"

#include <algorithm>
#include <utility>

#include "sim/base/printable.h"
#include "sim/base/words.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kStep = 2;  ///< spaces of an indentation
constexpr std::uint32_t kTab = 4;

/// Length of the well-formed UTF-8 sequence at the front, or 0 (Unicode 15, table 3-7).
std::size_t sequenceLength(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!isInsideCharacter(text, i)) return 0;
  }
  const auto second = static_cast<unsigned char>(text[1]);
  const bool tooLong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool noScalar = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return tooLong || noScalar ? 0 : length;
}

std::string indented(std::string_view line) {
  return line.empty() ? std::string() : std::string(kStep, ' ') + std::string(line);
}

std::string outdented(std::string_view line) {
  const std::size_t spaces = std::min(line.find_first_not_of(' '), line.size());
  return std::string(line.substr(std::min<std::size_t>(spaces, kStep)));
}

std::string commented(std::string_view line) {
  const std::size_t at = std::min(line.find_first_not_of(' '), line.size());
  if (at == line.size()) return std::string(line);
  return std::string(line.substr(0, at)) + "// " + std::string(line.substr(at));
}

std::string uncommented(std::string_view line) {
  const std::size_t at = line.find("//");
  if (at == std::string_view::npos) return std::string(line);
  const std::size_t skip = line.substr(at + 2).starts_with(' ') ? 3 : 2;
  return std::string(line.substr(0, at)) + std::string(line.substr(at + skip));
}

/// Runs `visit` on every line of a text, without its newline.
template <class Visit>
void forLines(std::string_view text, Visit visit) {
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    if (end == text.size()) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string plainText(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::size_t lineStart = 0;
  std::size_t continuations = 0;
  while (!text.empty()) {
    const char c = text[0];
    const std::size_t length = sequenceLength(text);
    if (c == '\r' || c == '\n') {
      plain += '\n';
      if (text.starts_with("\r\n")) text.remove_prefix(1);
      lineStart = plain.size();
      continuations = 0;
    } else if (c == '\t') {
      plain.append(kTab - (plain.size() - lineStart - continuations) % kTab, ' ');
    } else if (length == 0) {
      plain += '?';
    } else if (length > 1 || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F)) {
      plain += text.substr(0, length);
      continuations += length - 1;
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return plain;
}

std::uint32_t columnsIn(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  std::uint32_t columns = 0;
  for (std::uint32_t i = begin; i < end; ++i) columns += isInsideCharacter(text, i) ? 0 : 1;
  return columns;
}

std::uint32_t offsetAfter(std::string_view text, std::uint32_t begin, std::uint32_t end,
                          std::uint32_t columns) {
  std::uint32_t at = begin;
  while (at < end && columns > 0) {
    ++at;
    while (at < end && isInsideCharacter(text, at)) ++at;
    --columns;
  }
  return at;
}

SourceSpan TextBuffer::selection() const { return {std::min(caret_, anchor_), std::max(caret_, anchor_)}; }

std::string_view TextBuffer::selectedText() const {
  const SourceSpan span = selection();
  return std::string_view(text_).substr(span.begin, span.end - span.begin);
}

void TextBuffer::place(std::uint32_t offset, bool select) {
  offset = std::min(offset, size());
  while (offset > 0 && isInsideCharacter(text_, offset)) --offset;
  caret_ = offset;
  if (!select) anchor_ = offset;
  mayJoin_ = false;
}

void TextBuffer::select(SourceSpan span) {
  place(span.begin);
  place(span.end, true);
}

void TextBuffer::move(CaretMove motion, bool select) {
  const SourceSpan span = selection();
  if (!select && hasSelection() && (motion == CaretMove::Left || motion == CaretMove::Right)) {
    return place(motion == CaretMove::Left ? span.begin : span.end);
  }
  place(target(motion), select);
}

std::uint32_t TextBuffer::lineStart(std::uint32_t offset) const {
  const std::size_t newline = offset == 0 ? std::string::npos : text_.rfind('\n', offset - 1);
  return newline == std::string::npos ? 0 : static_cast<std::uint32_t>(newline + 1);
}

std::uint32_t TextBuffer::lineEnd(std::uint32_t offset) const {
  return static_cast<std::uint32_t>(std::min(text_.find('\n', offset), text_.size()));
}

std::uint32_t TextBuffer::target(CaretMove motion) const {
  std::uint32_t at = caret_;
  switch (motion) {
    case CaretMove::Left:
      if (at > 0) --at;
      while (at > 0 && isInsideCharacter(text_, at)) --at;
      return at;
    case CaretMove::Right: return offsetAfter(text_, at, size(), 1);
    case CaretMove::WordLeft: {
      while (at > 0 && text_[at - 1] == ' ') --at;
      if (at > 0 && text_[at - 1] == '\n') return at == caret_ ? at - 1 : at;
      const bool word = at > 0 && isOfWord(text_[at - 1]);
      while (at > 0 && text_[at - 1] != ' ' && text_[at - 1] != '\n' && isOfWord(text_[at - 1]) == word) --at;
      return at;
    }
    case CaretMove::WordRight: {
      if (at < size() && text_[at] == '\n') return at + 1;
      const bool word = at < size() && isOfWord(text_[at]);
      while (at < size() && text_[at] != ' ' && text_[at] != '\n' && isOfWord(text_[at]) == word) ++at;
      while (at < size() && text_[at] == ' ') ++at;
      return at;
    }
    case CaretMove::LineStart: {
      const std::uint32_t start = lineStart(at);
      std::uint32_t letter = start;
      while (letter < size() && text_[letter] == ' ') ++letter;
      return at == letter ? start : letter;
    }
    case CaretMove::LineEnd: return lineEnd(at);
    case CaretMove::TextStart: return 0;
    case CaretMove::TextEnd: return size();
  }
  return at;
}

void TextBuffer::selectWord(std::uint32_t offset) {
  offset = std::min(offset, size());
  const auto kind = [](char c) { return c == '\n' ? 3 : c == ' ' ? 2 : isOfWord(c) ? 1 : 0; };
  std::uint32_t at = offset;
  if (at > 0 && (at == size() || (kind(text_[at]) != 1 && kind(text_[at - 1]) == 1))) --at;
  if (at == size() || text_[at] == '\n') return place(offset);
  std::uint32_t begin = at;
  std::uint32_t end = at;
  while (begin > 0 && kind(text_[begin - 1]) == kind(text_[at])) --begin;
  while (end < size() && kind(text_[end]) == kind(text_[at])) ++end;
  select({begin, end});
}

void TextBuffer::selectLine(std::uint32_t offset) {
  offset = std::min(offset, size());
  select({lineStart(offset), std::min(lineEnd(offset) + 1, size())});
}

bool TextBuffer::join(const Edit& edit) {
  if (!mayJoin_ || done_ == 0 || edit.joins == Joins::Never) return false;
  Edit& last = history_[done_ - 1];
  if (last.joins != edit.joins) return false;
  if (edit.joins == Joins::Typing) {
    if (!edit.removed.empty() || last.at + last.inserted.size() != edit.at) return false;
    // A space after a word begins the next step of the history.
    if (edit.inserted == " " && !last.inserted.ends_with(' ')) return false;
    last.inserted += edit.inserted;
    return true;
  }
  if (edit.at + edit.removed.size() == last.at) {
    last.removed.insert(0, edit.removed);
    last.at = edit.at;
    return true;
  }
  if (edit.at != last.at) return false;
  last.removed += edit.removed;
  return true;
}

void TextBuffer::replace(SourceSpan span, const std::string& inserted, Joins joins) {
  const std::uint32_t length = span.end - span.begin;
  if (length == 0 && inserted.empty()) return;
  Edit edit{span.begin, text_.substr(span.begin, length), inserted, caret_, anchor_, joins};
  text_.replace(span.begin, length, inserted);
  caret_ = anchor_ = span.begin + static_cast<std::uint32_t>(inserted.size());
  ++revision_;
  history_.resize(done_);
  if (!join(edit)) {
    history_.push_back(std::move(edit));
    ++done_;
  }
  mayJoin_ = joins != Joins::Never;
}

void TextBuffer::insert(std::string_view text) {
  const std::string plain = plainText(text);
  const bool typed = columnsIn(plain, 0, static_cast<std::uint32_t>(plain.size())) == 1 && plain != "\n";
  replace(selection(), plain, typed ? Joins::Typing : Joins::Never);
}

void TextBuffer::newLine() {
  const std::uint32_t at = selection().begin;
  const std::uint32_t start = lineStart(at);
  std::uint32_t spaces = start;
  while (spaces < at && text_[spaces] == ' ') ++spaces;
  std::string inserted = "\n" + std::string(spaces - start, ' ');
  std::uint32_t last = at;
  while (last > spaces && text_[last - 1] == ' ') --last;
  if (last > spaces && text_[last - 1] == '{') inserted.append(kStep, ' ');
  replace(selection(), inserted, Joins::Never);
}

void TextBuffer::erase(CaretMove motion) {
  if (hasSelection()) return replace(selection(), "", Joins::Never);
  std::uint32_t to = target(motion);
  if (motion == CaretMove::Left) {
    const std::uint32_t start = lineStart(caret_);
    const bool onlySpaces = text_.find_first_not_of(' ', start) >= caret_ && caret_ - start >= kStep;
    if (onlySpaces) to = caret_ - ((caret_ - start) % kStep == 0 ? kStep : 1);
  }
  const SourceSpan span{std::min(to, caret_), std::max(to, caret_)};
  const bool joins = motion == CaretMove::Left || motion == CaretMove::Right;
  replace(span, "", joins ? Joins::Erasing : Joins::Never);
}

SourceSpan TextBuffer::selectedLines() const {
  const SourceSpan span = selection();
  // If a selection ends at a line's start, that line stays unchanged.
  const std::uint32_t last = span.end > span.begin && text_[span.end - 1] == '\n' ? span.end - 1 : span.end;
  return {lineStart(span.begin), lineEnd(last)};
}

std::string TextBuffer::changeLines(SourceSpan lines, std::string (*change)(std::string_view)) const {
  std::string changed;
  bool first = true;
  forLines(std::string_view(text_).substr(lines.begin, lines.end - lines.begin), [&](std::string_view line) {
    if (!first) changed += '\n';
    first = false;
    changed += change(line);
  });
  return changed;
}

void TextBuffer::replaceLines(SourceSpan lines, const std::string& inserted) {
  if (std::string_view(text_).substr(lines.begin, lines.end - lines.begin) == inserted) return;
  const bool selected = hasSelection();
  const auto grown = static_cast<std::int64_t>(inserted.size()) - (lines.end - lines.begin);
  const std::int64_t caret = std::max<std::int64_t>(lines.begin, caret_ + grown);
  const auto end = static_cast<std::uint32_t>(lines.begin + inserted.size());
  replace(lines, inserted, Joins::Never);
  if (selected) {
    select({lines.begin, end});
  } else {
    place(static_cast<std::uint32_t>(caret));
  }
}

void TextBuffer::indent() {
  if (hasSelection()) return replaceLines(selectedLines(), changeLines(selectedLines(), indented));
  const std::uint32_t column = columnsIn(text_, lineStart(caret_), caret_);
  replace({caret_, caret_}, std::string(kStep - column % kStep, ' '), Joins::Never);
}

void TextBuffer::outdent() { replaceLines(selectedLines(), changeLines(selectedLines(), outdented)); }

void TextBuffer::toggleComment() {
  const SourceSpan lines = selectedLines();
  bool all = true;
  bool any = false;
  forLines(std::string_view(text_).substr(lines.begin, lines.end - lines.begin), [&](std::string_view line) {
    const std::size_t at = line.find_first_not_of(' ');
    if (at == std::string_view::npos) return;
    any = true;
    all = all && line.substr(at).starts_with("//");
  });
  if (any) replaceLines(lines, changeLines(lines, all ? uncommented : commented));
}

void TextBuffer::replaceAll(std::string_view text) {
  const std::string plain = plainText(text);
  if (plain == text_) return;
  const std::uint32_t caret = caret_;
  replace({0, size()}, plain, Joins::Never);
  place(caret);
}

bool TextBuffer::undo() {
  if (!canUndo()) return false;
  const Edit& edit = history_[--done_];
  text_.replace(edit.at, edit.inserted.size(), edit.removed);
  caret_ = edit.caretBefore;
  anchor_ = edit.anchorBefore;
  ++revision_;
  mayJoin_ = false;
  return true;
}

bool TextBuffer::redo() {
  if (!canRedo()) return false;
  const Edit& edit = history_[done_++];
  text_.replace(edit.at, edit.removed.size(), edit.inserted);
  caret_ = anchor_ = edit.at + static_cast<std::uint32_t>(edit.inserted.size());
  ++revision_;
  mayJoin_ = false;
  return true;
}

}  // namespace lanescope
