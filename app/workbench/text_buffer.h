#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.h"

namespace lanescope {

/// The text as the editor holds it: UTF-8 with '\n' at line ends, tabs as spaces to the next multiple of
/// four, '?' for bytes that are not UTF-8, no other control characters.
std::string plainText(std::string_view text);

/// Columns that text[begin, end) takes: one a code point.
std::uint32_t columnsIn(std::string_view text, std::uint32_t begin, std::uint32_t end);
/// The offset `columns` code points on from `begin`, at most `end`.
std::uint32_t offsetAfter(std::string_view text, std::uint32_t begin, std::uint32_t end,
                          std::uint32_t columns);

/// The moves of a caret within the text alone; up and down depend on how lines are broken.
enum class CaretMove : std::uint8_t {
  Left,
  Right,
  WordLeft,
  WordRight,
  LineStart,  ///< to the line's first letter; from there to its very start
  LineEnd,
  TextStart,
  TextEnd,
};

/// A text with a caret, a selection and its history. Offsets are in bytes, between code points.
class TextBuffer {
 public:
  explicit TextBuffer(std::string_view text = {}) : text_(plainText(text)) {}

  const std::string& text() const { return text_; }
  /// Another number, another text; an undo gets a new one too.
  std::uint64_t revision() const { return revision_; }

  std::uint32_t caret() const { return caret_; }
  /// The range of the selection, in the text's order; empty at the caret if there is none.
  SourceSpan selection() const;
  bool hasSelection() const { return caret_ != anchor_; }
  std::string_view selectedText() const;

  /// Puts the caret there; `select` keeps the other end of the selection.
  void place(std::uint32_t offset, bool select = false);
  void move(CaretMove motion, bool select = false);
  void select(SourceSpan span);
  void selectAll() { select({0, size()}); }
  /// Selects the word, or the run of other characters, at that offset; or its line with its newline.
  void selectWord(std::uint32_t offset);
  void selectLine(std::uint32_t offset);

  /// Puts text in the selection's place, or at the caret.
  void insert(std::string_view text);
  /// A new line, indented as this one; deeper after '{'.
  void newLine();
  /// Removes the selection, or the text between the caret and the motion's end. Left removes a whole step of
  /// an indentation.
  void erase(CaretMove motion);
  /// Moves the selected lines right or left by a step of two spaces; without a selection, indent()
  /// writes spaces up to the next step.
  void indent();
  void outdent();
  /// Puts // before the selected lines; removes it if all of them have it.
  void toggleComment();
  /// Another text in the place of this one; undo brings it back.
  void replaceAll(std::string_view text);

  bool undo();
  bool redo();
  bool canUndo() const { return done_ > 0; }
  bool canRedo() const { return done_ < history_.size(); }

 private:
  enum class Joins : std::uint8_t { Never, Typing, Erasing };
  /// text[at, at + removed.size()) is replaced by `inserted`.
  struct Edit {
    std::uint32_t at = 0;
    std::string removed;
    std::string inserted;
    std::uint32_t caretBefore = 0;
    std::uint32_t anchorBefore = 0;
    Joins joins = Joins::Never;
  };

  std::uint32_t size() const { return static_cast<std::uint32_t>(text_.size()); }
  std::uint32_t target(CaretMove motion) const;
  std::uint32_t lineStart(std::uint32_t offset) const;
  std::uint32_t lineEnd(std::uint32_t offset) const;
  SourceSpan selectedLines() const;
  void replace(SourceSpan span, const std::string& inserted, Joins joins);
  void replaceLines(SourceSpan lines, const std::string& inserted);
  bool join(const Edit& edit);
  std::string changeLines(SourceSpan lines, std::string (*change)(std::string_view line)) const;

  std::string text_;
  std::uint32_t caret_ = 0;
  std::uint32_t anchor_ = 0;
  std::uint64_t revision_ = 1;
  std::vector<Edit> history_;
  std::size_t done_ = 0;  ///< edits of the history that the text has
  bool mayJoin_ = false;  ///< only edits since the last one
};

}  // namespace lanescope
