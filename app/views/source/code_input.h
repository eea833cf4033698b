#pragma once

#include "app/session/document/text_buffer.h"
#include "app/views/source/code_rows.h"

namespace lanescope {

/// What a key means in a text. Letters stand for themselves with Ctrl held.
enum class CodeKey : std::uint8_t {
  Character,
  Left,
  Right,
  Up,
  Down,
  Home,
  End,
  PageUp,
  PageDown,
  Enter,
  Tab,
  Backspace,
  Delete,
  A,
  C,
  V,
  X,
  Y,
  Z,
  Slash,
};

/// One key or character, in the order of their coming: none is lost between two frames.
struct CodeEvent {
  CodeKey key = CodeKey::Character;
  bool shift = false;
  bool control = false;
  std::uint32_t letter = 0;  ///< Character: its code point
};

/// What keys and the pointer do to a text: typing, moving, selecting, the clipboard (ImGui's), undo.
class CodeInput {
 public:
  /// `rows` are those of the text as it is; `pageRows` are seen at once. True where the event meant
  /// something.
  bool takeKey(TextBuffer& buffer, const CodeRows& rows, std::size_t pageRows, const CodeEvent& event);
  /// Puts the caret where the pointer is pressed, or drags a selection there: `clicks` pressed in this
  /// frame, 0 while it is held. Two clicks take a word, three a line.
  void takePointer(TextBuffer& buffer, std::uint32_t offset, int clicks, bool extend);

 private:
  bool takeMotion(TextBuffer& buffer, const CodeRows& rows, std::size_t pageRows, const CodeEvent& event);
  void moveRows(TextBuffer& buffer, const CodeRows& rows, std::int64_t by, bool select);

  std::int64_t wishedColumn_ = -1;  ///< that up and down keep; -1: the caret's own
  int lastClicks_ = 1;
};

}  // namespace lanescope
