#include "app/views/markdown.h"

#include <cctype>
#include <optional>

#include "app/session/words.h"

namespace lanescope {
namespace {

using Kind = MarkdownBlock::Kind;
using Style = MarkdownRun::Style;

/// Appends to the last run where the style is the same.
void addRun(std::vector<MarkdownRun>& runs, Style style, std::string_view text) {
  if (text.empty()) return;
  if (!runs.empty() && runs.back().style == style) {
    runs.back().text += text;
  } else {
    runs.push_back({style, std::string(text)});
  }
}

/// The text between `mark` at the front and its next occurrence, or nothing.
std::optional<std::string_view> enclosed(std::string_view text, std::string_view mark) {
  if (!text.starts_with(mark) || text.size() <= mark.size() || text[mark.size()] == ' ') return std::nullopt;
  const std::size_t end = text.find(mark, mark.size());
  if (end == std::string_view::npos || end == mark.size()) return std::nullopt;
  return text.substr(mark.size(), end - mark.size());
}

void parseInline(std::string_view text, std::vector<MarkdownRun>& runs) {
  while (!text.empty()) {
    if (const auto code = enclosed(text, "`")) {
      addRun(runs, Style::Code, *code);
      text.remove_prefix(code->size() + 2);
    } else if (const auto bold = enclosed(text, "**")) {
      addRun(runs, Style::Bold, *bold);
      text.remove_prefix(bold->size() + 4);
    } else if (const auto emphasis = enclosed(text, "*")) {
      addRun(runs, Style::Bold, *emphasis);
      text.remove_prefix(emphasis->size() + 2);
    } else if (const std::size_t link = text.find("]("); text[0] == '[' && link != std::string_view::npos &&
                                                         text.find(')', link) != std::string_view::npos) {
      addRun(runs, Style::Plain, text.substr(1, link - 1));
      text.remove_prefix(text.find(')', link) + 1);
    } else {
      const std::size_t next = text.find_first_of("`*[", 1);
      addRun(runs, Style::Plain, text.substr(0, next));
      text.remove_prefix(next == std::string_view::npos ? text.size() : next);
    }
  }
}

/// Length of a list marker at the front (`- `, `* `, `12. `), 0 for none.
std::size_t markerLength(std::string_view line) {
  if (line.starts_with("- ") || line.starts_with("* ")) return 2;
  std::size_t digits = 0;
  while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits])) != 0) ++digits;
  return digits > 0 && line.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

class BlockReader {
 public:
  void line(std::string_view raw) {
    const std::string_view text = trimmed(raw);
    if (text.starts_with("```")) {
      flush();
      inCode_ = !inCode_;
      if (inCode_) blocks_.push_back({Kind::Code, "", {{Style::Code, ""}}});
      return;
    }
    if (inCode_) {
      std::string& code = blocks_.back().runs.front().text;
      if (!code.empty()) code += '\n';
      code += raw;
      return;
    }
    if (text.empty()) return flush();
    if (const std::size_t hashes = text.find_first_not_of('#');
        hashes > 0 && hashes <= 6 && text[hashes] == ' ') {
      flush();
      kind_ = Kind::Heading;
      pending_ = trimmed(text.substr(hashes));
      return flush();
    }
    if (const std::size_t length = markerLength(text); length > 0) {
      flush();
      kind_ = Kind::Item;
      marker_ = length == 2 ? "•" : std::string(text.substr(0, length - 1));
      pending_ = text.substr(length);
      return;
    }
    if (!pending_.empty()) pending_ += ' ';
    pending_ += text;
  }

  std::vector<MarkdownBlock> finish() {
    flush();
    return std::move(blocks_);
  }

 private:
  void flush() {
    if (!pending_.empty()) {
      MarkdownBlock block{kind_, marker_, {}};
      parseInline(pending_, block.runs);
      blocks_.push_back(std::move(block));
    }
    pending_.clear();
    marker_.clear();
    kind_ = Kind::Paragraph;
  }

  std::vector<MarkdownBlock> blocks_;
  Kind kind_ = Kind::Paragraph;
  std::string marker_;
  std::string pending_;
  bool inCode_ = false;
};

}  // namespace

std::vector<MarkdownBlock> parseMarkdown(std::string_view text) {
  BlockReader reader;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    reader.line(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return reader.finish();
}

}  // namespace lanescope
