#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// A half-open byte range [begin, end) of one SourceText.
struct SourceSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool operator==(const SourceSpan&) const = default;
};

/// A place as shown to people: both start at 1; columns count bytes.
struct LineColumn {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  bool operator==(const LineColumn&) const = default;
};

/// A file that a text includes: its path as in `#include "…"`, from the text's folder, and its content.
struct IncludedText {
  std::string path;  ///< with '/', without "./" and "..": `common/tile.h`
  std::string text;
  bool operator==(const IncludedText&) const = default;
};

/// The path of definitions from outside a text, which are read before it as for `-D`.
inline constexpr std::string_view kCommandLinePath = "<command-line>";

/// The definitions of `-D NAME` (1) and `-D NAME=VALUE`, as lines of #define in a file of the path
/// kCommandLinePath.
IncludedText commandLineDefinitions(const std::vector<std::string>& definitions);

/// A named, immutable text with an index of its lines, and the files that it includes.
class SourceText {
 public:
  SourceText() : SourceText("", "") {}
  SourceText(std::string name, std::string text, std::vector<IncludedText> includes = {});

  const std::vector<IncludedText>& includes() const { return includes_; }

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view slice(SourceSpan span) const;

  /// Number of lines, at least 1. A final newline does not begin another line.
  std::uint32_t lineCount() const { return static_cast<std::uint32_t>(lineStarts_.size()); }
  /// Text of a line (1-based) without its newline. Empty if out of range.
  std::string_view line(std::uint32_t number) const;
  /// Line and column of a byte offset; offsets past the end give the end.
  LineColumn place(std::uint32_t offset) const;
  std::uint32_t findLine(SourceSpan span) const { return place(span.begin).line; }

 private:
  std::string name_;
  std::string text_;
  std::vector<IncludedText> includes_;
  std::vector<std::uint32_t> lineStarts_;
};

}  // namespace lanescope
