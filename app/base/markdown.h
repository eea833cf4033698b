#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

struct GlossaryEntry;

/// A run of text in one style.
struct MarkdownRun {
  enum class Style : std::uint8_t { Plain, Bold, Code } style = Style::Plain;
  std::string text;
  bool operator==(const MarkdownRun&) const = default;
};

/// A term of the glossary in a run, in bytes; markTerms() finds them.
struct MarkdownTerm {
  std::size_t run = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  const GlossaryEntry* entry = nullptr;
};

/// A block of a lesson: the text between blank lines, one item of a list, a fenced code block.
struct MarkdownBlock {
  enum class Kind : std::uint8_t { Heading, Paragraph, Item, Code } kind = Kind::Paragraph;
  std::string marker;             ///< Item: `•` or `2.`
  std::vector<MarkdownRun> runs;  ///< Code: one run, its lines with newlines
  std::vector<MarkdownTerm> terms{};
};

/// Reads CommonMark: headings, paragraphs, lists, fenced code, **bold**, *emphasis* (shown bold), `code` and
/// [links](away), of which the text stays. No HTML.
std::vector<MarkdownBlock> parseMarkdown(std::string_view text);

}  // namespace lanescope
