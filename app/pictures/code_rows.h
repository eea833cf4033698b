#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "app/pictures/base/scene.h"
#include "sim/trace/replay.h"

// What the editor and the picture of a source share: a text's colours, its rows, and the warps on its lines.
namespace lanescope {

/// A stretch of source text in one colour.
struct SourceToken {
  enum class Kind : std::uint8_t { Plain, Keyword, Builtin, Number, Comment } kind = Kind::Plain;
  std::uint32_t begin = 0;  ///< byte offsets in the text, half-open
  std::uint32_t end = 0;
};

/// Splits a kernel text for colouring: the tokens cover it without gaps, and none crosses a line's end. Never
/// fails: unknown text is Plain.
std::vector<SourceToken> colourTokens(std::string_view text);

/// The colour that a kind of token is written in.
ColorRole tokenColor(SourceToken::Kind kind);

/// A line of a text, or the rest of one that is too long, as a row on the screen.
struct CodeRow {
  std::uint32_t line = 0;   ///< from 1
  std::uint32_t begin = 0;  ///< byte offsets in the text, without the newline
  std::uint32_t end = 0;
  std::uint32_t indent = 0;  ///< columns before its text
  bool first = true;         ///< of its line
};

/// As many columns as no line has: then each line is one row.
inline constexpr std::uint32_t kWholeLines = 1U << 30U;

/// A text broken into rows, and the position of an offset in them. A column is one code point.
class CodeRows {
 public:
  /// Breaks lines after `columns` columns, preferably after a space; the rest hangs below, indented. A final
  /// newline opens an empty row.
  void layout(std::string_view text, std::uint32_t columns);

  const std::vector<CodeRow>& rows() const { return rows_; }
  std::uint32_t lineCount() const { return rows_.empty() ? 0 : rows_.back().line; }
  /// Index of an offset's row; at a break, that of the row below.
  std::size_t findRow(std::uint32_t offset) const;
  /// Index of the first row of a line.
  std::size_t rowOfLine(std::uint32_t line) const;
  /// Column of an offset in that row, its indent included.
  std::uint32_t findColumn(std::string_view text, std::size_t row, std::uint32_t offset) const;
  /// Offset nearest to a column of that row.
  std::uint32_t offsetAt(std::string_view text, std::size_t row, std::uint32_t column) const;

 private:
  std::vector<CodeRow> rows_;
};

/// Calls `use(token, begin, end)` with each part of the row that has one colour.
template <class F>
void forEachPiece(const std::vector<SourceToken>& tokens, const CodeRow& row, F use) {
  const auto first =
      std::ranges::partition_point(tokens, [&](const SourceToken& t) { return t.end <= row.begin; });
  for (auto token = first; token != tokens.end() && token->begin < row.end; ++token)
    use(*token, std::max(token->begin, row.begin), std::min(token->end, row.end));
}

/// A warp and the line of its last step.
struct LineWarp {
  std::uint32_t line = 0;
  std::uint32_t warp = 0;
  bool isWaiting = false;  ///< at a barrier
};

/// The warps that have made a step, by line, then by warp.
std::vector<LineWarp> warpsByLine(const Trace& trace, const ReplayState& state);
/// Those of them on one line.
std::span<const LineWarp> warpsOn(const std::vector<LineWarp>& warps, std::uint32_t line);

}  // namespace lanescope
