#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/panels/base/command.h"
#include "app/workbench/text_buffer.h"

namespace lanescope {

/// A line of a text, or the rest of one that is too long, as a row on the screen.
struct CodeRow {
  std::uint32_t line = 0;   ///< from 1
  std::uint32_t begin = 0;  ///< byte offsets in the text, without the newline
  std::uint32_t end = 0;
  std::uint32_t indent = 0;  ///< columns before its text
  bool first = true;         ///< of its line
};

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

/// The actions of keys and the pointer on a text: typing, moving, selecting, the clipboard (ImGui's), undo.
class CodeInput {
 public:
  /// `rows` are those of the current text; `pageRows` are visible at once. True if the key had a meaning.
  bool handleKey(TextBuffer& buffer, const CodeRows& rows, std::size_t pageRows, const Chord& pressed);
  /// Puts the caret at the pointer's press, or drags a selection there. `clicks`: pressed in this frame, 0
  /// while it is held. Two clicks select a word, three a line.
  void handlePointer(TextBuffer& buffer, std::uint32_t offset, int clicks, bool extend);

 private:
  bool handleMotion(TextBuffer& buffer, const CodeRows& rows, std::size_t pageRows, const Chord& pressed);
  void moveRows(TextBuffer& buffer, const CodeRows& rows, std::int64_t by, bool select);

  std::int64_t wishedColumn_ = -1;  ///< kept by up and down; -1: the caret's own
  int lastClicks_ = 1;
};

}  // namespace lanescope
